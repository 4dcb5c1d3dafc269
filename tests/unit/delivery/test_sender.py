# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import json
import logging
import socket
import threading

import pytest

from pyspark_lineage.delivery import sender as sender_module
from pyspark_lineage.delivery.sender import Sender
from pyspark_lineage.delivery.spool import Spool, adopt_leftovers
from pyspark_lineage.delivery.transports import build
from pyspark_lineage.errors import DeliveryError
from tests.unit.delivery.samples import simple

LONG = 60.0


class Collecting:
    """An emitter that keeps what it gets; `fail(n)` may raise before the n-th attempt."""

    batch_size = 4

    def __init__(self, fail=lambda n: None):
        self.bodies = []
        self.attempts = 0
        self.closed = False
        self.fail = fail
        self.condition = threading.Condition()

    def describe(self):
        return "a list"

    def emit(self, batch):
        self.attempts += 1
        self.fail(self.attempts)
        with self.condition:
            self.bodies += [event.body for event in batch]
            self.condition.notify_all()
        return len(batch)

    def has(self, count):
        with self.condition:
            return self.condition.wait_for(lambda: len(self.bodies) >= count, LONG)

    def close(self):
        self.closed = True


@pytest.fixture
def spool(tmp_path):
    made = Spool(tmp_path / "spool")
    yield made
    made.close()


@pytest.fixture
def started(spool):
    """Starts senders with short delays, and ends them."""
    made = []

    def start(emitter, **options):
        made.append(Sender(spool, emitter, **({"first_delay": 0.01, "max_delay": 0.05} | options)))
        made[-1].start()
        return made[-1]

    yield start
    for sender in made:
        sender.stop(10)


def events(first, last):
    return [simple(n, kind) for n in range(first, last) for kind in ("START", "COMPLETE")]


def bodies(of):
    return [event.body for event in of]


def test_everything_arrives_in_order(spool, started, endpoint, config):
    spool.append(events(0, 5))
    sender = started(build({"type": "http", "url": endpoint.url}, config=config))
    for n in range(5, 40):
        spool.append(events(n, n + 1))
    assert sender.drain(LONG)
    assert endpoint.accepted == bodies(events(0, 40))
    stats = sender.stats()
    assert (stats.delivered, stats.pending, stats.failed_attempts, stats.last_error, stats.lost) == (80, 0, 0, None, {})
    assert stats.target == f"{endpoint.url}/api/v1/lineage"
    assert sender.stop(10)


def test_a_failing_endpoint_is_tried_again_until_it_works(spool, started, endpoint, config, caplog):
    endpoint.answer = lambda n: 500 if n % 7 in (0, 1, 2) else 200
    sender = started(build({"type": "http", "url": endpoint.url}, config=config))
    spool.append(events(0, 20))
    assert sender.drain(LONG)
    assert endpoint.accepted == bodies(events(0, 20))
    stats = sender.stats()
    assert stats.failed_attempts >= 3
    assert stats.last_error == f"{endpoint.url}/api/v1/lineage: HTTP 500"
    assert stats.lost == {}
    assert [record.levelname for record in caplog.records if record.name == sender_module.__name__] == ["WARNING"]


def test_what_is_refused_for_good_is_counted_and_passed_over(spool, started, endpoint, config, caplog):
    endpoint.answer = lambda n: 400 if json.loads(endpoint.raw[n])["n"] in (2, 3) else 200
    sender = started(build({"type": "http", "url": endpoint.url}, config=config))
    spool.append(events(0, 6))
    assert sender.drain(LONG)
    assert endpoint.accepted == bodies([*events(0, 2), *events(4, 6)])
    stats = sender.stats()
    assert (stats.delivered, stats.lost) == (8, {"rejected": 4})
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == [
        f"A lineage event was refused and is given up: {endpoint.url}/api/v1/lineage: HTTP 400"
    ]


def test_an_endpoint_that_never_answers_blocks_nobody_else(spool, started, endpoint, config, tmp_path):
    endpoint.answer = lambda _: None
    emitter = build({"type": "http", "url": endpoint.url, "timeoutInMillis": 3_600_000}, config=config)
    sender = started(emitter)
    spool.append(events(0, 1))
    assert endpoint.arrived.wait(LONG)
    # The sender's thread is inside the request now, and stays there.
    spool.append(events(1, 500))
    assert spool.stats().pending == 1000
    assert not sender.drain(0.05)
    assert sender.stats().pending == 1000
    assert not sender.stop(0.05)
    spool.close()
    # What was not sent is there for the next process.
    (left,) = adopt_leftovers(tmp_path / "spool")
    assert bodies(event for _, event in left.pending(2000)) == bodies(events(0, 500))
    endpoint.released.set()
    assert sender.stop(LONG)
    left.close()


