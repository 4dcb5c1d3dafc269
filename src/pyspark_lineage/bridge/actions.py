# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The methods of classic PySpark that start a SQL execution, a job or a streaming query, by class.

Measured by calling them on Spark 3.5.9 and 4.3.0 and counting executions and jobs. What starts nothing is not here
(`cache`, `Catalog.cacheTable`, `Catalog.refreshTable`, `describe`, …): two py4j calls for nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass

_DATAFRAME = """
    collect count show take head first tail toPandas toArrow toLocalIterator foreach foreachPartition isEmpty
    checkpoint localCheckpoint inputFiles toJSON transpose approxQuantile corr cov crosstab
    createTempView createOrReplaceTempView createGlobalTempView createOrReplaceGlobalTempView registerTempTable
"""

_RDD = """
    collect collectWithJobGroup count reduce fold aggregate treeReduce treeAggregate take first foreach foreachPartition
    max min sum mean variance stdev sampleVariance sampleStdev stats histogram countByKey countByValue top takeOrdered
    takeSample collectAsMap lookup isEmpty toLocalIterator reduceByKeyLocally sortBy sortByKey zipWithIndex
    countApprox sumApprox meanApprox countApproxDistinct
    saveAsNewAPIHadoopDataset saveAsNewAPIHadoopFile saveAsHadoopDataset saveAsHadoopFile saveAsSequenceFile
    saveAsPickleFile saveAsTextFile
"""

_CATALOG = """
    createTable createExternalTable recoverPartitions listCatalogs listDatabases listTables listFunctions listColumns
    dropTable dropView createDatabase dropDatabase listPartitions listViews getTableProperties getCreateTableString
    truncateTable analyzeTable
"""

# Each class under its module of Spark 4 and of Spark 3.5: the first that is there is meant. Spark 4's
# pyspark.sql.dataframe.DataFrame is the parent of Connect's too and never touched.
_ACTIONS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("pyspark.sql.classic.dataframe", "pyspark.sql.dataframe"), "DataFrame", _DATAFRAME),
    (
        ("pyspark.sql.classic.dataframe", "pyspark.sql.dataframe"),
        "DataFrameStatFunctions",
        "approxQuantile corr cov crosstab",
    ),
    (("pyspark.sql.group",), "GroupedData", "pivot"),
    # Schema inference runs jobs, and text sources with it whole executions.
    (("pyspark.sql.readwriter",), "DataFrameReader", "load json parquet csv xml orc"),
    (
        ("pyspark.sql.readwriter",),
        "DataFrameWriter",
        "save insertInto saveAsTable json parquet text csv orc xml jdbc",
    ),
    (
        ("pyspark.sql.readwriter",),
        "DataFrameWriterV2",
        "create replace createOrReplace append overwrite overwritePartitions",
    ),
    (("pyspark.sql.merge",), "MergeIntoWriter", "merge"),
    (("pyspark.sql.session",), "SparkSession", "sql"),
    (("pyspark.sql.catalog",), "Catalog", _CATALOG),
    (("pyspark.sql.streaming.readwriter",), "DataStreamWriter", "start toTable"),
    (("pyspark.core.rdd", "pyspark.rdd"), "RDD", _RDD),
    # The readers of Hadoop files look at one element to find the types.
    (
        ("pyspark.core.context", "pyspark.context"),
        "SparkContext",
        "runJob sequenceFile newAPIHadoopFile newAPIHadoopRDD hadoopFile hadoopRDD",
    ),
)


@dataclass(frozen=True)
class Action:
    """A method that acts: the class whose `__dict__` holds it, and its name."""

    owner: type
    name: str


def actions() -> Iterator[Action]:
    """Every action of the pyspark that is installed; what its version does not have is left out."""
    for modules, class_name, names in _ACTIONS:
        cls = _first_class(modules, class_name)
        if cls is None:
            continue
        for name in names.split():
            owner = next((base for base in cls.__mro__ if name in vars(base)), None)
            if owner is not None and not (owner is not cls and _is_parent_of_connect(owner)):
                yield Action(owner, name)


def _first_class(modules: tuple[str, ...], name: str) -> type | None:
    for module in modules:
        try:
            cls = getattr(importlib.import_module(module), name, None)
        except ModuleNotFoundError:
            continue
        if isinstance(cls, type):
            return cls
    return None


def _is_parent_of_connect(owner: type) -> bool:
    return owner.__module__ == "pyspark.sql.dataframe"
