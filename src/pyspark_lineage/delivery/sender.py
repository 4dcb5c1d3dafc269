# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The thread that takes events from the spool to their receiver, so that nobody else ever waits for one."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pyspark_lineage.delivery.spool import MAX_AGE_SECONDS, Spool, SpooledEvent
from pyspark_lineage.delivery.transports import Emitter, is_permanent, retry_after
from pyspark_lineage.errors import DeliveryError, contain
from pyspark_lineage.redaction import redact_text

logger = logging.getLogger(__name__)

PREFETCH = 200
FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 60.0
# While somebody waits for us to drain, a receiver that is back is to be noticed.
DRAIN_DELAY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class SenderStats:
    """`pending` is this process's own; `leftover` what dead processes left; `lost` is by reason, of both."""

    target: str
    delivered: int
    pending: int
    leftover: int
    failed_attempts: int
    last_error: str | None
    lost: Mapping[str, int]


class Sender:
    """Sends in order, tries again for as long as it takes, and gives up only what the receiver will never take."""

    def __init__(
        self,
        spool: Spool,
        emitter: Emitter,
        /,
        *,
        leftovers: Sequence[Spool] = (),
        first_delay: float = FIRST_DELAY_SECONDS,
        max_delay: float = MAX_DELAY_SECONDS,
        max_age: float = MAX_AGE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._spool = spool
        self._emitter = emitter
        self._leftovers = list(leftovers)
        self._finished: list[Spool] = []
        self._first_delay = first_delay
        self._max_delay = max_delay
        self._max_age = max_age
        self._clock = clock
        self._jitter = jitter
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None
        # Below: guarded by the condition.
        self._work = True
        self._stopping = False
        self._draining = 0
        self._failures = 0
        self._not_before = 0.0
        self._failed_attempts = 0
        self._last_error: str | None = None
        self._said: set[str] = set()

    @property
    def target(self) -> str:
        """Where the events go, for people."""
        return self._emitter.describe()

    def start(self) -> None:
        """Start the thread; once."""
        if self._thread is not None:
            return
        self._spool.on_append = self.wake
        self._thread = threading.Thread(target=self._run, name="pyspark-lineage-sender", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There is something to send."""
        with self._condition:
            self._work = True
            self._condition.notify_all()

    def drain(self, timeout: float, /) -> bool:
        """Wait until everything of this process is delivered or given up; False when time ran out first."""
        deadline = time.monotonic() + timeout
        with self._condition:
            self._draining += 1
            self._work = True
            self._not_before = min(self._not_before, self._clock())
            self._condition.notify_all()
            try:
                while self._spool.stats().pending and not self._stopping:
                    left = deadline - time.monotonic()
                    if left <= 0 or self._thread is None:
                        break
                    self._condition.wait(left)
            finally:
                self._draining -= 1
        return self._spool.stats().pending == 0

    def stop(self, timeout: float, /) -> bool:
        """End the thread; False when it is still held by its receiver (it is a daemon: it holds nobody)."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        self._spool.on_append = None
        if self._thread is not None:
            self._thread.join(timeout)
            if self._thread.is_alive():
                return False
        with contain("delivery.close", logger=logger):
            self._emitter.close()
        for spool in self._leftovers:
            spool.close()
        return True

    def stats(self) -> SenderStats:
        with self._condition:
            leftovers = list(self._leftovers)
            everyone = [self._spool.stats(), *(spool.stats() for spool in (*leftovers, *self._finished))]
            lost: Counter[str] = Counter()
            for stats in everyone:
                lost.update(stats.dropped)
            return SenderStats(
                target=self.target,
                delivered=sum(stats.delivered for stats in everyone),
                pending=everyone[0].pending,
                leftover=sum(spool.stats().pending for spool in leftovers),
                failed_attempts=self._failed_attempts,
                last_error=self._last_error,
                lost=dict(lost),
            )

    def _run(self) -> None:
        while self._wait_for_work():
            sent = None
            with contain("delivery.sender", logger=logger):
                sent = self._send_some()
            if sent is None:
                self._failed(f"{self.target}: an unexpected failure", 0.0)

    def _wait_for_work(self) -> bool:
        """Sleep until there is something to do now; False when the thread is to end."""
        with self._condition:
            while not self._stopping:
                if not self._work:
                    self._condition.wait()
                    continue
                delay = self._not_before - self._clock()
                if delay <= 0:
                    return True
                self._condition.wait(delay)
            return False

    def _send_some(self) -> bool:
        """Send what is next; answers whether anything moved."""
        with self._condition:
            self._work = False
        source, batch = self._next()
        if not batch:
            return True
        for start in range(0, len(batch), self._emitter.batch_size):
            if self._stopping or not self._send(source, batch[start : start + self._emitter.batch_size]):
                break
        with self._condition:
            self._work = True
            self._condition.notify_all()
        return True

    def _next(self) -> tuple[Spool, list[tuple[int, SpooledEvent]]]:
        """Oldest first: what dead processes left, then our own; our own at once while somebody waits for it."""
        if self._draining:
            batch = self._spool.pending(PREFETCH)
            if batch:
                return self._spool, batch
        while self._leftovers:
            batch = self._leftovers[0].pending(PREFETCH)
            if batch:
                return self._leftovers[0], batch
            with self._condition:
                spool = self._leftovers.pop(0)
                self._finished.append(spool)
            spool.close()
        return self._spool, self._spool.pending(PREFETCH)

    def _send(self, source: Spool, batch: Sequence[tuple[int, SpooledEvent]]) -> bool:
        """Send one batch; answers whether the next may follow."""
        ids = [id_ for id_, _ in batch]
        try:
            sent = self._emitter.emit([event for _, event in batch])
        except DeliveryError as error:
            reason = redact_text(str(error))
            if is_permanent(error):
                source.drop(ids[:1], "rejected")
                self._note(reason)
                self._say(f"rejected {reason}", "A lineage event was refused and is given up: %s", reason)
            else:
                source.expire(self._max_age)
                self._failed(reason, retry_after(error))
            return False
        source.done(ids[:sent])
        with self._condition:
            if self._failures:
                logger.info("Lineage events are delivered to %s again", self.target)
            self._failures = 0
            self._condition.notify_all()
        return sent == len(ids)

    def _failed(self, reason: str, asked_to_wait: float) -> None:
        self._note(reason)
        with self._condition:
            self._work = True
            delay = min(self._max_delay, self._first_delay * 2 ** min(self._failures, 30))
            delay = min(max(delay * (0.5 + self._jitter() / 2), asked_to_wait), self._max_delay)
            if self._draining:
                delay = min(delay, DRAIN_DELAY_SECONDS)
            self._failures += 1
            self._not_before = self._clock() + delay
        self._say(f"failed {reason}", "Lineage events are kept and sent later: %s", reason)

    def _note(self, reason: str) -> None:
        with self._condition:
            self._failed_attempts += 1
            self._last_error = reason

    def _say(self, kind: str, message: str, detail: object) -> None:
        """One line for each kind of failure in the life of the process, however long it lasts."""
        level = logging.DEBUG if kind in self._said else logging.WARNING
        if len(self._said) < 100:
            self._said.add(kind)
        logger.log(level, message, detail)
