# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The user's side of the bridge: is there a driver here, and Bridge.java compiled into it and listening."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from pyspark_lineage.errors import AttachError
from pyspark_lineage.redaction import SECRET_NAME_PATTERN

if TYPE_CHECKING:
    from pyspark_lineage.config import Config
    from pyspark_lineage.contract import JvmGetter

OLDEST_SPARK = (3, 5)
BRIDGE_PROPERTY = "pyspark_lineage.bridge"
_BRIDGE_CLASS = "pyspark_lineage.Bridge"

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
    if "pyspark" in sys.modules:
        version = getattr(sys.modules["pyspark"], "__version__", "")
    else:
        if importlib.util.find_spec("pyspark") is None:
            return "pyspark is not installed in this Python. Install it, or put SPARK_HOME/python on PYTHONPATH."
        try:
            version = importlib.metadata.version("pyspark")
        except importlib.metadata.PackageNotFoundError:
            version = ""  # SPARK_HOME/python on the path: known once it is imported
    if version and _release(version) < OLDEST_SPARK:
        return f"Spark {version} is older than {'.'.join(map(str, OLDEST_SPARK))}, the oldest that is supported."
    if importlib.util.find_spec("py4j") is None and not os.environ.get("SPARK_HOME"):
        return "py4j is not installed: this looks like a pure Spark Connect client. Trace its server where that runs."
    return None


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


def active_context(spark: Any = None) -> Any | None:
    """The classic SparkContext to attach to: the given session's (or the context itself), else the active one."""
    pyspark = sys.modules.get("pyspark")
    active = getattr(getattr(pyspark, "SparkContext", None), "_active_spark_context", None)
    if spark is None:
        return active
    module = type(spark).__module__
    if ".connect" in module:
        if active is None:
            raise AttachError(
                "This is a Spark Connect session and no Spark runs in this process: "
                "attach the agent where the Connect server's driver runs."
            )
        return active
    context = getattr(spark, "sparkContext", spark)
    if not hasattr(context, "_jsc"):
        raise AttachError(f"attach() takes a SparkSession or a SparkContext, not {type(spark).__qualname__}.")
    return context


def gateway_address(context: Any) -> GatewayAddress:
    p = context._gateway.gateway_parameters
    return GatewayAddress(p.address, int(p.port), p.auth_token)


def connect(context: Any) -> Any:
    """The Bridge of this driver's JVM, compiled once and kept there."""
    release = _release(context.version)
    if release < OLDEST_SPARK:
        raise AttachError(f"Spark {context.version} is older than 3.5, the oldest that is supported.")
    from py4j.protocol import Py4JError

    try:
        properties = context._jvm.java.lang.System.getProperties()
        bridge = properties.get(BRIDGE_PROPERTY)
        if bridge is None:
            bridge = _compile(context._jvm)
            properties.put(BRIDGE_PROPERTY, bridge)
    except (Py4JError, OSError, TypeError) as error:  # TypeError: py4j's "'JavaPackage' object is not callable"
        raise AttachError(_why_not_compiled(error, context.version)) from error
    return bridge


def _compile(jvm: Any) -> Any:
    source = resources.files("pyspark_lineage.bridge").joinpath("Bridge.java").read_text(encoding="utf-8")
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setTargetVersion(8)
    compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
    compiler.cook(source)
    return compiler.getClassLoader().loadClass(_BRIDGE_CLASS).newInstance()


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
