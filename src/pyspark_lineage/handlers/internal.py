# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""All handlers of this process: plug-ins first, the built-ins last, through one door."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeVar

from pyspark_lineage.contract.factory import JvmGetter, OpenLineageEventHandlerFactory
from pyspark_lineage.contract.handlers import CustomFacetBuilder, DatasetBuilder, PartialFunction
from pyspark_lineage.errors import contain

if TYPE_CHECKING:
    from pyspark_lineage.config import Config
    from pyspark_lineage.contract.context import OpenLineageContext

logger = logging.getLogger(__name__)

GROUP = "pyspark_lineage.handlers"

H = TypeVar("H")


class InternalEventHandlerFactory(OpenLineageEventHandlerFactory):
    """The handlers of all factories, in their order. A factory that fails costs its own handlers and nobody else's."""

    def __init__(self, factories: Iterable[OpenLineageEventHandlerFactory] = ()) -> None:
        # Here and not above: it loads openlineage-python, and who only looks for plug-ins (attach) has no use for that.
        from pyspark_lineage.handlers.builtin import BuiltInEventHandlerFactory

        self.factories: tuple[OpenLineageEventHandlerFactory, ...] = (*factories, BuiltInEventHandlerFactory())

    def create_input_dataset_query_plan_visitors(
        self, context: OpenLineageContext
    ) -> Sequence[PartialFunction[Any, Any]]:
        return self._all(lambda f: f.create_input_dataset_query_plan_visitors(context), _check_function)

    def create_output_dataset_query_plan_visitors(
        self, context: OpenLineageContext
    ) -> Sequence[PartialFunction[Any, Any]]:
        return self._all(lambda f: f.create_output_dataset_query_plan_visitors(context), _check_function)

    def create_input_dataset_builders(self, context: OpenLineageContext) -> Sequence[DatasetBuilder]:
        return self._all(lambda f: f.create_input_dataset_builders(context), _check_function)

    def create_output_dataset_builders(self, context: OpenLineageContext) -> Sequence[DatasetBuilder]:
        return self._all(lambda f: f.create_output_dataset_builders(context), _check_function)

    def create_input_dataset_facet_builders(
        self, context: OpenLineageContext
    ) -> Sequence[CustomFacetBuilder[Any, Any]]:
        return self._all(lambda f: f.create_input_dataset_facet_builders(context), _check_facet_builder)

    def create_output_dataset_facet_builders(
        self, context: OpenLineageContext
    ) -> Sequence[CustomFacetBuilder[Any, Any]]:
        return self._all(lambda f: f.create_output_dataset_facet_builders(context), _check_facet_builder)

    def create_dataset_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        return self._all(lambda f: f.create_dataset_facet_builders(context), _check_facet_builder)

    def create_run_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        return self._all(lambda f: f.create_run_facet_builders(context), _check_facet_builder)

    def create_job_facet_builders(self, context: OpenLineageContext) -> Sequence[CustomFacetBuilder[Any, Any]]:
        return self._all(lambda f: f.create_job_facet_builders(context), _check_facet_builder)

    def jvm_getters(self) -> Sequence[JvmGetter]:
        return self._all(lambda f: f.jvm_getters(), _check_getter)

    def conf_prefixes(self) -> Sequence[str]:
        return self._all(lambda f: f.conf_prefixes(), _check_text)

    def _all(
        self, made_by: Callable[[OpenLineageEventHandlerFactory], Iterable[H]], check: Callable[[object], None]
    ) -> tuple[H, ...]:
        """What every factory makes; what is not of the right kind is left out and counted, one by one."""
        found: list[H] = []
        for factory in self.factories:
            where = f"plugins.{factory_name(factory)}"
            made: Sequence[H] = ()
            with contain(where, logger=logger, exits=True):
                made = tuple(made_by(factory))
            for one in made:
                with contain(where, logger=logger, exits=True):
                    check(one)
                    found.append(one)
        return tuple(found)


def load_factories(config: Config, plugins: Iterable[object] = (), /) -> InternalEventHandlerFactory:
    """All handlers: plug-ins passed to `attach`, those that the configuration names, those installed, the built-ins."""
    return InternalEventHandlerFactory(discovered(config, plugins))


def discovered(config: Config, plugins: Iterable[object] = (), /) -> list[OpenLineageEventHandlerFactory]:
    """The factories of plug-ins, each once: from `attach`, from the configuration, from installed packages."""
    if config.plugins_disabled:
        return []
    found: dict[type, OpenLineageEventHandlerFactory] = {}
    for name, load in _sources(config, plugins):
        with contain(f"plugins.{name}", logger=logger, exits=True):
            factory = _factory(load())
            found.setdefault(type(factory), factory)
    return list(found.values())


def factory_name(factory: object, /) -> str:
    """How a factory is called in reports."""
    cls = type(factory)
    return f"{cls.__module__}.{cls.__qualname__}"


def _sources(config: Config, plugins: Iterable[object]) -> Iterator[tuple[str, Callable[[], object]]]:
    for plugin in (*plugins, *config.plugins):
        if isinstance(plugin, str):
            yield plugin, lambda path=plugin: _imported(path)  # type: ignore[misc]  # a default binds the loop's value
        else:
            yield getattr(plugin, "__qualname__", type(plugin).__qualname__), lambda one=plugin: one  # type: ignore[misc]
    with contain("plugins.discovery", logger=logger):
        for point in tuple(entry_points(group=GROUP)):
            yield point.name, point.load


def _imported(path: str) -> object:
    module, _, attribute = path.partition(":")
    if not attribute:
        raise ValueError(f"Plug-in {path!r} is not of the form module:Class.")
    found: object = importlib.import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


def _factory(loaded: object) -> OpenLineageEventHandlerFactory:
    made = loaded() if isinstance(loaded, type) else loaded
    if not isinstance(made, OpenLineageEventHandlerFactory):
        raise TypeError(
            f"{type(made).__module__}.{type(made).__qualname__} is not an OpenLineageEventHandlerFactory: "
            f"derive the plug-in's factory from pyspark_lineage.api.OpenLineageEventHandlerFactory."
        )
    return made


def _check_function(one: object) -> None:
    if not (callable(getattr(one, "is_defined_at", None)) and callable(getattr(one, "apply", None))):
        raise TypeError(f"{type(one).__qualname__} has no is_defined_at and apply: it is no visitor or builder.")


def _check_facet_builder(one: object) -> None:
    if not (callable(getattr(one, "is_defined_at", None)) and callable(getattr(one, "build", None))):
        raise TypeError(f"{type(one).__qualname__} has no is_defined_at and build: it is no facet builder.")


def _check_getter(one: object) -> None:
    if not isinstance(one, JvmGetter):
        raise TypeError(f"{type(one).__qualname__} is not a JvmGetter.")


def _check_text(one: object) -> None:
    if not isinstance(one, str):
        raise TypeError(f"a prefix of configuration keys is text, got {type(one).__name__}.")
