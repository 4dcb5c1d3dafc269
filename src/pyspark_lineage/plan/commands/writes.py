# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Commands that write rows: INSERT, CTAS, saves, MERGE, UPDATE, DELETE, streams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..expressions import Assignment, AttributeReference
from ..relations import DATASOURCES, LogicalRelation
from ..tree import SQL, Expression, LogicalPlan
from ..types import StructType
from ..values import CatalogStorageFormat, CatalogTable, JvmObject, TableSpec, V2Table
from .frame import Command

EXECUTION = f"{SQL}.execution.command"
HIVE = f"{SQL}.hive.execution"
STREAMING = f"{SQL}.catalyst.streaming"

Columns = tuple[AttributeReference, ...]


class InsertIntoHadoopFsRelationCommand(Command, package=DATASOURCES):
    """`df.write.parquet(path)`, `INSERT INTO` and `INSERT OVERWRITE` of a file table."""

    output_path: str
    static_partitions: Mapping[str, str] | None = None
    if_partition_not_exists: bool | None = None
    partition_columns: Columns | None = None
    bucket_spec: JvmObject | None = None
    file_format: JvmObject | None = None
    options: Mapping[str, str] | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    mode: JvmObject | None = None
    catalog_table: CatalogTable | None = None
    file_index: JvmObject | None = None
    output_column_names: tuple[str, ...] | None = None


class InsertIntoHiveTable(Command, package=HIVE):
    """`INSERT INTO` and `INSERT OVERWRITE` of a Hive table."""

    table: CatalogTable
    partition: Mapping[str, str | None] | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    overwrite: bool | None = None
    if_partition_not_exists: bool | None = None
    output_column_names: tuple[str, ...] | None = None
    partition_columns: Columns | None = None
    bucket_spec: JvmObject | None = None
    options: Mapping[str, str] | None = None
    file_format: JvmObject | None = None
    hive_tmp_path: JvmObject | None = None


class InsertIntoHiveDirCommand(Command, package=HIVE):
    """`INSERT OVERWRITE DIRECTORY … STORED AS`."""

    is_local: bool
    storage: CatalogStorageFormat
    query: LogicalPlan
    query_schema: StructType | None = None
    overwrite: bool | None = None
    output_column_names: tuple[str, ...] | None = None


class InsertIntoDataSourceDirCommand(Command, package=EXECUTION):
    """`INSERT OVERWRITE DIRECTORY … USING`."""

    storage: CatalogStorageFormat
    provider: str
    query: LogicalPlan
    query_schema: StructType | None = None
    overwrite: bool | None = None


class InsertIntoDataSourceCommand(Command, package=DATASOURCES):
    """`INSERT INTO` a table of a V1 connector (JDBC)."""

    logical_relation: LogicalRelation
    query: LogicalPlan
    query_schema: StructType | None = None
    overwrite: bool | None = None


class SaveIntoDataSourceCommand(Command, package=DATASOURCES):
    """`df.write.format("jdbc").save()`: a V1 connector that saves by itself."""

    query: LogicalPlan
    query_schema: StructType | None = None
    data_source: JvmObject
    options: Mapping[str, str] | None = None
    mode: JvmObject | None = None


class SaveAsV1TableCommand(Command, package=EXECUTION):
    """`df.write.saveAsTable` (Spark 4.1 and later): it runs the command that really writes."""

    table_desc: CatalogTable
    mode: JvmObject | None = None
    query: LogicalPlan
    query_schema: StructType | None = None


class CreateDataSourceTableAsSelectCommand(Command, package=EXECUTION):
    """`CREATE TABLE … USING … AS SELECT`, `df.write.saveAsTable`."""

    table: CatalogTable
    mode: JvmObject | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    output_column_names: tuple[str, ...] | None = None


class CreateHiveTableAsSelectCommand(Command, package=HIVE):
    """`CREATE TABLE … STORED AS … AS SELECT`."""

    table_desc: CatalogTable
    query: LogicalPlan
    query_schema: StructType | None = None
    output_column_names: tuple[str, ...] | None = None
    mode: JvmObject | None = None


class WriteFiles(LogicalPlan, package=DATASOURCES):
    """The writing of the files inside an insert."""

    child: LogicalPlan
    file_format: JvmObject | None = None
    partition_columns: Columns | None = None
    bucket_spec: JvmObject | None = None
    options: Mapping[str, str] | None = None
    static_partitions: Mapping[str, str] | None = None


