# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The way into the driver's JVM: compile and attach, poll, call sites. Only this room knows py4j and pyspark."""
