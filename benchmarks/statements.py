# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""SELECTs of TPC-DS's size and kinds over `retail.py`: the same for the same number, none like the next."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Channel:
    table: str
    p: str


STORE, WEB, CATALOG = Channel("store_sales", "ss"), Channel("web_sales", "ws"), Channel("catalog_sales", "cs")
CHANNELS = (STORE, WEB, CATALOG)


def statement(number: int) -> str:
    """The SELECT of this number."""
    kind = KINDS[number % len(KINDS)]
    return kind(random.Random(number))


def star_join(r: random.Random) -> str:
    """Facts with four dimensions, measures by CASE, a handful of groups."""
    c = r.choice(CHANNELS)
    measures = ",\n  ".join(_measures(r, c, 24))
    return f"""
SELECT i_item_id, i_brand, s_state, d_year,
  {measures},
  sum(CASE WHEN p_channel = 'email' THEN {c.p}_sales_price ELSE 0 END) AS promoted,
  sum(CASE WHEN d_dow IN (1, 7) THEN {c.p}_sales_price ELSE NULL END) AS weekend
FROM {c.table}
  JOIN date_dim ON {c.p}_date_sk = d_date_sk
  JOIN item ON {c.p}_item_sk = i_item_sk
  LEFT JOIN store ON {c.p}_store_sk = s_store_sk
  JOIN promotion ON {c.p}_promo_sk = p_promo_sk
WHERE d_year = {r.choice((2001, 2002))} AND d_moy BETWEEN {r.randint(1, 5)} AND {r.randint(6, 12)}
  AND (i_category = 'Books' OR i_color IN ('red', 'plum')) AND {c.p}_quantity > {r.randint(1, 30)}
GROUP BY i_item_id, i_brand, s_state, d_year
ORDER BY promoted DESC, i_item_id, i_brand, s_state LIMIT 100"""


def year_over_year(r: random.Random) -> str:
    """A CTE of two channels together, joined with itself for two years."""
    a, b = r.sample(CHANNELS, 2)
    parts = "\n  UNION ALL\n".join(
        f"""  SELECT c_customer_id, c_first_name, c_last_name, d_year, '{c.p}' AS channel,
    sum((({c.p}_list_price - {c.p}_cost - {c.p}_discount) + {c.p}_sales_price) / 2) AS total,
    {", ".join(_measures(r, c, 4, named="abcd"))}
  FROM {c.table} JOIN customer ON {c.p}_customer_sk = c_customer_sk JOIN date_dim ON {c.p}_date_sk = d_date_sk
  GROUP BY c_customer_id, c_first_name, c_last_name, d_year"""
        for c in (a, b)
    )
    ratios = ",\n  ".join(
        f"CASE WHEN first.{m} > 0 AND second.{m} > 0 THEN round(second.{m} / first.{m}, 2) "
        f"WHEN first.{m} IS NULL THEN 0 ELSE -1 END AS {m}_ratio"
        for m in "abcd"
    )
    return f"""
WITH year_total AS (
{parts}
)
SELECT first.c_customer_id, first.c_first_name, first.c_last_name,
  CASE WHEN first.total > 0 THEN second.total / first.total ELSE NULL END AS growth,
  round(second.total - first.total, {r.randint(0, 2)}) AS more,
  {ratios}
FROM year_total first JOIN year_total second
  ON first.c_customer_id = second.c_customer_id AND first.channel = second.channel
WHERE first.d_year = 2001 AND second.d_year = 2002 AND first.channel = '{a.p}' AND first.total > {r.randint(-50, 0)}
ORDER BY first.c_customer_id, growth, more LIMIT 100"""


