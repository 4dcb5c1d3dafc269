# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The programs that are recorded, in this order, in one session: each reads what `prepare` or one before it made."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Run = Callable[[Any, str], object]


@dataclass(frozen=True)
class Program:
    """A function of the session and the folder of its data; its name is the label of what is recorded."""

    run: Run
    since: tuple[int, int] = (3, 5)

    @property
    def label(self) -> str:
        return self.run.__name__

    @property
    def text(self) -> str:
        lines = textwrap.dedent(inspect.getsource(self.run)).splitlines()
        return "\n".join(line for line in lines if not line.startswith("@"))


PROGRAMS: list[Program] = []


def program(run: Run) -> Run:
    PROGRAMS.append(Program(run))
    return run


def program_since(major: int, minor: int) -> Callable[[Run], Run]:
    def add(run: Run) -> Run:
        PROGRAMS.append(Program(run, (major, minor)))
        return run

    return add


def prepare(spark: Any, data: str) -> None:
    """Data and tables that the programs find."""
    orders = spark.createDataFrame(
        [(n, f"c{n % 3}", n * 1.5, f"2026-0{n % 2 + 1}") for n in range(6)],
        "id long, customer string, price double, month string",
    ).coalesce(1)
    for kind in ("parquet", "orc", "json"):
        orders.write.format(kind).save(f"{data}/orders_{kind}")
    orders.write.option("header", True).csv(f"{data}/orders_csv")
    orders.write.partitionBy("month").parquet(f"{data}/by_month")
    for name in ("a", "b", "c"):
        orders.write.parquet(f"{data}/many/{name}")
    address = "named_struct('city', 'Rome', 'zip', named_struct('code', id)) AS address"
    nested = orders.selectExpr("id", address, "array(id, id + 1) AS numbers", "map('k', price) AS prices")
    nested.write.parquet(f"{data}/nested")
    Path(data, "one.csv").write_text("id,name\n1,a\n2,b\n", encoding="utf-8")
    Path(data, "lines.txt").write_text("a b\nc\n", encoding="utf-8")
    orders.write.saveAsTable("orders")
    orders.write.partitionBy("month").saveAsTable("monthly")
    spark.sql("CREATE TABLE customers (name STRING COMMENT 'who', city STRING) USING parquet")
    spark.sql("CREATE DATABASE shop")
    spark.sql("CREATE TABLE shop.target (id BIGINT, price DOUBLE) USING parquet")


# ---------------------------------------------------------------- files


@program
def read_parquet(spark: Any, data: str) -> None:
    spark.read.parquet(f"{data}/orders_parquet").filter("price > 2").collect()


@program
def read_orc(spark: Any, data: str) -> None:
    spark.read.orc(f"{data}/orders_orc").select("id").collect()


@program
def read_csv(spark: Any, data: str) -> None:
    spark.read.option("header", True).schema("id long, customer string").csv(f"{data}/orders_csv").collect()


@program
def read_json(spark: Any, data: str) -> None:
    spark.read.schema("id long, price double").json(f"{data}/orders_json").collect()


@program
def read_text(spark: Any, data: str) -> None:
    spark.read.text(f"{data}/lines.txt").collect()


@program
def read_binary(spark: Any, data: str) -> None:
    spark.read.format("binaryFile").load(f"{data}/lines.txt").select("length").collect()


@program
def read_single_file(spark: Any, data: str) -> None:
    spark.read.option("header", True).schema("id long, name string").csv(f"{data}/one.csv").collect()


@program
def read_glob(spark: Any, data: str) -> None:
    spark.read.parquet(f"{data}/many/*").count()


@program
def read_directories(spark: Any, data: str) -> None:
    spark.read.parquet(f"{data}/many/a", f"{data}/many/b").count()


@program
def read_partitions(spark: Any, data: str) -> None:
    spark.read.parquet(f"{data}/by_month").filter("month = '2026-01'").count()


@program
def read_one_partition(spark: Any, data: str) -> None:
    spark.read.option("basePath", f"{data}/by_month").parquet(f"{data}/by_month/month=2026-01").count()


@program
def read_files_in_sql(spark: Any, data: str) -> None:
    spark.sql(f"SELECT count(*) FROM parquet.`{data}/orders_parquet`").collect()


@program
def write_files(spark: Any, data: str) -> None:
    orders = spark.read.parquet(f"{data}/orders_parquet")
    orders.write.mode("overwrite").partitionBy("month").parquet(f"{data}/out/partitioned")
    orders.select("id", "customer").write.mode("append").csv(f"{data}/out/csv")
    orders.select("customer").write.text(f"{data}/out/text")


@program
def write_and_read_in_one_statement(spark: Any, data: str) -> None:
    spark.read.parquet(f"{data}/many/a").write.mode("append").parquet(f"{data}/many/c")


