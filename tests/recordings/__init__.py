# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Recorded plans of small programs, one file for each Spark, and the datasets that they have.

`python scripts/record_plans.py` makes the files anew, on the Spark that is installed. Read the diff.
"""
