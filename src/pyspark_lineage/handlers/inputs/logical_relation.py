# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Reads of files and of data source tables."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark_lineage.contract.handlers import QueryPlanVisitor
from pyspark_lineage.datasets.naming import path_dataset
from pyspark_lineage.datasets.schema import files_schema
from pyspark_lineage.datasets.tables import default_fs, table_dataset
from pyspark_lineage.datasets.value import InputDataset
from pyspark_lineage.plan.relations import LogicalRelation
from pyspark_lineage.plan.values import CatalogTable, HadoopFsRelation


class LogicalRelationDatasetBuilder(QueryPlanVisitor[LogicalRelation]):
    """`spark.read.parquet(path)`, `SELECT ... FROM a_data_source_table`: the files or the table are the input.

    Called a builder in the OpenLineage integration for Spark, and known to users and documentation by that name; but
    all it looks at is one node, so here it is the visitor that it functions as. Files are one dataset for each
    distinct root. Other relations (JDBC, a connector's own) are not its: None, and whoever has a handler takes them.
    """

    def apply(self, x: LogicalRelation, /) -> Sequence[InputDataset] | None:
        if x.catalog_table is not None:
            table = self._table(x, x.catalog_table)
            if table is not None:
                return [table]
        if isinstance(x.relation, HadoopFsRelation):
            return self._files(x.relation)
        return None

    def _table(self, x: LogicalRelation, table: CatalogTable) -> InputDataset | None:
        found = table_dataset(table, conf=self.context.conf)
        if found is None:
            return None
        schema = table.schema
        if (schema is None or not schema.fields) and isinstance(x.relation, HadoopFsRelation):
            schema = files_schema(x.relation)
        return InputDataset(
            found.namespace, found.name, schema=schema, symlinks=found.symlinks, origin=type(self).__name__
        )

    def _files(self, relation: HadoopFsRelation) -> list[InputDataset]:
        fs = default_fs(self.context.conf)
        schema = files_schema(relation)
        names = dict.fromkeys(path_dataset(root, default_fs=fs) for root in relation.roots)
        return [InputDataset(*name, schema=schema, origin=type(self).__name__) for name in names]
