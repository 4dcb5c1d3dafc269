# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What a plan holds that is not a node: tables, relations, paths, RDDs. Facts, never live objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import fields as fields_of
from typing import Any, ClassVar, TypeVar

from .tree import EMPTY, SQL, simple_name
from .types import StructType

V = TypeVar("V", bound="JvmObject")


def _empty() -> Mapping[str, Any]:
    return EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class JvmObject:
    """An object of the JVM by its class and the facts that were read from it; also Scala objects and enums.

    The keys of `fields` are Scala's names in snake_case; those of `getters` are what a plug-in declared.
    """

    scala_name: ClassVar[str] = ""
    also_sent_as: ClassVar[tuple[tuple[str, str], ...]] = ()

    class_name: str = ""
    fields: Mapping[str, Any] = field(default_factory=_empty, compare=False, repr=False)
    getters: Mapping[str, Any] = field(default_factory=_empty, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.class_name:
            object.__setattr__(self, "class_name", self.scala_name)

    @property
    def simple_name(self) -> str:
        """The name of the class without its package: `Inner`, `SaveMode`."""
        return simple_name(self.class_name)

    @property
    def name(self) -> str | None:
        """The name that the object gives itself (`Overwrite` of a SaveMode), else that of its class (`Inner`)."""
        own = self.fields.get("name")
        return own if isinstance(own, str) else self.simple_name

    @classmethod
    def of(cls: type[V], value: JvmObject, /) -> V:
        """The same facts as a value of this class."""
        facts = {name: value.fields[name] for name in _own_fields(cls) if name in value.fields}
        for sent, name in cls.also_sent_as:
            if sent in value.fields:
                facts.setdefault(name, value.fields[sent])
        return cls(class_name=value.class_name, fields=value.fields, getters=value.getters, **facts)


def _own_fields(cls: type[JvmObject]) -> tuple[str, ...]:
    return tuple(f.name for f in fields_of(cls) if f.name not in ("class_name", "fields", "getters"))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableIdentifier(JvmObject):
    """`catalog.database.table`, as the session catalog knows it."""

    scala_name: ClassVar[str] = f"{SQL}.catalyst.TableIdentifier"

    table: str = ""
    database: str | None = None
    catalog: str | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that are known, the outermost first."""
        return tuple(part for part in (self.catalog, self.database, self.table) if part is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogStorageFormat(JvmObject):
    """Where and how a table of the session catalog is stored."""

    scala_name: ClassVar[str] = f"{SQL}.catalyst.catalog.CatalogStorageFormat"

    location_uri: str | None = None
    input_format: str | None = None
    output_format: str | None = None
    serde: str | None = None
    compressed: bool | None = None
    properties: Mapping[str, str] = field(default_factory=_empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogTable(JvmObject):
    """A table or view of the session catalog."""

    scala_name: ClassVar[str] = f"{SQL}.catalyst.catalog.CatalogTable"

    identifier: TableIdentifier | None = None
    table_type: JvmObject | None = None
    storage: CatalogStorageFormat | None = None
    schema: StructType | None = None
    provider: str | None = None
    partition_column_names: tuple[str, ...] = ()
    bucket_spec: JvmObject | None = None
    owner: str | None = None
    comment: str | None = None
    properties: Mapping[str, str] = field(default_factory=_empty)
    view_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec(JvmObject):
    """What a `CREATE TABLE` says beside the columns."""

    scala_name: ClassVar[str] = f"{SQL}.catalyst.plans.logical.TableSpec"

    properties: Mapping[str, str] = field(default_factory=_empty)
    provider: str | None = None
    options: Mapping[str, str] = field(default_factory=_empty)
    location: str | None = None
    comment: str | None = None
    collation: str | None = None
    serde: JvmObject | None = None
    external: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HadoopFsRelation(JvmObject):
    """Files under one or more directories. `roots` may be fewer than `root_count`."""

    scala_name: ClassVar[str] = f"{SQL}.execution.datasources.HadoopFsRelation"

    roots: tuple[str, ...] = ()
    root_count: int | None = None
    partition_schema: StructType | None = None
    data_schema: StructType | None = None
    bucket_spec: JvmObject | None = None
    file_format: JvmObject | None = None
    format: str | None = None
    location: JvmObject | None = None
    options: Mapping[str, str] = field(default_factory=_empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class JDBCRelation(JvmObject):
    """A table or query of a database behind JDBC."""

    scala_name: ClassVar[str] = f"{SQL}.execution.datasources.jdbc.JDBCRelation"

    schema: StructType | None = None
    url: str | None = None
    table: str | None = None
    options: Mapping[str, str] = field(default_factory=_empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRelation(JvmObject):
    """A `BaseRelation` of some connector."""

    schema: StructType | None = None


Relation = HadoopFsRelation | JDBCRelation | OtherRelation
"""What a `LogicalRelation` reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class V2Table(JvmObject):
    """A table of a DataSource V2 connector or catalog; a table of the session catalog is its `catalog_table`."""

    also_sent_as: ClassVar[tuple[tuple[str, str], ...]] = (("v1_table", "catalog_table"),)  # Spark's V1Table

    name: str | None = None
    properties: Mapping[str, str] = field(default_factory=_empty)
    schema: StructType | None = None
    catalog_table: CatalogTable | None = None
    url: str | None = None
    table: str | None = None
    roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogRef(JvmObject):
    """A catalog plug-in, by the name it has in this session."""

    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierRef(JvmObject):
    """The name of a V2 table inside its catalog."""

    namespace: tuple[str, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RddRef(JvmObject):
    """An RDD that became a DataFrame, and the chain of RDDs that it was computed from."""

    id: int | None = None
    name: str | None = None
    chain: tuple[JvmObject, ...] = ()


class Withheld:
    """The value of a literal that was too long to be sent, or not meant to leave."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<withheld>"


WITHHELD = Withheld()

KNOWN: dict[str, type[JvmObject]] = {
    cls.scala_name: cls
    for cls in (TableIdentifier, CatalogStorageFormat, CatalogTable, TableSpec, HadoopFsRelation, JDBCRelation)
}
"""Classes that are known by their Scala name; the others are known by where they stand."""

BY_PLACE: dict[str, type[JvmObject]] = {
    "V2Table": V2Table,
    "CatalogRef": CatalogRef,
    "IdentifierRef": IdentifierRef,
    "RddRef": RddRef,
    "Relation": OtherRelation,
}
"""What a field's annotation says of any object that stands there: connectors bring classes of their own."""


def typed(value: JvmObject, /) -> JvmObject:
    """The value under its class if that is known, else by what only one kind of object has."""
    cls = KNOWN.get(value.class_name)
    if cls is None:
        names = value.fields.keys()
        if "namespace" in names and "name" in names:
            cls = IdentifierRef
        elif "chain" in names:
            cls = RddRef
        elif "name" in names and "properties" in names:
            cls = V2Table
    return value if cls is None else cls.of(value)
