# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The agent's work: pull what the bridge captured, make events of it, spool them; beside it a sender empties the spool.

One function over a bridge connection and a channel. It runs in the agent's process or, where none can be started,
in a thread of the user's process.
"""

from __future__ import annotations

import base64
import logging
import os
import pickle
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from pyspark_lineage import config as configuration
from pyspark_lineage.agent.protocol import Channel, Closed, Hello
from pyspark_lineage.agent.run_log import RunLog
from pyspark_lineage.bridge.client import BridgeClient
from pyspark_lineage.bridge.driver import GatewayAddress
from pyspark_lineage.delivery.pipeline import Delivery
from pyspark_lineage.delivery.spool import SpooledEvent
from pyspark_lineage.errors import FAILURES, BridgeError, LineageError, contain
from pyspark_lineage.events.lifecycle import Lifecycle, Made
from pyspark_lineage.handlers.internal import load_factories

if TYPE_CHECKING:
    from types import FrameType

    from pyspark_lineage.bridge.messages import Batch

logger = logging.getLogger(__name__)

_IDLE_POLL_S = 10.0
_LINGER_S = 0.1
_AFTER_KILL_S = 30.0  # how long the agent goes on after the user's process was killed
_AFTER_EXIT_S = 30.0  # how long it goes on sending after the user's process ended in order
_HANGS_AFTER_S = 11.0  # for one message; the runner stops asking handlers after 10 s
_MOST_BAD_REPLIES = 10  # of the bridge, in a row


def work(hello: Hello, channel: Channel) -> None:
    """Serve one user's process until it is gone."""
    try:
        with contain("agent.worker", logger=logger):
            _Worker(hello, channel).serve()
    finally:
        channel.close()


