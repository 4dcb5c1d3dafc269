# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Run a program in this process as `python` would, and tell how it ended."""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import io
import marshal
import os
import pkgutil
import runpy
import sys
from dataclasses import dataclass
from types import CodeType, ModuleType, TracebackType
from typing import Any, Literal

from pyspark_lineage.bridge.frames import is_ours
from pyspark_lineage.errors import LineageError

INTERRUPTED = 130
_PYC_HEADER = 16


@dataclass(frozen=True)
class Program:
    """What is run: a script (or a directory or zip file with a `__main__.py`), `-m module`, or `-` for stdin."""

    kind: Literal["script", "module", "stdin"]
    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """Exit code of a program, and the exception that ended it."""

    code: int
    error: BaseException | None = None


class NoProgramError(LineageError):
    """There is no such script."""


def run_program(program: Program) -> Outcome:
    """Run it to its end; an uncaught exception has been printed by `sys.excepthook` when this returns."""
    run = {"script": _run_script, "module": _run_module, "stdin": _run_stdin}[program.kind]
    try:
        run(program)
    except NoProgramError:
        raise
    except SystemExit as exit_:
        return Outcome(_exit_code(exit_), exit_)
    except BaseException as error:  # noqa: BLE001 - the program's own, which ends it as it would end under python
        uncaught = error
    else:
        return Outcome(0)
    # Out of the handler: to the program's hook no exception is being handled.
    _clean(uncaught)
    return Outcome(_report(uncaught), uncaught)


def _run_script(program: Program) -> None:
    path = os.path.abspath(program.name)
    sys.argv = [program.name, *program.arguments]
    if pkgutil.get_importer(path) is not None:  # a directory or a zip file
        _first_on_path(path, always=True)
        _new_main()
        _run_module_as_main("__main__", alter_argv=False)
        return
    code = _load(path)
    _first_on_path(os.path.dirname(os.path.realpath(path)))
    exec(code, _new_main(importlib.machinery.SourceFileLoader("__main__", path), path))


def _run_module(program: Program) -> None:
    sys.argv = ["-m", *program.arguments]
    _first_on_path(os.getcwd())
    _new_main()
    _run_module_as_main(program.name, alter_argv=True)


def _run_stdin(program: Program) -> None:
    sys.argv = ["-", *program.arguments]
    _first_on_path("")
    code = compile(sys.stdin.buffer.read(), "<stdin>", "exec", dont_inherit=True)
    exec(code, _new_main(importlib.machinery.BuiltinImporter, "<stdin>"))


def _run_module_as_main(name: str, *, alter_argv: bool) -> None:
    # What the interpreter itself calls for `-m` and for directories: it runs the code in sys.modules["__main__"].
    runpy._run_module_as_main(name, alter_argv)  # type: ignore[attr-defined]  # noqa: SLF001


def _load(path: str) -> CodeType:
    try:
        with io.open_code(path) as file:
            data = file.read()
    except OSError as error:
        raise NoProgramError(f"can't open file {path!r}: [Errno {error.errno}] {error.strerror}") from error
    if data.startswith(importlib.util.MAGIC_NUMBER):
        code: CodeType = marshal.loads(data[_PYC_HEADER:])
        return code
    return compile(data, path, "exec", dont_inherit=True)


def _first_on_path(entry: str, *, always: bool = False) -> None:
    # The interpreter put the directory of our command first, except in safe-path mode (-P, -I).
    safe = getattr(sys.flags, "safe_path", bool(sys.flags.isolated))
    if not safe:
        sys.path[:1] = [entry]
    elif always:
        sys.path.insert(0, entry)


# A module that nobody holds loses its names, and our own frames still run in this one.
_main_of_command: list[ModuleType] = []


def _new_main(loader: Any = None, file: str | None = None) -> dict[str, Any]:
    _main_of_command.append(sys.modules["__main__"])
    main = ModuleType("__main__")
    main.__loader__ = loader
    names = main.__dict__
    names["__builtins__"] = builtins
    if sys.version_info < (3, 14):
        names["__annotations__"] = {}
    if file is not None:
        names["__file__"] = file
        if sys.version_info < (3, 15):
            names["__cached__"] = None
    sys.modules["__main__"] = main
    return names


def _exit_code(exit_: SystemExit) -> int:
    if exit_.code is None:
        return 0
    if isinstance(exit_.code, int):
        return exit_.code
    print(exit_.code, file=sys.stderr)
    return 1


def _report(error: BaseException) -> int:
    """Have the user's or Python's `sys.excepthook` print it, as the interpreter does for what nobody caught."""
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except SystemExit as exit_:
        return _exit_code(exit_)
    except BaseException as second:  # noqa: BLE001 - the user's hook failed: the interpreter then prints both
        _clean(second)
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(second), second, second.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(error), error, error.__traceback__)
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _clean(error: BaseException) -> None:
    """Take our frames, and runpy's that lead to the program, out of the tracebacks of an exception and its causes."""
    pending: list[BaseException | None] = [error]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        current.__traceback__ = _without_our_frames(current.__traceback__)
        pending += [current.__cause__, current.__context__]
        grouped = getattr(current, "exceptions", ())  # ExceptionGroup, from Python 3.11 on
        pending += [each for each in grouped if isinstance(each, BaseException)] if isinstance(grouped, tuple) else []


def _without_our_frames(trace: TracebackType | None) -> TracebackType | None:
    entries: list[TracebackType] = []
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if not is_ours(filename) and not (not entries and _starts_programs(filename)):
            entries.append(trace)
        trace = trace.tb_next
    kept: TracebackType | None = None
    for entry in reversed(entries):
        kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept


def _starts_programs(filename: str) -> bool:
    return filename.startswith("<frozen ") or filename == runpy.__file__
