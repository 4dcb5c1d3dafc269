# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Typed Datasets: operators over JVM objects."""

from __future__ import annotations

from ..expressions import AttributeReference, SortOrder
from ..tree import Expression, LogicalPlan
from .relational import Named, Output


class DeserializeToObject(LogicalPlan):
    """Rows become JVM objects: the first half of a typed Dataset operation."""

    deserializer: Expression
    output_obj_attr: AttributeReference
    child: LogicalPlan


class SerializeFromObject(LogicalPlan):
    """JVM objects become rows: the last half of a typed Dataset operation."""

    serializer: Named
    child: LogicalPlan


class MapPartitions(LogicalPlan):
    """`Dataset.mapPartitions` over JVM objects."""

    output_obj_attr: AttributeReference
    child: LogicalPlan


class MapElements(LogicalPlan):
    """`Dataset.map` over JVM objects."""

    output_obj_attr: AttributeReference
    child: LogicalPlan


class TypedFilter(LogicalPlan):
    """`Dataset.filter` with a JVM function."""

    deserializer: Expression
    child: LogicalPlan


class AppendColumns(LogicalPlan):
    """`Dataset.groupByKey`."""

    deserializer: Expression
    serializer: Named
    child: LogicalPlan


class MapGroups(LogicalPlan):
    """`Dataset.mapGroups`, `flatMapGroups`."""

    key_deserializer: Expression
    value_deserializer: Expression
    grouping_attributes: Output
    data_attributes: Output
    data_order: tuple[SortOrder, ...] | None = None
    output_obj_attr: AttributeReference
    child: LogicalPlan


class CoGroup(LogicalPlan):
    """`Dataset.cogroup`."""

    key_deserializer: Expression
    left_deserializer: Expression
    right_deserializer: Expression
    left_group: Output
    right_group: Output
    left_attr: Output
    right_attr: Output
    output_obj_attr: AttributeReference
    left: LogicalPlan
    right: LogicalPlan
