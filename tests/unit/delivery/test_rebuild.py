# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import json

import pytest
from openlineage.client.event_v2 import RunState
from openlineage.client.facet_v2 import job_type_job, parent_run, schema_dataset
from openlineage.client.serde import Serde
from openlineage.client.transport.kafka import KafkaTransport

from pyspark_lineage.delivery.rebuild import run_event
from tests.unit.delivery.samples import make_event


@pytest.mark.parametrize("state", list(RunState))
def test_the_same_text_comes_out(state):
    body = Serde.to_json(make_event(event_type=state))
    assert Serde.to_json(run_event(body)) == body


def test_facets_that_openlineage_knows_are_its_objects():
    event = run_event(Serde.to_json(make_event()))
    assert isinstance(event.run.facets["parent"], parent_run.ParentRunFacet)
    assert event.run.facets["parent"].root.job.name == "dag"
    assert isinstance(event.job.facets["jobType"], job_type_job.JobTypeJobFacet)
    fields = event.inputs[0].facets["schema"].fields
    assert isinstance(fields[1].fields[0], schema_dataset.SchemaDatasetFacetFields)
    assert event.run.facets["errorMessage"].extra is True
    assert event.run.facets["more"].anything["deep"] == [1, {"a": 1}]
    assert event.run.facets["own"]["stages"] == {"decode": 0.25}


def test_the_key_of_a_kafka_message_is_that_of_the_event_itself():
    transport = KafkaTransport.__new__(KafkaTransport)
    event = make_event()
    rebuilt = run_event(Serde.to_json(event))
    assert transport._get_message_key(rebuilt) == transport._get_message_key(event) == "run:n/dag"


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw["run"].pop("facets"),
        lambda raw: raw.pop("inputs"),
        lambda raw: raw["outputs"][0].pop("outputFacets"),
        lambda raw: raw.update(schemaURL="https://openlineage.io/spec/1-0-5/OpenLineage.json#/definitions/RunEvent"),
        lambda raw: raw["run"]["facets"]["parent"].update(_schemaURL="https://example.com/Other.json"),
        lambda raw: raw["run"]["facets"]["parent"].pop("job"),
        lambda raw: raw["run"]["facets"]["parent"]["run"].update(more=[1]),
        lambda raw: raw["inputs"][0]["facets"]["schema"].update(fields=None or [], _deleted=True),
        lambda raw: raw["run"]["facets"].update(odd="not a facet"),
    ],
)
def test_whatever_is_missing_added_or_odd_stays_so(change):
    raw = json.loads(Serde.to_json(make_event()))
    change(raw)
    body = json.dumps(raw, sort_keys=True)
    assert Serde.to_json(run_event(body)) == body


@pytest.mark.parametrize("body", ["{}", '{"run": 1}', "[]", "no json"])
def test_what_is_no_run_event_is_said(body):
    with pytest.raises(ValueError, match=r"not a run event|Expecting value"):
        run_event(body)
