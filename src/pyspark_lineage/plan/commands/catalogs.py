# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""DDL over any catalog (DataSource V2), and commands that wrap a query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..tree import LOGICAL, Expression, LogicalPlan
from ..types import DataType, StructType
from ..values import JvmObject, TableSpec
from .frame import Command


class CreateTable(Command):
    """`CREATE TABLE catalog.db.t (…)`."""

    name: LogicalPlan
    table_schema: StructType | None = None  # Spark 3.5
    columns: tuple[Expression, ...] | None = None  # Spark 4.0 and later
    partitioning: tuple[JvmObject, ...] | None = None
    table_spec: TableSpec | Expression | None = None
    ignore_if_exists: bool | None = None


class ReplaceTable(Command):
    """`[CREATE OR] REPLACE TABLE catalog.db.t (…)`."""

    name: LogicalPlan
    table_schema: StructType | None = None  # Spark 3.5
    columns: tuple[Expression, ...] | None = None  # Spark 4.0 and later
    partitioning: tuple[JvmObject, ...] | None = None
    table_spec: TableSpec | Expression | None = None
    or_create: bool | None = None


class CreateTableLike(Command):
    """`CREATE TABLE catalog.db.t LIKE s` (Spark 4.2 and later)."""

    name: LogicalPlan
    source: LogicalPlan
    location: str | None = None
    provider: str | None = None
    serde_info: JvmObject | None = None
    properties: Mapping[str, str] | None = None
    if_not_exists: bool | None = None


class CreateView(Command):
    """`CREATE VIEW catalog.db.v AS SELECT`."""

    child: LogicalPlan
    user_specified_columns: tuple[Any, ...] | None = None
    comment: str | None = None
    collation: str | None = None
    properties: Mapping[str, str] | None = None
    original_text: str | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    allow_existing: bool | None = None
    replace: bool | None = None
    view_schema_mode: JvmObject | None = None
    is_analyzed: bool | None = None
    referred_temp_functions: tuple[str, ...] | None = None


class AlterViewAs(Command):
    """`ALTER VIEW catalog.db.v AS SELECT`."""

    child: LogicalPlan
    original_text: str | None = None
    query: LogicalPlan
    query_schema: StructType | None = None
    is_analyzed: bool | None = None
    referred_temp_functions: tuple[str, ...] | None = None


class DropTable(Command):
    """`DROP TABLE catalog.db.t`."""

    child: LogicalPlan
    if_exists: bool | None = None
    purge: bool | None = None


class DropView(Command):
    """`DROP VIEW catalog.db.v`."""

    child: LogicalPlan
    if_exists: bool | None = None


class RenameTable(Command):
    """`ALTER TABLE catalog.db.t RENAME TO u`."""

    child: LogicalPlan
    new_name: tuple[str, ...]
    is_view: bool | None = None


class TruncateTable(Command):
    """`TRUNCATE TABLE catalog.db.t`."""

    table: LogicalPlan


class TruncatePartition(Command):
    """`TRUNCATE TABLE catalog.db.t PARTITION`."""

    table: LogicalPlan
    partition_spec: Expression | JvmObject | None = None


class LoadData(Command):
    """`LOAD DATA` before the analyzer has looked up the table."""

    child: LogicalPlan
    path: str
    is_local: bool | None = None
    is_overwrite: bool | None = None
    partition: Mapping[str, str] | None = None


class AddColumns(Command):
    """`ALTER TABLE catalog.db.t ADD COLUMNS`."""

    table: LogicalPlan
    columns_to_add: tuple[JvmObject, ...] | None = None


class ReplaceColumns(Command):
    """`ALTER TABLE catalog.db.t REPLACE COLUMNS`."""

    table: LogicalPlan
    columns_to_add: tuple[JvmObject, ...] | None = None


class DropColumns(Command):
    """`ALTER TABLE catalog.db.t DROP COLUMNS`."""

    table: LogicalPlan
    columns_to_drop: tuple[Expression, ...] | None = None
    if_exists: bool | None = None


class RenameColumn(Command):
    """`ALTER TABLE catalog.db.t RENAME COLUMN a TO b`."""

    table: LogicalPlan
    column: Expression
    new_name: str


class AlterColumn(Command):
    """`ALTER TABLE catalog.db.t ALTER COLUMN` (Spark 3.5)."""

    table: LogicalPlan
    column: Expression
    data_type: DataType | None = None
    nullable: bool | None = None
    comment: str | None = None
    position: Expression | JvmObject | None = None
    set_default_expression: str | None = None


class AlterColumns(Command):
    """`ALTER TABLE catalog.db.t ALTER COLUMN` (Spark 4.0 and later)."""

    table: LogicalPlan
    specs: tuple[Expression, ...]
    from_comment_on: bool | None = None


class SetTableProperties(Command):
    """`ALTER TABLE catalog.db.t SET TBLPROPERTIES`."""

    table: LogicalPlan
    properties: Mapping[str, str]


class UnsetTableProperties(Command):
    """`ALTER TABLE catalog.db.t UNSET TBLPROPERTIES`."""

    table: LogicalPlan
    property_keys: tuple[str, ...]
    if_exists: bool | None = None


class SetTableLocation(Command):
    """`ALTER TABLE catalog.db.t SET LOCATION`."""

    table: LogicalPlan
    partition_spec: Mapping[str, str] | None = None
    location: str


