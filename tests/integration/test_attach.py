# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`attach()` in programs: before or after the session, again, gone without a trace, over sessions and threads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.jobs import Event, SparkJob, read_events
from tests.support.running import agent_settings

# Logs are told on stdout as LOG lines, facts as one line of JSON behind TOLD.
PREAMBLE = """
import json, logging, os, subprocess, sys, threading
logging.basicConfig(stream=sys.stdout, format="LOG %(levelname)s %(message)s")
logging.getLogger("pyspark_lineage").setLevel(logging.INFO)
logging.getLogger("py4j").setLevel(logging.CRITICAL)
import pyspark_lineage
from pyspark_lineage import attach

facts = {}
def tell():
    print("TOLD " + json.dumps(facts))

def children():
    found = subprocess.run(["ps", "-o", "comm=", "--ppid", str(os.getpid())], capture_output=True, text=True).stdout
    return sorted(name for name in found.split() if name != "ps")
"""


def told(stdout: str) -> tuple[dict[str, Any], list[str]]:
    """The facts, and the log lines."""
    lines = stdout.splitlines()
    (line,) = [line for line in lines if line.startswith("TOLD ")]
    return json.loads(line[5:]), [line[4:] for line in lines if line.startswith("LOG ")]


def application(event: Event) -> bool:
    return not event["inputs"] and not event["outputs"]


def story(events: list[Event]) -> list[str]:
    """`"START app"` for an application, `"COMPLETE > folder"` for a statement that writes to it."""
    return [
        f"{event['eventType']} {event['job']['name']}"
        if application(event)
        else f"{event['eventType']} > {Path(event['outputs'][0]['name']).name}"
        for event in events
    ]


def written(*folders: str) -> list[str]:
    return [f"{kind} > {folder}" for folder in folders for kind in ("START", "COMPLETE")]


BEFORE_AFTER_AND_AGAIN = """
from pyspark import SparkContext
import pyspark.sql

def write(folder):
    spark.range(3).write.parquet(folder)

def bus():
    queues = sc._jsc.sc().listenerBus().queues()
    return sorted(queues.get(i).name() for i in range(queues.size()))

def jvm_threads():
    names = sc._jvm.java.lang.Thread.getAllStackTraces().keySet().toArray()
    return sorted(name for name in (thread.getName() for thread in names) if "lineage" in name)

def names(cls):
    # RDD.toDF is pyspark's own, given to the class by the first session.
    return {name: value for name, value in vars(cls).items() if callable(value) and name != "toDF"}

def threads_of_ours():
    found = []
    for ident, frame in sys._current_frames().items():
        while ident != threading.get_ident() and frame is not None:
            found += [frame.f_code.co_filename] if "pyspark_lineage" in frame.f_code.co_filename else []
            frame = frame.f_back
    return found

# Nothing of Spark yet.
frame = pyspark.sql.DataFrame if pyspark.__version__ < "4" else __import__(
    "pyspark.sql.classic.dataframe", fromlist=["DataFrame"]).DataFrame
classes = [SparkContext, frame, pyspark.sql.SparkSession, pyspark.sql.DataFrameWriter, pyspark.RDD]
before = [names(cls) for cls in classes]
hook = sys.excepthook
import signal
handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
agent = attach(namespace="from keywords", job_name={"append_dataset_name": True})
facts["waiting"] = [repr(agent), agent.flush(1), agent.stats()["host"], children()]

builder = pyspark.sql.SparkSession.builder.appName("first")
spark = builder.config("spark.openlineage.namespace", "from conf").getOrCreate()
sc = spark.sparkContext
handlers[signal.SIGINT] = signal.getsignal(signal.SIGINT)  # SparkContext's own
facts["again"] = [attach() is agent, attach(spark) is agent, attach(sc) is agent, attach(namespace="second") is agent]
write("one")
facts["attached"] = [repr(agent), agent.flush(30), children(), "pyspark-lineage" in bus()]
stats = agent.stats()
facts["stats"] = [stats["host"], stats["alive"], stats["inert"], stats["failures"], stats["delivery"]["delivered"],
                  stats["runs"], stats["callSites"]["set"]]
facts["manners"] = [
    threads_of_ours(), sys.excepthook is hook,
    all(signal.getsignal(number) is handler for number, handler in handlers.items()),
]

agent.detach()
agent.detach()
facts["detached"] = [repr(agent), agent.flush(1), agent.stats()["host"], agent.stats()["alive"], children()]
facts["trace"] = {
    "bus": [name for name in bus() if "lineage" in name],
    "property": sc._jvm.System.getProperties().get("pyspark_lineage.bridge"),
    "threads": jvm_threads(),
    "methods": [names(cls) == was for cls, was in zip(classes, before)],
    "site": [sc.getLocalProperty(key) for key in ("callSite.short", "callSite.long")],
    "meta_path": [type(finder).__name__ for finder in sys.meta_path if "lineage" in type(finder).__module__],
}
write("unseen")

again = attach(sc, transport={"type": "file", "location": sys.argv[1]}, namespace="again")
facts["new"] = [again is agent, repr(again)]
write("two")
again.flush(30)
spark.stop()

spark = pyspark.sql.SparkSession.builder.appName("second").getOrCreate()
sc = spark.sparkContext
write("three")
other = spark.newSession()
other.range(3).write.parquet("four")
def work(number):
    spark.range(3).write.parquet(f"thread-{number}")
several = [threading.Thread(target=work, args=(number,)) for number in range(3)]
for thread in several: thread.start()
for thread in several: thread.join()
facts["failures"] = again.stats()["failures"]
tell()
"""


