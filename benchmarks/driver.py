# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The user's program in every comparison: `python -m benchmarks.driver WORKLOAD`. It does not know of any agent."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from benchmarks.tree import processes, times_of

_MILLIS = 120_000


class Driver:
    """What a workload's program is given: a session, a folder, parameters, and a watch on its process tree."""

    def __init__(self, name: str, parameters: Mapping[str, Any], out: Path) -> None:
        self.parameters = parameters
        self.folder = out.parent
        self.found: dict[str, Any] = {"loops": {}, "results": {}}
        self._out = out
        self.spark = SparkSession.builder.appName(name).getOrCreate()

    def __getitem__(self, parameter: str) -> Any:
        return self.parameters[parameter]

    @contextmanager
    def loop(self, name: str = "loop") -> Iterator[None]:
        """Measure what runs inside: wall time as the program sees it; processor time of the tree until all that the
        agent still has to do for it is done."""
        self.settle()
        before, started = times_of(), time.perf_counter()
        yield
        wall = time.perf_counter() - started
        self.settle()
        spent = times_of() - before
        self.found["loops"][name] = {
            "wall": wall,
            "cpu": spent.total,
            "python": spent.python,
            "jvm": spent.jvm,
            "agent": spent.agent,
        }

    def settle(self) -> None:
        """Wait until Spark's listeners, whoever's they are, and our agent, if there is one, have nothing to do."""
        self.spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty(_MILLIS)
        module = sys.modules.get("pyspark_lineage.agent.attach")
        agent = getattr(module, "_agent", None)
        if agent is not None:
            agent.flush(_MILLIS / 1000)

    def result(self, name: str, rows: Iterable[Any]) -> None:
        """Kept as a digest, to be compared with those of the other arms."""
        text = "\n".join(sorted(map(str, rows)))
        self.found["results"][name] = hashlib.sha256(text.encode()).hexdigest()

    def heap_mb(self) -> float:
        """What lives in the JVM after a collection."""
        jvm = self.spark._jvm
        assert jvm is not None
        for _ in range(2):
            jvm.java.lang.System.gc()
            time.sleep(0.2)
        runtime = jvm.java.lang.Runtime.getRuntime()
        return float(runtime.totalMemory() - runtime.freeMemory()) / 1024**2

    def agent_pid(self) -> int:
        """0 where no agent has a process of its own."""
        return next((process.pid for process in processes() if process.kind == "agent"), 0)

    def end(self) -> None:
        self.spark.stop()
        self._out.write_text(json.dumps(self.found), encoding="utf-8")


def main() -> None:
    workload = sys.argv[1]
    module_name, _, function = workload.partition(":")
    parameters = json.loads(os.environ["BENCHMARK_PARAMETERS"])
    driver = Driver(workload, parameters, Path(os.environ["BENCHMARK_OUT"]))
    if workload != "nothing":
        getattr(importlib.import_module(f"benchmarks.workloads.{module_name}"), function)(driver)
    driver.end()


if __name__ == "__main__":
    main()
