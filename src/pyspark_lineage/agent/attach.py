# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`attach()`: idempotent, before or after the session exists, and never a reason for a job to fail."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyspark_lineage import config as configuration
from pyspark_lineage.agent import exit_status, launch
from pyspark_lineage.agent.process import CHILD_MARK, Host
from pyspark_lineage.agent.protocol import Closed
from pyspark_lineage.bridge import callsites, driver, hooks
from pyspark_lineage.config import Config
from pyspark_lineage.errors import FAILURES, AttachError, contain

logger = logging.getLogger(__name__)

_STILL_RUNNING = {"code": None, "error": None}  # detached, not ended: nothing went wrong so far

_lock = threading.RLock()
_agent: Agent | None = None
_said: set[str] = set()


def attach(
    spark: Any = None,
    *,
    plugins: Iterable[Any] = (),
    _cli: Mapping[str, str] | None = None,
    **config: Any,
) -> Agent:
    """Trace this driver from here on. Call it before or after the session exists; a second call changes nothing.

    Keywords are the first segment of the `spark.openlineage.*` keys, nested ones as dicts:
    `attach(namespace="shop", transport={"type": "http", "url": "https://lineage.example.com"})`. They win over
    SparkConf, `openlineage.yml` and the environment. `plugins` are factories of handlers, classes or instances.
    Where it cannot work it says why in one line and the job runs on untraced.
    """
    global _agent  # noqa: PLW0603 - one agent a process
    with _lock:
        if _agent is None or _agent.is_detached or _agent.is_inert:
            _agent = Agent(dict(config), dict(_cli or {}), _several(plugins))
        elif config or _cli or plugins:
            logger.info("The agent is attached already; what it was configured with stays until detach().")
        _agent._begin(spark)  # noqa: SLF001 - the two are one
        return _agent


def detach() -> None:
    """Let go of the driver: what was captured is delivered, and no trace is left."""
    if _agent is not None:
        _agent.detach()


