# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What a handler is for is read from its type argument when its class is defined."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import pytest

from pyspark_lineage.contract.handlers import CustomFacetBuilder, QueryPlanVisitor
from pyspark_lineage.contract.spark_events import SparkListenerJobEnd, SparkListenerSQLExecutionEnd
from pyspark_lineage.datasets.value import Dataset
from pyspark_lineage.plan import LogicalPlan
from pyspark_lineage.plan.operators import Filter, Project
from pyspark_lineage.plan.relations import LocalRelation, OneRowRelation, Range

N = TypeVar("N", bound=LogicalPlan)
M = TypeVar("M", bound=LogicalPlan)
T = TypeVar("T")
CONTEXT: Any = object()


class Base(QueryPlanVisitor[N]):
    def apply(self, x: N, /) -> Sequence[Dataset] | None:
        return [Dataset("test", x.simple_name)]


class Deeper(Base[M], Generic[T, M]):
    pass


class OfOne(Base[OneRowRelation]):
    pass


class OfTwo(Base[LocalRelation | Range]):
    pass


class OfDeeper(Deeper[int, Project]):
    pass


class OfQuoted(Base["Filter"]):
    pass


class Inherited(OfTwo):
    pass


@pytest.mark.parametrize(
    ("visitor", "types"),
    [
        (OfOne, (OneRowRelation,)),
        (OfTwo, (LocalRelation, Range)),
        (OfDeeper, (Project,)),
        (OfQuoted, (Filter,)),
        (Inherited, (LocalRelation, Range)),
        (Base, ()),
        (Deeper, ()),
    ],
)
def test_the_type_argument_is_found(visitor: type[QueryPlanVisitor[Any]], types: tuple[type, ...]) -> None:
    assert visitor.node_types == types


def test_it_is_the_default_of_is_defined_at() -> None:
    visitor = OfTwo(CONTEXT)
    assert visitor.is_defined_at(LocalRelation(output=()))
    assert not visitor.is_defined_at(OneRowRelation())


def test_leaving_it_out_is_an_error() -> None:
    with pytest.raises(
        TypeError, match=r"Silent does not say which nodes it is for.*QueryPlanVisitor\[LogicalRelation\]"
    ):

        class Silent(QueryPlanVisitor):  # type: ignore[type-arg]
            def apply(self, x: Any, /) -> Sequence[Dataset] | None: ...

    with pytest.raises(TypeError, match="does not say which nodes"):

        class Bare(Base):  # type: ignore[type-arg]
            pass

    with pytest.raises(TypeError, match="does not say which nodes"):

        class OfAny(Base[Any]):
            pass


def test_every_node_is_only_for_those_who_look_themselves() -> None:
    with pytest.raises(TypeError, match="would match every node"):

        class Greedy(Base[LogicalPlan]):
            pass

    class Choosy(Base[LogicalPlan]):
        def is_defined_at(self, x: Any, /) -> bool:
            return bool(x.simple_name == "Project")

    assert Choosy.node_types == (LogicalPlan,)


def test_a_type_argument_is_a_plan_node_that_can_be_found() -> None:
    with pytest.raises(TypeError, match="int is not a node of the logical plan"):

        class OfInt(Base[int]):  # type: ignore[type-var]
            pass

    with pytest.raises(TypeError, match="cannot find 'Nowhere' in module"):

        class OfNowhere(Base["Nowhere"]):  # type: ignore[name-defined]
            pass


def test_an_open_class_cannot_be_used() -> None:
    with pytest.raises(TypeError, match="leaves its type argument open"):
        Base(CONTEXT)


class OnEnd(CustomFacetBuilder[SparkListenerSQLExecutionEnd | SparkListenerJobEnd, str]):
    def build(self, x: Any, consumer: Callable[[str, str], None], /) -> None:
        consumer("key", "facet")


def test_a_facet_builder_works_alike() -> None:
    assert OnEnd.x_types == (SparkListenerSQLExecutionEnd, SparkListenerJobEnd)
    assert OnEnd(CONTEXT).is_defined_at(SparkListenerJobEnd(0, job_id=1))
    assert not OnEnd(CONTEXT).is_defined_at(CONTEXT)
    with pytest.raises(TypeError, match="does not say what it builds facets from"):

        class Silent(CustomFacetBuilder):  # type: ignore[type-arg]
            def build(self, x: Any, consumer: Any, /) -> None: ...
