# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The shapes of handlers: what is defined for a node, an event or a dataset, and what it makes of it.

A handler is asked `is_defined_at(x)` and, if so, `apply(x)` (a facet builder: `build(x, consumer)`). The runner owns
everything else: order, traversal, de-duplication, time and containment. A handler may raise; it is counted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pyspark_lineage.contract.spark_events import SparkListenerEvent
from pyspark_lineage.contract.type_argument import Open, declared_types
from pyspark_lineage.plan import LogicalPlan

if TYPE_CHECKING:
    from pyspark_lineage.contract.context import OpenLineageContext
    from pyspark_lineage.datasets.value import Dataset

X = TypeVar("X")
X_contra = TypeVar("X_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)
Node = TypeVar("Node", bound=LogicalPlan)
Facet = TypeVar("Facet")


class PartialFunction(ABC, Generic[X_contra, R_co]):
    """A function that is defined for some of its inputs only."""

    @abstractmethod
    def is_defined_at(self, x: X_contra, /) -> bool: ...

    @abstractmethod
    def apply(self, x: X_contra, /) -> R_co: ...


class QueryPlanVisitor(PartialFunction[Any, "Sequence[Dataset] | None"], Generic[Node]):
    """Makes datasets of one node of the plan: local, and offered every node.

    `class MyVisitor(QueryPlanVisitor[MyNode])` is defined for nodes of MyNode; `QueryPlanVisitor[A | B]` for both. For
    a node of your own write its class first: `class LoadFeed(LogicalPlan, package="com.acme.spark")` with its fields.
    Whether the datasets are inputs or outputs is said where the visitor is registered. `apply` returns None for "not
    mine after all": the next visitor is asked; an empty list means "mine, and no dataset".
    """

    node_types: ClassVar[tuple[type[LogicalPlan], ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        node_types = declared_types(cls, QueryPlanVisitor)
        if isinstance(node_types, Open):
            cls.node_types = ()
            return
        # cloudpickle makes a class of `__main__` empty and fills it afterwards: nothing can be asked of it yet.
        empty = cls.apply is QueryPlanVisitor.apply
        own_test = empty or cls.is_defined_at is not QueryPlanVisitor.is_defined_at
        if node_types is None and own_test:
            cls.node_types = (LogicalPlan,)
            return
        if node_types is None:
            raise TypeError(
                f"{cls.__qualname__} does not say which nodes it is for. Name them as its type argument: "
                f"class {cls.__name__}(QueryPlanVisitor[LogicalRelation]), or define is_defined_at."
            )
        for node_type in node_types:
            if not issubclass(node_type, LogicalPlan):
                raise TypeError(
                    f"{cls.__qualname__}: {node_type.__name__} is not a node of the logical plan. The type argument of "
                    f"QueryPlanVisitor is a subclass of pyspark_lineage.plan.LogicalPlan."
                )
            if node_type is LogicalPlan and not own_test:
                raise TypeError(
                    f"{cls.__qualname__} would match every node. Name the node classes, or define is_defined_at."
                )
        cls.node_types = node_types

    def __init__(self, context: OpenLineageContext) -> None:
        if not self.node_types:
            raise TypeError(
                f"{type(self).__qualname__} leaves its type argument open: derive from it with a node class."
            )
        self.context = context

    def is_defined_at(self, x: Any, /) -> bool:
        return isinstance(x, self.node_types)

    @abstractmethod
    def apply(self, x: Node, /) -> Sequence[Dataset] | None:
        """The datasets of this node."""

    def targets(self, x: Node, /) -> Sequence[LogicalPlan]:
        """The nodes below this one that it writes to, and that are therefore not read (`INSERT INTO t`: t)."""
        return ()


class DatasetBuilder(PartialFunction[Any, "Sequence[Dataset] | None"]):
    """Makes datasets of a whole execution: global, asked once per event; the plan is in `self.context.execution`."""

    def __init__(self, context: OpenLineageContext) -> None:
        self.context = context

    @abstractmethod
    def is_defined_at(self, x: SparkListenerEvent, /) -> bool: ...

    @abstractmethod
    def apply(self, x: SparkListenerEvent, /) -> Sequence[Dataset] | None: ...


class CustomFacetBuilder(ABC, Generic[X, Facet]):
    """Makes facets of an X, and hands each to a consumer under its key.

    What X may be depends on where the builder is registered. Run and job facets: OpenLineageRunEventContext, Lineage,
    ApplicationInfo, a SparkListenerEvent, a QueryExecution or a plan node. Dataset facets: the Dataset itself, the
    plan node it was found in, or (for every dataset of the event) any of those above.
    """

    x_types: ClassVar[tuple[type, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        x_types = declared_types(cls, CustomFacetBuilder)
        if isinstance(x_types, Open):
            cls.x_types = ()
        elif x_types is not None:
            cls.x_types = x_types
        elif cls.is_defined_at is not CustomFacetBuilder.is_defined_at or cls.build is CustomFacetBuilder.build:
            cls.x_types = (object,)
        else:
            raise TypeError(
                f"{cls.__qualname__} does not say what it builds facets from. Name it as its first type argument: "
                f"class {cls.__name__}(CustomFacetBuilder[QueryExecution, MyFacet]), or define is_defined_at."
            )

    def __init__(self, context: OpenLineageContext) -> None:
        if not self.x_types:
            raise TypeError(f"{type(self).__qualname__} leaves its type argument open: derive from it with a class.")
        self.context = context

    def is_defined_at(self, x: Any, /) -> bool:
        return isinstance(x, self.x_types)

    @abstractmethod
    def build(self, x: X, consumer: Callable[[str, Facet], None], /) -> None:
        """Calls `consumer(key, facet)` for each facet it can make."""
