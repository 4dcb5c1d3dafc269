# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""One thing that was captured: an event of Spark's bus and, with the start or end of an execution, its plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark_lineage.contract.context import ApplicationInfo
    from pyspark_lineage.contract.spark_events import SparkListenerEvent


class PlanState(str):
    """How the plan was got: `ok` (here), `late` (comes with the end), `sent` (came with the start), `none`,
    `unanalyzed` (analysis failed), `dropped` (beyond the bridge's bound), or `failed: why`.
    """

    __slots__ = ()

    @property
    def is_lost(self) -> bool:
        return self == "dropped" or self.startswith("failed")


NO_PLAN = PlanState("none")


@dataclass(frozen=True, slots=True)
class Captured:
    """`plan` is a snapshot as the bridge wrote it, not decoded yet."""

    event: SparkListenerEvent
    application: ApplicationInfo | None = None
    plan: Mapping[str, Any] | None = field(default=None, repr=False)
    plan_state: PlanState = NO_PLAN
    root_execution_id: int | None = None
    physical_name: str = ""
