# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The assembly of one OpenLineage event. It knows no facet by name: builders hand them over under their keys."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from openlineage.client import event_v2
from openlineage.client.facet_v2 import BaseFacet

from pyspark_lineage import PRODUCER
from pyspark_lineage.contract.context import OpenLineageContext, OpenLineageRunEventContext
from pyspark_lineage.contract.handlers import CustomFacetBuilder
from pyspark_lineage.datasets.value import Dataset, InputDataset, OutputDataset
from pyspark_lineage.errors import contain
from pyspark_lineage.events.naming import timestamp
from pyspark_lineage.handlers.index import HandlerIndex, x_types
from pyspark_lineage.plan import TreeNode
from pyspark_lineage.plan.traversal import walk

if TYPE_CHECKING:
    from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory

logger = logging.getLogger(__name__)

Builders = HandlerIndex[CustomFacetBuilder[Any, Any]]
D = TypeVar("D", bound=Dataset)


class OpenLineageRunEventBuilder:
    """Makes the events of an application. Made once; `build` is called per event, from one thread."""

    def __init__(self, factory: OpenLineageEventHandlerFactory, context: OpenLineageContext) -> None:
        self._disabled = frozenset(context.config.facets_disabled)
        self._run = HandlerIndex(factory.create_run_facet_builders(context), x_types)
        self._job = HandlerIndex(factory.create_job_facet_builders(context), x_types)
        self._dataset = HandlerIndex(factory.create_dataset_facet_builders(context), x_types)
        self._input = HandlerIndex(factory.create_input_dataset_facet_builders(context), x_types)
        self._output = HandlerIndex(factory.create_output_dataset_facet_builders(context), x_types)

    def build(self, about: OpenLineageRunEventContext, /) -> event_v2.RunEvent:
        """The event with all its facets. A facet whose builder fails is left out and counted in the run's own facet."""
        failures: Counter[str] = Counter(about.failures)
        about = replace(about, failures=failures)  # counted on while we build: the run's facets come last
        about.context.execution, about.context.event = about.execution, about.event
        offered = _offered(about)
        lineage = about.lineage
        job_facets = self._facets(self._job, self._with_nodes(self._job, offered, about), failures)
        inputs = [self._input_dataset(one, about, offered, failures) for one in lineage.inputs]
        outputs = [self._output_dataset(one, about, offered, failures) for one in lineage.outputs]
        run_facets = self._facets(self._run, self._with_nodes(self._run, offered, about), failures)
        return event_v2.RunEvent(
            eventTime=timestamp(about.event_time),
            producer=PRODUCER,
            run=event_v2.Run(runId=about.run.run_id, facets=run_facets),
            job=event_v2.Job(namespace=about.run.job_namespace, name=about.run.job_name, facets=job_facets),
            eventType=event_v2.RunState(about.event_type),
            inputs=inputs,
            outputs=outputs,
        )

    def _input_dataset(
        self, dataset: InputDataset, about: OpenLineageRunEventContext, offered: list[object], failures: Counter[str]
    ) -> event_v2.InputDataset:
        objects = (dataset, *about.lineage.inputs_found_in.get(dataset.key, ()), *offered)
        facets = self._facets(self._dataset, objects, failures, dataset.facets)
        own = self._facets(self._input, objects, failures, dataset.input_facets)
        return event_v2.InputDataset(dataset.namespace, dataset.name, facets=facets, inputFacets=own or None)

    def _output_dataset(
        self, dataset: OutputDataset, about: OpenLineageRunEventContext, offered: list[object], failures: Counter[str]
    ) -> event_v2.OutputDataset:
        objects = (dataset, *about.lineage.outputs_found_in.get(dataset.key, ()), *offered)
        facets = self._facets(self._dataset, objects, failures, dataset.facets)
        own = self._facets(self._output, objects, failures, dataset.output_facets)
        return event_v2.OutputDataset(dataset.namespace, dataset.name, facets=facets, outputFacets=own or None)

    def _facets(
        self,
        builders: Builders,
        objects: Iterable[object],
        failures: Counter[str],
        given: Mapping[str, object] | None = None,
    ) -> dict[str, Any]:
        """The facets by key: those the handler gave, then what the builders add; the first under a key stays."""
        facets: dict[str, Any] = {}
        add = self._consumer(facets)
        for key, facet in (given or {}).items():
            with contain(f"facets.{key}", logger=logger):
                add(key, facet)
        for x in objects:
            for builder in builders.of(type(x)):
                where = f"facets.{type(builder).__name__}"
                with contain(where, logger=logger, exits=True) as door:
                    if builder.is_defined_at(x):
                        builder.build(x, add)
                if door.failed:
                    failures[where] += 1
        return facets

    def _consumer(self, facets: dict[str, Any]) -> Callable[[str, object], None]:
        def add(key: str, facet: object) -> None:
            if not isinstance(key, str) or not isinstance(facet, BaseFacet):
                raise TypeError(
                    f"facet {key!r}: a facet is a subclass of one of openlineage.client.facet_v2's bases, "
                    f"got {type(facet).__name__}"
                )
            if key not in self._disabled:
                facets.setdefault(key, facet)

        return add

    def _with_nodes(
        self, builders: Builders, offered: list[object], about: OpenLineageRunEventContext
    ) -> Iterable[object]:
        """What run and job facets are built from: plan nodes too, if any builder is declared for one."""
        root = about.execution.analyzed if about.execution is not None else None
        if root is None or not builders.wants(TreeNode):
            return offered
        return (*offered, *walk(root))


def _offered(about: OpenLineageRunEventContext) -> list[object]:
    """All that a facet may be built from, beside datasets and nodes."""
    candidates = (about, about.lineage, about.context.application, about.event, about.execution)
    return [one for one in candidates if one is not None]
