# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Memory over thousands of executions: what lives in the JVM's heap, and both Python processes. Flat, or growing?"""

from __future__ import annotations

import os
from dataclasses import dataclass

from benchmarks.arms import ON, run_driver
from benchmarks.driver import Driver
from benchmarks.intervals import slope
from benchmarks.pairs import Settings
from benchmarks.report import Section, Table
from benchmarks.tree import resident_mb

_COLUMNS = (("heap", "JVM heap after a collection"), ("python", "user's Python"), ("agent", "agent's process"))


@dataclass(frozen=True)
class Memory:
    """Sampled ten times on the way."""

    name: str
    title: str
    driver_memory: str

    def run(self, settings: Settings) -> Section:
        executions = settings.pick(5000, 1000)
        conf = {"spark.driver.memory": self.driver_memory}
        samples = {
            arm.name: run_driver(arm, "memory:executions", {"executions": executions}, spark_conf=conf).inside[
                "samples"
            ]
            for arm in settings.arms
        }
        head = ("executions", *(f"{arm}: {label}, MB" for arm in samples for _, label in _COLUMNS))
        rows = [
            (str(at["executions"]), *(f"{of[i][key]:.0f}" for of in samples.values() for key, _ in _COLUMNS))
            for i, at in enumerate(samples[settings.arms[0].name])
        ]
        notes = []
        for arm, of in samples.items():
            half = of[len(of) // 2 :]
            xs = [sample["executions"] for sample in half]
            grown = [f"{label} {slope(xs, [s[key] for s in half]) * 1000:+.1f}" for key, label in _COLUMNS]
            notes.append(f"{arm}: MB more for each 1,000 executions of the second half: {', '.join(grown)}.")
        if ON.name in samples:
            lost = samples[ON.name][-1].get("dropped")
            notes.append(f"{ON.name}: plans and messages dropped by the bridge: {lost}.")
        return Section(self.name, self.title, (Table(head, tuple(rows)),), tuple(notes), samples)


def executions(driver: Driver) -> None:
    """Four short reads, then a write, and so on."""
    source, out = str(driver.folder / "source"), str(driver.folder / "out")
    driver.spark.range(100).selectExpr("id", "id % 7 AS k", "cast(id AS string) AS s").coalesce(1).write.parquet(source)
    frame = driver.spark.read.parquet(source)
    total = driver["executions"]
    samples = driver.found["samples"] = []
    for number in range(total + 1):
        if number % (total // 10) == 0:
            samples.append({"executions": number, **_sample(driver)})
        if number % 5 == 4:
            frame.where(f"k < {number % 9}").coalesce(1).write.mode("overwrite").parquet(out)
        else:
            frame.where(f"id > {number % 50}").collect()
    driver.result("count", [driver.spark.read.parquet(out).count()])


def _sample(driver: Driver) -> dict[str, float | str]:
    driver.settle()
    agent = driver.agent_pid()
    sample: dict[str, float | str] = {
        "heap": driver.heap_mb(),
        "python": resident_mb(os.getpid()),
        "agent": resident_mb(agent) if agent else 0.0,
    }
    if agent:
        import pyspark_lineage

        state = pyspark_lineage.attach().stats()["bridge"]
        sample["dropped"] = f"{state['plansDropped']}, {state['messagesDropped']}"
    return sample


BENCHMARKS = (
    Memory("memory", "Memory over thousands of executions", "2g"),
    Memory("memory-512m", "The same in a driver of 512 MB", "512m"),
)
