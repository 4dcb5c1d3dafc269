# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage COMMAND`: finds the command and hands the rest of the line to it."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Sequence

from pyspark_lineage import __version__
from pyspark_lineage.errors import LineageError

# A command is a module with `main(argv) -> int`, imported only when it is asked for.
COMMANDS = {
    "run": ("pyspark_lineage.cli.run", "run a PySpark program with the agent attached"),
    "demo": ("pyspark_lineage.cli.demo", "run a small pipeline and show its lineage"),
    "show": ("pyspark_lineage.cli.tree", "show the lineage in a file of events as a tree"),
}


def usage() -> str:
    width = max(len(name) for name in COMMANDS)
    commands = "\n".join(f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items())
    return (
        "usage: pyspark-lineage COMMAND [ARGUMENT...]\n\n"
        f"commands:\n{commands}\n\n"
        "pyspark-lineage COMMAND --help says what a command takes; pyspark-lineage --version which version this is."
    )


def main(argv: Sequence[str] | None = None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = arguments.pop(0) if arguments else "--help"
    if command in {"-h", "--help", "help"}:
        print(usage())
        return 0
    if command in {"-V", "--version"}:
        print(f"pyspark-lineage {__version__}")
        return 0
    if command not in COMMANDS:
        print(f"pyspark-lineage: {_unknown(command)}", file=sys.stderr)
        return 2
    module, _ = COMMANDS[command]
    try:
        return int(importlib.import_module(module).main(arguments))
    except LineageError as error:
        print(f"pyspark-lineage {command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone (`| head`). The interpreter's own flush at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _unknown(command: str) -> str:
    near = difflib.get_close_matches(command, COMMANDS, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"Unknown command {command!r}. Known: {', '.join(COMMANDS)}.{hint}"


if __name__ == "__main__":
    raise SystemExit(main())
