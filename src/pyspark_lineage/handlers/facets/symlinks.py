# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`symlinks`: the other names of a dataset, such as the table that lies at a path."""

from __future__ import annotations

from collections.abc import Callable

from openlineage.client.facet_v2 import symlinks_dataset

from pyspark_lineage import PRODUCER
from pyspark_lineage.contract.handlers import CustomFacetBuilder
from pyspark_lineage.datasets.value import Dataset


class SymlinksDatasetFacetBuilder(CustomFacetBuilder[Dataset, symlinks_dataset.SymlinksDatasetFacet]):
    """`db.table` beside the location of every table of a catalog."""

    def build(self, x: Dataset, consumer: Callable[[str, symlinks_dataset.SymlinksDatasetFacet], None], /) -> None:
        if not x.symlinks:
            return
        identifiers = [symlinks_dataset.Identifier(link.namespace, link.name, link.type) for link in x.symlinks]
        consumer("symlinks", symlinks_dataset.SymlinksDatasetFacet(identifiers=identifiers, producer=PRODUCER))
