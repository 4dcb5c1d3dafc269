# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`processing_engine`: which Spark ran this, and which agent saw it."""

from __future__ import annotations

from collections.abc import Callable

from openlineage.client.facet_v2 import processing_engine_run

from pyspark_lineage import PRODUCER, __version__
from pyspark_lineage.contract.context import ApplicationInfo
from pyspark_lineage.contract.handlers import CustomFacetBuilder

Facet = processing_engine_run.ProcessingEngineRunFacet


class SparkProcessingEngineRunFacetBuilder(CustomFacetBuilder[ApplicationInfo, Facet]):
    """Spark's version on every run."""

    def build(self, x: ApplicationInfo, consumer: Callable[[str, Facet], None], /) -> None:
        facet = Facet(
            version=x.spark_version or "unknown", name="spark", openlineageAdapterVersion=__version__, producer=PRODUCER
        )
        consumer("processing_engine", facet)
