# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""openlineage-python's transports, fed with stored JSON.

Where a transport only writes the event's text (console, file, http), it is given the stored text: nothing is parsed and
serialised again, and the bytes are those that it would have written for the event. The others get the event rebuilt.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast
from urllib.parse import urljoin, urlsplit

from openlineage.client.transport import get_default_factory
from openlineage.client.transport.console import ConsoleTransport
from openlineage.client.transport.console import log as console_log
from openlineage.client.transport.file import FileTransport
from openlineage.client.transport.http import HttpTransport
from openlineage.client.transport.transport import Transport

from pyspark_lineage.delivery.defaultfile import DefaultFile
from pyspark_lineage.delivery.home import home_folder
from pyspark_lineage.delivery.rebuild import run_event
from pyspark_lineage.delivery.settings import python_settings
from pyspark_lineage.delivery.spool import SpooledEvent
from pyspark_lineage.errors import ConfigError, DeliveryError
from pyspark_lineage.redaction import redact_text

if TYPE_CHECKING:
    from pyspark_lineage.config import Config

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 5.0
# Statuses of the 4xx kind that say nothing about the event (a key ran out, a path is not there yet): try again.
PASSING = frozenset({401, 403, 404, 405, 407, 408, 421, 423, 425, 429})


class Emitter(Protocol):
    """Takes batches to one receiver."""

    batch_size: int
    """How many events to hand over at a time: few where each takes long, as an unacknowledged batch is sent again."""

    def describe(self) -> str:
        """Where the events go, without secrets."""

    def emit(self, batch: Sequence[SpooledEvent], /) -> int:
        """How many, from the front, are delivered; DeliveryError, with its cause, when the very first cannot be."""

    def close(self) -> None:
        """Let go of connections and files, in bounded time."""


def build(transport: Mapping[str, Any] | None, /, *, config: Config, own_process: bool = True) -> Emitter:
    """The emitter for `spark.openlineage.transport.*`; without any, a file in the home folder. ConfigError if wrong.

    `own_process=False`: the user's logging stays as it is.
    """
    if not transport:
        home = home_folder(config.home)
        return DefaultFile(home, max_bytes=config.default_file_max_bytes, backups=config.default_file_backups)
    settings = python_settings(transport, get_default_factory().transports)
    match settings["type"]:
        case "http":
            return HttpEmitter(_created(StoredHttpTransport, settings))
        case "file" if settings["append"] and not settings["debug_mode"]:
            return FileEmitter(_created(StoredFileTransport, settings))
        case "console":
            return ConsoleEmitter(_created(StoredConsoleTransport, settings), attach_handler=own_process)
        case "noop":
            return NoopEmitter()
    with _as_config_error(settings):
        return EventEmitter(get_default_factory().create(settings))


class StoredHttpTransport(HttpTransport):
    """`http`, posting a stored body as it would have posted the event."""

    _body = ""

    def emit_body(self, body: str, /) -> None:
        self._body = body
        response = self.emit(cast("Any", {}))
        # A POST that is redirected by 301, 302 or 303 becomes a GET: whatever answers, the event was not taken.
        if any(hop.status_code in (301, 302, 303) for hop in response.history):
            raise RuntimeError("the endpoint redirects to another address")

    def _prepare_request(self, event_str: str) -> tuple[bytes | str, dict[str, str]]:
        return super()._prepare_request(self._body)


class StoredFileTransport(FileTransport):
    """`file`, appending stored bodies, a batch in one write."""

    def emit_bodies(self, bodies: Sequence[str], /) -> None:
        with self._file_handler.open_file(self.config.log_file_path, "a") as file:
            file.write("".join([f"{body}\n" for body in bodies]))


class StoredConsoleTransport(ConsoleTransport):
    """`console`, logging stored bodies at INFO where openlineage-python logs events."""

    def emit_body(self, body: str, /) -> None:
        console_log.info(body)


class HttpEmitter:
    """`transport.type=http`."""

    batch_size = 8

    def __init__(self, transport: StoredHttpTransport, /) -> None:
        self._transport = transport
        parts = urlsplit(urljoin(transport.url, transport.endpoint))
        self._target = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    def describe(self) -> str:
        return self._target

    def emit(self, batch: Sequence[SpooledEvent], /) -> int:
        for sent, event in enumerate(batch):
            try:
                self._transport.emit_body(event.body)
            # What requests raises is an OSError; the others come from token providers.
            except (OSError, RuntimeError, ValueError, KeyError) as error:
                if sent:
                    return sent
                raise DeliveryError(f"{self._target}: {_reason(error)}") from error
        return len(batch)

    def close(self) -> None:
        self._transport.close(CLOSE_SECONDS)


