# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""One spool file: an SQLite database that belongs to one process at a time.

The owner holds the database in SQLite's exclusive locking mode: the lock is a POSIX one, the kernel lets it go when the
process dies however it dies, and whoever gets it next is the only owner. No second file, no shared memory.
`journal_mode=WAL` with `synchronous=OFF` survives `kill -9` (what was written is the kernel's), not a power cut.

The only module that imports sqlite3; a Python built without it spools in memory.
"""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from pyspark_lineage.errors import DeliveryError

SCHEMA_VERSION = 1
NAME = re.compile(r"\d{8}T\d{6}Z-\d+-[0-9a-f]{12}\.db")

# id, stored at, run id, event type, body
Row = tuple[int, float, str, str, str]


class SpoolFile:
    """Rows in order, in a database nobody else can open."""

    def __init__(self, path: Path, connection: sqlite3.Connection, /) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def create(cls, folder: Path, /) -> SpoolFile:
        """Make and own a new file in `folder`."""
        for attempt in (1, 2, 3):
            stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
            path = folder / f"{stamp}-{os.getpid()}-{secrets.token_hex(6)}.db"
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
                return cls(path, _opened(path, new=True))
            except (OSError, sqlite3.Error) as error:
                _unlink(path)
                # An adopter that lists the folder may look into the file before we have locked it.
                if attempt == 3 or not _is_locked(error):
                    raise DeliveryError(f"no spool file can be made in {folder}: {error}") from error
        raise AssertionError("unreachable")

    @classmethod
    def adopt(cls, path: Path, /) -> SpoolFile | None:
        """Own a file that another process left; None when its owner lives or somebody else was faster."""
        try:
            return cls(path, _opened(path, new=False))
        except sqlite3.Error as error:
            if _is_locked(error) or not path.exists():
                return None
            raise DeliveryError(f"the spool file {path} cannot be read: {error}") from error

    def is_gone(self) -> bool:
        """Somebody deleted the file: it can still be read and written here, but would not outlive this process."""
        return not self.path.exists()

    def insert(self, rows: Sequence[Row], /) -> None:
        """Store all rows or none."""
        with self._translated(), self._transaction():
            self._connection.executemany(
                "INSERT INTO event (id, stored, run_id, event_type, size, body) VALUES (?, ?, ?, ?, ?, ?)",
                [(id_, stored, run_id, kind, len(body), body) for id_, stored, run_id, kind, body in rows],
            )

    def rows(self, limit: int, /, *, after: int = 0) -> list[Row]:
        """The oldest rows with an id above `after`."""
        with self._translated():
            return self._connection.execute(
                "SELECT id, stored, run_id, event_type, body FROM event WHERE id > ? ORDER BY id LIMIT ?",
                (after, limit),
            ).fetchall()

    def delete(self, ids: Sequence[int], /) -> tuple[int, int]:
        """Forget rows; answers how many there were, and their size."""
        count = size = 0
        with self._translated(), self._transaction():
            for start in range(0, len(ids), 500):  # SQLite before 3.32 takes at most 999 parameters
                chunk = ids[start : start + 500]
                where = f"WHERE id IN ({','.join('?' * len(chunk))})"
                found = self._connection.execute(f"SELECT count(*), total(size) FROM event {where}", chunk).fetchone()
                self._connection.execute(f"DELETE FROM event {where}", chunk)
                count, size = count + found[0], size + int(found[1])
        return count, size

    def oldest(self, size: int, /) -> list[int]:
        """The ids that must go for `size` characters to come free, oldest first."""
        ids = []
        with self._translated():
            for id_, row_size in self._connection.execute("SELECT id, size FROM event ORDER BY id"):
                if size <= 0:
                    break
                ids.append(id_)
                size -= row_size
        return ids

    def older_than(self, stored: float, /) -> list[int]:
        with self._translated():
            return [id_ for (id_,) in self._connection.execute("SELECT id FROM event WHERE stored < ?", (stored,))]

    def totals(self) -> tuple[int, int, int]:
        """How many rows, their size, the highest id."""
        with self._translated():
            count, size, last = self._connection.execute("SELECT count(*), total(size), max(id) FROM event").fetchone()
        return count, int(size), last or 0

    def close(self, *, delete: bool) -> None:
        # Deleted before the lock is let go: whoever opens it in between finds it empty or not at all.
        if delete:
            _unlink(self.path)
        with self._translated():
            self._connection.close()
        if delete:
            for suffix in ("-wal", "-shm", "-journal"):
                _unlink(Path(f"{self.path}{suffix}"))

    def abandon(self) -> None:
        """In a forked child: never touch the connection again; closing it would delete the parent's log."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._connection))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # SQLite rolls back by itself when the disk is full
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise DeliveryError(f"the spool file {self.path} failed: {error}") from error


def _opened(path: Path, *, new: bool) -> sqlite3.Connection:
    # mode=rw: a file that was deleted since it was listed must not be made again by opening it.
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw", uri=True, timeout=0, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        if new:
            connection.execute("PRAGMA page_size=8192")
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("BEGIN EXCLUSIVE")
        if new:
            connection.execute(
                "CREATE TABLE event (id INTEGER PRIMARY KEY, stored REAL NOT NULL, run_id TEXT NOT NULL,"
                " event_type TEXT NOT NULL, size INTEGER NOT NULL, body TEXT NOT NULL)"
            )
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        else:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, SCHEMA_VERSION):
                raise sqlite3.DatabaseError(f"its schema is {version}, this release knows {SCHEMA_VERSION}")
            if version == 0:  # its maker died before the table was there: nothing was ever in it
                connection.execute("ROLLBACK")
                connection.close()
                _unlink(path)
                raise sqlite3.DatabaseError("it was never written")
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_locked(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def _unlink(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass
