# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Recorded plans on disk: what the bridge sent once, replayed in tests that have no JVM.

A recording is one JSON object a line, gzipped if the file is called `.gz`: first the format, then a plan a line. The
same recordings make the same bytes.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import DecodeError
from .decode import Snapshot, decode

FORMAT = {"format": "pyspark-lineage recording", "version": 1}


@dataclass(frozen=True, slots=True)
class Recorded:
    """One plan: the program that made it, on which Spark, the snapshot, and what is expected of it."""

    label: str
    spark_version: str
    program: str
    snapshot_json: str
    expected: Any = None

    def snapshot(self) -> Snapshot:
        """The plan as nodes."""
        return decode(self.snapshot_json)


def write_recording(path: str | Path, recorded: Iterable[Recorded], /) -> None:
    """Writes the recordings to the file, in the order given."""
    lines = [_line(FORMAT)]
    for one in recorded:
        entry: dict[str, Any] = {"label": one.label, "spark_version": one.spark_version, "program": one.program}
        if one.expected is not None:
            entry["expected"] = one.expected
        lines.append(_line({**entry, "snapshot": json.loads(one.snapshot_json)}))
    data = "".join(lines).encode()
    target = Path(path)
    target.write_bytes(gzip.compress(data, mtime=0) if target.suffix == ".gz" else data)


def read_recording(path: str | Path, /) -> list[Recorded]:
    """The recordings of a file; `DecodeError` where it is not one."""
    source = Path(path)
    try:
        data = source.read_bytes()
        lines = (gzip.decompress(data) if source.suffix == ".gz" else data).decode().splitlines()
        if not lines or json.loads(lines[0]) != FORMAT:
            raise DecodeError(f"{source.name} is no recording of version {FORMAT['version']}; record it again.")
        return [_recorded(json.loads(line)) for line in lines[1:]]
    except (EOFError, gzip.BadGzipFile, ValueError, LookupError, TypeError) as error:
        raise DecodeError(f"{source.name} is a damaged recording: {error}") from error


def _recorded(entry: Mapping[str, Any]) -> Recorded:
    return Recorded(
        label=entry["label"],
        spark_version=entry["spark_version"],
        program=entry["program"],
        snapshot_json=_line(entry["snapshot"]).rstrip("\n"),
        expected=entry.get("expected"),
    )


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
