# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The Java files of the bridge as one compilation unit."""

from __future__ import annotations

import re
from importlib import resources

from pyspark_lineage.bridge.source import FILES, bridge_source


def test_every_java_file_is_part_of_it() -> None:
    found = {one.name for one in resources.files("pyspark_lineage.bridge").iterdir() if one.name.endswith(".java")}
    assert found == set(FILES)


def test_it_is_one_unit() -> None:
    source = bridge_source()
    assert source.count("package pyspark_lineage;") == 1
    imports = re.findall(r"^import (.*);$", source, re.MULTILINE)
    assert len(imports) == len(set(imports)) > 0
    assert source.rfind("\nimport ") < source.find("class Bridge")


def test_it_keeps_to_what_janino_and_java_8_know() -> None:
    source = re.sub(r"/\*.*?\*/|//[^\n]*", "", bridge_source(), flags=re.DOTALL)
    assert "->" not in source
    assert "::" not in source
    assert not re.search(r"\bvar ", source)
    assert not re.search(r"try \(", source)
    assert not re.search(r"catch \(\w+ \|", source)
    assert '"""' not in source
