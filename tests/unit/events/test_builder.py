# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The assembly of an event: whole events, and what builders of facets are given."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from typing import Any

import attr
import pytest
from openlineage.client.facet_v2 import DatasetFacet, InputDatasetFacet, JobFacet, OutputDatasetFacet, RunFacet

from pyspark_lineage import PRODUCER, __version__, errors
from pyspark_lineage.contract.context import (
    NO_LINEAGE,
    Lineage,
    OpenLineageContext,
    OpenLineageRunEventContext,
    QueryExecution,
    RunIdentity,
)
from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory
from pyspark_lineage.contract.handlers import CustomFacetBuilder
from pyspark_lineage.contract.spark_events import SparkListenerSQLExecutionEnd
from pyspark_lineage.datasets.value import Dataset, InputDataset
from pyspark_lineage.events.builder import OpenLineageRunEventBuilder
from pyspark_lineage.events.naming import moment, parent_and_root, table_part, timestamp
from pyspark_lineage.events.serialize import event_text
from pyspark_lineage.handlers.internal import InternalEventHandlerFactory
from pyspark_lineage.handlers.run import LineageRunner
from pyspark_lineage.plan import LogicalPlan
from pyspark_lineage.plan.expressions import AttributeReference
from pyspark_lineage.plan.relations import LogicalRelation
from pyspark_lineage.plan.types import ArrayType, AtomicType, MapType, StructField, StructType, UserDefinedType
from tests.support.schema_check import validate_event
from tests.unit.handlers.plans import catalog_table, context, create_table_as, execution, files, select

RUN = RunIdentity("01890000-0000-7000-8000-000000000001", "default", "my_app.create.db_t")
APPLICATION = RunIdentity("01890000-0000-7000-8000-000000000002", "default", "my_app")
ROOT = RunIdentity("01890000-0000-7000-8000-000000000003", "airflow", "dag")
NOON = datetime(2026, 9, 20, 12, 0, 0, 123_456, tzinfo=timezone.utc)


def made(
    plan: LogicalPlan | None = None,
    *factories: OpenLineageEventHandlerFactory,
    about: OpenLineageContext | None = None,
    lineage: Lineage | None = None,
    **given: Any,
) -> dict[str, Any]:
    """The event of a plan as a consumer gets it, valid against the schemas."""
    about = about or context()
    factory = InternalEventHandlerFactory(factories)
    query: QueryExecution | None = None if plan is None else execution(plan)
    if lineage is None:
        lineage = NO_LINEAGE if plan is None else LineageRunner(factory, about).run(query)
    run = OpenLineageRunEventContext(
        event_type="START", event_time=NOON, run=RUN, context=about, lineage=lineage, execution=query, **given
    )
    event: dict[str, Any] = json.loads(event_text(OpenLineageRunEventBuilder(factory, about).build(run)))
    validate_event(event)
    return event


def facet(schema: str, **fields: Any) -> dict[str, Any]:
    name = schema.rpartition("/")[2]
    url = f"https://openlineage.io/spec/facets/{schema}.json#/$defs/{name}"
    return {"_producer": PRODUCER, "_schemaURL": url, **fields}


def test_a_whole_event() -> None:
    table = catalog_table(location="s3a://b/t")
    event = made(
        create_table_as(select(files("file:/in")), table),
        parent=APPLICATION,
        root=ROOT,
        plan_state="ok",
        truncated=("x",),
    )
    columns = [
        {"name": "id", "type": "long", "ordinal_position": 1},
        {"name": "name", "type": "string", "ordinal_position": 2},
    ]
    assert event == {
        "eventTime": "2026-09-20T12:00:00.123Z",
        "eventType": "START",
        "producer": PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {
            "runId": RUN.run_id,
            "facets": {
                "parent": facet(
                    "1-2-0/ParentRunFacet",
                    run={"runId": APPLICATION.run_id},
                    job={"namespace": "default", "name": "my_app"},
                    root={"run": {"runId": ROOT.run_id}, "job": {"namespace": "airflow", "name": "dag"}},
                ),
                "processing_engine": facet(
                    "1-1-1/ProcessingEngineRunFacet",
                    name="spark",
                    version="4.3.0",
                    openlineageAdapterVersion=__version__,
                ),
                "pyspark_lineage": {
                    "_producer": PRODUCER,
                    "_schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet",
                    "agentVersion": __version__,
                    "planState": "ok",
                    "nodes": 3,
                    "expressions": 0,
                    "unhandledNodes": {},
                    "unknownNodes": {},
                    "failures": {},
                    "truncated": ["x"],
                },
            },
        },
        "job": {"namespace": "default", "name": "my_app.create.db_t", "facets": {}},
        "inputs": [
            {
                "namespace": "file",
                "name": "/in",
                "facets": {
                    "dataSource": facet("1-0-1/DatasourceDatasetFacet", name="file", uri="file"),
                    "schema": facet("1-2-0/SchemaDatasetFacet", fields=columns),
                },
            }
        ],
        "outputs": [
            {
                "namespace": "s3://b",
                "name": "t",
                "facets": {
                    "dataSource": facet("1-0-1/DatasourceDatasetFacet", name="s3://b", uri="s3://b"),
                    "lifecycleStateChange": facet(
                        "1-0-1/LifecycleStateChangeDatasetFacet", lifecycleStateChange="CREATE"
                    ),
                    "schema": facet("1-2-0/SchemaDatasetFacet", fields=columns),
                },
            }
        ],
    }


