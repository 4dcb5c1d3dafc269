# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What SQL does with rows: projections, filters, joins, aggregates, sorts, set operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..expressions import AttributeReference, SortOrder
from ..tree import Expression, LogicalPlan
from ..values import JvmObject

Output = tuple[AttributeReference, ...]
Named = tuple[Expression, ...]  # AttributeReference, Alias, or what has a name without either


class Project(LogicalPlan):
    """`SELECT a, b + 1 AS c`, `withColumn`, `drop`."""

    project_list: Named
    child: LogicalPlan


class Filter(LogicalPlan):
    """`WHERE`, `HAVING`, `QUALIFY`, `df.filter`."""

    condition: Expression
    child: LogicalPlan


class Join(LogicalPlan):
    """`JOIN … ON`, `USING`, `FROM a, b`."""

    left: LogicalPlan
    right: LogicalPlan
    join_type: JvmObject
    condition: Expression | None = None
    hint: JvmObject | None = None


class LateralJoin(LogicalPlan):
    """`FROM a, LATERAL (SELECT … a.x …)`."""

    left: LogicalPlan
    right: Expression
    join_type: JvmObject
    condition: Expression | None = None


class AsOfJoin(LogicalPlan):
    """pandas-on-Spark's `merge_asof`, `ASOF JOIN` (Spark 4.3 and later)."""

    left: LogicalPlan
    right: LogicalPlan
    as_of_condition: Expression
    condition: Expression | None = None
    join_type: JvmObject
    order_expression: Expression
    tolerance_assertion: Expression | None = None
    using_columns: tuple[str, ...] | None = None
    match_left_operand: Expression | None = None
    match_operator: Any = None
    match_right_operand: Expression | None = None


class NearestByJoin(LogicalPlan):
    """A join with the nearest rows of the other side (Spark 4.2 and later)."""

    left: LogicalPlan
    right: LogicalPlan
    join_type: JvmObject
    approx: bool | None = None
    num_results: int | None = None
    ranking_expression: Expression
    direction: JvmObject | None = None


class Aggregate(LogicalPlan):
    """`GROUP BY`, `groupBy().agg`, `SELECT count(*)`."""

    grouping_expressions: tuple[Expression, ...]
    aggregate_expressions: Named
    child: LogicalPlan
    hint: JvmObject | None = None


class Window(LogicalPlan):
    """`… OVER (PARTITION BY … ORDER BY …)`."""

    window_expressions: Named
    partition_spec: tuple[Expression, ...]
    order_spec: tuple[SortOrder, ...]
    child: LogicalPlan
    hint: JvmObject | None = None


class WindowGroupLimit(LogicalPlan):
    """A rank that is compared with a limit, after optimization."""

    partition_spec: tuple[Expression, ...]
    order_spec: tuple[SortOrder, ...]
    rank_like_function: Expression
    limit: int
    child: LogicalPlan


class WithWindowDefinition(LogicalPlan):
    """`WINDOW w AS (…)`, before the analyzer has put it in place."""

    window_definitions: Mapping[str, Any]
    child: LogicalPlan
    for_pipe_sql: bool | None = None


class Sort(LogicalPlan):
    """`ORDER BY`, `SORT BY`, `sortWithinPartitions`."""

    order: tuple[SortOrder, ...]
    global_: bool
    child: LogicalPlan
    hint: JvmObject | None = None


class GlobalLimit(LogicalPlan):
    """`LIMIT n`, `df.limit(n)`."""

    limit_expr: Expression
    child: LogicalPlan


class LocalLimit(LogicalPlan):
    """The part of `LIMIT n` that each partition does."""

    limit_expr: Expression
    child: LogicalPlan


class LimitAll(LogicalPlan):
    """`LIMIT ALL` (Spark 4.1 and later)."""

    child: LogicalPlan


class Tail(LogicalPlan):
    """`df.tail(n)`."""

    limit_expr: Expression
    child: LogicalPlan


class Offset(LogicalPlan):
    """`OFFSET n`, `df.offset(n)`."""

    offset_expr: Expression
    child: LogicalPlan


class ReturnAnswer(LogicalPlan):
    """The root of a plan whose rows go to the driver."""

    child: LogicalPlan


class Union(LogicalPlan):
    """`UNION ALL`, `df.union`, `unionByName`."""

    children: tuple[LogicalPlan, ...]
    by_name: bool | None = None
    allow_missing_col: bool | None = None


class SequentialStreamingUnion(LogicalPlan):
    """A stream that reads its sources one after the other (Spark 4.2 and later)."""

    children: tuple[LogicalPlan, ...]
    by_name: bool | None = None
    allow_missing_col: bool | None = None


