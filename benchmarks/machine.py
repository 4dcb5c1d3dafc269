# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

import pyspark

import pyspark_lineage


def machine() -> dict[str, str]:
    return {
        "Spark": pyspark.__version__,
        "pyspark-lineage": pyspark_lineage.__version__,
        "Python": platform.python_version(),
        "Java": _java(),
        "cores": str(len(os.sched_getaffinity(0))),
        "processor": _processor(),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1024**3:.0f} GB",
    }


def load() -> str:
    """Others' work on the machine when the run begins: a number to judge the others by."""
    return f"load average at the start {os.getloadavg()[0]:.2f}"


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else "java"
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "([^"]+)"', said)
    return found[1] if found else "unknown"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