def test_an_event_without_lineage_has_all_its_lists() -> None:
    event = made()
    assert (event["inputs"], event["outputs"], event["job"]["facets"]) == ([], [], {})
    assert set(event["run"]["facets"]) == {"processing_engine", "pyspark_lineage"}


def test_symlinks() -> None:
    event = made(files("file:/wh/db.db/t", table=catalog_table()))
    assert event["inputs"][0]["facets"]["symlinks"] == facet(
        "1-0-1/SymlinksDatasetFacet", identifiers=[{"namespace": "file:/wh", "name": "db.t", "type": "TABLE"}]
    )


@pytest.mark.parametrize("namespace", ["file", "s3://b", "abfss://c@a", "hdfs://namenode:8020"])
def test_a_data_source_is_called_by_the_namespace(namespace: str) -> None:
    lineage = Lineage(inputs=(InputDataset(namespace, "n"),))
    assert made(lineage=lineage)["inputs"][0]["facets"]["dataSource"] == facet(
        "1-0-1/DatasourceDatasetFacet", name=namespace, uri=namespace
    )


def test_nested_schemas_have_the_java_agents_types() -> None:
    point = StructType((StructField("x", AtomicType("double")), StructField("y", AtomicType("double"))))
    schema = StructType(
        (
            StructField("price", AtomicType("decimal(10,2)"), metadata={"comment": "in euro"}),
            StructField("at", point),
            StructField("path", ArrayType(point)),
            StructField("tags", MapType(AtomicType("string"), ArrayType(AtomicType("integer")))),
            StructField("v", UserDefinedType("org.apache.spark.ml.linalg.VectorUDT", point)),
            StructField("none", StructType(())),
        )
    )
    xy = [
        {"name": "x", "type": "double", "ordinal_position": 1},
        {"name": "y", "type": "double", "ordinal_position": 2},
    ]
    fields = made(files("file:/in", schema=schema))["inputs"][0]["facets"]["schema"]["fields"]
    assert fields == [
        {"name": "price", "type": "decimal(10,2)", "description": "in euro", "ordinal_position": 1},
        {"name": "at", "type": "struct", "ordinal_position": 2, "fields": xy},
        {
            "name": "path",
            "type": "array",
            "ordinal_position": 3,
            "fields": [{"name": "_element", "type": "struct", "fields": xy}],
        },
        {
            "name": "tags",
            "type": "map",
            "ordinal_position": 4,
            "fields": [
                {"name": "key", "type": "string"},
                {"name": "value", "type": "array", "fields": [{"name": "_element", "type": "integer"}]},
            ],
        },
        {"name": "v", "type": "vector", "ordinal_position": 5, "fields": xy},
        {"name": "none", "type": "struct", "ordinal_position": 6},
    ]


def test_a_type_without_end_does_not_end_the_event() -> None:
    deep: Any = AtomicType("long")
    for _ in range(2000):
        deep = ArrayType(deep)
    assert made(files("file:/in", schema=StructType((StructField("a", deep),))))["inputs"][0]["facets"]["schema"]


def test_facets_can_be_switched_off() -> None:
    event = made(files("file:/in"), about=context(facets_disabled=frozenset({"schema", "processing_engine"})))
    assert set(event["inputs"][0]["facets"]) == {"dataSource"}
    assert set(event["run"]["facets"]) == {"pyspark_lineage"}


@attr.define
class Note(RunFacet):
    text: str


@attr.define
class DatasetNote(DatasetFacet):
    text: str


@attr.define
class JobNote(JobFacet):
    text: str


@attr.define
class InputNote(InputDatasetFacet):
    text: str


@attr.define
class OutputNote(OutputDatasetFacet):
    text: str


def builder(x_type: Any, key: str, make: Callable[[Any], object]) -> type[CustomFacetBuilder[Any, Any]]:
    class Builder(CustomFacetBuilder[x_type, Any]):
        def build(self, x: Any, consumer: Callable[[str, Any], None], /) -> None:
            consumer(key, make(x))

    return Builder


