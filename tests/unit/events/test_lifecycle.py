# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""From captured messages to runs: one START and one end each, whatever comes in which order and whatever is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openlineage.client.facet_v2 import RunFacet

from pyspark_lineage.config import Config
from pyspark_lineage.contract.context import ApplicationInfo, OpenLineageContext, OpenLineageRunEventContext
from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory
from pyspark_lineage.contract.handlers import CustomFacetBuilder, QueryPlanVisitor
from pyspark_lineage.contract.spark_events import (
    Failure,
    SparkListenerApplicationEnd,
    SparkListenerApplicationStart,
    SparkListenerSQLExecutionEnd,
    SparkListenerSQLExecutionStart,
)
from pyspark_lineage.datasets.value import Dataset
from pyspark_lineage.errors import FAILURES
from pyspark_lineage.events.captured import Captured, PlanState
from pyspark_lineage.events.lifecycle import Lifecycle
from pyspark_lineage.handlers.internal import InternalEventHandlerFactory
from pyspark_lineage.plan.relations import LogicalRelation
from tests.support.invariants import check_events
from tests.support.schema_check import validate_event
from tests.unit.plan.wire import SQL, Wire

Plan = Mapping[str, Any]

DATASOURCES = f"{SQL}.execution.datasources"
COMMANDS = f"{SQL}.execution.command"
INFO = ApplicationInfo("local-1", "Shop", spark_version="4.3.0", start_ms=1_000, conf={"spark.sql.warehouse.dir": "/w"})
FAILED = Failure("java.lang.IllegalStateException", "no luck")


class Feed:
    """An application to which things happen, a millisecond apart; what comes out is checked as any job's events are."""

    def __init__(self, *plugins: OpenLineageEventHandlerFactory, begin: bool = True, **config: Any) -> None:
        self.lifecycle = Lifecycle(Config(**config), InternalEventHandlerFactory(plugins))
        self.events: list[dict[str, Any]] = []
        self.now = 1_000
        if begin:
            self.application()

    def take(self, captured: Captured) -> list[str]:
        """Type and job name of the events that this makes due."""
        return self._keep(self.lifecycle.on(captured))

    def application(self) -> list[str]:
        return self.take(Captured(SparkListenerApplicationStart(self.tick()), application=INFO))

    def context_stops(self) -> list[str]:
        return self.take(Captured(SparkListenerApplicationEnd(self.tick())))

    def start(
        self, number: int, plan: Plan | None = None, state: str = "", *, root: int | None = None, physical: str = ""
    ) -> list[str]:
        event = SparkListenerSQLExecutionStart(
            self.tick(), number, number if root is None else root, physical_name=physical
        )
        return self.take(Captured(event, plan=plan, plan_state=_state(plan, state or "late")))

    def end(
        self,
        number: int,
        plan: Plan | None = None,
        state: str = "",
        *,
        root: int | None = None,
        failure: Failure | None = None,
        time_ms: int | None = None,
    ) -> list[str]:
        event = SparkListenerSQLExecutionEnd(time_ms or self.tick(), number, failure)
        captured = Captured(
            event,
            plan=plan,
            plan_state=_state(plan, state or "sent"),
            root_execution_id=number if root is None else root,
            physical_name="Execute Something",
        )
        return self.take(captured)

    def over(self, status: Mapping[str, Any] | None = {"code": 0}) -> list[str]:
        kinds = self._keep(self.lifecycle.end(status))
        self.check()
        return kinds

    def check(self) -> None:
        for event in self.events:
            validate_event(event)
        check_events(self.events)
        assert self.lifecycle.stats()["open"] == 0

    def runs(self) -> list[list[dict[str, Any]]]:
        """The events of each action."""
        runs: dict[str, list[dict[str, Any]]] = {}
        for event in self.events:
            if "parent" in event["run"]["facets"]:
                runs.setdefault(event["run"]["runId"], []).append(event)
        return list(runs.values())

    def tick(self) -> int:
        self.now += 1
        return self.now

    def _keep(self, made: Sequence[Any]) -> list[str]:
        self.events += [json.loads(one.body) for one in made]
        return [f"{one.event_type} {one.job_name}" for one in made]


def _state(plan: Plan | None, state: str) -> PlanState:
    return PlanState("ok" if plan is not None else state)


# ---------------------------------------------------------------- plans, as the bridge writes them


