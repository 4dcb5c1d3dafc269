# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What Spark itself keeps of a call site: descriptions and details of executions, names of jobs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.jobs import SparkJob

# Sets the local properties as the bridge does, and counts.
PREAMBLE = """
import json, sys, threading
from pyspark.sql import SparkSession, functions as F
from pyspark_lineage.bridge import callsites

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext

class Target:
    entered = left = 0
    saved = threading.local()
    def enter(self, short, long):
        Target.entered += 1
        jsc = sc._jsc.sc()
        self.saved.values = [jsc.getLocalProperty(key) for key in ("callSite.short", "callSite.long")]
        jsc.setLocalProperty("callSite.short", short)
        jsc.setLocalProperty("callSite.long", long)
    def leave(self):
        Target.left += 1
        for key, value in zip(("callSite.short", "callSite.long"), self.saved.values):
            sc._jsc.sc().setLocalProperty(key, value)

callsites.install(Target())
df = spark.range(4).withColumn("x", F.col("id") % 2)

def seq(value):
    return [value.apply(i) for i in range(value.size())]

def tell(**more):
    sc._jsc.sc().listenerBus().waitUntilEmpty(60000)
    executions = seq(spark._jsparkSession.sharedState().statusStore().executionsList())
    jobs = seq(sc._jsc.sc().statusStore().jobsList(None))
    more["executions"] = [[e.description(), e.details()] for e in executions]
    more["jobs"] = [job.name() for job in sorted(jobs, key=lambda job: job.jobId())]
    more["stats"], more["entered"], more["left"] = callsites.stats(), Target.entered, Target.left
    more["rest"] = [sc.getLocalProperty(key) for key in ("callSite.short", "callSite.long")]
    print("TOLD " + json.dumps(more))
"""


def told(spark_job: SparkJob, program: str, **options: Any) -> tuple[dict[str, Any], dict[str, int], str]:
    """What the program told, the line of each `# mark` in it, and its file."""
    text = PREAMBLE + program
    ended = spark_job(text, attached=False, **options).ok()
    marks = {
        line.rpartition("# ")[2]: number for number, line in enumerate(text.splitlines(), start=1) if "  # " in line
    }
    (line,) = [line for line in ended.stdout.splitlines() if line.startswith("TOLD ")]
    return json.loads(line[5:]), marks, str(spark_job.folder / "program.py")


def test_every_kind_of_action_has_its_line(spark_job: SparkJob) -> None:
    found, marks, file = told(
        spark_job,
        """
def work():
    df.collect()  # collect
    df.count()  # count
    df.show()  # show
    df.head()  # head
    df.first()  # first
    df.take(1)  # take
    df.tail(1)  # tail
    df.isEmpty()  # isEmpty
    df.localCheckpoint()  # localCheckpoint
    list(df.toLocalIterator())  # toLocalIterator
    df.createOrReplaceTempView("v")  # createOrReplaceTempView
    df.write.parquet("p")  # parquet
    df.write.format("json").save("j")  # save
    df.write.saveAsTable("t")  # saveAsTable
    df.write.insertInto("t")  # insertInto
    spark.sql("create table u using parquet as select * from t")  # sql
    df.groupBy("id").pivot("x")  # pivot
    df.corr("id", "x")  # corr
    spark.catalog.listTables()  # listTables
    query = (
        spark.readStream.format("rate").load().writeStream.format("noop").trigger(availableNow=True)
        .start()
    )
    query.stop()

work()
tell()
""",
    )
    seen: dict[str, int] = {}
    for description, details in found["executions"]:
        if description and " at " in description and description.rpartition(":")[0].endswith(file):
            name, _, place = description.partition(" at ")
            line = int(place.rpartition(":")[2])
            if "work" in details:
                seen[name] = line
                first, second = details.splitlines()[:2]
                assert first.startswith(f"{file}:{line} in work")
                assert second.startswith(f"{file}:")
                assert second.endswith(" in <module>")
    assert seen == {name: line for name, line in marks.items() if name in seen}
    assert set(marks) - set(seen) == set()
    assert not [each for each in found["executions"] if "NativeMethodAccessorImpl" in each[0]]
    assert found["entered"] == found["left"] == found["stats"]["set"]
    assert found["rest"] == [None, None]


