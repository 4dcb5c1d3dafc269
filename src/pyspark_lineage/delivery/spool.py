# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Events that were made and are not delivered yet: on disk before they are sent, in memory where there is no disk.

What is lost is counted by reason: `spool_full` (the bound was reached: the oldest go), `too_old`, `spool_unreadable`,
`rejected` (the receiver will never take it), `memory` (still in memory when the process ended), `closed` (too late).
"""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark_lineage.errors import FAILURES, DeliveryError

if TYPE_CHECKING:
    from pyspark_lineage.delivery.disk import Row, SpoolFile

logger = logging.getLogger(__name__)

MAX_BYTES = 256 * 1024 * 1024
MEMORY_BYTES = 32 * 1024 * 1024
MAX_AGE_SECONDS = 7 * 24 * 3600.0
# How long to leave a failing disk alone before trying it again.
DISK_RETRY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class SpooledEvent:
    """An event as it goes out: `body` is the final, redacted JSON text, one line."""

    run_id: str
    event_type: str
    body: str


@dataclass(frozen=True, slots=True)
class SpoolStats:
    """stored = delivered + pending + everything dropped."""

    stored: int
    delivered: int
    pending: int
    pending_bytes: int
    in_memory: int
    dropped: Mapping[str, int]


class Spool:
    """The queue between the thread that captures and the thread that sends; both may call everything."""

    def __init__(
        self,
        folder: str | os.PathLike[str],
        /,
        *,
        max_bytes: int = MAX_BYTES,
        memory_bytes: int = MEMORY_BYTES,
        clock: Callable[[], float] = time.time,
        _adopted: SpoolFile | None = None,
    ) -> None:
        self.on_append: Callable[[], None] | None = None
        self._folder = Path(folder)
        self._max_bytes = max_bytes
        self._memory_bytes = min(memory_bytes, max_bytes)
        self._clock = clock
        self._lock = threading.Lock()
        self._closed = False
        self._memory: dict[int, Row] = {}
        self._memory_size = 0
        # Rows that are delivered but could not be deleted from a full disk.
        self._undeleted: set[int] = set()
        self._dropped: Counter[str] = Counter()
        self._delivered = 0
        self._next_retry = 0.0
        self._disk = _adopted
        self._disk_count = self._disk_size = last = 0
        if _adopted is not None:
            self._disk_count, self._disk_size, last = _adopted.totals()
        else:
            self._replace_disk()
        self._stored = self._disk_count
        self._next_id = last + 1
        _SPOOLS.add(self)

    @property
    def path(self) -> Path | None:
        """The file, or None while events are kept in memory only."""
        return self._disk.path if self._disk is not None else None

    def append(self, events: Sequence[SpooledEvent], /) -> None:
        """Keep events, in one transaction; never raises."""
        if not events:
            return
        with self._lock:
            self._stored += len(events)
            if self._closed:
                self._dropped["closed"] += len(events)
                return
            now = self._clock()
            rows: list[Row] = []
            for event in events:
                rows.append((self._next_id, now, event.run_id, event.event_type, event.body))
                self._next_id += 1
            self._put(self._fitting(rows))
        if self.on_append is not None:
            self.on_append()

    def pending(self, limit: int, /) -> list[tuple[int, SpooledEvent]]:
        """The oldest events that are not delivered, in order."""
        with self._lock:
            rows: list[Row] = []
            if self._disk is not None and self._disk_count:
                try:
                    found = self._disk.rows(limit + len(self._undeleted))
                    rows = [row for row in found if row[0] not in self._undeleted][:limit]
                except DeliveryError as error:
                    self._lose_disk(error)
            if len(rows) < limit:
                rows += list(self._memory.values())[: limit - len(rows)]
            return [(row[0], SpooledEvent(row[2], row[3], row[4])) for row in rows]

    def done(self, ids: Sequence[int], /) -> int:
        """These were delivered; answers how many of them were still here."""
        with self._lock:
            removed = self._remove(ids)
            self._delivered += removed
            return removed

    def drop(self, ids: Sequence[int], reason: str, /) -> int:
        """These will never be delivered."""
        with self._lock:
            removed = self._remove(ids)
            if removed:
                self._dropped[reason] += removed
            return removed

    def expire(self, max_age: float = MAX_AGE_SECONDS, /) -> int:
        """Drop what has waited longer than `max_age` seconds."""
        with self._lock:
            oldest = self._clock() - max_age
            ids = [row[0] for row in self._memory.values() if row[1] < oldest]
            if self._disk is not None and self._disk_count:
                try:
                    ids += self._disk.older_than(oldest)
                except DeliveryError as error:
                    self._lose_disk(error)
            removed = self._remove(ids)
            if removed:
                self._dropped["too_old"] += removed
            return removed

    def shrink(self, max_bytes: int, /) -> None:
        """Drop the oldest events until at most `max_bytes` are pending."""
        with self._lock:
            self._make_room(self._disk_size + self._memory_size - max_bytes)

    def stats(self) -> SpoolStats:
        with self._lock:
            return SpoolStats(
                stored=self._stored,
                delivered=self._delivered,
                pending=self._disk_count + len(self._memory),
                pending_bytes=self._disk_size + self._memory_size,
                in_memory=len(self._memory),
                dropped=dict(self._dropped),
            )

    def close(self) -> None:
        """Let the file go: deleted when nothing is pending, else left for the next process."""
        with self._lock:
            if self._closed:
                return
            if self._memory:
                self._next_retry = 0.0
                self._retry_disk()
            self._closed = True
            if self._memory:
                logger.warning("%d lineage events were not delivered and are lost with the process", len(self._memory))
                self._dropped["memory"] += len(self._memory)
                self._memory.clear()
                self._memory_size = 0
            if self._disk is not None:
                try:
                    self._disk.close(delete=self._disk_count == 0)
                except DeliveryError as error:
                    logger.debug("closing the spool: %s", error)

    def _fitting(self, rows: list[Row]) -> list[Row]:
        fitting = [row for row in rows if len(row[4]) <= self._max_bytes]
        size = sum(len(row[4]) for row in fitting)
        while size > self._max_bytes:
            size -= len(fitting.pop(0)[4])
        if len(fitting) < len(rows):
            self._dropped["spool_full"] += len(rows) - len(fitting)
        self._make_room(self._disk_size + self._memory_size + size - self._max_bytes)
        return fitting

    def _make_room(self, size: int) -> None:
        if size <= 0:
            return
        if self._disk is not None and self._disk_count:
            before = self._disk_size
            try:
                self._dropped["spool_full"] += self._remove(self._disk.oldest(size))
            except DeliveryError as error:
                self._lose_disk(error)
            size -= before - self._disk_size
        ids = []
        for id_, row in self._memory.items():
            if size <= 0:
                break
            ids.append(id_)
            size -= len(row[4])
        if ids:
            self._dropped["spool_full"] += self._remove(ids)

    def _put(self, rows: list[Row]) -> None:
        if not rows:
            return
        if self._memory or self._disk is None or self._disk.is_gone():
            self._retry_disk()
        if self._disk is not None and not self._memory and not self._disk.is_gone():
            try:
                self._to_disk(self._disk, rows)
                return
            except DeliveryError as error:
                self._degraded(error)
        self._memory.update((row[0], row) for row in rows)
        self._memory_size += sum(len(row[4]) for row in rows)
        while self._memory_size > self._memory_bytes:
            row = self._memory.pop(next(iter(self._memory)))
            self._memory_size -= len(row[4])
            self._dropped["spool_full"] += 1

    def _to_disk(self, disk: SpoolFile, rows: Sequence[Row]) -> None:
        disk.insert(rows)
        self._disk_count += len(rows)
        self._disk_size += sum(len(row[4]) for row in rows)

    def _retry_disk(self) -> None:
        """The disk failed, or the file was deleted under us: go back to disk, oldest first, when it works again."""
        if time.monotonic() < self._next_retry:
            return
        self._next_retry = time.monotonic() + DISK_RETRY_SECONDS
        if self._disk is None or self._disk.is_gone():
            self._replace_disk()
        if self._disk is not None and not self._disk.is_gone() and self._memory:
            try:
                self._to_disk(self._disk, list(self._memory.values()))
            except DeliveryError as error:
                self._degraded(error)
            else:
                self._memory.clear()
                self._memory_size = 0

    def _replace_disk(self) -> None:
        """Make a file of our own; what a deleted one still holds is carried over."""
        old = self._disk
        try:
            from pyspark_lineage.delivery.disk import SpoolFile

            new = SpoolFile.create(self._folder)
        except (ImportError, DeliveryError) as error:
            self._degraded(error)
            return
        try:
            last = 0
            while old is not None and (rows := old.rows(200, after=last)):
                new.insert([row for row in rows if row[0] not in self._undeleted])
                last = rows[-1][0]
            if old is not None:
                old.close(delete=True)
        except DeliveryError as error:
            new.close(delete=True)
            self._degraded(error)
            return
        self._undeleted.clear()
        self._disk = new

    def _degraded(self, error: Exception) -> None:
        self._next_retry = time.monotonic() + DISK_RETRY_SECONDS
        FAILURES.record("delivery.spool", error)
        _say_once("Lineage events are kept in memory until the spool can be written again: %s", error)

    def _lose_disk(self, error: Exception) -> None:
        """What is in the file cannot be read any more."""
        FAILURES.record("delivery.spool", error)
        _say_once("Undelivered lineage events are lost: %s", error)
        self._dropped["spool_unreadable"] += self._disk_count
        disk, self._disk = self._disk, None
        self._disk_count = self._disk_size = 0
        self._undeleted.clear()
        if disk is not None:
            try:
                disk.close(delete=False)
            except DeliveryError:
                pass

    def _remove(self, ids: Sequence[int]) -> int:
        if self._closed:
            return 0
        on_disk, removed = [], 0
        for id_ in ids:
            row = self._memory.pop(id_, None)
            if row is not None:
                self._memory_size -= len(row[4])
                removed += 1
            elif id_ not in self._undeleted:
                on_disk.append(id_)
        if on_disk and self._disk is not None:
            removed += self._remove_from_disk(self._disk, on_disk)
        return removed

    def _remove_from_disk(self, disk: SpoolFile, ids: list[int]) -> int:
        try:
            if self._undeleted:
                disk.delete(sorted(self._undeleted))
                self._undeleted.clear()
            count, size = disk.delete(ids)
        except DeliveryError as error:
            # A full disk refuses even a deletion, which is written first and applied later.
            _say_once("Delivered lineage events cannot be taken out of the spool: %s", error)
            wanted = set(ids)
            try:
                rows = [row for row in disk.rows(self._disk_count + len(self._undeleted)) if row[0] in wanted]
            except DeliveryError as unreadable:
                self._lose_disk(unreadable)
                return 0
            self._undeleted.update(row[0] for row in rows)
            count, size = len(rows), sum(len(row[4]) for row in rows)
        self._disk_count -= count
        self._disk_size -= size
        return count

    def forked(self) -> None:
        """In a forked child: the spool stays the parent's, this copy forgets it."""
        self._lock = threading.Lock()
        self._closed = True
        self.on_append = None
        if self._disk is not None:
            self._disk.abandon()
            self._disk = None
        self._memory = {}


