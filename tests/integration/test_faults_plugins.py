# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Plug-ins that raise, hang, quit, print and answer nonsense: the job never knows, `stats()` does."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.invariants import check_events
from tests.support.jobs import Event, SparkJob
from tests.support.running import agent_settings

# The failures are wanted: they are contained, as in a user's job.
CONTAINED = {"PYSPARK_LINEAGE_RAISE": "0"}

JOB = """
    import json, sys, time
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("job").getOrCreate()
    folder = sys.argv[1]

    def write(name):
        spark.range(40).selectExpr("id", "id % 7 AS k").coalesce(1).write.mode("overwrite").parquet(f"{folder}/{name}")

    for name in sys.argv[2:]:
        write(name)
    table = spark.read.parquet(f"{folder}/{sys.argv[2]}")
    print(sorted(map(tuple, table.filter("k = 3").collect())), table.groupBy("k").count().orderBy("k").collect())
    try:
        spark.read.parquet(folder + "/nowhere")
    except Exception as error:
        print(type(error).__name__)
"""

STATS = """
    import pyspark_lineage
    agent = pyspark_lineage.attach()
    agent.flush(20)
    print(json.dumps(agent.stats()))
"""

BAD = """
import json
import attr
from openlineage.client.facet_v2 import RunFacet
from pyspark_lineage.api import (
    CustomFacetBuilder, InputDataset, JvmGetter, OpenLineageEventHandlerFactory, OpenLineageRunEventContext,
    QueryPlanVisitor,
)
from pyspark_lineage.events import lifecycle
from pyspark_lineage.plan.commands import InsertIntoHadoopFsRelationCommand
from pyspark_lineage.plan.relations import LogicalRelation

decode = lifecycle.decode
lifecycle.decode = lambda plan: decode({"root": 99} if "/garbled" in json.dumps(plan) else plan)

class Raises(QueryPlanVisitor[LogicalRelation]):
    def apply(self, x): raise RuntimeError("no luck")

class RaisesWhenAsked(QueryPlanVisitor[LogicalRelation]):
    def is_defined_at(self, x): raise KeyError("no luck")
    def apply(self, x): return []

class Number(QueryPlanVisitor[LogicalRelation]):
    def apply(self, x): return 42

class Texts(QueryPlanVisitor[LogicalRelation]):
    def apply(self, x): return ["a", "b"]

class Recurses(QueryPlanVisitor[LogicalRelation]):
    def apply(self, x): return self.apply(x)

class Prints(QueryPlanVisitor[LogicalRelation]):
    def apply(self, x):
        print("noise", flush=True)
        return None

class Quits(QueryPlanVisitor[InsertIntoHadoopFsRelationCommand]):
    def apply(self, x):
        if x.output_path.endswith("/quits"):
            raise SystemExit(5)
        return None

@attr.define
class Strange(RunFacet):
    what: dict

class Facets(CustomFacetBuilder[OpenLineageRunEventContext, Strange]):
    def build(self, x, consumer):
        if any(one.name.endswith("/strange") for one in x.lineage.outputs):
            consumer("strange", Strange(what={("no", "key"): 1}))
        raise ValueError("no luck")

class NoFacet(CustomFacetBuilder[OpenLineageRunEventContext, Strange]):
    def build(self, x, consumer): consumer("text", "text")

class Bad(OpenLineageEventHandlerFactory):
    def create_input_dataset_query_plan_visitors(self, context):
        return [one(context) for one in (Raises, RaisesWhenAsked, Number, Texts, Recurses, Prints)]
    def create_output_dataset_query_plan_visitors(self, context): return [Quits(context)]
    def create_run_facet_builders(self, context): return [Facets(context), NoFacet(context)]
    def create_job_facet_builders(self, context): raise OSError("no luck")
    def jvm_getters(self):
        cleaner = "relation.sparkSession.sparkContext.cleaner.cleaningThread.join"
        return [JvmGetter(RELATION, "children.head", "raises"), JvmGetter(RELATION, cleaner, "hangs"),
                JvmGetter(RELATION, "no.such.method", "nothing")]

RELATION = "org.apache.spark.sql.execution.datasources.LogicalRelation"
"""


