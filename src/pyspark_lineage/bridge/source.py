# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The bridge's Java as Janino takes it: one compilation unit, made of the files that people read."""

from __future__ import annotations

import re
from importlib import resources

FILES = ("Bridge.java", "Getters.java", "Snapshot.java", "Json.java")

_IMPORT = re.compile(r"^import [\w.$]+;\n", re.MULTILINE)
_PACKAGE = re.compile(r"^package [\w.]+;\n", re.MULTILINE)


def bridge_source() -> str:
    """All files as one: their imports together, then their classes."""
    folder = resources.files("pyspark_lineage.bridge")
    texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in FILES]
    imports = sorted({line for text in texts for line in _IMPORT.findall(text)})
    classes = [_PACKAGE.sub("", _IMPORT.sub("", text)) for text in texts]
    return "".join(["package pyspark_lineage;\n", *imports, *classes])
