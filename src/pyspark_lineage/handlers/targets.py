# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What a command writes to, and therefore does not read.

Some commands carry their target as a plan: `INSERT INTO t` has the relation of t in a field beside the query. Only the
names of those fields are said here; a plug-in says it of its own nodes by `QueryPlanVisitor.targets`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark_lineage.plan import LogicalPlan

# Scala's class name: the fields (in snake_case) that hold the target.
_TARGET_FIELDS: dict[str, tuple[str, ...]] = {
    "AppendData": ("table",),
    "CreateTableAsSelect": ("name",),
    "DeleteFromTable": ("table",),
    "InsertIntoDataSourceCommand": ("logical_relation",),
    "InsertIntoStatement": ("table",),
    "MergeIntoTable": ("target_table",),
    "OverwriteByExpression": ("table",),
    "OverwritePartitionsDynamic": ("table",),
    "ReplaceData": ("table", "original_table"),
    "ReplaceTableAsSelect": ("name",),
    "UpdateTable": ("table",),
    "WriteDelta": ("table", "original_table"),
    "WriteToMicroBatchDataSource": ("relation",),
}


def targets(node: LogicalPlan, /) -> Iterator[LogicalPlan]:
    """The plans below a command that it writes to."""
    for name in _TARGET_FIELDS.get(node.simple_name, ()):
        target: Any = getattr(node, name, None)
        if target is None:
            target = (getattr(node, "fields", None) or {}).get(name)
        if isinstance(target, LogicalPlan):
            yield target
