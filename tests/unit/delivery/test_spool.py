# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import stat
import subprocess
import sys
import textwrap
import threading

from pyspark_lineage.delivery import disk as disk_module
from pyspark_lineage.delivery import spool as spool_module
from pyspark_lineage.delivery.spool import Spool, adopt_leftovers
from tests.unit.delivery.samples import simple


def bodies(spool: Spool) -> list[str]:
    return [event.body for _, event in spool.pending(1000)]


def test_events_come_back_in_order_and_whole(tmp_path):
    spool = Spool(tmp_path / "spool")
    events = [simple(n, kind) for n in range(5) for kind in ("START", "COMPLETE")]
    spool.append(events[:3])
    spool.append(events[3:])
    assert [event for _, event in spool.pending(100)] == events
    assert [event for _, event in spool.pending(4)] == events[:4]
    assert stat.S_IMODE((tmp_path / "spool").stat().st_mode) == 0o700
    assert stat.S_IMODE(spool.path.stat().st_mode) == 0o600

    ids = [id_ for id_, _ in spool.pending(4)]
    assert spool.done(ids[:3]) == 3
    assert spool.done(ids[:3]) == 0
    assert spool.drop(ids[3:], "rejected") == 1
    stats = spool.stats()
    assert (stats.stored, stats.delivered, stats.pending, stats.in_memory) == (10, 3, 6, 0)
    assert stats.dropped == {"rejected": 1}
    assert [event for _, event in spool.pending(100)] == events[4:]
    spool.close()


def test_an_empty_spool_leaves_nothing_behind(tmp_path):
    spool = Spool(tmp_path)
    spool.append([simple(1)])
    spool.done([id_ for id_, _ in spool.pending(9)])
    spool.close()
    assert list(tmp_path.iterdir()) == []
    spool.close()
    spool.append([simple(2)])
    assert spool.stats().dropped == {"closed": 1}


def test_the_oldest_go_when_the_bound_is_reached(tmp_path):
    size = len(simple(10).body)
    spool = Spool(tmp_path, max_bytes=size * 3)
    for n in range(10, 15):
        spool.append([simple(n)])
    assert bodies(spool) == [simple(n).body for n in (12, 13, 14)]
    spool.append([simple(n) for n in range(20, 25)])
    assert bodies(spool) == [simple(n).body for n in (22, 23, 24)]
    spool.append([simple(30, size=size * 4)])
    assert bodies(spool) == [simple(n).body for n in (22, 23, 24)]
    stats = spool.stats()
    assert stats.dropped == {"spool_full": 8}
    assert stats.stored == stats.pending + 8
    spool.close()


def test_what_waited_too_long_goes(tmp_path):
    now = [1000.0]
    spool = Spool(tmp_path, clock=lambda: now[0])
    spool.append([simple(1)])
    now[0] += 50
    spool.append([simple(2)])
    assert spool.expire(60) == 0
    now[0] += 20
    assert spool.expire(60) == 1
    assert bodies(spool) == [simple(2).body]
    assert spool.stats().dropped == {"too_old": 1}
    spool.close()


