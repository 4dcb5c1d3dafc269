# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The user's side of the bridge: is there a driver here, and Bridge.java compiled into it and listening."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

from pyspark_lineage.bridge.source import bridge_source
from pyspark_lineage.errors import AttachError
from pyspark_lineage.redaction import SECRET_NAME_PATTERN

if TYPE_CHECKING:
    from pyspark_lineage.config import Config
    from pyspark_lineage.contract import JvmGetter

OLDEST_SPARK = (3, 5)
REMOTE_SESSION = (
    "This is a Spark Connect session and no Spark runs in this process: "
    "attach the agent where the Connect server's driver runs."
)
BRIDGE_PROPERTY = "pyspark_lineage.bridge"
_BRIDGE_CLASS = "pyspark_lineage.Bridge"
_CONNECT = "pyspark.sql.connect.session"

_LOG = logging.getLogger(__name__)

CONF_PREFIXES = (
    "spark.openlineage.",
    "spark.app.",
    "spark.master",
    "spark.submit.deployMode",
    "spark.extraListeners",
    "spark.sql.warehouse.dir",
    "spark.sql.catalogImplementation",
    "spark.sql.catalog.",
    "spark.sql.defaultCatalog",
    "spark.sql.hive.metastore.uris",
    "spark.hadoop.hive.metastore.",
    "spark.glue.",
)
HADOOP_KEYS = ("fs.defaultFS", "hive.metastore.uris", "hive.metastore.client.factory.class")


@dataclass(frozen=True, slots=True)
class GatewayAddress:
    """Where another process reaches the driver's JVM. The secret travels over a pipe, never in arguments or in the
    environment."""

    address: str
    port: int
    secret: str | None

    def __repr__(self) -> str:
        return f"GatewayAddress({self.address}:{self.port})"


def why_not() -> str | None:
    """The reason why no agent can work in this Python process, or None. Imports nothing that the user did not."""
    spec = importlib.util.find_spec("pyspark") if "pyspark" not in sys.modules else None
    if spec is None and "pyspark" not in sys.modules:
        return "pyspark is not installed in this Python. Install it, or put SPARK_HOME/python on PYTHONPATH."
    version = getattr(sys.modules.get("pyspark"), "__version__", None) or _version_in_file(spec)
    if version and _release(version) < OLDEST_SPARK:
        return _too_old(version)
    if "py4j" not in sys.modules and importlib.util.find_spec("py4j") is None and not os.environ.get("SPARK_HOME"):
        return "py4j is not installed: this looks like a pure Spark Connect client. Trace its server where that runs."
    return None


def _version_in_file(spec: ModuleSpec | None) -> str:
    """What `pyspark.__version__` will be. Not the metadata: a SPARK_HOME/python on the path comes before it."""
    if spec is None or not spec.origin or spec.loader is None or not hasattr(spec.loader, "get_data"):
        return ""
    try:
        data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), "version.py"))
    except OSError:
        return ""
    found = re.search(rb"^__version__[^=]*=\s*[\"']([^\"']+)", data, re.MULTILINE)
    return found[1].decode() if found else ""


def _too_old(version: str) -> str:
    return f"Spark {version} is older than {'.'.join(map(str, OLDEST_SPARK))}, the oldest that is supported."


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


def active_context(spark: Any = None) -> Any | None:
    """The classic SparkContext to attach to: the given session's (or the context itself), else the active one."""
    pyspark = sys.modules.get("pyspark")
    active = getattr(getattr(pyspark, "SparkContext", None), "_active_spark_context", None)
    if spark is None:
        if active is None and _remote_session() is not None:
            raise AttachError(REMOTE_SESSION)
        return active
    if ".connect." in f"{type(spark).__module__}.":
        if active is None:
            raise AttachError(REMOTE_SESSION)
        return active
    context = getattr(spark, "sparkContext", spark)
    if not hasattr(context, "_jsc"):
        raise AttachError(f"attach() takes a SparkSession or a SparkContext, not {type(spark).__qualname__}.")
    return context if context._jsc is not None else active  # stopped: the next one is meant


def disown() -> None:
    """In a forked child: the gateway that came with it is the parent's, and a call on its connection breaks the job."""
    global _parents_gateway  # noqa: PLW0603 - set once, in a new process
    _parents_gateway = getattr(getattr(sys.modules.get("pyspark"), "SparkContext", None), "_gateway", None)


_parents_gateway: Any = None