class InsertIntoStatement(Command):
    """`INSERT INTO` before the analyzer has chosen how."""

    table: LogicalPlan
    partition_spec: Mapping[str, str | None] | None = None
    user_specified_cols: tuple[str, ...] | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    overwrite: bool | None = None
    if_partition_not_exists: bool | None = None
    by_name: bool | None = None
    replace_criteria_opt: Any = None
    with_schema_evolution: bool | None = None


class InsertIntoDir(Command):
    """`INSERT OVERWRITE DIRECTORY` before the analyzer has chosen how."""

    is_local: bool
    storage: CatalogStorageFormat
    provider: str | None = None
    child: LogicalPlan
    overwrite: bool | None = None


class AppendData(Command):
    """`INSERT INTO` a V2 table, `writeTo(t).append()`."""

    table: LogicalPlan
    query: LogicalPlan
    query_schema: StructType | None = None
    write_options: Mapping[str, str] | None = None
    is_by_name: bool | None = None
    with_schema_evolution: bool | None = None
    write: JvmObject | None = None
    analyzed_query: LogicalPlan | None = None


class OverwriteByExpression(Command):
    """`INSERT OVERWRITE` a V2 table, `writeTo(t).overwrite(condition)`."""

    table: LogicalPlan
    delete_expr: Expression
    query: LogicalPlan
    query_schema: StructType | None = None
    write_options: Mapping[str, str] | None = None
    is_by_name: bool | None = None
    with_schema_evolution: bool | None = None
    write: JvmObject | None = None
    analyzed_query: LogicalPlan | None = None


class OverwritePartitionsDynamic(Command):
    """`INSERT OVERWRITE` the partitions of a V2 table that get rows, `writeTo(t).overwritePartitions()`."""

    table: LogicalPlan
    query: LogicalPlan
    query_schema: StructType | None = None
    write_options: Mapping[str, str] | None = None
    is_by_name: bool | None = None
    with_schema_evolution: bool | None = None
    write: JvmObject | None = None


class CreateTableAsSelect(Command):
    """`CREATE TABLE catalog.db.t AS SELECT`, `writeTo(t).create()`."""

    name: LogicalPlan
    partitioning: tuple[JvmObject, ...] | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    table_spec: TableSpec | Expression | None = None
    write_options: Mapping[str, str] | None = None
    ignore_if_exists: bool | None = None
    is_analyzed: bool | None = None


class ReplaceTableAsSelect(Command):
    """`[CREATE OR] REPLACE TABLE catalog.db.t AS SELECT`, `writeTo(t).createOrReplace()`."""

    name: LogicalPlan
    partitioning: tuple[JvmObject, ...] | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    table_spec: TableSpec | Expression | None = None
    write_options: Mapping[str, str] | None = None
    or_create: bool | None = None
    is_analyzed: bool | None = None


class MergeIntoTable(Command):
    """`MERGE INTO t USING s ON …`, `df.mergeInto`."""

    target_table: LogicalPlan
    source_table: LogicalPlan
    merge_condition: Expression
    matched_actions: tuple[Expression, ...]
    not_matched_actions: tuple[Expression, ...]
    not_matched_by_source_actions: tuple[Expression, ...]
    with_schema_evolution: bool | None = None


class UpdateTable(Command):
    """`UPDATE t SET … WHERE …`."""

    table: LogicalPlan
    assignments: tuple[Assignment, ...]
    condition: Expression | None = None


class DeleteFromTable(Command):
    """`DELETE FROM t WHERE …`."""

    table: LogicalPlan
    condition: Expression


class DeleteFromTableWithFilters(Command):
    """`DELETE FROM t WHERE …` that the connector does by itself."""

    table: LogicalPlan
    condition: tuple[JvmObject, ...] | None = None
    options: Mapping[str, str] | None = None


class ReplaceData(Command):
    """A MERGE, UPDATE or DELETE that writes the touched groups of rows anew."""

    table: LogicalPlan
    condition: Expression | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    original_table: LogicalPlan
    projections: JvmObject | None = None
    group_filter_condition: Expression | None = None
    write: JvmObject | None = None


