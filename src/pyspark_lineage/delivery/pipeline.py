# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The whole way from a finished event to its receiver, as the agent uses it."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pyspark_lineage.delivery.home import home_folder
from pyspark_lineage.delivery.sender import Sender
from pyspark_lineage.delivery.spool import Spool, SpooledEvent
from pyspark_lineage.delivery.spool import adopt_leftovers as _adopt
from pyspark_lineage.delivery.transports import Emitter, build
from pyspark_lineage.errors import contain

if TYPE_CHECKING:
    from pyspark_lineage.config import Config

logger = logging.getLogger(__name__)

SPOOL_FOLDER = "spool"


class Delivery:
    """Spool and sender of one agent. Nothing here raises: what cannot be kept or sent is counted."""

    def __init__(self, config: Config, /, *, own_process: bool = True) -> None:
        folder = home_folder(config.home) / SPOOL_FOLDER / _destination(config)
        self._spool = Spool(folder)
        self._sender = Sender(self._spool, _emitter(config, own_process), leftovers=_adopt(folder))
        self._batch: list[SpooledEvent] = []
        self._committing = threading.Lock()

    @property
    def target(self) -> str:
        """Where events go, for people."""
        return self._sender.target

    def start(self) -> None:
        self._sender.start()

    def append(self, events: Iterable[SpooledEvent], /) -> None:
        """Take events; `commit` puts all that was taken on disk at once."""
        with self._committing:
            self._batch.extend(events)

    def commit(self) -> None:
        # The capture thread and a flush may come at once: each event is taken by one of them, in order.
        with self._committing:
            batch, self._batch = self._batch, []
            self._spool.append(batch)

    def drain(self, timeout: float, /) -> bool:
        """Wait until all is delivered; False when time ran out first."""
        self.commit()
        return self._sender.drain(timeout)

    def close(self, /, timeout: float) -> None:
        """Go on sending for at most `timeout`; what is left then stays on disk for the next process."""
        if timeout > 0:
            self.drain(timeout)
        self._sender.stop(1.0)
        self._spool.close()

    def stats(self) -> dict[str, Any]:
        return asdict(self._sender.stats())


def _destination(config: Config) -> str:
    """A folder for each receiver: what one process left for it is not sent to somebody else by the next."""
    return hashlib.sha256(json.dumps(config.transport, sort_keys=True, default=str).encode()).hexdigest()[:16]


def _emitter(config: Config, own_process: bool) -> Emitter:
    """A transport that cannot be made is told once; events then go to the file in the home folder."""
    with contain("delivery.transport", logger=logger):
        return build(config.transport, config=config, own_process=own_process)
    logger.warning("Events go to the local file instead.")
    return build(None, config=config, own_process=own_process)
