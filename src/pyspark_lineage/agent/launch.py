# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""From a SparkContext to an agent that works: its configuration, what plug-ins want read, its process or thread."""

from __future__ import annotations

import base64
import logging
import os
import sys
from collections.abc import Mapping
from typing import Any

from pyspark_lineage import config as configuration
from pyspark_lineage.agent.process import Host, ProcessHost, ThreadHost
from pyspark_lineage.agent.protocol import Hello
from pyspark_lineage.bridge import driver
from pyspark_lineage.config import Config
from pyspark_lineage.config.keys import PREFIX
from pyspark_lineage.config.sources import current_folder
from pyspark_lineage.errors import AttachError, contain

logger = logging.getLogger(__name__)

SWITCHED_OFF = "it is switched off by configuration (disabled=true)"


def configured(keywords: Mapping[str, Any], cli: Mapping[str, str], spark_conf: Mapping[str, str]) -> Config:
    """The configuration from every source; what is wrong with it is said here, and only here."""
    own = {key: value for key, value in spark_conf.items() if key.startswith(PREFIX)}
    resolved = configuration.resolve(keywords=keywords, cli=cli, spark_conf=own, environ=os.environ)
    for problem in resolved.problems:
        logger.warning("pyspark-lineage: %s", problem)
    if resolved.config.transport is None and any("transport" in problem for problem in resolved.problems):
        logger.warning("pyspark-lineage: Without a transport that can be used, events go to a local file.")
    if resolved.config.disabled:
        raise AttachError(SWITCHED_OFF)
    if "OpenLineageSparkListener" in spark_conf.get("spark.extraListeners", ""):
        logger.warning(
            "pyspark-lineage: The OpenLineage Java agent is attached too (spark.extraListeners): every event will come "
            "twice. "
            "Remove one of the two."
        )
    return resolved.config


def prepared(bridge: Any, config: Config, plugins: tuple[Any, ...]) -> None:
    """Tell the bridge what to read. Plug-ins are asked here, since the agent runs only after that."""
    from pyspark_lineage.handlers.internal import discovered

    getters: list[Any] = []
    prefixes: list[str] = []
    for factory in discovered(config, plugins):
        with contain("attach.plugins", logger=logger, exits=True):
            getters += factory.jvm_getters()
            prefixes += factory.conf_prefixes()
    driver.configure(bridge, config, getters, prefixes)


def started(address: driver.GatewayAddress, config: Config, plugins: tuple[Any, ...]) -> Host:
    """The agent at work, in a process of its own or, where none can be started, in a thread."""
    pickled = b""
    if plugins:
        with contain("attach.pickle", logger=logger):  # a plug-in that holds a lock or a connection
            pickled = driver.pickled(plugins)
    hello = Hello(
        gateway={"address": address.address, "port": address.port, "secret": address.secret},
        config=configuration.to_json(config),
        sys_path=tuple(part or current_folder() for part in sys.path if isinstance(part, str)),
        plugins=base64.b64encode(pickled).decode(),
        user_pid=os.getpid(),
    )
    if config.agent_host != "thread":
        try:
            return ProcessHost(hello)
        except AttachError as error:
            if config.agent_host == "process":
                raise
            logger.warning("pyspark-lineage: The agent runs in a thread of this process, since %s.", error)
    from pyspark_lineage.agent.worker import work

    return ThreadHost(hello, work)
