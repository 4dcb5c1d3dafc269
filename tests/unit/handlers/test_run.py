# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The run over a plan: order, None and empty lists, targets, time, containment."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pyspark_lineage import errors
from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory
from pyspark_lineage.contract.handlers import DatasetBuilder, PartialFunction, QueryPlanVisitor
from pyspark_lineage.contract.spark_events import SparkListenerSQLExecutionEnd, SparkListenerSQLExecutionStart
from pyspark_lineage.datasets.value import Dataset, InputDataset, OutputDataset
from pyspark_lineage.plan import LogicalPlan, Unknown
from pyspark_lineage.plan.commands import DropTableCommand, InsertIntoDataSourceCommand, SetCommand
from pyspark_lineage.plan.operators import Union
from pyspark_lineage.plan.relations import LogicalRelation
from tests.unit.handlers.plans import execution, files, runner, select, write


class Plugin(OpenLineageEventHandlerFactory):
    """Whatever a test wants to register."""

    def __init__(
        self, *, inputs: Sequence[type] = (), outputs: Sequence[type] = (), builders: Sequence[type] = ()
    ) -> None:
        self.inputs, self.outputs, self.builders = inputs, outputs, builders

    def create_input_dataset_query_plan_visitors(self, context: Any) -> Sequence[Any]:
        return [cls(context) for cls in self.inputs]

    def create_output_dataset_query_plan_visitors(self, context: Any) -> Sequence[Any]:
        return [cls(context) for cls in self.outputs]

    def create_output_dataset_builders(self, context: Any) -> Sequence[Any]:
        return [cls(context) for cls in self.builders]


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in production: what fails is stopped and counted."""
    monkeypatch.delenv("PYSPARK_LINEAGE_RAISE")
    errors.FAILURES.clear()


def visitor(answer: Callable[[Any], Any]) -> type[QueryPlanVisitor[LogicalRelation]]:
    class Visitor(QueryPlanVisitor[LogicalRelation]):
        def apply(self, x: LogicalRelation, /) -> Sequence[Dataset] | None:
            found: Sequence[Dataset] | None = answer(x)
            return found

    return Visitor


def test_plug_ins_come_first() -> None:
    plugin = Plugin(inputs=[visitor(lambda x: [Dataset("mine", "x")])])
    assert runner(plugin).run(execution(files("file:/a"))).inputs == (InputDataset("mine", "x"),)


def test_none_passes_the_node_on_and_an_empty_list_does_not() -> None:
    passes, keeps = visitor(lambda x: None), visitor(lambda x: [])
    assert runner(Plugin(inputs=[passes])).run(execution(files("file:/a"))).inputs == (InputDataset("file", "/a"),)
    found = runner(Plugin(inputs=[keeps])).run(execution(files("file:/a")))
    assert (found.inputs, found.unhandled) == ((), {})


def fails(_: object) -> Any:
    raise ValueError("no idea")


@pytest.mark.usefixtures("contained")
@pytest.mark.parametrize(
    "answer", [fails, lambda x: ["nonsense"], lambda x: 7], ids=["raises", "wrong items", "no list"]
)
def test_a_handler_that_fails_is_counted_and_the_next_one_asked(answer: Callable[[Any], Any]) -> None:
    plugin = Plugin(inputs=[visitor(answer)])
    found = runner(plugin).run(execution(Union(children=(files("file:/a"), files("file:/b")))))
    assert found.inputs == (InputDataset("file", "/a"), InputDataset("file", "/b"))
    assert list(found.failures.values()) == [2]
    assert next(iter(found.failures)).endswith("Visitor")


def test_in_tests_a_failure_is_raised() -> None:
    with pytest.raises(ValueError, match="no idea"):
        runner(Plugin(inputs=[visitor(fails)])).run(execution(files("file:/a")))


@pytest.mark.usefixtures("contained")
def test_a_failing_handler_leaves_its_node_unhandled() -> None:
    plugin = Plugin(inputs=[visitor(fails)])
    relation = LogicalRelation(relation=None, output=())
    assert runner(plugin).run(execution(relation)).unhandled == {"LogicalRelation": 1}


def test_a_bare_partial_function_is_offered_every_node() -> None:
    seen: list[str] = []

    class Listener(PartialFunction[Any, Any]):
        def __init__(self, context: object) -> None:
            pass

        def is_defined_at(self, x: LogicalPlan, /) -> bool:
            seen.append(x.simple_name)
            return False

        def apply(self, x: LogicalPlan, /) -> None: ...

    runner(Plugin(inputs=[Listener])).run(execution(write(select(files("file:/a")))))
    assert seen == ["InsertIntoHadoopFsRelationCommand", "Project", "LogicalRelation"]


def test_a_shared_node_is_asked_about_once() -> None:
    asked: list[object] = []
    shared = files("file:/a")
    plan = Union(children=(select(shared), select(shared), shared))
    runner(Plugin(inputs=[visitor(asked.append)])).run(execution(plan))
    assert asked == [shared]


def test_the_target_of_a_write_is_not_read() -> None:
    target, source = files("file:/target"), files("file:/source")
    found = runner().run(execution(InsertIntoDataSourceCommand(logical_relation=target, query=source, overwrite=False)))
    assert found.inputs == (InputDataset("file", "/source"),)
    assert found.unhandled == {"InsertIntoDataSourceCommand": 1}


def test_a_target_that_is_also_read_is_an_input() -> None:
    both = files("file:/both")
    found = runner().run(execution(InsertIntoDataSourceCommand(logical_relation=both, query=select(both))))
    assert found.inputs == (InputDataset("file", "/both"),)


class Load(LogicalPlan, package="com.acme"):
    """A made-up command that writes into a relation."""

    into: LogicalPlan
    source: LogicalPlan


def test_a_plug_in_says_what_its_command_writes_to() -> None:
    class LoadVisitor(QueryPlanVisitor[Load]):
        def apply(self, x: Load, /) -> Sequence[Dataset]:
            return [Dataset("acme", "loaded")]

        def targets(self, x: Load, /) -> Sequence[LogicalPlan]:
            return [x.into]

    plan = Load(into=files("file:/into"), source=files("file:/from"))
    found = runner(Plugin(outputs=[LoadVisitor])).run(execution(plan))
    assert (found.inputs, found.outputs) == ((InputDataset("file", "/from"),), (OutputDataset("acme", "loaded"),))
    assert found.outputs_found_in == {("acme", "loaded"): (plan,)}


def test_unknown_nodes_and_commands_are_reported_operators_and_settings_are_not() -> None:
    unknown = Unknown(class_name="com.acme.Weird", fields={}, children=(files("file:/a"),))
    found = runner().run(execution(Union(children=(unknown, DropTableCommand(), SetCommand()))))
    assert found.inputs == (InputDataset("file", "/a"),)
    assert found.unhandled == {"Weird": 1, "DropTableCommand": 1}


def test_time_is_limited() -> None:
    ticks = itertools.count()
    limited = runner(budget_s=1.5, clock=lambda: float(next(ticks)))
    found = limited.run(execution(Union(children=(files("file:/a"), files("file:/b"), files("file:/c")))))
    assert found.inputs == (InputDataset("file", "/a"),)
    assert found.cut == ("handlers: time",)


def test_builders_see_the_event_and_the_execution() -> None:
    class OnEnd(DatasetBuilder):
        def is_defined_at(self, x: object, /) -> bool:
            return isinstance(x, SparkListenerSQLExecutionEnd)

        def apply(self, x: object, /) -> Sequence[Dataset]:
            assert self.context.event is x
            return [Dataset("built", str(self.context.execution and self.context.execution.execution_id))]

    with_builder = runner(Plugin(builders=[OnEnd]))
    assert with_builder.depends_on_event
    assert not runner().depends_on_event
    one = execution(files("file:/a"))
    assert with_builder.run(one, SparkListenerSQLExecutionStart(0, execution_id=1)).outputs == ()
    assert with_builder.run(one, SparkListenerSQLExecutionEnd(1, execution_id=1)).outputs == (
        OutputDataset("built", "1"),
    )


def test_without_a_plan_there_is_nothing() -> None:
    assert runner().run(None).inputs == ()
    assert runner().run(execution(None)).outputs == ()
