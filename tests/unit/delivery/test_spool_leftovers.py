# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
import textwrap

from pyspark_lineage.delivery.spool import Spool, adopt_leftovers
from tests.unit.delivery.samples import simple

WRITER = textwrap.dedent(
    """
    import sys
    from pyspark_lineage.delivery.spool import Spool, SpooledEvent

    spool = Spool(sys.argv[1])
    for number in range(1, 1_000_000):
        spool.append([SpooledEvent("r", "START", f"{number:06d}" + "x" * 6000)])
        print(number, flush=True)
        if number == int(sys.argv[2]):
            sys.stdin.read()
    """
)
ADOPTER = textwrap.dedent(
    """
    import sys
    from pyspark_lineage.delivery.spool import adopt_leftovers

    sys.stdin.readline()
    taken = adopt_leftovers(sys.argv[1])
    for spool in taken:
        print(spool.path.name, flush=True)
    print("that is all", flush=True)
    sys.stdin.read()
    """
)


def start(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def kill(process: subprocess.Popen[str]) -> str:
    os.kill(process.pid, signal.SIGKILL)
    assert process.stdin is not None
    assert process.stdout is not None
    said = process.stdout.read()  # not communicate(): it does not see what readline() has read ahead
    process.stdin.close()
    process.stdout.close()
    process.wait(30)
    return said


def bodies(spool: Spool) -> list[str]:
    return [event.body for _, event in spool.pending(100_000)]


def test_the_living_keep_theirs_and_the_killed_lose_nothing(tmp_path):
    writer = start(WRITER, str(tmp_path), "20")
    for _ in range(20):
        assert writer.stdout.readline()
    assert adopt_leftovers(tmp_path) == []
    kill(writer)
    (spool,) = adopt_leftovers(tmp_path)
    assert [body[:6] for body in bodies(spool)] == [f"{n:06d}" for n in range(1, 21)]
    assert adopt_leftovers(tmp_path) == []
    spool.done([id_ for id_, _ in spool.pending(100)])
    spool.close()
    assert list(tmp_path.iterdir()) == []


def test_killed_while_it_writes(tmp_path):
    writer = start(WRITER, str(tmp_path), "0")
    for _ in range(300):
        last = int(writer.stdout.readline())
    last = max([last, *(int(line) for line in kill(writer).split("\n") if len(line) and line.isdecimal())])
    (spool,) = adopt_leftovers(tmp_path)
    found = [int(body[:6]) for body in bodies(spool)]
    # Everything that was acknowledged, at most one more.
    assert found == list(range(1, len(found) + 1))
    assert len(found) in (last, last + 1)
    spool.close()


def test_exactly_one_of_several_processes_adopts(tmp_path):
    for n in range(20):
        spool = Spool(tmp_path)
        spool.append([simple(n)])
        spool.close()
    adopters = [start(ADOPTER, str(tmp_path)) for _ in range(4)]
    for adopter in adopters:
        adopter.stdin.write("go\n")
        adopter.stdin.flush()
    # Nobody lets go before everybody has tried: an adopter lives until its stdin ends.
    taken = [name for adopter in adopters for name in iter(adopter.stdout.readline, "that is all\n")]
    for adopter in adopters:
        adopter.communicate(timeout=60)
    assert len(taken) == 20
    assert len(set(taken)) == 20


def test_adopted_again_until_it_is_empty_oldest_first(tmp_path):
    for n in (1, 2, 3):
        spool = Spool(tmp_path)
        spool.append([simple(n), simple(n, "COMPLETE")])
        path = spool.path
        spool.close()
        path.rename(path.with_name(f"2026010{n}T000000Z-1-{n:012x}.db"))
    spools = adopt_leftovers(tmp_path)
    assert [bodies(spool)[0] for spool in spools] == [simple(n).body for n in (1, 2, 3)]
    for spool in spools:
        spool.done([spool.pending(1)[0][0]])
        spool.append([simple(9)])
        spool.close()
    spools = adopt_leftovers(tmp_path)
    assert [bodies(spool) for spool in spools] == [[simple(n).body, simple(9).body] for n in (1, 2, 3)]
    for spool in spools:
        spool.close()


def test_leftovers_are_bounded_in_age_and_bytes_the_newest_stay(tmp_path):
    for n in (1, 2, 3):
        spool = Spool(tmp_path, clock=lambda n=n: 100.0 * n)
        spool.append([simple(n), simple(n)])
        path = spool.path
        spool.close()
        path.rename(path.with_name(f"2026010{n}T000000Z-1-{n:012x}.db"))
    spools = adopt_leftovers(tmp_path, max_age=150, max_bytes=3 * len(simple(1).body), clock=lambda: 300.0)
    assert [bodies(spool) for spool in spools] == [[], [simple(2).body], [simple(3).body] * 2]
    assert [spool.stats().dropped for spool in spools] == [{"too_old": 2}, {"spool_full": 1}, {}]
    for spool in spools:
        spool.close()
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_no_spool_is_set_aside_and_other_files_are_not_touched(tmp_path, caplog):
    broken = tmp_path / "20260101T000000Z-1-0123456789ab.db"
    broken.write_bytes(b"no database at all" * 100)
    empty = tmp_path / "20260101T000000Z-1-ffffffffffff.db"
    empty.write_bytes(b"")
    (tmp_path / "mine.db").write_bytes(b"no database at all" * 100)
    assert adopt_leftovers(tmp_path) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [broken.with_suffix(".unreadable").name, "mine.db"]
    assert len(caplog.records) == 1
    assert adopt_leftovers(tmp_path / "nowhere") == []