def ranked(r: random.Random) -> str:
    """Windows over an aggregate: rank, moving average, share of the whole."""
    c = r.choice(CHANNELS)
    more = ",\n    ".join(
        f"{m}, {m} - avg({m}) OVER (PARTITION BY i_category, i_class ORDER BY d_year, d_moy) AS {m}_x" for m in "abcdef"
    )
    return f"""
SELECT * FROM (
  SELECT i_category, i_class, i_brand, s_store_name, d_year, d_moy, sales, {c.p}_cost_sum,
    avg(sales) OVER (PARTITION BY i_category, i_brand, s_store_name, d_year) AS avg_monthly,
    rank() OVER (PARTITION BY i_category, i_brand, s_store_name ORDER BY d_year, d_moy) AS rn,
    sum(sales) OVER (PARTITION BY i_category ORDER BY d_year, d_moy, i_brand, s_store_name, i_class
      ROWS BETWEEN {r.randint(2, 5)} PRECEDING AND CURRENT ROW) AS moving,
    lag(sales) OVER (PARTITION BY i_category, i_brand ORDER BY d_year, d_moy, s_store_name, i_class) AS before,
    sales * 100 / sum(sales) OVER (PARTITION BY i_class) AS share,
    {more}
  FROM (
    SELECT i_category, i_class, i_brand, s_store_name, d_year, d_moy,
      sum({c.p}_sales_price) AS sales, sum({c.p}_cost) AS {c.p}_cost_sum,
      {", ".join(_measures(r, c, 6, named="abcdef"))}
    FROM {c.table} JOIN item ON {c.p}_item_sk = i_item_sk JOIN date_dim ON {c.p}_date_sk = d_date_sk
      JOIN store ON {c.p}_store_sk = s_store_sk
    WHERE d_year IN (2001, 2002) AND i_manager_id > {r.randint(0, 8)}
    GROUP BY i_category, i_class, i_brand, s_store_name, d_year, d_moy))
WHERE rn <= 20 AND CASE WHEN avg_monthly <> 0 THEN abs(sales - avg_monthly) / avg_monthly ELSE NULL END > 0.1
ORDER BY share DESC, i_category, i_class, i_brand, s_store_name, d_year, d_moy LIMIT 100"""


def rolled_up(r: random.Random) -> str:
    """Three channels as one, ROLLUP over two names, averages of many measures."""
    union = "\n    UNION ALL\n".join(
        f"""    SELECT '{c.table}' AS channel, {c.p}_item_sk AS item_sk, {c.p}_customer_sk AS customer_sk,
      {c.p}_sales_price AS price, {c.p}_quantity AS quantity, {c.p}_profit AS profit
    FROM {c.table} JOIN date_dim ON {c.p}_date_sk = d_date_sk WHERE d_qoy = {r.randint(1, 4)}"""
        for c in CHANNELS
    )
    return f"""
SELECT channel, i_category, grouping(i_category) AS level, count(*) AS n,
  sum(price * quantity) AS revenue, avg(profit) AS profit, max(price) AS top, min(price) AS bottom,
  sum(CASE WHEN c_gender = 'F' THEN 1 ELSE 0 END) AS women, count(DISTINCT c_state) AS states,
  sum(CASE WHEN quantity BETWEEN 1 AND 20 THEN price * quantity ELSE 0 END) AS few,
  sum(CASE WHEN quantity BETWEEN 21 AND 60 THEN price * quantity ELSE 0 END) AS some_more,
  sum(CASE WHEN quantity > 60 THEN price * quantity ELSE 0 END) AS many
FROM (
{union}) sales JOIN item ON item_sk = i_item_sk LEFT JOIN customer ON customer_sk = c_customer_sk
WHERE i_current_price > {r.randint(0, 40)}
GROUP BY ROLLUP (channel, i_category) ORDER BY channel, i_category, level, n LIMIT 100"""


