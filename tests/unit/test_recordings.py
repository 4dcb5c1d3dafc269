# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Plans that real Sparks made, replayed without one: decoded, shown, and their datasets as expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyspark_lineage.handlers.known import is_data_free
from pyspark_lineage.plan import Unknown, show
from pyspark_lineage.plan.record import read_recording, write_recording
from pyspark_lineage.plan.traversal import walk
from tests.recordings.expected import HERE, datasets, expected_of, read_expected, recording_of, recordings
from tests.recordings.programs import PROGRAMS

OLDEST, NEWEST = "3.5.9", "4.3.0"


def version_of(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in path.name.removeprefix("spark-").removesuffix(".json.gz").split("."))


each_recording = pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name)


def test_both_ends_are_recorded() -> None:
    assert {recording_of(OLDEST), recording_of(NEWEST)} <= set(recordings())
    assert {expected_of(path) for path in recordings()} == set(HERE.glob("*.expected.json"))


@each_recording
def test_every_program_is_in_it_as_it_is_written_today(path: Path) -> None:
    recorded = {one.label: one.program for one in read_recording(path)}
    assert recorded == {one.label: one.text for one in PROGRAMS if one.since <= version_of(path)[:2]}


@each_recording
def test_datasets_are_as_expected(path: Path) -> None:
    assert datasets(read_recording(path)) == read_expected(expected_of(path))


@each_recording
def test_every_plan_can_be_decoded_walked_and_shown(path: Path) -> None:
    for one in read_recording(path):
        snapshot = one.snapshot()
        assert snapshot.cut == ()
        assert {id(node) for node in walk(snapshot.root)} <= {id(node) for node in snapshot.nodes}
        text = show(snapshot.root)
        assert text
        assert len(text.splitlines()) <= 10 * len(snapshot.nodes)


@each_recording
def test_nothing_of_the_machine_that_made_it(path: Path) -> None:
    for one in read_recording(path):
        assert "/tmp" not in one.snapshot_json
        assert "/home" not in one.snapshot_json


@each_recording
def test_the_model_knows_what_queries_are_made_of(path: Path) -> None:
    """Nodes that are unknown are walked through and reported. Here are none but statements without data."""
    unknown = {
        node.simple_name for one in read_recording(path) for node in walk(one.snapshot().root) if type(node) is Unknown
    }
    assert {name for name in unknown if not is_data_free(name)} == set()


def test_the_same_recording_makes_the_same_bytes(tmp_path: Path) -> None:
    path = recording_of(NEWEST)
    write_recording(tmp_path / path.name, read_recording(path))
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()
