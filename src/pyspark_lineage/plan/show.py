# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""A plan as text for people: a line a plan node, its arguments shortened, shared parts said once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..redaction import redact_text, suspicious
from .expressions import (
    AggregateExpression,
    Alias,
    AttributeReference,
    CaseWhen,
    Cast,
    Exists,
    GetStructField,
    In,
    InSubquery,
    LambdaFunction,
    LateralSubquery,
    ListQuery,
    Literal,
    NamedLambdaVariable,
    OuterReference,
    PythonUDAF,
    PythonUDF,
    ScalarSubquery,
    SortOrder,
    WindowExpression,
    WindowSpecDefinition,
)
from .tree import Cut, Expression, LogicalPlan, TreeNode, Unknown
from .types import DataType, type_name
from .values import (
    CatalogStorageFormat,
    CatalogTable,
    HadoopFsRelation,
    IdentifierRef,
    JDBCRelation,
    JvmObject,
    TableIdentifier,
    V2Table,
)

LIMIT = 240
"""How long the arguments of one node may be."""

_INFIX = {
    "Add": "+", "Subtract": "-", "Multiply": "*", "Divide": "/", "Remainder": "%", "And": "AND", "Or": "OR",
    "EqualTo": "=", "EqualNullSafe": "<=>", "LessThan": "<", "LessThanOrEqual": "<=", "GreaterThan": ">",
    "GreaterThanOrEqual": ">=", "Like": "LIKE", "RLike": "RLIKE",
}  # fmt: skip

_QUIET = {
    "hint", "hints", "is_streaming", "stream", "output_ordering", "output_partitioning", "table_stats", "resolved",
    "file_index", "is_analyzed", "dedup_spec", "hive_tmp_path", "is_barrier", "profile",
}  # fmt: skip
"""Fields that say nothing about lineage."""


def show(root: TreeNode, /, *, limit: int = LIMIT) -> str:
    """The plan as indented text; a part that is used again is shown where it comes first, then as `(see #n)`."""
    if not isinstance(root, LogicalPlan):
        return text(root, limit=limit)
    number: dict[TreeNode, int] = {}
    again: set[TreeNode] = set()
    lines: list[tuple[str, TreeNode | None, str]] = []
    told: set[TreeNode] = set()
    stack: list[tuple[TreeNode, int, str]] = [(root, 0, "")]
    while stack:
        node, depth, role = stack.pop()
        indent = "  " * min(depth, 60) + (f"…{depth}… " if depth > 60 else "") + role
        if node in number:
            again.add(node)
            lines.append((indent, None, f"{node.simple_name} (see #{number[node]})"))
            continue
        number[node] = len(number) + 1
        lines.append((indent, node, _describe(node, limit)))
        children = dict.fromkeys(child for child in node.children if isinstance(child, (LogicalPlan, Cut)))
        inner = dict.fromkeys(ref for ref in _inner_plans(node, told) if ref not in children)
        below = [(child, depth + 1, "") for child in children] + [(ref, depth + 1, "- ") for ref in inner]
        stack.extend(reversed(below))
    return "\n".join(f"{indent}{f'#{number[node]} ' if node in again else ''}{line}" for indent, node, line in lines)


def text(expression: TreeNode, /, *, limit: int = LIMIT) -> str:
    """An expression as compact text, at most about `limit` characters of it."""
    return _render([expression], limit)


def _inner_plans(node: TreeNode, told: set[TreeNode]) -> Iterator[TreeNode]:
    """Plans in the fields of a plan node, and in its expressions (subqueries): each expression is looked at once."""
    stack = list(reversed(node.refs))
    while stack:
        ref = stack.pop()
        if isinstance(ref, LogicalPlan):
            yield ref
        elif ref not in told:
            told.add(ref)
            stack.extend(reversed(ref.refs))


def _describe(node: TreeNode, limit: int) -> str:
    if isinstance(node, Cut):
        return "… cut …"
    if isinstance(node, Unknown):
        pairs: Iterable[tuple[str, Any]] = node.fields.items()
        name = f"{node.simple_name}?"
    else:
        pairs = ((field, getattr(node, field)) for field in type(node).field_names if field != "children")
        name = node.simple_name
    parts: list[Any] = [name]
    for field, value in pairs:
        if field in _QUIET or value is None or value is False or _is_plan(value):
            continue
        if isinstance(value, (tuple, Mapping)) and not value:
            continue
        parts += (" ", *((f"{field}=",) if isinstance(value, (bool, int, float)) else ()), value)
    return _render(parts, limit)


