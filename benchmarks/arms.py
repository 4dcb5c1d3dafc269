# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What is compared: a program without an agent, with ours, with OpenLineage's. The program is the same text."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.tree import Ended, run_tree

ROOT = Path(__file__).resolve().parents[1]
SPARK_DEFAULTS: Mapping[str, str] = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "2",
    "spark.log.level": "ERROR",
}
_LISTENER = "io.openlineage.spark.agent.OpenLineageSparkListener"


@dataclass(frozen=True)
class Arm:
    """A column of the comparison."""

    name: str
    traced: bool = False
    agent_conf: Mapping[str, str] = field(default_factory=dict)
    spark_conf: Mapping[str, str] = field(default_factory=dict)

    def command(self, events: Path, home: Path) -> list[str]:
        """`python -m …`, or the same program by `pyspark-lineage run`."""
        if not self.traced:
            return [sys.executable]
        conf = {
            "spark.openlineage.transport.type": "file",
            "spark.openlineage.transport.location": str(events),
            "spark.openlineage.home": str(home),
            **self.agent_conf,
        }
        pairs = [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
        return [sys.executable, "-m", "pyspark_lineage.cli.main", "run", *pairs]


OFF = Arm("off")
ON = Arm("on", traced=True)
THREAD = Arm("on (thread)", traced=True, agent_conf={"spark.openlineage.agent.host": "thread"})


def java_agent(jars: tuple[str, ...]) -> Arm:
    """OpenLineage's Java agent with its defaults; its transport gets its location for each run."""
    return Arm("Java agent", spark_conf={"spark.jars": ",".join(jars), "spark.extraListeners": _LISTENER})


@dataclass(frozen=True)
class Outcome:
    """A run of a driver program: its process tree, what it measured inside, the events it left."""

    ended: Ended
    inside: Mapping[str, Any]
    events: int
    event_bytes: int

    @property
    def loops(self) -> Mapping[str, Mapping[str, float]]:
        loops: Mapping[str, Mapping[str, float]] = self.inside.get("loops", {})
        return loops


def run_driver(
    arm: Arm,
    workload: str,
    parameters: Mapping[str, Any],
    *,
    spark_conf: Mapping[str, str] | None = None,
    timeout: float = 3600,
) -> Outcome:
    """Run `benchmarks.driver` for a workload in a folder of its own that is removed afterwards."""
    with _folder() as folder:
        events = folder / "events.ndjson"
        conf = {
            **SPARK_DEFAULTS,
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            **arm.spark_conf,
            **(spark_conf or {}),
        }
        if "spark.extraListeners" in arm.spark_conf:
            conf |= {"spark.openlineage.transport.type": "file", "spark.openlineage.transport.location": str(events)}
        found = folder / "found.json"
        env = _environment(folder, conf, {"BENCHMARK_OUT": str(found), "BENCHMARK_PARAMETERS": json.dumps(parameters)})
        command = [*arm.command(events, folder / "home"), "-m", "benchmarks.driver", workload]
        ended = run_tree(command, env=env, folder=folder, log=folder / "log", timeout=timeout)
        if ended.exit_code != 0 or not found.exists():
            raise RuntimeError(f"{workload}, {arm.name}: exit code {ended.exit_code}\n{ended.log[-6000:]}")
        inside = json.loads(found.read_text(encoding="utf-8"))
        lines = events.read_bytes().count(b"\n") if events.exists() else 0
        return Outcome(ended, inside, lines, events.stat().st_size if events.exists() else 0)


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="pyspark-lineage-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _environment(folder: Path, conf: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Settings reach every arm through spark-submit's own properties file."""
    (folder / "spark-conf").mkdir()
    lines = "".join(f"{key} {value}\n" for key, value in conf.items())
    (folder / "spark-conf" / "spark-defaults.conf").write_text(lines, encoding="utf-8")
    given = [os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(dict.fromkeys([*given, str(ROOT)])),
        "SPARK_CONF_DIR": str(folder / "spark-conf"),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        **more,
    }


def find_java_agent(where: str) -> Arm:
    """By JAR path, or by Maven coordinate, which `spark.jars.packages` resolves once, before anything is measured."""
    if where.endswith(".jar"):
        return java_agent((str(Path(where).resolve()),))
    ivy = Path.home() / ".cache" / "pyspark-lineage-benchmarks" / where.replace(":", "_")
    if not list(ivy.glob("jars/*.jar")):
        print(f"resolving {where} …", flush=True)
        run_driver(OFF, "nothing", {}, spark_conf={"spark.jars.packages": where, "spark.jars.ivy": str(ivy)})
    return java_agent(tuple(sorted(map(str, ivy.glob("jars/*.jar")))))