def _relation(wire: Wire, path: str) -> int:
    schema = wire.type({"type": "struct", "fields": [{"name": "a", "type": "long", "nullable": True, "metadata": {}}]})
    files = {
        "$": f"{DATASOURCES}.HadoopFsRelation",
        "f": {"roots": [f"file:{path}"], "rootCount": {"#": 1}, "dataSchema": schema, "format": "parquet"},
    }
    fields: dict[str, Any] = {"relation": files, "output": [wire.attribute("a", 1)], "catalogTable": None}
    return wire.add(f"{DATASOURCES}.LogicalRelation", "p", [], **fields)


def read(*paths: str, cut: tuple[str, ...] = ()) -> Plan:
    """`spark.read.parquet(...)`, a union if there are more."""
    wire = Wire()
    relations = [_relation(wire, path) for path in paths]
    return wire.snapshot(relations[0] if len(paths) == 1 else wire.plan("Union", relations), cut)


def write(path: str, source: str | None = None) -> Plan:
    """`df.write.parquet(path)`."""
    wire = Wire()
    query = _relation(wire, source) if source else wire.plan("OneRowRelation", [])
    mode = {"$": f"{SQL}.SaveMode", "f": {"name": "Append"}}
    command = f"{DATASOURCES}.InsertIntoHadoopFsRelationCommand"
    return wire.snapshot(wire.add(command, "p", [], outputPath=f"file:{path}", query=query, mode=mode))


def create_table(table: str, source: str, *, database: str | None = None, command: str = "") -> Plan:
    """`CREATE TABLE t USING parquet AS SELECT`: it does not say where the table will lie."""
    wire = Wire()
    identifier = {"$": f"{SQL}.catalyst.TableIdentifier", "f": {"table": table, "database": database, "catalog": None}}
    described = {"$": f"{SQL}.catalyst.catalog.CatalogTable", "f": {"identifier": identifier, "provider": "parquet"}}
    query = _relation(wire, source)
    if command == "SaveAsV1TableCommand":
        return wire.snapshot(wire.add(f"{COMMANDS}.{command}", "p", [], tableDesc=described, query=query))
    return wire.snapshot(
        wire.add(f"{COMMANDS}.CreateDataSourceTableAsSelectCommand", "p", [], table=described, query=query)
    )


def command(name: str, source: str | None = None) -> Plan:
    """A command that concerns no data, perhaps with a query inside that is not run."""
    wire = Wire()
    inner = [_relation(wire, source)] if source else []
    return wire.snapshot(wire.add(f"{COMMANDS}.{name}", "p", inner))


def result_of_a_command() -> Plan:
    """What `spark.sql("INSERT ...").collect()` looks at: the walk of the bridge ends there."""
    wire = Wire()
    return wire.snapshot(wire.plan("CommandResult", [], output=[wire.attribute("a", 1)]))


def names(event: Mapping[str, Any], side: str) -> list[str]:
    return [dataset["name"] for dataset in event[side]]


def told(event: Mapping[str, Any]) -> Any:
    return event["run"]["facets"]["pyspark_lineage"]


# ---------------------------------------------------------------- one execution


def test_start_when_it_starts_and_complete_when_it_ends() -> None:
    feed = Feed()
    assert feed.start(1, write("/out", "/in"), physical="Execute InsertIntoHadoopFsRelationCommand") == [
        "START shop.execute_insert_into_hadoop_fs_relation_command.out"
    ]
    assert feed.end(1) == ["COMPLETE shop.execute_insert_into_hadoop_fs_relation_command.out"]
    assert feed.over() == ["COMPLETE shop"]
    ((start, complete),) = feed.runs()
    assert (names(start, "inputs"), names(start, "outputs")) == (["/in"], ["/out"])
    assert (names(complete, "inputs"), names(complete, "outputs")) == (["/in"], ["/out"])


def test_a_plan_that_comes_with_the_end_makes_the_start_too() -> None:
    feed = Feed()
    assert feed.start(1) == []
    assert feed.end(1, read("/in")) == ["START shop.execute_something", "COMPLETE shop.execute_something"]
    feed.over()
    ((start, complete),) = feed.runs()
    assert names(start, "inputs") == names(complete, "inputs") == ["/in"]
    assert start["eventTime"] == "1970-01-01T00:00:01.002Z"
    assert complete["eventTime"] == "1970-01-01T00:00:01.003Z"


def test_a_failed_execution_fails() -> None:
    feed = Feed()
    feed.start(1, write("/out"))
    assert [kind.split()[0] for kind in feed.end(1, failure=FAILED)] == ["FAIL"]
    assert feed.over({"code": 1, "error": {"class": "ValueError", "message": "x", "stack": "y"}}) == ["FAIL shop"]


