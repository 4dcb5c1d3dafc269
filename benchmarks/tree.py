# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Processor time of whole process trees (Linux): the user's Python, the JVM, the agent's process and all others.

Two ways. `run_tree` runs a program and waits for everything that it leaves behind: it makes this process the reaper of
orphans, so the agent's process, in a session of its own and outliving the program, is waited for and its time is exact.
`times_of` reads /proc between two points of a program that runs, split by what the processes are.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_TICK = os.sysconf("SC_CLK_TCK")
_AGENT = b"pyspark_lineage.agent.child"


@dataclass(frozen=True)
class Times:
    """Processor seconds (user and system) so far, by kind of process."""

    python: float
    jvm: float
    agent: float
    other: float

    @property
    def total(self) -> float:
        return self.python + self.jvm + self.agent + self.other

    def __sub__(self, before: Times) -> Times:
        return Times(
            self.python - before.python, self.jvm - before.jvm, self.agent - before.agent, self.other - before.other
        )


@dataclass(frozen=True)
class Process:
    """A process of a tree: its time includes that of its children that ended and were waited for."""

    pid: int
    kind: str
    seconds: float


@dataclass(frozen=True)
class Ended:
    """A program that ran, with all that it started: seconds until it ended, processor seconds until all had."""

    exit_code: int
    wall: float
    cpu: float
    log: str


def become_reaper() -> None:
    """Orphans of our descendants become our children, so that they can be waited for."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def run_tree(command: Sequence[str], *, env: Mapping[str, str], folder: Path, log: Path, timeout: float) -> Ended:
    """Run it and wait for every process it leaves; this process must have no other children.

    Whatever still runs after `timeout` is killed.
    """
    with log.open("wb") as out:
        started = time.perf_counter()
        program = subprocess.Popen(
            command, env=dict(env), cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
    watchdog = threading.Timer(timeout, _kill_all, [os.getpid()])
    watchdog.start()
    wall = cpu = 0.0
    exit_code = -1
    try:
        while True:
            try:
                pid, status, usage = os.wait4(-1, 0)
            except ChildProcessError:
                break
            cpu += usage.ru_utime + usage.ru_stime
            if pid == program.pid:
                wall = time.perf_counter() - started
                exit_code = program.returncode = os.waitstatus_to_exitcode(status)
    except BaseException:
        _kill_all(os.getpid())
        _wait_for_all()
        raise
    finally:
        watchdog.cancel()
    return Ended(exit_code, wall, cpu, log.read_text(encoding="utf-8", errors="replace"))


def times_of(root: int | None = None) -> Times:
    """Processor time so far of this process and its descendants."""
    sums = {"python": 0.0, "jvm": 0.0, "agent": 0.0, "other": 0.0}
    for process in processes(root):
        sums[process.kind] += process.seconds
    return Times(**sums)


def processes(root: int | None = None) -> list[Process]:
    """This process and its descendants, as far as they live."""
    root = os.getpid() if root is None else root
    children: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        fields = _stat(int(entry.name))
        if fields:
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            seconds[int(entry.name)] = sum(map(int, fields[11:15])) / _TICK
    found, todo = [], [root]
    while todo:
        pid = todo.pop()
        if pid in seconds:
            found.append(Process(pid, "python" if pid == root else _kind(pid), seconds[pid]))
        todo += children.get(pid, [])
    return found


def resident_mb(pid: int) -> float:
    """Resident memory of a process; 0 when it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def _stat(pid: int) -> list[str]:
    """Fields of /proc/<pid>/stat behind the name: state, ppid, … utime, stime, cutime, cstime at 11 to 14."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _kind(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return "other"
    if _AGENT in command:
        return "agent"
    return "jvm" if os.path.basename(command.partition(b"\0")[0]) == b"java" else "other"


def _wait_for_all() -> None:
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass  # nobody is left


def _kill_all(root: int) -> None:
    for process in processes(root):
        if process.pid != root:
            try:
                os.kill(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it ended by itself
