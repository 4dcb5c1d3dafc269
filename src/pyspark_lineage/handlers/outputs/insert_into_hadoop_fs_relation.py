# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Writes of files, with or without a table above them."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark_lineage.contract.handlers import QueryPlanVisitor
from pyspark_lineage.datasets.naming import path_dataset
from pyspark_lineage.datasets.schema import query_schema
from pyspark_lineage.datasets.tables import TableDataset, default_fs, table_dataset
from pyspark_lineage.datasets.value import OutputDataset
from pyspark_lineage.plan.commands import InsertIntoHadoopFsRelationCommand


class InsertIntoHadoopFsRelationVisitor(QueryPlanVisitor[InsertIntoHadoopFsRelationCommand]):
    """`df.write.parquet(path)`, `INSERT INTO a_file_table`: the directory, or the table above it, is the output."""

    def apply(self, x: InsertIntoHadoopFsRelationCommand, /) -> Sequence[OutputDataset] | None:
        conf = self.context.conf
        found = None
        if x.catalog_table is not None:
            found = table_dataset(x.catalog_table, conf=conf, location=x.output_path)
        if found is None:
            found = TableDataset(*path_dataset(x.output_path, default_fs=default_fs(conf)))
        return [
            OutputDataset(
                found.namespace,
                found.name,
                schema=query_schema(x.query_schema, x.output_column_names),
                symlinks=found.symlinks,
                table=found.table,
                lifecycle="OVERWRITE" if x.mode is not None and x.mode.name == "Overwrite" else None,
                origin=type(self).__name__,
            )
        ]
