# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Without a configured transport: `events.ndjson` in the home folder, one event a line, bounded by rotation."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pyspark_lineage.delivery.spool import SpooledEvent
from pyspark_lineage.errors import DeliveryError

NAME = "events.ndjson"
LOCK_SECONDS = 10.0


class DefaultFile:
    """Appends whole batches; several processes may share the file."""

    batch_size = 200

    def __init__(self, home: Path, /, *, max_bytes: int, backups: int) -> None:
        self.path = home / NAME
        self._max_bytes = max_bytes
        self._backups = backups

    def describe(self) -> str:
        return str(self.path)

    def emit(self, batch: Sequence[SpooledEvent], /) -> int:
        data = "".join([f"{event.body}\n" for event in batch]).encode()
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._locked():
                self._rotate(len(data))
                self._append(data)
        except OSError as error:
            raise DeliveryError(f"{self.path} cannot be written: {error}") from error
        return len(batch)

    def close(self) -> None:
        """Nothing is held open between batches."""

    def _append(self, data: bytes) -> None:
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(handle).st_size
            # A process that was killed while it wrote may have left half a line.
            if size and os.pread(handle, 1, size - 1) != b"\n":
                data = b"\n" + data
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(handle, view) :]
            except OSError:
                os.ftruncate(handle, size)
                raise
        finally:
            os.close(handle)

    def _rotate(self, coming: int) -> None:
        try:
            size = self.path.stat().st_size
        except FileNotFoundError:
            return
        if size == 0 or size + coming <= self._max_bytes:
            return
        names = [self.path, *(Path(f"{self.path}.{number}") for number in range(1, self._backups + 1))]
        if len(names) == 1:
            self.path.unlink()
        for older, newer in zip(names[:0:-1], names[-2::-1], strict=True):
            if newer.exists():
                newer.replace(older)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # A file of its own: the lock must outlive the renaming of what it protects.
        handle = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            give_up = time.monotonic() + LOCK_SECONDS
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > give_up:
                        raise
                    time.sleep(0.005)
            yield
        finally:
            os.close(handle)
