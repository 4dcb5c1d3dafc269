# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Many small writes, and a few heavy ones."""

from __future__ import annotations

from benchmarks.driver import Driver
from benchmarks.pairs import Paired


def small(driver: Driver) -> None:
    """A table of 100 rows is read, filtered and written, again and again."""
    source = str(driver.folder / "source")
    driver.spark.range(100).selectExpr("id", "id % 7 AS k", "cast(id AS string) AS s").write.parquet(source)
    for number in range(driver["warm_up"]):
        _small_write(driver, source, f"warm{number}")
    with driver.loop():
        for number in range(driver["writes"]):
            _small_write(driver, source, f"out{number}")
    last = driver.spark.read.parquet(str(driver.folder / f"out{driver['writes'] - 1}"))
    driver.result("last", last.collect())
    driver.result("folders", sorted(path.name for path in driver.folder.glob("out*")))


def _small_write(driver: Driver, source: str, name: str) -> None:
    frame = driver.spark.read.parquet(source).where("k < 5").selectExpr("id", "k * 2 AS k2", "upper(s) AS s")
    frame.coalesce(1).write.parquet(str(driver.folder / name))


def heavy(driver: Driver) -> None:
    """An aggregate, a sort, a join and a window over millions of rows, each written."""
    million = driver["millions"] * 1_000_000
    spark, folder = driver.spark, driver.folder
    facts = spark.range(million).selectExpr("id", "hash(id) AS h", "id % 100003 AS k", "cast(id % 997 AS string) AS s")
    statements = {
        "aggregate": facts.groupBy("k").agg({"h": "max", "id": "count", "s": "min"}),
        "sort": facts.orderBy("h"),
        "join": facts.join(spark.range(100003).selectExpr("id AS k", "hash(id) AS g"), "k").where("g > h"),
        "window": facts.where("id % 4 = 0").selectExpr(
            "id",
            "k",
            "rank() OVER (PARTITION BY k ORDER BY h, id) AS r",
            "lag(h) OVER (PARTITION BY k ORDER BY h, id) AS l",
        ),
    }
    spark.range(1000).write.parquet(str(folder / "warm"))
    with driver.loop():
        for name, frame in statements.items():
            frame.write.parquet(str(folder / name))
    for name in statements:
        written = spark.read.parquet(str(folder / name))
        driver.result(name, written.selectExpr("count(*)", f"sum(hash(`{'`, `'.join(written.columns)}`))").collect())


BENCHMARKS = (
    Paired(
        *("small-writes", "Small writes, one after the other", "writes:small"),
        full={"writes": 300, "warm_up": 40},
        quick={"writes": 80, "warm_up": 20},
    ),
    Paired(
        *("heavy-writes", "Heavy writes: an aggregate, a sort, a join and a window", "writes:heavy"),
        full={"millions": 8},
        quick={"millions": 2},
    ),
)
