# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""From what was captured to runs: one START and one terminal event for each action and for the application.

Spark runs one action as several nested executions (a CTAS as two, `saveAsTable` on 4.3 as three). They are one run,
known by the root execution: datasets of all, status of the root.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from openlineage.client.uuid import generate_new_uuid

from pyspark_lineage.contract.context import (
    NO_LINEAGE,
    ApplicationInfo,
    Lineage,
    OpenLineageContext,
    OpenLineageRunEventContext,
    QueryExecution,
    RunIdentity,
)
from pyspark_lineage.contract.spark_events import (
    Failure,
    SparkListenerApplicationEnd,
    SparkListenerApplicationStart,
    SparkListenerEvent,
    SparkListenerSQLExecutionEnd,
    SparkListenerSQLExecutionStart,
)
from pyspark_lineage.errors import BridgeError, LineageError, contain
from pyspark_lineage.events.builder import OpenLineageRunEventBuilder
from pyspark_lineage.events.fold import folded
from pyspark_lineage.events.job_name import application_job_name, sql_job_name
from pyspark_lineage.events.naming import moment, parent_and_root, table_part
from pyspark_lineage.events.serialize import event_text
from pyspark_lineage.handlers.internal import InternalEventHandlerFactory
from pyspark_lineage.handlers.known import is_command, is_silent
from pyspark_lineage.handlers.run import LineageRunner
from pyspark_lineage.plan.decode import decode

if TYPE_CHECKING:
    from pyspark_lineage.config import Config
    from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory
    from pyspark_lineage.events.captured import Captured, PlanState

logger = logging.getLogger(__name__)

_ENDED_REMEMBERED = 10_000
# Spark's CommandResultExec: somebody looks at what a command returned (`spark.sql("INSERT ...").collect()`). The plan
# is that command's once more, which ran in an execution of its own.
_LOOKS_AT_A_RESULT = "CommandResult"


@dataclass(frozen=True, slots=True)
class Made:
    """A finished event: its text for the spool, and what a person is told of it."""

    run_id: str
    event_type: str
    body: str = field(repr=False)
    job_name: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()


@dataclass(slots=True)
class _Run:
    """One action, from its first captured event to its terminal one."""

    root_id: int
    start_ms: int
    identity: RunIdentity | None = None
    event: SparkListenerSQLExecutionStart | None = None
    execution: QueryExecution | None = None
    physical_name: str = ""
    lineage: Lineage = NO_LINEAGE
    plan_state: str = "none"
    lost: dict[int, str] = field(default_factory=dict)
    failures: Counter[str] = field(default_factory=Counter)
    waits_for_plan: bool = False
    silent: bool = False

    @property
    def started(self) -> bool:
        return self.identity is not None

    @property
    def truncated(self) -> tuple[str, ...]:
        """What became of the plans that did not come, of the root and of nested executions."""
        return tuple(dict.fromkeys(f"plan {state}" for state in self.lost.values()))


class _Application:
    """The application run and what is made once for it."""

    def __init__(self, config: Config, info: ApplicationInfo, factory: OpenLineageEventHandlerFactory) -> None:
        self.context = OpenLineageContext(config, info)
        self.runner = LineageRunner(factory, self.context)
        self.builder = OpenLineageRunEventBuilder(factory, self.context)
        # Where a plug-in's facet cannot be built or written: the event without plug-ins.
        self.plain = OpenLineageRunEventBuilder(InternalEventHandlerFactory(), self.context)
        self.name = config.app_name or info.name
        run_id = config.parent.application_run_id or _new_run_id(info.start_ms)
        self.identity = RunIdentity(run_id, config.namespace, application_job_name(self.name))
        self.configured = _configured_parents(config)
        self.ended_ms: int | None = None