class FileEmitter:
    """`transport.type=file`: one event a line."""

    batch_size = 200

    def __init__(self, transport: StoredFileTransport, /) -> None:
        self._transport = transport
        self._location = transport.config.log_file_path

    def describe(self) -> str:
        return self._location

    def emit(self, batch: Sequence[SpooledEvent], /) -> int:
        try:
            if "://" not in self._location:
                # The Java agent makes the folder as well.
                Path(self._location).parent.mkdir(parents=True, exist_ok=True)
            self._transport.emit_bodies([event.body for event in batch])
        except (OSError, ValueError, RuntimeError) as error:
            raise DeliveryError(f"{self._location}: {_reason(error)}") from error
        return len(batch)

    def close(self) -> None:
        self._transport.close(CLOSE_SECONDS)


class ConsoleEmitter:
    """`transport.type=console`: openlineage-python's logger, shown on stderr where no logging is set up."""

    batch_size = 200

    def __init__(self, transport: StoredConsoleTransport, /, *, attach_handler: bool) -> None:
        self._transport = transport
        self._handler: logging.Handler | None = None
        if attach_handler:
            self._handler = logging.StreamHandler(sys.stderr)
            self._handler.setFormatter(logging.Formatter("%(message)s"))
            console_log.addHandler(self._handler)
            console_log.setLevel(logging.INFO)
            console_log.propagate = False

    def describe(self) -> str:
        return f"the logger {console_log.name}"

    def emit(self, batch: Sequence[SpooledEvent], /) -> int:
        for event in batch:
            self._transport.emit_body(event.body)
        return len(batch)

    def close(self) -> None:
        if self._handler is not None:
            console_log.removeHandler(self._handler)
            console_log.propagate = True
            console_log.setLevel(logging.NOTSET)
            self._handler = None


class NoopEmitter:
    """`transport.type=noop`: nothing is sent."""

    batch_size = 1000

    def describe(self) -> str:
        return "nowhere (noop)"

    def emit(self, batch: Sequence[SpooledEvent], /) -> int:
        return len(batch)

    def close(self) -> None:
        """Nothing is held."""


class EventEmitter:
    """Any other transport of openlineage-python, or of the user's own: it gets the event as an object."""

    batch_size = 8

    def __init__(self, transport: Transport, /) -> None:
        self._transport = transport

    def describe(self) -> str:
        return f"the transport {self._transport.kind or type(self._transport).__name__}"

    def emit(self, batch: Sequence[SpooledEvent], /) -> int:
        for sent, event in enumerate(batch):
            try:
                self._transport.emit(run_event(event.body))
            # Anything else that a transport raises is met by the sender's containment, and tried again as well.
            except (OSError, RuntimeError, ValueError) as error:
                if sent:
                    return sent
                raise DeliveryError(f"{self.describe()}: {_reason(error)}") from error
        return len(batch)

    def close(self) -> None:
        self._transport.close(CLOSE_SECONDS)


def is_permanent(error: DeliveryError, /) -> bool:
    """The receiver looked at this very event and will never take it: HTTP 4xx, but for the ones that pass."""
    status = _status(error.__cause__)
    return status is not None and 400 <= status < 500 and status not in PASSING


def retry_after(error: DeliveryError, /) -> float:
    """How many seconds the receiver asked us to wait (429 and 503 may); 0 when it did not."""
    headers = getattr(getattr(error.__cause__, "response", None), "headers", None) or {}
    text = str(headers.get("Retry-After", ""))
    return float(text) if text.isdecimal() else 0.0


def _status(error: BaseException | None) -> int | None:
    status = getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) else None


def _reason(error: BaseException) -> str:
    """Why, in a few words, without what may hold a secret: addresses with their queries, bodies, headers."""
    status = _status(error)
    if status is not None:
        return f"HTTP {status}"
    chain = [error]
    while (inner := chain[-1].__cause__ or chain[-1].__context__) is not None and inner not in chain:
        chain.append(inner)
    system = [each for each in chain if isinstance(each, OSError) and each.errno is not None and each.strerror]
    words = [type(error).__name__]
    if system:
        words.append(str(system[-1].strerror))
    elif type(chain[-1]) is not type(error):
        words.append(type(chain[-1]).__name__)
    return ", ".join(words)


_T = TypeVar("_T", bound=Transport)


def _created(cls: type[_T], settings: dict[str, Any]) -> _T:
    with _as_config_error(settings):
        # Any: openlineage-python's transports share no typed constructor.
        return cast("_T", cast("Any", cls)(cls.config_class.from_dict(settings)))


@contextmanager
def _as_config_error(settings: Mapping[str, Any]) -> Iterator[None]:
    try:
        yield
    except (ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        raise ConfigError(f"The transport {settings['type']!r} cannot be made: {redact_text(str(error))}") from error
