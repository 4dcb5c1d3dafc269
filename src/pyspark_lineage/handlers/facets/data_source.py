# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`dataSource`: the store that a dataset lies in, which is what its namespace names."""

from __future__ import annotations

from collections.abc import Callable

from openlineage.client.facet_v2 import datasource_dataset

from pyspark_lineage import PRODUCER
from pyspark_lineage.contract.handlers import CustomFacetBuilder
from pyspark_lineage.datasets.value import Dataset


class DataSourceDatasetFacetBuilder(CustomFacetBuilder[Dataset, datasource_dataset.DatasourceDatasetFacet]):
    """The file system, bucket or server of every dataset. Its URI is its namespace: back ends know `file` as that."""

    def build(self, x: Dataset, consumer: Callable[[str, datasource_dataset.DatasourceDatasetFacet], None], /) -> None:
        facet = datasource_dataset.DatasourceDatasetFacet(name=x.namespace, uri=x.namespace, producer=PRODUCER)
        consumer("dataSource", facet)
