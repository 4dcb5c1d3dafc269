# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What is expected of a recording: the datasets of each plan, with their columns, in a file that people read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pyspark_lineage.config import Config
from pyspark_lineage.contract.context import ApplicationInfo, OpenLineageContext, QueryExecution
from pyspark_lineage.datasets.value import Dataset
from pyspark_lineage.handlers.internal import InternalEventHandlerFactory
from pyspark_lineage.handlers.run import LineageRunner
from pyspark_lineage.plan.record import Recorded
from pyspark_lineage.plan.types import StructType, type_name

HERE = Path(__file__).parent
DATA, WAREHOUSE = "/data", "/warehouse"
CONF = {"spark.sql.warehouse.dir": f"file:{WAREHOUSE}", "spark.hadoop.fs.defaultFS": "file:///"}

Expected = dict[str, list[dict[str, Any]]]


def recordings() -> list[Path]:
    """The recordings that are here, one for each Spark."""
    return sorted(HERE.glob("spark-*.json.gz"))


def recording_of(version: str, folder: Path = HERE) -> Path:
    return folder / f"spark-{version}.json.gz"


def expected_of(recording: Path) -> Path:
    return recording.with_name(recording.name.replace(".json.gz", ".expected.json"))


def datasets(recorded: Iterable[Recorded]) -> Expected:
    """By label: the inputs and outputs of each plan, as the handlers find them today."""
    found: Expected = {}
    runner: LineageRunner | None = None
    for one in recorded:
        if runner is None:
            application = ApplicationInfo("recorded", "recorded", spark_version=one.spark_version, conf=CONF)
            context = OpenLineageContext(Config(), application)
            runner = LineageRunner(InternalEventHandlerFactory(), context)
        snapshot = one.snapshot()
        lineage = runner.run(QueryExecution(1, 1, snapshot.root, snapshot))
        plan = {
            "inputs": {_name(dataset): _columns(dataset.schema) for dataset in lineage.inputs},
            "outputs": {_name(dataset): _columns(dataset.schema) for dataset in lineage.outputs},
        }
        found.setdefault(one.label, []).append({key: value for key, value in plan.items() if value})
    return found


def write_expected(path: Path, expected: Expected) -> None:
    path.write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_expected(path: Path) -> Expected:
    expected: Expected = json.loads(path.read_text(encoding="utf-8"))
    return expected


def _name(dataset: Dataset) -> str:
    links = "".join(f" ({link.name})" for link in dataset.symlinks)
    return f"{dataset.namespace} {dataset.name}{links}"


def _columns(schema: StructType | None) -> str | None:
    """`id long, address struct`: one line a dataset."""
    if schema is None:
        return None
    return ", ".join(f"{field.name} {type_name(field.data_type)}" for field in schema.fields)
