# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The door through which handlers come in: built-ins and plug-ins alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pyspark_lineage.contract.context import OpenLineageContext
    from pyspark_lineage.contract.handlers import CustomFacetBuilder, DatasetBuilder, PartialFunction


@dataclass(frozen=True, slots=True)
class JvmGetter:
    """A value that a plug-in wants read in the JVM: a path of no-argument calls on objects of a class it names.

    `JvmGetter("com.acme.AcmeTable", "metadata.snapshotId", "snapshot_id")` appears as `getters["snapshot_id"]` on the
    node or value. Nothing is ever called on a class that was not named. `where` says in which trees it is looked for.
    """

    class_name: str
    path: str
    name: str | None = None
    where: Literal["plan", "event", "physical"] = "plan"


class OpenLineageEventHandlerFactory:
    """Makes the handlers of one technology. Override what you need; everything else is empty.

    Found by the entry point group `pyspark_lineage.handlers`, by `spark.openlineage.plugins`, or given to
    `attach(plugins=[...])`.
    """

    def create_input_dataset_query_plan_visitors(
        self, context: OpenLineageContext
    ) -> Sequence[PartialFunction[Any, Any]]:
        """Visitors whose datasets are inputs."""
        return ()

    def create_output_dataset_query_plan_visitors(
        self, context: OpenLineageContext
    ) -> Sequence[PartialFunction[Any, Any]]:
        """Visitors whose datasets are outputs."""
        return ()

    def create_input_dataset_builders(self, context: OpenLineageContext) -> Sequence[DatasetBuilder]:
        """Builders of inputs from a whole execution."""
        return ()

    def create_output_dataset_builders(self, context: OpenLineageContext) -> Sequence[DatasetBuilder]:
        """Builders of outputs from a whole execution."""
        return ()

    def create_input_dataset_facet_builders(
        self, context: OpenLineageContext
    ) -> Sequence[CustomFacetBuilder[Any, Any]]:
        """Facets about the reading of a dataset (`inputFacets`)."""
        return ()

    def create_output_dataset_facet_builders(
        self, context: OpenLineageContext
    ) -> Sequence[CustomFacetBuilder[Any, Any]]:
        """Facets about the writing of a dataset (`outputFacets`)."""
        return ()

    def create_dataset_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        """Facets about a dataset, read or written (`facets`)."""
        return ()

    def create_run_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        """Facets about the run."""
        return ()

    def create_job_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        """Facets about the job."""
        return ()

    def jvm_getters(self) -> Sequence[JvmGetter]:
        """Values to be read in the JVM along with the plan."""
        return ()

    def conf_prefixes(self) -> Sequence[str]:
        """Prefixes of Spark's configuration keys to be sent along."""
        return ()
