# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of all rooms share: schema and order of events, Spark jobs in processes of their own."""
