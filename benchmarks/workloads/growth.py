# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What a plan costs on its whole way, by stage: for 100 to 100,000 expressions, and for statements of TPC-DS's size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from benchmarks.arms import OFF, run_driver
from benchmarks.driver import Driver
from benchmarks.intervals import median_interval, quantile
from benchmarks.pairs import Settings
from benchmarks.report import Section, Table, number
from benchmarks.retail import create_tables
from benchmarks.stages import STAGES, Stages, Worked
from benchmarks.statements import statement
from benchmarks.workloads.shapes import wide_sql

# Columns and projections: each column of each projection is an alias, a sum, an attribute and a literal.
SIZES = ((5, 5), (25, 10), (250, 10), (500, 50))


class Growth:
    """Microseconds an expression, by stage."""

    name = "growth"
    title = "Growth from 100 to 100,000 expressions, end to end"

    def run(self, settings: Settings) -> Section:
        sizes = settings.pick(SIZES, SIZES[:3])
        repeat = settings.pick(9, 5)
        points = run_driver(OFF, "growth:sizes", {"sizes": sizes, "repeat": repeat}).inside["points"]
        rows = []
        for point in points:
            medians = [median_interval([run[stage] for run in point["runs"]]).median for stage in STAGES]
            size, point["total"] = point["expressions"], sum(medians)
            per = [number(seconds / size * 1e6) for seconds in medians]
            rows.append((f"{size:,}", *per, number(point["total"] / size * 1e6), number(point["total"] * 1e3)))
        many = f"{repeat} queries each, {_repeat(SIZES[-1], repeat)} of the largest size"
        notes = (
            f"Processor time, us an expression: medians of {many}; START and terminal event are made.",
            f"Cost grows with the power {_power(points):.2f} of the size, from 1,000 expressions on (1 is linear).",
        )
        head = ("expressions", *STAGES, "all, us", "a plan, ms")
        return Section(self.name, self.title, (Table(head, tuple(rows)),), notes, {"points": points})


class StatementStages:
    """Milliseconds a statement, by stage."""

    name = "statement-stages"
    title = "What a statement of TPC-DS's size costs, by stage"

    def run(self, settings: Settings) -> Section:
        parameters = {"statements": settings.pick(135, 45), "warm_up": settings.pick(135, 45)}
        works = run_driver(OFF, "growth:statements", parameters).inside["works"]
        rows = []
        for stage in (*STAGES, "all"):
            spent = [sum(w["seconds"].values()) if stage == "all" else w["seconds"][stage] for w in works]
            rows.append((stage, *(number(quantile(spent, share) * 1e3) for share in (0.5, 0.9, 1.0))))
        for size in ("plan_nodes", "expressions"):
            sizes = [w[size] for w in works]
            rows.append((size.replace("_", " "), *(f"{quantile(sizes, share):,.0f}" for share in (0.5, 0.9, 1.0))))
        head = ("ms of processor time", "median", "90 %", "most")
        return Section(self.name, self.title, (Table(head, tuple(rows)),), (), {"works": works})


def _repeat(size: tuple[int, int], repeat: int) -> int:
    return repeat if math.prod(size) < 10_000 else 3


def _power(points: list[Mapping[str, Any]]) -> float:
    """Slope between the logarithms of size and cost, from the second point to the last."""
    first, last = points[1], points[-1]
    return math.log(last["total"] / first["total"]) / math.log(last["expressions"] / first["expressions"])


def sizes(driver: Driver) -> None:
    """For each size: write that query some times, and do the agent's work for it here."""
    stages = Stages(driver)
    for columns, _ in driver["sizes"]:
        wide = driver.spark.range(3).selectExpr(*(f"id + {i} AS c{i}" for i in range(columns)))
        wide.coalesce(1).write.saveAsTable(f"wide_{columns}")
    points = driver.found["points"] = []

    def one(columns: int, projections: int, name: str) -> Worked:
        sql = wide_sql(f"wide_{columns}", columns, projections)
        driver.spark.sql(sql).write.parquet(str(driver.folder / name))
        return stages.work()

    for number_ in range(60):  # so that the JVM has compiled what it will be asked for
        one(driver["sizes"][1][0], driver["sizes"][1][1], f"warm{number_}")
    for index, size in enumerate(driver["sizes"]):
        works = [one(size[0], size[1], f"out{index}-{n}") for n in range(_repeat(size, driver["repeat"]))]
        points.append({"expressions": works[-1].expressions, "runs": [work.seconds for work in works]})


def statements(driver: Driver) -> None:
    """The statements of the tight loop, planned only: their execution is not looked at here."""
    create_tables(driver.spark)
    stages = Stages(driver)
    works = []
    for number_ in range(driver["warm_up"] + driver["statements"]):
        driver.spark.sql(f"SELECT * FROM ({statement(number_ % driver['statements'])}) LIMIT 0").collect()
        works.append(vars(stages.work()))
    driver.found["works"] = works[driver["warm_up"] :]


BENCHMARKS = (Growth(), StatementStages())
