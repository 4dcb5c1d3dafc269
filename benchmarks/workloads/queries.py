# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""A tight loop of statements of TPC-DS's size: each makes a table, or is only analysed and planned."""

from __future__ import annotations

from benchmarks.driver import Driver
from benchmarks.pairs import Paired
from benchmarks.retail import create_tables
from benchmarks.statements import KINDS, statement


def tables(driver: Driver) -> None:
    """`CREATE TABLE … AS SELECT …`, one after the other."""
    create_tables(driver.spark)
    for number in range(driver["warm_up"]):
        driver.spark.sql(f"CREATE TABLE warm_{number} USING parquet AS {statement(number)}")
    with driver.loop():
        for number in range(driver["statements"]):
            driver.spark.sql(f"CREATE TABLE out_{number} USING parquet AS {statement(number)}")
    for number in range(min(driver["statements"], len(KINDS))):
        driver.result(str(number), driver.spark.table(f"out_{number}").collect())


def planned(driver: Driver) -> None:
    """The same statements, of whose result no row is wanted: nothing runs, all is analysed, optimized and planned."""
    create_tables(driver.spark)
    for number in range(driver["warm_up"]):
        driver.spark.sql(f"SELECT * FROM ({statement(number)}) LIMIT 0").collect()
    with driver.loop():
        for number in range(driver["statements"]):
            driver.spark.sql(f"SELECT * FROM ({statement(number)}) LIMIT 0").collect()


BENCHMARKS = (
    Paired(
        *("statements", "Tight loop of statements of TPC-DS's size, each a table", "queries:tables"),
        full={"statements": 135, "warm_up": 45},
        quick={"statements": 45, "warm_up": 18},
    ),
    Paired(
        *("statements-planned", "The same statements, only analysed and planned", "queries:planned"),
        full={"statements": 270, "warm_up": 90},
        quick={"statements": 90, "warm_up": 36},
    ),
)
