# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from pyspark_lineage.errors import DecodeError
from pyspark_lineage.plan import Recorded, read_recording, write_recording
from pyspark_lineage.plan.relations import OneRowRelation
from tests.unit.plan.wire import Wire


def recorded() -> list[Recorded]:
    wire = Wire()
    text = json.dumps(wire.snapshot(wire.plan("OneRowRelation", [])), separators=(",", ":"))
    return [
        Recorded("one", "3.5.9", 'spark.sql("SELECT 1")', text),
        Recorded("two: ü", "4.3.0", "a\nb", text, expected={"inputs": []}),
    ]


@pytest.mark.parametrize("name", ["plans.jsonl", "plans.jsonl.gz"])
def test_round_trip(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_recording(path, recorded())
    first = path.read_bytes()
    assert read_recording(path) == recorded()
    assert isinstance(read_recording(path)[0].snapshot().root, OneRowRelation)
    write_recording(tmp_path / f"again-{name}", read_recording(path))
    assert (tmp_path / f"again-{name}").read_bytes() == first


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"format": "something else"}',
        b"\xff\xfe",
        b'{"format":"pyspark-lineage recording","version":1}\n{}',
    ],
)
def test_not_a_recording(tmp_path: Path, data: bytes) -> None:
    for name, content in (("x.jsonl", data), ("x.jsonl.gz", data), ("y.jsonl.gz", gzip.compress(data))):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DecodeError, match=name):
            read_recording(tmp_path / name)
