# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Schemas out of relations and queries."""

from pyspark_lineage.datasets.schema import files_schema, query_schema
from pyspark_lineage.plan.expressions import AttributeReference
from pyspark_lineage.plan.relations import LocalRelation
from pyspark_lineage.plan.types import AtomicType, StructField, StructType, type_name
from pyspark_lineage.plan.values import HadoopFsRelation


def struct(**columns: str) -> StructType:
    return StructType(tuple(StructField(name, AtomicType(kind)) for name, kind in columns.items()))


def attribute(name: str, kind: str = "long") -> AttributeReference:
    return AttributeReference(name=name, data_type=AtomicType(kind), expr_id=hash(name))


def rows(*names: str) -> LocalRelation:
    return LocalRelation(output=tuple(attribute(name) for name in names))


def told(schema: StructType | None) -> list[tuple[str, str]] | None:
    return None if schema is None else [(field.name, type_name(field.data_type)) for field in schema.fields]


def test_partition_columns_come_last_unless_the_files_have_them_too() -> None:
    relation = HadoopFsRelation(
        data_schema=struct(a="long", Day="string"), partition_schema=struct(day="date", hour="integer")
    )
    assert told(files_schema(relation)) == [("a", "long"), ("day", "date"), ("hour", "integer")]
    assert told(files_schema(HadoopFsRelation(data_schema=struct(a="long")))) == [("a", "long")]
    assert files_schema(HadoopFsRelation()) is None


def test_a_write_gives_the_querys_columns_its_own_names() -> None:
    columns = struct(a="long", b="string")
    assert told(query_schema(columns)) == [("a", "long"), ("b", "string")]
    assert told(query_schema(columns, ("x", "y"))) == [("x", "long"), ("y", "string")]
    assert query_schema(None, ("x",)) is None


def test_names_that_do_not_fit_are_not_forced_upon_columns() -> None:
    columns = struct(a="long", b="string")
    assert query_schema(columns, ("x",)) is columns
    assert query_schema(columns, ()) is columns


def test_what_is_known_of_a_column_stays_with_it() -> None:
    field = StructField("a", AtomicType("string"), nullable=False, metadata={"comment": "the first"})
    renamed = query_schema(StructType((field,)), ("x",))
    assert renamed is not None
    assert [(one.name, one.nullable, one.comment) for one in renamed.fields] == [("x", False, "the first")]
