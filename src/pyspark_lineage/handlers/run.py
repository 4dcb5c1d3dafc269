# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The run of all handlers over one execution.

It owns what no handler should care about: order (plug-ins before built-ins), which handlers a node's type concerns, the
walk (each node once, plans in fields and subqueries too), de-duplication, time, and containment.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pyspark_lineage.contract.context import Lineage, OpenLineageContext, QueryExecution
from pyspark_lineage.datasets.value import Dataset, InputDataset, OutputDataset, merged
from pyspark_lineage.errors import contain
from pyspark_lineage.handlers.index import HandlerIndex, node_types
from pyspark_lineage.handlers.known import is_data_free, is_silent
from pyspark_lineage.handlers.targets import targets
from pyspark_lineage.plan import LogicalPlan, TreeNode
from pyspark_lineage.plan.traversal import plans

if TYPE_CHECKING:
    from pyspark_lineage.contract.factory import OpenLineageEventHandlerFactory
    from pyspark_lineage.contract.handlers import PartialFunction
    from pyspark_lineage.contract.spark_events import SparkListenerEvent
    from pyspark_lineage.plan.decode import Snapshot

logger = logging.getLogger(__name__)

D = TypeVar("D", bound=Dataset)
FoundIn = dict[tuple[str, str], tuple[LogicalPlan, ...]]


class LineageRunner:
    """Runs the handlers of an application. Made once; `run` is called per execution (and event), from one thread."""

    def __init__(
        self,
        factory: OpenLineageEventHandlerFactory,
        context: OpenLineageContext,
        *,
        budget_s: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.context = context
        self._budget_s = budget_s
        self._clock = clock
        self._input_visitors = HandlerIndex(factory.create_input_dataset_query_plan_visitors(context), node_types)
        self._output_visitors = HandlerIndex(factory.create_output_dataset_query_plan_visitors(context), node_types)
        self._input_builders = tuple(factory.create_input_dataset_builders(context))
        self._output_builders = tuple(factory.create_output_dataset_builders(context))

    @property
    def depends_on_event(self) -> bool:
        """Whether another event of the same execution may give other datasets: there are builders that look at it."""
        return bool(self._input_builders or self._output_builders)

    def run(self, execution: QueryExecution | None, event: SparkListenerEvent | None = None, /) -> Lineage:
        """What the handlers find in an execution. Never raises; what failed is counted in the result."""
        self.context.execution = execution
        self.context.event = event
        pass_ = _Pass(self._clock, self._clock() + self._budget_s)
        snapshot = execution.snapshot if execution is not None else None
        root = execution.analyzed if execution is not None else None
        nodes: Sequence[LogicalPlan] = ()
        if root is not None:
            nodes = tuple(plans(root))
        outputs = [as_output(one) for one in pass_.visit(nodes, self._output_visitors, pass_.outputs_found_in)]
        targets_of = pass_.targets_of(nodes, self._output_visitors)
        read = reachable(root, targets_of) if root is not None and targets_of else nodes
        inputs = [as_input(one) for one in pass_.visit(read, self._input_visitors, pass_.inputs_found_in)]
        if event is not None:
            outputs += [as_output(one) for one in pass_.build(event, self._output_builders)]
            inputs += [as_input(one) for one in pass_.build(event, self._input_builders)]
        known = len(snapshot.nodes) if snapshot is not None else len(nodes)
        return Lineage(
            inputs=merged(inputs),
            outputs=merged(outputs),
            unhandled=pass_.unhandled(read),
            unknown=_unknown(snapshot),
            failures=dict(pass_.failures),
            cut=(*(snapshot.cut if snapshot is not None else ()), *pass_.cut),
            nodes=len(nodes),
            expressions=max(0, known - len(nodes)),
            inputs_found_in=pass_.inputs_found_in,
            outputs_found_in=pass_.outputs_found_in,
        )


class _Pass:
    """One run over one execution: what was handled, what failed, and the time left."""

    def __init__(self, clock: Callable[[], float], deadline: float) -> None:
        self._clock = clock
        self._deadline = deadline
        self._handled: set[int] = set()
        self.failures: Counter[str] = Counter()
        self.cut: tuple[str, ...] = ()
        self.inputs_found_in: FoundIn = {}
        self.outputs_found_in: FoundIn = {}

    def visit(
        self, nodes: Iterable[LogicalPlan], visitors: HandlerIndex[PartialFunction[Any, Any]], found_in: FoundIn
    ) -> Iterable[Dataset]:
        """Offers every node to the visitors declared for it; the first that answers other than None has handled it."""
        found: list[Dataset] = []
        for node in nodes:
            for visitor in visitors.of(type(node)):
                if self._late():
                    return found
                datasets = self._ask(visitor, node)
                if datasets is None:
                    continue
                self._handled.add(id(node))
                for dataset in datasets:
                    found_in[dataset.key] = (*found_in.get(dataset.key, ()), node)
                found.extend(datasets)
                break
        return found

    def build(self, event: SparkListenerEvent, builders: Iterable[PartialFunction[Any, Any]]) -> Iterable[Dataset]:
        """Asks every builder about the event and the execution as a whole."""
        found: list[Dataset] = []
        for builder in builders:
            if self._late():
                break
            found.extend(self._ask(builder, event) or ())
        return found

    def targets_of(
        self, nodes: Iterable[LogicalPlan], visitors: HandlerIndex[PartialFunction[Any, Any]]
    ) -> dict[int, frozenset[int]]:
        """By command: the nodes below it that are only written to."""
        found: dict[int, frozenset[int]] = {}
        for node in nodes:
            written = {id(target) for target in targets(node)}
            for visitor in visitors.of(type(node)):
                say = getattr(visitor, "targets", None)
                if say is not None:
                    with contain(_where(visitor), logger=logger, exits=True):
                        written.update(id(target) for target in say(node))
            if written:
                found[id(node)] = frozenset(written)
        return found

    def unhandled(self, nodes: Iterable[LogicalPlan]) -> dict[str, int]:
        """Relations, commands and unknown nodes that no handler took, by class."""
        counts: Counter[str] = Counter()
        for node in nodes:
            if id(node) not in self._handled and not is_silent(node):
                counts[node.simple_name] += 1
        return dict(counts)

    def _ask(self, handler: PartialFunction[Any, Any], x: Any) -> tuple[Dataset, ...] | None:
        """The handler's answer; None when it is not defined, not interested, or failed."""
        where = _where(handler)
        answer: tuple[Dataset, ...] | None = None
        with contain(where, logger=logger, exits=True) as door:
            if handler.is_defined_at(x):
                answer = _datasets(handler.apply(x))
        if door.failed:
            self.failures[where] += 1
        return answer

    def _late(self) -> bool:
        if self.cut:
            return True
        if self._clock() > self._deadline:
            self.cut = ("handlers: time",)
            return True
        return False


def reachable(root: LogicalPlan, targets_of: dict[int, frozenset[int]], /) -> tuple[LogicalPlan, ...]:
    """The plan nodes of the reading side: all that can be reached without stepping from a command to its target."""
    found: list[LogicalPlan] = []
    seen: set[int] = set()
    stack: list[TreeNode] = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, LogicalPlan):
            found.append(node)
        skipped = targets_of.get(id(node), frozenset())
        stack.extend(ref for ref in reversed(node.refs) if id(ref) not in skipped)
    return tuple(found)


