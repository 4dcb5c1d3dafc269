# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What a handler is: the shapes that built-in and third-party handlers share."""

from pyspark_lineage.contract.context import (
    ApplicationInfo,
    Lineage,
    OpenLineageContext,
    OpenLineageRunEventContext,
    QueryExecution,
    RunIdentity,
)
from pyspark_lineage.contract.factory import JvmGetter, OpenLineageEventHandlerFactory
from pyspark_lineage.contract.handlers import (
    CustomFacetBuilder,
    DatasetBuilder,
    PartialFunction,
    QueryPlanVisitor,
)

__all__ = [
    "ApplicationInfo",
    "CustomFacetBuilder",
    "DatasetBuilder",
    "JvmGetter",
    "Lineage",
    "OpenLineageContext",
    "OpenLineageEventHandlerFactory",
    "OpenLineageRunEventContext",
    "PartialFunction",
    "QueryExecution",
    "QueryPlanVisitor",
    "RunIdentity",
]
