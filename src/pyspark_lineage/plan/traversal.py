# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Walks over a plan, each node once, with a stack of their own: a plan is a graph, and may be deeper than Python is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from .tree import Expression, LogicalPlan, TreeNode

N = TypeVar("N", bound=TreeNode)


def walk(root: TreeNode, /) -> Iterator[TreeNode]:
    """Every node that the root leads to, itself first, by any field: also through commands and subqueries."""
    seen: set[TreeNode] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        stack.extend(reversed(node.refs))


def plans(root: TreeNode, /) -> Iterator[LogicalPlan]:
    """The plan nodes among them."""
    return find(root, LogicalPlan)


def find(root: TreeNode, cls: type[N] | tuple[type[N], ...], /) -> Iterator[N]:
    """The nodes of a class among them."""
    for node in walk(root):
        if isinstance(node, cls):
            yield node


def expressions(node: TreeNode, /) -> Iterator[Expression]:
    """Every expression of this one plan node (or below this one expression), not those of plans inside it."""
    seen: set[TreeNode] = {node}
    stack = list(reversed(node.refs))
    while stack:
        ref = stack.pop()
        if ref in seen or isinstance(ref, LogicalPlan):
            continue
        seen.add(ref)
        if isinstance(ref, Expression):
            yield ref
        stack.extend(reversed(ref.refs))
