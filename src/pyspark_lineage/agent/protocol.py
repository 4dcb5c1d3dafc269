# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What the user's process and the agent say to each other: JSON, one message a line, over a pair of pipes.

The user's process says hello once, then asks (`flush`, `stats`, `detach`) and at its end tells how it ended (`exit`).
The agent only answers. A pipe that closes without `exit` means that the user's process was killed.
"""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Hello:
    """All that an agent needs to begin. It travels over a pipe: it holds the gateway's secret."""

    gateway: Mapping[str, Any] = field(repr=False)
    config: Mapping[str, Any] = field(repr=False)  # a transport's keys
    sys_path: tuple[str, ...] = ()
    plugins: str = ""  # base64 of a pickle, or nothing
    user_pid: int = 0

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, m: Mapping[str, Any]) -> Hello:
        return cls(m["gateway"], m["config"], tuple(m["sys_path"]), m["plugins"], m["user_pid"])


class Closed(Exception):
    """The other end is gone."""


class Channel:
    """Lines over two file descriptors, with a limit on how long either direction may take."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._buffer = b""
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)

    def send(self, message: Mapping[str, Any], timeout: float) -> bool:
        """False when the other end did not take it in time: nobody is blocked by a peer that hangs."""
        return self.send_line(json.dumps(message), timeout)

    def send_line(self, line: str, timeout: float) -> bool:
        data = memoryview(line.encode() + b"\n")
        deadline = time.monotonic() + timeout
        while data:
            try:
                data = data[os.write(self._write_fd, data) :]
            except BlockingIOError:
                if not _ready(self._write_fd, select.POLLOUT, deadline - time.monotonic()):
                    return False
            except OSError as error:
                raise Closed from error
        return True

    def receive(self, timeout: float) -> dict[str, Any] | None:
        """The next message, or None after `timeout`. Raises `Closed` when there will be none."""
        deadline = time.monotonic() + timeout
        while True:
            line = self._line(deadline)
            if line is None:
                return None
            try:
                message = json.loads(line)
            except ValueError:
                continue  # somebody's sitecustomize printed on our pipe before we had it to ourselves
            if isinstance(message, dict):
                return message

    def _line(self, deadline: float) -> bytes | None:
        while b"\n" not in self._buffer:
            if not _ready(self._read_fd, select.POLLIN, deadline - time.monotonic()):
                return None
            try:
                chunk = os.read(self._read_fd, 65536)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Closed from error
            if not chunk:
                raise Closed
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def close(self) -> None:
        fds, self._read_fd, self._write_fd = {self._read_fd, self._write_fd} - {-1}, -1, -1
        for fd in fds:  # once: the numbers may be somebody else's files a moment later
            os.close(fd)


def _ready(fd: int, what: int, seconds: float) -> bool:
    """Whether there is something to read or room to write (or an end to find out about), within the time."""
    if seconds < 0:
        return False
    # Not select(): it knows no descriptor above 1023, and drivers have many files open.
    waiting = select.poll()
    try:
        waiting.register(fd, what)
        return bool(waiting.poll(seconds * 1000))
    except (OSError, ValueError) as error:  # ValueError: -1, closed by another thread
        raise Closed from error


def pipe_pair() -> tuple[Channel, Channel]:
    """Two ends of one conversation within a process: the same code serves an agent that runs in a thread."""
    down_read, down_write = os.pipe()
    up_read, up_write = os.pipe()
    return Channel(up_read, down_write), Channel(down_read, up_write)
