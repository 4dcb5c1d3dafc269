# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The agent's work for a plan, stage by stage: its own functions, called in the driver's Python, each timed."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.driver import Driver

STAGES = (
    *("snapshot in the JVM", "reply, in the JVM", "reply, in Python"),
    *("JSON", "decode", "handlers", "build events", "serialise"),
)


@dataclass(frozen=True)
class Worked:
    """Processor seconds by stage for what a query left to do, and the size of its largest plan."""

    seconds: dict[str, float]
    plan_nodes: int
    expressions: int


class Stages:
    """Bridge, client and lifecycle as the agent has them, without its process and without the spool."""

    def __init__(self, driver: Driver) -> None:
        from pyspark_lineage import config as configuration
        from pyspark_lineage.bridge import client
        from pyspark_lineage.bridge import driver as bridge_driver
        from pyspark_lineage.events import builder, lifecycle
        from pyspark_lineage.handlers import run
        from pyspark_lineage.handlers.internal import load_factories

        self._spent: dict[str, float] = defaultdict(float)
        self._sizes: list[tuple[int, int]] = []
        context = driver.spark.sparkContext
        config = configuration.resolve(environ={}).config
        self._bridge = bridge_driver.connect(context)
        bridge_driver.configure(self._bridge, config, [], [])
        bridge_driver.listen(self._bridge, context)
        self._wrap(client, "read_batch", "JSON")
        self._wrap(lifecycle, "decode", "decode", self._count)
        self._wrap(lifecycle, "event_text", "serialise")
        self._wrap(run.LineageRunner, "run", "handlers")
        self._wrap(builder.OpenLineageRunEventBuilder, "build", "build events")
        self._client = client.BridgeClient(bridge_driver.gateway_address(context))
        self._lifecycle = lifecycle.Lifecycle(config, load_factories(config, ()))
        # All calls of a thread go over one connection, which one thread of the JVM serves: that one's time is taken.
        self._java: Any = self._client._gateway.jvm.java.lang
        self._thread = self._java.Thread.currentThread().getId()
        self._clock = self._java.management.ManagementFactory.getThreadMXBean()

    def work(self) -> Worked:
        """Everything that waits, as the capture thread would do it."""
        self._client.flush(60.0)
        self._spent.clear()
        self._sizes.clear()
        snapshots = self._client.stats()["snapshotNanos"]
        jvm = self._clock.getThreadCpuTime(self._thread)
        polled = 0.0
        waiting = True
        while waiting:
            started = time.thread_time()
            batch = self._client.poll(0.0, 0.0)
            polled += time.thread_time() - started
            for captured in batch.messages:
                self._lifecycle.on(captured)
            waiting = bool(batch.state["waiting"])
        jvm = (self._clock.getThreadCpuTime(self._thread) - jvm) / 1e9
        snapshot = (self._client.stats()["snapshotNanos"] - snapshots) / 1e9
        self._spent["snapshot in the JVM"] = min(jvm, snapshot)  # the bridge counts wall time
        self._spent["reply, in the JVM"] = max(0.0, jvm - snapshot)
        self._spent["reply, in Python"] = max(0.0, polled - self._spent["JSON"])
        plans, expressions = max(self._sizes, default=(0, 0))
        return Worked({stage: self._spent[stage] for stage in STAGES}, plans, expressions)

    def _wrap(self, owner: Any, name: str, stage: str, then: Callable[[Any], None] | None = None) -> None:
        original = getattr(owner, name)

        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.thread_time()
            result = original(*args, **kwargs)
            self._spent[stage] += time.thread_time() - started
            if then is not None:
                then(result)
            return result

        setattr(owner, name, timed)

    def _count(self, snapshot: Any) -> None:
        from pyspark_lineage.plan import Expression, LogicalPlan

        kinds = [isinstance(node, Expression) for node in snapshot.nodes if isinstance(node, (Expression, LogicalPlan))]
        self._sizes.append((len(kinds) - sum(kinds), sum(kinds)))