@program
def insert_overwrite_directory(spark: Any, data: str) -> None:
    spark.sql(f"INSERT OVERWRITE DIRECTORY '{data}/out/dir' USING json SELECT id, price FROM orders")


# ---------------------------------------------------------------- tables and views


@program
def read_tables(spark: Any, data: str) -> None:
    spark.sql("SELECT o.id, c.city FROM orders o JOIN customers c ON o.customer = c.name").collect()
    spark.table("monthly").filter("month = '2026-01'").collect()


@program
def create_table_as_select(spark: Any, data: str) -> None:
    spark.sql("CREATE TABLE rich USING parquet AS SELECT id, price AS amount FROM orders WHERE price > 3")


@program
def create_table_as_select_elsewhere(spark: Any, data: str) -> None:
    spark.sql(f"CREATE TABLE shop.elsewhere USING orc LOCATION '{data}/elsewhere' AS SELECT * FROM rich")


@program
def insert_into_table(spark: Any, data: str) -> None:
    spark.sql("INSERT INTO shop.target SELECT id, amount FROM rich")
    spark.sql("INSERT INTO customers VALUES ('c1', 'Rome'), ('c2', 'Oslo')")


@program
def insert_overwrite_table(spark: Any, data: str) -> None:
    spark.sql("INSERT OVERWRITE TABLE shop.target SELECT id, price FROM orders")


@program
def insert_into_partition(spark: Any, data: str) -> None:
    spark.sql("INSERT INTO monthly PARTITION (month = '2026-03') SELECT id, customer, price FROM orders")


@program
def insert_into_by_writer(spark: Any, data: str) -> None:
    spark.table("orders").select("id", "price").write.insertInto("shop.target")


@program
def insert_and_look_at_the_result(spark: Any, data: str) -> None:
    spark.sql("INSERT INTO shop.target SELECT id, price FROM orders").collect()


@program
def save_as_table(spark: Any, data: str) -> None:
    spark.table("orders").write.saveAsTable("shop.saved")
    spark.table("orders").write.mode("append").saveAsTable("shop.saved")
    spark.table("rich").write.mode("overwrite").saveAsTable("shop.saved")


@program
def write_to(spark: Any, data: str) -> None:
    spark.table("rich").writeTo("shop.written").using("parquet").create()


@program
def create_views(spark: Any, data: str) -> None:
    spark.sql("CREATE VIEW shop.pricey AS SELECT id, amount FROM rich WHERE amount > 4")
    spark.sql("CREATE VIEW over_view AS SELECT max(amount) AS top FROM shop.pricey")


@program
def read_views(spark: Any, data: str) -> None:
    spark.sql("SELECT * FROM over_view").collect()


@program
def temporary_views(spark: Any, data: str) -> None:
    spark.read.parquet(f"{data}/many/b").createOrReplaceTempView("temporary")
    spark.table("orders").createOrReplaceGlobalTempView("everywhere")
    spark.sql("SELECT t.id FROM temporary t JOIN global_temp.everywhere e USING (id)").collect()


@program
def drop_and_alter(spark: Any, data: str) -> None:
    spark.sql("ALTER TABLE shop.written ADD COLUMNS (note STRING)")
    spark.sql("TRUNCATE TABLE shop.written")
    spark.sql("DROP TABLE shop.written")


@program
def statements_without_data(spark: Any, data: str) -> None:
    spark.sql("SHOW TABLES").collect()
    spark.sql("DESCRIBE orders").collect()
    spark.sql("EXPLAIN SELECT * FROM orders").collect()
    spark.sql("SET spark.sql.ansi.enabled=true")
    spark.sql("RESET spark.sql.ansi.enabled")
    spark.sql("USE shop")
    spark.sql("USE default")
    spark.range(3).count()
    spark.sql("VALUES (1), (2)").collect()


# ---------------------------------------------------------------- queries


@program
def common_table_expressions(spark: Any, data: str) -> None:
    spark.sql("""
        WITH a AS (SELECT id, price FROM orders), b AS (SELECT a.id FROM a JOIN a AS again USING (id)),
             unused AS (SELECT * FROM customers)
        SELECT * FROM b UNION ALL SELECT id FROM a
    """).collect()


@program
def subqueries_everywhere(spark: Any, data: str) -> None:
    spark.sql("""
        SELECT (SELECT max(amount) FROM rich) AS top, o.id,
               CASE WHEN EXISTS (SELECT 1 FROM customers c WHERE c.name = o.customer) THEN 'known' END AS known
        FROM (SELECT * FROM orders) o
        WHERE o.id IN (SELECT id FROM monthly) AND o.price > (SELECT avg(price) FROM shop.target t WHERE t.id = o.id)
        ORDER BY o.id
    """).write.parquet(f"{data}/out/subqueries")


