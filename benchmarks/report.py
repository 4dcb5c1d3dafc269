# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Results as tables: for the terminal, for the documentation, and as JSON from which both can be made again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.intervals import Interval


@dataclass(frozen=True)
class Table:
    """Rows of finished text under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """What one benchmark found. `data` has the raw measurements."""

    name: str
    title: str
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """What machine, how measured, and the sections in the order they ran."""

    machine: Mapping[str, str]
    how: str
    sections: tuple[Section, ...] = ()


# ---------------------------------------------------------------- numbers for people


def number(value: float) -> str:
    """Three digits that count."""
    if value != value:  # noqa: PLR0124 - not a number
        return "-"
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def between(i: Interval, *, digits: int = 3, scale: float = 1.0, sign: bool = False) -> str:
    """`1.021 [1.013, 1.034]`; what is less sure than 95 % says so."""
    if not i.count:
        return "-"
    form = f"{{:{'+' if sign else ''}.{digits}f}}"
    median, low, high = (form.format(v * scale) for v in (i.median, i.low, i.high))
    if i.count == 1:
        return f"{median} (once)"
    unsure = "" if i.confidence >= 0.95 else f" ({i.confidence:.0%})"
    return f"{median} [{low}, {high}]{unsure}"


# ---------------------------------------------------------------- terminal


def text(section: Section) -> str:
    parts = [f"\n{section.title}  [{section.name}]"]
    parts += ["\n".join(_aligned(table)) for table in section.tables]
    parts += [f"  {note}" for note in section.notes]
    return "\n".join(parts)


def heading(report: Report) -> str:
    return "\n".join([*(f"{name}: {value}" for name, value in report.machine.items()), report.how])


def _aligned(table: Table) -> list[str]:
    rows = [table.head, *table.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    lines = []
    for row in rows:
        cells = [c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("  " + "   ".join(cells).rstrip())
    lines.insert(1, "  " + "   ".join("-" * w for w in widths))
    return lines


# ---------------------------------------------------------------- JSON


def write_json(path: Path, report: Report) -> Report:
    """Into the file; sections that a run on the same machine left there and this one did not measure are kept."""
    kept: tuple[Section, ...] = ()
    if path.exists():
        before = read_json(path)
        if dict(before.machine) == dict(report.machine):
            fresh = {section.name for section in report.sections}
            kept = tuple(section for section in before.sections if section.name not in fresh)
    whole = Report(report.machine, report.how, (*kept, *report.sections))
    path.write_text(json.dumps(asdict(whole), indent=1) + "\n", encoding="utf-8")
    return whole


def read_json(path: Path) -> Report:
    raw = json.loads(path.read_text(encoding="utf-8"))
    return Report(raw["machine"], raw["how"], tuple(_section(s) for s in raw["sections"]))


def _section(raw: Mapping[str, Any]) -> Section:
    tables = tuple(Table(tuple(t["head"]), tuple(tuple(row) for row in t["rows"])) for t in raw["tables"])
    return Section(raw["name"], raw["title"], tables, tuple(raw["notes"]), raw["data"])


# ---------------------------------------------------------------- documentation

_END = "<!-- results: end -->"


def write_markdown(path: Path, report: Report) -> None:
    """Replace the results of this Spark version between the marks of the page; those of other versions stay."""
    page = path.read_text(encoding="utf-8")
    version = report.machine["Spark"]
    mark = f"<!-- results: Spark {version} -->"
    block = f"{mark}\n{_markdown(report)}\n"
    old = re.compile(re.escape(mark) + r"\n.*?(?=<!-- results: )", re.DOTALL)
    if old.search(page):
        page = old.sub(lambda _: block + "\n", page, count=1)
    else:
        page = page.replace(_END, f"{block}\n{_END}", 1)
    path.write_text(page, encoding="utf-8")


def _markdown(report: Report) -> str:
    version = report.machine["Spark"]
    machine = "; ".join(f"{name} {value}" for name, value in report.machine.items() if name != "Spark")
    parts = [f"### Spark {version}", f"{machine}. {report.how}"]
    for section in report.sections:
        parts.append(f"#### {section.title}")
        parts += ["\n".join(_pipes(table)) for table in section.tables]
        parts += section.notes
    return "\n\n".join(parts)


def _pipes(table: Table) -> Sequence[str]:
    aligned = ["---", *("---:" for _ in table.head[1:])]
    return ["| " + " | ".join(row) + " |" for row in (table.head, tuple(aligned), *table.rows)]
