# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The dataset value that handlers return. `events/` turns it into OpenLineage's classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pyspark_lineage.plan.types import StructType


@dataclass(frozen=True, slots=True)
class Symlink:
    """Another name of the same data: the table that lies at a path, or the path below a table."""

    namespace: str
    name: str
    type: str = "TABLE"


@dataclass(frozen=True, slots=True)
class Dataset:
    """Data with a name, wherever it lies. `facets` are OpenLineage facets by key that a handler adds itself."""

    namespace: str
    name: str
    schema: StructType | None = field(default=None, compare=False, hash=False)
    symlinks: tuple[Symlink, ...] = ()
    facets: Mapping[str, object] = field(default_factory=dict, hash=False)
    origin: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[str, str]:
        return (self.namespace, self.name)


@dataclass(frozen=True, slots=True)
class InputDataset(Dataset):
    """Data that the execution reads. `input_facets` are about this reading, not about the data."""

    input_facets: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class OutputDataset(Dataset):
    """Data that the execution writes.

    `lifecycle` is OpenLineage's word for what happened to the dataset itself (CREATE, OVERWRITE, DROP ...);
    `job_name_suffix` is what the job's name says of it where that is not the end of its path. `table` is its name in
    the session catalog; `provisional` says that its place is the default one, for nobody said it yet.
    """

    lifecycle: str | None = None
    job_name_suffix: str = ""
    table: str = ""
    provisional: bool = False
    output_facets: Mapping[str, object] = field(default_factory=dict, hash=False)


D = TypeVar("D", bound=Dataset)


def merged(datasets: Iterable[D], /) -> tuple[D, ...]:
    """Each dataset once, in order of first appearance; what the first one lacks is filled in from later ones."""
    seen: dict[tuple[str, str], D] = {}
    for dataset in datasets:
        first = seen.get(dataset.key)
        seen[dataset.key] = dataset if first is None else _filled(first, dataset)
    return tuple(seen.values())


def _filled(first: D, other: D) -> D:
    """`first`, with what only `other` knows."""
    changes: dict[str, object] = {}
    if (first.schema is None or not first.schema.fields) and other.schema is not None:
        changes["schema"] = other.schema
    if not first.symlinks and other.symlinks:
        changes["symlinks"] = other.symlinks
    for facets in ("facets", "input_facets", "output_facets"):
        mine, theirs = getattr(first, facets, None), getattr(other, facets, None)
        if theirs and theirs != mine:
            changes[facets] = {**theirs, **(mine or {})}
    for text in ("lifecycle", "job_name_suffix"):
        if getattr(other, text, None) and not getattr(first, text):
            changes[text] = getattr(other, text)
    return replace(first, **changes) if changes else first  # type: ignore[arg-type]  # the names are its own fields