def correlated(r: random.Random) -> str:
    """EXISTS, IN and a comparison with an average of the same group."""
    c = r.choice((WEB, CATALOG))
    aggregates = ",\n  ".join(
        f"min({x}) AS {x}_min, max({x} + {i}) AS {x}_max, round(avg({x} * 1.5), 2) AS {x}_avg, "
        f"sum(CASE WHEN {x} > {50 * i} THEN {x} ELSE 0 END) AS {x}_high"
        for i, x in enumerate(("spent", "tax", "cost", "profit"))
    )
    return f"""
SELECT c_state, c_gender, c_birth_year, count(*) AS cnt, avg(c_birth_year) AS born, max(spent) AS most,
  {aggregates}
FROM (
  SELECT c_customer_sk, c_state, c_gender, c_birth_year, sum(ss_sales_price) AS spent,
    sum(ss_tax) AS tax, sum(ss_cost) AS cost, sum(ss_profit) AS profit
  FROM customer JOIN store_sales s1 ON c_customer_sk = ss_customer_sk JOIN item i1 ON ss_item_sk = i1.i_item_sk
  WHERE i1.i_current_price > {r.choice(("0.8", "1.1", "1.2"))} *
      (SELECT avg(i2.i_current_price) FROM item i2 WHERE i2.i_category = i1.i_category)
    AND EXISTS (SELECT * FROM {c.table} JOIN date_dim ON {c.p}_date_sk = d_date_sk
      WHERE {c.p}_customer_sk = c_customer_sk AND d_year = {r.choice((2001, 2002))})
    AND c_customer_sk IN (SELECT sr_customer_sk FROM store_returns WHERE sr_quantity > {r.randint(1, 40)})
  GROUP BY c_customer_sk, c_state, c_gender, c_birth_year)
GROUP BY c_state, c_gender, c_birth_year ORDER BY c_state, c_gender, c_birth_year, cnt LIMIT 100"""


def buckets(r: random.Random) -> str:
    """Scalar subqueries within CASE, over and over the same table."""
    c = r.choice(CHANNELS)
    cases = ",\n  ".join(
        f"""CASE WHEN (SELECT count(*) FROM {c.table} WHERE {c.p}_quantity BETWEEN {low} AND {low + 19})
      > {r.randint(50, 400)}
    THEN (SELECT avg({c.p}_discount) FROM {c.table} WHERE {c.p}_quantity BETWEEN {low} AND {low + 19})
    ELSE (SELECT avg({c.p}_profit) FROM {c.table} WHERE {c.p}_quantity BETWEEN {low} AND {low + 19})
    END AS bucket{low}"""
        for low in (1, 21, 41)
    )
    return f"SELECT s_store_id,\n  {cases}\nFROM store WHERE s_store_sk = {r.randint(0, 11)}"


def channels_side_by_side(r: random.Random) -> str:
    """Three aggregates as CTEs, outer-joined on customer and item."""
    ctes = ",\n".join(
        f"""{c.p} AS (
  SELECT d_year AS {c.p}_year, {c.p}_item_sk, {c.p}_customer_sk, sum({c.p}_quantity) AS {c.p}_qty,
    sum({c.p}_cost) AS {c.p}_wc, sum({c.p}_sales_price) AS {c.p}_sp,
    {", ".join(_measures(r, c, 6, named=[f"{c.p}_{n}" for n in "abcdef"]))}
  FROM {c.table} JOIN date_dim ON {c.p}_date_sk = d_date_sk
  GROUP BY d_year, {c.p}_item_sk, {c.p}_customer_sk)"""
        for c in CHANNELS
    )
    return f"""
WITH {ctes}
SELECT ss_year, ss_item_sk, ss_customer_sk,
  round(ss_qty / (coalesce(ws_qty, 0) + coalesce(cs_qty, 0) + 1), 2) AS ratio,
  ss_qty AS store_qty, ss_wc AS store_cost, ss_sp AS store_price,
  coalesce(ws_qty, 0) + coalesce(cs_qty, 0) AS other_qty, coalesce(ws_wc, 0) + coalesce(cs_wc, 0) AS other_cost,
  coalesce(ws_sp, 0) + coalesce(cs_sp, 0) AS other_price,
  {", ".join(f"coalesce(ss_{n}, 0) + coalesce(ws_{n}, 0) + coalesce(cs_{n}, 0) AS {n}" for n in "abcdef")}
FROM ss LEFT JOIN ws ON ws_year = ss_year AND ws_item_sk = ss_item_sk AND ws_customer_sk = ss_customer_sk
  LEFT JOIN cs ON cs_year = ss_year AND cs_item_sk = ss_item_sk AND cs_customer_sk = ss_customer_sk
WHERE (coalesce(ws_qty, 0) > 0 OR coalesce(cs_qty, 0) > 0 OR ss_qty > {r.randint(20, 80)}) AND ss_year = 2001
ORDER BY ss_item_sk, ss_customer_sk, ratio LIMIT 100"""


