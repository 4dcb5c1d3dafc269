# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Where settings are found: each source becomes a list of leaves, a path of key parts with a value and its origin."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark_lineage.config.keys import FACETS_DISABLED, OPEN_MAPS, PREFIX, camel
from pyspark_lineage.errors import ConfigError
from pyspark_lineage.redaction import redact_text

_DEEPEST = 32
_MOST = 1000
_DYNAMIC = "OPENLINEAGE__"
_SHORT = {"OPENLINEAGE_DISABLED": ("disabled",), "OPENLINEAGE_NAMESPACE": ("namespace",)}
_SHORT_TRANSPORT = {
    "OPENLINEAGE_URL": ("transport", "url"),
    "OPENLINEAGE_ENDPOINT": ("transport", "endpoint"),
    "OPENLINEAGE_API_KEY": ("transport", "auth", "apiKey"),
}
# As an environment variable spells them, without capitals and dots.
_FACETS = {
    name.replace(".", "").replace("_", "").lower(): name
    for name in (*FACETS_DISABLED, "columnLineage", "dataSource", "sourceCodeLocation", "environment-properties")
}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value that somebody gave; `lenient` where snake_case is accepted for our camelCase."""

    path: tuple[str, ...]
    value: Any
    source: str
    lenient: bool = False

    @property
    def key(self) -> str:
        """The key for people to read: in one line and not without end."""
        key = ".".join(self.path)
        return (key if key.isprintable() else ascii(key)[1:-1])[:200]


def of_keywords(keywords: Mapping[str, Any], /) -> list[Leaf]:
    """`attach(transport={"type": "http"}, app_name="x")`."""
    return list(_leaves(keywords, "keyword", lenient=True))


def of_text(conf: Mapping[str, str], source: str, /) -> list[Leaf]:
    """`spark.openlineage.a.b` = text, from SparkConf or the command line."""
    return [
        Leaf(_split(key.removeprefix(PREFIX)), value, source)
        for key, value in conf.items()
        if isinstance(key, str) and key.startswith(PREFIX)
    ]


def of_yaml(environ: Mapping[str, str], cwd: str, home: str, problems: list[str], /) -> list[Leaf]:
    """The first of OPENLINEAGE_CONFIG, ./openlineage.yml and ~/.openlineage/openlineage.yml that is there."""
    named = environ.get("OPENLINEAGE_CONFIG")
    if named and not Path(cwd, named).is_file():
        problems.append(f"There is no file {redact_text(named)!r} (from environment variable OPENLINEAGE_CONFIG).")
    candidates = [Path(cwd, named)] if named else []
    candidates += [Path(cwd, "openlineage.yml"), Path(home, ".openlineage", "openlineage.yml")]
    path = next((each for each in candidates if each.is_file()), None)
    if path is None:
        return []
    return list(_leaves(_read_yaml(path, problems), str(path), lenient=False))


def of_environment(environ: Mapping[str, str], /) -> list[Leaf]:
    """`OPENLINEAGE__A__B_C` is `a.bC`; a value may be JSON."""
    leaves: list[Leaf] = []
    for name in sorted(environ):
        if not name.upper().startswith(_DYNAMIC) or not environ[name].strip():
            continue
        source = f"environment variable {name}"
        path = _of_variable(name[len(_DYNAMIC) :])
        value = _json(environ[name])
        if isinstance(value, Mapping):
            leaves.extend(_leaves(value, source, lenient=True, prefix=path))
        else:
            leaves.append(Leaf(path, value, source, lenient=True))
    return leaves


def of_short_environment(environ: Mapping[str, str], /) -> list[Leaf]:
    """OPENLINEAGE_URL and its like: an http transport; the key and the endpoint also serve one named elsewhere."""
    given = {name: environ[name].strip() for name in (*_SHORT, *_SHORT_TRANSPORT) if environ.get(name, "").strip()}
    leaves = [
        Leaf((_SHORT | _SHORT_TRANSPORT)[name], value, f"environment variable {name}") for name, value in given.items()
    ]
    if "OPENLINEAGE_URL" in given:
        leaves.append(Leaf(("transport", "type"), "http", "environment variable OPENLINEAGE_URL"))
    if "OPENLINEAGE_API_KEY" in given:
        leaves.append(Leaf(("transport", "auth", "type"), "api_key", "environment variable OPENLINEAGE_API_KEY"))
    return leaves


def _leaves(values: Mapping[Any, Any], source: str, *, lenient: bool, prefix: tuple[str, ...] = ()) -> Iterable[Leaf]:
    waiting: list[tuple[tuple[str, ...], Any]] = [(prefix, values)]
    for _ in range(_MOST):
        if not waiting:
            return
        path, value = waiting.pop()
        if isinstance(value, Mapping) and len(path) < _DEEPEST:
            if len(path) > 1 and path[0] == "transport" and path[-1] in OPEN_MAPS:
                waiting.extend(((*path, str(key)), each) for key, each in reversed(list(value.items())))
            else:
                waiting.extend((_below(path, str(key)), each) for key, each in reversed(list(value.items())))
        elif value is not None:
            yield Leaf(path, value, source, lenient)
    raise ConfigError(f"The configuration (from {source}) has more than {_MOST} values; it was not read.")


def _below(path: tuple[str, ...], key: str) -> tuple[str, ...]:
    return _split(".".join((*path, key)) if path else key.removeprefix(PREFIX))


def _split(key: str) -> tuple[str, ...]:
    """The parts of a key; below `transport.properties` and its like, dots belong to the name."""
    parts = key.split(".")
    if parts[0] == "transport":
        for index, part in enumerate(parts[1:-1], start=1):
            if part in OPEN_MAPS:
                return (*parts[: index + 1], ".".join(parts[index + 1 :]))
    return tuple(parts)


def _of_variable(name: str) -> tuple[str, ...]:
    parts = name.lower().split("__")
    if parts[0] == "facets" and parts[-1] == "disabled" and len(parts) > 2:
        facet = ".".join(parts[1:-1])
        return ("facets", _FACETS.get(facet.replace(".", "").replace("_", ""), facet), "disabled")
    return tuple(camel(part) for part in parts)


def _json(text: str) -> Any:
    text = text.strip()
    if text[:1] in {"{", "[", '"'}:
        try:
            return json.loads(text)
        except ValueError:
            return text  # [a;b] is no JSON
    return text


def _read_yaml(path: Path, problems: list[str]) -> Mapping[Any, Any]:
    try:
        # Not a dependency of ours: openlineage-python brings it, and who has no file needs none.
        yaml: Any = importlib.import_module("yaml")
    except ImportError:
        problems.append(f"The file {str(path)!r} was not read: PyYAML is missing. Install it: pip install pyyaml")
        return {}
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        problems.append(f"The file {str(path)!r} was not read: {redact_text(' '.join(str(error).split()))}")
        return {}
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        kind = type(values).__name__
        problems.append(f"The file {str(path)!r} was not read: it must hold keys and values, not a {kind}.")
        return {}
    return values


def current_folder() -> str:
    """The working directory; the root where it was deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return os.sep
