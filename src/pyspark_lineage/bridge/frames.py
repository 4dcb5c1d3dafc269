# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Where in the user's program we are: the frames that are neither pyspark's nor ours, as text and back."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

MARKER = "#pyspark-lineage "
OUTER_FRAMES = 10

_PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Packages whose frames are never the user's line: IPython and ipykernel run the cell, pyspark and py4j the action.
_INTERNAL_PACKAGES = ("pyspark", "py4j", "IPython", "ipykernel")
_MAX_FILE = 512
_MAX_FUNCTION = 128
_MAX_FRAMES_WALKED = 500
_MAX_CACHED_FILES = 4096

_CELL = re.compile(r"cell \[\d+\]")
_CELL_LINE = re.compile(r"line (?P<line>\d+) in (?P<file>cell \[\d+\]) in (?P<function>\S+)")
_FILE_LINE = re.compile(r"(?P<file>.+):(?P<line>\d+) in (?P<function>\S+)")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SPACE = re.compile(r"\s")


@dataclass(frozen=True)
class CallSite:
    """A line of the user's program: `file` is a path, `<stdin>`, or `cell [3]` of a notebook."""

    file: str
    line: int
    function: str

    @property
    def place(self) -> str:
        """`/path/job.py:12`, or `line 2 in cell [3]` as pyspark 4 says it."""
        return f"line {self.line} in {self.file}" if _CELL.fullmatch(self.file) else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place} in {self.function}"


def user_frames(frame: FrameType | None) -> tuple[CallSite, ...]:
    """The user's frames from `frame` outwards: the line that called, then up to ten callers of it."""
    sites: list[CallSite] = []
    walked = 0
    while frame is not None and len(sites) <= OUTER_FRAMES and walked < _MAX_FRAMES_WALKED:
        walked += 1
        code = frame.f_code
        if not is_internal(code.co_filename):
            function: str = getattr(code, "co_qualname", code.co_name)
            sites.append(CallSite(_file(code.co_filename), frame.f_lineno, _clean_function(function)))
        frame = frame.f_back
    return tuple(sites)


def is_internal(filename: str) -> bool:
    """Whether code of this file is pyspark's, ours, or the interpreter's own machinery."""
    # By file name, not by code object: two code objects of different files compare equal when their text does.
    known = _internal.get(filename)
    if known is None:
        if len(_internal) >= _MAX_CACHED_FILES:  # every notebook cell is a file of its own
            _internal.clear()
        known = _internal[filename] = filename.startswith(_internal_roots()) and not _is_demo(filename)
    return known


_internal: dict[str, bool] = {}


def is_ours(filename: str) -> bool:
    """Whether a file lies in this package."""
    filename = os.path.normpath(filename)
    return filename.startswith(_PACKAGE_ROOT + os.sep) and not _is_demo(filename)


def _internal_roots() -> tuple[str, ...]:
    roots = [_PACKAGE_ROOT]
    for name in _INTERNAL_PACKAGES:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file:
            roots.append(os.path.dirname(file))
    runpy_file = getattr(sys.modules.get("runpy"), "__file__", None)  # frozen only from Python 3.11 on
    return ("<frozen ", *(root + os.sep for root in roots), *([runpy_file] if runpy_file else []))


def _is_demo(filename: str) -> bool:
    # A user's program, though it lies in our package.
    return filename == os.path.join(_PACKAGE_ROOT, "cli", "demo_pipeline.py")


def _file(filename: str) -> str:
    if filename.startswith("<python-input-"):  # the interactive interpreter of Python 3.13
        return "<stdin>"
    return _cell(filename) or _clean_file(filename)


def _cell(filename: str) -> str | None:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    # CachingCompiler keeps which execution count a cell's file name belongs to.
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", None)
    number = numbers.get(filename) if isinstance(numbers, dict) else None
    return None if number is None else f"cell [{number}]"


def _clean_file(text: str) -> str:
    text = _UNPRINTABLE.sub("?", text)
    return text if len(text) <= _MAX_FILE else "…" + text[1 - _MAX_FILE :]


def _clean_function(text: str) -> str:
    return _SPACE.sub("_", _UNPRINTABLE.sub("?", text))[:_MAX_FUNCTION] or "?"


def format_details(sites: tuple[CallSite, ...], scope: Mapping[str, Any] | None) -> str:
    """The long form of a call site, and what a run is called, as the text that Spark carries in `details`."""
    lines = [str(site) for site in sites]
    if scope:
        lines.append(MARKER + json.dumps(scope, separators=(",", ":")))
    return "\n".join(lines)


def parse_details(details: str, /) -> tuple[tuple[CallSite, ...], dict[str, Any] | None]:
    """The inverse of `format_details`; text that is not ours (Spark's own Java stack) has no call sites."""
    sites: list[CallSite] = []
    scope: dict[str, Any] | None = None
    for line in details.split("\n"):
        if line.startswith(MARKER):
            scope = _parse_scope(line[len(MARKER) :])
        elif match := _CELL_LINE.fullmatch(line) or _FILE_LINE.fullmatch(line):
            sites.append(CallSite(match["file"], int(match["line"]), match["function"]))
    return tuple(sites), scope


def _parse_scope(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def outermost_spark_call() -> tuple[str, str, int]:
    """What pyspark's `first_spark_call` says (function, file, line), not counting frames of `pyspark-lineage run`.

    Pyspark takes every file whose path begins like its own directory for its own, so `site-packages/pyspark_lineage`
    too, and a program started by our command would have the command's line as the place of every RDD action.
    """
    root = os.path.dirname(sys.modules["pyspark"].__file__ or "")
    ours = _PACKAGE_ROOT + os.sep
    frames = [frame for frame in _outwards(sys._getframe(1)) if not frame.f_code.co_filename.startswith(ours)]
    frames.reverse()
    first = next((i for i, frame in enumerate(frames) if frame.f_code.co_filename.startswith(root)), len(frames) - 1)
    spark, user = frames[first], frames[max(first - 1, 0)]
    return spark.f_code.co_name, user.f_code.co_filename, user.f_lineno


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
