# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Receivers that refuse, hang or break, and no place on disk: the job neither waits nor fails."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support.jobs import SparkJob

# Each agent in turn is attached to the same Spark, sees the same statements and is let go. All of this takes time of
# the interpreter alone: what is measured is how long the user's thread was held.
PROGRAM = """
    import json, sys, time
    from pyspark.sql import SparkSession
    import pyspark_lineage

    spark = SparkSession.builder.appName("job").getOrCreate()
    folder, targets = sys.argv[1], json.loads(sys.argv[2])

    def job(name):
        began = time.time()
        spark.range(40).selectExpr("id", "id % 7 AS k").coalesce(1).write.parquet(f"{folder}/{name}")
        table = spark.read.parquet(f"{folder}/{name}")
        rows = [table.filter(f"k = {n}").count() for n in (1, 6)]
        return rows, time.time() - began

    job("warm")
    report = {}
    for name, config in targets.items():
        agent = pyspark_lineage.attach(exitTimeoutInSeconds=2, **config)
        rows, took = job(name)
        print(name, rows)
        agent.flush(1)
        stats = agent.stats()
        began = time.time()
        if name != "mute again":
            agent.detach()
        report[name] = {"took": took, "detach": time.time() - began, "delivery": stats["delivery"],
                        "failures": stats["failures"]}
    print(json.dumps(report))
    print(time.time())
"""


@pytest.fixture
def mute() -> Iterator[str]:
    """Takes connections, and never says anything."""
    server = socket.create_server(("127.0.0.1", 0))
    held: list[socket.socket] = []

    def accept() -> None:
        while True:
            try:
                held.append(server.accept()[0])
            except OSError:
                return

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}"
    server.shutdown(socket.SHUT_RDWR)
    thread.join()
    server.close()
    for connection in held:
        connection.close()


@pytest.fixture
def broken() -> Iterator[str]:
    """Answers with the status that the path names."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(int(self.path.rpartition("/")[2]))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def refused() -> str:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        return f"http://127.0.0.1:{closed.getsockname()[1]}"


def test_receivers_and_disks_that_fail(
    spark_job: SparkJob, tmp_path: Path, events_file: Path, mute: str, broken: str
) -> None:
    (tmp_path / "a_file").write_text("x", encoding="utf-8")

    def http(url: str, endpoint: str = "lineage") -> dict[str, Any]:
        return {"transport": {"type": "http", "url": url, "endpoint": endpoint}}

    file = {"type": "file", "location": str(events_file)}
    targets = {
        "refused": http(refused()),
        "mute": http(mute),
        "500": http(broken, "status/500"),
        "400": http(broken, "status/400"),
        "no folder": {"transport": {"type": "file", "location": str(tmp_path / "a_file" / "events.ndjson")}},
        "no home": {"transport": file, "home": str(tmp_path / "a_file" / "home")},
        "mute again": http(mute),
    }
    contained = {"PYSPARK_LINEAGE_RAISE": "0"}
    on = spark_job(PROGRAM, str(tmp_path), json.dumps(targets), attached=False, environment=contained).ok()
    over = time.time()
    *lines, told, at_exit = on.stdout.splitlines(keepends=True)
    assert "".join(lines) == "".join(f"{name} [6, 5]\n" for name in targets)
    report = json.loads(told)
    for name, one in report.items():
        assert one["detach"] < 2 + 1 + 1.5, (name, one)
        assert one["took"] < 10, (name, one)
    assert over - float(at_exit) < 2 + 1 + 6
    delivery = {name: one["delivery"] for name, one in report.items()}
    for name, why in {
        "refused": "Connection refused",
        "mute": None,  # not even an answer yet
        "500": "HTTP 500",
        "no folder": "File exists",
    }.items():
        assert delivery[name]["delivered"] == 0
        assert delivery[name]["pending"] >= 6
        assert delivery[name]["lost"] == {}
        if why is not None:
            assert delivery[name]["failed_attempts"] > 0
            assert why in delivery[name]["last_error"]
    assert delivery["400"]["lost"]["rejected"] >= 6
    assert delivery["400"]["last_error"].endswith("HTTP 400")
    assert (delivery["no home"]["pending"], delivery["no home"]["lost"]) == (0, {})
    assert report["no home"]["failures"] == {"delivery.home: NotADirectoryError": 1}
    # What nobody took is on disk, for the next process that has the same receiver.
    spools = list((tmp_path / "xdg").rglob("*.db"))
    assert len({spool.parent for spool in spools}) >= 3
