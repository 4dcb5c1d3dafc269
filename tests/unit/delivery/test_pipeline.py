# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""From an event to its receiver, and what happens where there is no place on disk or no receiver."""

from __future__ import annotations

import json
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from pyspark_lineage.config import Config
from pyspark_lineage.delivery.pipeline import Delivery
from pyspark_lineage.errors import FAILURES
from tests.unit.delivery.samples import Endpoint, simple


def lines(path: Path) -> list[int]:
    return [json.loads(line)["n"] for line in path.read_text(encoding="utf-8").splitlines()]


def to_file(path: Path) -> dict[str, Any]:
    return {"type": "file", "location": str(path)}


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_LINEAGE_RAISE", "0")
    FAILURES.clear()


def test_in_order_and_once(tmp_path: Path) -> None:
    delivery = Delivery(Config(home=str(tmp_path / "home"), transport=to_file(tmp_path / "out.ndjson")))
    delivery.start()
    for number in range(100):
        delivery.append([simple(number)])
        if number % 7 == 0:
            delivery.commit()
    assert delivery.drain(10)
    delivery.close(timeout=1)
    assert lines(tmp_path / "out.ndjson") == list(range(100))
    stats = delivery.stats()
    assert (stats["delivered"], stats["pending"], stats["lost"]) == (100, 0, {})
    assert stats["target"] == str(tmp_path / "out.ndjson")


def test_two_threads_that_commit_at_once_double_nothing(tmp_path: Path) -> None:
    """The capture thread after each batch, the thread that answers `flush` whenever it is asked."""
    delivery = Delivery(Config(home=str(tmp_path / "home"), transport=to_file(tmp_path / "out.ndjson")))
    delivery.start()
    done = threading.Event()

    def flush() -> None:
        while not done.is_set():
            delivery.drain(0.0)

    flusher = threading.Thread(target=flush)
    flusher.start()
    for number in range(2000):
        delivery.append([simple(number)])
        delivery.commit()
    done.set()
    flusher.join()
    assert delivery.drain(20)
    delivery.close(timeout=1)
    assert lines(tmp_path / "out.ndjson") == list(range(2000))


def test_what_could_not_be_sent_is_sent_by_the_next_process_to_the_same_receiver(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    endpoint.answer = lambda _: 503
    there = {"type": "http", "url": endpoint.url}
    first = Delivery(Config(home=str(tmp_path), transport=there))
    first.start()
    first.append([simple(1), simple(2)])
    assert not first.drain(0.3)
    first.close(timeout=0)
    assert first.stats()["failed_attempts"] > 0
    assert first.stats()["last_error"].endswith("HTTP 503")
    elsewhere = Delivery(Config(home=str(tmp_path), transport=to_file(tmp_path / "other.ndjson")))
    assert elsewhere.stats()["leftover"] == 0
    elsewhere.close(timeout=0)
    endpoint.answer = lambda _: 201
    second = Delivery(Config(home=str(tmp_path), transport=there))
    second.start()
    second.append([simple(3)])
    assert second.drain(10)
    second.close(timeout=10)
    assert sorted(json.loads(body)["n"] for body in endpoint.accepted) == [1, 2, 3]


def test_a_home_that_cannot_be_made_is_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contained: None
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "a_file").write_text("x", encoding="utf-8")
    delivery = Delivery(Config(home=str(tmp_path / "a_file" / "home"), transport=to_file(tmp_path / "out.ndjson")))
    delivery.start()
    delivery.append([simple(1)])
    assert delivery.drain(10)
    delivery.close(timeout=1)
    assert lines(tmp_path / "out.ndjson") == [1]
    assert "delivery.home: NotADirectoryError" in FAILURES.snapshot()


def test_no_place_to_write_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contained: None) -> None:
    """Events then go through memory: nothing is lost while the receiver takes them."""
    (tmp_path / "a_file").write_text("x", encoding="utf-8")
    nowhere = tmp_path / "a_file" / "below"
    monkeypatch.setattr(tempfile, "tempdir", str(nowhere))
    delivery = Delivery(Config(home=str(nowhere / "home"), transport=to_file(tmp_path / "out.ndjson")))
    delivery.start()
    delivery.append([simple(1), simple(2)])
    assert delivery.drain(10)
    delivery.close(timeout=1)
    assert lines(tmp_path / "out.ndjson") == [1, 2]
    assert "delivery.spool: DeliveryError" in FAILURES.snapshot()


def test_no_place_for_the_default_file_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contained: None) -> None:
    (tmp_path / "a_file").write_text("x", encoding="utf-8")
    nowhere = tmp_path / "a_file" / "below"
    monkeypatch.setattr(tempfile, "tempdir", str(nowhere))
    delivery = Delivery(Config(home=str(nowhere / "home")))
    delivery.start()
    delivery.append([simple(1)])
    assert not delivery.drain(0.2)
    delivery.close(timeout=0)
    assert delivery.stats()["failed_attempts"] > 0
    assert delivery.stats()["lost"] == {"memory": 1}


def test_a_transport_that_cannot_be_made(tmp_path: Path, contained: None) -> None:
    delivery = Delivery(Config(home=str(tmp_path / "home"), transport={"type": "kafak"}))
    delivery.start()
    delivery.append([simple(1)])
    assert delivery.drain(10)
    delivery.close(timeout=1)
    assert lines(tmp_path / "home" / "events.ndjson") == [1]
    (tmp_path / "home" / "events.ndjson").unlink()  # these are no events: the fixture would say so
    assert "delivery.transport: ConfigError" in FAILURES.snapshot()
