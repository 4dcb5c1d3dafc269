# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""How a program with `attach()` can end, and what its application run says then."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.jobs import Event, SparkJob, read_events
from tests.support.running import Running, agent_settings, gone, start, wait_for

ATTACHED = """
import json, os, signal, sys, time
from pyspark.sql import SparkSession
from pyspark_lineage import attach
agent = attach()
spark = SparkSession.builder.appName("exit").getOrCreate()
spark.range(3).write.parquet("out")
agent_pid = agent.stats()["agent"]["pid"]
if "flush" in sys.argv:
    agent.flush(30)
print("READY", agent_pid, flush=True)
"""


def ready(running: Running) -> int:
    """The id of the agent's process, once the program has written something."""
    return int(running.wait_for_line("READY ").split()[1])


def kinds(events: list[Event]) -> list[str]:
    return [event["eventType"] for event in events]


ENDINGS = {
    # A loop over os.fork and multiprocessing, then a normal end: nothing hangs, and only the job speaks.
    "forked": (
        """
import multiprocessing
def work(number):
    import pyspark_lineage
    agent = pyspark_lineage.attach()
    return f"CHILD {number} {agent!r} {agent.flush(1)}"
if __name__ == "__main__":
    for number in range(3):
        if (pid := os.fork()) == 0:
            print("FORK", repr(agent), agent.flush(1), agent.stats()["alive"], flush=True)
            sys.exit(number)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == number
    fork = multiprocessing.get_context("fork")
    with fork.Pool(2) as pool:
        print("\\n".join(pool.map(work, range(2))))
    assert agent.stats()["alive"]
""",
        0,
        "COMPLETE",
    ),
    "exception after stop": (
        """
try:
    spark.sql("select * from nowhere")
finally:
    spark.stop()
""",
        1,
        "FAIL",
    ),
    "os._exit": ("os._exit(5)\n", 5, "ABORT"),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_by_itself(spark_job: SparkJob, ending: str) -> None:
    program, code, kind = ENDINGS[ending]
    running = start(spark_job, ATTACHED + program)
    child = ready(running)
    ended = running.end()
    assert ended.exit_code == code, ended.stderr
    last = running.terminal_event()
    assert last["eventType"] == kind
    assert kinds(read_events(running.events_file)) == ["START", "START", "COMPLETE", kind]
    wait_for(lambda: gone(child), 30)
    if ending == "forked":
        lines = ended.stdout.splitlines()
        assert lines.count("FORK <pyspark_lineage.Agent: detached> False False") == 3
        refused = "This process was forked from the one that runs Spark, and that one is to be traced."
        assert sorted(line for line in lines if line.startswith("CHILD ")) == [
            f"CHILD {number} <pyspark_lineage.Agent: {refused}> False" for number in range(2)
        ]


@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL", "SIGINT to the group", "SIGKILL to the group"])
def test_by_a_signal(spark_job: SparkJob, how: str) -> None:
    name, _, group = how.partition(" ")
    number = signal.Signals[name]
    # Where the JVM is killed too, what it had not handed over is gone.
    running = start(spark_job, ATTACHED + "time.sleep(120)\n", "flush" if group else "")
    child = ready(running)
    (os.killpg if group else os.kill)(running.process.pid, number)
    began = time.monotonic()
    ended = running.end(30)
    assert ended.exit_code == -number
    assert time.monotonic() - began < 15
    # The agent has a session of its own: neither Ctrl-C nor the end of the group reaches it.
    assert running.terminal_event()["eventType"] == "ABORT"
    assert kinds(read_events(running.events_file)) == ["START", "START", "COMPLETE", "ABORT"]
    wait_for(lambda: gone(child), 60)


@pytest.mark.broken_off("the agent was stopped")
def test_an_agent_that_hangs_holds_the_exit_no_longer_than_the_bound(spark_job: SparkJob) -> None:
    running = start(
        spark_job,
        ATTACHED
        + """
os.kill(agent_pid, signal.SIGSTOP)
began = time.time()
assert agent.flush(1) is False
print("FLUSH", time.time() - began, flush=True)
print("END", time.time(), flush=True)
""",
        environment={"OPENLINEAGE__EXIT_TIMEOUT_IN_SECONDS": "3"},
    )
    child = ready(running)
    try:
        flushed = float(running.wait_for_line("FLUSH ").split()[1])
        end = float(running.wait_for_line("END ").split()[1])
        ended = running.end(30)
        assert ended.exit_code == 0
        assert flushed < 4
        assert time.time() - end < 8
        assert "did not answer within 3 s" in ended.stderr
    finally:
        os.kill(child, signal.SIGCONT)
    wait_for(lambda: gone(child), 90)


@pytest.mark.broken_off("the agent was killed")
def test_an_agent_that_was_killed_does_no_harm(spark_job: SparkJob) -> None:
    running = start(
        spark_job,
        ATTACHED
        + """
os.kill(agent_pid, signal.SIGKILL)
spark.range(5).write.parquet("more")
facts = agent.stats()
print("FACTS", json.dumps([agent.flush(5), facts["alive"], facts["failures"], facts["delivery"]["delivered"]]))
spark.stop()
# A new context has a new agent.
spark = SparkSession.builder.appName("second").getOrCreate()
spark.range(5).write.parquet("third")
agent.flush(30)
""",
    )
    ready(running)
    ended = running.end()
    assert ended.exit_code == 0, ended.stderr
    assert '[false, false, {"agent.process: AttachError": 1}, ' in ended.stdout
    by_job = {(event["job"]["name"], event["eventType"]) for event in read_events(running.events_file)}
    assert ("second", "START") in by_job
    assert ("second", "COMPLETE") in by_job


def test_codes_and_errors_of_the_run_command(spark_job: SparkJob) -> None:
    """What `attach()` alone cannot know: the code of `sys.exit(3)`."""
    code, _, stderr, events = spark_job("""
        import sys
        from pyspark.sql import SparkSession
        SparkSession.builder.getOrCreate().range(3).write.parquet("out")
        sys.exit(3)
        """)
    assert code == 3, stderr
    assert kinds(events) == ["START", "START", "COMPLETE", "FAIL"]


def test_a_program_that_never_starts_spark(spark_job: SparkJob, tmp_path: Path) -> None:
    ended = spark_job(
        """
        import os, subprocess
        from pyspark_lineage import attach
        agent = attach()
        print(repr(agent), agent.flush(1), agent.stats()["host"])
        print(subprocess.run(["ps", "-o", "comm=", "--ppid", str(os.getpid())], capture_output=True, text=True).stdout)
        """,
        attached=False,
        environment=agent_settings(tmp_path / "events.ndjson"),
    ).ok()
    assert ended.stdout.split("\n", 1)[0] == "<pyspark_lineage.Agent: waiting for Spark> True None"
    assert ended.stdout.split()[-1] == "ps"
    assert ended.stderr == ""
    assert not (tmp_path / "xdg").exists()
    assert not (tmp_path / "events.ndjson").exists()


RESULTS = """
import sys
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.getOrCreate()
orders = spark.range(0, 20, 1, 1).select("id", (F.col("id") % 3).alias("k"))
orders.write.partitionBy("k").csv("orders", header=True)
total = spark.read.csv("orders", header=True, inferSchema=True).groupBy("k").agg(F.sum("id").alias("s")).orderBy("k")
total.coalesce(1).write.json("totals")
total.show()
print(orders.rdd.map(lambda row: row.k).sum())
sys.exit(4)
"""


def test_results_output_and_code_are_the_same(spark_job: SparkJob, tmp_path: Path) -> None:
    found = []
    for attached in (False, True):
        ended = spark_job(RESULTS, attached=attached)
        files = {}
        for name in ("orders", "totals"):
            for path in (tmp_path / name).rglob("*"):
                if path.is_file() and not path.name.endswith(".crc"):
                    # A part's name holds a random id.
                    key = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "ID", str(path.relative_to(tmp_path)))
                    files[key] = path.read_bytes()
            (tmp_path / name).rename(tmp_path / f"{name}-{attached}")
        found.append((ended.exit_code, ended.stdout, files))
    assert found[0] == found[1]
    assert found[0][0] == 4
    assert len(found[0][2]) == 6


def test_who_reads_the_output_of_a_program_does_not_wait_for_its_agent(spark_job: SparkJob, tmp_path: Path) -> None:
    """The agent goes on sending to an endpoint that never answers; a pipeline that reads stderr is not held up."""
    import socket

    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(50)
        script = tmp_path / "piped.py"
        script.write_text(ATTACHED + "spark.stop()\nprint('END', time.time(), flush=True)\n")
        environment = {
            "OPENLINEAGE__TRANSPORT__TYPE": "http",
            "OPENLINEAGE__TRANSPORT__URL": f"http://127.0.0.1:{deaf.getsockname()[1]}",
            "OPENLINEAGE__EXIT_TIMEOUT_IN_SECONDS": "1",
        }
        from tests.support.jobs import SPARK_DEFAULTS

        ended = subprocess.run(
            [sys.executable, str(script)],
            cwd=tmp_path,
            env=spark_job._environment(SPARK_DEFAULTS, environment),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert ended.returncode == 0, ended.stderr
    end = float(ended.stdout.split("END ")[1])
    assert time.time() - end < 12
