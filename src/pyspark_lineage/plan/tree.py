# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The frame of every plan node: what Catalyst's `TreeNode` is there, frozen.

A node class is a docstring and annotated fields; the fields are Scala's parameters in snake_case. Classes register
themselves under their Scala name when they are defined, so that a plug-in adds a node class by writing one.
"""

from __future__ import annotations

import functools
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:  # only type checkers need it, and the standard library has it from 3.11 on

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        return lambda cls: cls


SQL = "org.apache.spark.sql"
LOGICAL = f"{SQL}.catalyst.plans.logical"
EXPRESSIONS = f"{SQL}.catalyst.expressions"

EMPTY: Mapping[str, Any] = MappingProxyType({})

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@functools.lru_cache(maxsize=4096)
def snake_case(scala: str, /) -> str:
    """`projectList` -> `project_list`, `_resolved` -> `resolved`."""
    return _BOUNDARY.sub("_", scala).lower().lstrip("_")


@functools.lru_cache(maxsize=4096)
def field_name(scala: str, /) -> str:
    """The name in snake_case, with an underscore behind where Python or every node means something else by it."""
    name = snake_case(scala)
    return f"{name}_" if keyword.iskeyword(name) or name in RESERVED else name


@functools.lru_cache(maxsize=4096)
def simple_name(class_name: str, /) -> str:
    """`a.b.MergeRows$Keep` -> `Keep`."""
    return class_name.rstrip("$").rpartition(".")[2].rpartition("$")[2]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where in the user's program a node comes from: position in a SQL text, or a call in Python."""

    line: int | None = None
    start_position: int | None = None
    start_index: int | None = None
    stop_index: int | None = None
    sql_text: str | None = None
    fragment: str | None = None
    call_site: str | None = None


NO_ORIGIN = Origin()

FRAME = ("node_id", "class_name", "children", "refs", "origin", "getters")
"""The slots that every node has beside its fields."""

RESERVED = {*FRAME, "simple_name", "field_names", "packages"} - {"children"}

REGISTRY: dict[str, type[TreeNode]] = {}
"""Node classes by their Scala name."""


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class NodeMeta(type):
    """Turns annotations into slots and enters the class in the registry.

    `package` is where Scala has the class (a tuple where it moved between Spark versions); without it, that of the
    base class. `owner` is the Scala object it is nested in. An abstract class is not registered.
    """

    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        package: str | tuple[str, ...] | None = None,
        owner: str | None = None,
        abstract: bool = False,
    ) -> NodeMeta:
        inherited = {slot for base in bases for cls in base.__mro__ for slot in cls.__dict__.get("__slots__", ())}
        annotations = namespace.get("__annotations__", {})
        fields = [field for field, hint in annotations.items() if not str(hint).startswith("ClassVar")]
        for field in fields:
            namespace.pop(field, None)  # a default would be in the way of the slot; it is None at run time
        namespace["__slots__"] = tuple(field for field in fields if field not in inherited)
        cls = super().__new__(mcls, name, bases, namespace)
        if bases and bases != (TreeNode,):
            cls.field_names = (*(f for f in cls.field_names if f not in fields), *fields)
            cls.field_hints = {**cls.field_hints, **{field: str(annotations[field]) for field in fields}}
            type.__setattr__(cls, "__match_args__", cls.field_names)
        if package is not None:
            cls.packages = (package,) if isinstance(package, str) else package
        cls.canonical_name = f"{cls.packages[0]}.{owner + '$' if owner else ''}{name}" if cls.packages else name
        if not abstract:
            for where in cls.packages:
                REGISTRY[f"{where}.{owner + '$' if owner else ''}{name}"] = cls  # type: ignore[assignment]
        return cls

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: object) -> None:
        super().__init__(name, bases, namespace)

    field_names: tuple[str, ...]
    field_hints: Mapping[str, str]
    packages: tuple[str, ...]
    canonical_name: str


