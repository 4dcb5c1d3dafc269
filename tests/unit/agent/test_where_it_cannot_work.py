# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Reasons that can be told without a JVM: old or missing packages, Connect clients, an embedded Python, two agents."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pyspark_lineage.agent import launch
from pyspark_lineage.agent.process import CHILD_MARK, ProcessHost
from pyspark_lineage.agent.protocol import Hello
from pyspark_lineage.errors import AttachError

PACKAGE = Path(launch.__file__).parents[1]

ATTACH = """
import sys
sys.path[:] = [path for path in sys.path if not path.endswith("site-packages")]
from pyspark_lineage import attach
agent = attach()
attach()
print(repr(agent), agent.flush(1), agent.stats()["inert"] is not None)
agent.detach()
print(repr(agent), "pyspark" in sys.modules, sys.meta_path[0].__class__.__name__)
"""


def attached(folder: Path, program: str = ATTACH, **environment: str) -> tuple[list[str], list[str]]:
    """Lines on stdout and on stderr of a program in which nothing is installed but what lies in `folder`."""
    if not (folder / PACKAGE.name).exists():
        (folder / PACKAGE.name).symlink_to(PACKAGE)  # wherever it is installed, next to what is hidden here
    given = {**os.environ, **environment, "PYTHONPATH": str(folder)}
    given.pop("SPARK_HOME", None)
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=folder,
        env=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return ended.stdout.splitlines(), ended.stderr.splitlines()


def fake_spark(folder: Path, version: str) -> None:
    (folder / "pyspark").mkdir()
    (folder / "pyspark" / "__init__.py").write_text("raise SystemExit('the agent imported pyspark')\n")
    (folder / "pyspark" / "version.py").write_text(f'__version__: str = "{version}"\n')


def inert(found: tuple[list[str], list[str]], reason: str) -> None:
    out, err = found
    assert err == [f"pyspark-lineage is not attached: {reason} The job runs untraced."]
    assert out[0] == f"<pyspark_lineage.Agent: {reason}> False True"
    assert out[1].startswith("<pyspark_lineage.Agent: detached> False ")
    assert "ContextFinder" not in out[1]


def test_no_pyspark(tmp_path: Path) -> None:
    reason = "pyspark is not installed in this Python. Install it, or put SPARK_HOME/python on PYTHONPATH."
    inert(attached(tmp_path), reason)


def test_spark_that_is_too_old(tmp_path: Path) -> None:
    fake_spark(tmp_path, "3.4.4")
    inert(attached(tmp_path), "Spark 3.4.4 is older than 3.5, the oldest that is supported.")


def test_no_py4j(tmp_path: Path) -> None:
    fake_spark(tmp_path, "4.3.0")
    reason = "py4j is not installed: this looks like a pure Spark Connect client. Trace its server where that runs."
    inert(attached(tmp_path), reason)


def test_in_the_process_of_an_agent(tmp_path: Path) -> None:
    inert(attached(tmp_path, **{CHILD_MARK: "1"}), "this is the agent's own process.")


def test_switched_off(tmp_path: Path) -> None:
    fake_spark(tmp_path, "4.3.0")
    (tmp_path / "py4j.py").touch()
    found = attached(tmp_path, OPENLINEAGE_DISABLED="true")
    inert(found, "it is switched off by configuration (disabled=true).")


@pytest.mark.parametrize("when", ["before", "after", "run"])
def test_a_remote_session(tmp_path: Path, when: str) -> None:
    """A Connect client with the whole of pyspark installed: attached before the session, it is told at exit."""
    connect = tmp_path / "pyspark" / "sql" / "connect"
    connect.mkdir(parents=True)
    (tmp_path / "pyspark" / "__init__.py").write_text(
        "__version__ = '4.3.0'\nclass SparkContext:\n    _gateway = None\n"
    )
    for folder in (connect, connect.parent):
        (folder / "__init__.py").touch()
    (connect / "session.py").write_text("class SparkSession:\n    _default_session = None\n")
    (tmp_path / "py4j.py").touch()
    program = """
        import sys
        sys.path[:] = [path for path in sys.path if not path.endswith("site-packages")]
        from pyspark_lineage import attach
        if "WHEN" == "before":
            attach()
        from pyspark.sql.connect.session import SparkSession
        session = SparkSession._default_session = SparkSession()
        if "WHEN" == "after":
            print(repr(attach()))
            print(repr(attach(session)))
        """.replace("WHEN", when)
    if when == "run":
        (tmp_path / "job.py").write_text(textwrap.dedent(program))
        program = "from pyspark_lineage.cli.main import main; raise SystemExit(main(['run', 'job.py']))"
    out, (line,) = attached(tmp_path, program)
    reason = (
        "This is a Spark Connect session and no Spark runs in this process: "
        "attach the agent where the Connect server's driver runs."
    )
    if when == "run":
        assert line == f"pyspark-lineage: no lineage of this run: {reason}"
    elif when == "before":
        assert line == f"No lineage of this program: {reason}"
    else:
        assert out == [f"<pyspark_lineage.Agent: {reason}>"] * 2
        assert line == f"pyspark-lineage is not attached: {reason} The job runs untraced."


def test_the_java_agent_beside_ours(caplog: pytest.LogCaptureFixture) -> None:
    listeners = "com.example.Other,io.openlineage.spark.agent.OpenLineageSparkListener"
    with caplog.at_level(logging.WARNING):
        launch.configured({}, {}, {"spark.extraListeners": listeners})
    (record,) = caplog.records
    assert "every event will come twice" in record.getMessage()


@pytest.mark.parametrize("frozen", [True, False])
def test_a_program_that_is_no_interpreter_is_not_started_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frozen: bool
) -> None:
    program = tmp_path / "nightly-job"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    with pytest.raises(AttachError, match="nightly-job"):
        ProcessHost(Hello({}, {}))
    assert not (tmp_path / "started").exists()


def test_a_program_that_dies_at_once_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "python-of-another-kind"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(AttachError, match="did not take its configuration"):
        ProcessHost(Hello({}, {"filler": "x" * 1_000_000}))
