# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""How handlers come in: discovery, and containment of each factory."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from pyspark_lineage import errors
from pyspark_lineage.contract.factory import JvmGetter, OpenLineageEventHandlerFactory
from pyspark_lineage.handlers.builtin import BuiltInEventHandlerFactory
from pyspark_lineage.handlers.internal import InternalEventHandlerFactory, load_factories
from tests.unit.handlers.plans import context, settings

HERE = __name__


class One(OpenLineageEventHandlerFactory):
    def jvm_getters(self) -> Sequence[JvmGetter]:
        return [JvmGetter("com.acme.Table", "id")]

    def conf_prefixes(self) -> Sequence[str]:
        return ["spark.acme."]


class Two(OpenLineageEventHandlerFactory):
    pass


class Broken(OpenLineageEventHandlerFactory):
    def __init__(self) -> None:
        raise RuntimeError("cannot start")


class Point:
    """An installed package's entry point."""

    name = "acme"

    def load(self) -> object:
        return Two


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSPARK_LINEAGE_RAISE")
    errors.FAILURES.clear()


def kinds(loaded: InternalEventHandlerFactory) -> list[type]:
    return [type(factory) for factory in loaded.factories]


def test_order_and_uniqueness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark_lineage.handlers.internal.entry_points", lambda group: [Point()])
    monkeypatch.setitem(sys.modules, "acme_plugins", sys.modules[HERE])
    config = settings(plugins_disabled=False, plugins=("acme_plugins:One", "acme_plugins:Two"))
    assert kinds(load_factories(config, [Two])) == [Two, One, BuiltInEventHandlerFactory]
    assert kinds(load_factories(config, [One()])) == [One, Two, BuiltInEventHandlerFactory]


def test_disabled() -> None:
    assert kinds(load_factories(settings(plugins_disabled=True, plugins=("x:Y",)), [One])) == [
        BuiltInEventHandlerFactory
    ]


def test_the_group_is_the_documented_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert importlib.metadata.entry_points(group="pyspark_lineage.handlers") is not None
    asked: list[str] = []
    monkeypatch.setattr("pyspark_lineage.handlers.internal.entry_points", lambda group: asked.append(group) or [])
    load_factories(settings(plugins_disabled=False))
    assert asked == ["pyspark_lineage.handlers"]


@pytest.mark.usefixtures("contained")
@pytest.mark.parametrize("plugin", [Broken, object(), "no.such.module:Thing", "json", "json:loads"])
def test_a_plug_in_that_does_not_load_costs_only_itself(plugin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark_lineage.handlers.internal.entry_points", lambda group: [])
    loaded = load_factories(settings(plugins_disabled=False), [plugin, One])
    assert kinds(loaded) == [One, BuiltInEventHandlerFactory]
    assert len(errors.FAILURES.snapshot()) == 1


class Nonsense(OpenLineageEventHandlerFactory):
    def create_input_dataset_query_plan_visitors(self, context: object) -> Any:
        return ["nonsense"]

    def create_run_facet_builders(self, context: object) -> Any:
        return [object()]

    def create_job_facet_builders(self, context: object) -> Any:
        raise KeyError("x")

    def jvm_getters(self) -> Any:
        return ["table.id"]

    def conf_prefixes(self) -> Any:
        return 7


@pytest.mark.usefixtures("contained")
def test_what_a_factory_makes_is_looked_at() -> None:
    factory = InternalEventHandlerFactory([Nonsense(), One()])
    alone = InternalEventHandlerFactory()
    about = context()
    assert len(factory.create_input_dataset_query_plan_visitors(about)) == len(
        alone.create_input_dataset_query_plan_visitors(about)
    )
    assert len(factory.create_run_facet_builders(about)) == len(alone.create_run_facet_builders(about))
    assert factory.create_job_facet_builders(about) == ()
    assert factory.jvm_getters() == (JvmGetter("com.acme.Table", "id"),)
    assert factory.conf_prefixes() == ("spark.acme.",)
    assert set(errors.FAILURES.snapshot()) == {
        f"plugins.{HERE}.Nonsense: TypeError",
        f"plugins.{HERE}.Nonsense: KeyError",
    }
