# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage demo`: an ordinary pipeline, run with the agent attached, and the lineage that came out of it."""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from pyspark_lineage.cli.tree import Paint, render
from pyspark_lineage.errors import LineageError

PIPELINE = Path(__file__).with_name("demo_pipeline.py")
MARKER = ".pyspark-lineage-demo"
EVENTS = "events.ndjson"
SHOWN_OF_LOG = 30


def spark_settings(folder: Path) -> dict[str, str]:
    """Small, local and quiet; a user's own job needs none of these."""
    return {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }


def agent_settings(folder: Path) -> dict[str, str]:
    return {
        "spark.openlineage.transport.type": "file",
        "spark.openlineage.transport.location": str(folder / EVENTS),
        "spark.openlineage.namespace": "demo",
    }


def command(folder: Path) -> list[str]:
    """The line that a user would type, with this Python."""
    settings = agent_settings(folder) | spark_settings(folder)
    confs = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
    return [sys.executable, "-m", "pyspark_lineage.cli.main", "run", *confs, str(PIPELINE), str(folder)]


def prepare(folder: Path) -> None:
    """An empty folder; what an earlier demo left in it is removed, what anybody else left there is not."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARKER).exists())):
        raise LineageError(f"{folder} is there already, and no demo made it. Give --keep a new or an empty directory.")
    if (folder / MARKER).exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text("Made by pyspark-lineage demo; the next demo with --keep here starts afresh.\n")


def run_pipeline(folder: Path) -> float:
    """Runs the pipeline in `folder`; seconds that it took. What it and Spark said is in run.log."""
    log = folder / "run.log"
    begun = time.monotonic()
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    with log.open("wb") as output:
        ended = subprocess.run(
            command(folder), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            check=False,
        )  # fmt: skip
    if ended.returncode != 0:
        raise LineageError(f"the pipeline ended with exit code {ended.returncode}. Its last words:\n{_tail(log)}")
    events = folder / EVENTS
    if not events.exists() or events.stat().st_size == 0:
        raise LineageError(f"the pipeline ran, but no event came out of it. What was said:\n{_tail(log)}")
    return time.monotonic() - begun


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"  {line}" for line in lines[-SHOWN_OF_LOG:]) or "  (nothing)"


def farewell(folder: Path, *, kept: bool) -> str:
    if kept:
        events = folder / EVENTS
        where = (
            f"The events lie in {events}, one JSON object a line; the data beside them.\n"
            f"  see them again     pyspark-lineage show --base {folder} {events}\n"
        )
    else:
        where = (
            "Data and events were in a temporary folder, which is gone.\n"
            "  keep them          pyspark-lineage demo --keep DIR\n"
        )
    return (
        f"{where}"
        "  your own job       pyspark-lineage run your_job.py\n"
        "  from inside a job  import pyspark_lineage; pyspark_lineage.attach()"
    )


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="pyspark-lineage demo", description="Runs a small pipeline with the agent attached and shows its lineage."
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave data and events in DIR")
    arguments = parser.parse_args(argv)
    if importlib.util.find_spec("pyspark") is None:
        raise LineageError("the demo needs pyspark, which is not installed here: pip install 'pyspark-lineage[spark]'")

    with ExitStack() as cleanup:
        if arguments.keep is None:
            folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="pyspark-lineage-demo-"))).resolve()
        else:
            folder = arguments.keep.resolve()
        prepare(folder)
        print(f"Running {PIPELINE.name} with the agent attached; that takes some seconds.", flush=True)
        took = run_pipeline(folder)
        print(f"Done in {took:.0f} s. This is what it read and wrote:\n")
        print(render(folder / EVENTS, base=folder, paint=Paint.for_stream(sys.stdout)))
        print(f"\n{farewell(folder, kept=arguments.keep is not None)}")
    return 0
