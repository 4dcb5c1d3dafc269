# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Schemas of datasets, from what the plan says about relations and queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark_lineage.plan.types import StructField, StructType

if TYPE_CHECKING:
    from pyspark_lineage.plan.values import HadoopFsRelation


def files_schema(relation: HadoopFsRelation, /) -> StructType | None:
    """The columns in the files and those in the names of their directories, as `HadoopFsRelation.schema` puts them."""
    data, partitions = relation.data_schema, relation.partition_schema
    if data is None or partitions is None or not partitions.fields:
        return data or partitions
    in_paths = {field.name.lower(): field for field in partitions.fields}
    columns = [in_paths.pop(field.name.lower(), field) for field in data.fields]
    return StructType((*columns, *in_paths.values()))


def query_schema(schema: StructType | None, names: Sequence[str] | None = None, /) -> StructType | None:
    """The columns of the query that a command writes (its `query_schema`), under the names that it gives them."""
    if schema is None or not names or len(names) != len(schema.fields):
        return schema
    return StructType(
        tuple(
            StructField(name, field.data_type, field.nullable, field.metadata)
            for field, name in zip(schema.fields, names, strict=True)
        )
    )
