# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Python programs that use Spark, run in a process of their own, with the agent or without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.invariants import check_events
from tests.support.schema_check import validate_event

Event = dict[str, Any]

# Small and quiet; put in by spark-submit's own door, so that programs read like a user's.
SPARK_DEFAULTS: Mapping[str, str] = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "2",
}


def read_events(path: Path) -> list[Event]:
    """The events in a file, one JSON object a line; no file, no events."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def check_file(path: Path, *, broken_off: bool = False) -> None:
    events = read_events(path)
    for event in events:
        validate_event(event)
    check_events(events, broken_off=broken_off)


@dataclass(frozen=True)
class Ended:
    """How a program ended. Can be unpacked: `code, stdout, stderr, events = spark_job(...)`."""

    exit_code: int
    stdout: str
    stderr: str
    events: list[Event] = field(default_factory=list)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.exit_code, self.stdout, self.stderr, self.events))

    def ok(self) -> Ended:
        """Itself, where the program ended well; otherwise a failure that shows what it said."""
        if self.exit_code != 0:
            raise AssertionError(f"exit code {self.exit_code}\n--- stdout\n{self.stdout}\n--- stderr\n{self.stderr}")
        return self


@dataclass(frozen=True)
class SparkJob:
    """Runs program texts in `folder`; every call starts a new process and leaves its events in a file of its own."""

    folder: Path
    events_file: Path

    def __call__(
        self,
        program: str,
        *arguments: str,
        attached: bool = True,
        conf: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float = 240,
    ) -> Ended:
        """`conf`: more settings, of Spark or (spark.openlineage.*) of the agent."""
        number = sum(1 for _ in self.folder.glob("program*.py"))
        script = self.folder / f"program{number or ''}.py"
        script.write_text(textwrap.dedent(program), encoding="utf-8")
        events_file = self.events_file if number == 0 else self.events_file.with_name(f"events-{number}.ndjson")
        spark = {**SPARK_DEFAULTS, "spark.sql.warehouse.dir": str(self.folder / "warehouse")}
        given = dict(conf or {})
        spark.update({key: value for key, value in given.items() if not key.startswith("spark.openlineage.")})
        command = [sys.executable, str(script), *arguments]
        if attached:
            agent = {
                "spark.openlineage.transport.type": "file",
                "spark.openlineage.transport.location": str(events_file),
                "spark.openlineage.namespace": "test",
            }
            agent.update({key: value for key, value in given.items() if key.startswith("spark.openlineage.")})
            command = [*_run_command(agent), str(script), *arguments]
        ended = subprocess.run(
            command,
            cwd=self.folder,
            env=self._environment(spark, environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr, read_events(events_file) if attached else [])

    def _environment(self, spark: Mapping[str, str], more: Mapping[str, str] | None) -> dict[str, str]:
        # The same settings reach the program with and without the agent: through a properties file of spark-submit.
        defaults = self.folder / "spark-conf"
        defaults.mkdir(exist_ok=True)
        lines = "".join(f"{key} {value}\n" for key, value in spark.items())
        (defaults / "spark-defaults.conf").write_text(lines, encoding="utf-8")
        # The program runs elsewhere: a PYTHONPATH like "src" has to mean there what it means here.
        paths = [os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "SPARK_CONF_DIR": str(defaults),
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            **(more or {}),
        }


def _run_command(agent: Mapping[str, str]) -> Sequence[str]:
    confs = [part for key, value in agent.items() for part in ("--conf", f"{key}={value}")]
    return [sys.executable, "-m", "pyspark_lineage.cli.main", "run", *confs]