class WriteDelta(Command):
    """A MERGE, UPDATE or DELETE that writes what changed, row by row."""

    table: LogicalPlan
    condition: Expression | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    original_table: LogicalPlan
    projections: JvmObject | None = None
    group_filter_condition: Expression | None = None
    write: JvmObject | None = None


class MergeRows(LogicalPlan):
    """The rows of a MERGE after its clauses have been applied."""

    is_source_row_present: Expression
    is_target_row_present: Expression
    matched_instructions: tuple[Expression, ...]
    not_matched_instructions: tuple[Expression, ...]
    not_matched_by_source_instructions: tuple[Expression, ...]
    check_cardinality: bool | None = None
    output: Columns
    child: LogicalPlan


class Keep(Expression, package=f"{SQL}.catalyst.plans.logical", owner="MergeRows"):
    """A clause of a MERGE that keeps, inserts or updates a row."""

    context: JvmObject | None = None
    condition: Expression
    output: tuple[Expression, ...]


class Discard(Expression, package=f"{SQL}.catalyst.plans.logical", owner="MergeRows"):
    """A clause of a MERGE that drops a row."""

    condition: Expression


class Split(Expression, package=f"{SQL}.catalyst.plans.logical", owner="MergeRows"):
    """A clause of a MERGE that makes a delete and an insert of an update."""

    condition: Expression
    output: tuple[Expression, ...]
    other_output: tuple[Expression, ...]


class UpdateAction(Expression, package=f"{SQL}.catalyst.plans.logical"):
    """`WHEN MATCHED THEN UPDATE SET …`."""

    condition: Expression | None = None
    assignments: tuple[Assignment, ...]
    from_star: bool | None = None


class InsertAction(Expression, package=f"{SQL}.catalyst.plans.logical"):
    """`WHEN NOT MATCHED THEN INSERT …`."""

    condition: Expression | None = None
    assignments: tuple[Assignment, ...]


class DeleteAction(Expression, package=f"{SQL}.catalyst.plans.logical"):
    """`WHEN MATCHED THEN DELETE`."""

    condition: Expression | None = None


class WriteToDataSourceV2(LogicalPlan, package=f"{DATASOURCES}.v2"):
    """A batch, or a micro-batch of a stream, that goes to a V2 sink."""

    relation: LogicalPlan | None = None
    batch_write: JvmObject | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    custom_metrics: tuple[JvmObject, ...] | None = None


class WriteToMicroBatchDataSource(LogicalPlan, package=f"{SQL}.execution.streaming.sources"):
    """A micro-batch of a stream that goes to a V2 sink."""

    relation: LogicalPlan | None = None
    table: V2Table | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    query_id: str | None = None
    write_options: Mapping[str, str] | None = None
    output_mode: JvmObject | None = None
    batch_id: int | None = None


class WriteToMicroBatchDataSourceV1(LogicalPlan, package=f"{SQL}.execution.streaming.sources"):
    """A micro-batch of a stream that goes to a V1 sink."""

    catalog_table: CatalogTable | None = None
    sink: JvmObject | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    query_id: str | None = None
    write_options: Mapping[str, str] | None = None
    output_mode: JvmObject | None = None
    batch_id: int | None = None


class WriteToContinuousDataSource(LogicalPlan, package=f"{SQL}.execution.streaming.continuous"):
    """A continuous stream that goes to a V2 sink."""

    write: JvmObject | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    custom_metrics: tuple[JvmObject, ...] | None = None


class WriteToStream(LogicalPlan, package=STREAMING):
    """`writeStream.start()`: the plan of a stream."""

    name: str | None = None
    sink_name: str | None = None
    resolved_checkpoint_location: str | None = None
    sink: V2Table | None = None
    output_mode: JvmObject | None = None
    delete_checkpoint_on_stop: bool | None = None
    input_query: LogicalPlan
    catalog_and_ident: tuple[JvmObject, JvmObject] | None = None
    catalog_table: CatalogTable | None = None


class WriteToStreamStatement(LogicalPlan, package=STREAMING):
    """`writeStream.start()`, before it has been resolved."""

    user_specified_name: str | None = None
    user_specified_sink_name: str | None = None
    user_specified_checkpoint_location: str | None = None
    sink: V2Table | None = None
    output_mode: JvmObject | None = None
    input_query: LogicalPlan
    catalog_and_ident: tuple[JvmObject, JvmObject] | None = None
    catalog_table: CatalogTable | None = None