def test_a_hanging_endpoint_that_comes_back_gets_everything(spool, started, endpoint, config):
    endpoint.answer = lambda n: None if n < 2 else 200
    sender = started(build({"type": "http", "url": endpoint.url, "timeoutInMillis": 100}, config=config))
    spool.append(events(0, 3))
    assert sender.drain(LONG)
    assert endpoint.accepted == bodies(events(0, 3))


def test_a_refused_connection_keeps_everything(spool, started, config):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    sender = started(build({"type": "http", "url": f"http://127.0.0.1:{port}"}, config=config))
    spool.append(events(0, 3))
    assert not sender.drain(1.0)
    stats = sender.stats()
    assert (stats.pending, stats.lost) == (6, {})
    assert stats.failed_attempts >= 1
    assert "Connection refused" in stats.last_error
    assert sender.stop(10)


def test_leftovers_go_first_oldest_first(spool, started, tmp_path):
    for n in (1, 2):
        old = Spool(tmp_path / "old")
        old.append(events(n, n + 1))
        path = old.path
        old.close()
        path.rename(path.with_name(f"2026010{n}T000000Z-1-{n:012x}.db"))
    spool.append(events(3, 4))
    emitter = Collecting()
    sender = started(emitter, leftovers=adopt_leftovers(tmp_path / "old"))
    assert emitter.has(6)
    assert sender.drain(LONG)
    assert emitter.bodies == bodies(events(1, 4))
    assert sender.stats().leftover == 0
    assert sender.stats().delivered == 6
    assert list((tmp_path / "old").iterdir()) == []


def test_leftovers_that_are_not_sent_are_left_again(spool, started, tmp_path):
    old = Spool(tmp_path / "old")
    old.append(events(1, 2))
    old.close()
    (left,) = adopt_leftovers(tmp_path / "old")

    def down(_):
        raise DeliveryError("down")

    sender = started(Collecting(down), leftovers=[left])
    spool.append(events(2, 3))
    assert not sender.drain(0.1)
    assert (sender.stats().leftover, sender.stats().pending) == (2, 2)
    assert sender.stop(LONG)
    (again,) = adopt_leftovers(tmp_path / "old")
    assert again.stats().pending == 2
    again.close()


def test_the_delay_grows_with_jitter_and_appending_does_not_shorten_it(spool):
    def down(_):
        raise DeliveryError("down")

    now = [100.0]
    sender = Sender(spool, Collecting(down), first_delay=1.0, max_delay=10.0, clock=lambda: now[0], jitter=lambda: 1.0)
    spool.append(events(0, 1))
    delays = []
    for _ in range(6):
        sender._send_some()
        delays.append(sender._not_before - now[0])
    assert delays == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    sender.wake()
    assert sender._not_before - now[0] == 10.0
    sender._jitter = lambda: 0.0
    sender._send_some()
    assert sender._not_before - now[0] == 5.0


def test_an_unexpected_error_is_contained_and_tried_again(spool, started, monkeypatch):
    monkeypatch.setenv("PYSPARK_LINEAGE_RAISE", "0")

    def odd(attempt):
        if attempt <= 2:
            raise LookupError("a transport's own")

    emitter = Collecting(odd)
    sender = started(emitter)
    spool.append(events(0, 3))
    assert sender.drain(LONG)
    assert emitter.bodies == bodies(events(0, 3))
    assert sender.stats().failed_attempts == 2
    assert sender.stop(LONG)
    assert emitter.closed


def test_it_sleeps_when_there_is_nothing_to_do(spool, started):
    emitter = Collecting()
    sender = started(emitter)
    spool.append(events(0, 1))
    assert sender.drain(LONG)
    looks = []
    original = sender._next
    sender._next = lambda: looks.append(1) or original()
    idle = threading.Event()
    idle.wait(0.3)
    assert len(looks) <= 1
    spool.append(events(1, 2))
    assert sender.drain(LONG)
    assert emitter.bodies == bodies(events(0, 2))


def test_stopping_twice_and_before_starting(spool):
    sender = Sender(spool, Collecting())
    spool.append(events(0, 1))
    assert not sender.drain(0.01)
    assert sender.stop(1)
    assert sender.stop(1)
