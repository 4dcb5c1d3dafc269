# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""DDL over the session catalog: tables, partitions, views, databases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..relations import DATASOURCES
from ..tree import SQL, LogicalPlan
from ..types import StructType
from ..values import CatalogStorageFormat, CatalogTable, JvmObject, TableIdentifier
from .frame import Command

EXECUTION = f"{SQL}.execution.command"

Spec = Mapping[str, str]


class CreateDataSourceTableCommand(Command, package=EXECUTION):
    """`CREATE TABLE … USING`."""

    table: CatalogTable
    ignore_if_exists: bool | None = None


class CreateTableCommand(Command, package=EXECUTION):
    """`CREATE TABLE … STORED AS`."""

    table: CatalogTable
    ignore_if_exists: bool | None = None


class CreateTableLikeCommand(Command, package=EXECUTION):
    """`CREATE TABLE t LIKE s`."""

    target_table: TableIdentifier
    source_table: TableIdentifier
    file_format: CatalogStorageFormat | None = None
    provider: str | None = None
    properties: Mapping[str, str] | None = None
    if_not_exists: bool | None = None


class CreateViewCommand(Command, package=EXECUTION):
    """`CREATE VIEW`, `createOrReplaceTempView`."""

    name: TableIdentifier
    user_specified_columns: tuple[Any, ...] | None = None
    comment: str | None = None
    collation: str | None = None
    properties: Mapping[str, str] | None = None
    original_text: str | None = None
    plan: LogicalPlan
    allow_existing: bool | None = None
    replace: bool | None = None
    view_type: JvmObject | None = None
    view_schema_mode: JvmObject | None = None
    is_analyzed: bool | None = None
    referred_temp_functions: tuple[str, ...] | None = None


class AlterViewAsCommand(Command, package=EXECUTION):
    """`ALTER VIEW v AS SELECT`."""

    name: TableIdentifier
    original_text: str | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    is_analyzed: bool | None = None
    referred_temp_functions: tuple[str, ...] | None = None


class CreateTempViewUsing(Command, package=DATASOURCES):
    """`CREATE TEMPORARY VIEW … USING`."""

    table_ident: TableIdentifier
    user_specified_schema: StructType | None = None
    replace: bool | None = None
    global_: bool | None = None
    provider: str | None = None
    options: Mapping[str, str] | None = None


class DropTableCommand(Command, package=EXECUTION):
    """`DROP TABLE`, `DROP VIEW`."""

    table_name: TableIdentifier
    if_exists: bool | None = None
    is_view: bool | None = None
    purge: bool | None = None


class DropTempViewCommand(Command, package=EXECUTION):
    """`DROP VIEW` of a temporary view."""

    ident: Any
    if_exists: bool | None = None


class TruncateTableCommand(Command, package=EXECUTION):
    """`TRUNCATE TABLE`."""

    table_name: TableIdentifier
    partition_spec: Spec | None = None


class LoadDataCommand(Command, package=EXECUTION):
    """`LOAD DATA INPATH`: files become part of a table."""

    table: TableIdentifier
    path: str
    is_local: bool | None = None
    is_overwrite: bool | None = None
    partition: Spec | None = None


class AlterTableRenameCommand(Command, package=EXECUTION):
    """`ALTER TABLE t RENAME TO u`."""

    old_name: TableIdentifier
    new_name: TableIdentifier
    is_view: bool | None = None


class AlterTableAddColumnsCommand(Command, package=EXECUTION):
    """`ALTER TABLE t ADD COLUMNS`."""

    table: TableIdentifier
    cols_to_add: tuple[JvmObject, ...] | None = None


class AlterTableChangeColumnCommand(Command, package=EXECUTION):
    """`ALTER TABLE t CHANGE COLUMN`."""

    table_name: TableIdentifier
    column_name: str
    new_column: JvmObject | None = None
    drop_comment: bool | None = None


class AlterTableSetLocationCommand(Command, package=EXECUTION):
    """`ALTER TABLE t SET LOCATION`."""

    table_name: TableIdentifier
    partition_spec: Spec | None = None
    location: str


class AlterTableSetPropertiesCommand(Command, package=EXECUTION):
    """`ALTER TABLE t SET TBLPROPERTIES`."""

    table_name: TableIdentifier
    properties: Mapping[str, str]
    is_view: bool | None = None