def adopt_leftovers(
    folder: str | os.PathLike[str],
    /,
    *,
    max_age: float = MAX_AGE_SECONDS,
    max_bytes: int = MAX_BYTES,
    clock: Callable[[], float] = time.time,
) -> list[Spool]:
    """Spools that dead processes left, oldest first; each is given to exactly one caller of all processes.

    Together they keep at most `max_bytes`, the newest; what is dropped is in their `stats()`.
    """
    try:
        from pyspark_lineage.delivery.disk import NAME, SpoolFile

        paths = sorted(path for path in Path(folder).iterdir() if NAME.fullmatch(path.name))
    except (ImportError, OSError) as error:
        logger.debug("no leftovers: %s", error)
        return []
    spools: list[Spool] = []
    for path in reversed(paths):
        try:
            file = SpoolFile.adopt(path)
            if file is None:
                continue
            spool = Spool(folder, max_bytes=max_bytes, clock=clock, _adopted=file)
        except DeliveryError as error:
            _say_once("A spool that another process left is set aside: %s", error)
            _set_aside(path)
            continue
        spool.expire(max_age)
        spool.shrink(max_bytes)
        stats = spool.stats()
        max_bytes -= stats.pending_bytes
        if stats.stored:
            spools.append(spool)
        else:
            spool.close()
    return spools[::-1]


def _set_aside(path: Path) -> None:
    try:
        path.rename(path.with_suffix(".unreadable"))
    except OSError:
        pass


_SAID: set[str] = set()
_SPOOLS: weakref.WeakSet[Spool] = weakref.WeakSet()


def _say_once(message: str, error: Exception) -> None:
    if message in _SAID:
        logger.debug(message, error)
    else:
        _SAID.add(message)
        logger.warning(message, error)


def _after_fork_in_child() -> None:
    for spool in list(_SPOOLS):
        spool.forked()


os.register_at_fork(after_in_child=_after_fork_in_child)