class Lifecycle:
    """Events in, OpenLineage events out; used from one thread. What it holds is let go with each run's end."""

    def __init__(self, config: Config, factory: OpenLineageEventHandlerFactory) -> None:
        self._config = config
        self._factory = factory
        self._application: _Application | None = None
        self._runs: dict[int, _Run] = {}
        self._ended: OrderedDict[int, None] = OrderedDict()
        self._counts: Counter[str] = Counter()

    def stats(self) -> dict[str, Any]:
        """What was made so far, by event type, and what is open."""
        return {**self._counts, "open": len(self._runs)}

    def on(self, captured: Captured, /) -> list[Made]:
        """The OpenLineage events that this makes due: often none."""
        event = captured.event
        if isinstance(event, SparkListenerApplicationStart):
            return self._application_start(event, captured.application)
        if isinstance(event, SparkListenerApplicationEnd):
            return self._application_end(event)
        if self._application is None:
            return []
        if isinstance(event, SparkListenerSQLExecutionStart):
            return self._sql_start(event, captured)
        if isinstance(event, SparkListenerSQLExecutionEnd):
            return self._sql_end(event, captured)
        return []

    def end(self, status: Mapping[str, Any] | None, /) -> list[Made]:
        """The user's process is over: its last word, or None when it was killed. Ends what is still open."""
        application = self._application
        if application is None:
            return []
        now = application.ended_ms if application.ended_ms is not None else _now_ms()
        killed = status is None or bool(status.get("interrupted"))
        failure = _program_failure(status)
        code = None if status is None else status.get("code")
        made = self._abort_open_runs(now)
        event = SparkListenerApplicationEnd(now, failure=failure, exit_code=code)
        kind = "ABORT" if killed else "FAIL" if failure is not None or code else "COMPLETE"
        made += self._made_for_application(kind, now, event)
        self._application = None
        return made

    def cut_short(self, status: Mapping[str, Any] | None, /) -> list[Made]:
        """`end`, while a handler still hangs in `on` on another thread: by the built-in handlers alone."""
        if self._application is not None:
            self._application.builder = self._application.plain
        return self.end(status)

    # ------------------------------------------------------------ the application

    def _application_start(self, event: SparkListenerApplicationStart, info: ApplicationInfo | None) -> list[Made]:
        made = self.end({"code": 0}) if self._application is not None else []
        if info is None:
            return made
        self._application = _Application(self._config, info, self._factory)
        self._runs.clear()
        self._ended.clear()
        return made + self._made_for_application("START", event.time_ms, event)

    def _application_end(self, event: SparkListenerApplicationEnd) -> list[Made]:
        """The context stopped. How the application ended is known when the process ends, or the next context begins."""
        if self._application is None:
            return []
        self._application.ended_ms = event.time_ms
        return self._abort_open_runs(event.time_ms)

    def _abort_open_runs(self, now: int) -> list[Made]:
        made: list[Made] = []
        for run in list(self._runs.values()):
            made += self._terminal(run, "ABORT", now, None)
        return made

    def _made_for_application(self, kind: str, time_ms: int, event: SparkListenerEvent) -> list[Made]:
        application = self._application
        assert application is not None
        parent, root = parent_and_root(None, *application.configured)
        about = OpenLineageRunEventContext(
            event_type=kind,
            event_time=moment(time_ms),
            run=application.identity,
            context=application.context,
            parent=parent,
            root=root,
            event=event,
        )
        return self._built(application, about)

    # ------------------------------------------------------------ actions

    def _sql_start(self, event: SparkListenerSQLExecutionStart, captured: Captured) -> list[Made]:
        root_id = event.root_execution_id if event.root_execution_id is not None else event.execution_id
        if root_id in self._ended:
            return []
        run = self._runs.get(root_id)
        if run is None:
            # The bus tells the root first: a root that we never heard of was running before we listened, and its end
            # will not come either. What runs in it is then an action of its own.
            root_id = event.execution_id
            run = self._runs[root_id] = _Run(root_id, event.time_ms)
        if event.execution_id == root_id:
            run.event, run.physical_name = event, event.physical_name
            # Dropped: the bridge tries again at the end, and a statement may turn out to have nothing to say.
            run.waits_for_plan = captured.plan_state in ("late", "dropped")
        self._take_plan(run, event.execution_id, event, captured)
        return self._start_if_due(run)

    def _sql_end(self, event: SparkListenerSQLExecutionEnd, captured: Captured) -> list[Made]:
        root_id = captured.root_execution_id
        run = self._runs.get(event.execution_id if root_id is None else root_id) or self._runs.get(event.execution_id)
        if run is None:
            return []
        is_root = event.execution_id == run.root_id
        start = run.event if is_root and run.event is not None else event
        if is_root:
            run.physical_name = run.physical_name or captured.physical_name
        self._take_plan(run, event.execution_id, start, captured)
        if not is_root:
            return self._start_if_due(run)
        self._ask_builders_again(run, event)
        run.waits_for_plan = False
        kind = "FAIL" if event.failure is not None else "COMPLETE"
        return self._terminal(run, kind, event.time_ms, event)

    def _ask_builders_again(self, run: _Run, event: SparkListenerSQLExecutionEnd) -> None:
        """Builders look at the event, and the end is another one than the start."""
        application = self._application
        if application is None or run.execution is None or not application.runner.depends_on_event:
            return
        with contain("events.builders", logger=logger, on_failure=lambda _: run.failures.update(["events.builders"])):
            run.lineage = folded(run.lineage, application.runner.run(run.execution, event), nested=True)

    def _take_plan(self, run: _Run, execution_id: int, event: SparkListenerEvent, captured: Captured) -> None:
        """Add what this execution's plan tells to the run. A plan is let go as soon as its lineage is known."""
        application = self._application
        assert application is not None
        is_root = execution_id == run.root_id
        if captured.plan is None:
            self._miss_plan(run, execution_id, captured.plan_state)
            return
        run.lost.pop(execution_id, None)
        count = _counting(run, "plan.decode")
        with contain("plan.decode", logger=logger, on_failure=count), _no_exit():
            snapshot = decode(captured.plan)
            _count_unread(snapshot.cut)
            conf = getattr(event, "conf", {})
            execution = QueryExecution(execution_id, run.root_id, snapshot.root, snapshot, conf)
            found = application.runner.run(execution, event)
            run.lineage = folded(run.lineage, found, nested=not is_root)
            if is_root:
                run.plan_state = "ok"
                run.silent = is_command(snapshot.root) and is_silent(snapshot.root)
                run.execution = execution
                run.physical_name = run.physical_name or snapshot.root.simple_name
        if is_root:
            run.waits_for_plan = False

    def _miss_plan(self, run: _Run, execution_id: int, state: PlanState) -> None:
        """No plan with this message: it was sent before, or comes later, or there is none, or it is lost."""
        if state in ("late", "sent"):
            return
        if execution_id == run.root_id:
            run.plan_state = str(state)
        if not state.is_lost:
            return
        run.lost[execution_id] = str(state)
        if state != "dropped":  # that is counted where it happened, and may still be made good
            with contain("bridge.snapshot", logger=logger, on_failure=_counting(run, "bridge.snapshot")):
                raise BridgeError(f"The plan of execution {execution_id} could not be read: {state}")

    def _start_if_due(self, run: _Run) -> list[Made]:
        """START as soon as the run has something to tell: with the root's plan, or with that of a nested execution."""
        if run.started or run.waits_for_plan or not _tells(run):
            return []
        if any(output.provisional for output in run.lineage.outputs):
            return []  # the nested execution that writes it knows the place; it is a moment away
        return self._start(run)

    def _start(self, run: _Run) -> list[Made]:
        application = self._application
        assert application is not None
        job = self._config.job_name
        name = sql_job_name(
            application.name,
            run.physical_name,
            table_part(run.lineage.outputs),
            append_dataset_name=job.append_dataset_name,
            replace_dot_with_underscore=job.replace_dot_with_underscore,
        )
        run.identity = RunIdentity(_new_run_id(run.start_ms), self._config.namespace, name)
        return self._made_for_run(run, "START", run.start_ms, run.event)

    def _terminal(self, run: _Run, kind: str, time_ms: int, event: SparkListenerEvent | None) -> list[Made]:
        made: list[Made] = []
        try:
            if not run.started:
                if not _tells(run):
                    return made
                made += self._start(run)
            return made + self._made_for_run(run, kind, max(time_ms, run.start_ms), event)
        finally:
            # Not before: while a handler hangs in here, the run is still to be ended.
            self._runs.pop(run.root_id, None)
            self._ended[run.root_id] = None
            while len(self._ended) > _ENDED_REMEMBERED:
                self._ended.popitem(last=False)

    def _made_for_run(self, run: _Run, kind: str, time_ms: int, event: SparkListenerEvent | None) -> list[Made]:
        application = self._application
        assert application is not None
        assert run.identity is not None
        parent, root = parent_and_root(application.identity, *application.configured)
        about = OpenLineageRunEventContext(
            event_type=kind,
            event_time=moment(time_ms),
            run=run.identity,
            context=application.context,
            lineage=run.lineage,
            parent=parent,
            root=root,
            plan_state=run.plan_state,
            truncated=run.truncated,
            failures=run.failures,
            event=event,
            execution=run.execution,
        )
        return self._built(application, about)

    def _built(self, application: _Application, about: OpenLineageRunEventContext) -> list[Made]:
        body = _body(application, about)
        self._counts[about.event_type] += 1
        inputs = tuple(dataset.name for dataset in about.lineage.inputs)
        outputs = tuple(dataset.name for dataset in about.lineage.outputs)
        return [Made(about.run.run_id, about.event_type, body, about.run.job_name, inputs, outputs)]


