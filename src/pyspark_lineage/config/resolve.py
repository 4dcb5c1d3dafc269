# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""All sources into one `Config`, with a sentence for whatever could not be used."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark_lineage.config import keys, kinds, sources, transport
from pyspark_lineage.config.keys import PREFIX, Setting
from pyspark_lineage.config.sources import Leaf
from pyspark_lineage.config.transport import shown, suggestion
from pyspark_lineage.config.value import Config, JobName, Parent
from pyspark_lineage.errors import ConfigError, contain

logger = logging.getLogger(__name__)
_MOST_HINTS = 20


@dataclass(frozen=True, slots=True)
class Resolved:
    """The configuration, what was wrong with its sources, and the source of each key that was given."""

    config: Config
    problems: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)


def resolve(
    *,
    keywords: Mapping[str, Any] | None = None,
    cli: Mapping[str, str] | None = None,
    spark_conf: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    home_dir: str | os.PathLike[str] | None = None,
) -> Resolved:
    """The configuration from all sources, the first winning: keywords, command line, SparkConf, YAML, environment."""
    with contain("config.resolve", logger=logger):
        variables = os.environ if environ is None else environ
        folder = sources.current_folder() if cwd is None else os.fspath(cwd)
        home = os.path.expanduser("~") if home_dir is None else os.fspath(home_dir)
        return _resolve(
            (
                lambda _: sources.of_keywords(keywords or {}),
                lambda _: sources.of_text(cli or {}, "command line"),
                lambda _: sources.of_text(spark_conf or {}, "SparkConf"),
                lambda problems: sources.of_yaml(variables, folder, home, problems),
                lambda _: sources.of_environment(variables),
            ),
            sources.of_short_environment(variables),
        )
    return Resolved(Config(), ("The configuration could not be read; using the defaults.",))


def _resolve(readers: tuple[Callable[[list[str]], list[Leaf]], ...], short: list[Leaf]) -> Resolved:
    problems: list[str] = []
    layers: list[list[Leaf]] = []
    for read in readers:
        try:
            layers.append(read(problems))
        except ConfigError as error:
            problems.append(str(error))
    origins: dict[str, str] = {}
    chosen = _chosen([*layers, short], origins, problems)
    agreed = transport.merged(layers, [leaf for leaf in short if leaf.path[0] == "transport"])
    chosen["transport"] = transport.checked(agreed, origins, problems)
    return Resolved(_built(chosen), tuple(dict.fromkeys(problems)), dict(sorted(origins.items())))


def _chosen(layers: list[list[Leaf]], origins: dict[str, str], problems: list[str]) -> dict[str, Any]:
    """`Config`'s fields (dotted) and their values: of each key the first that is valid."""
    given: dict[str, list[tuple[Setting, Leaf]]] = {}
    for leaf in (leaf for layer in layers for leaf in layer):
        if leaf.path[0] == "transport" and len(leaf.path) > 1:
            continue
        found = keys.find(leaf.path, lenient=leaf.lenient)
        if found is None:
            # Looking for what was meant costs a millisecond: not for a whole foreign file.
            near = keys.near_key(leaf.key) if len(problems) < _MOST_HINTS else None
            problems.append(f"Unknown key {PREFIX}{leaf.key} (from {leaf.source}).{suggestion(near and PREFIX + near)}")
        elif leaf.value not in ("", None):
            given.setdefault(found[1], []).append((found[0], leaf))
    chosen: dict[str, Any] = {}
    facets = set(keys.FACETS_DISABLED)
    for key, candidates in given.items():
        value = _first_valid(key, candidates, origins, problems)
        setting = candidates[0][0]
        if value is None or not setting.field:
            continue
        if setting.key == "facets.disabled":
            facets.update(value)
        elif setting.field == "facets_disabled":
            name = key.removeprefix("facets.").removesuffix(".disabled")
            (facets.add if value else facets.discard)(name)
        else:
            chosen[setting.field] = value
    chosen["facets_disabled"] = frozenset(facets)
    return chosen


def _first_valid(key: str, candidates: list[tuple[Setting, Leaf]], origins: dict[str, str], problems: list[str]) -> Any:
    wrong: list[Leaf] = []
    value: Any = None
    for setting, leaf in candidates:
        try:
            value = kinds.parse(setting, leaf.value)
        except ValueError:
            wrong.append(leaf)
        else:
            origins[key] = leaf.source
            break
    setting = candidates[0][0]
    used = setting.default if value is None else value
    problems.extend(
        f"{PREFIX}{key} must be {kinds.expected(setting)}, not {shown(key, leaf.value)} (from {leaf.source}); "
        + ("ignored." if used is None else f"using {_told(used)}.")
        for leaf in wrong
    )
    return value


def _told(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"[{';'.join(value)}]" if isinstance(value, tuple) else str(value)


def _built(chosen: dict[str, Any]) -> Config:
    inner: dict[str, dict[str, Any]] = {"job_name": {}, "parent": {}}
    for name in [name for name in chosen if "." in name]:
        first, _, second = name.partition(".")
        inner[first][second] = chosen.pop(name)
    return Config(job_name=JobName(**inner["job_name"]), parent=Parent(**inner["parent"]), **chosen)
