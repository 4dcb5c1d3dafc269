# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The hooks on a small package called pyspark, laid out like Spark 3.5's or Spark 4's, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

CONTEXT = """
from pyspark.traceback_utils import CallSite, first_spark_call
print("imported once")

class SparkContext:
    def __init__(self, fail=False):
        self._jsc = None
        self.made_at = first_spark_call()
        try:
            self._do_init(fail)
        except BaseException:
            self.stop()
            raise

    def _do_init(self, fail):
        if fail:
            raise ValueError("no master")
        self._jsc = "jsc"

    def stop(self):
        self._jsc = None
"""

TRACEBACK_UTILS = """
from collections import namedtuple
CallSite = namedtuple("CallSite", "function file linenum")
def first_spark_call():
    return CallSite("theirs", None, None)
"""


@pytest.fixture(params=["pyspark/context.py", "pyspark/core/context.py"], ids=["3.5", "4"])
def layout(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    module = tmp_path / request.param
    module.parent.mkdir(parents=True)
    (tmp_path / "pyspark/__init__.py").write_text(
        f"from {request.param.removesuffix('.py').replace('/', '.')} import SparkContext\n"
    )
    (module.parent / "__init__.py").touch()
    module.write_text(CONTEXT)
    (tmp_path / "pyspark/traceback_utils.py").write_text(TRACEBACK_UTILS)
    return tmp_path


def run(folder: Path, program: str, *, reraise: bool = True) -> str:
    script = folder / "program.py"
    script.write_text(textwrap.dedent(program))
    environment = {**os.environ, "PYSPARK_LINEAGE_RAISE": "1" if reraise else "0"}
    ended = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout + ended.stderr


BEGIN = """
import sys
from pyspark_lineage.bridge.hooks import when_context_appears
assert "pyspark" not in sys.modules
finders = list(sys.meta_path)
"""


def test_contexts_are_told_before_and_after_pyspark_is_imported(layout: Path) -> None:
    said = run(
        layout,
        BEGIN
        + """
assert not any("pyspark" in name for name in sys.modules if not name.startswith("pyspark_lineage"))
remove = [when_context_appears(lambda sc: print("up", sc._jsc))]
import pyspark
assert sys.meta_path == finders
module = sys.modules[pyspark.SparkContext.__module__]
assert type(module.__loader__).__name__ == type(module.__spec__.loader).__name__ == "SourceFileLoader"
sc = pyspark.SparkContext(); sc.stop(); sc.stop()
remove.append(when_context_appears(lambda sc: print("second")))
print(pyspark.SparkContext().made_at.linenum)
try:
    pyspark.SparkContext(fail=True)
except ValueError as error:
    print(error)
for each in remove + remove:
    each()
pyspark.SparkContext().stop()
assert pyspark.SparkContext.__dict__["stop"].__code__.co_filename.endswith("context.py")
assert pyspark.traceback_utils.first_spark_call() == ("theirs", None, None)
""",
    )
    assert said.splitlines() == ["imported once", "up jsc", "up jsc", "second", "15", "no master"]


def test_without_pyspark_nothing_stays(layout: Path) -> None:
    said = run(
        layout,
        BEGIN
        + """
remove = when_context_appears(print)
import json, csv
assert len(sys.meta_path) == len(finders) + 1
remove()
assert sys.meta_path == finders
import pyspark
pyspark.SparkContext()
""",
    )
    assert said.splitlines() == ["imported once"]


def test_a_failing_callback_does_not_reach_the_program(layout: Path) -> None:
    said = run(
        layout,
        BEGIN
        + """
when_context_appears(lambda sc: 1 / 0)
when_context_appears(lambda sc: print("the others are called"))
import pyspark
sc = pyspark.SparkContext()
""",
        reraise=False,
    )
    assert said.splitlines() == [
        "imported once",
        "the others are called",
        "a context appeared failed: ZeroDivisionError: division by zero",
    ]


def test_a_pyspark_that_cannot_be_imported_fails_as_ever(tmp_path: Path) -> None:
    (tmp_path / "pyspark").mkdir()
    (tmp_path / "pyspark/__init__.py").write_text("from pyspark.context import SparkContext")
    (tmp_path / "pyspark/context.py").write_text("raise ImportError('no py4j')")
    said = run(
        tmp_path,
        BEGIN
        + """
when_context_appears(print)
for _ in range(2):
    try:
        import pyspark
    except ImportError as error:
        print(error)
try:
    import pyspark.nothing
except ImportError as error:
    print(error)
""",
    )
    assert said.splitlines() == ["no py4j"] * 3


def test_pyspark_from_a_zip_file(layout: Path, tmp_path: Path) -> None:
    """As on YARN: pyspark.zip on PYTHONPATH."""
    import shutil

    archive = shutil.make_archive(str(tmp_path / "archive"), "zip", layout, "pyspark")
    shutil.rmtree(layout / "pyspark")
    said = run(
        tmp_path,
        BEGIN
        + f"""
sys.path.insert(0, {archive!r})
when_context_appears(lambda sc: print("up"))
import pyspark
pyspark.SparkContext()
""",
    )
    assert said.splitlines() == ["imported once", "up"]