def _body(application: _Application, about: OpenLineageRunEventContext) -> str:
    """The event's text. A run gets its START and its end whatever plug-ins make of it: without them, if need be."""
    with contain("events.build", logger=logger), _no_exit():
        return event_text(application.builder.build(about))
    failures = {**about.failures, "events.build": 1}
    plain = replace(about, failures=failures, lineage=_without_facets(about.lineage))
    with contain("events.build", logger=logger):
        return event_text(application.plain.build(plain))
    return event_text(application.plain.build(replace(plain, lineage=NO_LINEAGE)))


def _without_facets(lineage: Lineage) -> Lineage:
    """Only what the datasets are called and look like: handlers may have added facets that cannot be written."""
    return replace(
        lineage,
        inputs=tuple(replace(one, facets={}, input_facets={}) for one in lineage.inputs),
        outputs=tuple(replace(one, facets={}, output_facets={}) for one in lineage.outputs),
    )


@contextmanager
def _no_exit() -> Iterator[None]:
    """A plug-in that calls `sys.exit()` has failed, and nothing more: `contain` lets SystemExit through."""
    try:
        yield
    except SystemExit as error:
        raise LineageError("a plug-in called sys.exit()") from error


def _counting(run: _Run, where: str) -> Callable[[BaseException], object]:
    return lambda _error: run.failures.update([where])