def test_jobs_of_rdds_have_their_line(spark_job: SparkJob) -> None:
    found, marks, file = told(
        spark_job,
        """
pairs = sc.parallelize([(1, 2), (3, 4)], 2)
pairs.collect()  # collect
pairs.count()  # count
pairs.sortByKey()  # sortByKey
pairs.zipWithIndex()  # zipWithIndex
list(pairs.toLocalIterator())  # toLocalIterator
pairs.saveAsTextFile("text")  # saveAsTextFile
df.foreach(print)  # foreach
tell(depth=__import__("pyspark").traceback_utils.SCCallSiteSync._spark_stack_depth)
""",
    )
    names = dict.fromkeys(found["jobs"])
    assert list(names) == [f"{name} at {file}:{line}" for name, line in marks.items()]
    assert found["depth"] == 0


def test_names_tags_failures_and_what_was_set_before(spark_job: SparkJob) -> None:
    found, marks, file = told(
        spark_job,
        """
sc.setLocalProperty("callSite.short", "the user's own")
with callsites.run_scope(name="daily load", tags={"team": "sales"}):
    df.count()  # count
try:
    df.select(F.raise_error(F.lit("no"))).collect()  # collect
except Exception:
    pass
before = sc.getLocalProperty("callSite.short")
sc.setLocalProperty("callSite.short", None)
callsites.uninstall()
df.count()
tell(before=before)
""",
    )
    (count, details), (collect, _), (plain, stack) = found["executions"]
    assert count == f"count at {file}:{marks['count']}"
    assert details.splitlines() == [
        f"{file}:{marks['count']} in <module>",
        '#pyspark-lineage {"name":"daily load","tags":{"team":"sales"}}',
    ]
    assert collect == f"collect at {file}:{marks['collect']}"
    assert found["before"] == "the user's own"
    assert plain == "count at NativeMethodAccessorImpl.java:0"
    assert "#pyspark-lineage" not in stack
    assert found["rest"] == [None, None]


@pytest.mark.parametrize("pinned", ["true", "false"])
def test_threads(spark_job: SparkJob, pinned: str) -> None:
    found, marks, file = told(
        spark_job,
        """
def one():
    df.count()  # one
def two():
    df.count()  # two
one()
for _ in range(5):
    threads = [threading.Thread(target=each) for each in (one, two)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
one()
tell()
""",
        environment={"PYSPARK_PIN_THREAD": pinned},
    )
    descriptions = [description for description, _ in found["executions"]]
    assert len(descriptions) == 12
    one, two = (f"count at {file}:{marks[name]}" for name in ("one", "two"))
    if pinned == "true":
        assert (descriptions.count(one), descriptions.count(two)) == (7, 5)
        assert found["stats"]["stopped"] is None
    else:  # left out rather than wrong
        assert descriptions[0] == one
        assert set(descriptions[1:]) == {"count at NativeMethodAccessorImpl.java:0"}
        assert "second thread" in found["stats"]["stopped"]
    assert found["rest"] == [None, None]


def test_pysparks_own_lines_in_expressions_stay_the_users(spark_job: SparkJob) -> None:
    """Spark 4 notes the first frame that is not pyspark's on a Column; inside our wrapper that must not be ours."""
    found, marks, file = told(
        spark_job,
        """
import pyspark
try:
    from pyspark.errors.utils import _capture_call_site
except ImportError:  # Spark 3.5
    _capture_call_site = lambda depth: None

lines = []
# A function of pyspark's, by its file, that asks where the user is, in the place of an action.
namespace = {"capture": _capture_call_site, "lines": lines}
exec(compile("def take(self, num): lines.append(capture(1))", pyspark.__file__, "exec"), namespace)
callsites.uninstall()
type(df).take = namespace["take"]
callsites.install(Target())
df.take(1)  # take
tell(lines=lines)
""",
    )
    assert found["lines"] in ([None], [f"{file}:{marks['take']}"])


def test_after_an_interrupt_the_session_goes_on(spark_job: SparkJob) -> None:
    found, marks, file = told(
        spark_job,
        """
import os, signal, time
def slow(rows):
    time.sleep(15)
    return rows
slow_df = df.rdd.mapPartitions(slow).toDF("id long, x long")
threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT)).start()
began = time.time()
try:
    slow_df.collect()
except BaseException as error:
    caught = type(error).__name__
seconds = time.time() - began
df.count()  # count
sc.cancelAllJobs()
tell(caught=caught, seconds=seconds)
""",
    )
    assert found["seconds"] < 12
    assert f"count at {file}:{marks['count']}" in [description for description, _ in found["executions"]]
