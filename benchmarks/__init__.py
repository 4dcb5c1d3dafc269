# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What the agent costs, measured side by side with no agent: `python -m benchmarks --help`."""
