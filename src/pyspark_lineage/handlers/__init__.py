# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The handlers that come with the agent, the door through which others come, and their run over a plan."""