def test_an_end_that_is_dated_before_its_start_is_moved() -> None:
    feed = Feed()
    feed.start(1, read("/in"))
    feed.end(1, time_ms=5)
    feed.over()
    ((start, complete),) = feed.runs()
    assert complete["eventTime"] == start["eventTime"]


def test_what_never_analysed_is_no_run() -> None:
    feed = Feed()
    assert feed.start(1, state="unanalyzed") == []
    assert feed.end(1, state="sent", failure=FAILED) == []
    assert feed.over() == ["COMPLETE shop"]


@pytest.mark.parametrize(
    "plan",
    [
        command("SetCommand"),
        command("ExplainCommand", "/in"),
        command("CreateViewCommand", "/in"),
        result_of_a_command(),
    ],
    ids=["SET", "EXPLAIN", "temporary view", "result of a command"],
)
@pytest.mark.parametrize("late", [False, True])
def test_statements_without_data_of_their_own_say_nothing(plan: Plan, late: bool) -> None:
    feed = Feed()
    assert feed.start(1, None if late else plan) == []
    assert feed.end(1, plan if late else None) == []
    assert feed.over() == ["COMPLETE shop"]


@pytest.mark.parametrize("plan", [result_of_a_command(), write("/out", "/in"), None], ids=["count", "collect", "lost"])
@pytest.mark.parametrize("when", ["start", "end"])
def test_an_insert_whose_result_is_looked_at_is_one_run(plan: Plan | None, when: str) -> None:
    """`spark.sql("INSERT ...").collect()` is two executions: Spark tells the second by its physical plan only."""
    feed = Feed()
    feed.start(1, write("/out", "/in"))
    feed.end(1)
    early = plan if when == "start" else None
    late = plan if when == "end" else None
    assert feed.start(2, early, "dropped" if plan is None else "", physical="CommandResult") == []
    assert feed.end(2, late, "dropped" if plan is None else "") == []
    feed.over()
    assert len(feed.runs()) == 1


# ---------------------------------------------------------------- nested executions


def test_a_ctas_is_one_run_whose_place_the_nested_write_knows() -> None:
    """Spark 3.5: the root creates the table, a nested execution writes its files."""
    feed = Feed()
    assert feed.start(1, create_table("t", "/in", database="db")) == []  # the place is a guess so far
    assert feed.start(2, write("/elsewhere/t", "/in"), root=1) == [
        "START shop.create_data_source_table_as_select_command.db_t"
    ]
    assert feed.end(2, root=1) == []
    assert [kind.split()[0] for kind in feed.end(1)] == ["COMPLETE"]
    feed.over()
    ((start, complete),) = feed.runs()
    for event in (start, complete):
        assert (names(event, "inputs"), names(event, "outputs")) == (["/in"], ["/elsewhere/t"])


def test_save_as_table_of_spark_4_is_three_executions_and_one_run() -> None:
    feed = Feed()
    assert feed.start(1, create_table("t", "/in", command="SaveAsV1TableCommand")) == []
    assert feed.start(2, create_table("t", "/in", database="db"), root=1) == []
    assert len(feed.start(3, write("/w/db.db/t", "/in"), root=1)) == 1
    assert feed.end(3, root=1) == []
    assert feed.end(2, root=1) == []
    assert len(feed.end(1)) == 1
    feed.over()
    ((start, complete),) = feed.runs()
    for event in (start, complete):
        assert (names(event, "inputs"), names(event, "outputs")) == (["/in"], ["/w/db.db/t"])
    assert start["job"]["name"] == "shop.save_as_v1_table_command.db_t"


def test_a_guessed_place_is_told_when_nothing_better_came() -> None:
    feed = Feed()
    feed.start(1, create_table("t", "/in", database="db"))
    assert [kind.split()[0] for kind in feed.end(1)] == ["START", "COMPLETE"]
    feed.over()
    assert names(feed.runs()[0][0], "outputs") == ["/w/db.db/t"]


def test_a_nested_failure_fails_the_run_only_if_the_root_fails() -> None:
    feed = Feed()
    feed.start(1, write("/out"))
    feed.start(2, read("/in"), root=1)
    assert feed.end(2, root=1, failure=FAILED) == []
    assert [kind.split()[0] for kind in feed.end(1)] == ["COMPLETE"]
    feed.over()


