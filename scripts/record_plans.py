# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Record tests/recordings anew, on the Spark that is installed: `python scripts/record_plans.py`, then read the diff.

`--expected` only works out anew what is expected of the recordings that are there: no Spark is needed for that.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pyspark_lineage.plan.record import Recorded, read_recording, write_recording
from tests.recordings.expected import (
    DATA,
    HERE,
    WAREHOUSE,
    datasets,
    expected_of,
    recording_of,
    recordings,
    write_expected,
)
from tests.recordings.normal import normal
from tests.recordings.programs import PROGRAMS, prepare

SPARK = {
    "spark.master": "local[1]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
}


def recorded(folder: str) -> list[Recorded]:
    """The plans of all programs that this Spark can run."""
    from pyspark.sql import SparkSession

    from pyspark_lineage.testing.record import record

    data, warehouse = os.path.join(folder, "data"), os.path.join(folder, "warehouse")
    os.mkdir(data)
    os.chdir(folder)  # Derby leaves its log where it is
    builder = SparkSession.builder.appName("recorded").config("spark.sql.warehouse.dir", warehouse)
    for key, value in SPARK.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    version = tuple(int(part) for part in spark.version.split(".")[:2])
    places = {data: DATA, warehouse: WAREHOUSE, folder: "/"}
    plans: list[Recorded] = []
    try:
        prepare(spark, data)
        for program in PROGRAMS:
            if program.since > version:
                continue
            with record(spark, label=program.label, program=program.text) as found:
                program.run(spark, data)
            print(f"{program.label}: {len(found)}")
            plans += [replace(one, snapshot_json=normal(one.snapshot_json, places)) for one in found]
    finally:
        spark.stop()
    return plans


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=HERE, help="another folder for the files")
    parser.add_argument("--expected", action="store_true", help="only what is expected, from the recordings there")
    arguments = parser.parse_args()
    into = arguments.into.resolve()
    if arguments.expected:
        for path in recordings():
            write_expected(into / expected_of(path).name, datasets(read_recording(path)))
        return
    with tempfile.TemporaryDirectory(prefix="recording-") as folder:
        plans = recorded(os.path.realpath(folder))
        os.chdir(into)
    path = recording_of(plans[0].spark_version, into)
    write_recording(path, plans)
    write_expected(expected_of(path), datasets(plans))
    print(f"{path}: {len(plans)} plans")


if __name__ == "__main__":
    main()
