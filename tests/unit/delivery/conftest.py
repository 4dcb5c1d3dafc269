# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""A real HTTP server on the loopback that behaves as a test tells it to."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from pyspark_lineage.delivery import spool as spool_module
from tests.unit.delivery.samples import Endpoint


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch):
    monkeypatch.setattr(spool_module, "_SAID", set())


@pytest.fixture
def config(tmp_path):
    return SimpleNamespace(
        home=str(tmp_path / "home"), transport=None, default_file_max_bytes=1_000_000, default_file_backups=2
    )


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet: no wait for a delayed ACK

        def do_POST(self) -> None:
            number = len(state.raw)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            state.paths.append(self.path)
            state.headers.append(dict(self.headers))
            state.raw.append(body)
            state.clients.add(self.client_address[1])
            state.arrived.set()
            status = state.answer(number)
            if status is None:
                state.released.wait(60)
                self.close_connection = True
                return
            if status < 300:
                packed = self.headers.get("Content-Encoding") == "gzip"
                state.accepted.append((gzip.decompress(body) if packed else body).decode())
            self.send_response(status)
            for name, value in state.headers_sent.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that gave up waiting."""

    server = Server(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield state
    state.released.set()
    server.shutdown()
    server.server_close()
    thread.join(10)
