# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator

import pytest

from pyspark_lineage import errors
from pyspark_lineage.errors import FAILURES, AttachError, BridgeError, ConfigError, DecodeError, DeliveryError, contain

logger = logging.getLogger("pyspark_lineage.tests")


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # pytest's own switch for the suite re-raises; what is tested here is the user's side.
    monkeypatch.delenv("PYSPARK_LINEAGE_RAISE", raising=False)
    FAILURES.clear()
    yield
    FAILURES.clear()


def test_the_tree_in_the_docstring_names_every_error() -> None:
    kinds = (ConfigError, AttachError, BridgeError, DecodeError, DeliveryError)
    ours = {kind for kind in errors.LineageError.__subclasses__() if kind.__module__ == errors.__name__}
    assert ours == set(kinds)
    assert errors.__doc__ is not None
    assert [kind.__name__ in errors.__doc__ for kind in kinds] == [True] * 5


def test_a_failure_stops_here_and_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger.name)
    for _ in range(3):
        with contain("the visitor", logger=logger) as containment:
            raise ValueError("no such column\n  in this table")
        assert containment.failed
    with contain("the visitor", logger=logger):
        raise KeyError("id")
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        ("WARNING", "the visitor failed: ValueError: no such column in this table"),
        ("WARNING", "the visitor failed: KeyError: 'id'"),
    ]
    assert FAILURES.snapshot() == {"the visitor: ValueError": 3, "the visitor: KeyError": 1}


def test_what_succeeds_leaves_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    with contain("the visitor", logger=logger) as containment:
        pass
    assert (containment.failed, FAILURES.snapshot(), caplog.records) == (False, {}, [])


def test_the_traceback_is_for_debug_and_every_time(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger.name)
    for _ in range(2):
        with contain("the visitor", logger=logger):
            raise ValueError("password=hunter2")
    assert [r.levelname for r in caplog.records] == ["WARNING", "DEBUG", "DEBUG"]
    assert caplog.records[1].getMessage().startswith("the visitor failed:\nTraceback (most recent call last):\n")
    assert "hunter2" not in caplog.records[0].getMessage()
    assert "ValueError: password=[redacted]" in caplog.records[1].getMessage()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("no route to https://me:hunter2@host/x", "sending failed: OSError: no route to https://me:[redacted]@host/x"),
        ("x" * 600, "sending failed: OSError: " + "x" * 500 + "…"),
        ("", "sending failed: OSError"),
    ],
)
def test_the_line_is_redacted_and_short(caplog: pytest.LogCaptureFixture, text: str, line: str) -> None:
    with contain("sending", logger=logger):
        raise OSError(text)
    assert [r.getMessage() for r in caplog.records] == [line]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_the_user_s_wish_to_end_passes(kind: type[BaseException]) -> None:
    with pytest.raises(kind), contain("the visitor", logger=logger):
        raise kind
    assert FAILURES.snapshot() == {}


def test_tests_see_the_failure(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("PYSPARK_LINEAGE_RAISE", "1")
    seen: list[Exception] = []
    with pytest.raises(ValueError, match="x") as raised, contain("a", logger=logger, on_failure=seen.append):
        raise ValueError("x")
    assert (seen, FAILURES.snapshot(), len(caplog.records)) == ([raised.value], {"a: ValueError": 1}, 1)


def test_on_failure_is_told_and_may_fail_too() -> None:
    def fail(error: Exception) -> None:
        raise RuntimeError(str(error))

    with contain("a", logger=logger, on_failure=fail):
        raise ValueError("x")
    assert FAILURES.snapshot() == {"a: ValueError": 1, "a (reporting): RuntimeError": 1}


def test_an_error_without_a_text_is_told(caplog: pytest.LogCaptureFixture) -> None:
    class Gone(Exception):
        def __str__(self) -> str:
            raise ConnectionError

    with contain("the bridge", logger=logger):
        raise Gone
    assert [r.getMessage() for r in caplog.records] == [
        "the bridge failed: Gone: (its text is not to be had: ConnectionError)"
    ]


def test_places_are_bounded(caplog: pytest.LogCaptureFixture) -> None:
    error = ValueError()
    first = [FAILURES.record(f"place {number}", error) for number in range(1500)]
    counts = FAILURES.snapshot()
    assert (len(counts), counts["other"], sum(first)) == (1001, 500, 1001)


def test_threads_lose_no_count() -> None:
    def work() -> None:
        for _ in range(500):
            with contain("a", logger=logger):
                raise ValueError

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert FAILURES.snapshot() == {"a: ValueError": 4000}


def test_the_error_is_let_go() -> None:
    with contain("a", logger=logger) as containment:
        raise ValueError
    assert not hasattr(containment, "__dict__")  # nothing of it holds the frames of the traceback


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_starts_afresh() -> None:
    FAILURES.record("a", ValueError())
    with FAILURES._lock:  # as another thread would hold it at the moment of the fork
        child = os.fork()
        if child == 0:
            os._exit(0 if FAILURES.snapshot() == {} else 1)
    assert os.waitpid(child, 0)[1] == 0