def _unknown(snapshot: Snapshot | None) -> dict[str, int]:
    """The classes that the plan model does not know, without those that are known to be of no interest."""
    counts = snapshot.unknown if snapshot is not None else {}
    return {name: count for name, count in counts.items() if not is_data_free(name)}


def as_input(dataset: Dataset, /) -> InputDataset:
    """The same data as an input: a visitor of both directions need not know in which it is used."""
    return dataset if isinstance(dataset, InputDataset) else InputDataset(**_common(dataset))


def as_output(dataset: Dataset, /) -> OutputDataset:
    """The same data as an output."""
    return dataset if isinstance(dataset, OutputDataset) else OutputDataset(**_common(dataset))


def _common(dataset: Dataset) -> dict[str, Any]:
    names = ("namespace", "name", "schema", "symlinks", "facets", "origin")
    return {name: getattr(dataset, name) for name in names}


def _datasets(answer: Any) -> tuple[Dataset, ...] | None:
    if answer is None:
        return None
    datasets = tuple(answer)
    for one in datasets:
        if not isinstance(one, Dataset):
            raise TypeError(f"a handler returns datasets, got {type(one).__name__}")
        for name in ("namespace", "name"):
            if not (isinstance(getattr(one, name), str) and getattr(one, name)):
                raise TypeError(f"the {name} of a dataset is text, got {getattr(one, name)!r}")
    return datasets


def _where(handler: object) -> str:
    cls = type(handler)
    # The agent's own handlers go by their name alone, as the documentation does.
    own = cls.__module__.startswith("pyspark_lineage.handlers.")
    return f"handlers.{cls.__name__}" if own else f"handlers.{cls.__module__}.{cls.__qualname__}"
