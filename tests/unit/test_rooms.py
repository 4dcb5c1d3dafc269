# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The rooms of DESIGN: a room imports only rooms above it, and only four of them know Spark."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "pyspark_lineage"

# From the top down. config, redaction and errors stand side by side.
GROUND = {"config", "redaction", "errors"}
ROOMS = [
    "plan", "datasets", "contract", "columns", "handlers", "events", "delivery", "bridge", "agent", "catalog", "store",
    "viewer", "analytics", "testing", "cli",
]  # fmt: skip
LEVEL = dict.fromkeys(GROUND, 0) | {room: level for level, room in enumerate(ROOMS, start=1)}

KNOW_SPARK = {"bridge", "catalog", "analytics", "testing"}
ONLY_STANDARD_LIBRARY = GROUND | {"plan", "datasets", "columns"}

# api.py gathers and __init__.py hands out attach(): neither is a room.
# demo_pipeline.py is a user's program that lies in the package so that the demo can run it; nothing imports it.
NO_ROOM = {"__init__.py", "api.py"}
USER_PROGRAMS = {"cli/demo_pipeline.py"}

MODULES = sorted(path.relative_to(SRC).as_posix() for path in SRC.rglob("*.py"))


def room_of(module: str) -> str:
    return module.split("/", 1)[0].removesuffix(".py")


def imported(module: str) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything a module imports, wherever in it the import stands."""
    path = SRC / module
    package = ["pyspark_lineage", *module.split("/")[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            if base == "pyspark_lineage":
                # `from pyspark_lineage import plan` is an import of the room; of PRODUCER it is not.
                yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, base


def lines_for_type_checkers(module: str) -> set[int]:
    """Lines below `if TYPE_CHECKING:`, where nothing is imported when the program runs."""
    tree = ast.parse((SRC / module).read_text(encoding="utf-8"))
    bodies = [
        node.body for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    return {line for body in bodies for one in body for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)}


def of_ours(name: str) -> str | None:
    """The room that an imported name belongs to; None for other people's modules and names of the package itself."""
    parts = name.split(".")
    return parts[1] if parts[0] == "pyspark_lineage" and len(parts) > 1 and parts[1] in LEVEL else None


def test_there_is_something_to_check() -> None:
    assert MODULES


@pytest.mark.parametrize("module", MODULES)
def test_every_module_belongs_to_a_room(module: str) -> None:
    assert module in NO_ROOM or room_of(module) in LEVEL


@pytest.mark.parametrize("module", [module for module in MODULES if module not in NO_ROOM])
def test_imports_only_rooms_above(module: str) -> None:
    room = room_of(module)
    below = [
        f"{module}:{line} imports {name}"
        for line, name in imported(module)
        if (other := of_ours(name)) is not None and other != room and LEVEL[other] > LEVEL[room]
    ]
    assert below == []


@pytest.mark.parametrize("module", [module for module in MODULES if module not in NO_ROOM])
def test_rooms_do_not_reach_up_through_the_package(module: str) -> None:
    if LEVEL[room_of(module)] > LEVEL["agent"]:
        return  # attach() is above them
    doors = {"pyspark_lineage.attach", "pyspark_lineage.detach", "pyspark_lineage.api"}
    assert [name for _, name in imported(module) if name in doors or name.startswith("pyspark_lineage.api.")] == []


@pytest.mark.parametrize("module", [module for module in MODULES if module not in USER_PROGRAMS])
def test_only_four_rooms_know_spark(module: str) -> None:
    if room_of(module) in KNOW_SPARK:
        return
    assert [name for _, name in imported(module) if name.split(".")[0] in {"pyspark", "py4j"}] == []


@pytest.mark.parametrize("module", [module for module in MODULES if room_of(module) in ONLY_STANDARD_LIBRARY])
def test_pure_rooms_use_only_the_standard_library(module: str) -> None:
    allowed = sys.stdlib_module_names | {"pyspark_lineage"}
    hidden = lines_for_type_checkers(module)
    assert [name for line, name in imported(module) if name.split(".")[0] not in allowed and line not in hidden] == []