def test_what_comes_after_the_roots_end_is_not_a_run() -> None:
    feed = Feed()
    feed.start(1, write("/out"))
    feed.start(2, read("/in"), root=1)
    feed.end(1)
    assert feed.end(2, root=1) == []
    assert feed.start(3, read("/in"), root=1) == []
    assert feed.end(3, root=1) == []
    feed.over()
    assert len(feed.runs()) == 1


def test_what_runs_in_an_execution_that_began_before_us_is_a_run_of_its_own() -> None:
    feed = Feed()
    assert len(feed.start(8, read("/a"), root=7)) == 1
    assert len(feed.end(8, root=7)) == 1
    assert len(feed.start(9, read("/b"), root=7)) == 1
    assert len(feed.end(9, root=7)) == 1
    feed.over()
    assert [names(run[0], "inputs") for run in feed.runs()] == [["/a"], ["/b"]]


# ---------------------------------------------------------------- what is lost


def test_a_dropped_plan_costs_the_datasets_and_not_the_run() -> None:
    feed = Feed()
    assert feed.start(1, state="dropped") == []
    assert [kind.split()[0] for kind in feed.end(1, state="dropped")] == ["START", "COMPLETE"]
    feed.over()
    for event in feed.runs()[0]:
        assert (told(event)["planState"], told(event)["truncated"]) == ("dropped", ["plan dropped"])


def test_a_dropped_plan_that_comes_with_the_end_is_not_lost() -> None:
    feed = Feed()
    feed.start(1, state="dropped")
    feed.end(1, read("/in"))
    feed.over()
    for event in feed.runs()[0]:
        assert (told(event)["planState"], told(event)["truncated"]) == ("ok", [])
        assert names(event, "inputs") == ["/in"]


def test_a_dropped_plan_of_a_statement_with_nothing_to_say_says_nothing() -> None:
    feed = Feed()
    feed.start(1, state="dropped")
    assert feed.end(1, command("SetCommand")) == []
    feed.over()


def test_a_dropped_plan_of_a_nested_execution_is_said() -> None:
    feed = Feed()
    feed.start(1, create_table("t", "/in", database="db"))
    feed.start(2, state="dropped", root=1)
    feed.end(2, state="dropped", root=1)
    feed.end(1)
    feed.over()
    assert [(told(event)["planState"], told(event)["truncated"]) for event in feed.runs()[0]] == [
        ("ok", ["plan dropped"])
    ] * 2


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[str, int]]:
    """Failures are contained in this test, as in a user's job, and can be asked for."""
    monkeypatch.setenv("PYSPARK_LINEAGE_RAISE", "0")
    before = FAILURES.snapshot()
    return lambda: {key: n - before.get(key, 0) for key, n in FAILURES.snapshot().items() if n > before.get(key, 0)}


def test_a_plan_that_the_bridge_could_not_read(contained: Callable[[], dict[str, int]]) -> None:
    feed = Feed()
    assert len(feed.start(1, state="failed: java.lang.OutOfMemoryError")) == 1
    feed.end(1, state="sent")
    feed.over()
    for event in feed.runs()[0]:
        assert told(event)["truncated"] == ["plan failed: java.lang.OutOfMemoryError"]
        assert told(event)["failures"] == {"bridge.snapshot": 1}
    assert contained() == {"bridge.snapshot: BridgeError": 1}


@pytest.mark.parametrize(
    "plan",
    [{}, {"root": 7}, {**read("/in"), "nodes": [[99, [], []]]}, {**read("/in"), "classes": [["x"]]}, {"nodes": None}],
)
def test_a_snapshot_that_cannot_be_decoded(contained: Callable[[], dict[str, int]], plan: Plan) -> None:
    feed = Feed()
    assert len(feed.start(1, plan)) == 1
    feed.end(1)
    feed.over()
    assert told(feed.runs()[0][1])["failures"] == {"plan.decode": 1}
    assert contained() == {"plan.decode: DecodeError": 1}


def test_a_failure_is_raised_where_a_developer_wants_it() -> None:
    with pytest.raises(Exception, match="Malformed plan snapshot"):
        Feed().start(1, {"root": 7})


def test_a_getter_that_failed_is_counted_by_name(contained: Callable[[], dict[str, int]]) -> None:
    feed = Feed()
    feed.start(1, read("/in", cut=("getter com.acme.Table.size: java.lang.IllegalStateException", "nodes")))
    feed.end(1)
    feed.over()
    why = "getter com.acme.Table.size: java.lang.IllegalStateException"
    assert told(feed.runs()[0][0])["truncated"] == [why, "nodes"]
    assert contained() == {f"bridge.{why}: BridgeError": 1}


