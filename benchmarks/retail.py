# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""A retailer's small tables, as wide as those of TPC-DS: three sales channels, returns, and their dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Table:
    """`rows` of columns `name: SQL over id`, and `fill` more so that the width is right."""

    rows: int
    columns: Mapping[str, str]
    fill: int


def _sales(prefix: str, fill: int) -> dict[str, str]:
    def pick(seed: int, size: int) -> str:
        return f"cast(pmod(hash(id, {seed}), {size}) AS int)"

    def money(seed: int) -> str:
        return f"cast(pmod(hash(id, {seed}), 20000) / 100 AS decimal(7,2))"

    return {
        f"{prefix}_date_sk": pick(1, 730),
        f"{prefix}_item_sk": pick(2, 100),
        f"{prefix}_customer_sk": f"nullif({pick(3, 120)}, 7)",
        f"{prefix}_store_sk": f"nullif({pick(4, 12)}, 3)",
        f"{prefix}_promo_sk": pick(5, 30),
        f"{prefix}_order": "cast(id AS bigint)",
        f"{prefix}_quantity": pick(6, 100),
        f"{prefix}_list_price": money(7),
        f"{prefix}_sales_price": money(8),
        f"{prefix}_discount": money(9),
        f"{prefix}_cost": money(10),
        f"{prefix}_tax": money(11),
        f"{prefix}_profit": f"cast({money(12)} - 80 AS decimal(7,2))",
        **{f"{prefix}_amount{i}": money(20 + i) for i in range(fill)},
    }


TABLES: Mapping[str, Table] = {
    "store_sales": Table(1500, _sales("ss", 10), 0),
    "web_sales": Table(800, _sales("ws", 21), 0),
    "catalog_sales": Table(1000, _sales("cs", 21), 0),
    "store_returns": Table(300, _sales("sr", 7), 0),
    "date_dim": Table(
        730,
        {
            "d_date_sk": "cast(id AS int)",
            "d_date": "date_add(date'2001-01-01', cast(id AS int))",
            "d_year": "year(date_add(date'2001-01-01', cast(id AS int)))",
            "d_moy": "month(date_add(date'2001-01-01', cast(id AS int)))",
            "d_qoy": "quarter(date_add(date'2001-01-01', cast(id AS int)))",
            "d_dow": "dayofweek(date_add(date'2001-01-01', cast(id AS int)))",
            "d_week_seq": "cast(id / 7 AS int)",
            "d_month_seq": "cast(id / 30 AS int)",
            "d_day_name": "date_format(date_add(date'2001-01-01', cast(id AS int)), 'EEEE')",
        },
        19,
    ),
    "item": Table(
        100,
        {
            "i_item_sk": "cast(id AS int)",
            "i_item_id": "concat('ITEM', cast(id % 60 AS string))",
            "i_brand": "concat('brand', cast(id % 9 AS string))",
            "i_class": "concat('class', cast(id % 6 AS string))",
            "i_category": "elt(cast(id % 4 AS int) + 1, 'Books', 'Music', 'Home', 'Sports')",
            "i_manager_id": "cast(id % 20 AS int)",
            "i_current_price": "cast(id % 90 + 0.99 AS decimal(7,2))",
            "i_color": "elt(cast(id % 3 AS int) + 1, 'red', 'blue', 'plum')",
        },
        14,
    ),
    "customer": Table(
        120,
        {
            "c_customer_sk": "cast(id AS int)",
            "c_customer_id": "concat('CUST', cast(id AS string))",
            "c_first_name": "concat('first', cast(id % 30 AS string))",
            "c_last_name": "concat('last', cast(id % 40 AS string))",
            "c_birth_year": "cast(1940 + id % 50 AS int)",
            "c_state": "elt(cast(id % 5 AS int) + 1, 'CA', 'TX', 'NY', 'WA', 'OH')",
            "c_gender": "elt(cast(id % 2 AS int) + 1, 'M', 'F')",
        },
        11,
    ),
    "store": Table(
        12,
        {
            "s_store_sk": "cast(id AS int)",
            "s_store_id": "concat('STORE', cast(id AS string))",
            "s_store_name": "concat('store ', cast(id AS string))",
            "s_state": "elt(cast(id % 3 AS int) + 1, 'CA', 'TX', 'NY')",
            "s_gmt_offset": "cast(-5 - id % 3 AS int)",
        },
        24,
    ),
    "promotion": Table(
        30,
        {
            "p_promo_sk": "cast(id AS int)",
            "p_channel": "elt(cast(id % 3 AS int) + 1, 'email', 'tv', 'event')",
            "p_cost": "cast(id * 10 AS decimal(7,2))",
        },
        16,
    ),
}


def create_tables(spark: SparkSession) -> None:
    for name, table in TABLES.items():
        columns = [f"{sql} AS {column}" for column, sql in table.columns.items()]
        columns += [f"concat('{name}', cast(id % {i + 2} AS string)) AS {name}_text{i}" for i in range(table.fill)]
        spark.range(table.rows).selectExpr(*columns).coalesce(1).write.saveAsTable(name)
