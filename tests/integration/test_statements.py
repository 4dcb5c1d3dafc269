# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Statements that read or write files or tables, each with its datasets, on a real Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.jobs import Event, SparkJob

PROGRAM = """
    import sys
    from pyspark.sql import SparkSession, functions as F

    spark = SparkSession.builder.appName("Daily Orders").getOrCreate()
    folder = sys.argv[1]

    orders = spark.createDataFrame([(1, "a", 2.5), (2, "b", 7.0)], "id long, customer string, price double")
    orders.write.parquet(folder + "/orders")                                                       # 1
    orders.write.mode("overwrite").option("header", True).csv(folder + "/orders_csv")              # 2
    read = spark.read.parquet(folder + "/orders")
    read.groupBy("customer").agg(F.sum("price").alias("total")).write.json(folder + "/totals")     # 3
    read.write.saveAsTable("orders_table")                                                         # 4
    spark.sql("CREATE TABLE rich USING parquet AS SELECT * FROM orders_table WHERE price > 3")     # 5
    spark.sql("INSERT INTO rich SELECT * FROM orders_table")                                       # 6
    read.createOrReplaceTempView("orders_view")
    spark.sql("CREATE VIEW rich_view AS SELECT id, price FROM rich")
    spark.sql('''
        WITH big AS (SELECT id FROM orders_view)
        SELECT v.id, (SELECT max(price) FROM orders_table) AS top
        FROM rich_view v WHERE v.id IN (SELECT id FROM big)
    ''').write.orc(folder + "/nested")                                                             # 7
    other = spark.newSession()
    other.read.schema("id long, customer string, price double").csv(folder + "/orders_csv") \\
        .filter("id > 1").write.parquet(folder + "/from_other_session")                            # 8
    assert read.filter("price > 3").count() == 1                                                   # 9
    read.limit(1).collect()                                                                        # 10
    try:
        orders.write.parquet(folder + "/orders")                                                   # 11: it exists
    except Exception as error:
        print(type(error).__name__)
    spark.range(3).count()
    spark.sql("SHOW TABLES").collect()
    spark.sql("SET spark.sql.shuffle.partitions=3")
"""


def names(event: Event, side: str) -> list[str]:
    return sorted(dataset["name"] for dataset in event[side])


def fields(dataset: dict[str, Any]) -> list[tuple[str, str]]:
    return [(field["name"], field["type"]) for field in dataset["facets"]["schema"]["fields"]]


def test_every_statement_has_its_datasets(spark_job: SparkJob, tmp_path: Path) -> None:
    code, stdout, stderr, events = spark_job(PROGRAM, str(tmp_path))
    assert code == 0, stderr
    assert stdout == "AnalysisException\n"
    application, *runs = by_run(events)
    assert [event["eventType"] for event in application] == ["START", "COMPLETE"]
    assert {event["job"]["name"] for event in application} == {"daily_orders"}
    at, warehouse = str(tmp_path), str(tmp_path / "warehouse")
    parquet = f"{at}/orders"
    table, rich = f"{warehouse}/orders_table", f"{warehouse}/rich"
    expected = [
        ([], [parquet], "COMPLETE"),
        ([], [f"{at}/orders_csv"], "COMPLETE"),
        ([parquet], [f"{at}/totals"], "COMPLETE"),
        ([parquet], [table], "COMPLETE"),
        ([table], [rich], "COMPLETE"),
        ([table], [rich], "COMPLETE"),
        (sorted([parquet, table, rich]), [f"{at}/nested"], "COMPLETE"),
        ([f"{at}/orders_csv"], [f"{at}/from_other_session"], "COMPLETE"),
        ([parquet], [], "COMPLETE"),
        ([parquet], [], "COMPLETE"),
        ([], [parquet], "FAIL"),
    ]
    found = [(names(run[-1], "inputs"), names(run[-1], "outputs"), run[-1]["eventType"]) for run in runs]
    assert found == expected
    # START says as much as the terminal event
    assert [(names(run[0], "inputs"), names(run[0], "outputs")) for run in runs] == [one[:2] for one in expected]


def test_schemas_symlinks_and_sources(spark_job: SparkJob, tmp_path: Path) -> None:
    events = spark_job(PROGRAM, str(tmp_path)).ok().events
    runs = by_run(events)[1:]
    ctas = runs[4][0]
    assert ctas["job"]["name"].startswith("daily_orders.execute_create_data_source_table_as_select_command.")
    (source,), (target,) = ctas["inputs"], ctas["outputs"]
    schema = [("id", "long"), ("customer", "string"), ("price", "double")]
    assert fields(source) == schema
    assert fields(target) == schema
    warehouse = str(tmp_path / "warehouse")
    assert source["namespace"] == "file"
    assert source["facets"]["dataSource"]["name"] == "file"
    assert [(s["namespace"], s["name"], s["type"]) for s in source["facets"]["symlinks"]["identifiers"]] == [
        (f"file:{warehouse}", "default.orders_table", "TABLE")
    ]
    assert target["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"
    assert fields(runs[2][0]["outputs"][0]) == [("customer", "string"), ("total", "double")]
    engine = ctas["run"]["facets"]["processing_engine"]
    assert engine["name"] == "spark"
    parent = ctas["run"]["facets"]["parent"]
    assert parent["job"] == {"namespace": "test", "name": "daily_orders"}


def by_run(events: list[Event]) -> list[list[Event]]:
    """The events of each run, runs in the order in which they began."""
    runs: dict[str, list[Event]] = {}
    for event in events:
        runs.setdefault(event["run"]["runId"], []).append(event)
    return list(runs.values())
