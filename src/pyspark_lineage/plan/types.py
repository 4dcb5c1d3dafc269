# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Spark's data types, read from their JSON when somebody looks: a wide schema that nobody reads costs nothing."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from .tree import EMPTY

RAW_TYPE = "__CHAR_VARCHAR_TYPE_STRING"
"""Where Spark keeps the char(n) or varchar(n) of a column that it treats as a string (CharVarcharUtils)."""


class DataType:
    """A type of a column. Types are equal when they describe the same values."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataType):
            return NotImplemented
        return _same(self, other)

    def __hash__(self) -> int:
        return hash((type(self).__name__, type_name(self)))

    def __repr__(self) -> str:
        return f"<{type_name(self)}>"


class AtomicType(DataType):
    """A type without parts, by the name in Spark's JSON: `long`, `string`, `decimal(10,2)`."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        self.name = name

    def __hash__(self) -> int:
        return hash(self.name)


class StructField:
    """A column of a schema, or a field of a struct."""

    __slots__ = ("data_type", "metadata", "name", "nullable")

    def __init__(
        self, name: str, data_type: DataType, nullable: bool = True, metadata: Mapping[str, Any] = EMPTY
    ) -> None:
        self.name = name
        self.data_type = data_type
        self.nullable = nullable
        self.metadata = metadata

    @property
    def comment(self) -> str | None:
        """What `COMMENT '…'` says of the column."""
        comment = self.metadata.get("comment")
        return comment if isinstance(comment, str) else None

    @property
    def raw_type(self) -> str | None:
        """`char(n)` or `varchar(n)` where the user declared one: the data type itself is then string."""
        raw = self.metadata.get(RAW_TYPE)
        return raw if isinstance(raw, str) else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StructField):
            return NotImplemented
        return _same_field(self, other) and _same(self.data_type, other.data_type)

    def __hash__(self) -> int:
        return hash((self.name, self.nullable))

    def __repr__(self) -> str:
        return f"<{self.name}: {type_name(self.data_type)}>"


class StructType(DataType):
    """A struct, or the schema of a table."""

    __slots__ = ("_fields", "_raw")

    def __init__(self, fields: tuple[StructField, ...] = (), *, raw: Any = None) -> None:
        self._fields: tuple[StructField, ...] | None = None if raw is not None else tuple(fields)
        self._raw = raw

    @property
    def fields(self) -> tuple[StructField, ...]:
        """The fields in order."""
        if self._fields is None:
            self._fields = tuple(map(_field, self._raw.get("fields") or ()))
            self._raw = None
        return self._fields

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields in order."""
        return tuple(field.name for field in self.fields)


class ArrayType(DataType):
    """`ARRAY<…>`."""

    __slots__ = ("_element", "contains_null")

    def __init__(self, element_type: DataType | None = None, contains_null: bool = True, *, raw: Any = None) -> None:
        self._element: Any = element_type if raw is None else raw
        self.contains_null = contains_null

    @property
    def element_type(self) -> DataType:
        """The type of the elements."""
        self._element = parsed = parse_type(self._element)
        return parsed


class MapType(DataType):
    """`MAP<…, …>`."""

    __slots__ = ("_key", "_value", "value_contains_null")

    def __init__(self, key_type: Any, value_type: Any, value_contains_null: bool = True) -> None:
        self._key = key_type
        self._value = value_type
        self.value_contains_null = value_contains_null

    @property
    def key_type(self) -> DataType:
        """The type of the keys."""
        self._key = parsed = parse_type(self._key)
        return parsed

    @property
    def value_type(self) -> DataType:
        """The type of the values."""
        self._value = parsed = parse_type(self._value)
        return parsed


class UserDefinedType(DataType):
    """A type of the user's own, with the type that it is stored as."""

    __slots__ = ("_sql_type", "class_name")

    def __init__(self, class_name: str, sql_type: Any) -> None:
        self.class_name = class_name
        self._sql_type = sql_type

    @property
    def sql_type(self) -> DataType:
        """What Spark stores."""
        self._sql_type = parsed = parse_type(self._sql_type)
        return parsed


