# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Where rows come from: tables, files, RDDs, streams, views, CTEs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .expressions import AttributeReference, SortOrder
from .tree import SQL, Expression, LogicalPlan
from .values import (
    CatalogRef,
    CatalogTable,
    IdentifierRef,
    JvmObject,
    RddRef,
    Relation,
    V2Table,
)

ANALYSIS = f"{SQL}.catalyst.analysis"
DATASOURCES = f"{SQL}.execution.datasources"

Output = tuple[AttributeReference, ...]


class LogicalRelation(LogicalPlan, package=DATASOURCES):
    """`spark.read.parquet(…)`, a data source table: files, JDBC, or any V1 connector."""

    relation: Relation
    output: Output
    catalog_table: CatalogTable | None = None
    is_streaming: bool | None = None
    stream: JvmObject | None = None


class HiveTableRelation(LogicalPlan, package=f"{SQL}.catalyst.catalog"):
    """`SELECT … FROM t` of a Hive table that Spark does not read natively."""

    table_meta: CatalogTable
    data_cols: Output
    partition_cols: Output
    table_stats: JvmObject | None = None
    pruned_partitions: tuple[JvmObject, ...] | None = None


class UnresolvedCatalogRelation(LogicalPlan, package=f"{SQL}.catalyst.catalog"):
    """A table of the session catalog whose source has not been opened yet."""

    table_meta: CatalogTable
    options: Mapping[str, str] | None = None
    is_streaming: bool | None = None


class DataSourceV2Relation(LogicalPlan, package=f"{DATASOURCES}.v2"):
    """`SELECT … FROM catalog.db.t`, `spark.read.format(…)`: a table of a DataSource V2 connector."""

    table: V2Table
    output: Output
    catalog: CatalogRef | None = None
    identifier: IdentifierRef | None = None
    options: Mapping[str, str] | None = None
    time_travel_spec: JvmObject | None = None


class DataSourceV2ScanRelation(LogicalPlan, package=f"{DATASOURCES}.v2"):
    """A V2 table whose scan has been planned."""

    relation: DataSourceV2Relation
    scan: JvmObject | None = None
    output: Output
    key_grouped_partitioning: tuple[Expression, ...] | None = None
    ordering: tuple[SortOrder, ...] | None = None
    pushed_filters: tuple[Expression, ...] | None = None


class LogicalRDD(LogicalPlan, package=f"{SQL}.execution"):
    """`createDataFrame(rdd)`, `df.checkpoint()`, the DataFrame of `foreachBatch`."""

    output: Output
    rdd: RddRef
    output_partitioning: Any = None
    output_ordering: tuple[SortOrder, ...] | None = None
    is_streaming: bool | None = None
    stream: JvmObject | None = None


class ExternalRDD(LogicalPlan, package=f"{SQL}.execution"):
    """An RDD of JVM objects as a Dataset."""

    output_obj_attr: AttributeReference
    rdd: RddRef


class LocalRelation(LogicalPlan):
    """`createDataFrame([…])`, `VALUES …`: rows out of the program. The rows themselves are never here."""

    output: Output
    is_streaming: bool | None = None
    stream: JvmObject | None = None


class Range(LogicalPlan):
    """`spark.range(…)`, `range(…)`."""

    start: int
    end: int
    step: int
    num_slices: int | None = None
    output: Output
    is_streaming: bool | None = None


class OneRowRelation(LogicalPlan):
    """`SELECT 1`: no FROM."""


class EmptyRelation(LogicalPlan):
    """A plan that adaptive execution found to have no rows."""

    logical: LogicalPlan


class InMemoryRelation(LogicalPlan, package=f"{SQL}.execution.columnar"):
    """A cached DataFrame, where the cache has already taken the place of its plan."""

    output: Output
    cache_builder: JvmObject | None = None
    output_ordering: tuple[SortOrder, ...] | None = None


class View(LogicalPlan):
    """`SELECT … FROM view`: the view, over the plan of its text."""

    desc: CatalogTable
    is_temp_view: bool
    child: LogicalPlan
    options: Mapping[str, str] | None = None


class SubqueryAlias(LogicalPlan):
    """`FROM t AS a`, `df.alias("a")`."""

    identifier: JvmObject
    child: LogicalPlan


class WithCTE(LogicalPlan):
    """`WITH c AS (…) SELECT …`."""

    plan: LogicalPlan
    cte_defs: tuple[CTERelationDef, ...]


class CTERelationDef(LogicalPlan):
    """One `c AS (…)` of a WITH."""

    child: LogicalPlan
    id: int
    original_plan_with_predicates: Any = None
    under_subquery: bool | None = None
    max_depth: int | None = None
    force_skip_inline: bool | None = None


class CTERelationRef(LogicalPlan):
    """`FROM c`, where `c` stands in the WITH."""

    cte_id: int
    resolved: bool | None = None
    output: Output
    is_streaming: bool | None = None
    stats_opt: Any = None
    recursive: bool | None = None
    max_rows: int | None = None
    is_unlimited_recursion: bool | None = None