def test_no_folder_is_memory(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    spool = Spool(tmp_path / "file" / "spool", memory_bytes=len(simple(1).body) * 2)
    for n in range(1, 4):
        spool.append([simple(n)])
    assert spool.path is None
    assert bodies(spool) == [simple(2).body, simple(3).body]
    assert spool.stats().in_memory == 2
    spool.done([spool.pending(1)[0][0]])
    spool.close()
    assert spool.stats().dropped == {"spool_full": 1, "memory": 1}
    assert [record.message.split(":")[0] for record in caplog.records if "in memory" in record.message] == [
        "Lineage events are kept in memory until the spool can be written again"
    ]


def test_a_python_without_sqlite_is_memory(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark_lineage.delivery.disk", None)
    spool = Spool(tmp_path)
    spool.append([simple(1)])
    assert bodies(spool) == [simple(1).body]
    assert adopt_leftovers(tmp_path) == []
    spool.done([spool.pending(1)[0][0]])
    spool.close()


def test_a_deleted_file_is_made_again_with_everything_in_it(tmp_path, monkeypatch):
    monkeypatch.setattr(spool_module, "DISK_RETRY_SECONDS", 0.0)
    spool = Spool(tmp_path / "spool")
    spool.append([simple(1), simple(2)])
    first = spool.path
    shutil.rmtree(tmp_path / "spool")
    spool.append([simple(3)])
    assert spool.path != first
    assert spool.path.exists()
    assert bodies(spool) == [simple(n).body for n in (1, 2, 3)]
    assert spool.stats().in_memory == 0
    spool.close()
    (left,) = adopt_leftovers(tmp_path / "spool")
    assert bodies(left) == [simple(n).body for n in (1, 2, 3)]
    left.close()


def test_a_deleted_file_whose_folder_cannot_be_made_is_memory(tmp_path):
    spool = Spool(tmp_path / "spool")
    spool.append([simple(1)])
    shutil.rmtree(tmp_path / "spool")
    (tmp_path / "spool").write_text("in the way")
    spool.append([simple(2)])
    spool.append([simple(3)])
    assert bodies(spool) == [simple(n).body for n in (1, 2, 3)]
    assert spool.stats().in_memory == 2
    assert spool.done([id_ for id_, _ in spool.pending(2)]) == 2
    assert bodies(spool) == [simple(3).body]
    spool.done([spool.pending(1)[0][0]])
    spool.close()


FULL_DISK = textwrap.dedent(
    """
    import resource, sys
    from pyspark_lineage.delivery import spool as module
    from pyspark_lineage.delivery.spool import Spool, SpooledEvent

    module.DISK_RETRY_SECONDS = 0.0
    def bodies():
        return [event.body[:4] for _, event in spool.pending(1000)]
    def event(n):
        return SpooledEvent("r", "START", f"{n:04d}" + "x" * 6000)
    spool = Spool(sys.argv[1])
    spool.append([event(n) for n in range(20)])
    # From here on no file may grow beyond this: what a full disk answers, without needing one.
    resource.setrlimit(resource.RLIMIT_FSIZE, (160_000, resource.RLIM_INFINITY))
    for n in range(20, 60):
        spool.append([event(n)])
    assert bodies() == [f"{n:04d}" for n in range(60)], bodies()
    assert 0 < spool.stats().in_memory < 60, spool.stats()
    assert spool.done([id_ for id_, _ in spool.pending(30)]) == 30
    assert bodies() == [f"{n:04d}" for n in range(30, 60)], bodies()
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    spool.append([event(60)])
    assert bodies() == [f"{n:04d}" for n in range(30, 61)], bodies()
    stats = spool.stats()
    assert (stats.in_memory, stats.pending, stats.delivered, stats.stored) == (0, 31, 30, 61), stats
    assert spool.done([id_ for id_, _ in spool.pending(100)]) == 31
    spool.close()
    """
)


def test_a_full_disk_is_memory_until_there_is_room_again(tmp_path):
    subprocess.run([sys.executable, "-c", FULL_DISK, str(tmp_path)], check=True, timeout=60)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_read_any_more_is_counted(tmp_path, monkeypatch):
    spool = Spool(tmp_path)
    spool.append([simple(1), simple(2)])

    def fails(*_: object, **__: object) -> None:
        raise disk_module.DeliveryError("disk I/O error")

    monkeypatch.setattr(disk_module.SpoolFile, "rows", fails)
    assert spool.pending(10) == []
    monkeypatch.undo()
    assert spool.stats().dropped == {"spool_unreadable": 2}
    spool.append([simple(3)])
    assert bodies(spool) == [simple(3).body]
    spool.done([spool.pending(1)[0][0]])
    spool.close()


def test_two_threads(tmp_path):
    spool = Spool(tmp_path)
    seen: list[str] = []

    def consume() -> None:
        while len(seen) < 600:
            batch = spool.pending(7)
            spool.done([id_ for id_, _ in batch])
            seen.extend(event.body for _, event in batch)

    consumer = threading.Thread(target=consume)
    consumer.start()
    for n in range(200):
        spool.append([simple(n, kind) for kind in ("START", "RUNNING", "COMPLETE")])
    consumer.join(60)
    assert seen == [simple(n).body for n in range(200) for _ in range(3)]
    assert spool.stats().delivered == 600
    spool.close()


def test_a_forked_child_leaves_the_spool_alone(tmp_path):
    spool = Spool(tmp_path)
    spool.append([simple(1)])
    child = os.fork()
    if child == 0:
        try:
            spool.append([simple(2)])
            spool.close()
            os._exit(0 if spool.pending(10) == [] else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert adopt_leftovers(tmp_path) == []
    spool.append([simple(3)])
    assert bodies(spool) == [simple(1).body, simple(3).body]
    spool.close()
