# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Plans of unusual shapes: wide, deep, the same CTE again and again, many children. A loop for each, in one program."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from benchmarks.driver import Driver
from benchmarks.pairs import Paired


def all_shapes(driver: Driver) -> None:
    """Each shape is run some times before its loop."""
    spark = driver.spark
    columns = driver["columns"]
    wide = spark.range(20).select(*((sf.col("id") + i).alias(f"c{i}") for i in range(columns)))
    wide.coalesce(1).write.saveAsTable("wide")
    spark.range(100).selectExpr("id", "id % 7 AS k").coalesce(1).write.saveAsTable("narrow")
    makers: dict[str, Callable[[], DataFrame]] = {
        f"{columns} columns x 10 projections, SQL": lambda: spark.sql(wide_sql("wide", columns, 10)),
        f"{columns} columns x 10 projections, DataFrame": lambda: _wide_chain(driver, columns, 10),
        f"{driver['deep']} x withColumn": lambda: _deep_chain(driver, driver["deep"]),
        f"CTE used {driver['uses']} times": lambda: spark.sql(_cte(driver["uses"])),
        f"union of {driver['children']}": lambda: _union(driver, driver["children"]),
    }
    for index, (name, make) in enumerate(makers.items()):
        for number in range(driver["warm_up"]):
            make().write.parquet(str(driver.folder / f"warm{index}-{number}"))
        with driver.loop(name):
            for number in range(driver["times"]):
                make().write.parquet(str(driver.folder / f"out{index}-{number}"))
        driver.result(name, spark.read.parquet(str(driver.folder / f"out{index}-0")).collect())


def wide_sql(table: str, columns: int, projections: int, offset: int = 0) -> str:
    """Every column computed from itself in each of the projections."""
    sql = f"SELECT * FROM {table}"
    for level in range(projections):
        listed = ", ".join(f"c{i} + {level + offset} AS c{i}" for i in range(columns))
        sql = f"SELECT {listed} FROM ({sql})"
    return sql


def _wide_chain(driver: Driver, columns: int, projections: int) -> DataFrame:
    frame = driver.spark.table("wide")
    for level in range(projections):
        frame = frame.select(*((sf.col(f"c{i}") + level).alias(f"c{i}") for i in range(columns)))
    return frame


def _deep_chain(driver: Driver, deep: int) -> DataFrame:
    frame = driver.spark.table("narrow")
    for level in range(deep):
        frame = frame.withColumn(f"w{level % 25}", sf.col("k") + level)
    return frame


def _cte(uses: int) -> str:
    joined = " UNION ALL ".join(f"SELECT {i} AS use, k, n, s FROM base WHERE k <> {i % 7}" for i in range(uses))
    return f"WITH base AS (SELECT k, count(*) AS n, sum(id) AS s FROM narrow GROUP BY k) {joined}"


def _union(driver: Driver, children: int) -> DataFrame:
    narrow = driver.spark.table("narrow")
    frame = narrow.where("k = 0")
    for child in range(1, children):
        frame = frame.union(narrow.where(f"k = {child % 7} AND id < {child}"))
    return frame.coalesce(1)


BENCHMARKS = (
    Paired(
        *("shapes", "Wide, deep and repetitive plans", "shapes:all_shapes"),
        full={"columns": 300, "deep": 250, "uses": 40, "children": 200, "warm_up": 3, "times": 6},
        quick={"columns": 300, "deep": 250, "uses": 40, "children": 200, "warm_up": 1, "times": 1},
    ),
)