class UnionLoop(LogicalPlan):
    """`WITH RECURSIVE c AS (anchor UNION ALL recursion)` (Spark 4.0 and later)."""

    id: int
    anchor: LogicalPlan
    recursion: LogicalPlan
    output_attr_ids: tuple[int | str, ...] | None = None
    limit: int | None = None
    max_depth: int | None = None


class UnionLoopRef(LogicalPlan):
    """`FROM c` inside the recursive CTE `c` itself."""

    loop_id: int
    output: Output
    accumulated: bool | None = None


class CommandResult(LogicalPlan):
    """`spark.sql("SHOW …")` and the like once it has run: a leaf, its command had an execution of its own."""

    output: Output


class StreamingRelation(LogicalPlan, package=(f"{SQL}.execution.streaming.runtime", f"{SQL}.execution.streaming")):
    """`spark.readStream` of a V1 source, before the stream starts."""

    data_source: JvmObject
    source_name: str
    output: Output
    source_identifying_name: JvmObject | None = None


class StreamingExecutionRelation(
    LogicalPlan, package=(f"{SQL}.execution.streaming.runtime", f"{SQL}.execution.streaming")
):
    """A V1 source in a micro-batch that read nothing from it, or before it is read."""

    source: JvmObject
    output: Output
    catalog_table: CatalogTable | None = None
    source_identifying_name: JvmObject | None = None


class StreamingRelationV2(LogicalPlan, package=f"{SQL}.catalyst.streaming"):
    """`spark.readStream` of a V2 source, before the stream starts."""

    source: JvmObject | None = None
    source_name: str
    table: V2Table
    extra_options: Mapping[str, str] | None = None
    output: Output
    catalog: CatalogRef | None = None
    identifier: IdentifierRef | None = None
    v1_relation: LogicalPlan | None = None
    source_identifying_name: JvmObject | None = None


class StreamingDataSourceV2Relation(LogicalPlan, package=f"{DATASOURCES}.v2"):
    """A V2 source of a running stream."""

    table: V2Table | None = None  # Spark 4.0 and later; 3.5 has the scan and its offsets here
    output: Output
    catalog: CatalogRef | None = None
    identifier: IdentifierRef | None = None
    options: Mapping[str, str] | None = None
    metadata_path: str | None = None
    scan: JvmObject | None = None
    stream: JvmObject | None = None
    start_offset: JvmObject | None = None
    end_offset: JvmObject | None = None
    real_time_mode_duration: int | None = None
    source_identifying_name: JvmObject | None = None


class StreamingDataSourceV2ScanRelation(LogicalPlan, package=f"{DATASOURCES}.v2"):
    """A V2 source in a micro-batch (Spark 4.0 and later)."""

    relation: StreamingDataSourceV2Relation
    scan: JvmObject | None = None
    output: Output
    stream: JvmObject | None = None
    start_offset: JvmObject | None = None
    end_offset: JvmObject | None = None


class UnresolvedRelation(LogicalPlan, package=ANALYSIS):
    """A table name that the analyzer has not looked up."""

    multipart_identifier: tuple[str, ...]
    options: Mapping[str, str] | None = None
    is_streaming: bool | None = None


class RelationTimeTravel(LogicalPlan, package=ANALYSIS):
    """`FROM t VERSION AS OF …`, before the table is loaded."""

    relation: LogicalPlan
    timestamp: Expression | None = None
    version: str | None = None


class ResolvedTable(LogicalPlan, package=ANALYSIS):
    """The V2 table that a command is about."""

    catalog: CatalogRef
    identifier: IdentifierRef
    table: V2Table
    output_attributes: Output | None = None


class ResolvedIdentifier(LogicalPlan, package=ANALYSIS):
    """The name of a table that a command creates or drops."""

    catalog: CatalogRef
    identifier: IdentifierRef
    output: Output | None = None


class ResolvedNamespace(LogicalPlan, package=ANALYSIS):
    """The namespace that a command is about."""

    catalog: CatalogRef
    namespace: tuple[str, ...]
    metadata: Mapping[str, str] | None = None


class ResolvedPersistentView(LogicalPlan, package=ANALYSIS):
    """The view that a command is about."""

    catalog: CatalogRef
    identifier: IdentifierRef
    view_schema: Any = None
    metadata: Any = None
    info: Any = None


class ResolvedTempView(LogicalPlan, package=ANALYSIS):
    """The temporary view that a command is about."""

    identifier: IdentifierRef
    view_schema: Any = None
    metadata: CatalogTable | None = None


class SQLTableFunction(LogicalPlan, package=ANALYSIS):
    """`FROM f(…)`, a SQL table function that has not been expanded (Spark 4.0 and later)."""

    name: str
    function: JvmObject
    inputs: tuple[Expression, ...]
    output: Output