class AlterTableUnsetPropertiesCommand(Command, package=EXECUTION):
    """`ALTER TABLE t UNSET TBLPROPERTIES`."""

    table_name: TableIdentifier
    prop_keys: tuple[str, ...]
    if_exists: bool | None = None
    is_view: bool | None = None


class AlterTableSerDePropertiesCommand(Command, package=EXECUTION):
    """`ALTER TABLE t SET SERDE`."""

    table_name: TableIdentifier
    serde_class_name: str | None = None
    serde_properties: Mapping[str, str] | None = None
    part_spec: Spec | None = None


class AlterTableAddPartitionCommand(Command, package=EXECUTION):
    """`ALTER TABLE t ADD PARTITION`."""

    table_name: TableIdentifier
    partition_specs_and_locs: tuple[Any, ...] | None = None
    if_not_exists: bool | None = None


class AlterTableDropPartitionCommand(Command, package=EXECUTION):
    """`ALTER TABLE t DROP PARTITION`."""

    table_name: TableIdentifier
    specs: tuple[Spec, ...] | None = None
    if_exists: bool | None = None
    purge: bool | None = None
    retain_data: bool | None = None


class AlterTableRenamePartitionCommand(Command, package=EXECUTION):
    """`ALTER TABLE t PARTITION … RENAME TO`."""

    table_name: TableIdentifier
    old_partition: Spec | None = None
    new_partition: Spec | None = None


class RepairTableCommand(Command, package=EXECUTION):
    """`MSCK REPAIR TABLE`, `ALTER TABLE t RECOVER PARTITIONS`."""

    table_name: TableIdentifier
    enable_add_partitions: bool | None = None
    enable_drop_partitions: bool | None = None
    cmd: str | None = None


class AnalyzeTableCommand(Command, package=EXECUTION):
    """`ANALYZE TABLE`."""

    table_ident: TableIdentifier
    no_scan: bool | None = None


class AnalyzeColumnCommand(Command, package=EXECUTION):
    """`ANALYZE TABLE … FOR COLUMNS`."""

    table_ident: TableIdentifier
    column_names: tuple[str, ...] | None = None
    all_columns: bool | None = None


class AnalyzePartitionCommand(Command, package=EXECUTION):
    """`ANALYZE TABLE … PARTITION`."""

    table_ident: TableIdentifier
    partition_spec: Mapping[str, str | None] | None = None
    noscan: bool | None = None


class RefreshTableCommand(Command, package=EXECUTION):
    """`REFRESH TABLE` of the session catalog."""

    table_ident: TableIdentifier


class RefreshResource(Command, package=DATASOURCES):
    """`REFRESH 'path'`."""

    path: str


class CreateDatabaseCommand(Command, package=EXECUTION):
    """`CREATE DATABASE`."""

    database_name: str
    if_not_exists: bool | None = None
    path: str | None = None
    comment: str | None = None
    props: Mapping[str, str] | None = None


class DropDatabaseCommand(Command, package=EXECUTION):
    """`DROP DATABASE`."""

    database_name: str
    if_exists: bool | None = None
    cascade: bool | None = None


class AlterDatabasePropertiesCommand(Command, package=EXECUTION):
    """`ALTER DATABASE … SET DBPROPERTIES`."""

    database_name: str
    props: Mapping[str, str] | None = None


class AlterDatabaseSetLocationCommand(Command, package=EXECUTION):
    """`ALTER DATABASE … SET LOCATION`."""

    database_name: str
    location: str


class DescribeTableCommand(Command, package=EXECUTION):
    """`DESCRIBE TABLE` of the session catalog."""

    table: TableIdentifier
    partition_spec: Spec | None = None
    is_extended: bool | None = None
    child: LogicalPlan | None = None


class DescribeQueryCommand(Command, package=EXECUTION):
    """`DESCRIBE QUERY`."""

    query_text: str | None = None
    plan: LogicalPlan


class ExplainCommand(Command, package=EXECUTION):
    """`EXPLAIN`: the plan inside is not run."""

    logical_plan: LogicalPlan
    mode: JvmObject | None = None


class SetCommand(Command, package=EXECUTION):
    """`SET key = value`. What was set is not told."""


class ExternalCommandExecutor(Command, package=EXECUTION):
    """`EXECUTE` of a command by a data source, through `SparkSession.executeCommand`."""

    runner: JvmObject | None = None
    command: str | None = None
    options: Mapping[str, str] | None = None
