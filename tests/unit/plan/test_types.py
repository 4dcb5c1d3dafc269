# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import time
from typing import Any

import pytest

from pyspark_lineage.plan.types import (
    ArrayType,
    AtomicType,
    MapType,
    StructField,
    StructType,
    TypeTable,
    UserDefinedType,
    parse_type,
    type_name,
)

VECTOR = {"type": "udt", "class": "org.apache.spark.ml.linalg.VectorUDT", "pyClass": "x.VectorUDT", "sqlType": "binary"}


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("long", "long"),
        ("decimal(10,2)", "decimal(10,2)"),
        ("interval day to second", "interval day to second"),
        ({"type": "struct", "fields": []}, "struct"),
        ({"type": "array", "elementType": "long", "containsNull": True}, "array"),
        ({"type": "map", "keyType": "long", "valueType": "string", "valueContainsNull": True}, "map"),
        (VECTOR, "vector"),
        ({"type": "udt", "pyClass": "my.PointUDT", "sqlType": "string"}, "point"),
        ({"type": "something new"}, "something new"),
        (None, "void"),
    ],
)
def test_names(raw: Any, name: str) -> None:
    assert type_name(parse_type(raw)) == name


def test_a_nested_schema() -> None:
    raw = {
        "type": "struct",
        "fields": [
            {"name": "a", "type": "long", "nullable": False, "metadata": {"comment": "the id"}},
            {"name": "c", "type": "string", "nullable": True, "metadata": {"__CHAR_VARCHAR_TYPE_STRING": "char(5)"}},
            {
                "name": "m",
                "type": {"type": "map", "keyType": "string", "valueType": VECTOR, "valueContainsNull": False},
            },
            {"name": "xs", "type": {"type": "array", "elementType": {"type": "struct", "fields": []}}},
        ],
    }
    schema = parse_type(raw)
    assert isinstance(schema, StructType)
    assert schema == StructType(
        (
            StructField("a", AtomicType("long"), False, {"comment": "the id"}),
            StructField("c", AtomicType("string"), True, {"__CHAR_VARCHAR_TYPE_STRING": "char(5)"}),
            StructField("m", MapType("string", UserDefinedType(VECTOR["class"], "binary"), False)),
            StructField("xs", ArrayType(StructType(()))),
        )
    )
    a, c, m, xs = schema.fields
    assert (a.comment, a.raw_type, c.comment, c.raw_type) == ("the id", None, None, "char(5)")
    assert isinstance(m.data_type, MapType)
    assert isinstance(m.data_type.value_type, UserDefinedType)
    assert type_name(m.data_type.value_type.sql_type) == "binary"
    assert isinstance(xs.data_type, ArrayType)
    assert xs.data_type.element_type == StructType()
    assert schema != StructType(schema.fields[:3])
    assert schema != AtomicType("struct")
    assert len({parse_type(raw), parse_type(raw)}) == 1


def test_types_of_a_snapshot_are_made_once() -> None:
    table = TypeTable(["long", {"type": "struct", "fields": [{"name": "a", "type": "long"}]}])
    assert table[0] is table[0] is parse_type("long")
    struct = table[1]
    assert struct is table[1]
    assert isinstance(struct, StructType)
    assert struct.fields is struct.fields
    assert struct.fields[0].data_type is table[0]
    with pytest.raises(IndexError):
        table[2]
    with pytest.raises(IndexError):
        table[-1]


def test_wide_and_deep() -> None:
    wide = {"type": "struct", "fields": [{"name": f"c{i}", "type": "long", "nullable": True} for i in range(10_000)]}
    table = TypeTable([wide])
    started = time.perf_counter()
    for _ in range(10_000):
        assert len(table[0].fields) == 10_000  # type: ignore[attr-defined]
    assert time.perf_counter() - started < 1

    def deep() -> Any:
        raw: Any = "long"
        for _ in range(20_000):
            raw = {"type": "struct", "fields": [{"name": "x", "type": {"type": "array", "elementType": raw}}]}
        return parse_type(raw)

    one, other = deep(), deep()
    assert one == other
