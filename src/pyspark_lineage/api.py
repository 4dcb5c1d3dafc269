# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""All that a plug-in imports: the names of the contract, the dataset values and the plan model.

    from pyspark_lineage import api

Names are looked up when they are asked for (PEP 562), so importing this module costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark_lineage.contract import spark_events
    from pyspark_lineage.contract.context import (
        ApplicationInfo,
        Lineage,
        OpenLineageContext,
        OpenLineageRunEventContext,
        QueryExecution,
        RunIdentity,
    )
    from pyspark_lineage.contract.factory import JvmGetter, OpenLineageEventHandlerFactory
    from pyspark_lineage.contract.handlers import CustomFacetBuilder, DatasetBuilder, PartialFunction, QueryPlanVisitor
    from pyspark_lineage.datasets.naming import location_dataset, path_dataset
    from pyspark_lineage.datasets.schema import query_schema
    from pyspark_lineage.datasets.tables import table_dataset
    from pyspark_lineage.datasets.value import Dataset, InputDataset, OutputDataset, Symlink
    from pyspark_lineage.plan import Expression, LogicalPlan, Unknown

_HOME = {
    "ApplicationInfo": "contract.context",
    "CustomFacetBuilder": "contract.handlers",
    "Dataset": "datasets.value",
    "DatasetBuilder": "contract.handlers",
    "Expression": "plan",
    "InputDataset": "datasets.value",
    "JvmGetter": "contract.factory",
    "Lineage": "contract.context",
    "LogicalPlan": "plan",
    "OpenLineageContext": "contract.context",
    "OpenLineageEventHandlerFactory": "contract.factory",
    "OpenLineageRunEventContext": "contract.context",
    "OutputDataset": "datasets.value",
    "PartialFunction": "contract.handlers",
    "QueryExecution": "contract.context",
    "QueryPlanVisitor": "contract.handlers",
    "RunIdentity": "contract.context",
    "Symlink": "datasets.value",
    "Unknown": "plan",
    "location_dataset": "datasets.naming",
    "path_dataset": "datasets.naming",
    "query_schema": "datasets.schema",
    "table_dataset": "datasets.tables",
}

__all__ = [
    "ApplicationInfo",
    "CustomFacetBuilder",
    "Dataset",
    "DatasetBuilder",
    "Expression",
    "InputDataset",
    "JvmGetter",
    "Lineage",
    "LogicalPlan",
    "OpenLineageContext",
    "OpenLineageEventHandlerFactory",
    "OpenLineageRunEventContext",
    "OutputDataset",
    "PartialFunction",
    "QueryExecution",
    "QueryPlanVisitor",
    "RunIdentity",
    "Symlink",
    "Unknown",
    "location_dataset",
    "path_dataset",
    "query_schema",
    "spark_events",
    "table_dataset",
]


def __getattr__(name: str) -> Any:
    if name == "spark_events":
        return importlib.import_module("pyspark_lineage.contract.spark_events")
    if name in _HOME:
        return getattr(importlib.import_module(f"pyspark_lineage.{_HOME[name]}"), name)
    raise AttributeError(
        f"module 'pyspark_lineage.api' has no attribute {name!r}. It has: {', '.join(sorted(__all__))}."
    )


def __dir__() -> list[str]:
    return sorted(__all__)
