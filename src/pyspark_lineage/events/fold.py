# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Nested executions folded into one run: the lineage of all of them, each dataset once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from pyspark_lineage.contract.context import NO_LINEAGE, Lineage
from pyspark_lineage.datasets.value import OutputDataset, merged

K = TypeVar("K")


def folded(so_far: Lineage, found: Lineage, /, *, nested: bool) -> Lineage:
    """`so_far` with what another execution of the same run told.

    A nested execution that writes the table which the root named by a default place knows the place better. And
    what it does not understand is only of interest where the root did not: the same statement is not reported twice.
    """
    if so_far is NO_LINEAGE:
        return found
    outputs = _placed(so_far.outputs, found.outputs)
    return replace(
        so_far,
        inputs=merged((*so_far.inputs, *found.inputs)),
        outputs=outputs,
        unhandled=so_far.unhandled if nested else _summed(so_far.unhandled, found.unhandled),
        unknown=so_far.unknown if nested else _summed(so_far.unknown, found.unknown),
        failures=_summed(so_far.failures, found.failures),
        cut=tuple(dict.fromkeys((*so_far.cut, *found.cut))),
        nodes=max(so_far.nodes, found.nodes),
        expressions=max(so_far.expressions, found.expressions),
        inputs_found_in={**found.inputs_found_in, **so_far.inputs_found_in},
        outputs_found_in={**found.outputs_found_in, **so_far.outputs_found_in},
    )


def _placed(so_far: Iterable[OutputDataset], found: tuple[OutputDataset, ...]) -> tuple[OutputDataset, ...]:
    outputs = list(so_far)
    known = {one.key: one for one in found if not one.provisional}
    for at, one in enumerate(outputs):
        if one.provisional and one.key in known:  # the guess was right
            outputs[at] = _in_place(one, known.pop(one.key))
    guessed = [at for at, one in enumerate(outputs) if one.provisional]
    better = list(known.values())
    if len(guessed) == len(better) == 1:
        # The nested write of a CTAS names a path and no table: with one of each, they are the same.
        one, other = outputs[guessed[0]], better[0]
        outputs[guessed[0]] = _in_place(one, other)
        found = tuple(dataset for dataset in found if dataset is not other)
    elif guessed:
        # Still only names: of two for one table the longer one says its database.
        again = {one.table.rpartition(".")[2]: one for one in found if one.provisional}
        for at in guessed:
            other_name = again.get(outputs[at].table.rpartition(".")[2])
            if other_name is not None and len(other_name.table) > len(outputs[at].table):
                outputs[at] = other_name
        kept = {one.table.rpartition(".")[2] for one in outputs}
        found = tuple(one for one in found if not one.provisional or one.table.rpartition(".")[2] not in kept)
    return merged((*outputs, *found))


def _in_place(one: OutputDataset, other: OutputDataset) -> OutputDataset:
    """The table that was named first, where the nested write says it lies. Its symlink stays if the place was right."""
    return replace(
        other,
        schema=one.schema or other.schema,
        symlinks=other.symlinks or one.symlinks,
        table=one.table or other.table,
        lifecycle=one.lifecycle or other.lifecycle,
        job_name_suffix=one.job_name_suffix or other.job_name_suffix,
    )


def _summed(a: Mapping[K, int], b: Mapping[K, int]) -> dict[K, int]:
    return {key: a.get(key, 0) + b.get(key, 0) for key in {**a, **b}}
