# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""A program that calls `attach()` itself, in a process group of its own, so that it can be signalled as users do."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.support.jobs import SPARK_DEFAULTS, Ended, Event, SparkJob, read_events

T = TypeVar("T")


def agent_settings(events_file: Path) -> dict[str, str]:
    """The environment that sends the events of a bare `attach()` to a file."""
    return {
        "OPENLINEAGE__TRANSPORT__TYPE": "file",
        "OPENLINEAGE__TRANSPORT__LOCATION": str(events_file),
        "OPENLINEAGE_NAMESPACE": "test",
    }


@dataclass(frozen=True)
class Running:
    """A program under way; its output goes to files, so that nothing that outlives it holds up a reader."""

    process: subprocess.Popen[bytes]
    output: Path
    errors: Path
    events_file: Path

    def wait_for_line(self, text: str, timeout: float = 90) -> str:
        """The first line on its stdout that begins with `text`."""

        def line() -> str | None:
            lines = self.output.read_text(encoding="utf-8").splitlines(keepends=True)
            return next((each.strip() for each in lines if each.startswith(text) and each.endswith("\n")), None)

        return wait_for(lambda: line() or (None if self.process.poll() is None else self._died()), timeout)

    def end(self, timeout: float = 90) -> Ended:
        """Wait until it is over. Events may still be on their way: its agent outlives it for a moment."""
        code = self.process.wait(timeout)
        return Ended(code, self.output.read_text(), self.errors.read_text(), read_events(self.events_file))

    def terminal_event(self, timeout: float = 60) -> Event:
        """The last event of the application, waited for."""

        def last() -> Event | None:
            events = read_events(self.events_file)
            if not events:
                return None
            ends = [e for e in events if e["run"]["runId"] == events[0]["run"]["runId"] and e["eventType"] != "START"]
            return ends[-1] if ends else None

        return wait_for(last, timeout)

    def _died(self) -> str:
        raise AssertionError(
            f"exit code {self.process.returncode}\n{self.output.read_text()}\n{self.errors.read_text()}"
        )


def start(
    job: SparkJob,
    program: str,
    *arguments: str,
    command: Sequence[str] = (sys.executable,),
    environment: Mapping[str, str] | None = None,
    conf: Mapping[str, str] | None = None,
) -> Running:
    """Start it with `command` (python) and the settings of `SparkJob`, stdin closed."""
    number = sum(1 for _ in job.folder.glob("running*.py"))
    script = job.folder / f"running{number or ''}.py"
    script.write_text(textwrap.dedent(program), encoding="utf-8")
    events_file = job.folder / f"events-running{number or ''}.ndjson"
    output, errors = script.with_suffix(".out"), script.with_suffix(".err")
    spark = {**SPARK_DEFAULTS, "spark.sql.warehouse.dir": str(job.folder / "warehouse"), **(conf or {})}
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            [*command, str(script), *arguments],
            cwd=job.folder,
            env=job._environment(spark, {**agent_settings(events_file), **(environment or {})}),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    return Running(process, output, errors, events_file)


def wait_for(what: Callable[[], T | None], timeout: float) -> T:
    """What a condition gives once it gives something."""
    deadline = time.monotonic() + timeout
    while (found := what()) is None or found is False:
        assert time.monotonic() < deadline, f"not within {timeout} s"
        time.sleep(0.1)
    return found


def gone(pid: int) -> bool:
    """Whether there is no such process any more; a zombie is none."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"