class Agent:
    """A handle on the agent. Nothing it does raises into the job."""

    def __init__(self, keywords: Mapping[str, Any], cli: Mapping[str, str], plugins: tuple[Any, ...]) -> None:
        self._keywords = keywords
        self._cli = cli
        self._plugins = plugins
        self._config: Config | None = None
        self._reason: str | None = None
        self._host: Host | None = None
        self._address: driver.GatewayAddress | None = None
        self._bridge: Any = None
        self._next_id = 0
        self._talking = threading.Lock()
        self._last_stats: dict[str, Any] = {}
        self._pid = os.getpid()
        self._unhook: Callable[[], None] | None = None
        self.is_detached = False

    def __repr__(self) -> str:
        state = self._host.kind if self._host else self._reason or "waiting for Spark"
        return f"<pyspark_lineage.Agent: {'detached' if self.is_detached else state}>"

    @property
    def is_inert(self) -> bool:
        """It cannot work here, and has said why."""
        return self._reason is not None and self._host is None

    # ------------------------------------------------------------ what users call

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until what was done so far is delivered. False when that took longer, or could not be."""
        if self._host is None:
            return not self.is_detached and not self.is_inert  # no Spark so far: nothing was done
        reply = self._ask({"m": "flush", "timeout": timeout}, timeout + 1.0)
        return bool(reply and reply["ok"])

    def stats(self) -> dict[str, Any]:
        """What was captured, made, delivered and lost, and what failed, by place."""
        reply = self._ask({"m": "stats"}, 5.0)
        if reply is not None:
            self._last_stats = reply["stats"]
        host = self._host
        own = FAILURES.snapshot() if host is None or host.kind == "process" else {}
        failures = {**self._last_stats.get("failures", {})}
        for where, count in own.items():
            failures[where] = failures.get(where, 0) + count
        return {
            **self._last_stats,
            "host": host.kind if host else None,
            "alive": host is not None and host.is_alive(),
            "inert": self._reason,
            "callSites": callsites.stats(),
            "failures": failures,
        }

    def detach(self) -> None:
        """Deliver what was captured, end the agent, and leave no trace in the driver."""
        with _lock:
            if self.is_detached or os.getpid() != self._pid:
                return
            self.is_detached = True
            self._release()
            atexit.unregister(self._at_exit)

    # ------------------------------------------------------------ how it comes to be

    def _begin(self, spark: Any) -> None:
        """Attach to the context that is there, and to each that will be."""
        with contain("attach", logger=logger, on_failure=self._give_up):
            try:
                if CHILD_MARK in os.environ:
                    raise AttachError("this is the agent's own process")
                reason = driver.why_not()
                if reason is not None:
                    raise AttachError(reason)
                if self._unhook is None:
                    early = configuration.resolve(keywords=self._keywords, cli=self._cli, environ=os.environ)
                    if early.config.disabled:
                        raise AttachError(launch.SWITCHED_OFF)
                    self._unhook = hooks.when_context_appears(self._on_context)
                    atexit.register(self._at_exit)
                context = driver.active_context(spark)
                if context is not None:
                    self._on_context(context)
            except AttachError as error:
                self._stay_inert(str(error))

    def _on_context(self, context: Any) -> None:
        """A SparkContext exists: listen to it. The first one brings the bridge and the agent into being."""
        if self.is_detached or self._reason is not None or os.getpid() != self._pid:
            return
        with _lock, contain("attach.context", logger=logger, on_failure=self._give_up):
            try:
                self._listen(context)
            except AttachError as error:
                self._stay_inert(str(error))

    def _listen(self, context: Any) -> None:
        address = driver.gateway_address(context)
        if self._host is not None and (address != self._address or not self._host.is_alive()):
            self._end_conversation()  # the JVM or the agent of the contexts before is gone
        bridge = driver.connect(context)
        if self._host is None:
            if self._config is None:
                self._config = launch.configured(self._keywords, self._cli, driver.spark_conf(bridge, context))
            launch.prepared(bridge, self._config, self._plugins)
            self._bridge, self._address = bridge, address
            self._host = launch.started(address, self._config, self._plugins)
            if self._config.call_sites:
                callsites.install(bridge)
        driver.listen(bridge, context)

    def _stay_inert(self, reason: str) -> None:
        reason = reason if reason[-1:] in ".!?" else reason + "."
        logger.log(
            logging.DEBUG if reason in _said else logging.WARNING,
            "pyspark-lineage is not attached: %s The job runs untraced.",
            reason,
        )
        _said.add(reason)
        self._reason = reason
        self._release()

    def _give_up(self, error: BaseException) -> None:
        """Where not even a reason is known: the line about the failure has been said."""
        if self._host is None:
            self._reason = f"attaching failed: {type(error).__name__}."
            self._release()

    # ------------------------------------------------------------ how it ends

    def _release(self) -> None:
        """Hold nothing more of the driver's."""
        if self._unhook is not None:
            with contain("attach.unhook", logger=logger):
                self._unhook()
        with contain("attach.call_sites", logger=logger):
            callsites.uninstall()
        self._end_conversation()

    def _end_conversation(self) -> None:
        host, bridge = self._host, self._bridge
        if host is not None:
            timeout = self._exit_timeout
            self._ask({"m": "detach", "timeout": timeout, "status": _STILL_RUNNING}, timeout + 1.0)
        self._host = self._bridge = self._address = None
        if bridge is not None:
            with contain("attach.detach", logger=logger):
                driver.release(bridge)
        if host is not None:
            host.let_go(2.0)

    def _at_exit(self) -> None:
        """The last word to the agent, and a bounded wait for its answer. No py4j: its connection may be out of step."""
        if self.is_detached or os.getpid() != self._pid:
            return
        host, self.is_detached = self._host, True
        if host is None:
            if self._reason is None and driver.only_remote_sessions():
                logger.warning("No lineage of this program: %s", driver.REMOTE_SESSION)
            return
        timeout = self._exit_timeout
        with contain("attach.exit", logger=logger):
            try:
                reply = self._ask({"m": "exit", "timeout": timeout, "status": exit_status.status()}, timeout + 1.0)
            except KeyboardInterrupt:
                return  # who presses Ctrl-C while we wait does not want to wait
            if reply is None and not host.is_alive():
                logger.warning("pyspark-lineage: the agent's process had died; this run's lineage is not complete.")
            elif reply is None:
                logger.warning(
                    "pyspark-lineage: the agent did not answer within %.0f s; it may end its work later.", timeout
                )
            elif not reply["ok"]:
                delivery = reply.get("stats", {}).get("delivery", {})
                logger.warning(
                    "pyspark-lineage: not all was delivered to %s within %.0f s. %s events are kept on disk; "
                    "the next run with this transport sends them.",
                    delivery.get("target", "its receiver"),
                    timeout,
                    delivery.get("pending", "The other"),
                )
            host.let_go()

    @property
    def _exit_timeout(self) -> float:
        return self._config.exit_timeout_seconds if self._config else 10.0

    def _ask(self, message: dict[str, Any], timeout: float) -> dict[str, Any] | None:
        """The agent's answer, or None: no agent, no answer in time, or an agent that is gone."""
        host = self._host
        if host is None or os.getpid() != self._pid:
            return None
        deadline = time.monotonic() + timeout
        if not self._talking.acquire(timeout=max(0.0, timeout)):
            return None  # another thread waits for its own answer
        try:
            self._next_id += 1
            if not host.channel.send({**message, "id": self._next_id}, timeout=1.0):
                return None
            while True:
                reply = host.channel.receive(deadline - time.monotonic())
                if reply is None or reply["id"] == self._next_id:
                    return reply
        except Closed:
            FAILURES.record("agent.process", AttachError("the agent's process is gone"))
            return None
        finally:
            self._talking.release()

    def _forked(self) -> bool:
        """In a forked child of the user's process. Whether the agent is of use there: only if it had not begun."""
        self._talking = threading.Lock()
        self._pid = os.getpid() if self._host is None else -1
        if self._host is not None:
            self._host.forget()
            self._host = None
            self.is_detached = True
        return not self.is_detached


def _in_forked_child() -> None:
    """A forked child of the user's process is not the job: it neither holds the pipe nor says a last word."""
    global _agent, _lock  # noqa: PLW0603 - a lock may have been held by a thread that is not there any more
    _lock = threading.RLock()
    driver.disown()
    if _agent is not None and not _agent._forked():  # noqa: SLF001 - the two are one
        _agent = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_forked_child)


def _several(plugins: Any) -> tuple[Any, ...]:
    """One plug-in that was given without a list around it is meant all the same."""
    if isinstance(plugins, str) or not isinstance(plugins, Iterable):
        return (plugins,)
    return tuple(plugins)
