# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What the bridge sends, read: each message for itself, so that a bad one costs no other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyspark_lineage.bridge.messages import read_batch
from pyspark_lineage.contract.spark_events import (
    Failure,
    SparkListenerApplicationEnd,
    SparkListenerApplicationStart,
    SparkListenerJobEnd,
    SparkListenerJobStart,
    SparkListenerOtherEvent,
    SparkListenerSQLExecutionEnd,
    SparkListenerSQLExecutionStart,
)
from pyspark_lineage.errors import BridgeError

APPLICATION = {
    "m": "application", "context": 1, "time": 5, "id": "local-1", "name": "Shop", "master": "local[2]", "user": "me",
    "spark": "4.3.0", "java": "17.0.1", "scala": "2.13.18", "ui": None, "conf": {"spark.app.name": "Shop"},
}  # fmt: skip
START = {
    "m": "sqlStart", "context": 1, "id": 3, "root": 2, "time": 7, "description": "save at job.py:3", "details": None,
    "physical": "Project", "tags": ["t"], "conf": {"spark.sql.ansi.enabled": "true"}, "plan": {"root": 0},
    "planState": "ok",
}  # fmt: skip
END = {
    "m": "sqlEnd", "context": 1, "id": 3, "root": 2, "time": 9, "failure": None, "physical": None, "plan": None,
    "planState": "sent", "sqlMetrics": [["Scan parquet", "number of files read", "sum", 2]],
}  # fmt: skip
STATE = {"waiting": 0, "plansDropped": 0}


def batch(*messages: dict[str, Any]) -> str:
    return json.dumps({"messages": messages, "state": STATE})


def test_an_application_and_its_end() -> None:
    start, end = read_batch(batch(APPLICATION, {"m": "applicationEnd", "context": 1, "time": 8})).messages
    assert start.event == SparkListenerApplicationStart(5)
    assert start.application is not None
    assert (start.application.name, start.application.user, start.application.start_ms) == ("Shop", "me", 5)
    assert start.application.conf == {"spark.app.name": "Shop"}
    assert end.event == SparkListenerApplicationEnd(8)


def test_an_execution_and_its_end() -> None:
    start, end = read_batch(batch(START, END)).messages
    assert start.event == SparkListenerSQLExecutionStart(
        7, 3, 2, "save at job.py:3", "", "Project", ("t",), None, {"spark.sql.ansi.enabled": "true"}
    )
    assert (start.plan, start.plan_state) == ({"root": 0}, "ok")
    assert isinstance(end.event, SparkListenerSQLExecutionEnd)
    assert (end.event.execution_id, end.root_execution_id, end.plan, end.plan_state) == (3, 2, None, "sent")
    assert end.event.sql_metrics == {"Scan parquet": {"number of files read": 2}}
    assert end.event.failure is None


def test_metrics_of_nodes_with_one_name_add_up() -> None:
    rows = [["Scan", "rows", "sum", 2], ["Scan", "rows", "sum", 3], ["Scan", "files", "sum", 1]]
    (end,) = read_batch(batch({**END, "sqlMetrics": rows})).messages
    assert isinstance(end.event, SparkListenerSQLExecutionEnd)
    assert end.event.sql_metrics == {"Scan": {"rows": 5, "files": 1}}


@pytest.mark.parametrize(
    ("sent", "failure"),
    [
        ({"class": None, "message": "it broke"}, Failure("", "it broke")),
        (
            {"class": "a.B", "message": None, "stack": "s", "causes": [{"class": "c", "message": None}]},
            Failure("a.B", "", "s", (("c", ""),)),
        ),
    ],
)
def test_a_failure(sent: dict[str, Any], failure: Failure) -> None:
    (end,) = read_batch(batch({**END, "failure": sent})).messages
    assert isinstance(end.event, SparkListenerSQLExecutionEnd)
    assert end.event.failure == failure


def test_jobs_with_and_without_an_execution() -> None:
    job = {"m": "jobStart", "context": 1, "time": 1, "job": 4, "execution": None, "root": None, "details": None}
    more = {"group": None, "tags": "a,b", "description": None, "stageName": "foreach at job.py:9", "stages": 1}
    over = {"m": "jobEnd", "context": 1, "time": 2, "job": 4, "execution": "3", "root": "2"}
    start, end = read_batch(batch({**job, **more}, {**over, "metrics": {"tasks": 2}, "failure": None})).messages
    assert start.event == SparkListenerJobStart(1, 4, None, "foreach at job.py:9", "", ("a", "b"))
    assert start.root_execution_id is None
    assert isinstance(end.event, SparkListenerJobEnd)
    assert (end.event.execution_id, end.root_execution_id, end.event.metrics) == (3, 2, {"tasks": 2})


def test_an_event_that_a_plug_in_asked_for() -> None:
    message = {"m": "event", "context": 1, "time": 1, "class": "com.acme.Event", "getters": {"m": {"v": 3}}}
    (event,) = read_batch(batch(message)).messages
    assert isinstance(event.event, SparkListenerOtherEvent)
    assert event.event.class_name == "com.acme.Event"


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"m": "lost", "why": "java.lang.OutOfMemoryError"}, "java.lang.OutOfMemoryError"),
        ({"m": "what"}, "what: KeyError('what')"),
        ({"m": "sqlStart", "id": 1}, "sqlStart: KeyError('time')"),
        ({**END, "sqlMetrics": [["x"]]}, "sqlEnd: ValueError"),
        ({**END, "failure": "text"}, "sqlEnd: AttributeError"),
        ({}, "None: KeyError('m')"),
        ("no object", "None: TypeError"),
    ],
)
def test_a_message_that_cannot_be_read_costs_no_other(bad: Any, told: str) -> None:
    read = read_batch(batch(START, bad, END))
    assert [type(one.event) for one in read.messages] == [SparkListenerSQLExecutionStart, SparkListenerSQLExecutionEnd]
    assert len(read.lost) == 1
    assert read.lost[0].startswith(told)
    assert read.state == STATE


@pytest.mark.parametrize("text", ["", "{", "[]", '{"messages": []}', '{"messages": 5, "state": {}}', "null"])
def test_a_reply_that_is_none(text: str) -> None:
    with pytest.raises(BridgeError, match=f"reply of {len(text)} characters"):
        read_batch(text)
