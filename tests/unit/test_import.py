# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`import pyspark_lineage` costs next to nothing: neither Spark nor the OpenLineage client is loaded."""

import subprocess
import sys

import pytest

HEAVY = {"attr", "httpx", "httpx2", "openlineage", "py4j", "pyspark", "requests", "sqlite3", "yaml"}


def loaded_by(statement: str) -> set[str]:
    program = f"import sys; {statement}; print('\\n'.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return set(ran.stdout.split())


@pytest.mark.parametrize("statement", ["import pyspark_lineage", "import pyspark_lineage.cli.main"])
def test_import_loads_nothing_heavy(statement: str) -> None:
    assert loaded_by(statement) & HEAVY == set()


def test_import_loads_only_the_package_itself() -> None:
    assert {name for name in loaded_by("import pyspark_lineage") if name.startswith("pyspark_lineage")} == {
        "pyspark_lineage"
    }


def test_unknown_names_are_attribute_errors() -> None:
    import pyspark_lineage

    with pytest.raises(AttributeError, match="attatch"):
        _ = pyspark_lineage.attatch
    assert {"attach", "detach"} <= set(dir(pyspark_lineage))
