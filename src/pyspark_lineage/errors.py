# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Every error of ours, and the one door where failures stop.

LineageError
├── ConfigError      a setting that cannot be used
├── AttachError      this Spark, gateway or process cannot be observed
├── BridgeError      the bridge did not compile, register or answer
├── DecodeError      a snapshot is not what the wire format says
└── DeliveryError    an event could not be written or sent
"""

from __future__ import annotations

import logging
import os
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from types import TracebackType

from pyspark_lineage.redaction import redact_text

_RAISE = "PYSPARK_LINEAGE_RAISE"
_LONGEST_MESSAGE = 500
_MOST_KINDS = 1000
_OTHER = "other"


class LineageError(Exception):
    """Root of every error that pyspark-lineage raises."""


class ConfigError(LineageError):
    """A setting cannot be used."""


class AttachError(LineageError):
    """This Spark, gateway or process cannot be observed."""


class BridgeError(LineageError):
    """The bridge did not compile, register or answer."""


class DecodeError(LineageError):
    """A snapshot is not what the wire format says."""


class DeliveryError(LineageError):
    """An event could not be written or sent."""


class Failures:
    """What was contained in this process, counted by place and kind (`"handlers.runner: KeyError"`)."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def record(self, where: str, error: BaseException, /) -> bool:
        """Count a failure; whether it is the first of its place and kind."""
        kind = f"{where}: {type(error).__name__}"
        with self._lock:
            if kind not in self._counts and len(self._counts) >= _MOST_KINDS:
                kind = _OTHER  # a place named after user data must not grow memory
            self._counts[kind] += 1
            return self._counts[kind] == 1

    def snapshot(self) -> dict[str, int]:
        """A copy of the counts."""
        with self._lock:
            return dict(self._counts)

    def clear(self) -> None:
        """Forget everything: what happened before is told again (for tests, and for a process that was forked)."""
        self._lock = threading.Lock()  # the old one may be held by a thread that the fork left behind
        self._counts = Counter()


FAILURES = Failures()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=FAILURES.clear)


def contain(
    where: str,
    /,
    *,
    logger: logging.Logger,
    on_failure: Callable[[BaseException], object] | None = None,
    exits: bool = False,
) -> Containment:
    """Stop every failure of the block: count it, say it once in one line, go on behind the block.

    `KeyboardInterrupt` passes, and `SystemExit` unless `exits`: where plug-ins are called, `sys.exit()` is a failure as
    any other. With PYSPARK_LINEAGE_RAISE=1 the failure passes too, once counted.
    """
    return Containment(where, logger, on_failure, (Exception, SystemExit) if exits else (Exception,))


class Containment:
    """What `contain` gives to the `with` statement; `failed` tells afterwards whether something was stopped."""

    __slots__ = ("_kinds", "_logger", "_on_failure", "_where", "failed")

    def __init__(
        self,
        where: str,
        logger: logging.Logger,
        on_failure: Callable[[BaseException], object] | None,
        kinds: tuple[type[BaseException], ...] = (Exception,),
    ) -> None:
        self._kinds = kinds
        self._where = where
        self._logger = logger
        self._on_failure = on_failure
        self.failed = False

    def __enter__(self) -> Containment:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool:
        if error is None or not isinstance(error, self._kinds):
            return False
        self.failed = True
        if os.environ.get(_RAISE) == "1":
            self._report(error)
            return False
        try:
            self._report(error)
        except Exception as second:
            # A logging filter of the user's, or our own `on_failure`: counted, for there is nowhere left to tell it.
            FAILURES.record(f"{self._where} (reporting)", second)
        return True

    def _report(self, error: BaseException) -> None:
        first = FAILURES.record(self._where, error)
        try:
            if first:
                self._logger.warning("%s failed: %s", self._where, _one_line(error))
            if self._logger.isEnabledFor(logging.DEBUG):
                lines = traceback.format_exception(type(error), error, error.__traceback__)
                self._logger.debug("%s failed:\n%s", self._where, redact_text("".join(lines)))
        finally:
            if self._on_failure is not None:
                self._on_failure(error)


def _one_line(error: BaseException) -> str:
    try:
        message = str(error)
    except Exception as second:
        # py4j asks the JVM for an error's text, and the JVM may be gone.
        message = f"(its text is not to be had: {type(second).__name__})"
    message = redact_text(" ".join(message[: 8 * _LONGEST_MESSAGE].split()))
    if len(message) > _LONGEST_MESSAGE:
        message = message[:_LONGEST_MESSAGE] + "…"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