def test_before_after_twice_detached_and_again(spark_job: SparkJob, tmp_path: Path) -> None:
    first, second = tmp_path / "events-first.ndjson", tmp_path / "events-second.ndjson"
    ended = spark_job(
        PREAMBLE + BEFORE_AFTER_AND_AGAIN, str(second), attached=False, environment=agent_settings(first)
    ).ok()
    facts, log = told(ended.stdout)
    assert facts["waiting"] == ["<pyspark_lineage.Agent: waiting for Spark>", True, None, []]
    assert facts["again"] == [True] * 4
    assert facts["attached"] == ["<pyspark_lineage.Agent: process>", True, ["java", "python"], True]
    assert facts["stats"] == ["process", True, None, {}, 3, {"START": 2, "COMPLETE": 1, "open": 0}, 1]
    assert facts["manners"] == [[], True, True]
    assert facts["detached"] == ["<pyspark_lineage.Agent: detached>", False, None, False, ["java"]]
    assert facts["trace"] == {
        "bus": [],
        "property": None,
        "threads": [],
        "methods": [True] * 5,
        "site": [None, None],
        "meta_path": [],
    }
    assert facts["new"] == [False, "<pyspark_lineage.Agent: process>"]
    assert facts["failures"] == {}
    assert log == ["INFO The agent is attached already; what it was configured with stays until detach()."]
    events = read_events(first)
    assert {event["job"]["namespace"] for event in events} == {"from keywords"}
    assert story(events) == ["START first", *written("one"), "COMPLETE first"]
    events = read_events(second)
    assert {event["job"]["namespace"] for event in events} == {"again"}
    found = story(events)
    assert found[:9] == ["START first", *written("two"), "COMPLETE first", "START second", *written("three", "four")]
    assert sorted(found[9:-1]) == sorted(written(*(f"thread-{number}" for number in range(3))))
    assert found[-1] == "COMPLETE second"


CANNOT_WORK = """
from pyspark.sql import SparkSession
from py4j.protocol import Py4JError
from pyspark_lineage.bridge import driver

spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
states = facts["states"] = []

def state(agent):
    states.append([repr(agent), agent.flush(1), agent.stats()["inert"] is not None, children()])

# No session, no context.
state(attach("a session"))
state(attach("a session"))  # the same reason is said once

# A gateway with an allow-list.
class Guarded:
    @property
    def java(self):
        raise Py4JError("py4j.security.Py4JSecurityException: java.lang.System.getProperties() is not whitelisted")
jvm, sc._jvm = sc._jvm, Guarded()
state(attach(spark))
sc._jvm = jvm

# A Spark that the bridge does not know.
source = driver.bridge_source
driver.bridge_source = lambda: source().replace("SparkListenerSQLExecutionStart", "SomethingOfSpark9")
state(attach(spark))
driver.bridge_source = source

# An older Spark than the Python package says.
version, type(sc).version = type(sc).version, property(lambda self: "3.4.1")
state(attach())
type(sc).version = version

# Something that nobody thought of.
connect, driver.connect = driver.connect, lambda context: {}["unexpected"]
state(attach())
driver.connect = connect

# The gateway is out of the agent's reach.
address = driver.gateway_address
driver.gateway_address = lambda context: driver.GatewayAddress("127.0.0.1", 9, "secret of the gateway")
agent = attach()
spark.range(3).write.parquet("out")
agent.flush(10)
agent.flush(1)
facts["unreachable"] = [agent.flush(1), agent.stats()["failures"], agent.stats()["alive"]]
agent.detach()
driver.gateway_address = address
facts["rows"] = spark.read.parquet("out").count()
tell()
"""


