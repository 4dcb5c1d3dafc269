# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""One value that never changes, from keyword arguments, SparkConf, openlineage.yml and the environment."""

from pyspark_lineage.config.keys import Setting, settings
from pyspark_lineage.config.resolve import Resolved, resolve
from pyspark_lineage.config.value import Config, JobName, Parent, from_json, to_json

__all__ = ["Config", "JobName", "Parent", "Resolved", "Setting", "from_json", "resolve", "settings", "to_json"]
