# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What a dataset is and what it is called: pure functions from facts of the plan to (namespace, name)."""

from pyspark_lineage.datasets.value import Dataset, InputDataset, OutputDataset, Symlink, merged

__all__ = ["Dataset", "InputDataset", "OutputDataset", "Symlink", "merged"]