class TreeNode(metaclass=NodeMeta, abstract=True):
    """A node of a plan: never changed once it is there, and equal to nothing but itself.

    `children` are Catalyst's; `refs` are all the nodes in any field (subquery plans, the plan in a command), children
    first. `node_id` is the index in the snapshot, -1 for a node made by hand.
    """

    field_names: ClassVar[tuple[str, ...]] = ()
    field_hints: ClassVar[Mapping[str, str]] = EMPTY
    packages: ClassVar[tuple[str, ...]] = ()
    canonical_name: ClassVar[str] = ""

    node_id: int = -1
    class_name: str = ""
    children: tuple[TreeNode, ...] = ()
    refs: tuple[TreeNode, ...] = ()
    origin: Origin = NO_ORIGIN
    getters: Mapping[str, Any] = EMPTY

    if not TYPE_CHECKING:  # type checkers read the annotations

        def __init__(self, **given: Any) -> None:
            cls = type(self)
            strangers = given.keys() - {*cls.field_names, *FRAME}
            if strangers:
                known = ", ".join(cls.field_names) or "none"
                raise TypeError(f"{cls.__name__} has no field {', '.join(sorted(strangers))}. Fields: {known}.")
            put = object.__setattr__
            for field in cls.field_names:
                put(self, field, given.get(field))
            found = tuple(dict.fromkeys(nodes_in(given.get(field) for field in cls.field_names)))
            kind = LogicalPlan if isinstance(self, LogicalPlan) else Expression
            children = given.get("children")
            if children is None:
                children = tuple(node for node in found if isinstance(node, (kind, Cut)))
            put(self, "node_id", given.get("node_id", -1))
            put(self, "class_name", given.get("class_name", cls.canonical_name))
            put(self, "children", tuple(children))
            put(self, "refs", tuple(dict.fromkeys((*children, *found, *given.get("refs", ())))))
            put(self, "origin", given.get("origin", NO_ORIGIN))
            put(self, "getters", given.get("getters", EMPTY))

    @property
    def simple_name(self) -> str:
        """Scala's name of the class, without its package."""
        return simple_name(self.class_name)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"{self!r}: {name} cannot be set, a plan node never changes")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"{self!r}: {name} cannot be deleted, a plan node never changes")

    def __repr__(self) -> str:
        return f"<{self.simple_name} #{self.node_id}>" if self.node_id >= 0 else f"<{self.simple_name}>"


class LogicalPlan(TreeNode, package=LOGICAL, abstract=True):
    """An operator, a relation or a command."""


class Expression(TreeNode, package=EXPRESSIONS, abstract=True):
    """Anything that is computed, named or sorted by inside an operator."""


class Unknown(LogicalPlan, package=(), abstract=True):
    """A plan node that has no class here: walked through, counted, reported. Its fields are named in snake_case."""

    fields: Mapping[str, Any]


class Call(Expression, package=(), abstract=True):
    """An expression that has no class of its own, as most functions: a name over its children."""

    fields: Mapping[str, Any]

    @property
    def function(self) -> str:
        """The simple name of Spark's class: `Upper`, `Add`."""
        return simple_name(self.class_name)


class Cut(TreeNode, abstract=True):
    """What stands where the snapshot's budget ended: a plan or an expression, nobody knows."""


def nodes_in(values: Iterable[Any], /) -> Iterator[TreeNode]:
    """The tree nodes in field values, in order, through tuples, maps and objects, not through nodes."""
    stack = [iter(values)]
    while stack:
        for value in stack[-1]:
            if isinstance(value, TreeNode):
                yield value
            elif isinstance(value, (tuple, list)):
                stack.append(iter(value))
                break
            elif isinstance(value, Mapping):
                stack.append(iter(value.values()))
                break
            elif isinstance(fields := getattr(value, "fields", None), Mapping):
                stack.append(iter(fields.values()))
                break
        else:
            stack.pop()
