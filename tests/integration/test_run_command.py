# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage run` on real Spark: results, tracebacks and exit codes of `python`, and settings that arrive."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.support.jobs import SparkJob

CLASSES_AND_FUNCTIONS = """
import sys
from pyspark.sql import Row, SparkSession, functions as F
from pyspark.sql.types import LongType

class Point:
    def __init__(self, x): self.x = x

def twice(x): return Point(x * 2).x

spark = SparkSession.builder.getOrCreate()
udf = F.udf(twice, LongType())
rows = spark.range(3).select(udf("id").alias("y")).collect()
print(rows, spark.sparkContext.parallelize([Point(1), Point(2)]).map(lambda p: p.x).collect(), sys.argv)
sys.exit(7)
"""

FAILING = """
from pyspark.sql import SparkSession

def load(spark):
    return spark.sql("select * from nowhere").collect()

load(SparkSession.builder.getOrCreate())
"""


def without_names(text: str) -> str:
    """Without what differs from run to run: the number of the program, ids of JVM objects, times, Spark's own log."""
    text = re.sub(r"program\d*\.py", "program.py", text)
    lines = [
        line for line in text.splitlines() if not re.match(r"\S+ \S+ WARN |\{|Using Spark|Setting default|To adj", line)
    ]
    return "\n".join(lines)


def test_classes_and_functions_of_main_reach_the_workers(spark_job: SparkJob) -> None:
    plain = spark_job(CLASSES_AND_FUNCTIONS, "x", attached=False)
    traced = spark_job(CLASSES_AND_FUNCTIONS, "x")
    assert plain.exit_code == 7
    assert traced.exit_code == 7
    assert without_names(traced.stdout) == without_names(plain.stdout)


@pytest.mark.unchecked_events("what a failed query leaves behind is another test's concern")
def test_a_traceback_has_no_frame_of_ours(spark_job: SparkJob) -> None:
    plain = spark_job(FAILING, attached=False)
    traced = spark_job(FAILING)
    assert (plain.exit_code, traced.exit_code) == (1, 1)
    begin = "Traceback (most recent call last):"
    expected, found = (without_names(ended.stderr).partition(begin)[2] for ended in (plain, traced))
    assert expected
    assert found == expected


def test_settings_reach_spark_and_code_wins(spark_job: SparkJob, tmp_path: Path) -> None:
    program = """
        from pyspark.sql import SparkSession
        spark = SparkSession.builder.config("spark.x.both", "code").getOrCreate()
        conf = spark.sparkContext.getConf()
        for key in ("spark.x.line", "spark.x.both", "spark.x.file", "spark.app.name", "spark.openlineage.namespace"):
            print(key, conf.get(key))
        """
    (tmp_path / "job.py").write_text(textwrap.dedent(program), encoding="utf-8")
    (tmp_path / "spark.conf").write_text("spark.master local[1]\nspark.x.file f\nspark.x.line f\n", encoding="utf-8")
    ended = subprocess.run(
        [
            *(sys.executable, "-m", "pyspark_lineage.cli.main", "run"),
            *("--conf", "spark.openlineage.namespace=n", "--conf", "spark.x.line=a 'b'", "--conf", "spark.x.both=line"),
            *("--conf", "spark.openlineage.disabled=true"),
            *("--properties-file", "spark.conf", "--name", "the name", "job.py"),
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": os.path.abspath(os.environ.get("PYTHONPATH", "")),
            "PYSPARK_SUBMIT_ARGS": "--conf spark.x.line=environment --conf spark.ui.enabled=false pyspark-shell",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        "spark.x.line a 'b'",
        "spark.x.both code",
        "spark.x.file f",
        "spark.app.name the name",
        "spark.openlineage.namespace None",
    ]


def test_pyspark_finds_the_users_line_beneath_our_command(spark_job: SparkJob, tmp_path: Path) -> None:
    """Installed side by side, `site-packages/pyspark_lineage` begins like pyspark's own folder."""
    import pyspark

    import pyspark_lineage

    site = tmp_path / "site"
    site.mkdir()
    for module in (pyspark, pyspark_lineage):
        assert module.__file__ is not None
        (site / module.__name__).symlink_to(Path(module.__file__).parent)
    program = """
        from pyspark.sql import SparkSession
        spark = SparkSession.builder.getOrCreate()
        sc = spark.sparkContext
        sc.parallelize([1]).collect()
        sc._jsc.sc().listenerBus().waitUntilEmpty(60000)
        print(sc._jsc.sc().statusStore().jobsList(None).apply(0).name(), sc._callsite.linenum)
        """
    ended = spark_job(
        program,
        conf={"spark.openlineage.callSites.enabled": "false"},
        environment={"PYTHONPATH": str(site)},
    ).ok()
    assert ended.stdout.strip() == f"collect at {tmp_path / 'program.py'}:5 3"
