# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmarks, in the order in which they run."""

from __future__ import annotations

from typing import Protocol

from benchmarks.pairs import Settings
from benchmarks.report import Section
from benchmarks.workloads import actions, calls, growth, memory, queries, shapes, start, writes


class Benchmark(Protocol):
    """Something that can be measured and told."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    def run(self, settings: Settings) -> Section: ...


BENCHMARKS: tuple[Benchmark, ...] = (
    *start.BENCHMARKS,
    *writes.BENCHMARKS,
    *queries.BENCHMARKS,
    *shapes.BENCHMARKS,
    *growth.BENCHMARKS,
    *actions.BENCHMARKS,
    *calls.BENCHMARKS,
    *memory.BENCHMARKS,
)