class Facets(OpenLineageEventHandlerFactory):
    """Whatever a test wants to register."""

    def __init__(self, **kinds: Sequence[type[CustomFacetBuilder[Any, Any]]]) -> None:
        self._kinds = kinds

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("create_") and name.endswith("_facet_builders"):
            kind = name.removeprefix("create_").removesuffix("_facet_builders")
            return lambda context: [cls(context) for cls in self._kinds.get(kind, ())]
        return super().__getattribute__(name)


def test_what_facets_can_be_built_from() -> None:
    plugin = Facets(
        run=[
            builder(SparkListenerSQLExecutionEnd, "event", lambda x: Note(str(x.execution_id))),
            builder(QueryExecution, "execution", lambda x: Note(str(x.execution_id))),
            builder(Lineage, "lineage", lambda x: Note(str(len(x.inputs)))),
            builder(LogicalRelation, "node", lambda x: Note(x.simple_name)),
        ],
        job=[builder(AttributeReference, "column", lambda x: JobNote(x.name))],
        dataset=[
            builder(Dataset, "name", lambda x: DatasetNote(x.name)),
            builder(LogicalRelation, "root", lambda x: DatasetNote(x.relation.roots[0])),
            builder(QueryExecution, "id", lambda x: DatasetNote(str(x.execution_id))),
        ],
        input_dataset=[builder(InputDataset, "in", lambda x: InputNote(x.name))],
        output_dataset=[builder(Dataset, "out", lambda x: OutputNote(x.name))],
    )
    event = made(
        create_table_as(select(files("file:/in")), catalog_table()),
        plugin,
        event=SparkListenerSQLExecutionEnd(0, execution_id=7),
    )

    def texts(facets: dict[str, Any]) -> dict[str, str]:
        return {key: facet["text"] for key, facet in facets.items() if "text" in facet}

    assert texts(event["run"]["facets"]) == {"event": "7", "execution": "1", "lineage": "1", "node": "LogicalRelation"}
    assert texts(event["job"]["facets"]) == {"column": "id"}
    assert texts(event["inputs"][0]["facets"]) == {"name": "/in", "root": "file:/in", "id": "1"}
    assert texts(event["inputs"][0]["inputFacets"]) == {"in": "/in"}
    assert texts(event["outputs"][0]["facets"]) == {"name": "/wh/db.db/t", "id": "1"}
    assert texts(event["outputs"][0]["outputFacets"]) == {"out": "/wh/db.db/t"}


def test_a_plug_in_may_replace_a_facet_and_a_handler_brings_its_own() -> None:
    plugin = Facets(dataset=[builder(Dataset, "dataSource", lambda x: DatasetNote("mine"))])
    given = Lineage(inputs=(InputDataset("a", "b", facets={"note": DatasetNote("own")}),))
    facets = made(None, plugin, lineage=given)["inputs"][0]["facets"]
    assert (facets["dataSource"]["text"], facets["note"]["text"]) == ("mine", "own")


@pytest.mark.parametrize("make", [lambda x: {}["nothing"], lambda x: {"text": "no facet"}], ids=["raises", "no facet"])
def test_a_builder_that_fails_is_counted_in_the_event_itself(
    make: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYSPARK_LINEAGE_RAISE")
    errors.FAILURES.clear()
    event = made(files("file:/in"), Facets(dataset=[builder(Dataset, "x", make)]), failures={"before": 2})
    assert set(event["inputs"][0]["facets"]) == {"schema", "dataSource"}
    assert event["run"]["facets"]["pyspark_lineage"]["failures"] == {"before": 2, "facets.Builder": 1}


def test_times() -> None:
    assert timestamp(moment(1_789_905_600_123)) == "2026-09-20T12:00:00.123Z"
    assert timestamp(moment(0)) == "1970-01-01T00:00:00.000Z"
    assert timestamp(datetime(2026, 1, 1, 2, 0, 0, 999_999, tzinfo=timezone.utc)) == "2026-01-01T02:00:00.999Z"


def test_who_is_above_a_run() -> None:
    orchestrator = RunIdentity("01890000-0000-7000-8000-000000000004", "airflow", "task")
    assert parent_and_root(APPLICATION, None, None) == (APPLICATION, APPLICATION)
    assert parent_and_root(APPLICATION, orchestrator, None) == (APPLICATION, orchestrator)
    assert parent_and_root(APPLICATION, orchestrator, ROOT) == (APPLICATION, ROOT)
    assert parent_and_root(None, orchestrator, ROOT) == (orchestrator, ROOT)
    assert parent_and_root(None, orchestrator, None) == (orchestrator, orchestrator)
    assert parent_and_root(None, None, ROOT) == (None, None)


def test_the_table_in_a_jobs_name_is_the_first_output() -> None:
    lineage = LineageRunner(InternalEventHandlerFactory(), context()).run(
        execution(create_table_as(files("file:/in"), catalog_table()))
    )
    assert table_part(lineage.outputs) == "db.t"
    assert table_part(()) == ""