def runs_by_output(events: list[Event]) -> dict[str, list[Event]]:
    """The runs that write, by the end of the path."""
    runs: dict[str, list[Event]] = {}
    for event in events:
        for output in event["outputs"]:
            runs.setdefault(output["name"].rpartition("/")[2], []).append(event)
    return runs


def stats_of(stdout: str) -> dict[str, Any]:
    stats: dict[str, Any] = json.loads(stdout.splitlines()[-1])
    return stats


NAMES = ("table", "quits", "strange", "garbled")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the job prints without an agent."""
    folder = tmp_path_factory.mktemp("off")
    ended = SparkJob(folder, folder / "events.ndjson")(JOB, str(folder), *NAMES, attached=False).ok()
    assert "AnalysisException" in ended.stdout
    return ended.stdout


@pytest.mark.parametrize("host", ["process", "thread"])
def test_every_way_to_misbehave_in_one_job(spark_job: SparkJob, tmp_path: Path, result: str, host: str) -> None:
    (tmp_path / "bad.py").write_text(BAD, encoding="utf-8")
    conf = {"spark.openlineage.plugins": "bad:Bad", "spark.openlineage.agent.host": host}
    ended = spark_job(JOB + STATS, str(tmp_path), *NAMES, conf=conf, environment=CONTAINED)
    lines = ended.ok().stdout.splitlines(keepends=True)
    if host == "thread":  # what a plug-in prints there is printed by the user's process
        lines = [line for line in lines if line != "noise\n"]
    assert "".join(lines[:-1]) == result
    stats = stats_of(ended.stdout)
    assert stats["host"] == host
    getter = "getter org.apache.spark.sql.execution.datasources.LogicalRelation"
    for where in (
        "handlers.bad.Raises: RuntimeError",
        "handlers.bad.RaisesWhenAsked: KeyError",
        "handlers.bad.Number: TypeError",
        "handlers.bad.Texts: TypeError",
        "handlers.bad.Recurses: RecursionError",
        "facets.Facets: ValueError",
        "facets.NoFacet: TypeError",
        "plugins.bad.Bad: OSError",
        "plan.decode: DecodeError",
        "events.build: TypeError",
        f"bridge.{getter}.raises: java.util.NoSuchElementException: BridgeError",
        f"bridge.{getter}.hangs: java.util.concurrent.TimeoutException: BridgeError",
    ):
        assert where in stats["failures"], (where, list(stats["failures"]))
    assert any("LineageError" in where or "SystemExit" in where for where in stats["failures"])
    # What the others found is there; what one handler or facet cost is said where it is missing.
    runs = runs_by_output(ended.events)
    for name in ("table", "strange"):
        assert [event["eventType"] for event in runs[name]] == ["START", "COMPLETE"]
    own = runs["table"][0]["run"]["facets"]["pyspark_lineage"]
    assert own["failures"]["facets.Facets"] == 1
    reads = [event for event in ended.events if event["inputs"]]
    assert {one["name"] for event in reads for one in event["inputs"]} == {f"{tmp_path}/table"}
    for event in reads:
        own = event["run"]["facets"]["pyspark_lineage"]
        assert own["failures"]["handlers.bad.Recurses"] == 1
        assert f"{getter}.raises: java.util.NoSuchElementException" in own["truncated"]
    # Five statements that write or read data had failures of all kinds, and every one of them has its run.
    actions = [event for event in ended.events if event["run"]["facets"].get("parent")]
    assert len(actions) == 2 * (len(NAMES) + 2)


HANGS = """
import time
from pyspark_lineage.api import CustomFacetBuilder, OpenLineageEventHandlerFactory, OpenLineageRunEventContext

class Hangs(CustomFacetBuilder[OpenLineageRunEventContext, object]):
    def build(self, x, consumer):
        if x.event_type == "COMPLETE" and any(one.name.endswith("/hangs") for one in x.lineage.outputs):
            time.sleep(3600)

class Hanging(OpenLineageEventHandlerFactory):
    def create_run_facet_builders(self, context): return [Hangs(context)]
"""

AND_HANG = """
    write("hangs")
    write("later")
    import pyspark_lineage
    agent = pyspark_lineage.attach()
    t = time.time()
    print(agent.flush(2), time.time() - t < 4)
    time.sleep(12)
    print(agent.stats()["failures"])
    print(time.time())
