# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`parent`: the run that a run belongs to (an action's application), and the run that everything began with."""

from __future__ import annotations

from collections.abc import Callable

from openlineage.client.facet_v2 import parent_run

from pyspark_lineage import PRODUCER
from pyspark_lineage.contract.context import OpenLineageRunEventContext
from pyspark_lineage.contract.handlers import CustomFacetBuilder


class ParentRunFacetBuilder(CustomFacetBuilder[OpenLineageRunEventContext, parent_run.ParentRunFacet]):
    """Every action points to its application; an application to the orchestrator that is configured, if any."""

    def build(
        self, x: OpenLineageRunEventContext, consumer: Callable[[str, parent_run.ParentRunFacet], None], /
    ) -> None:
        parent = x.parent
        if parent is None:
            return
        root = x.root or parent
        facet = parent_run.ParentRunFacet(
            run=parent_run.Run(runId=parent.run_id, facets=None),
            job=parent_run.Job(namespace=parent.job_namespace, name=parent.job_name, facets=None),
            root=parent_run.Root(
                run=parent_run.RootRun(runId=root.run_id, facets=None),
                job=parent_run.RootJob(namespace=root.job_namespace, name=root.job_name, facets=None),
            ),
            producer=PRODUCER,
        )
        consumer("parent", facet)
