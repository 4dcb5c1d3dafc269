# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""A RunEvent object from its stored JSON, for transports that look into events (Kafka's message key, transformers).

`Serde.to_json(run_event(body)) == body`. Facets that openlineage-python knows become its objects, so that
`event.run.facets["parent"].job.name` works as it does for any other producer; the others stay dicts.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import types
import typing
from enum import Enum
from functools import lru_cache
from typing import Any

import attr
from openlineage.client import generated
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.generated.base import BaseFacet
from openlineage.client.serde import Serde


def run_event(body: str, /) -> RunEvent:
    """The event that `body` was made from; ValueError when it is not a run event."""
    raw = json.loads(body)
    try:
        run, job = raw["run"], raw["job"]
        event = RunEvent(
            eventTime=raw["eventTime"],
            producer=raw["producer"],
            eventType=RunState(raw["eventType"]) if "eventType" in raw else None,
            run=Run(runId=run["runId"], facets=_facets(run.get("facets"))),
            job=Job(namespace=job["namespace"], name=job["name"], facets=_facets(job.get("facets"))),
            inputs=_each(raw.get("inputs"), _input),
            outputs=_each(raw.get("outputs"), _output),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a run event: {error!r}") from error
    # The generated classes compute their schema URL; the stored one is the one that was announced.
    event.schemaURL = raw.get("schemaURL", event.schemaURL)
    return event


def _each(raw: list[dict[str, Any]] | None, make: Any) -> Any:
    return None if raw is None else [make(item) for item in raw]


def _input(raw: dict[str, Any]) -> InputDataset:
    facets, own = _facets(raw.get("facets")), _facets(raw.get("inputFacets"))
    return InputDataset(namespace=raw["namespace"], name=raw["name"], facets=facets, inputFacets=own)


def _output(raw: dict[str, Any]) -> OutputDataset:
    facets, own = _facets(raw.get("facets")), _facets(raw.get("outputFacets"))
    return OutputDataset(namespace=raw["namespace"], name=raw["name"], facets=facets, outputFacets=own)


def _facets(raw: dict[str, Any] | None) -> Any:
    return None if raw is None else {key: _facet(value) for key, value in raw.items()}


def _facet(raw: Any) -> Any:
    """An object of the facet's class when that says exactly the same, else the dict."""
    cls = _facet_classes().get(raw.get("_schemaURL", "")) if isinstance(raw, dict) else None
    if cls is None:
        return raw
    try:
        facet = _object(cls, raw)
        return facet if Serde.to_dict(facet) == raw else raw
    except (TypeError, ValueError, KeyError, AttributeError):
        return raw


def _object(cls: type[Any], raw: dict[str, Any]) -> Any:
    known, late = {}, {}
    fields = {field.name: field for field in attr.fields(cls)}
    for name, value in raw.items():
        field = fields.get(name)
        if field is None:
            late[name] = value
        elif field.init:
            known[field.alias] = _value(field.type, value)
    # A default must not fill in what the event did not say.
    for field in fields.values():
        if field.init and field.name not in raw and field.default is not attr.NOTHING:
            known[field.alias] = None
    made = cls(**known)
    return made.with_additional_properties(**late) if late else made


def _value(hint: Any, raw: Any) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        chosen = [each for each in arguments if each is not type(None)]
        return _value(chosen[0], raw) if len(chosen) == 1 and raw is not None else raw
    if origin is list and isinstance(raw, list):
        return [_value(arguments[0], item) for item in raw]
    if origin is dict and isinstance(raw, dict):
        return {key: _value(arguments[1], value) for key, value in raw.items()}
    if isinstance(hint, type):
        if issubclass(hint, BaseFacet):
            return _facet(raw)
        if issubclass(hint, Enum):
            return hint(raw)
        if attr.has(hint) and isinstance(raw, dict):
            return _object(hint, raw)
    return raw


@lru_cache(maxsize=1)
def _facet_classes() -> dict[str, type[Any]]:
    """openlineage-python's facet classes by the schema URL that they announce."""
    found: dict[str, type[Any]] = {}
    for module_info in pkgutil.iter_modules(generated.__path__, f"{generated.__name__}."):
        module = importlib.import_module(module_info.name)
        for cls in vars(module).values():
            if isinstance(cls, type) and attr.has(cls):
                attr.resolve_types(cls)
                if issubclass(cls, BaseFacet):
                    found[cls._get_schema()] = cls
    return found