def _count_unread(cut: Iterable[str]) -> None:
    """What connectors' and plug-ins' classes did not tell when the bridge asked them: a failure of theirs, by name."""
    for why in cut:
        if why.startswith(("getter ", "table ")):
            with contain(f"bridge.{why}", logger=logger):
                raise BridgeError(f"{why}: it raised, or took too long")


def _tells(run: _Run) -> bool:
    """Whether there is anything to say: data that is read or written, or that something was not understood or lost.

    A statement without data of its own (`EXPLAIN SELECT ...`, a temporary view) says nothing of the query in it.
    """
    lineage = run.lineage
    silent = run.silent or run.physical_name == _LOOKS_AT_A_RESULT
    return not silent and bool(lineage.inputs or lineage.outputs or lineage.unhandled or run.lost or run.failures)


def _configured_parents(config: Config) -> tuple[RunIdentity | None, RunIdentity | None]:
    """The orchestrator's run that the configuration names as the application's parent, and its root."""
    p = config.parent
    parent = root = None
    if p.run_id and p.job_name and p.job_namespace:
        parent = RunIdentity(p.run_id, p.job_namespace, p.job_name)
    if p.root_run_id and p.root_job_name and p.root_job_namespace:
        root = RunIdentity(p.root_run_id, p.root_job_namespace, p.root_job_name)
    return parent, root


def _program_failure(status: Mapping[str, Any] | None) -> Failure | None:
    error = (status or {}).get("error")
    return Failure(error["class"], error["message"], error["stack"]) if error else None


def _new_run_id(start_ms: int) -> str:
    return str(generate_new_uuid(moment(start_ms)))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