_atomic = functools.lru_cache(maxsize=4096)(AtomicType)


def parse_type(raw: Any, /) -> DataType:
    """The type that a value of Spark's `DataType.json` describes: one level of it, the rest when it is read."""
    if isinstance(raw, str):
        return _atomic(raw)
    if isinstance(raw, DataType):
        return raw
    if not isinstance(raw, Mapping):
        return _atomic("void")
    match raw.get("type"):
        case "struct":
            return StructType(raw=raw)
        case "array":
            return ArrayType(raw=raw.get("elementType"), contains_null=bool(raw.get("containsNull", True)))
        case "map":
            return MapType(raw.get("keyType"), raw.get("valueType"), bool(raw.get("valueContainsNull", True)))
        case "udt":
            return UserDefinedType(raw.get("class") or raw.get("pyClass") or "", raw.get("sqlType"))
        case other:
            return _atomic(str(other))


def type_name(data_type: DataType, /) -> str:
    """Spark's `typeName`: `long`, `decimal(10,2)`, `struct`, `array`, `map`; of a user's type the name of its class."""
    match data_type:
        case AtomicType():
            return data_type.name
        case StructType():
            return "struct"
        case ArrayType():
            return "array"
        case MapType():
            return "map"
        case UserDefinedType():
            # DataType.typeName: the simple name of the class without Type or UDT, in lower case
            simple = data_type.class_name.rpartition(".")[2]
            return simple.removesuffix("$").removesuffix("Type").removesuffix("UDT").lower() or "udt"
    return type(data_type).__name__.removesuffix("Type").lower()


class TypeTable:
    """The types of one snapshot: each is made once, when it is first asked for."""

    __slots__ = ("_raw", "_types")

    def __init__(self, raw: list[Any]) -> None:
        self._raw = raw
        self._types: dict[int, DataType] = {}

    def __getitem__(self, index: int) -> DataType:
        found = self._types.get(index)
        if found is None:
            if index < 0:
                raise IndexError(f"type {index}")
            found = self._types[index] = parse_type(self._raw[index])
        return found


def _field(raw: Mapping[str, Any]) -> StructField:
    metadata = raw.get("metadata")
    return StructField(
        raw["name"],
        parse_type(raw.get("type")),
        bool(raw.get("nullable", True)),
        MappingProxyType(metadata) if metadata else EMPTY,
    )


def _same_field(one: StructField, other: StructField) -> bool:
    return one.name == other.name and one.nullable == other.nullable and one.metadata == other.metadata


def _same(one: DataType, other: DataType) -> bool:
    """Equality with a stack of its own: a type may be nested deeper than Python recurses."""
    pairs = [(one, other)]
    while pairs:
        match pairs.pop():
            case (left, right) if left is right:
                continue
            case (AtomicType() as left, AtomicType() as right):
                if left.name != right.name:
                    return False
            case (StructType() as left, StructType() as right):
                if len(left.fields) != len(right.fields):
                    return False
                for a, b in zip(left.fields, right.fields, strict=True):
                    if not _same_field(a, b):
                        return False
                    pairs.append((a.data_type, b.data_type))
            case (ArrayType() as left, ArrayType() as right):
                if left.contains_null != right.contains_null:
                    return False
                pairs.append((left.element_type, right.element_type))
            case (MapType() as left, MapType() as right):
                if left.value_contains_null != right.value_contains_null:
                    return False
                pairs += [(left.key_type, right.key_type), (left.value_type, right.value_type)]
            case (UserDefinedType() as left, UserDefinedType() as right):
                if left.class_name != right.class_name:
                    return False
                pairs.append((left.sql_type, right.sql_type))
            case _:
                return False
    return True
