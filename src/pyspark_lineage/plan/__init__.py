# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The plan model: Catalyst's nodes as data. `decode` makes them, `walk` and its kin go over them, `show` prints them.

Node classes are found by family: `plan.relations`, `plan.operators`, `plan.commands`, `plan.expressions`
(a module: the function of that name is `plan.traversal.expressions`).
"""

from . import commands, expressions, operators, relations, types, values
from .decode import Snapshot, decode
from .record import Recorded, read_recording, write_recording
from .show import show
from .traversal import find, plans, walk
from .tree import NO_ORIGIN, Call, Cut, Expression, LogicalPlan, Origin, TreeNode, Unknown
from .types import type_name

__all__ = [
    "NO_ORIGIN",
    "Call",
    "Cut",
    "Expression",
    "LogicalPlan",
    "Origin",
    "Recorded",
    "Snapshot",
    "TreeNode",
    "Unknown",
    "commands",
    "decode",
    "expressions",
    "find",
    "operators",
    "plans",
    "read_recording",
    "relations",
    "show",
    "type_name",
    "types",
    "values",
    "walk",
    "write_recording",
]
