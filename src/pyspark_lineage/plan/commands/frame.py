# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What all commands are."""

from __future__ import annotations

from ..tree import LOGICAL, LogicalPlan


class Command(LogicalPlan, package=LOGICAL, abstract=True):
    """A statement that is run for what it does, not for its rows."""
