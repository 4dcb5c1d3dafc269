# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""From finished events to their receiver: spool on disk, sender thread, transports of openlineage-python."""
