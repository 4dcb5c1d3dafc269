# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What carries a name or a value: attributes, aliases, literals, and the references that stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..tree import SQL, Expression
from ..types import DataType
from ..values import JvmObject, Withheld

ExprId = int | str
"""The id that ties a reference to what it refers to; `"7@uuid"` if it was given by another JVM."""

ANALYSIS = f"{SQL}.catalyst.analysis"


class AttributeReference(Expression):
    """`a`, `t.a`: a column of a child, known by its `expr_id`."""

    name: str
    data_type: DataType
    nullable: bool | None = None
    metadata: Mapping[str, Any] | None = None
    expr_id: ExprId
    qualifier: tuple[str, ...] | None = None


class Alias(Expression):
    """`… AS name`: a new column."""

    child: Expression
    name: str
    expr_id: ExprId
    qualifier: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] | None = None


class MultiAlias(Expression, package=ANALYSIS):
    """`explode(m) AS (k, v)`, before the analyzer has read it."""

    child: Expression
    names: tuple[str, ...]


class BoundReference(Expression):
    """A column by position."""

    ordinal: int
    data_type: DataType
    nullable: bool | None = None


class Literal(Expression):
    """`1`, `'x'`, `NULL`: the value is text, None for NULL, or `WITHHELD`."""

    value: str | Withheld | None
    data_type: DataType


class OuterReference(Expression):
    """A column of the query around a correlated subquery."""

    e: Expression


class OuterScopeReference(Expression):
    """A column of a query further out than the one around (Spark 4.1 and later)."""

    e: Expression


class LateralColumnAliasReference(Expression):
    """`d` in `SELECT a * 2 AS d, d + 1`, before the analyzer has rewritten it."""

    ne: Expression
    name_parts: tuple[str, ...]
    a: AttributeReference


class VariableReference(Expression):
    """A session variable (Spark 4.0 and later)."""

    original_name_parts: tuple[str, ...]
    catalog: JvmObject | None = None
    identifier: JvmObject | None = None
    var_def: JvmObject | None = None
    can_fold: bool | None = None


class NamedArgumentExpression(Expression):
    """`key => value` in a call."""

    key: str
    value: Expression


class ResolvedStar(Expression, package=ANALYSIS):
    """`*`, with the columns that it stands for."""

    expressions: tuple[Expression, ...]


class TempResolvedColumn(Expression, package=ANALYSIS):
    """A column that the analyzer is not sure of yet."""

    child: Expression
    name_parts: tuple[str, ...]
    has_tried: bool | None = None


class UnresolvedAttribute(Expression, package=ANALYSIS):
    """A column name that the analyzer has not looked up."""

    name_parts: tuple[str, ...]


class SortOrder(Expression):
    """`a DESC NULLS LAST`."""

    child: Expression
    direction: JvmObject
    null_ordering: JvmObject | None = None
    same_order_expressions: tuple[Expression, ...] | None = None


class CommonExpressionDef(Expression):
    """What a `With` computes once (Spark 4.0 and later)."""

    child: Expression
    id: Any


class CommonExpressionRef(Expression):
    """The use of what a `With` computes once (Spark 4.0 and later)."""

    id: Any
    data_type: DataType
    nullable: bool | None = None


class With(Expression):
    """An expression over others that are computed once: `BETWEEN`, `nullif` (Spark 4.0 and later)."""

    child: Expression
    defs: tuple[CommonExpressionDef, ...]


class Assignment(Expression, package=f"{SQL}.catalyst.plans.logical"):
    """`SET key = value` of an UPDATE or MERGE."""

    key: Expression
    value: Expression


class ResolvedFieldName(Expression, package=ANALYSIS):
    """The column that an ALTER TABLE is about."""

    path: tuple[str, ...]
    field: JvmObject | None = None
