# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import json
import resource
import stat
import subprocess
import sys
import textwrap

import pytest

from pyspark_lineage.delivery.defaultfile import DefaultFile
from pyspark_lineage.errors import DeliveryError
from tests.unit.delivery.samples import simple

# What is written here are lines, not events.
pytestmark = pytest.mark.unchecked_events("the lines are no events")


def test_a_line_an_event(tmp_path):
    emitter = DefaultFile(tmp_path / "home", max_bytes=10_000, backups=1)
    assert emitter.emit([simple(1), simple(2)]) == 2
    assert emitter.emit([simple(3)]) == 1
    assert emitter.path.read_text().splitlines() == [simple(n).body for n in (1, 2, 3)]
    assert stat.S_IMODE(emitter.path.stat().st_mode) == 0o600
    assert emitter.describe() == str(tmp_path / "home" / "events.ndjson")
    emitter.close()


@pytest.mark.parametrize("backups", [0, 1, 3])
def test_rotation_bounds_the_size_and_keeps_the_newest(tmp_path, backups):
    line = len(simple(10).body) + 1
    emitter = DefaultFile(tmp_path, max_bytes=line * 2, backups=backups)
    for n in range(10, 25):
        emitter.emit([simple(n)])
    names = ["events.ndjson", *(f"events.ndjson.{n}" for n in range(1, backups + 1))]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, "events.ndjson.lock"])
    kept = [line for name in reversed(names) for line in (tmp_path / name).read_text().splitlines()]
    assert kept == [simple(n).body for n in range(25 - len(kept), 25)]
    assert len(kept) == 1 + 2 * backups
    assert all((tmp_path / name).stat().st_size <= line * 2 for name in names)


def test_a_batch_larger_than_the_bound_is_written_whole(tmp_path):
    emitter = DefaultFile(tmp_path, max_bytes=10, backups=1)
    emitter.emit([simple(1), simple(2)])
    emitter.emit([simple(3)])
    assert (tmp_path / "events.ndjson.1").read_text().splitlines() == [simple(1).body, simple(2).body]
    assert (tmp_path / "events.ndjson").read_text().splitlines() == [simple(3).body]


def test_half_a_line_of_a_killed_process_stays_alone(tmp_path):
    (tmp_path / "events.ndjson").write_text('{"torn":')
    DefaultFile(tmp_path, max_bytes=1000, backups=1).emit([simple(1)])
    assert (tmp_path / "events.ndjson").read_text() == f'{{"torn":\n{simple(1).body}\n'


def test_what_cannot_be_written_is_said_and_leaves_no_half_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DeliveryError, match="cannot be written"):
        DefaultFile(tmp_path / "file", max_bytes=1000, backups=1).emit([simple(1)])

    emitter = DefaultFile(tmp_path, max_bytes=1_000_000, backups=1)
    emitter.emit([simple(1)])
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
    try:
        with pytest.raises(DeliveryError):
            emitter.emit([simple(2, size=5000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    emitter.emit([simple(3)])
    assert emitter.path.read_text().splitlines() == [simple(1).body, simple(3).body]


WRITER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from pyspark_lineage.delivery.defaultfile import DefaultFile
    from pyspark_lineage.delivery.spool import SpooledEvent

    emitter = DefaultFile(Path(sys.argv[1]), max_bytes=60_000, backups=100)
    for n in range(200):
        emitter.emit([SpooledEvent("r", "START", '{"who": %s, "n": %d, "pad": "%s"}' % (sys.argv[2], n, "x" * 3000))])
    """
)


def test_several_processes_share_it_without_a_lost_or_mixed_line(tmp_path):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(who)]) for who in range(3)]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    files = sorted(tmp_path.glob("events.ndjson*"))
    lines = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    assert sorted((line["who"], line["n"]) for line in lines) == [(who, n) for who in range(3) for n in range(200)]
    assert all(path.stat().st_size <= 60_000 for path in files)
