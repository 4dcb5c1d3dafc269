# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Where people run PySpark: spark-submit, the pyspark shell, notebooks, clusters in a box, and the Javas found here."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

from tests.support.jobs import SPARK_DEFAULTS, SparkJob, read_events
from tests.support.running import agent_settings, gone, start, wait_for

HERE = (3, 5) if pyspark.__version__.startswith("3.5") else (4, 0)
JAVAS = {(3, 5): range(8, 18), (4, 0): range(17, 22)}[HERE]

PROGRAM = """
import sys
from pyspark.sql import SparkSession
from pyspark_lineage import attach
agent = attach()
spark = SparkSession.builder.appName("somewhere").getOrCreate()
spark.range(3).repartition(2).write.parquet("out")
print("ROWS", spark.read.parquet("out").filter("id > 0").count(), repr(agent))
"""
EXPECTED = ["START", "START", "COMPLETE", "START", "COMPLETE", "COMPLETE"]


def kinds(path: Path) -> list[str]:
    return [event["eventType"] for event in read_events(path)]


def command(name: str) -> str:
    """A script of pip's pyspark, beside the interpreter or in the package."""
    beside = Path(sys.executable).parent / name
    assert pyspark.__file__ is not None
    return str(beside if beside.exists() else Path(pyspark.__file__).parent / "bin" / name)


def test_spark_submit_in_client_mode(spark_job: SparkJob) -> None:
    running = start(spark_job, PROGRAM, command=[command("spark-submit"), "--name", "submitted"])
    ended = running.end(120)
    assert ended.exit_code == 0, ended.stderr
    assert "ROWS 2 <pyspark_lineage.Agent: process>" in ended.stdout
    assert running.terminal_event()["eventType"] == "COMPLETE"
    assert kinds(running.events_file) == EXPECTED


def test_the_pyspark_shell(spark_job: SparkJob, events_file: Path, tmp_path: Path) -> None:
    lines = """
from pyspark_lineage import attach
agent = attach(spark)
spark.range(3).write.parquet("out")
undefined_name
print("ROWS", spark.read.parquet("out").filter("id > 0").count(), repr(agent))
"""
    ended = subprocess.run(
        [command("pyspark")],
        cwd=tmp_path,
        # -i: as with a terminal
        env=spark_job._environment(
            SPARK_DEFAULTS, {**agent_settings(events_file), "PYSPARK_DRIVER_PYTHON_OPTS": "-i", "PYTHONPATH": paths()}
        ),
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "ROWS 2 <pyspark_lineage.Agent: process>" in ended.stdout, ended.stderr
    assert "NameError" in ended.stderr
    # An error in a line of a shell is not the end of it: the session ends well.
    assert kinds(events_file) == EXPECTED


def paths() -> str:
    return os.pathsep.join(os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part)


CELLS = [
    """from pyspark.sql import SparkSession
from pyspark_lineage import attach
agent = attach()
spark = SparkSession.builder.appName("notebook").getOrCreate()
""",
    """df = spark.range(3)
df.write.parquet("out")
""",
    'raise ValueError("of a cell, not of the notebook")\n',
    """import os, signal, threading, time
from pyspark.sql import functions as F
slow = spark.range(0, 2, 1, 2).select(F.udf(lambda x: time.sleep(20))("id"))
threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()  # as Jupyter's interrupt button does
slow.write.json("interrupted")
""",
    """spark.sparkContext.cancelAllJobs()
status = spark._jsparkSession.sharedState().statusStore().executionsList()
print([status.apply(i).description() for i in range(status.size())][0])
import os
print(agent.flush(30), agent.stats()["failures"], agent.stats()["agent"]["pid"], os.getpid())
""",
]


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("ipykernel", "nbclient")),
    reason="ipykernel and nbclient are not installed",
)
@pytest.mark.parametrize("end", ["shutdown", "kill"])
@pytest.mark.broken_off("the kernel may be killed")
@pytest.mark.filterwarnings("ignore")  # of Jupyter's own sockets and event loops
def test_a_notebook(
    spark_job: SparkJob, events_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    import nbformat
    from nbclient import NotebookClient

    environment = spark_job._environment(SPARK_DEFAULTS, agent_settings(events_file))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    cells = CELLS if end == "shutdown" else [*CELLS[:2], CELLS[4]]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    client = NotebookClient(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(tmp_path)}}, kernel_name="python3"
    )
    with client.setup_kernel():
        client.km.shutdown_wait_time = 60  # by default a kernel has five seconds to end, then it is killed
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
        told = "".join(each.get("text", "") for each in notebook.cells[-1].outputs if each.get("name") == "stdout")
        description, answer = told.splitlines()[:2]
        assert description == "parquet at line 2 in cell [2]"
        flushed, failures, agent, kernel = answer.split()
        assert (flushed, failures) == ("True", "{}")
        if end == "kill":
            os.killpg(int(kernel), signal.SIGKILL)  # as Jupyter does; the JVM is of the same group
    wait_for(lambda: gone(int(agent)), 60)
    found = kinds(events_file)
    if end == "kill":
        assert found == ["START", "START", "COMPLETE", "ABORT"]
    else:
        errors = [cell.outputs[-1].ename for cell in notebook.cells[2:4]]
        assert errors == ["ValueError", "KeyboardInterrupt"]
        assert found[:4] == ["START", "START", "COMPLETE", "START"]
        assert found[4] in {"FAIL", "ABORT"}
        assert found[5:] == ["COMPLETE"]


