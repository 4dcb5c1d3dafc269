# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""For tests of lineage, ours and other people's: plans of a running Spark, recorded for tests that have none."""
