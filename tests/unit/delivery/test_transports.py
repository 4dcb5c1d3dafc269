# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import gzip
import logging
import socket

import attr
import pytest
from openlineage.client.event_v2 import RunState
from openlineage.client.serde import Serde
from openlineage.client.transport import get_default_factory
from openlineage.client.transport.console import log as console_log
from openlineage.client.transport.file import FileConfig, FileTransport
from openlineage.client.transport.http import HttpConfig, HttpTransport
from openlineage.client.transport.transport import Config, Transport

from pyspark_lineage.delivery.defaultfile import DefaultFile
from pyspark_lineage.delivery.transports import build, is_permanent, retry_after
from pyspark_lineage.errors import ConfigError, DeliveryError
from tests.unit.delivery.samples import make_event, stored

EVENTS = [make_event(n, state) for n in (1, 2) for state in (RunState.START, RunState.COMPLETE)]
STORED = [stored(event) for event in EVENTS]


@pytest.mark.parametrize("compression", [None, "gzip"])
def test_http_sends_what_openlineage_would_have_sent(endpoint, config, compression):
    settings = {"type": "http", "url": endpoint.url, "auth": {"type": "api_key", "apiKey": "k"}}
    if compression:
        settings["compression"] = compression
    theirs = HttpTransport(HttpConfig.from_dict(settings))
    for event in EVENTS:
        theirs.emit(event)
    theirs.close()
    ours = build(settings | {"headers": {"X-Mine": "1"}, "urlParams": {"p": "q"}}, config=config)
    assert ours.emit(STORED) == len(STORED)
    ours.close()

    count = len(EVENTS)
    # gzip writes the time into its header.
    unpack = gzip.decompress if compression else bytes
    assert [unpack(raw) for raw in endpoint.raw[:count]] == [unpack(raw) for raw in endpoint.raw[count:]]
    assert endpoint.accepted[count:] == [event.body for event in STORED]
    for before, after in zip(endpoint.headers[:count], endpoint.headers[count:], strict=True):
        before.pop("Content-Length")
        after.pop("Content-Length")
        assert after == before | {"X-Mine": "1"}
    assert set(endpoint.paths[:count]) == {"/api/v1/lineage"}
    assert set(endpoint.paths[count:]) == {"/api/v1/lineage?p=q"}
    assert ours.describe() == f"{endpoint.url}/api/v1/lineage"


def test_http_keeps_its_connection(endpoint, config):
    emitter = build({"type": "http", "url": endpoint.url}, config=config)
    emitter.emit(STORED[:2])
    emitter.emit(STORED[2:])
    emitter.close()
    assert len(endpoint.raw) == len(STORED)
    assert len(endpoint.clients) == 1


def test_http_tells_how_far_it_came_then_why(endpoint, config):
    endpoint.answer = lambda n: 200 if n < 2 else 503
    endpoint.headers_sent = {"Retry-After": "7"}
    emitter = build({"type": "http", "url": endpoint.url}, config=config)
    assert emitter.emit(STORED) == 2
    with pytest.raises(DeliveryError, match=r"http://127.0.0.1:\d+/api/v1/lineage: HTTP 503") as caught:
        emitter.emit(STORED[2:])
    assert not is_permanent(caught.value)
    assert retry_after(caught.value) == 7
    # No retries but the sender's.
    assert len(endpoint.raw) == 4
    emitter.close()


@pytest.mark.parametrize(
    ("status", "permanent"),
    [(400, True), (401, False), (403, False), (404, False), (413, True), (422, True), (408, False),
     (425, False), (429, False),
     (500, False), (502, False), (503, False), (504, False), (302, False)],
)  # fmt: skip
def test_which_answers_are_final(endpoint, config, status, permanent):
    endpoint.answer = lambda _: status
    endpoint.headers_sent = {"Location": "/elsewhere"} if status == 302 else {}
    emitter = build({"type": "http", "url": endpoint.url}, config=config)
    with pytest.raises(DeliveryError) as caught:
        emitter.emit(STORED[:1])
    assert is_permanent(caught.value) is permanent
    assert len(endpoint.raw) == 1
    emitter.close()


def test_refused_and_silent_endpoints_name_their_reason_and_no_secret(endpoint, config):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    emitter = build(
        {"type": "http", "url": f"http://u:hunter2@127.0.0.1:{port}", "urlParams": {"k": "s3cr3t"}}, config=config
    )
    with pytest.raises(DeliveryError, match=r"lineage: ConnectionError, Connection refused$") as caught:
        emitter.emit(STORED)
    assert not is_permanent(caught.value)
    assert "hunter2" not in str(caught.value) + emitter.describe()
    assert "s3cr3t" not in str(caught.value) + emitter.describe()
    emitter.close()

    endpoint.answer = lambda _: None
    emitter = build({"type": "http", "url": endpoint.url, "timeoutInMillis": 100}, config=config)
    with pytest.raises(DeliveryError, match="ReadTimeout"):
        emitter.emit(STORED)
    emitter.close()


