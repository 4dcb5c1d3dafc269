# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The agent's own process: its pipes, its log, its manners; then the worker."""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from pyspark_lineage.agent.protocol import Channel, Hello
from pyspark_lineage.errors import contain

if TYPE_CHECKING:
    from collections.abc import Mapping

LOG_FORMAT = "%(asctime)s pyspark-lineage %(levelname)s: %(message)s"
_LONGEST_ALONE_S = 120.0  # whatever hangs here: this long after the user's process nothing of ours is left

logger = logging.getLogger(__name__)


def main(first_line: Mapping[str, Any]) -> None:
    """Entered from the bootstrap with the hello that came over stdin."""
    # Ours is the background work: the user's threads and Spark's tasks go first on a busy machine.
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    # Ctrl-C and a closing terminal are for the user's process, which tells us by the pipe.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    # What a plug-in prints must not end up in the conversation.
    replies = os.dup(1)
    os.dup2(2, 1)
    requests = os.dup(0)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    _log_to_stderr()
    with contain("agent.start", logger=logger):
        hello = Hello.from_json(first_line)
        threading.Thread(target=_alone, args=(hello.user_pid, null), name="pyspark-lineage-alone", daemon=True).start()
        from pyspark_lineage.agent.worker import work

        work(hello, Channel(requests, replies))
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    # Nothing here may hold the process: a plug-in's threads, a transport's pool.
    os._exit(0)


def _alone(user_pid: int, null: int) -> None:
    """When the user's process is gone: let go of its terminal or pipe, at whose end somebody waits; end in any case."""
    _wait_for_end_of(user_pid)
    for fd in (1, 2):
        os.dup2(null, fd)
    time.sleep(_LONGEST_ALONE_S)
    os._exit(1)


def _wait_for_end_of(pid: int) -> None:
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):  # an old kernel, a sandbox: then we look from time to time
            handle = os.pidfd_open(pid)
            ended = select.poll()
            ended.register(handle, select.POLLIN)
            if os.getppid() == pid:
                ended.poll()
            os.close(handle)
    while os.getppid() == pid:
        time.sleep(0.5)


def _log_to_stderr() -> None:
    """The process is ours alone, so its log may be set up here; what is said there is for people."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(LOG_FORMAT, datefmt="%H:%M:%S"))
    for name in ("pyspark_lineage", "openlineage"):
        log = logging.getLogger(name)
        log.addHandler(handler)
        log.propagate = False
    level = logging.getLevelName(os.environ.get("PYSPARK_LINEAGE_LOG_LEVEL", "INFO").upper())
    logging.getLogger("pyspark_lineage").setLevel(level if isinstance(level, int) else logging.INFO)
    logging.getLogger("openlineage").setLevel(logging.WARNING)
    # a JVM that ends is no error of ours to shout about
    logging.getLogger("py4j").setLevel(logging.CRITICAL)
