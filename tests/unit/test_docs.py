# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Documentation that follows from the code is what the code says now, and the README's Python runs."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_docs", ROOT / "scripts" / "write_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["configuration.md"])
def test_a_written_page_is_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == writer().PAGES[name](), (
        f"docs/{name} is out of date: run python scripts/write_docs.py"
    )


def test_the_readmes_visitor_works(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (block,) = [one for one in blocks if "QueryPlanVisitor" in one]
    module = ModuleType("readme_visitor")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(block, "README.md", "exec"), module.__dict__)
    visitor = module.__dict__["LoadFeedVisitor"](context=None)
    node = module.__dict__["LoadFeed"](feed="prices")
    assert visitor.is_defined_at(node)
    (dataset,) = visitor.apply(node)
    assert dataset.key == ("feed://acme", "prices")


def test_every_page_that_the_readme_names_exists() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []
