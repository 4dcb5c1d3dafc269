# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Small py4j calls of the user's thread while plans of 10,000 expressions are worked on, in a process or a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.arms import OFF, ON, THREAD
from benchmarks.driver import Driver
from benchmarks.intervals import median_interval, quantile
from benchmarks.pairs import Settings, run_pairs
from benchmarks.report import Section, Table, between
from benchmarks.workloads.shapes import wide_sql

_ARMS = (OFF, ON, THREAD)
_SHARES = (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("longest", 1.0))


class Calls:
    """Latency of three small calls, in three arms."""

    name = "calls"
    title = "Small calls in the user's thread while plans of 10,000 expressions are worked on"

    def run(self, settings: Settings) -> Section:
        parameters = {"rounds": settings.pick(15, 6), "plans": 3, "window": 0.8}
        pairs = settings.pick(max(3, settings.pairs // 2), 1)
        outcomes = run_pairs(_ARMS, "calls:beside_plans", parameters, pairs)
        calls = list(outcomes[OFF.name][0].inside["calls"])
        rows = []
        for call in calls:
            for arm in _ARMS:
                runs = [outcome.inside["calls"][call] for outcome in outcomes[arm.name]]
                cells = [
                    between(median_interval([quantile(run, share) for run in runs]), digits=2, scale=1e3)
                    for _, share in _SHARES
                ]
                rows.append((call, arm.name, *cells))
        head = ("call, ms", "arm", *(label for label, _ in _SHARES))
        each = f"{parameters['rounds']} times {parameters['plans']} actions over one plan"
        notes = (f"{pairs} programs an arm; in each {each}, then calls by turns for {parameters['window']} s.",)
        data = {
            arm: [{c: [quantile(o.inside["calls"][c], s) for _, s in _SHARES] for c in calls} for o in of_arm]
            for arm, of_arm in outcomes.items()
        }
        return Section(self.name, self.title, (Table(head, tuple(rows)),), notes, data)


def beside_plans(driver: Driver) -> None:
    """An action over a large plan that is planned already takes no time; its lineage does."""
    spark = driver.spark
    jvm: Any = spark._jvm
    spark.range(3).selectExpr(*(f"id + {i} AS c{i}" for i in range(250))).coalesce(1).write.saveAsTable("wide")
    large = spark.sql(wide_sql("wide", 250, 10)).limit(0)
    calls: dict[str, Callable[[], object]] = {
        "a bare JVM call": lambda: jvm.java.lang.Math.abs(-1),
        "spark.range(1).schema": lambda: spark.range(1).schema,
        'spark.sql("SET k=v")': lambda: spark.sql("SET k=v"),
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for round_ in range(driver["rounds"] + 3):
        if round_ == 3:  # what came before was warm-up
            taken = {name: [] for name in calls}
        driver.settle()
        for _ in range(driver["plans"]):
            large.collect()
        until = time.perf_counter() + driver["window"]
        while time.perf_counter() < until:
            for name, call in calls.items():
                started = time.perf_counter()
                call()
                taken[name].append(time.perf_counter() - started)
    driver.found["calls"] = taken


BENCHMARKS = (Calls(),)
