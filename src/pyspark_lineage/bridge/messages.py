# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What the bridge sends, as the events of the contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyspark_lineage.contract.context import ApplicationInfo
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
from pyspark_lineage.events.captured import Captured, PlanState


@dataclass(frozen=True, slots=True)
class Batch:
    """One reply of the bridge: messages in the order of the bus, and the bridge's own counters."""

    messages: tuple[Captured, ...]
    state: Mapping[str, Any]
    lost: tuple[str, ...] = ()


def read_batch(text: str) -> Batch:
    """A message that cannot be read is told in `lost`; the others are not held up by it."""
    try:
        reply = json.loads(text)
        raw, state = list(reply["messages"]), dict(reply["state"])
    except (ValueError, KeyError, TypeError) as error:
        raise BridgeError(
            f"The bridge's reply of {len(text)} characters is not what it should be: {error!r}"
        ) from error
    messages, lost = [], []
    for message in raw:
        kind = None
        try:
            kind = message["m"]
            if kind == "lost":
                lost.append(str(message["why"]))
            else:
                messages.append(_READERS[kind](message))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            lost.append(f"{kind}: {error!r}")
    return Batch(tuple(messages), state, tuple(lost))


def _application(m: Mapping[str, Any]) -> Captured:
    info = ApplicationInfo(
        id=m["id"] or "",
        name=m["name"] or "",
        master=m["master"] or "",
        user=m["user"] or "",
        spark_version=m["spark"] or "",
        java_version=m["java"] or "",
        start_ms=m["time"],
        conf=m["conf"],
    )
    return Captured(SparkListenerApplicationStart(m["time"]), application=info)


def _application_end(m: Mapping[str, Any]) -> Captured:
    return Captured(SparkListenerApplicationEnd(m["time"]))


def _sql_start(m: Mapping[str, Any]) -> Captured:
    event = SparkListenerSQLExecutionStart(
        m["time"],
        execution_id=m["id"],
        root_execution_id=m["root"],
        description=m["description"] or "",
        details=m["details"] or "",
        physical_name=m["physical"] or "",
        job_tags=tuple(m["tags"]),
        conf=m["conf"],
    )
    return Captured(event, plan=m["plan"], plan_state=PlanState(m["planState"]))


def _sql_end(m: Mapping[str, Any]) -> Captured:
    event = SparkListenerSQLExecutionEnd(
        m["time"],
        execution_id=m["id"],
        failure=_failure(m["failure"]),
        sql_metrics=_sql_metrics(m["sqlMetrics"]),
        physical=tuple(m.get("scans", ())),
    )
    return Captured(
        event,
        plan=m["plan"],
        plan_state=PlanState(m["planState"]),
        root_execution_id=m["root"],
        physical_name=m["physical"] or "",
    )


def _sql_metrics(rows: list[list[Any]]) -> Mapping[str, Mapping[str, int]]:
    metrics: dict[str, dict[str, int]] = {}
    for node, name, _kind, value in rows:
        of_node = metrics.setdefault(node, {})
        of_node[name] = of_node.get(name, 0) + value
    return metrics


def _job_start(m: Mapping[str, Any]) -> Captured:
    event = SparkListenerJobStart(
        m["time"],
        job_id=m["job"],
        execution_id=_id(m["execution"]),
        description=m["description"] or m["stageName"] or "",
        call_site=m["details"] or "",
        job_tags=tuple(t for t in (m["tags"] or "").split(",") if t),
        job_group=m["group"],
    )
    return Captured(event, root_execution_id=_id(m["root"]))


def _job_end(m: Mapping[str, Any]) -> Captured:
    event = SparkListenerJobEnd(
        m["time"],
        job_id=m["job"],
        execution_id=_id(m["execution"]),
        failure=_failure(m["failure"]),
        metrics=m["metrics"],
    )
    return Captured(event, root_execution_id=_id(m["root"]))


def _other(m: Mapping[str, Any]) -> Captured:
    return Captured(SparkListenerOtherEvent(m["time"], class_name=m["class"], getters=m["getters"]["m"]))


def _id(text: str | None) -> int | None:
    return int(text) if text else None


def _failure(m: Mapping[str, Any] | None) -> Failure | None:
    if m is None:
        return None
    causes = tuple((c["class"], c["message"] or "") for c in m.get("causes", ()))
    return Failure(m["class"] or "", m["message"] or "", m.get("stack") or "", causes)


_READERS = {
    "application": _application,
    "applicationEnd": _application_end,
    "sqlStart": _sql_start,
    "sqlEnd": _sql_end,
    "jobStart": _job_start,
    "jobEnd": _job_end,
    "event": _other,
}
