# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark_lineage`: what a reader needs to trust or doubt this event."""

from __future__ import annotations

from collections.abc import Callable

import attr
from openlineage.client.facet_v2 import RunFacet

from pyspark_lineage import PRODUCER, __version__
from pyspark_lineage.contract.context import OpenLineageRunEventContext
from pyspark_lineage.contract.handlers import CustomFacetBuilder


@attr.define
class PysparkLineageRunFacet(RunFacet):
    """Of the plan: how it was got, its size, what nobody understood; of us: what failed, what is missing and why."""

    agentVersion: str  # noqa: N815  # OpenLineage's spelling of keys
    planState: str  # noqa: N815
    nodes: int
    expressions: int
    unhandledNodes: dict[str, int]  # noqa: N815
    unknownNodes: dict[str, int]  # noqa: N815
    failures: dict[str, int]
    truncated: list[str]


class PysparkLineageRunFacetBuilder(CustomFacetBuilder[OpenLineageRunEventContext, PysparkLineageRunFacet]):
    """The agent's word about its own work, on every run."""

    def build(self, x: OpenLineageRunEventContext, consumer: Callable[[str, PysparkLineageRunFacet], None], /) -> None:
        lineage = x.lineage
        facet = PysparkLineageRunFacet(
            agentVersion=__version__,
            planState=x.plan_state,
            nodes=lineage.nodes,
            expressions=lineage.expressions,
            unhandledNodes=dict(lineage.unhandled),
            unknownNodes=dict(lineage.unknown),
            failures={**x.failures, **lineage.failures},
            truncated=list(dict.fromkeys((*lineage.cut, *x.truncated))),
            producer=PRODUCER,
        )
        consumer("pyspark_lineage", facet)