# ---------------------------------------------------------------- plug-ins that misbehave


class Quits(QueryPlanVisitor[LogicalRelation]):
    def apply(self, x: LogicalRelation, /) -> Sequence[Dataset]:
        raise SystemExit(3)


@attr.define
class Strange(RunFacet):
    what: Any = None


class StrangeFacets(CustomFacetBuilder[OpenLineageRunEventContext, Strange]):
    """A facet that cannot be written as JSON, at the events that it is given."""

    kinds: tuple[str, ...] = ("START", "COMPLETE")

    def build(self, x: OpenLineageRunEventContext, consumer: Callable[[str, Strange], None], /) -> None:
        if x.event_type in self.kinds and x.parent is not None:
            consumer("strange", Strange(what={("no", "key"): 1}))


class StrangeAtTheEnd(StrangeFacets):
    kinds = ("COMPLETE",)


class QuitsInFacet(StrangeFacets):
    def build(self, x: OpenLineageRunEventContext, consumer: Callable[[str, Strange], None], /) -> None:
        if x.parent is not None:
            raise SystemExit(4)


def plugin(*, visitors: Sequence[type[Any]] = (), facets: Sequence[type[Any]] = ()) -> OpenLineageEventHandlerFactory:
    class Plugin(OpenLineageEventHandlerFactory):
        def create_input_dataset_query_plan_visitors(self, context: OpenLineageContext) -> Sequence[Any]:
            return [visitor(context) for visitor in visitors]

        def create_run_facet_builders(self, context: OpenLineageContext) -> Sequence[Any]:
            return [builder(context) for builder in facets]

    return Plugin()


@pytest.mark.parametrize("facets", [StrangeFacets, StrangeAtTheEnd, QuitsInFacet])
def test_a_facet_that_cannot_be_made_costs_no_event(
    contained: Callable[[], dict[str, int]], facets: type[StrangeFacets]
) -> None:
    feed = Feed(plugin(facets=[facets]))
    feed.start(1, write("/out", "/in"))
    feed.end(1)
    feed.over()
    ((start, complete),) = feed.runs()
    for event in (start, complete):
        assert (names(event, "inputs"), names(event, "outputs")) == (["/in"], ["/out"])
    assert sum(contained().values()) == (1 if facets is StrangeAtTheEnd else 2)


def test_a_handler_that_calls_sys_exit(contained: Callable[[], dict[str, int]]) -> None:
    feed = Feed(plugin(visitors=[Quits]))
    feed.start(1, read("/in"))
    feed.end(1)
    feed.over()
    assert len(feed.runs()) == 1
    assert sum(contained().values()) == 1


# ---------------------------------------------------------------- the application


def test_open_runs_are_aborted_when_the_context_stops() -> None:
    feed = Feed()
    feed.start(1, write("/out"))
    feed.start(2)  # its plan never came: there is nothing to tell
    assert [kind.split()[0] for kind in feed.context_stops()] == ["ABORT"]
    assert feed.over() == ["COMPLETE shop"]
    assert feed.events[-1]["eventTime"] == feed.runs()[0][-1]["eventTime"]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (None, "ABORT"),
        ({"code": 0}, "COMPLETE"),
        ({"code": 0, "error": None}, "COMPLETE"),
        ({"code": 3}, "FAIL"),
        ({"code": 1, "error": {"class": "ValueError", "message": "m", "stack": "s"}}, "FAIL"),
        (
            {"code": 1, "interrupted": True, "error": {"class": "KeyboardInterrupt", "message": "", "stack": ""}},
            "ABORT",
        ),
    ],
    ids=["killed", "well", "well, in full", "exit code", "exception", "Ctrl-C"],
)
def test_how_the_program_ended_is_how_the_application_ended(status: Mapping[str, Any] | None, kind: str) -> None:
    feed = Feed()
    feed.start(1, write("/out"))
    kinds = feed.over(status)
    assert [one.split()[0] for one in kinds] == ["ABORT", kind]


def test_a_second_application_begins_where_the_first_is_over() -> None:
    feed = Feed()
    feed.start(1, write("/a"))
    feed.context_stops()
    assert feed.application() == ["COMPLETE shop", "START shop"]
    # Ids of executions go on within one JVM, and need not.
    feed.start(1, write("/b"))
    feed.end(1)
    feed.over()
    assert [[event["eventType"] for event in run] for run in feed.runs()] == [["START", "ABORT"], ["START", "COMPLETE"]]
    parents = [run[0]["run"]["facets"]["parent"]["run"]["runId"] for run in feed.runs()]
    assert len(set(parents)) == 2