"""


def test_a_handler_that_never_returns(spark_job: SparkJob, tmp_path: Path, result: str) -> None:
    (tmp_path / "hanging.py").write_text(HANGS, encoding="utf-8")
    conf = {"spark.openlineage.plugins": "hanging:Hanging", "spark.openlineage.exitTimeoutInSeconds": "3"}
    ended = spark_job(JOB + AND_HANG, str(tmp_path), *NAMES, conf=conf, environment=CONTAINED).ok()
    over = time.time()
    *lines, flushed, failures, at_exit = ended.stdout.splitlines(keepends=True)
    assert "".join(lines) == result
    assert flushed == "False True\n"
    assert eval(failures) == {"agent.hang in hanging.Hangs.build: TimeoutError": 1}
    # the bound, a second for the answer, and the end of two interpreters and a JVM on a busy machine
    assert over - float(at_exit) < 3 + 1 + 6
    runs = runs_by_output(ended.events)
    assert [event["eventType"] for event in runs["table"]] == ["START", "COMPLETE"]
    # Its end cannot be built, and nothing after it: it is broken off when the program ends.
    assert [event["eventType"] for event in runs["hangs"]] == ["START", "ABORT"]
    assert [event["eventType"] for event in ended.events if "parent" not in event["run"]["facets"]] == [
        "START",
        "COMPLETE",
    ]


RAISES = """
from pyspark_lineage.api import OpenLineageEventHandlerFactory, QueryPlanVisitor
from pyspark_lineage.plan.commands import InsertIntoHadoopFsRelationCommand

class Raises(QueryPlanVisitor[InsertIntoHadoopFsRelationCommand]):
    def apply(self, x): raise RuntimeError("a bug")

class Raising(OpenLineageEventHandlerFactory):
    def create_output_dataset_query_plan_visitors(self, context): return [Raises(context)]
"""


@pytest.mark.unchecked_events("the agent ends at the failure: that these events break the rules is what is tested")
def test_a_failure_makes_a_developers_test_fail(spark_job: SparkJob, tmp_path: Path) -> None:
    """With PYSPARK_LINEAGE_RAISE=1, as in every other test: even one that looks at no event of its own."""
    (tmp_path / "raising.py").write_text(RAISES, encoding="utf-8")
    ended = spark_job(JOB, str(tmp_path), "table", conf={"spark.openlineage.plugins": "raising:Raising"})
    assert 'RuntimeError("a bug")' in ended.stderr
    assert "handlers.raising.Raises failed: RuntimeError: a bug" in ended.stderr
    with pytest.raises(AssertionError, match="0 terminal events"):
        check_events(ended.events)


OF_MAIN = """
    from pyspark.sql import SparkSession
    from pyspark_lineage import attach
    from pyspark_lineage.api import InputDataset, LogicalPlan, OpenLineageEventHandlerFactory, QueryPlanVisitor
    from pyspark_lineage.plan.relations import Range

    class RangeVisitor(QueryPlanVisitor[Range]):
        def apply(self, x):
            return [InputDataset("numbers://all", f"{x.start}-{x.end}")]

    class Plugin(OpenLineageEventHandlerFactory):
        def create_input_dataset_query_plan_visitors(self, context):
            return [RangeVisitor(context)]

    agent = attach(plugins=[Plugin])
    spark = SparkSession.builder.appName("main").getOrCreate()
    spark.range(3, 9).filter("id > 4").write.parquet("numbers")
    assert agent.flush(20)
    assert agent.stats()["failures"] == {}, agent.stats()["failures"]
"""


def test_plug_ins_of_main(spark_job: SparkJob, tmp_path: Path, events_file: Path) -> None:
    """Classes of a script or a notebook travel to the agent's process by value."""
    spark_job(OF_MAIN, attached=False, environment=agent_settings(events_file)).ok()
    events = [json.loads(line) for line in events_file.read_text(encoding="utf-8").splitlines()]
    for event in runs_by_output(events)["numbers"]:
        assert [(one["namespace"], one["name"]) for one in event["inputs"]] == [("numbers://all", "3-9")]
    assert len(runs_by_output(events)["numbers"]) == 2
