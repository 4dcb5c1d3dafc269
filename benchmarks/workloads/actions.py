# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What the user's thread sees of each action, and what a loop costs, agent off and on by turns in one and the same JVM.

Two JVMs that run the same loop differ by several percent for reasons of their own. So here the agent is detached and
attached again between short blocks of one program, its bridge compiled once, and warmed up before a block is measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyspark.sql import functions as sf

from benchmarks.arms import OFF, run_driver
from benchmarks.driver import Driver
from benchmarks.intervals import differences, median_interval, ratios
from benchmarks.pairs import Settings
from benchmarks.report import Section, Table, between, number
from benchmarks.retail import create_tables
from benchmarks.statements import statement
from benchmarks.tree import resident_mb, times_of


@dataclass(frozen=True)
class Kind:
    """An action, how many a block has, how many blocks a side."""

    name: str
    per_block: int
    blocks: int
    warm_up: int


FULL = (
    Kind("read a small table, DataFrame kept", 300, 20, 60),
    Kind("read a small table anew", 150, 20, 40),
    Kind("aggregate 300,000 rows", 40, 24, 10),
    Kind("small write", 40, 20, 10),
    Kind("statement of TPC-DS's size as a table", 27, 14, 9),
)
QUICK = tuple(Kind(kind.name, kind.per_block // 3, 6, kind.warm_up // 3) for kind in FULL)


class Actions:
    """Wall time of single actions and processor time of blocks of them."""

    name = "actions"
    title = "Actions as the user's thread sees them, agent on and off by turns in one JVM"

    def run(self, settings: Settings) -> Section:
        kinds = settings.pick(FULL, QUICK)
        rows, data, notes = [], {}, []
        for index, kind in enumerate(kinds):
            found = run_driver(OFF, "actions:by_turns", {"kind": index, **vars(kind)}).inside["blocks"]
            off, on = ([block for block in found if block["on"] is side] for side in (False, True))
            wall_off, wall_on = ([median_interval(block["walls"]).median for block in side] for side in (off, on))
            cpu_off, cpu_on = ([block["cpu"] for block in side] for side in (off, on))
            rows.append(
                (
                    *(kind.name, number(median_interval(wall_off).median * 1e3)),
                    between(differences(wall_on, wall_off), digits=3, scale=1e3, sign=True),
                    between(ratios(wall_on, wall_off)),
                    between(ratios(cpu_on, cpu_off)),
                    between(differences(cpu_on, cpu_off), digits=2, scale=1e3 / kind.per_block, sign=True),
                    number(on[-1]["calls"] - off[-1]["calls"]),
                )
            )
            agent_ms = median_interval([block["agent"] / kind.per_block * 1e3 for block in on]).median
            notes.append(
                f"{kind.name}: {kind.blocks} blocks of {kind.per_block} a side; agent's process {number(agent_ms)} ms."
            )
            data[kind.name] = found
        head = ("action", "off, ms", "ms more", "wall ratio", "CPU ratio", "CPU ms more", "py4j calls more")
        return Section(self.name, self.title, (Table(head, tuple(rows)),), tuple(notes), data)


def by_turns(driver: Driver) -> None:
    """Blocks off, on, on, off, off, on, …"""
    act = _action(driver, driver["kind"])
    switch = _Switch(driver)
    calls = _Calls(driver)
    for number_ in range(driver["per_block"]):
        act(number_)
    switch.turn(True)
    for number_ in range(driver["per_block"]):
        act(number_)
    found = driver.found["blocks"] = []
    for pair in range(driver["blocks"]):
        for on in (False, True) if pair % 2 == 0 else (True, False):
            switch.turn(on)
            for number_ in range(driver["warm_up"]):
                act(number_)
            driver.settle()
            found.append({"on": on, **_measured(driver, act, calls)})
    switch.turn(False)


def _measured(driver: Driver, act: Callable[[int], object], calls: _Calls) -> dict[str, Any]:
    walls = []
    calls.count = 0
    before = times_of()
    for number_ in range(driver["per_block"]):
        started = time.perf_counter()
        act(number_)
        walls.append(time.perf_counter() - started)
    counted = calls.count
    driver.settle()
    spent = times_of() - before
    return {"walls": walls, "cpu": spent.total, "agent": spent.agent, "calls": counted / driver["per_block"]}


def _action(driver: Driver, kind: int) -> Callable[[int], object]:
    spark, folder = driver.spark, driver.folder
    spark.range(100).selectExpr("id", "id % 7 AS k", "cast(id AS string) AS s").coalesce(1).write.saveAsTable("small")
    if kind == 0:
        kept = spark.table("small")
        return lambda _: kept.collect()
    if kind == 1:
        return lambda _: spark.table("small").collect()
    if kind == 2:
        spark.range(300_000).selectExpr("id", "id % 1009 AS k", "hash(id) AS h").coalesce(2).write.saveAsTable("facts")
        return lambda _: spark.table("facts").groupBy("k").agg(sf.max("h"), sf.sum("id")).where("k < 3").collect()
    if kind == 3:
        source = spark.table("small")
        return lambda n: source.where("k < 5").coalesce(1).write.mode("overwrite").parquet(str(folder / f"out{n}"))
    create_tables(spark)
    made = iter(range(10**9))
    return lambda n: spark.sql(f"CREATE TABLE out_{next(made)} USING parquet AS {statement(n)}")


class _Switch:
    """Attach and detach the agent: its bridge is compiled by the first attach only, its process is new each time."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._agent: Any = None

    def turn(self, on: bool) -> None:
        from pyspark_lineage import attach

        driver = self._driver
        if on and self._agent is None:
            self._agent = attach(
                driver.spark,
                transport={"type": "file", "location": str(driver.folder / "events.ndjson")},
                home=str(driver.folder / "home"),
            )
            assert self._agent.stats()["alive"]
        elif not on and self._agent is not None:
            pid = driver.agent_pid()
            self._agent.detach()
            self._agent = None
            while resident_mb(pid):
                time.sleep(0.01)


class _Calls:
    """Counts what goes over py4j from the user's process."""

    def __init__(self, driver: Driver) -> None:
        self.count = 0
        gateway: Any = driver.spark.sparkContext._gateway
        client = gateway._gateway_client
        original = client.send_command

        def send_command(command: str, *args: Any, **kwargs: Any) -> Any:
            self.count += not command.startswith("m\nd\n")  # not the letting go of objects
            return original(command, *args, **kwargs)

        client.send_command = send_command


BENCHMARKS = (Actions(),)
