# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage show EVENTS.ndjson`: what was written, from what, by which run, as a tree in the terminal."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

from pyspark_lineage.errors import LineageError

Json = Mapping[str, Any]
Key = tuple[str, str]

TERMINAL = frozenset({"COMPLETE", "FAIL", "ABORT"})


@dataclass
class Run:
    """Everything that the events of one run say, put together; what a later event says about a dataset wins."""

    run_id: str
    job: str
    parent: str | None = None
    status: str = "RUNNING"
    started: datetime | None = None
    ended: datetime | None = None
    inputs: dict[Key, Json] = field(default_factory=dict)
    outputs: dict[Key, Json] = field(default_factory=dict)

    @property
    def seconds(self) -> float | None:
        if self.started is None or self.ended is None:
            return None
        return (self.ended - self.started).total_seconds()


def read_events(path: Path) -> Iterator[Json]:
    """The events of a file, one JSON object a line; a last line that is still being written is left out."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LineageError(f"Cannot read the events in {path}: {error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except ValueError as error:
            if number == len(lines):
                return
            raise LineageError(
                f"Line {number} of {path} is not JSON: {error}. One event a line is expected."
            ) from error
        if not isinstance(event, dict):
            raise LineageError(f"Line {number} of {path} is no OpenLineage event: it is not a JSON object.")
        yield event


def collect_runs(events: Iterable[Json]) -> list[Run]:
    """The runs in the order in which they are first spoken of."""
    runs: dict[str, Run] = {}
    for event in events:
        if "run" not in event or "job" not in event:
            continue  # a DatasetEvent or JobEvent: about no run
        run_id = event["run"]["runId"]
        run = runs.setdefault(run_id, Run(run_id, event["job"]["name"]))
        time = _time(event.get("eventTime"))
        kind = event.get("eventType", "OTHER")
        if kind == "START":
            run.started = time
        elif kind in TERMINAL:
            run.status, run.ended = kind, time
        run.parent = event["run"].get("facets", {}).get("parent", {}).get("run", {}).get("runId", run.parent)
        for known, told in ((run.inputs, event.get("inputs")), (run.outputs, event.get("outputs"))):
            for dataset in told or ():
                known[dataset["namespace"], dataset["name"]] = dataset
    return list(runs.values())


class Names:
    """Dataset names, shortened: paths from `base` on, tables by the name that the user wrote."""

    def __init__(self, base: str | os.PathLike[str] | None = None) -> None:
        self._bases = () if base is None else tuple({os.path.abspath(base), os.path.realpath(base)})

    def short(self, dataset: Json) -> str:
        namespace, name = dataset["namespace"], self._from_base(dataset["name"])
        scheme = urlsplit(namespace).scheme or namespace
        where = name if scheme == "file" else f"{namespace.rstrip('/')}/{name.lstrip('/')}"
        tables = [
            symlink["name"]
            for symlink in dataset.get("facets", {}).get("symlinks", {}).get("identifiers", ())
            if symlink.get("type") == "TABLE"
        ]
        return f"{tables[0]} (table in {where})" if tables else where

    def _from_base(self, name: str) -> str:
        for base in self._bases:
            if name.startswith(base + os.sep):
                return name[len(base) + 1 :]
        return name


class Paint:
    """Colour, where a person looks on: on a terminal, and not when NO_COLOR (https://no-color.org) is set."""

    _CODES: Mapping[str, str] = {
        "output": "1", "quiet": "2", "COMPLETE": "32", "FAIL": "31", "ABORT": "33", "RUNNING": "33",
    }  # fmt: skip

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled

    @classmethod
    def for_stream(cls, stream: TextIO) -> Paint:
        enabled = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(enabled=enabled)

    def __call__(self, text: str, kind: str) -> str:
        if not self._enabled or kind not in self._CODES:
            return text
        return f"\x1b[{self._CODES[kind]}m{text}\x1b[0m"


@dataclass
class Branch:
    """A line of the tree and what hangs below it."""

    text: str
    below: list[Branch] = field(default_factory=list)


def draw(roots: Iterable[Branch]) -> Iterator[str]:
    """The lines of a forest, with box characters; schemas nest as deep as users like, so with a stack of its own."""
    stack = [(root, "", "", "") for root in reversed(list(roots))]
    while stack:
        branch, indent, elbow, continuation = stack.pop()
        yield indent + elbow + branch.text
        inner = indent + continuation
        for at, child in enumerate(reversed(branch.below)):
            stack.append((child, inner, *(("└─ ", "   ") if at == 0 else ("├─ ", "│  "))))


def tree(runs: Sequence[Run], *, names: Names, paint: Paint) -> list[Branch]:
    """A tree for each application: its outputs with their fields, inputs and the run; runs that only read."""
    known = {run.run_id for run in runs}
    members: dict[str, list[Run]] = {}
    for run in runs:
        if run.parent in known:
            members.setdefault(run.parent or "", []).append(run)
    applications = [run for run in runs if run.parent not in known]
    return [
        Branch(
            f"{application.job}  {_outcome(application, paint)}",
            [
                branch
                for run in (application, *members.get(application.run_id, ()))
                for branch in _run_branches(run, is_application=run is application, names=names, paint=paint)
            ],
        )
        for application in applications
    ]


def _run_branches(run: Run, *, is_application: bool, names: Names, paint: Paint) -> list[Branch]:
    inputs = [_input_branch(dataset, names, paint) for dataset in run.inputs.values()]
    by = Branch(f"{paint('by', 'quiet')} {run.job}  {_outcome(run, paint)}")
    if run.outputs:
        return [
            Branch(
                paint(names.short(output), "output"),
                [
                    Branch(paint("fields", "quiet"), _fields(output, paint)),
                    Branch(paint("from", "quiet"), inputs or [Branch("no dataset")]),
                    by,
                ],
            )
            for output in run.outputs.values()
        ]
    if is_application and not inputs:
        return []
    return [Branch(f"{paint('only read, by', 'quiet')} {run.job}  {_outcome(run, paint)}", inputs)]


def _input_branch(dataset: Json, names: Names, paint: Paint) -> Branch:
    columns = ", ".join(column["name"] for column in _schema(dataset))
    return Branch(names.short(dataset) + (paint(f"  ({columns})", "quiet") if columns else ""))


def _schema(dataset: Json) -> Sequence[Json]:
    fields: Sequence[Json] = dataset.get("facets", {}).get("schema", {}).get("fields") or ()
    return fields


def _fields(dataset: Json, paint: Paint) -> list[Branch]:
    top: list[Branch] = []
    work = [(top, _schema(dataset))]
    while work:
        into, fields = work.pop()
        width = max((len(column["name"]) for column in fields), default=0)
        for column in fields:
            branch = Branch(f"{column['name']:<{width}}  {paint(column.get('type') or '', 'quiet')}".rstrip())
            into.append(branch)
            work.append((branch.below, column.get("fields") or ()))
    return top or [Branch("unknown")]


def _outcome(run: Run, paint: Paint) -> str:
    took = "" if run.seconds is None else f"  {run.seconds:.1f} s"
    return paint(run.status, run.status) + took


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        # Python 3.10 does not read the "Z" that the schema allows.
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None


def render(path: Path, *, base: str | os.PathLike[str] | None = None, paint: Paint) -> str:
    branches = tree(collect_runs(read_events(path)), names=Names(base), paint=paint)
    if not branches:
        return f"No runs in {path}."
    return "\n\n".join("\n".join(draw([branch])) for branch in branches)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="pyspark-lineage show", description="Lineage in a file of events, as a tree.")
    parser.add_argument("events", type=Path, metavar="EVENTS.ndjson", help="a file with one OpenLineage event a line")
    parser.add_argument("--base", metavar="DIR", help="shorten file paths below this directory")
    arguments = parser.parse_args(argv)
    print(render(arguments.events, base=arguments.base, paint=Paint.for_stream(sys.stdout)))
    return 0
