# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Queries inside expressions. The plan is a field, not a child; `outer_attrs` are what it uses from around."""

from __future__ import annotations

from ..tree import Expression, LogicalPlan
from ..values import JvmObject
from .named import ExprId, SortOrder


class ScalarSubquery(Expression):
    """`(SELECT max(x) FROM t)` as a value."""

    plan: LogicalPlan
    outer_attrs: tuple[Expression, ...] | None = None
    expr_id: ExprId
    join_cond: tuple[Expression, ...] | None = None
    hint: JvmObject | None = None
    may_have_count_bug: bool | None = None
    need_single_join: bool | None = None


class ListQuery(Expression):
    """The `(SELECT …)` of an IN."""

    plan: LogicalPlan
    outer_attrs: tuple[Expression, ...] | None = None
    expr_id: ExprId
    num_cols: int | None = None
    join_cond: tuple[Expression, ...] | None = None
    hint: JvmObject | None = None


class InSubquery(Expression):
    """`a IN (SELECT …)`."""

    values: tuple[Expression, ...]
    query: ListQuery


class Exists(Expression):
    """`EXISTS (SELECT …)`."""

    plan: LogicalPlan
    outer_attrs: tuple[Expression, ...] | None = None
    expr_id: ExprId
    join_cond: tuple[Expression, ...] | None = None
    hint: JvmObject | None = None


class LateralSubquery(Expression):
    """The right side of a `LATERAL` join."""

    plan: LogicalPlan
    outer_attrs: tuple[Expression, ...] | None = None
    expr_id: ExprId
    join_cond: tuple[Expression, ...] | None = None
    hint: JvmObject | None = None


class FunctionTableSubqueryArgumentExpression(Expression):
    """`f(TABLE(t))`: the table that a table function is given."""

    plan: LogicalPlan
    outer_attrs: tuple[Expression, ...] | None = None
    expr_id: ExprId
    partition_by_expressions: tuple[Expression, ...] | None = None
    with_single_partition: bool | None = None
    order_by_expressions: tuple[SortOrder, ...] | None = None
    selected_input_expressions: tuple[Expression, ...] | None = None


class DynamicPruningSubquery(Expression):
    """A filter that the optimizer took from the other side of a join."""

    pruning_key: Expression
    build_query: LogicalPlan
    build_keys: tuple[Expression, ...] | None = None
    broadcast_key_index: int | None = None
    broadcast_key_indices: tuple[int, ...] | None = None
    only_in_broadcast: bool | None = None
    expr_id: ExprId
    hint: JvmObject | None = None
