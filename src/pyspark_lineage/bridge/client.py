# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The agent's side of the bridge: a py4j connection of its own over which messages are pulled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyspark_lineage.bridge.driver import BRIDGE_PROPERTY, GatewayAddress
from pyspark_lineage.bridge.messages import Batch, read_batch
from pyspark_lineage.errors import BridgeError

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_REPLY_CHARS = 8 * 1024 * 1024


class BridgeClient:
    """Pulls from the Bridge in the driver's JVM. The JVM never calls Python."""

    def __init__(self, gateway: GatewayAddress) -> None:
        from py4j.java_gateway import GatewayParameters, JavaGateway
        from py4j.protocol import Py4JError, Py4JJavaError

        self._errors = (Py4JError, OSError)
        self._thrown = Py4JJavaError
        self.is_gone = False  # nobody answers any more, or the bridge is not there: no call will come back

        self._gateway: Any = JavaGateway(
            gateway_parameters=GatewayParameters(address=gateway.address, port=gateway.port, auth_token=gateway.secret)
        )
        try:
            self._bridge: Any = self._gateway.jvm.java.lang.System.getProperties().get(BRIDGE_PROPERTY)
        except self._errors as error:
            raise BridgeError(f"The driver's JVM does not answer at {gateway!r}: {error}") from error
        if self._bridge is None:
            raise BridgeError(f"The driver's JVM at {gateway!r} has no bridge: was the agent detached?")

    def poll(self, timeout: float, linger: float) -> Batch:
        """Messages since the last poll: waits up to `timeout` for one, then `linger` more so that many come at once."""
        return read_batch(
            self._call(lambda: self._bridge.poll(int(timeout * 1000), int(linger * 1000), MAX_REPLY_CHARS))
        )

    def wake(self) -> None:
        """End a poll that waits."""
        self._call(self._bridge.wake)

    def flush(self, timeout: float) -> bool:
        """Wait until what Spark has posted so far has reached the bridge's queue."""
        return bool(self._call(lambda: self._bridge.flush(int(timeout * 1000))))

    def release(self) -> None:
        """Nothing more is wanted: the JVM need not wait for the agent when it ends."""
        self._call(self._bridge.release)

    def stats(self) -> dict[str, Any]:
        counts: dict[str, Any] = json.loads(self._call(self._bridge.stats))
        return counts

    def close(self) -> None:
        self._gateway.close(keep_callback_server=True, close_callback_server_connections=False)

    def _call(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except self._thrown as error:
            # `str(error)` would ask the JVM for the stack trace: it may be out of memory, and we are on its way out
            raise BridgeError(f"The bridge failed: {error.java_exception.toString()}") from error
        except self._errors as error:
            self.is_gone = True
            raise BridgeError(f"The driver's JVM no longer answers: {type(error).__name__}: {error}") from error