def _is_plan(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(isinstance(item, (LogicalPlan, Cut)) for item in value)
    return isinstance(value, (LogicalPlan, Cut))


def _render(parts: list[Any], limit: int) -> str:
    """Turns values into text until it is long enough: the depth and the width of what is left do not matter."""
    out: list[str] = []
    length = steps = 0
    stack = list(reversed(parts))
    while stack:
        steps += 1
        if length > limit or steps > 4 * limit + 64:
            out.append(" …")
            break
        value = stack.pop()
        if isinstance(value, str):
            piece = _clean(value)  # before it is shortened: half a URL may not be known for one
            piece = piece if len(piece) <= limit else f"{piece[:limit]}…"
            out.append(piece)
            length += len(piece)
        else:
            stack.extend(reversed(_pieces(value)))
    return _clean("".join(out)).replace("\n", "\\n")


def _clean(value: str) -> str:
    """Without secrets: a plan is shown on terminals and in logs."""
    return redact_text(value) if suspicious(value) else value


def _joined(values: Iterable[Any], before: str = "[", after: str = "]") -> list[Any]:
    pieces: list[Any] = [before]
    for i, value in enumerate(values):
        if i >= LIMIT:
            pieces.append(", …")
            break
        if i:
            pieces.append(", ")
        pieces.append(value)
    pieces.append(after)
    return pieces


def _pieces(value: Any) -> list[Any]:
    """One step of rendering: text, and values that are still to be rendered."""
    if isinstance(value, Expression):
        return _expression(value)
    if isinstance(value, LogicalPlan):
        return [value.simple_name]
    if isinstance(value, TreeNode):
        return ["…cut…"]
    if isinstance(value, tuple):
        return _joined(value)
    if isinstance(value, DataType):
        return [type_name(value)]
    if isinstance(value, JvmObject):
        return _object(value)
    if isinstance(value, Mapping):
        return _joined((_pair(key, item) for key, item in value.items()), "{", "}")
    return [str(value)]


def _pair(key: Any, value: Any) -> Any:
    return f"{key}={value}" if isinstance(value, (str, int, float)) or value is None else (key, value)


def _object(value: JvmObject) -> list[Any]:
    match value:
        case TableIdentifier():
            return [".".join(value.parts)]
        case CatalogTable():
            return [value.identifier or "?"]
        case HadoopFsRelation():
            return [value.format or "files", " ", value.roots]
        case CatalogStorageFormat():
            return [value.location_uri or value.simple_name]
        case JDBCRelation():
            return ["jdbc ", value.url or "?", " ", value.table or "?"]
        case V2Table(name=None, catalog_table=CatalogTable() as table):
            return [table]
        case IdentifierRef():
            return [".".join((*value.namespace, value.name or "?"))]
    return [value.name or value.simple_name]


def _id(expr_id: int | str | None) -> str:
    return f"#{expr_id}".partition("@")[0]


_TEXT: dict[type, Callable[[Any], list[Any]]] = {
    AttributeReference: lambda e: [str(e.name), _id(e.expr_id)],
    NamedLambdaVariable: lambda e: [str(e.name)],
    Alias: lambda e: [e.child, f" AS {e.name}", _id(e.expr_id)],
    OuterReference: lambda e: ["outer(", e.e, ")"],
    WindowExpression: lambda e: [e.window_function, " OVER ", e.window_spec],
    WindowSpecDefinition: lambda e: ["(", e.partition_spec or (), " ", e.order_spec or (), ")"],
    SortOrder: lambda e: [e.child, " DESC" if e.direction and e.direction.simple_name == "Descending" else " ASC"],
    Cast: lambda e: ["cast(", e.child, " as ", e.data_type, ")"],
    GetStructField: lambda e: [e.child, f".{e.name or e.ordinal}"],
    In: lambda e: [e.value, " IN ", *_joined(e.list or (), "(", ")")],
    InSubquery: lambda e: [*_joined(e.values or (), "(", ")"), " IN ", e.query],
    LambdaFunction: lambda e: [*_joined(e.arguments or (), "(", ")"), " -> ", e.function],
    PythonUDF: lambda e: [str(e.name), *_joined(e.children, "(", ")")],
    PythonUDAF: lambda e: [str(e.name), *_joined(e.children, "(", ")")],
    ScalarSubquery: lambda e: ["scalar-subquery", _id(e.expr_id)],
    ListQuery: lambda e: ["list", _id(e.expr_id)],
    Exists: lambda e: ["exists", _id(e.expr_id)],
    LateralSubquery: lambda e: ["lateral-subquery", _id(e.expr_id)],
}


def _expression(expression: Expression) -> list[Any]:
    special = _TEXT.get(type(expression))
    if special is not None:
        return special(expression)
    match expression:
        case Literal():
            if expression.value is None:
                return ["NULL"]
            quoted = isinstance(expression.value, str) and type_name(expression.data_type) in ("string", "date")
            return [f"'{expression.value}'" if quoted else str(expression.value)]
        case AggregateExpression():
            pieces: list[Any] = ["distinct " if expression.is_distinct else "", expression.aggregate_function]
            return pieces if expression.filter is None else [*pieces, " FILTER (", expression.filter, ")"]
        case CaseWhen():
            pieces = ["CASE"]
            for branch in (expression.branches or ())[:LIMIT]:
                pieces += (" WHEN ", branch[0], " THEN ", branch[-1])
            return [*pieces, *((" ELSE ", expression.else_value) if expression.else_value else ()), " END"]
    children = expression.children
    name = expression.simple_name
    if name in _INFIX and len(children) == 2:
        return ["(", children[0], f" {_INFIX[name]} ", children[1], ")"]
    return [name.lower(), *_joined(children, "(", ")")]
