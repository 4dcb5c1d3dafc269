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

from pyspark_lineage.agent.protocol import Channel, Hello, pipe_pair
from pyspark_lineage.errors import AttachError

if TYPE_CHECKING:
    from collections.abc import Callable

# Runs from any import path, a zip included; the first line on stdin says where everything is.
_BOOTSTRAP = (
    "import sys,json;h=json.loads(sys.stdin.buffer.raw.readline());sys.path[:]=h['sys_path'];"
    "from pyspark_lineage.agent.child import main;main(h)"
)
CHILD_MARK = "PYSPARK_LINEAGE_AGENT_PROCESS"


class Host(ABC):
    """Something that runs the agent and holds a channel to it."""

    kind: str
    channel: Channel

    @abstractmethod
    def is_alive(self) -> bool: ...

    @abstractmethod
    def forget(self) -> None:
        """In a forked child of the user's process: close what was inherited, touch nothing else."""

    def let_go(self) -> None:
        """The agent ends on its own; close our side of the conversation."""
        self.channel.close()


class ProcessHost(Host):
    """The agent in a process of its own, in a session of its own so that Ctrl-C does not reach it."""

    kind = "process"

    def __init__(self, hello: Hello) -> None:
        if not sys.executable:
            raise AttachError("this Python does not know its own executable (it is embedded)")
        env = {**os.environ, CHILD_MARK: "1"}
        for name in ("PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONPATH"):
            env.pop(name, None)  # sys.path comes with the hello; the first two are for the user's own interpreter
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOTSTRAP],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=env,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise AttachError(f"no process can be started here: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.channel = Channel(self._process.stdout.fileno(), self._process.stdin.fileno())
        if not self.channel.send_line(hello.to_json(), timeout=5.0):
            self._process.kill()
            raise AttachError("the agent's process did not take its configuration")

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def forget(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.returncode = 0  # not this process's child: nothing to wait for or to warn of

    def let_go(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        # It may go on sending for a while after we are gone: no ResourceWarning for that.
        self._process.returncode = self._process.returncode or 0


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
