# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`schema`: the columns of a dataset, nested ones too."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import attr
from openlineage.client.facet_v2 import schema_dataset

from pyspark_lineage import PRODUCER
from pyspark_lineage.contract.handlers import CustomFacetBuilder
from pyspark_lineage.datasets.value import Dataset
from pyspark_lineage.plan.types import ArrayType, DataType, MapType, StructField, StructType, UserDefinedType, type_name

if TYPE_CHECKING:
    from pyspark_lineage.contract.context import OpenLineageContext

Field = schema_dataset.SchemaDatasetFacetFields

# START and COMPLETE of one run name the same StructType objects: a handful is all that is asked for again.
_REMEMBERED = 64
# Deeper than this a type is named and not opened: JSON readers give up long before Spark does.
_DEEPEST = 100


@attr.define
class SharedSchemaDatasetFacet(schema_dataset.SchemaDatasetFacet):
    """A schema facet that nobody changes: its text is written once for all events and datasets that carry it."""

    shared_text: ClassVar[bool] = True


class SchemaDatasetFacetBuilder(CustomFacetBuilder[Dataset, schema_dataset.SchemaDatasetFacet]):
    """The columns of every table and file that is read or written, with Spark's type names."""

    def __init__(self, context: OpenLineageContext) -> None:
        super().__init__(context)
        self._made: dict[int, tuple[StructType, SharedSchemaDatasetFacet]] = {}

    def build(self, x: Dataset, consumer: Callable[[str, schema_dataset.SchemaDatasetFacet], None], /) -> None:
        schema = x.schema
        if schema is None:
            return
        made = self._made.get(id(schema))
        if made is None:
            fields = schema_fields(schema)
            if not fields:
                return
            if len(self._made) >= _REMEMBERED:
                self._made.clear()
            made = self._made[id(schema)] = (schema, SharedSchemaDatasetFacet(fields=fields, producer=PRODUCER))
        consumer("schema", made[1])


def schema_fields(schema: StructType, /) -> list[Field]:
    """The fields of a struct as the facet has them."""
    return [_column(field, position, 0) for position, field in enumerate(schema.fields, start=1)]


def _column(field: StructField, position: int, depth: int) -> Field:
    data_type = field.data_type
    return Field(
        field.name,
        type_name(data_type) or None,
        field.comment,
        position,
        _parts(data_type, depth + 1),
    )


def _parts(data_type: DataType, depth: int) -> list[Field] | None:
    """What a nested type consists of: a struct's fields, an array's `_element`, a map's `key` and `value`."""
    if depth > _DEEPEST:
        return None
    match data_type:
        case StructType():
            return [_column(field, position, depth) for position, field in enumerate(data_type.fields, start=1)] or None
        case ArrayType():
            return [_part("_element", data_type.element_type, depth)]
        case MapType():
            return [_part("key", data_type.key_type, depth), _part("value", data_type.value_type, depth)]
        case UserDefinedType():
            return _parts(data_type.sql_type, depth + 1)
    return None


def _part(name: str, data_type: DataType, depth: int) -> Field:
    return Field(name, type_name(data_type), None, None, _parts(data_type, depth + 1))
