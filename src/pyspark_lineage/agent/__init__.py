# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The agent: attach to a driver, do the work beside it, let go."""

from pyspark_lineage.agent.attach import Agent, attach, detach

__all__ = ["Agent", "attach", "detach"]