def by_weekday(r: random.Random) -> str:
    """Sums by day of the week as columns, this year's beside last year's."""
    a, b = r.sample(CHANNELS, 2)
    days = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
    sums = ",\n    ".join(
        f"sum(CASE WHEN d_day_name = '{d}' THEN price ELSE NULL END) AS {d[:3].lower()}" for d in days
    )
    compared = ",\n  ".join(
        f"CASE WHEN z.{d} IS NULL OR z.{d} = 0 THEN NULL ELSE round(y.{d} / z.{d}, 2) END AS {d},\n"
        f"  y.{d} - z.{d} AS {d}_more, (y.{d} + z.{d}) / 2 AS {d}_mean"
        for d in (day[:3].lower() for day in days)
    )
    return f"""
WITH wscs AS (
  SELECT {a.p}_date_sk AS sold_date_sk, {a.p}_sales_price AS price FROM {a.table}
  UNION ALL SELECT {b.p}_date_sk, {b.p}_sales_price FROM {b.table}),
weeks AS (
  SELECT d_week_seq, {sums}
  FROM wscs JOIN date_dim ON d_date_sk = sold_date_sk GROUP BY d_week_seq)
SELECT y.d_week_seq, {compared}
FROM weeks y JOIN weeks z ON y.d_week_seq = z.d_week_seq - {r.randint(40, 53)}
ORDER BY y.d_week_seq"""


def in_all_channels(r: random.Random) -> str:
    """INTERSECT and EXCEPT of what was bought where, then facts of those."""
    a, b, c = r.sample(CHANNELS, 3)
    sets = [
        f"SELECT i_brand, i_class, i_category FROM {x.table} JOIN item ON {x.p}_item_sk = i_item_sk "
        f"JOIN date_dim ON {x.p}_date_sk = d_date_sk WHERE d_moy <= {r.randint(6, 12)}"
        for x in (a, b)
    ]
    return f"""
WITH cross_items AS (
  SELECT i_item_sk AS sk FROM item JOIN (
    {sets[0]}
    {r.choice(("INTERSECT", "EXCEPT"))}
    {sets[1]}) both
  ON item.i_brand = both.i_brand AND item.i_class = both.i_class AND item.i_category = both.i_category),
average AS (SELECT avg({c.p}_quantity * {c.p}_list_price) AS average_sales FROM {c.table})
SELECT i_brand, i_class, {", ".join(_measures(r, c, 10))}, count(*) AS number_sales
FROM {c.table} JOIN item ON {c.p}_item_sk = i_item_sk
WHERE {c.p}_item_sk IN (SELECT sk FROM cross_items)
GROUP BY i_brand, i_class
HAVING sum({c.p}_quantity * {c.p}_list_price) > (SELECT average_sales FROM average) OR count(*) < {r.randint(2, 9)}
ORDER BY i_brand, i_class LIMIT 100"""


def _measures(r: random.Random, c: Channel, count: int, named: Sequence[str] | None = None) -> list[str]:
    columns = ("quantity", "list_price", "sales_price", "discount", "cost", "tax", "profit")
    forms = (
        "sum({0})",
        "avg({0})",
        "max({0} * 2)",
        "min(abs({0}))",
        "sum(coalesce({0}, 0) * (1 + {1}))",
        "sum(CASE WHEN {0} > {1} THEN {0} ELSE 0 END)",
    )
    return [
        f"{r.choice(forms).format(f'{c.p}_{r.choice(columns)}', f'{c.p}_tax')} AS {named[i] if named else f'm{i}'}"
        for i in range(count)
    ]


KINDS: tuple[Callable[[random.Random], str], ...] = (
    *(star_join, year_over_year, ranked, rolled_up, correlated),
    *(buckets, channels_side_by_side, by_weekday, in_all_channels),
)