def test_where_it_cannot_work_it_says_why_and_the_job_goes_on(spark_job: SparkJob, events_file: Path) -> None:
    # As it is for users: failures contained. The reasons are the test.
    environment = {**agent_settings(events_file), "PYSPARK_LINEAGE_RAISE": "0"}
    ended = spark_job(PREAMBLE + CANNOT_WORK, attached=False, environment=environment).ok()
    facts, log = told(ended.stdout)
    not_attached = "WARNING pyspark-lineage is not attached: "
    rest = " The job runs untraced."
    assert len(log) == 5, log
    assert log[0] == f"{not_attached}attach() takes a SparkSession or a SparkContext, not str.{rest}"
    assert log[1].startswith(f"{not_attached}The driver's py4j gateway only lets listed classes be called")
    assert log[2].startswith(f"{not_attached}The bridge could not be compiled in the driver of Spark ")
    assert "SomethingOfSpark9" in log[2]
    assert log[3] == f"{not_attached}Spark 3.4.1 is older than 3.5, the oldest that is supported.{rest}"
    assert log[4] == "WARNING attach.context failed: KeyError: 'unexpected'"
    assert len(facts["states"]) == 6
    for state, ready, inert, children in facts["states"]:
        assert state.startswith("<pyspark_lineage.Agent: ")
        assert state not in {"<pyspark_lineage.Agent: process>", "<pyspark_lineage.Agent: waiting for Spark>"}
        assert (ready, inert, children) == (False, True, ["java"])
    ready, failures, _alive = facts["unreachable"]
    assert ready is False
    assert failures["attach.context: KeyError"] == 1
    assert [where for where in failures if where.startswith("agent.connect")]
    assert facts["rows"] == 3
    said = [line for line in ended.stderr.splitlines() if " pyspark-lineage " in line]
    assert len(said) == 1
    assert "127.0.0.1:9" in said[0]
    assert "secret of the gateway" not in ended.stderr + ended.stdout
    assert read_events(events_file) == []


BAD_CONFIGURATION = """
from pyspark.sql import SparkSession
transport = {"type": "htpp", "url": "http://u:hunter2@h", "apiKey": "hunter2"}
agent = attach(namespce="n", queue={"max_plans": "many"}, transport=transport)
builder = SparkSession.builder.config("spark.openlineage.nmespace", "x").config("spark.openlineage.disabled", "perhaps")
spark = builder.getOrCreate()
spark.range(3).write.parquet("out")
facts["flushed"] = agent.flush(30)
facts["target"] = agent.stats()["delivery"]["target"]
tell()
"""


def test_bad_settings_are_told_once_and_the_job_runs(spark_job: SparkJob, tmp_path: Path) -> None:
    (tmp_path / "openlineage.yml").write_text("facets:\n  debgu:\n    disabled: 3\ntransprot: {}\n", encoding="utf-8")
    ended = spark_job(
        PREAMBLE + BAD_CONFIGURATION,
        attached=False,
        environment={"OPENLINEAGE__JOB_NAME__APPEND_DATASETNAME": "x", "OPENLINEAGE__EXIT_TIMEOUT_IN_SECONDS": "soon"},
    ).ok()
    facts, log = told(ended.stdout)
    assert facts["flushed"] is True
    assert facts["target"].startswith(str(tmp_path))
    assert len(log) == len(set(log))
    about = {
        "namespce": "namespace",
        "nmespace": "namespace",
        "htpp": "'http'",
        "queue.maxPlans": "must be",
        "spark.openlineage.disabled": "must be true or false",
        "EXIT_TIMEOUT": "must be a number of seconds",
        "APPEND_DATASETNAME": "appendDatasetName",
        "debgu": "openlineage.yml",
    }
    for word, answer in about.items():
        lines = [line for line in log if word in line]
        assert lines, f"{word} in none of {log}"
        assert any(answer in line for line in lines), lines
    assert "hunter2" not in ended.stdout + ended.stderr
    (default,) = (tmp_path / "xdg").rglob("*.ndjson")
    assert story(read_events(default))[1:3] == written("out")


THREAD_HOST = """
import pyspark.sql
agent = attach()
spark = pyspark.sql.SparkSession.builder.appName("in thread").getOrCreate()
spark.range(3).write.parquet("one")
facts["attached"] = [repr(agent), agent.flush(30), children()]
agent.detach()
facts["threads"] = [thread.name for thread in threading.enumerate() if "lineage" in thread.name]
attach(spark)
spark.range(3).write.parquet("two")
tell()
raise ValueError("at the end")
"""


@pytest.mark.parametrize("pinned", ["true", "false"])
def test_in_a_thread_of_this_process(spark_job: SparkJob, events_file: Path, pinned: str) -> None:
    ended = spark_job(
        PREAMBLE + THREAD_HOST,
        attached=False,
        environment={
            **agent_settings(events_file),
            "OPENLINEAGE__AGENT__HOST": "thread",
            "PYSPARK_PIN_THREAD": pinned,
        },
    )
    assert ended.exit_code == 1
    facts, log = told(ended.stdout)
    assert facts["attached"] == ["<pyspark_lineage.Agent: thread>", True, ["java"]]
    assert facts["threads"] == []
    assert [line for line in log if "ERROR" in line or "WARNING" in line] == []
    assert story(read_events(events_file)) == [
        *("START in_thread", *written("one"), "COMPLETE in_thread"),
        *("START in_thread", *written("two"), "FAIL in_thread"),
    ]
