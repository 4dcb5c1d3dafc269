# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`lifecycleStateChange`: what a write did to the dataset itself (CREATE, OVERWRITE, ...)."""

from __future__ import annotations

from collections.abc import Callable

from openlineage.client.facet_v2 import lifecycle_state_change_dataset

from pyspark_lineage import PRODUCER
from pyspark_lineage.contract.handlers import CustomFacetBuilder
from pyspark_lineage.datasets.value import OutputDataset

Facet = lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet
Change = lifecycle_state_change_dataset.LifecycleStateChange


class LifecycleStateChangeDatasetFacetBuilder(CustomFacetBuilder[OutputDataset, Facet]):
    """`CREATE TABLE ... AS` creates, `mode("overwrite")` overwrites."""

    def build(self, x: OutputDataset, consumer: Callable[[str, Facet], None], /) -> None:
        if x.lifecycle is not None:
            consumer("lifecycleStateChange", Facet(lifecycleStateChange=Change(x.lifecycle), producer=PRODUCER))