class AlterTableClusterBy(Command):
    """`ALTER TABLE catalog.db.t CLUSTER BY` (Spark 4.0 and later)."""

    table: LogicalPlan
    cluster_by_spec: JvmObject | None = None


class AddPartitions(Command):
    """`ALTER TABLE catalog.db.t ADD PARTITION`."""

    table: LogicalPlan
    parts: tuple[Any, ...] | None = None
    if_not_exists: bool | None = None


class DropPartitions(Command):
    """`ALTER TABLE catalog.db.t DROP PARTITION`."""

    table: LogicalPlan
    parts: tuple[Any, ...] | None = None
    if_exists: bool | None = None
    purge: bool | None = None


class RenamePartitions(Command):
    """`ALTER TABLE catalog.db.t PARTITION … RENAME TO`."""

    table: LogicalPlan
    from_: Any = None
    to: Any = None


class RepairTable(Command):
    """`MSCK REPAIR TABLE catalog.db.t`."""

    child: LogicalPlan
    enable_add_partitions: bool | None = None
    enable_drop_partitions: bool | None = None


class RecoverPartitions(Command):
    """`ALTER TABLE catalog.db.t RECOVER PARTITIONS`."""

    child: LogicalPlan


class CommentOnTable(Command):
    """`COMMENT ON TABLE`."""

    table: LogicalPlan
    comment: str | None = None


class CommentOnNamespace(Command):
    """`COMMENT ON DATABASE`."""

    child: LogicalPlan
    comment: str | None = None


class RefreshTable(Command):
    """`REFRESH TABLE catalog.db.t`."""

    child: LogicalPlan


class AnalyzeTable(Command):
    """`ANALYZE TABLE catalog.db.t`."""

    child: LogicalPlan
    partition_spec: Mapping[str, str | None] | None = None
    no_scan: bool | None = None


class CacheTable(Command):
    """`CACHE TABLE t`."""

    table: LogicalPlan
    multipart_identifier: tuple[str, ...] | None = None
    is_lazy: bool | None = None
    options: Mapping[str, str] | None = None
    is_analyzed: bool | None = None


class CacheTableAsSelect(Command):
    """`CACHE TABLE t AS SELECT`."""

    temp_view_name: str
    plan: LogicalPlan
    original_text: str | None = None
    is_lazy: bool | None = None
    options: Mapping[str, str] | None = None
    is_analyzed: bool | None = None
    referred_temp_functions: tuple[str, ...] | None = None


class UncacheTable(Command):
    """`UNCACHE TABLE t`."""

    table: LogicalPlan
    if_exists: bool | None = None
    is_analyzed: bool | None = None


class CreateNamespace(Command):
    """`CREATE DATABASE catalog.db`."""

    name: LogicalPlan
    if_not_exists: bool | None = None
    properties: Mapping[str, str] | None = None


class DropNamespace(Command):
    """`DROP DATABASE catalog.db`."""

    namespace: LogicalPlan
    if_exists: bool | None = None
    cascade: bool | None = None


class SetNamespaceProperties(Command):
    """`ALTER DATABASE catalog.db SET PROPERTIES`."""

    namespace: LogicalPlan
    properties: Mapping[str, str]


class SetNamespaceLocation(Command):
    """`ALTER DATABASE catalog.db SET LOCATION`."""

    namespace: LogicalPlan
    location: str


class DescribeRelation(Command):
    """`DESCRIBE TABLE`."""

    relation: LogicalPlan
    partition_spec: Mapping[str, str] | None = None
    is_extended: bool | None = None


class ShowTables(Command):
    """`SHOW TABLES`."""

    namespace: LogicalPlan
    pattern: str | None = None


class MultiResult(LogicalPlan):
    """Several results of one command (Spark 4.0 and later)."""

    children: tuple[LogicalPlan, ...]


class SetVariable(Command):
    """`SET VAR v = (SELECT …)` (Spark 4.0 and later)."""

    target_variables: tuple[Expression, ...]
    source_query: LogicalPlan


class UnresolvedTableSpec(Expression, package=LOGICAL):
    """What a `CREATE TABLE` says beside the columns, before its options have been computed."""

    properties: Mapping[str, str] | None = None
    provider: str | None = None
    option_expression: Expression | None = None
    location: str | None = None
    comment: str | None = None
    collation: str | None = None
    serde: JvmObject | None = None
    external: bool | None = None
    constraints: tuple[Expression, ...] | None = None


class ColumnDefinition(Expression, package=LOGICAL):
    """A column of a `CREATE TABLE` (Spark 4.0 and later)."""

    name: str
    data_type: DataType
    nullable: bool | None = None
    comment: str | None = None
    default_value: Expression | None = None
    generation_expression: Any = None
    identity_column_spec: JvmObject | None = None
    metadata: Mapping[str, Any] | None = None


class AlterColumnSpec(Expression, package=LOGICAL):
    """One column of an `ALTER COLUMN` (Spark 4.0 and later)."""

    column: Expression
    new_data_type: DataType | None = None
    new_nullability: bool | None = None
    new_comment: str | None = None
    new_position: Expression | JvmObject | None = None
    new_default_expression: Any = None
    drop_default: bool | None = None
    drop_comment: bool | None = None
