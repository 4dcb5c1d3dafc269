# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Events: what runs and jobs are called, how an event is put together and written."""