class _Worker:
    def __init__(self, hello: Hello, channel: Channel) -> None:
        self._hello = hello
        self._channel = channel
        self._config = configuration.from_json(dict(hello.config))
        factory = load_factories(self._config, _plugins(hello))
        self._lifecycle = Lifecycle(self._config, factory)
        self._delivery = Delivery(self._config, own_process=hello.user_pid != os.getpid())
        self._run_log = RunLog(self._config, self._delivery.target)
        self._client: BridgeClient | None = None
        self._state: dict[str, Any] = {}
        self._lock = threading.Condition()
        self._passes = 0  # polls that came back
        self._stopping = False
        self._jvm_gone = False
        self._busy_since: float | None = None  # the capture thread took up a message then, and is at it still
        self._hang: float | None = None  # the `_busy_since` that was told
        self._raised: Exception | None = None  # what ended the capture thread where failures are re-raised
        self._keeping = threading.Lock()
        self._closed = False  # the last events are made: what a hanging handler brings after all comes too late
        self._capture = threading.Thread(target=self._capture_loop, name="pyspark-lineage-capture", daemon=True)

    # ------------------------------------------------------------ the conversation

    def serve(self) -> None:
        self._delivery.start()
        self._capture.start()
        try:
            while True:
                message = self._channel.receive(timeout=1.0)
                self._watch()
                if message is None:
                    if self._orphaned():
                        raise Closed
                    continue
                if self._answer(message):
                    return
        except Closed:
            self._after_kill()

    def _answer(self, message: dict[str, Any]) -> bool:
        """True when that was the last word."""
        kind = message["m"]
        timeout = float(message.get("timeout", 10.0))
        reply: dict[str, Any] = {"id": message["id"], "ok": True}
        last = kind in ("exit", "detach")
        with contain("agent.answer", logger=logger):
            if kind == "flush":
                reply["ok"] = self._flush(timeout)
            elif last:
                deadline = time.monotonic() + timeout
                self._catch_up(timeout * 0.7)
                whole = self._end(message.get("status"), (deadline - time.monotonic()) * 0.5)
                reply["ok"] = self._delivery.drain(max(0.05, deadline - time.monotonic())) and whole
            reply["stats"] = self.stats()
        sent = False
        try:
            sent = self._channel.send(reply, timeout=1.0)
        except Closed:
            logger.debug("nobody waited for the answer to %s", kind)
        if last:
            self._finish(drained=sent and bool(reply["ok"]))
        return last

    def stats(self) -> dict[str, Any]:
        return {
            "agent": {"pid": os.getpid(), "jvmGone": self._jvm_gone, "polls": self._passes},
            "bridge": dict(self._state),
            "runs": self._lifecycle.stats(),
            "delivery": self._delivery.stats(),
            "failures": FAILURES.snapshot(),
        }

    def _flush(self, timeout: float) -> bool:
        """All that the user's process did before it asked: captured, made into events, delivered."""
        deadline = time.monotonic() + timeout
        caught_up = self._catch_up(timeout)
        return self._delivery.drain(max(0.0, deadline - time.monotonic())) and caught_up

    def _catch_up(self, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        client = self._client_when_connected(timeout)
        if client is None or self._hangs():
            return False
        try:
            client.flush(timeout)
            with self._lock:
                # the pass that is under way may have begun before the flush: the one after it has not
                target = self._passes + 2
                while not self._jvm_gone and (self._passes < target or self._state.get("waiting")):
                    left = deadline - time.monotonic()
                    if left <= 0:
                        return False
                    self._lock.release()
                    try:
                        client.wake()
                    finally:
                        self._lock.acquire()
                    self._lock.wait(min(left, 0.05))
        except BridgeError:
            return False
        return True

    def _orphaned(self) -> bool:
        """The user's process is gone although somebody (a forked child) still holds the pipe."""
        return self._hello.user_pid not in (0, os.getpid()) and os.getppid() != self._hello.user_pid

    def _after_kill(self) -> None:
        """No last word: the user's process was killed. The JVM ends too, and says what it still has to say."""
        deadline = time.monotonic() + _AFTER_KILL_S
        with self._lock:
            while not (self._jvm_gone or (self._state.get("contextEnded") and not self._state.get("waiting"))):
                if time.monotonic() > deadline:
                    break
                self._lock.wait(0.1)
        with contain("agent.after_kill", logger=logger):
            self._end(None, 5.0)
        self._finish(drained=False)

    def _end(self, status: dict[str, Any] | None, timeout: float) -> bool:
        """The last events; False when the capture thread could not be waited for, since a handler hangs."""
        self._stop_capture(timeout)
        self._watch()
        if not self._capture.is_alive():
            self._keep(self._lifecycle.end(status))
            return True
        self._tell_hang()
        with self._keeping:
            self._closed = True
        self._deliver(self._lifecycle.cut_short(status))
        return False

    # ------------------------------------------------------------ handlers that hang

    def _watch(self) -> None:
        """Looks after the capture thread, from the thread that talks: its failures where they are re-raised, hangs."""
        if self._raised is not None:
            raise self._raised
        since = self._busy_since
        if since is not None and since != self._hang and time.monotonic() - since > _HANGS_AFTER_S:
            self._tell_hang()

    def _hangs(self) -> bool:
        return self._hang is not None and self._hang == self._busy_since

    def _tell_hang(self) -> None:
        """Nothing can interrupt a handler that does not return: it is named and counted. The job never waits for it."""
        if self._hangs():
            return
        self._hang = self._busy_since
        frame = sys._current_frames().get(self._capture.ident or 0)  # noqa: SLF001 - the only way to another thread
        where = _entered(frame)
        with contain(f"agent.hang in {where}", logger=logger):
            raise TimeoutError(f"{where} does not return: no lineage is captured while it runs")

    def _finish(self, *, drained: bool) -> None:
        with contain("agent.finish", logger=logger):
            if self._client is not None and not self._jvm_gone:
                try:
                    self._client.release()
                except BridgeError:
                    logger.debug("the driver's JVM was gone already")
        with contain("agent.finish", logger=logger):
            self._delivery.close(timeout=0.0 if drained else _AFTER_EXIT_S)

    # ------------------------------------------------------------ the capture thread

    def _capture_loop(self) -> None:
        try:
            with contain("agent.connect", logger=logger):
                gateway = GatewayAddress(**self._hello.gateway)
                client = BridgeClient(gateway)
                with self._lock:
                    self._client = client
                    self._lock.notify_all()
            with contain("agent.capture", logger=logger):
                self._capture_from(self._client)
        except Exception as error:
            self._raised = error
            raise
        finally:
            with self._lock:
                self._jvm_gone = not self._stopping
                self._lock.notify_all()

    def _capture_from(self, client: BridgeClient | None) -> None:
        bad = 0
        while client is not None and not self._stopping and bad < _MOST_BAD_REPLIES:
            try:
                batch = client.poll(_IDLE_POLL_S, _LINGER_S)
            except BridgeError as error:
                if client.is_gone:
                    # not worth a word where the user's process was killed; else `stats` has it
                    FAILURES.record("bridge.poll", error)
                    logger.debug("%s", error)
                    return
                with contain("bridge.poll", logger=logger):
                    raise
                bad += 1
                time.sleep(0.1)
                continue
            bad = 0
            with contain("agent.capture", logger=logger):
                self._take(batch)
            with self._lock:
                self._state = dict(batch.state)
                self._passes += 1
                self._lock.notify_all()

    def _take(self, batch: Batch) -> None:
        for why in batch.lost:
            with contain("bridge.lost", logger=logger):
                raise BridgeError(why)
        for captured in batch.messages:
            if self._closed:
                return
            self._busy_since = time.monotonic()
            try:
                with contain("agent.lifecycle", logger=logger):
                    self._keep(self._lifecycle.on(captured))
            except SystemExit as error:
                with contain("agent.lifecycle", logger=logger):
                    raise LineageError("a plug-in called sys.exit()") from error
            finally:
                self._busy_since = None
        self._delivery.commit()

    def _keep(self, made: list[Made]) -> None:
        with self._keeping:
            if not self._closed:
                self._deliver(made)

    def _deliver(self, made: list[Made]) -> None:
        self._delivery.append(SpooledEvent(one.run_id, one.event_type, one.body) for one in made)
        for one in made:
            self._run_log.tell(one)

    def _client_when_connected(self, timeout: float) -> BridgeClient | None:
        with self._lock:
            self._lock.wait_for(lambda: self._client is not None or self._jvm_gone, timeout)
            return self._client

    def _stop_capture(self, timeout: float) -> None:
        self._stopping = True
        if self._client is not None and not self._jvm_gone:
            try:
                self._client.wake()
            except BridgeError:
                logger.debug("the driver's JVM was gone already")
        self._capture.join(max(0.1, timeout))


def _plugins(hello: Hello) -> tuple[Any, ...]:
    """Plug-ins that were given as objects: classes of a notebook or of `__main__` come by value."""
    loaded: tuple[Any, ...] = ()
    if hello.plugins:
        with contain("agent.plugins", logger=logger, exits=True):
            loaded = tuple(pickle.loads(base64.b64decode(hello.plugins)))
    return loaded


def _entered(frame: FrameType | None) -> str:
    """Where a thread left our own code: the handler that was called, or the innermost function of ours."""
    found = innermost = frame
    while frame is not None and not _ours(frame):
        found, frame = frame, frame.f_back
    if frame is None:
        found = innermost
    if found is None:
        return "an unknown place"
    name = getattr(found.f_code, "co_qualname", found.f_code.co_name)  # co_qualname: Python 3.11
    return f"{found.f_globals.get('__name__')}.{name}"


def _ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("pyspark_lineage.")