def test_file_writes_what_openlineage_would_have_written(tmp_path, config):
    theirs = FileTransport(FileConfig(log_file_path=str(tmp_path / "theirs"), append=True))
    for event in EVENTS:
        theirs.emit(event)
    ours = build({"type": "file", "location": str(tmp_path / "new" / "ours")}, config=config)
    assert ours.emit(STORED[:3]) == 3
    assert ours.emit(STORED[3:]) == 1
    ours.close()
    assert (tmp_path / "new" / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()


def test_file_that_cannot_be_written(tmp_path, config):
    emitter = build({"type": "file", "location": str(tmp_path)}, config=config)
    with pytest.raises(DeliveryError, match="IsADirectoryError, Is a directory"):
        emitter.emit(STORED)


def test_a_file_an_event_is_left_to_openlineage(tmp_path, config):
    emitter = build({"type": "file", "log_file_path": str(tmp_path / "e"), "append": False}, config=config)
    assert emitter.emit(STORED) == len(STORED)
    written = [path.read_text() for path in sorted(tmp_path.glob("e-*.json"))]
    assert written == [f"{event.body}\n" for event in STORED]


def test_console_is_openlineages_logger_on_stderr(config, capsys, caplog):
    emitter = build({"type": "console"}, config=config)
    assert emitter.emit(STORED) == len(STORED)
    assert capsys.readouterr().err.splitlines() == [event.body for event in STORED]
    emitter.close()
    emitter.emit(STORED)
    assert capsys.readouterr().err == ""
    assert (console_log.handlers, console_log.level, console_log.propagate) == ([], logging.NOTSET, True)

    records: dict[str, list[logging.LogRecord]] = {"theirs": [], "ours": []}
    with caplog.at_level(logging.INFO, logger=console_log.name):
        theirs = get_default_factory().create({"type": "console"})
        for event in EVENTS:
            theirs.emit(event)
        records["theirs"] = list(caplog.records)
        caplog.clear()
        emitter = build({"type": "console"}, config=config, own_process=False)
        emitter.emit(STORED)
        emitter.close()
        records["ours"] = list(caplog.records)
    seen = {who: [(each.name, each.levelname, each.getMessage()) for each in found] for who, found in records.items()}
    assert seen["ours"] == seen["theirs"]


@attr.define
class CollectingConfig(Config):
    key: str = ""

    @classmethod
    def from_dict(cls, params):
        return cls(key=params["key"])


class Collecting(Transport):
    kind = "collecting"
    config_class = CollectingConfig
    seen: list = []  # noqa: RUF012

    def __init__(self, config):
        self.config = config

    def emit(self, event):
        if len(self.seen) == 3:
            raise RuntimeError("no more")
        self.seen.append((self.config.key, event))


def test_a_transport_of_the_users_own_gets_the_event(config, monkeypatch):
    monkeypatch.setattr(Collecting, "seen", [])
    monkeypatch.setitem(get_default_factory().transports, "collecting", Collecting)
    emitter = build({"type": "collecting", "key": "k"}, config=config)
    assert emitter.emit(STORED) == 3
    assert [key for key, _ in Collecting.seen] == ["k"] * 3
    assert [Serde.to_json(event) for _, event in Collecting.seen] == [event.body for event in STORED[:3]]
    with pytest.raises(DeliveryError, match="the transport collecting: RuntimeError"):
        emitter.emit(STORED[3:])
    emitter.close()


def test_composite_is_openlineages_and_its_children_understand_java_keys(tmp_path, endpoint, config):
    settings = {
        "type": "composite",
        "transports": [{"type": "file", "location": str(tmp_path / "f")}, {"type": "http", "url": endpoint.url}],
    }
    emitter = build(settings, config=config)
    assert emitter.emit(STORED) == len(STORED)
    emitter.close()
    assert endpoint.accepted == (tmp_path / "f").read_text().splitlines() == [event.body for event in STORED]


def test_noop(config):
    emitter = build({"type": "noop"}, config=config)
    assert emitter.emit(STORED) == len(STORED)
    emitter.close()


@pytest.mark.unchecked_events("one event, not a whole job")
def test_without_configuration_it_is_the_default_file(config, tmp_path):
    emitter = build(None, config=config)
    assert isinstance(emitter, DefaultFile)
    assert emitter.emit(STORED[:2]) == 2
    assert (tmp_path / "home" / "events.ndjson").read_text().splitlines() == [event.body for event in STORED[:2]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"type": "htpp"}, "Did you mean 'http'"),
        ({"type": "no.such.Transport"}, "'no.such.Transport' cannot be made: Failed to import"),
        ({"type": "kafka", "topicName": "t"}, "'kafka' cannot be made: .*config"),
        ({"type": "http", "url": "http://h", "auth": {"type": "api_key"}}, "'http' cannot be made: .*apiKey"),
        ({"type": "http", "url": "http://h", "auth": {"type": "no.Such"}}, "'http' cannot be made: Failed to import"),
    ],
)
def test_a_transport_that_cannot_be_made_is_a_config_error(settings, message, config):
    with pytest.raises(ConfigError, match=message):
        build(settings, config=config)