def test_a_second_application_before_the_first_said_that_it_ends() -> None:
    feed = Feed()
    feed.start(1, write("/a"))
    assert [kind.split()[0] for kind in feed.application()] == ["ABORT", "COMPLETE", "START"]
    feed.over()


def test_without_an_application_nothing_is_made() -> None:
    feed = Feed(begin=False)
    assert feed.start(1, read("/in")) == []
    assert feed.end(1) == []
    assert feed.over() == []
    assert feed.events == []


def test_the_end_can_be_told_twice() -> None:
    feed = Feed()
    assert feed.over() == ["COMPLETE shop"]
    assert feed.over() == []


def test_cut_short_while_a_handler_hangs() -> None:
    """The runs that had begun are ended without asking plug-ins again."""
    feed = Feed(plugin(facets=[QuitsInFacet]))
    run = feed.lifecycle
    run._application.builder = run._application.plain  # type: ignore[union-attr]
    feed.start(1, write("/out"))
    made = run.cut_short({"code": 0})
    feed._keep(made)
    assert [one.event_type for one in made] == ["ABORT", "COMPLETE"]
    feed.check()


def test_nothing_is_kept_of_runs_that_are_over() -> None:
    feed = Feed()
    none = PlanState("none")
    for number in range(10_500):
        start, end = SparkListenerSQLExecutionStart(1_000, number, number), SparkListenerSQLExecutionEnd(1_000, number)
        feed.lifecycle.on(Captured(start, plan_state=none))
        feed.lifecycle.on(Captured(end, plan_state=none, root_execution_id=number))
    held = {name: len(value) for name, value in vars(feed.lifecycle).items() if hasattr(value, "__len__")}
    assert held["_runs"] == 0
    assert held["_ended"] <= 10_000


# ---------------------------------------------------------------- any order


@st.composite
def happenings(draw: st.DrawFn) -> list[tuple[str, int, int]]:
    """Starts and ends of executions, some nested, from several threads: interleaved as the bus may tell them.

    Within one execution the start comes before the end, and a root's start before those of what is nested in it.
    Everything else may happen: ends of nested executions after their root's, ends that never come.
    """
    roots = draw(st.integers(1, 4))
    lanes: list[list[tuple[str, int, int]]] = []
    number = 0
    for _ in range(roots):
        number += 1
        root = number
        nested = draw(st.integers(0, 3))
        lane = [("start", root, root)]
        waiting = [[("start", number + n, root), ("end", number + n, root)] for n in range(1, nested + 1)]
        number += nested
        waiting.append([("end", root, root)])
        while any(waiting):
            lane.append(draw(st.sampled_from([each for each in waiting if each])).pop(0))
        lanes.append(lane[: draw(st.integers(1, len(lane)))] if draw(st.booleans()) else lane)
    order = []
    while any(lanes):
        order.append(draw(st.sampled_from([lane for lane in lanes if lane])).pop(0))
    return order


PLANS = st.sampled_from(
    [
        read("/a"),
        read("/a", "/b", "/a"),
        write("/out", "/a"),
        write("/a", "/a"),
        create_table("t", "/a"),
        create_table("t", "/b", database="db"),
        create_table("t", "/b", command="SaveAsV1TableCommand"),
        command("SetCommand"),
        command("ExplainCommand", "/a"),
        command("WhatNobodyKnowsCommand"),
        result_of_a_command(),
    ]
)
MISSING = st.sampled_from(["late", "dropped", "unanalyzed", "none"])


@given(order=happenings(), data=st.data())
def test_the_rules_hold_in_any_order(order: list[tuple[str, int, int]], data: st.DataObject) -> None:
    feed = Feed()
    sent: set[int] = set()
    for kind, number, root in order:
        plan = data.draw(st.none() | PLANS) if number not in sent else None
        if plan is not None:
            sent.add(number)
        if kind == "start":
            state = data.draw(MISSING)
            feed.start(number, plan, state, root=root)
        else:
            state = "sent" if number in sent else data.draw(MISSING)
            failure = data.draw(st.none() | st.just(FAILED))
            feed.end(number, plan, state, root=root, failure=failure)
        if data.draw(st.integers(0, 20)) == 0:
            feed.context_stops()
            feed.application()
    feed.over(data.draw(st.sampled_from([None, {"code": 0}, {"code": 1}])))
