# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Real events, small ones, and what a test tells and learns of its HTTP server."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import attr
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    RunFacet,
    column_lineage_dataset,
    error_message_run,
    job_type_job,
    output_statistics_output_dataset,
    parent_run,
    processing_engine_run,
    schema_dataset,
    symlinks_dataset,
)
from openlineage.client.serde import Serde

from pyspark_lineage.delivery.spool import SpooledEvent

RUN_ID = "01941b2c-0000-7000-8000-{:012d}"
PRODUCER = "https://github.com/pyspark-lineage/pyspark-lineage/tree/0.1.0"


@attr.define
class OwnFacet(RunFacet):
    """A facet that openlineage-python does not know."""

    stages: dict[str, float] = attr.field(factory=dict)
    nothing: str | None = None

    @staticmethod
    def _get_schema() -> str:
        return f"{PRODUCER}/facets/1-0-0/OwnFacet.json"


def make_event(number: int = 1, event_type: RunState = RunState.COMPLETE) -> RunEvent:
    """What a write of a nested table looks like, with every kind of facet."""
    field_ = schema_dataset.SchemaDatasetFacetFields
    column = column_lineage_dataset
    schema = schema_dataset.SchemaDatasetFacet(
        fields=[
            field_(name="id", type="long"),
            field_(name="größe", type="struct", fields=[field_(name="x", type="double", description='in "m"\n')]),
        ]
    )
    lineage = column.ColumnLineageDatasetFacet(
        fields={
            "id": column.Fields(
                inputFields=[
                    column.InputField(
                        namespace="file",
                        name="/in",
                        field="id",
                        transformations=[column.Transformation(type="DIRECT", subtype="IDENTITY", masking=False)],
                    )
                ]
            )
        },
        dataset=[],
    )
    symlinks = symlinks_dataset.SymlinksDatasetFacet(
        identifiers=[symlinks_dataset.Identifier(namespace="file:/w", name="default.t", type="TABLE")]
    )
    failed = error_message_run.ErrorMessageRunFacet(message="bóom", programmingLanguage="PYTHON", stackTrace="a\n  b")
    run_facets = {
        "parent": parent_run.ParentRunFacet(
            run=parent_run.Run(runId=RUN_ID.format(0)),
            job=parent_run.Job(namespace="n", name="app"),
            root=parent_run.Root(
                run=parent_run.RootRun(runId=RUN_ID.format(9)), job=parent_run.RootJob(namespace="n", name="dag")
            ),
        ),
        "processing_engine": processing_engine_run.ProcessingEngineRunFacet(version="4.3.0", name="spark"),
        "own": OwnFacet(stages={"decode": 0.25}),
        "more": RunFacet().with_additional_properties(anything={"deep": [1, None, {}, {"a": 1, "b": None}]}),
        "errorMessage": failed.with_additional_properties(extra=True),
    }
    job_type = job_type_job.JobTypeJobFacet(processingType="BATCH", integration="SPARK", jobType="SQL_JOB")
    statistics = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(rowCount=3, size=4096)
    return RunEvent(
        eventType=event_type,
        eventTime="2026-01-02T03:04:05.678Z",
        producer=PRODUCER,
        run=Run(runId=RUN_ID.format(number), facets=run_facets),
        job=Job(namespace="n", name="app.job", facets={"jobType": job_type}),
        inputs=[InputDataset(namespace="file", name="/in", facets={"schema": schema})],
        outputs=[
            OutputDataset(
                namespace="file",
                name="/out",
                facets={"schema": schema, "columnLineage": lineage, "symlinks": symlinks},
                outputFacets={"outputStatistics": statistics},
            )
        ],
    )


def stored(event: RunEvent) -> SpooledEvent:
    assert event.eventType is not None
    return SpooledEvent(event.run.runId, event.eventType.value, Serde.to_json(event))


def simple(number: int, event_type: str = "START", *, size: int = 10) -> SpooledEvent:
    return SpooledEvent(RUN_ID.format(number), event_type, f'{{"n":{number},"pad":"{"x" * size}"}}')


@dataclass
class Endpoint:
    """`answer(n)` says what the n-th request gets: a status, or None for no answer at all."""

    url: str = ""
    answer: Callable[[int], int | None] = lambda _: 200
    headers_sent: dict[str, str] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    clients: set[int] = field(default_factory=set)
    accepted: list[str] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
