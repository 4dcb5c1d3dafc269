# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The agent's own process: its pipes, its log, its manners; then the worker."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

from pyspark_lineage.agent.protocol import Channel, Hello

if TYPE_CHECKING:
    from collections.abc import Mapping

LOG_FORMAT = "%(asctime)s pyspark-lineage %(levelname)s: %(message)s"


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
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    _log_to_stderr()
    hello = Hello.from_json(first_line)
    from pyspark_lineage.agent.worker import work

    # Plans are large and have no cycles: with Python's own thresholds the collector doubles the cost of decoding them.
    gc.set_threshold(50_000, 20, 50)
    gc.freeze()
    work(hello, Channel(requests, replies))
    sys.stderr.flush()
    # Nothing here may hold the process: a plug-in's threads, a transport's pool.
    os._exit(0)


def _log_to_stderr() -> None:
    """The process is ours alone, so its log may be set up here; what is said there is for people."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter(LOG_FORMAT, datefmt="%H:%M:%S"))
    for name in ("pyspark_lineage", "openlineage"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.propagate = False
    logging.getLogger("pyspark_lineage").setLevel(os.environ.get("PYSPARK_LINEAGE_LOG_LEVEL", "INFO").upper())
    logging.getLogger("openlineage").setLevel(logging.WARNING)
