# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Visitors whose datasets are inputs, one family a module."""
