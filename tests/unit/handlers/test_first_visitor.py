# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What a plug-in's author writes: a node, a visitor of ten lines, a factory. Only `pyspark_lineage.api` is imported."""

from collections.abc import Sequence

from pyspark_lineage import api
from tests.unit.handlers.plans import execution, runner, select


class LoadFeed(api.LogicalPlan, package="com.acme.spark"):
    """`LOAD FEED 'orders' FROM 'broker-1'`."""

    feed: str
    broker: str


class LoadFeedVisitor(api.QueryPlanVisitor[LoadFeed]):
    """`LOAD FEED f FROM b`: the feed is the input."""

    def apply(self, x: LoadFeed, /) -> Sequence[api.Dataset]:
        return [api.Dataset(f"feed://{x.broker}", x.feed)]


class AcmeFactory(api.OpenLineageEventHandlerFactory):
    """Acme's feeds."""

    def create_input_dataset_query_plan_visitors(self, context: api.OpenLineageContext) -> Sequence[LoadFeedVisitor]:
        return [LoadFeedVisitor(context)]


def test_the_first_visitor() -> None:
    found = runner(AcmeFactory()).run(execution(select(LoadFeed(feed="orders", broker="broker-1"))))
    assert found.inputs == (api.InputDataset("feed://broker-1", "orders"),)
    assert found.unhandled == {}


def test_every_public_name_is_there() -> None:
    assert {name for name in api.__all__ if getattr(api, name, None) is None} == set()
    assert dir(api) == sorted(api.__all__)
