# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What handlers are told about: the application, the execution, the event, and the run that an event is made for."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark_lineage.config import Config
    from pyspark_lineage.contract.spark_events import SparkListenerEvent
    from pyspark_lineage.datasets.value import InputDataset, OutputDataset
    from pyspark_lineage.plan import LogicalPlan
    from pyspark_lineage.plan.decode import Snapshot


@dataclass(frozen=True, slots=True)
class ApplicationInfo:
    """The Spark application; `conf` is its SparkConf, without secrets."""

    id: str
    name: str
    master: str = ""
    user: str = ""
    spark_version: str = ""
    java_version: str = ""
    start_ms: int = 0
    conf: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class QueryExecution:
    """One action of Spark SQL. `analyzed` is None where analysis failed or the plan was lost.

    `conf` is what the session says over the application's conf (`SET ...`), as far as the bridge sent it.
    """

    execution_id: int
    root_execution_id: int | None = None
    analyzed: LogicalPlan | None = None
    snapshot: Snapshot | None = field(default=None, repr=False)
    conf: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)


class OpenLineageContext:
    """What a handler is constructed with. It lives as long as the application.

    Handlers are made once; the runner moves `execution` and `event` on before it asks them. So a handler reads
    them from its context when it is called, and keeps nothing between calls.
    """

    __slots__ = ("_conf", "application", "config", "event", "execution")

    def __init__(
        self,
        config: Config,
        application: ApplicationInfo,
        execution: QueryExecution | None = None,
        event: SparkListenerEvent | None = None,
    ) -> None:
        self.config = config
        self.application = application
        self.execution = execution
        self.event = event
        self._conf: tuple[QueryExecution | None, Mapping[str, str]] | None = None

    @property
    def conf(self) -> Mapping[str, str]:
        """Spark's configuration as the execution sees it: its session's over the application's."""
        if self._conf is None or self._conf[0] is not self.execution:
            own = self.execution.conf if self.execution is not None else None
            conf = ChainMap(dict(own), dict(self.application.conf)) if own else self.application.conf
            self._conf = (self.execution, conf)
        return self._conf[1]


@dataclass(frozen=True, slots=True)
class Lineage:
    """What the handlers found in one execution, and what they did not.

    `unhandled` counts relations, commands and unknown nodes that no handler took, by simple class name; `unknown`
    the classes that the plan model does not know; `failures` the handlers that raised; `cut` says why something
    is missing. `found_in` has the plan nodes that each dataset came from.
    """

    inputs: tuple[InputDataset, ...] = ()
    outputs: tuple[OutputDataset, ...] = ()
    unhandled: Mapping[str, int] = field(default_factory=dict, hash=False)
    unknown: Mapping[str, int] = field(default_factory=dict, hash=False)
    failures: Mapping[str, int] = field(default_factory=dict, hash=False)
    cut: tuple[str, ...] = ()
    nodes: int = 0
    expressions: int = 0
    inputs_found_in: Mapping[tuple[str, str], tuple[LogicalPlan, ...]] = field(
        default_factory=dict, hash=False, compare=False, repr=False
    )
    outputs_found_in: Mapping[tuple[str, str], tuple[LogicalPlan, ...]] = field(
        default_factory=dict, hash=False, compare=False, repr=False
    )


NO_LINEAGE = Lineage()


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """A run and its job, by which other runs refer to it as their parent or root."""

    run_id: str
    job_namespace: str
    job_name: str


@dataclass(frozen=True, slots=True)
class OpenLineageRunEventContext:
    """One event to be made: of which run and type, when, from which lineage. Facets of run and job are built from it.

    `plan_state` says how the plan was got, in the bridge's words (`ok`, `dropped`, `unanalyzed`, ...; `none` where
    there is no plan: an application, an RDD). `truncated` has the reasons why something is missing, `failures` what
    was contained on the way.
    """

    event_type: str
    event_time: datetime
    run: RunIdentity
    context: OpenLineageContext
    lineage: Lineage = NO_LINEAGE
    parent: RunIdentity | None = None
    root: RunIdentity | None = None
    plan_state: str = "none"
    truncated: tuple[str, ...] = ()
    failures: Mapping[str, int] = field(default_factory=dict, hash=False)
    event: SparkListenerEvent | None = None
    execution: QueryExecution | None = None