class Intersect(LogicalPlan):
    """`INTERSECT [ALL]`."""

    left: LogicalPlan
    right: LogicalPlan
    is_all: bool


class Except(LogicalPlan):
    """`EXCEPT [ALL]`, `MINUS`, `df.subtract`."""

    left: LogicalPlan
    right: LogicalPlan
    is_all: bool


class Distinct(LogicalPlan):
    """`SELECT DISTINCT`, `UNION`, `df.distinct`."""

    child: LogicalPlan


class Deduplicate(LogicalPlan):
    """`dropDuplicates`."""

    keys: Output
    child: LogicalPlan
    dedup_spec: Any = None


class DeduplicateWithinWatermark(LogicalPlan):
    """`dropDuplicatesWithinWatermark`."""

    keys: Output
    child: LogicalPlan
    dedup_spec: Any = None


class Generate(LogicalPlan):
    """`explode`, `LATERAL VIEW`, a table function with arguments."""

    generator: Expression
    unrequired_child_index: tuple[int, ...]
    outer: bool
    qualifier: str | None = None
    generator_output: Output
    child: LogicalPlan


class Expand(LogicalPlan):
    """`ROLLUP`, `CUBE`, `GROUPING SETS`, `UNPIVOT`: several rows out of one."""

    projections: tuple[tuple[Expression, ...], ...]
    output: Output
    child: LogicalPlan


class Pivot(LogicalPlan):
    """`PIVOT`, before the analyzer has rewritten it."""

    group_by_exprs_opt: Named | None = None
    pivot_column: Expression
    pivot_values: tuple[Expression, ...]
    aggregates: tuple[Expression, ...]
    child: LogicalPlan


class Unpivot(LogicalPlan):
    """`UNPIVOT`, `df.melt`, before the analyzer has rewritten it."""

    ids: Named | None = None
    values: tuple[tuple[Expression, ...], ...] | None = None
    aliases: tuple[str | None, ...] | None = None
    variable_column_name: str
    value_column_names: tuple[str, ...]
    child: LogicalPlan


class Transpose(LogicalPlan):
    """`df.transpose()` (Spark 4.0 and later): the rows have been collected, they are never here."""

    output: Output


class Sample(LogicalPlan):
    """`TABLESAMPLE`, `df.sample`, `randomSplit`."""

    lower_bound: float
    upper_bound: float
    with_replacement: bool
    seed: int | None = None
    child: LogicalPlan
    sample_method: JvmObject | None = None


class Repartition(LogicalPlan):
    """`repartition(n)`, `coalesce(n)`."""

    num_partitions: int
    shuffle: bool
    child: LogicalPlan


class RepartitionByExpression(LogicalPlan):
    """`repartition("c")`, `DISTRIBUTE BY`, `repartitionByRange`."""

    partition_expressions: tuple[Expression, ...]
    child: LogicalPlan
    opt_num_partitions: int | None = None
    opt_advisory_partition_size: int | None = None


class RebalancePartitions(LogicalPlan):
    """The hint `REBALANCE`."""

    partition_expressions: tuple[Expression, ...]
    child: LogicalPlan
    opt_num_partitions: int | None = None
    opt_advisory_partition_size: int | None = None


class ResolvedHint(LogicalPlan):
    """`/*+ BROADCAST(t) */`, `df.hint`."""

    child: LogicalPlan
    hints: JvmObject | None = None


class UnresolvedHint(LogicalPlan):
    """A hint before the analyzer has read it."""

    name: str
    parameters: tuple[Any, ...]
    child: LogicalPlan


class EventTimeWatermark(LogicalPlan):
    """`withWatermark`."""

    node_id_: str | None = None
    event_time: AttributeReference
    delay: Any = None
    child: LogicalPlan


class UpdateEventTimeWatermarkColumn(LogicalPlan):
    """The watermark of a view over a stream (Spark 4.0 and later)."""

    event_time: AttributeReference
    delay: Any = None
    child: LogicalPlan


class CollectMetrics(LogicalPlan):
    """`df.observe`."""

    name: str
    metrics: Named
    child: LogicalPlan
    dataframe_id: int | None = None


class DataFrameDropColumns(LogicalPlan):
    """`df.drop`, before the analyzer has made a projection of it."""

    drop_list: tuple[Expression, ...]
    child: LogicalPlan


class Subquery(LogicalPlan):
    """The root of a subquery while it is optimized."""

    child: LogicalPlan
    correlated: bool


class DomainJoin(LogicalPlan):
    """The outer columns that a correlated subquery was decorrelated with."""

    domain_attrs: Output
    child: LogicalPlan
    join_type: JvmObject
    condition: Expression | None = None
