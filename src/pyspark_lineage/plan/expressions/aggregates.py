# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Aggregation and windows."""

from __future__ import annotations

from ..tree import SQL, Expression
from ..types import DataType
from ..values import JvmObject
from .named import ExprId, SortOrder

AGGREGATE = f"{SQL}.catalyst.expressions.aggregate"


class AggregateExpression(Expression, package=AGGREGATE):
    """`sum([DISTINCT] a) [FILTER (WHERE p)]`: an aggregate function where it is used."""

    aggregate_function: Expression
    mode: JvmObject | None = None
    is_distinct: bool
    filter: Expression | None = None
    result_id: ExprId | None = None


class Count(Expression, package=AGGREGATE):
    """`count(*)`, `count(a)`."""

    children: tuple[Expression, ...]


class CountIf(Expression, package=AGGREGATE):
    """`count_if(p)`."""

    child: Expression


class First(Expression, package=AGGREGATE):
    """`first(a)`, `first_value(a)`."""

    child: Expression
    ignore_nulls: bool | None = None


class Last(Expression, package=AGGREGATE):
    """`last(a)`, `last_value(a)`."""

    child: Expression
    ignore_nulls: bool | None = None


class ListAgg(Expression, package=AGGREGATE):
    """`listagg(a, ',') WITHIN GROUP (ORDER BY b)` (Spark 4.0 and later)."""

    child: Expression
    delimiter: Expression | None = None
    order_expressions: tuple[SortOrder, ...] | None = None


class PivotFirst(Expression, package=AGGREGATE):
    """The second step of a PIVOT: the value of the group whose pivot column has each value."""

    pivot_column: Expression
    value_column: Expression
    pivot_column_values: tuple[str | None, ...] | None = None


class Grouping(Expression):
    """`grouping(a)`."""

    child: Expression


class GroupingID(Expression):
    """`grouping_id()`."""

    group_by_exprs: tuple[Expression, ...]


class GroupingSets(Expression):
    """`GROUPING SETS (…)`, before the analyzer has made an `Expand` of it."""

    grouping_set_indexes: tuple[tuple[int, ...], ...] | None = None
    flat_grouping_sets: tuple[Expression, ...] | None = None
    user_given_group_by_exprs: tuple[Expression, ...] | None = None


class Rollup(Expression):
    """`ROLLUP (…)`, before the analyzer has made an `Expand` of it."""

    grouping_set_indexes: tuple[tuple[int, ...], ...] | None = None
    children: tuple[Expression, ...]


class Cube(Expression):
    """`CUBE (…)`, before the analyzer has made an `Expand` of it."""

    grouping_set_indexes: tuple[tuple[int, ...], ...] | None = None
    children: tuple[Expression, ...]


class WindowExpression(Expression):
    """`f(…) OVER (…)`."""

    window_function: Expression
    window_spec: Expression


class WindowSpecDefinition(Expression):
    """`(PARTITION BY … ORDER BY … ROWS …)`."""

    partition_spec: tuple[Expression, ...]
    order_spec: tuple[SortOrder, ...]
    frame_specification: Expression | None = None


class SpecifiedWindowFrame(Expression):
    """`ROWS BETWEEN … AND …`."""

    frame_type: JvmObject
    lower: Expression
    upper: Expression


class Lag(Expression):
    """`lag(a, n, default)`."""

    input: Expression
    input_offset: Expression
    default: Expression
    ignore_nulls: bool | None = None


class Lead(Expression):
    """`lead(a, n, default)`."""

    input: Expression
    offset: Expression
    default: Expression
    ignore_nulls: bool | None = None


class NthValue(Expression):
    """`nth_value(a, n)`."""

    input: Expression
    offset: Expression
    ignore_nulls: bool | None = None


class RowNumber(Expression):
    """`row_number()`."""


class Rank(Expression):
    """`rank()`: its children are the columns of the ORDER BY."""

    children: tuple[Expression, ...]


class DenseRank(Expression):
    """`dense_rank()`: its children are the columns of the ORDER BY."""

    children: tuple[Expression, ...]


class PercentRank(Expression):
    """`percent_rank()`: its children are the columns of the ORDER BY."""

    children: tuple[Expression, ...]


class CumeDist(Expression):
    """`cume_dist()`."""


class NTile(Expression):
    """`ntile(n)`."""

    buckets: Expression


class TimeWindow(Expression):
    """`window(ts, '1 hour')`, before the analyzer has rewritten it."""

    time_column: Expression
    window_duration: int | None = None
    slide_duration: int | None = None
    start_time: int | None = None


class SessionWindow(Expression):
    """`session_window(ts, '5 minutes')`, before the analyzer has rewritten it."""

    time_column: Expression
    gap_duration: Expression


class PreciseTimestampConversion(Expression):
    """A timestamp as a number and back, inside `window(…)`."""

    child: Expression
    from_type: DataType
    to_type: DataType
