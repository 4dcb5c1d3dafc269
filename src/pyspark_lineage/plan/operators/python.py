# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Operators whose work is done outside the JVM: Python functions over rows, and scripts."""

from __future__ import annotations

from typing import Any

from ..expressions import AttributeReference
from ..tree import Expression, LogicalPlan
from ..types import StructType
from ..values import JvmObject
from .relational import Output


class ScriptTransformation(LogicalPlan):
    """`SELECT TRANSFORM(…) USING 'script'`."""

    script: str
    output: Output
    child: LogicalPlan
    ioschema: JvmObject | None = None


class BatchEvalPython(LogicalPlan):
    """Python UDFs, pulled out of a projection."""

    udfs: tuple[Expression, ...]
    result_attrs: Output
    child: LogicalPlan


class ArrowEvalPython(LogicalPlan):
    """pandas UDFs, pulled out of a projection."""

    udfs: tuple[Expression, ...]
    result_attrs: Output
    child: LogicalPlan
    eval_type: int | None = None


class BatchEvalPythonUDTF(LogicalPlan):
    """A Python table function."""

    udtf: Expression
    required_child_output: Output
    result_attrs: Output
    child: LogicalPlan


class ArrowEvalPythonUDTF(LogicalPlan):
    """A Python table function over Arrow."""

    udtf: Expression
    required_child_output: Output
    result_attrs: Output
    child: LogicalPlan
    eval_type: int | None = None


class MapInPandas(LogicalPlan):
    """`df.mapInPandas`."""

    function_expr: Expression
    output: Output
    child: LogicalPlan
    is_barrier: bool | None = None
    profile: JvmObject | None = None


class MapInArrow(LogicalPlan):
    """`df.mapInArrow` (Spark 4.0 and later)."""

    function_expr: Expression
    output: Output
    child: LogicalPlan
    is_barrier: bool | None = None
    profile: JvmObject | None = None


class PythonMapInArrow(LogicalPlan):
    """`df.mapInArrow` (Spark 3.5)."""

    function_expr: Expression
    output: Output
    child: LogicalPlan
    is_barrier: bool | None = None


class FlatMapGroupsInPandas(LogicalPlan):
    """`groupBy().applyInPandas`."""

    grouping_attributes: Output
    function_expr: Expression
    output: Output
    child: LogicalPlan


class FlatMapGroupsInArrow(LogicalPlan):
    """`groupBy().applyInArrow` (Spark 4.0 and later)."""

    grouping_attributes: Output
    function_expr: Expression
    output: Output
    child: LogicalPlan


class FlatMapCoGroupsInPandas(LogicalPlan):
    """`cogroup().applyInPandas`."""

    left_grouping_len: int
    right_grouping_len: int
    function_expr: Expression
    output: Output
    left: LogicalPlan
    right: LogicalPlan


class FlatMapCoGroupsInArrow(LogicalPlan):
    """`cogroup().applyInArrow` (Spark 4.0 and later)."""

    left_grouping_len: int
    right_grouping_len: int
    function_expr: Expression
    output: Output
    left: LogicalPlan
    right: LogicalPlan


class FlatMapGroupsInPandasWithState(LogicalPlan):
    """`applyInPandasWithState`."""

    function_expr: Expression
    grouping_attributes: Output
    output_attrs: Output
    state_type: StructType | None = None
    output_mode: JvmObject | None = None
    timeout: JvmObject | None = None
    child: LogicalPlan


class TransformWithStateInPandas(LogicalPlan):
    """`transformWithStateInPandas` (Spark 4.0)."""

    function_expr: Expression
    grouping_attributes_len: int
    output_attrs: Output
    output_mode: JvmObject | None = None
    time_mode: JvmObject | None = None
    child: LogicalPlan
    has_initial_state: bool | None = None
    initial_state: LogicalPlan | None = None
    init_grouping_attrs_len: int | None = None
    initial_state_schema: StructType | None = None


class TransformWithStateInPySpark(LogicalPlan):
    """`transformWithState`, `transformWithStateInPandas` (Spark 4.1 and later)."""

    function_expr: Expression
    grouping_attributes_len: int
    output_attrs: Output
    output_mode: JvmObject | None = None
    time_mode: JvmObject | None = None
    user_facing_data_type: Any = None
    child: LogicalPlan
    has_initial_state: bool | None = None
    initial_state: LogicalPlan | None = None
    init_grouping_attrs_len: int | None = None
    initial_state_schema: StructType | None = None


class AttachDistributedSequence(LogicalPlan):
    """pandas-on-Spark's default index."""

    sequence_attr: AttributeReference
    child: LogicalPlan
    cache: bool | None = None
