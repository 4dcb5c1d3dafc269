# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Lineage of PySpark jobs as OpenLineage events: `attach()`, then run the job as before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark_lineage.agent.attach import attach, detach

__version__ = "0.1.0"
PRODUCER = f"https://github.com/pyspark-lineage/pyspark-lineage/tree/{__version__}"

__all__ = ["PRODUCER", "__version__", "attach", "detach"]


def __getattr__(name: str) -> Any:
    # Importing the package costs next to nothing; the agent is loaded by whoever asks for it (PEP 562).
    if name in {"attach", "detach"}:
        import importlib

        return getattr(importlib.import_module("pyspark_lineage.agent.attach"), name)
    raise AttributeError(f"module 'pyspark_lineage' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