def _is_parents(gateway: Any) -> bool:
    if _parents_gateway is not None:
        return gateway is _parents_gateway
    jvm = getattr(gateway, "proc", None)  # where pyspark started the JVM, it is this process's child
    try:
        with open(f"/proc/{jvm.pid}/stat", encoding="utf-8") as stat:  # type: ignore[union-attr]
            return int(stat.read().rpartition(")")[2].split()[1]) != os.getpid()
    except (AttributeError, OSError, ValueError, IndexError):
        return False


def only_remote_sessions() -> bool:
    """Whether this program used Spark Connect and nothing else."""
    context = getattr(sys.modules.get("pyspark"), "SparkContext", None)
    return _CONNECT in sys.modules and getattr(context, "_gateway", None) is None


def _remote_session() -> Any | None:
    return getattr(getattr(sys.modules.get(_CONNECT), "SparkSession", None), "_default_session", None)


def gateway_address(context: Any) -> GatewayAddress:
    p = context._gateway.gateway_parameters
    return GatewayAddress(p.address, int(p.port), p.auth_token)


def connect(context: Any) -> Any:
    """The Bridge of this driver's JVM, compiled once and kept there."""
    if _is_parents(context._gateway):
        raise AttachError("This process was forked from the one that runs Spark, and that one is to be traced.")
    if _release(context.version) < OLDEST_SPARK:
        raise AttachError(_too_old(context.version))
    from py4j.protocol import Py4JError

    try:
        properties = context._jvm.java.lang.System.getProperties()
        bridge = properties.get(BRIDGE_PROPERTY)
        if bridge is None:
            bridge = _bridge_class(context).newInstance()
            properties.put(BRIDGE_PROPERTY, bridge)
    except (Py4JError, OSError, TypeError) as error:  # TypeError: py4j's "'JavaPackage' object is not callable"
        raise AttachError(_why_not_compiled(error, context.version)) from error
    return bridge


def release(bridge: Any) -> None:
    """Leave no trace in the driver's JVM. One that is gone has none."""
    from py4j.protocol import Py4JNetworkError

    try:
        bridge.detach()
    except (Py4JNetworkError, OSError) as error:
        _LOG.debug("The driver's JVM was gone already: %s", error)


def _bridge_class(context: Any) -> Any:
    """The compiled class. Py4j keeps methods by class name: a second class of the same name could not be called."""
    global _compiled  # noqa: PLW0603 - as many as there are JVMs at a time: one
    if _compiled is None or _compiled[0] is not context._gateway:
        _compiled = (context._gateway, _compile(context._jvm))
    return _compiled[1]


_compiled: tuple[Any, Any] | None = None


def _compile(jvm: Any) -> Any:
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setTargetVersion(8)
    compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
    compiler.cook(bridge_source())
    return compiler.getClassLoader().loadClass(_BRIDGE_CLASS)


def _why_not_compiled(error: Exception, version: str) -> str:
    text = " ".join(str(error).split())
    if "Py4JSecurityException" in text or "not whitelisted" in text or "not allowed" in text:
        return "The driver's py4j gateway only lets listed classes be called (as shared Databricks clusters do)."
    return f"The bridge could not be compiled in the driver of Spark {version}: {text[:300]}"


def configure(bridge: Any, config: Config, getters: Iterable[JvmGetter], prefixes: Iterable[str]) -> None:
    """One crossing with all settings. Tabs and line breaks separate, so values must not have any."""
    rows: list[tuple[str, ...]] = [
        ("secret", SECRET_NAME_PATTERN),
        ("prefixes", *CONF_PREFIXES, *prefixes),
        ("hadoopKeys", *HADOOP_KEYS),
        ("maxPlans", str(config.max_plans)),
        ("maxNodes", str(config.snapshot_max_nodes)),
        ("maxLiteral", str(config.max_literal)),
        ("maxSnapshotMillis", str(int(config.snapshot_timeout_seconds * 1000))),
    ]
    rows += [("getter", g.class_name, g.where, g.name or g.path, g.path, "65536") for g in getters]
    bridge.configure("\n".join("\t".join(part.replace("\t", " ").replace("\n", " ") for part in row) for row in rows))


def listen(bridge: Any, context: Any) -> bool:
    """Listen to this context; False when the bridge does so already."""
    return bool(bridge.attachTo(context._jsc.sc()))


def spark_conf(bridge: Any, context: Any) -> Mapping[str, str]:
    """SparkConf in one crossing."""
    conf: dict[str, str] = json.loads(bridge.conf(context._jsc.sc(), "spark."))
    return conf


def pickled(value: Any) -> bytes:
    """Plug-in classes of a notebook or of `__main__` travel by value, with the cloudpickle that pyspark ships."""
    from pyspark import cloudpickle

    dumped: bytes = cloudpickle.dumps(value)  # type: ignore[no-untyped-call]
    return dumped
