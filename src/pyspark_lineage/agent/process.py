# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Where the agent runs: a process of its own, or a thread where no process can be started."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from pyspark_lineage.agent.protocol import Channel, Closed, Hello, pipe_pair
from pyspark_lineage.errors import AttachError

if TYPE_CHECKING:
    from collections.abc import Callable

# Runs from any import path, a zip included; the first line on stdin says where everything is. What lies in the working
# directory must not be imported before that: `-c` puts it first.
_BOOTSTRAP = (
    "import sys;sys.path[:]=[p for p in sys.path if p];"
    "import json;h=json.loads(sys.stdin.buffer.raw.readline());sys.path[:]=h['sys_path'];"
    "from pyspark_lineage.agent.child import main;main(h)"
)
CHILD_MARK = "PYSPARK_LINEAGE_AGENT_PROCESS"

# What is meant for the user's own interpreter. sys.path comes with the hello.
_NOT_FOR_THE_CHILD = ("PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONPATH", "PYTHONWARNINGS")


class Host(ABC):
    """Something that runs the agent and holds a channel to it."""

    kind: str
    channel: Channel

    @abstractmethod
    def is_alive(self) -> bool: ...

    @abstractmethod
    def forget(self) -> None:
        """In a forked child of the user's process: close what was inherited, touch nothing else."""

    def let_go(self, timeout: float = 0.0) -> None:
        """The agent ends on its own; close our side of the conversation, and see it gone within the time."""
        self.channel.close()


class ProcessHost(Host):
    """The agent in a process of its own, in a session of its own so that Ctrl-C does not reach it."""

    kind = "process"

    def __init__(self, hello: Hello) -> None:
        executable = _python()
        env = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_THE_CHILD}
        env[CHILD_MARK] = "1"
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()
        self.channel = Channel(up_read, down_write)
        try:
            self._process = subprocess.Popen(
                [executable, "-W", "ignore", "-c", _BOOTSTRAP],
                stdin=down_read,
                stdout=up_write,
                env=env,
                start_new_session=True,
            )
        except OSError as error:
            self.channel.close()
            raise AttachError(f"no process can be started here: {error}") from error
        finally:
            os.close(down_read)
            os.close(up_write)
        try:
            taken = self.channel.send_line(hello.to_json(), timeout=5.0)
        except Closed:
            taken = False
        if not taken:
            self._process.kill()
            self.let_go(1.0)
            raise AttachError("the agent's process did not take its configuration")

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def forget(self) -> None:
        self.channel.close()
        self._process.returncode = 0  # not this process's child: nothing to wait for or to warn of

    def let_go(self, timeout: float = 0.0) -> None:
        super().let_go()
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            # It may go on sending for a while after we are gone: no ResourceWarning for that.
            self._process.returncode = 0


class ThreadHost(Host):
    """The same worker in a daemon thread of the user's process, sharing its interpreter lock."""

    kind = "thread"

    def __init__(self, hello: Hello, work: Callable[[Hello, Channel], None]) -> None:
        self.channel, theirs = pipe_pair()
        self._thread = threading.Thread(target=work, args=(hello, theirs), name="pyspark-lineage", daemon=True)
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def forget(self) -> None:
        self.channel.close()

    def let_go(self, timeout: float = 0.0) -> None:
        super().let_go()
        if timeout:
            self._thread.join(timeout)


def _python() -> str:
    """The interpreter's program. Any other would run the user's program a second time, or who knows what."""
    program = sys.executable
    if not program:
        raise AttachError("this Python does not know its own executable (it is embedded)")
    if getattr(sys, "frozen", False) or not _is_interpreter(program):
        name = os.path.basename(program)
        raise AttachError(f"this Python is part of {name}, which is no interpreter that could run as a second process")
    return program


def _is_interpreter(program: str) -> bool:
    if "py" in os.path.basename(program).lower():
        return True
    named = (os.path.join(sys.prefix, "bin", name) for name in ("python3", "python"))
    return any(os.path.exists(each) and os.path.samefile(each, program) for each in named)
