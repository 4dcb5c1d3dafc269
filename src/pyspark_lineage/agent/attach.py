# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`attach()`: idempotent, before or after the session exists, and never a reason for a job to fail."""

from __future__ import annotations

import atexit
import base64
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyspark_lineage import config as configuration
from pyspark_lineage.agent import exit_status
from pyspark_lineage.agent.process import CHILD_MARK, Host, ProcessHost, ThreadHost
from pyspark_lineage.agent.protocol import Closed, Hello
from pyspark_lineage.bridge import callsites, driver, hooks
from pyspark_lineage.config import Config
from pyspark_lineage.errors import FAILURES, AttachError, contain

logger = logging.getLogger(__name__)

_lock = threading.RLock()
_agent: Agent | None = None


def attach(
    spark: Any = None,
    /,
    *,
    cli: Mapping[str, str] | None = None,
    plugins: Iterable[Any] = (),
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
        if _agent is None or _agent.is_detached:
            _agent = Agent(dict(config), dict(cli or {}), tuple(plugins))
        elif config or cli:
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
        self._bridge: Any = None
        self._contexts = 0
        self._next_id = 0
        self._last_stats: dict[str, Any] = {}
        self._pid = os.getpid()
        self._begun = False
        self._unhook: Callable[[], None] = _nothing
        self.is_detached = False

    def __repr__(self) -> str:
        state = (
            "detached" if self.is_detached else self._reason or (self._host.kind if self._host else "waiting for Spark")
        )
        return f"<pyspark_lineage.Agent: {state}>"

    # ------------------------------------------------------------ what users call

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until what was done so far is delivered. False when that took longer, or could not be."""
        reply = self._ask({"m": "flush", "timeout": timeout}, timeout + 1.0)
        return bool(reply and reply["ok"])

    def stats(self) -> dict[str, Any]:
        """What was captured, made, delivered and lost, and what failed, by place."""
        reply = self._ask({"m": "stats"}, 5.0)
        if reply is not None:
            self._last_stats = reply["stats"]
        alive = self._host is not None and self._host.is_alive()
        own = FAILURES.snapshot() if self._host is None or self._host.kind == "process" else {}
        failures = {**self._last_stats.get("failures", {})}
        for where, count in own.items():
            failures[where] = failures.get(where, 0) + count
        return {
            **self._last_stats,
            "host": self._host.kind if self._host else None,
            "alive": alive,
            "inert": self._reason,
            "callSites": callsites.stats(),
            "failures": failures,
        }

    def detach(self) -> None:
        """Deliver what was captured, end the agent, and leave no trace in the driver."""
        with _lock:
            if self.is_detached:
                return
            self.is_detached = True
            self._unhook()
            with contain("attach.call_sites", logger=logger):
                callsites.uninstall()
            timeout = self._config.exit_timeout_seconds if self._config else 10.0
            self._ask({"m": "detach", "timeout": timeout}, timeout + 1.0)
            if self._bridge is not None:
                with contain("attach.detach", logger=logger):
                    self._bridge.detach()
                self._bridge = None
            if self._host is not None:
                self._host.let_go()
                self._host = None
            atexit.unregister(self._at_exit)

    # ------------------------------------------------------------ how it comes to be

    def _begin(self, spark: Any) -> None:
        """Attach to the context that is there, and to each that will be."""
        if self._reason is not None:
            return
        try:
            if CHILD_MARK in os.environ:
                raise AttachError("this is the agent's own process")
            reason = driver.why_not()
            if reason is not None:
                raise AttachError(reason)
            first = not self._begun
            self._begun = True
            if first:
                early = configuration.resolve(keywords=self._keywords, cli=self._cli, environ=os.environ)
                if early.config.disabled:
                    raise AttachError("it is switched off by configuration (disabled=true)")
                self._unhook = hooks.when_context_appears(self._on_context)
            context = driver.active_context(spark)
            if context is not None:
                self._on_context(context)
        except AttachError as error:
            self._stay_inert(str(error))

    def _stay_inert(self, reason: str) -> None:
        self._reason = reason
        self._unhook()
        logger.warning(
            "pyspark-lineage is not attached: %s The job runs untraced.",
            reason if reason[-1:] in ".!?" else reason + ".",
        )

    def _on_context(self, context: Any) -> None:
        """A SparkContext exists: listen to it. The first one brings the bridge and the agent into being."""
        if self.is_detached or self._reason is not None:
            return
        with _lock, contain("attach.context", logger=logger):
            try:
                self._listen(context)
            except AttachError as error:
                self._stay_inert(str(error))

    def _listen(self, context: Any) -> None:
        bridge = driver.connect(context)
        if self._host is None:
            config = self._resolve(driver.spark_conf(bridge, context))
            if config.disabled:
                raise AttachError("it is switched off by configuration (disabled=true)")
            getters, prefixes = _declared(config, self._plugins)
            driver.configure(bridge, config, getters, prefixes)
            self._host = self._start(context, config)
            os.register_at_fork(after_in_child=self._in_forked_child)
            atexit.register(self._at_exit)
            self._bridge = bridge
            if config.call_sites:
                callsites.install(bridge)
        driver.listen(bridge, context)
        self._contexts += 1

    def _resolve(self, spark_conf: Mapping[str, str]) -> Config:
        own = {k: v for k, v in spark_conf.items() if k.startswith("spark.openlineage.")}
        resolved = configuration.resolve(keywords=self._keywords, cli=self._cli, spark_conf=own, environ=os.environ)
        for problem in resolved.problems:
            logger.warning("%s", problem)
        if "OpenLineageSparkListener" in spark_conf.get("spark.extraListeners", ""):
            logger.warning(
                "The OpenLineage Java agent is attached too (spark.extraListeners): every event will come twice. "
                "Remove one of the two."
            )
        self._config = resolved.config
        return resolved.config

    def _start(self, context: Any, config: Config) -> Host:
        address = driver.gateway_address(context)
        hello = Hello(
            gateway={"address": address.address, "port": address.port, "secret": address.secret},
            config=configuration.to_json(config),
            sys_path=tuple(p or os.getcwd() for p in sys.path),
            plugins=base64.b64encode(driver.pickled(self._plugins)).decode() if self._plugins else "",
            user_pid=os.getpid(),
        )
        if config.agent_host != "thread":
            try:
                return ProcessHost(hello)
            except AttachError as error:
                if config.agent_host == "process":
                    raise
                logger.warning("The agent runs in a thread of this process, since %s.", error)
        from pyspark_lineage.agent.worker import work

        return ThreadHost(hello, work)

    # ------------------------------------------------------------ how it ends

    def _at_exit(self) -> None:
        """The last word to the agent, and a bounded wait for its answer. No py4j: its connection may be out of step."""
        if os.getpid() != self._pid or self._host is None or self.is_detached:
            return
        timeout = self._config.exit_timeout_seconds if self._config else 10.0
        with contain("attach.exit", logger=logger):
            reply = self._ask({"m": "exit", "timeout": timeout, "status": exit_status.status()}, timeout + 1.0)
            if reply is None and not self._host.is_alive():
                logger.warning("The lineage agent's process had died; the lineage of this run is not complete.")
            elif reply is None or not reply["ok"]:
                logger.warning(
                    "Not all lineage was delivered within %.0f s; the rest is kept and sent next time.", timeout
                )
            self._host.let_go()
        self.is_detached = True

    def _in_forked_child(self) -> None:
        """A forked child of the user's process is not the job: it neither holds the pipe nor says a last word."""
        global _agent  # noqa: PLW0603
        if self._host is not None:
            self._host.forget()
            self._host = None
        self.is_detached = True
        _agent = None

    def _ask(self, message: dict[str, Any], timeout: float) -> dict[str, Any] | None:
        """The agent's answer, or None: no agent, no answer in time, or an agent that is gone."""
        with _lock:
            if self._host is None or os.getpid() != self._pid:
                return None
            self._next_id += 1
            channel = self._host.channel
            try:
                if not channel.send({**message, "id": self._next_id}, timeout=1.0):
                    return None
                while True:
                    reply = channel.receive(timeout)
                    if reply is None or reply["id"] == self._next_id:
                        return reply
            except Closed:
                FAILURES.record("agent.process", AttachError("the agent's process is gone"))
                return None


def _nothing() -> None:
    """Where there is no hook to remove."""


def _declared(config: Config, plugins: tuple[Any, ...]) -> tuple[list[Any], list[str]]:
    """What plug-ins want read in the JVM: asked here, since the bridge is configured before the agent runs."""
    from pyspark_lineage.handlers.internal import discovered

    getters: list[Any] = []
    prefixes: list[str] = []
    for factory in discovered(config, plugins):
        with contain("attach.plugins", logger=logger):
            getters += factory.jvm_getters()
            prefixes += factory.conf_prefixes()
    return getters, prefixes
