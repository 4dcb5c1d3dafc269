# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""For people: one readable line for each run, and once where the events are."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pyspark_lineage.redaction import redact_text

if TYPE_CHECKING:
    from pyspark_lineage.config import Config
    from pyspark_lineage.events.lifecycle import Made

logger = logging.getLogger(__name__)

_SHOWN = 5


class RunLog:
    """Speaks at INFO: on by itself only where no transport is configured, else when `log.runs` says so."""

    def __init__(self, config: Config, target: str) -> None:
        self._on = config.log_runs if config.log_runs is not None else not config.transport
        self._target = target
        self._said = False

    def tell(self, made: Made) -> None:
        if not self._on:
            return
        if not self._said:
            self._said = True
            logger.info("Lineage events are written to %s", self._target)
        if made.event_type != "START" and (made.inputs or made.outputs):
            line = f"{made.event_type} {made.job_name}: {_short(made.inputs)} -> {_short(made.outputs)}"
            logger.info("%s", redact_text(line))


def _short(names: tuple[str, ...]) -> str:
    if not names:
        return "(nothing)"
    more = f", and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