@program
def lateral_joins(spark: Any, data: str) -> None:
    spark.sql(
        "SELECT o.id, l.city FROM orders o, LATERAL (SELECT city FROM customers WHERE name = o.customer) l"
    ).collect()


@program
def joins(spark: Any, data: str) -> None:
    orders, customers = spark.table("orders"), spark.table("customers")
    on = orders.customer == customers.name
    for how in ("inner", "left", "full", "left_semi", "left_anti"):
        orders.join(customers, on, how).count()
    orders.crossJoin(customers).count()
    orders.alias("l").join(orders.alias("r"), "id").select("l.price", "r.customer").collect()


@program
def set_operations(spark: Any, data: str) -> None:
    spark.sql("SELECT id FROM orders UNION SELECT id FROM rich").collect()
    spark.sql("SELECT id FROM orders INTERSECT SELECT id FROM rich").collect()
    spark.sql("SELECT id FROM orders EXCEPT ALL SELECT id FROM monthly").collect()
    spark.table("orders").unionByName(spark.table("rich"), allowMissingColumns=True).collect()


@program
def windows(spark: Any, data: str) -> None:
    spark.sql("""
        SELECT id, row_number() OVER w AS rank, sum(price) OVER (PARTITION BY month ROWS 2 PRECEDING) AS running
        FROM orders WINDOW w AS (PARTITION BY customer ORDER BY price DESC)
    """).collect()


@program
def generators(spark: Any, data: str) -> None:
    nested = spark.read.parquet(f"{data}/nested")
    nested.selectExpr("id", "explode(numbers) AS n").collect()
    nested.createOrReplaceTempView("nested")
    spark.sql("SELECT id, k, v FROM nested LATERAL VIEW OUTER explode(prices) AS k, v").collect()
    spark.sql("SELECT inline(array(struct(id, price))) FROM orders").collect()


@program
def grouping(spark: Any, data: str) -> None:
    spark.sql("SELECT customer, month, sum(price) FROM orders GROUP BY ROLLUP (customer, month)").collect()
    spark.sql("SELECT customer, month, count(DISTINCT id) FROM orders GROUP BY CUBE (customer, month)").collect()
    spark.sql("SELECT customer, max_by(id, price) FROM orders GROUP BY customer HAVING count(*) > 1").collect()


@program
def pivot_and_unpivot(spark: Any, data: str) -> None:
    spark.table("orders").groupBy("customer").pivot("month", ["2026-01", "2026-02"]).sum("price").collect()
    spark.table("orders").unpivot(["id"], ["customer", "month"], "what", "value").collect()


@program
def nested_columns(spark: Any, data: str) -> None:
    nested = spark.read.parquet(f"{data}/nested")
    nested.selectExpr("address.zip.code", "transform(numbers, x -> x + id) AS more", "prices['k']").write.parquet(
        f"{data}/out/nested"
    )


@program
def shapes_of_rows(spark: Any, data: str) -> None:
    orders = spark.table("orders")
    orders.distinct().dropDuplicates(["customer"]).repartition(2, "month").sortWithinPartitions("id").limit(3).collect()
    orders.sample(fraction=0.5, seed=1).fillna(0).withColumnRenamed("price", "cost").drop("month").collect()
    orders.hint("broadcast").offset(1).tail(1)


@program
def python_functions(spark: Any, data: str) -> None:
    from pyspark.sql import functions

    double = functions.udf(lambda x: x * 2, "double")
    spark.table("orders").select("id", double("price").alias("twice")).write.parquet(f"{data}/out/udf")


@program
def cached_frames(spark: Any, data: str) -> None:
    cached = spark.table("orders").filter("price > 1").cache()
    cached.count()
    cached.select("id").write.parquet(f"{data}/out/cached")
    cached.unpersist()


@program
def checkpoints(spark: Any, data: str) -> None:
    spark.table("orders").localCheckpoint().count()


@program
def frames_of_rdds(spark: Any, data: str) -> None:
    spark.createDataFrame(spark.sparkContext.parallelize([(1, "a")]), "id long, name string").write.parquet(
        f"{data}/out/rdd"
    )


@program
def jdbc(spark: Any, data: str) -> None:
    url = "jdbc:derby:memory:shop;create=true"
    spark.table("rich").write.jdbc(url, "RICH")
    spark.read.jdbc(url, "RICH").collect()


@program_since(4, 0)
def variables_and_parameters(spark: Any, data: str) -> None:
    spark.sql("DECLARE VARIABLE least DOUBLE DEFAULT 2")
    spark.sql("SELECT id FROM orders WHERE price > least AND id > :id", args={"id": 1}).collect()


@program_since(4, 1)
def recursive_table_expression(spark: Any, data: str) -> None:
    spark.sql("""
        WITH RECURSIVE up(n) AS (SELECT min(id) FROM orders UNION ALL SELECT n + 1 FROM up WHERE n < 3) SELECT * FROM up
    """).collect()
