# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Events against the vendored OpenLineage schemas, offline."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

SCHEMAS = Path(__file__).parents[1] / "schemas"
CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"

# jsonschema checks "uuid" by itself; "date-time" and "uri" only with packages that we can do without.
FORMATS = FormatChecker(formats=["uuid"])


def _is_date_time(value: object) -> bool:
    if not isinstance(value, str):
        return True
    # RFC 3339: a time zone is required, which fromisoformat does not ask for.
    return datetime.fromisoformat(value.replace("Z", "+00:00")).tzinfo is not None


def _is_uri(value: object) -> bool:
    if not isinstance(value, str):
        return True
    # Local files have the namespace `file`, and by the OpenLineage convention that is their data source's URI.
    return value == "file" or (bool(urlsplit(value).scheme) and not re.search(r"\s", value))


FORMATS.checks("date-time", raises=ValueError)(_is_date_time)
FORMATS.checks("uri", raises=ValueError)(_is_uri)


@functools.cache
def vendored() -> Mapping[str, Any]:
    """Every schema below tests/schemas, by its $id."""
    found = {}
    for path in sorted(SCHEMAS.rglob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        found[schema["$id"]] = schema
    if CORE not in found:
        raise AssertionError(f"{CORE} is not below {SCHEMAS}")
    return found


@functools.cache
def _registry() -> Registry[Any]:
    return Registry().with_resources((url, Resource.from_contents(schema)) for url, schema in vendored().items())


@functools.cache
def _validator(reference: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": reference}, registry=_registry(), format_checker=FORMATS)


def facets_of(event: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(where it stands, its key, the facet) for every facet of an event."""
    holders = [("run.facets", event.get("run", {}).get("facets")), ("job.facets", event.get("job", {}).get("facets"))]
    for side, own in (("inputs", "inputFacets"), ("outputs", "outputFacets")):
        for at, dataset in enumerate(event.get(side) or ()):
            holders.append((f"{side}[{at}].facets", dataset.get("facets")))
            holders.append((f"{side}[{at}].{own}", dataset.get(own)))
    for where, facets in holders:
        for key, facet in (facets or {}).items():
            yield f"{where}.{key}", key, facet


def violations(event: Mapping[str, Any]) -> list[str]:
    """What is wrong with an event, one line each: the core schema first, then each facet that we have a schema for."""
    url = str(event.get("schemaURL", ""))
    core, _, fragment = url.partition("#")
    if core != CORE:
        return [f"schemaURL: {url!r} is not of {CORE}"]
    found = [_line("event", error) for error in _validator(f"{CORE}#{fragment}").iter_errors(event)]
    for where, key, facet in facets_of(event):
        facet_url = str(facet.get("_schemaURL", ""))
        document, _, definition = facet_url.partition("#")
        if document == CORE or document not in vendored():
            continue
        if definition:
            found += [_line(where, error) for error in _validator(facet_url).iter_errors(facet)]
        # The document says under which key its facet stands.
        schema = vendored()[document]
        if "properties" in schema:
            if key not in schema["properties"]:
                found.append(f"{where}: {document} knows the keys {sorted(schema['properties'])}, not {key!r}")
            found += [_line(where, error) for error in _validator(document).iter_errors({key: facet})]
    return found


def validate_event(event: Mapping[str, Any]) -> None:
    found = violations(event)
    if found:
        told = "\n  ".join(dict.fromkeys(found))
        raise AssertionError(f"not valid against the OpenLineage schemas:\n  {told}\n{json.dumps(event, indent=1)}")


def _line(where: str, error: ValidationError) -> str:
    path = ".".join(str(part) for part in error.absolute_path)
    return f"{where}{'.' if path else ''}{path}: {error.message[:300]}"
