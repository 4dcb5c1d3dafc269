# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The handlers that come with the agent, registered as anybody else's are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark_lineage.contract.context import OpenLineageContext
from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory
from pyspark_lineage.contract.handlers import CustomFacetBuilder, PartialFunction
from pyspark_lineage.handlers.facets.data_source import DataSourceDatasetFacetBuilder
from pyspark_lineage.handlers.facets.lifecycle_state_change import LifecycleStateChangeDatasetFacetBuilder
from pyspark_lineage.handlers.facets.parent import ParentRunFacetBuilder
from pyspark_lineage.handlers.facets.processing_engine import SparkProcessingEngineRunFacetBuilder
from pyspark_lineage.handlers.facets.pyspark_lineage_run import PysparkLineageRunFacetBuilder
from pyspark_lineage.handlers.facets.schema import SchemaDatasetFacetBuilder
from pyspark_lineage.handlers.facets.symlinks import SymlinksDatasetFacetBuilder
from pyspark_lineage.handlers.inputs.logical_relation import LogicalRelationDatasetBuilder
from pyspark_lineage.handlers.outputs.create_data_source_table_as_select import (
    CreateDataSourceTableAsSelectCommandVisitor,
    SaveAsV1TableCommandVisitor,
)
from pyspark_lineage.handlers.outputs.insert_into_hadoop_fs_relation import InsertIntoHadoopFsRelationVisitor


class BuiltInEventHandlerFactory(OpenLineageEventHandlerFactory):
    """Spark's own relations and commands, and the facets that every event carries."""

    def create_input_dataset_query_plan_visitors(
        self, context: OpenLineageContext
    ) -> Sequence[PartialFunction[Any, Any]]:
        return (LogicalRelationDatasetBuilder(context),)

    def create_output_dataset_query_plan_visitors(
        self, context: OpenLineageContext
    ) -> Sequence[PartialFunction[Any, Any]]:
        return (
            InsertIntoHadoopFsRelationVisitor(context),
            CreateDataSourceTableAsSelectCommandVisitor(context),
            SaveAsV1TableCommandVisitor(context),
        )

    def create_dataset_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        return (
            SchemaDatasetFacetBuilder(context),
            DataSourceDatasetFacetBuilder(context),
            SymlinksDatasetFacetBuilder(context),
            LifecycleStateChangeDatasetFacetBuilder(context),
        )

    def create_run_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        return (
            ParentRunFacetBuilder(context),
            SparkProcessingEngineRunFacetBuilder(context),
            PysparkLineageRunFacetBuilder(context),  # the last one, so that it counts what failed before it
        )
