# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Record the plans of what a program does on a running Spark.

    with record(spark, label="daily totals") as plans:
        spark.table("orders").groupBy("day").count().write.parquet("totals")
    write_recording("tests/recordings/totals.json.gz", plans)

A test then reads them with `read_recording` and needs no Spark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark_lineage.bridge import driver
from pyspark_lineage.bridge.messages import read_batch
from pyspark_lineage.config import Config
from pyspark_lineage.errors import BridgeError
from pyspark_lineage.plan.record import Recorded, read_recording, write_recording

__all__ = ["Recorded", "read_recording", "record", "write_recording"]

_FLUSH_MS = 30_000
_MOST_CHARS = 8 * 1024 * 1024


@contextmanager
def record(spark: Any, /, *, label: str = "plan", program: str = "") -> Iterator[list[Recorded]]:
    """The plans of the SQL executions that begin in the block; the list is filled when the block is over.

    One action may be several executions (a CTAS is two): all have the label. Works beside an attached agent.
    """
    context = driver.active_context(spark)
    if context is None:
        raise BridgeError("There is no Spark to record: record() needs a SparkSession of this process.")
    # A bridge of its own, which no agent polls.
    bridge = driver.connect(context).getClass().newInstance()
    driver.configure(bridge, Config(), (), ())
    driver.listen(bridge, context)
    plans: list[Recorded] = []
    try:
        yield plans
        if not bridge.flush(_FLUSH_MS):
            raise BridgeError(f"Spark's listener bus is more than {_FLUSH_MS // 1000} s behind: nothing was recorded.")
        plans.extend(Recorded(label, context.version, program, plan) for plan in _snapshots(bridge))
    finally:
        driver.release(bridge)


def _snapshots(bridge: Any) -> Iterator[str]:
    """What the bridge has caught, plan by plan, in the order in which the executions began."""
    waiting = True
    while waiting:
        batch = read_batch(bridge.poll(0, 0, _MOST_CHARS))
        waiting = bool(batch.state["waiting"])
        for why in batch.lost:
            raise BridgeError(f"A plan could not be recorded: {why}")
        for captured in batch.messages:
            if captured.plan_state.is_lost:
                raise BridgeError(f"A plan could not be recorded: {captured.plan_state}")
            if captured.plan is not None:
                yield json.dumps(captured.plan)
