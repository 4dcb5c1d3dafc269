# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The recordings still hold: recorded again on the Spark that runs here, the programs have the same datasets."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

from pyspark_lineage.plan.record import read_recording
from tests.recordings.expected import datasets, expected_of, read_expected, recording_of
from tests.support.jobs import SparkJob

SCRIPT = Path(__file__).parents[2] / "scripts" / "record_plans.py"


def test_recorded_again_the_datasets_are_the_same(spark_job: SparkJob, tmp_path: Path) -> None:
    version = importlib.metadata.version("pyspark")
    stored = recording_of(version)
    if not stored.exists():
        pytest.skip(f"nothing is recorded of Spark {version}")
    ended = subprocess.run(
        [sys.executable, str(SCRIPT), "--into", str(tmp_path)],
        cwd=tmp_path,
        env=spark_job._environment({}, None),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    again = recording_of(version, tmp_path)
    assert datasets(read_recording(again)) == read_expected(expected_of(stored))


RECORDING = """
    from pyspark.sql import SparkSession
    import pyspark_lineage
    from pyspark_lineage.testing.record import read_recording, record, write_recording

    spark = SparkSession.builder.getOrCreate()
    spark.range(3).write.parquet("before")
    with record(spark, label="a copy", program="spark.read...") as plans:
        spark.read.parquet("before").write.parquet("copy")
    spark.range(3).write.parquet("after")
    write_recording("plans.json.gz", plans)
    (one,) = read_recording("plans.json.gz")
    print(one.label, one.spark_version == spark.version, type(one.snapshot().root).__name__)
    assert pyspark_lineage.attach().flush(20)
"""


def test_recording_beside_an_attached_agent(spark_job: SparkJob) -> None:
    ended = spark_job(RECORDING).ok()
    assert ended.stdout == "a copy True InsertIntoHadoopFsRelationCommand\n"
    written = {output["name"].rpartition("/")[2] for event in ended.events for output in event["outputs"]}
    assert written == {"before", "copy", "after"}
