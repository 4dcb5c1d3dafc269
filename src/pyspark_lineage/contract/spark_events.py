# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The events of Spark's listener bus as the bridge tells them, under Spark's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SparkListenerEvent:
    """Any event on the bus. `time_ms` is the JVM's clock, in milliseconds since 1970."""

    time_ms: int


@dataclass(frozen=True, slots=True)
class SparkListenerApplicationStart(SparkListenerEvent):
    """The application runs: made by us at attach, since a late listener never sees Spark's own."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, as the JVM tells it: the exception's class, its message, its stack and its causes' messages."""

    class_name: str
    message: str = ""
    stack_trace: str = ""
    causes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SparkListenerApplicationEnd(SparkListenerEvent):
    """The application is over. `failure` is None when the program ended by itself; `exit_code` where it is known."""

    failure: Failure | None = None
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class SparkListenerSQLExecutionStart(SparkListenerEvent):
    """An action of Spark SQL begins. `physical_name` is the physical root's name, "" before it is planned."""

    execution_id: int
    root_execution_id: int | None = None
    description: str = ""
    details: str = ""
    physical_name: str = ""
    job_tags: tuple[str, ...] = ()
    job_group: str | None = None
    conf: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SparkListenerSQLExecutionEnd(SparkListenerEvent):
    """An action of Spark SQL is over. `failure` is None on success; metrics are sums over all its jobs."""

    execution_id: int
    failure: Failure | None = None
    metrics: Mapping[str, Any] = field(default_factory=dict, hash=False)
    sql_metrics: Mapping[str, Any] = field(default_factory=dict, hash=False)
    physical: Any = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class SparkListenerJobStart(SparkListenerEvent):
    """A Spark job begins: part of a SQL execution, or an RDD action of its own (`execution_id` None)."""

    job_id: int
    execution_id: int | None = None
    description: str = ""
    call_site: str = ""
    job_tags: tuple[str, ...] = ()
    job_group: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SparkListenerJobEnd(SparkListenerEvent):
    """A Spark job is over. `failure` is None on success."""

    job_id: int
    execution_id: int | None = None
    failure: Failure | None = None
    metrics: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SparkListenerOtherEvent(SparkListenerEvent):
    """An event whose class a plug-in named in its getters: Delta's, Iceberg's, a vendor's own."""

    class_name: str
    getters: Mapping[str, Any] = field(default_factory=dict, hash=False)
