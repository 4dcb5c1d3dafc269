# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage`: which command is run, and what a wrong one is told."""

from pathlib import Path

import pytest

import pyspark_lineage
from pyspark_lineage.cli import demo
from pyspark_lineage.cli.main import COMMANDS, main
from pyspark_lineage.errors import LineageError


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_help_names_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n  {name} " not in said] == []


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pyspark-lineage {pyspark_lineage.__version__}\n"


def test_unknown_command_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demmo"]) == 2
    expected = "pyspark-lineage: Unknown command 'demmo'. Known: run, demo, show. Did you mean 'demo'?\n"
    assert capsys.readouterr().err == expected


def test_demo_never_empties_a_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(LineageError, match="no demo made it"):
        demo.prepare(tmp_path)
    assert (tmp_path / "thesis.tex").exists()


def test_demo_starts_afresh_in_its_own_folder(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    demo.prepare(folder)
    (folder / "old").touch()
    demo.prepare(folder)
    assert [path.name for path in folder.iterdir()] == [demo.MARKER]


def test_demo_is_the_line_a_user_would_type(tmp_path: Path) -> None:
    line = demo.command(tmp_path)
    assert line[1:4] == ["-m", "pyspark_lineage.cli.main", "run"]
    assert line[-2:] == [str(demo.PIPELINE), str(tmp_path)]
    assert f"spark.openlineage.transport.location={tmp_path / demo.EVENTS}" in line
