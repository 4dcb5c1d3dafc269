# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""As many runs as statements, each with its START and its end, however short the statements are and however many."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.jobs import Ended, Event, SparkJob

# Writes of a row, and reads that the optimizer empties: of 2 ms, without a job.
PROGRAM = """
    import json, sys, threading
    from pyspark.sql import SparkSession
    import pyspark_lineage

    folder, writes, reads, threads = sys.argv[1], *map(int, sys.argv[2:])
    spark = SparkSession.builder.appName("many").getOrCreate()
    spark.range(3).write.saveAsTable("small")
    spark.sql("INSERT INTO small VALUES (7)").collect()  # one run: to look at the result is no second one
    one, nothing = spark.range(1).coalesce(1), spark.table("small").filter("1 = 0")

    def work(thread):
        for n in range(writes):
            one.write.parquet(f"{folder}/out/{thread}-{n}")
        for n in range(reads):
            nothing.collect()

    if threads == 1:
        work(0)
    else:
        at_once = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
        for thread in at_once: thread.start()
        for thread in at_once: thread.join()
    agent = pyspark_lineage.attach()
    assert agent.flush(120)
    print(json.dumps(agent.stats()))
"""


def outputs(event: Event) -> tuple[str, ...]:
    return tuple(dataset["name"] for dataset in event["outputs"])


def inputs(event: Event) -> tuple[str, ...]:
    return tuple(dataset["name"] for dataset in event["inputs"])


def runs_of(events: list[Event]) -> list[list[Event]]:
    """The runs of statements, without the application's."""
    runs: dict[str, list[Event]] = {}
    for event in events:
        runs.setdefault(event["run"]["runId"], []).append(event)
    return list(runs.values())[1:]


def stats_of(ended: Ended) -> dict[str, Any]:
    stats: dict[str, Any] = json.loads(ended.ok().stdout.splitlines()[-1])
    return stats


def complete(job: SparkJob, folder: Path, *, writes: int, reads: int, threads: int = 1) -> None:
    ended = job(PROGRAM, str(folder), str(writes), str(reads), str(threads), timeout=1500)
    stats = stats_of(ended)
    small = str(folder / "warehouse" / "small")
    expected: Counter[Any] = Counter()
    expected[((), (small,))] = 2
    expected[((small,), ())] = reads * threads
    for thread in range(threads):
        expected.update(((), (f"{folder}/out/{thread}-{n}",)) for n in range(writes))
    for kinds in zip(*runs_of(ended.events), strict=True):
        assert Counter((inputs(event), outputs(event)) for event in kinds) == expected
    statements = 2 + (writes + reads) * threads
    assert Counter(event["eventType"] for event in ended.events) == {
        "START": statements + 1,
        "COMPLETE": statements + 1,
    }
    assert stats["failures"] == {}
    assert stats["runs"]["open"] == 0
    assert {name: stats["bridge"][name] for name in ("plansDropped", "plansFailed", "plansHeld", "busDropped")} == {
        "plansDropped": 0,
        "plansFailed": 0,
        "plansHeld": 0,
        "busDropped": 0,
    }
    assert stats["bridge"]["executions"] == 0
    assert stats["delivery"]["lost"] == {}


def test_a_tight_loop(spark_job: SparkJob, tmp_path: Path) -> None:
    complete(spark_job, tmp_path, writes=200, reads=100)


@pytest.mark.slow
def test_thousands(spark_job: SparkJob, tmp_path: Path) -> None:
    complete(spark_job, tmp_path, writes=3000, reads=500)


def test_eight_threads_at_once(spark_job: SparkJob, tmp_path: Path) -> None:
    complete(spark_job, tmp_path, writes=15, reads=25, threads=8)


def test_beyond_the_bound_plans_are_dropped_and_runs_are_not(spark_job: SparkJob, tmp_path: Path) -> None:
    ended = spark_job(PROGRAM, str(tmp_path), "0", "120", "4", conf={"spark.openlineage.queue.maxPlans": "1"})
    stats = stats_of(ended)
    runs = runs_of(ended.events)
    assert [[event["eventType"] for event in run] for run in runs] == [["START", "COMPLETE"]] * 482
    dropped = 0
    for run in runs[2:]:
        for event in run:
            facet = event["run"]["facets"]["pyspark_lineage"]
            lost = facet["planState"] == "dropped"
            assert facet["truncated"] == (["plan dropped"] if lost else [])
            assert inputs(event) == (() if lost else (str(tmp_path / "warehouse" / "small"),))
        dropped += lost
    assert dropped > 0
    assert stats["bridge"]["plansDropped"] >= dropped
