# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What it costs to begin: `import pyspark_lineage`, and `attach()` in a fresh program whose session exists."""

from __future__ import annotations

import functools
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.arms import OFF, run_driver
from benchmarks.driver import Driver
from benchmarks.intervals import Interval, median_interval
from benchmarks.pairs import Settings
from benchmarks.report import Section, Table, between
from benchmarks.tree import times_of

_IMPORT = "import time; t = time.perf_counter(); import pyspark_lineage; print(time.perf_counter() - t)"


class Import:
    """`import pyspark_lineage` in fresh interpreters."""

    name = "import"
    title = "import pyspark_lineage"

    def run(self, settings: Settings) -> Section:
        count = settings.pick(20, 10)
        imports = [_seconds(_IMPORT) for _ in range(count)]
        bare = [_wall("pass") for _ in range(count)]
        whole = [_wall("import pyspark_lineage") for _ in range(count)]
        rows = (
            ("the import statement", between(median_interval(imports), digits=1, scale=1000)),
            ("an interpreter that imports it", between(median_interval(whole), digits=1, scale=1000)),
            ("an interpreter that does nothing", between(median_interval(bare), digits=1, scale=1000)),
        )
        return Section(
            self.name, self.title, (Table(("", "ms"), rows),), (f"{count} processes each.",), {"seconds": imports}
        )


def _seconds(program: str) -> float:
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def _wall(program: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - started


class Attach:
    """`attach()` for the first time in a program."""

    name = "attach"
    title = "attach() in a fresh program"
    _parts = (
        ("total", "import and attach()"),
        ("import", "of it: importing what attach() needs"),
        ("compile", "of it: compiling the bridge"),
        ("start", "of it: starting the agent's process"),
        ("rest", "of it: the rest"),
        ("ready", "then, in the agent: until it answers, with nothing to do"),
    )

    def run(self, settings: Settings) -> Section:
        count = settings.pick(5, 3)
        found = [run_driver(OFF, "start:attach", {}).inside["attach"] for _ in range(count)]

        def of(part: str) -> Interval:
            return median_interval([one[part] for one in found])

        rows = [(label, between(of(part), digits=0, scale=1000)) for part, label in self._parts]
        cpu = [
            (f"{kind} until then", between(of(f"cpu_{kind}"), digits=0, scale=1000))
            for kind in ("python", "jvm", "agent")
        ]
        tables = (Table(("wall time", "ms"), tuple(rows)), Table(("processor time", "ms"), tuple(cpu)))
        return Section(self.name, self.title, tables, (f"{count} programs.",), {"runs": found})


def attach(driver: Driver) -> None:
    """Attach once, with a watch on its parts."""
    driver.settle()
    before, started = times_of(), time.perf_counter()
    import pyspark_lineage
    from pyspark_lineage.agent import attach as _  # noqa: F401 - imported here to be measured apart
    from pyspark_lineage.agent import process
    from pyspark_lineage.bridge import driver as bridge_driver

    imported = time.perf_counter()
    parts: dict[str, float] = {}
    bridge_driver._compile = _timed(bridge_driver._compile, parts, "compile")
    process.ProcessHost.__init__ = _timed(process.ProcessHost.__init__, parts, "start")  # type: ignore[method-assign]
    agent = pyspark_lineage.attach(
        driver.spark,
        transport={"type": "file", "location": str(driver.folder / "events.ndjson")},
        home=str(driver.folder / "home"),
    )
    attached = time.perf_counter()
    assert agent.flush(30.0)
    ready = time.perf_counter()
    spent = times_of() - before
    driver.found["attach"] = {
        "total": attached - started,
        "import": imported - started,
        **parts,
        "rest": attached - imported - sum(parts.values()),
        "ready": ready - attached,
        **{f"cpu_{kind}": getattr(spent, kind) for kind in ("python", "jvm", "agent")},
    }


def _timed(function: Callable[..., Any], into: dict[str, float], name: str) -> Any:
    @functools.wraps(function)
    def timed(*args: Any, **kwargs: Any) -> Any:
        started = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            into[name] = into.get(name, 0.0) + time.perf_counter() - started

    return timed


BENCHMARKS = (Import(), Attach())
