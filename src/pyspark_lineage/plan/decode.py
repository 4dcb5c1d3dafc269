# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""From the text that the bridge sends to nodes: one pass to make them all, one to fill them.

Two passes, so that the order of the ids means nothing and a node that is referred to twice is one node. Slots are
written through their descriptors: a node is frozen, and costs no more than a plain object.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..errors import DecodeError
from .tree import (
    EMPTY,
    NO_ORIGIN,
    REGISTRY,
    Call,
    Cut,
    Expression,
    LogicalPlan,
    Origin,
    TreeNode,
    Unknown,
    field_name,
    simple_name,
    snake_case,
)
from .types import TypeTable
from .values import BY_PLACE, WITHHELD, JvmObject, typed

GETTERS = "$getters"

_SMALL = 3
"""Objects of so few fields are worth a look whether the same one was there before."""

Put = Callable[[Any, Any], None]

_MALFORMED = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
_PLACE = re.compile(rf"\b(?:{'|'.join(BY_PLACE)})\b")

_put_id: Put = TreeNode.__dict__["node_id"].__set__
_put_class: Put = TreeNode.__dict__["class_name"].__set__
_put_children: Put = TreeNode.__dict__["children"].__set__
_put_refs: Put = TreeNode.__dict__["refs"].__set__
_put_origin: Put = TreeNode.__dict__["origin"].__set__
_put_getters: Put = TreeNode.__dict__["getters"].__set__


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A plan as it was at one moment: its root, all its nodes by id, and what is missing."""

    root: LogicalPlan
    nodes: tuple[TreeNode, ...]
    cut: tuple[str, ...]
    unknown: Counter[str]


def decode(snapshot: str | bytes | Mapping[str, Any], /) -> Snapshot:
    """The snapshot as nodes; `DecodeError` where it is not what a bridge of this version sends."""
    try:
        raw = json.loads(snapshot) if isinstance(snapshot, (str, bytes)) else snapshot
        return _Decoder(raw).run()
    except _MALFORMED as error:
        raise DecodeError(f"Malformed plan snapshot: {type(error).__name__}: {error}") from error


class _Shape:
    """How the nodes of one class of this snapshot are filled."""

    __slots__ = ("absent", "class_name", "cls", "getters_at", "kinds", "names", "places", "puts")

    def __init__(self, class_name: str, kind: str, names: list[str], kinds: str = "") -> None:
        base: type[TreeNode] = {"p": LogicalPlan, "e": Expression}[kind]
        cls = REGISTRY.get(class_name)
        if cls is None or not issubclass(cls, base):
            cls = Unknown if base is LogicalPlan else Call
        self.cls = cls
        self.class_name = class_name
        self.kinds = kinds or "v" * len(names)
        self.getters_at = names.index(GETTERS) if GETTERS in names else -1
        self.names: tuple[str, ...] | None = None
        self.puts: list[Put] = []
        self.absent: list[Put] = []
        self.places: list[tuple[str, Put, type[JvmObject]]] = []
        if cls in (Unknown, Call):
            self.names = tuple(map(snake_case, names))
            return
        setters = {name: _slot(cls, name) for name in cls.field_names if name != "children"}
        for name in names:
            self.puts.append(setters.pop(field_name(name), _leave))
        self.absent = list(setters.values())
        present = set(map(field_name, names))
        for name, hint in cls.field_hints.items():
            place = _PLACE.search(hint)
            if place and name in present:
                self.places.append((name, _slot(cls, name), BY_PLACE[place[0]]))


def _slot(cls: type[TreeNode], name: str) -> Put:
    return next(base.__dict__[name] for base in cls.__mro__ if name in base.__dict__).__set__  # type: ignore[no-any-return]


def _leave(_node: Any, _value: Any) -> None:
    """For a field that the class does not have: its nodes still are among the references."""


class _Decoder:
    __slots__ = ("by_id", "objects", "origins", "raw", "types")

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw
        self.by_id: dict[int, TreeNode] = {}
        self.types = TypeTable(raw["types"])
        self.objects: dict[str, JvmObject] = {}
        texts = raw.get("sql") or ()
        self.origins = [
            Origin(line, position, start, stop, texts[text] if text is not None else None, fragment, site)
            for line, position, start, stop, text, fragment, site in raw.get("origins") or ()
        ]

    def run(self) -> Snapshot:
        raw = self.raw
        shapes = [_Shape(*entry) for entry in raw["classes"]]
        new = object.__new__
        records = raw["nodes"]
        by_id = self.by_id
        by_id.update(enumerate([new(shapes[record[0]].cls) for record in records]))
        nodes = tuple(by_id.values())
        by_id[-1] = Cut()
        at = 0
        try:
            for at, record in enumerate(records):
                self.fill(nodes[at], at, shapes[record[0]], record)
        except _MALFORMED as error:
            name = shapes[records[at][0]].class_name
            raise DecodeError(f"Malformed node {at} ({name}): {type(error).__name__}: {error}") from error
        root = by_id[raw["root"]]
        if not isinstance(root, LogicalPlan):
            raise DecodeError(f"The root of a plan snapshot must be a plan, and is {root!r}")
        unknown = Counter(simple_name(node.class_name) for node in nodes if type(node) is Unknown)
        return Snapshot(root, nodes, tuple(raw.get("cut") or ()), unknown)

    def fill(self, node: TreeNode, node_id: int, shape: _Shape, record: list[Any]) -> None:
        by_id = self.by_id
        values = record[2]
        children = tuple([by_id[child] for child in record[1]])
        _put_id(node, node_id)
        _put_class(node, shape.class_name)
        _put_children(node, children)
        origin = record[3] if len(record) > 3 else -1
        _put_origin(node, NO_ORIGIN if origin < 0 else self.origins[origin])
        found: list[TreeNode] = []
        getters = EMPTY
        if shape.getters_at >= 0:
            getters = self.value(values[shape.getters_at], found) or EMPTY
        _put_getters(node, getters)
        if shape.names is None:
            if len(values) != len(shape.puts):
                raise ValueError(f"{len(values)} values for {len(shape.puts)} fields")
            value, types = self.value, self.types
            for put, sent, told in zip(shape.puts, values, shape.kinds):  # noqa: B905 - compared above, strict= costs
                kind = type(sent)
                if kind is str or sent is None or kind is bool:
                    put(node, sent)
                elif told != "v":
                    put(node, types[sent] if told == "T" else sent if told == "x" else WITHHELD)
                elif kind is int:
                    target = by_id[sent]
                    found.append(target)
                    put(node, target)
                else:
                    put(node, value(sent, found))
            for put in shape.absent:
                put(node, None)
            for name, put, cls in shape.places:
                there = getattr(node, name)
                if type(there) is JvmObject:
                    put(node, cls.of(there))
        else:
            fields = {
                name: self.value(sent, found) if told == "v" else self.bare(sent, told)
                for name, sent, told in zip(shape.names, values, shape.kinds, strict=True)
                if name != GETTERS
            }
            _put_fields[type(node)](node, MappingProxyType(fields))
        refs = tuple(found)
        _put_refs(node, children if not refs or refs == children else tuple(dict.fromkeys(children + refs)))

    def bare(self, sent: Any, told: str) -> Any:
        """A value that needs no tag, since its class says of what kind it is."""
        if sent is None or type(sent) is str:
            return sent
        return self.types[sent] if told == "T" else sent if told == "x" else WITHHELD

    def value(self, sent: Any, found: list[TreeNode]) -> Any:
        """What a field's value on the wire stands for; nodes on the way are added to `found`."""
        kind = type(sent)
        if kind is str or sent is None or kind is bool or kind is float:
            return sent
        if kind is int:
            node = self.by_id[sent]
            found.append(node)
            return node
        if kind is list:
            return tuple([self.value(item, found) for item in sent])
        tag = next(iter(sent), None)
        inner = sent.get(tag)
        if tag in ("x", "#"):
            return inner
        if tag == "T":
            return self.types[inner]
        if tag == "lit":
            return WITHHELD if sent.get("cut") else inner
        if tag == "md":
            return MappingProxyType(inner) if inner else EMPTY
        if tag == "m":
            return MappingProxyType({key: self.value(item, found) for key, item in inner.items()}) if inner else EMPTY
        if tag == "M":
            return tuple([(self.value(key, found), self.value(item, found)) for key, item in inner])
        if tag == "$":
            return self.object(sent, found)
        raise ValueError(f"unknown value tag {tag!r}")

    def object(self, sent: dict[str, Any], found: list[TreeNode]) -> JvmObject:
        """An object of the JVM; small ones (Scala objects, enums, evaluation modes) are made once."""
        fields = sent.get("f")
        key = None
        if fields is None or len(fields) <= _SMALL:
            key = str(sent)
            known = self.objects.get(key)
            if known is not None:
                return known
        before = len(found)
        value = typed(
            JvmObject(
                class_name=sent["$"].rstrip("$"),
                fields=self.members(fields, snake_case, found),
                getters=self.members(sent.get("g"), str, found),
            )
        )
        if key is not None and len(found) == before:  # with a node in it, it belongs to the node that holds it
            self.objects[key] = value
        return value

    def members(
        self, sent: dict[str, Any] | None, name: Callable[[str], str], found: list[TreeNode]
    ) -> Mapping[str, Any]:
        return MappingProxyType({name(key): self.value(item, found) for key, item in sent.items()}) if sent else EMPTY


_put_fields: dict[type, Put] = {cls: cls.__dict__["fields"].__set__ for cls in (Unknown, Call)}
