# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Tables made from a query."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark_lineage.contract.context import OpenLineageContext
from pyspark_lineage.contract.handlers import QueryPlanVisitor
from pyspark_lineage.datasets.schema import query_schema
from pyspark_lineage.datasets.tables import table_dataset
from pyspark_lineage.datasets.value import OutputDataset
from pyspark_lineage.plan.commands import CreateDataSourceTableAsSelectCommand, SaveAsV1TableCommand
from pyspark_lineage.plan.types import StructType
from pyspark_lineage.plan.values import CatalogTable, JvmObject

# `saveAsTable` passes its mode on: it replaces the table that is there, or appends to it. SQL says ErrorIfExists or
# Ignore. (Appending creates the table where there is none, which the plan does not tell: nothing is claimed then.)
_LIFECYCLE = {"ErrorIfExists": "CREATE", "Ignore": "CREATE", "Overwrite": "OVERWRITE", "Append": None}


class CreateDataSourceTableAsSelectCommandVisitor(QueryPlanVisitor[CreateDataSourceTableAsSelectCommand]):
    """`CREATE TABLE t USING parquet AS SELECT ...`, `df.write.saveAsTable("t")`: the new table is the output."""

    def apply(self, x: CreateDataSourceTableAsSelectCommand, /) -> Sequence[OutputDataset] | None:
        return _created(self.context, x.table, x.mode, query_schema(x.query_schema, x.output_column_names))


class SaveAsV1TableCommandVisitor(QueryPlanVisitor[SaveAsV1TableCommand]):
    """`df.write.saveAsTable("t")` as Spark 4.2 and later plan it: the new table is the output."""

    def apply(self, x: SaveAsV1TableCommand, /) -> Sequence[OutputDataset] | None:
        return _created(self.context, x.table_desc, x.mode, x.query_schema)


def _created(
    context: OpenLineageContext,
    table: CatalogTable,
    mode: JvmObject | None,
    written: StructType | None,
) -> list[OutputDataset] | None:
    found = table_dataset(table, conf=context.conf)
    if found is None:
        return None
    schema = table.schema
    if schema is None or not schema.fields:
        schema = written  # the catalog does not know the columns before the query has run
    return [
        OutputDataset(
            found.namespace,
            found.name,
            schema=schema,
            symlinks=found.symlinks,
            table=found.table,
            provisional=found.provisional,
            lifecycle=_LIFECYCLE.get((mode.name if mode is not None else None) or "ErrorIfExists", "CREATE"),
            job_name_suffix=found.table,
            origin="CreateDataSourceTableAsSelectCommandVisitor",
        )
    ]