def test_executors_in_processes_of_their_own(spark_job: SparkJob) -> None:
    """`local-cluster`: executors that unpickle the user's functions, and a driver that is traced as ever."""
    assert pyspark.__file__ is not None
    running = start(
        spark_job,
        PROGRAM + 'print("SUM", spark.sparkContext.parallelize(range(4), 2).map(lambda x: x * 2).sum())\n',
        conf={"spark.master": "local-cluster[1,1,1024]", "spark.executor.memory": "512m"},
        environment={"SPARK_HOME": str(Path(pyspark.__file__).parent), "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    ended = running.end(150)
    assert ended.exit_code == 0, ended.stderr
    assert "ROWS 2 <pyspark_lineage.Agent: process>" in ended.stdout
    assert "SUM 12" in ended.stdout
    assert kinds(running.events_file) == EXPECTED


def javas() -> Iterator[tuple[int, str]]:
    """Every Java below /usr/lib/jvm, and those named in PYSPARK_LINEAGE_TEST_JAVAS, that this Spark runs on."""
    named = os.environ.get("PYSPARK_LINEAGE_TEST_JAVAS", "").split(os.pathsep)
    homes = {path.resolve() for path in (*Path("/usr/lib/jvm").glob("*"), *map(Path, filter(None, named)))}
    default = running_java()
    for home in sorted(homes):
        version = java_version(home / "bin" / "java") if (home / "bin" / "java").exists() else 0
        if version in JAVAS and version != default:
            yield version, str(home)


def java_version(program: str | Path) -> int:
    said = subprocess.run([str(program), "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(found[1]) if found else 0


def running_java() -> int:
    home = os.environ.get("JAVA_HOME")
    return java_version(Path(home, "bin", "java") if home else "java")


@pytest.mark.parametrize(("version", "home"), [*javas()] or [pytest.param(0, "", id="none")])
def test_other_javas(spark_job: SparkJob, version: int, home: str) -> None:
    if not version:
        pytest.skip("no Java here that this Spark supports, but the one of all other tests")
    running = start(spark_job, PROGRAM, environment={"JAVA_HOME": home})
    ended = running.end(120)
    assert ended.exit_code == 0, ended.stderr
    assert kinds(running.events_file) == EXPECTED
