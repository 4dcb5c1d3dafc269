# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Plans by hand, for the tests of handlers and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from pyspark_lineage.contract.context import ApplicationInfo, OpenLineageContext, QueryExecution
from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory
from pyspark_lineage.handlers.internal import InternalEventHandlerFactory
from pyspark_lineage.handlers.run import LineageRunner
from pyspark_lineage.plan import LogicalPlan
from pyspark_lineage.plan.commands import CreateDataSourceTableAsSelectCommand, InsertIntoHadoopFsRelationCommand
from pyspark_lineage.plan.expressions import Alias, AttributeReference
from pyspark_lineage.plan.operators import Project
from pyspark_lineage.plan.relations import LogicalRelation
from pyspark_lineage.plan.types import AtomicType, StructField, StructType
from pyspark_lineage.plan.values import (
    CatalogStorageFormat,
    CatalogTable,
    HadoopFsRelation,
    JvmObject,
    TableIdentifier,
)

WAREHOUSE = {"spark.sql.warehouse.dir": "file:/wh"}
SCHEMA = StructType((StructField("id", AtomicType("long")), StructField("name", AtomicType("string"))))


def settings(**given: Any) -> Any:
    """A configuration, as far as handlers and events look at it."""
    defaults = {"facets_disabled": frozenset(), "plugins": (), "plugins_disabled": True}
    return SimpleNamespace(**{**defaults, **given})


def context(*, conf: Mapping[str, str] = WAREHOUSE, **given: Any) -> OpenLineageContext:
    application = ApplicationInfo(id="local-1", name="My App", spark_version="4.3.0", conf=conf)
    return OpenLineageContext(settings(**given), application)


def runner(
    *factories: OpenLineageEventHandlerFactory, conf: Mapping[str, str] = WAREHOUSE, **given: Any
) -> LineageRunner:
    return LineageRunner(InternalEventHandlerFactory(factories), context(conf=conf), **given)


def execution(plan: LogicalPlan | None) -> QueryExecution:
    return QueryExecution(1, analyzed=plan)


def columns(schema: StructType = SCHEMA) -> tuple[AttributeReference, ...]:
    return tuple(
        AttributeReference(name=field.name, data_type=field.data_type, expr_id=at)
        for at, field in enumerate(schema.fields)
    )


def files(*roots: str, schema: StructType = SCHEMA, table: CatalogTable | None = None) -> LogicalRelation:
    relation = HadoopFsRelation(roots=roots, root_count=len(roots), data_schema=schema, format="parquet")
    return LogicalRelation(relation=relation, output=columns(schema), catalog_table=table)


def select(child: LogicalPlan, **aliases: int) -> Project:
    picked = columns()
    return Project(
        project_list=tuple(Alias(child=picked[at], name=name, expr_id=name) for name, at in aliases.items()) or picked,
        child=child,
    )


def catalog_table(name: str = "t", location: str | None = None, schema: StructType | None = None) -> CatalogTable:
    return CatalogTable(
        identifier=TableIdentifier(table=name, database="db", catalog="spark_catalog"),
        storage=CatalogStorageFormat(location_uri=location),
        schema=schema,
        provider="parquet",
    )


def save_mode(name: str) -> JvmObject:
    return JvmObject(class_name="org.apache.spark.sql.SaveMode", fields={"name": name})


def write(
    query: LogicalPlan,
    path: str = "file:/out",
    *,
    mode: str = "ErrorIfExists",
    table: CatalogTable | None = None,
    names: Sequence[str] = ("id", "name"),
    schema: StructType = SCHEMA,
) -> InsertIntoHadoopFsRelationCommand:
    return InsertIntoHadoopFsRelationCommand(
        output_path=path,
        query=query,
        query_schema=schema,
        mode=save_mode(mode),
        catalog_table=table,
        output_column_names=tuple(names),
    )


def create_table_as(
    query: LogicalPlan, table: CatalogTable, *, mode: str = "ErrorIfExists"
) -> CreateDataSourceTableAsSelectCommand:
    return CreateDataSourceTableAsSelectCommand(
        table=table, mode=save_mode(mode), query=query, query_schema=SCHEMA, output_column_names=("id", "name")
    )
