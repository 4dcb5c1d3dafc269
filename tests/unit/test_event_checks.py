# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The checks that every event goes through find what they are there to find."""

import copy
from typing import Any

import pytest

from tests.support.invariants import applications, broken_rules
from tests.support.schema_check import CORE, facets_of, vendored, violations

PRODUCER = "https://example.org/producer"
APPLICATION, CHILD = "01950000-0000-7000-8000-000000000001", "01950000-0000-7000-8000-000000000002"


def facet(name: str, version: str, **values: Any) -> dict[str, Any]:
    url = f"https://openlineage.io/spec/facets/{version}/{name}.json#/$defs/{name}"
    return {"_producer": PRODUCER, "_schemaURL": url, **values}


def event(kind: str, run_id: str, second: int, *, parent: str | None = None, **more: Any) -> dict[str, Any]:
    facets = {}
    if parent:
        job = {"namespace": "test", "name": "app"}
        facets["parent"] = facet("ParentRunFacet", "1-2-0", run={"runId": parent}, job=job)
    return {
        "eventType": kind,
        "eventTime": f"2026-03-01T10:00:{second:02}.000Z",
        "producer": PRODUCER,
        "schemaURL": f"{CORE}#/$defs/RunEvent",
        "run": {"runId": run_id, "facets": facets},
        "job": {"namespace": "test", "name": "app.write" if parent else "app", "facets": {}},
        "inputs": [],
        "outputs": [],
        **more,
    }


def dataset(name: str = "/data/orders") -> dict[str, Any]:
    schema = facet("SchemaDatasetFacet", "1-2-0", fields=[{"name": "id", "type": "long"}])
    return {"namespace": "file", "name": name, "facets": {"schema": schema}}


@pytest.fixture
def events() -> list[dict[str, Any]]:
    return [
        event("START", APPLICATION, 0),
        event("START", CHILD, 1, parent=APPLICATION, outputs=[dataset()]),
        event("COMPLETE", CHILD, 2, parent=APPLICATION, outputs=[dataset()]),
        event("COMPLETE", APPLICATION, 3),
    ]


def test_good_events_pass(events: list[dict[str, Any]]) -> None:
    assert [violations(one) for one in events] == [[], [], [], []]
    assert broken_rules(events) == []
    assert applications(events) == [APPLICATION]


def test_every_vendored_facet_can_be_resolved() -> None:
    assert len(vendored()) == 39
    assert [where for where, _, _ in facets_of(event("START", CHILD, 1, outputs=[dataset()]))] == [
        "outputs[0].facets.schema"
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda e: e.update(eventTime="2026-03-01T10:00:00"), "eventTime"),
        (lambda e: e.update(eventTime="yesterday"), "eventTime"),
        (lambda e: e.update(producer="me"), "producer"),
        (lambda e: e.update(eventType="STOP"), "STOP"),
        (lambda e: e.update(schemaURL="https://openlineage.io/spec/1-0-0/OpenLineage.json"), "schemaURL"),
        (lambda e: e["run"].update(runId="17"), "runId"),
        (lambda e: e["job"].pop("name"), "'name' is a required property"),
        (lambda e: e["run"]["facets"]["parent"].pop("job"), "'job' is a required property"),
        (lambda e: e["run"]["facets"].update(mine={"a": 1}), "_producer"),
        (lambda e: e["run"]["facets"].update(elter=e["run"]["facets"].pop("parent")), "not 'elter'"),
        (lambda e: e["outputs"][0]["facets"]["schema"]["fields"][0].pop("name"), "'name' is a required property"),
        (lambda e: e["outputs"][0].update(outputFacets={"x": {}}), "outputFacets"),
    ],
)
def test_schema_violations_are_found(events: list[dict[str, Any]], change: Any, message: str) -> None:
    broken = copy.deepcopy(events[1])
    change(broken)
    assert any(message in line for line in violations(broken)), violations(broken)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda es: es.pop(1), "0 START events"),
        (lambda es: es.insert(1, es[1]), "2 START events"),
        (lambda es: es.pop(2), "0 terminal events"),
        (lambda es: es.append(es[2] | {"eventType": "FAIL"}), "2 terminal events"),
        (lambda es: es.__setitem__(slice(1, 3), [es[2], es[1]]), "START is not the first"),
        (lambda es: es.append(es[2] | {"eventType": "RUNNING"}), "after the terminal"),
        (lambda es: es[2]["job"].update(name="other"), "more than one job"),
        (lambda es: es[2].update(eventTime="2026-03-01T09:00:00Z"), "eventTime goes back"),
        (lambda es: es[1]["outputs"].append(dataset()), "2 times"),
        (lambda es: es[1].pop("inputs"), "inputs is missing"),
        (lambda es: es[0]["run"].pop("facets"), "run.facets is missing"),
        (lambda es: es[0]["job"].pop("facets"), "job.facets is missing"),
        (lambda es: [e["run"]["facets"].clear() for e in es], "its parent is not the application's run"),
        (lambda es: es[2]["run"]["facets"].clear(), "the parent changes"),
        (lambda es: es.append(es.pop(0)), "began before its application"),
    ],
)
def test_broken_rules_are_found(events: list[dict[str, Any]], change: Any, message: str) -> None:
    change(events)
    assert any(message in line for line in broken_rules(events)), broken_rules(events)


def test_a_killed_job_may_lack_ends_and_nothing_else(events: list[dict[str, Any]]) -> None:
    assert broken_rules(events[:2], broken_off=True) == []
    assert broken_rules(events[1:], broken_off=True) != []
