# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""How the user's program ended, found out without a signal handler and without replacing `sys.excepthook`."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any

from pyspark_lineage.errors import contain
from pyspark_lineage.redaction import redact_text

logger = logging.getLogger(__name__)

_MAX_TRACEBACK = 32_768
_MAX_CHAIN = 20
_recorded: dict[str, Any] | None = None


def record(code: int, error: BaseException | None) -> None:
    """`pyspark-lineage run` knows the outcome of the program that it ran, its exit code included."""
    global _recorded  # noqa: PLW0603 - a process ends once
    _recorded = _told(code, error)


def status() -> dict[str, Any]:
    """`{"code": 1, "error": {...}}` and the like, for the agent: redacted already.

    Without `pyspark-lineage run` the code of `sys.exit(3)` cannot be known: `None`.
    """
    if _recorded is not None:
        return _recorded
    # The interpreter leaves an exception that nobody caught here; an interactive one leaves those of earlier lines.
    error = None if _interactive() else getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    return _told(1 if error is not None else None, error)


def _interactive() -> bool:
    if hasattr(sys, "ps1") or sys.flags.interactive:
        return True
    # A script may import IPython for its display functions; a notebook or an IPython shell has made one.
    shell = sys.modules.get("IPython.core.interactiveshell")
    return shell is not None and getattr(getattr(shell, "InteractiveShell", None), "_instance", None) is not None


def _told(code: int | None, error: BaseException | None) -> dict[str, Any]:
    if error is None or isinstance(error, SystemExit):
        return {"code": code, "error": None}
    return {
        "code": code,
        "interrupted": isinstance(error, KeyboardInterrupt),
        "error": {
            "class": f"{type(error).__module__}.{type(error).__qualname__}",
            "message": redact_text(_message(error)[:_MAX_TRACEBACK]),
            "stack": redact_text(_stack(error)[-_MAX_TRACEBACK:]),
        },
    }


def _message(error: BaseException) -> str:
    """The exception's text without asking the JVM.

    `str()` of an exception of py4j or pyspark makes py4j calls, and at exit the connection may be gone, or one reply
    off after an action that was interrupted.
    """
    package = type(error).__module__.partition(".")[0]
    if package == "py4j":
        return str(getattr(error, "errmsg", None) or next(iter(error.args), ""))
    if package == "pyspark":
        for name in ("desc", "_desc"):  # Spark 3.5, Spark 4
            text = getattr(error, name, None)
            if isinstance(text, str):
                return text
    if len(error.args) == 1 and isinstance(error.args[0], BaseException) and error.args[0] is not error:
        return _message(error.args[0])
    with contain("exit status", logger=logger):
        return str(error)
    return "(its text is not to be had)"  # a user's __str__ failed; the last word must be said all the same


def _stack(error: BaseException) -> str:
    """As the interpreter prints it, causes first."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(seen) < _MAX_CHAIN:
        seen.add(id(current))
        head = "Traceback (most recent call last):\n" if current.__traceback__ is not None else ""
        parts.append(head + "".join(traceback.format_tb(current.__traceback__)) + _last_line(current))
        if current.__cause__ is not None:
            parts.append("\nThe above exception was the direct cause of the following exception:\n\n")
            current = current.__cause__
        elif current.__context__ is not None and not current.__suppress_context__:
            parts.append("\nDuring handling of the above exception, another exception occurred:\n\n")
            current = current.__context__
        else:
            current = None
    if parts and parts[-1].startswith("\n"):
        parts.pop()
    return "".join(reversed(parts))


def _last_line(error: BaseException) -> str:
    kind = type(error)
    name = (
        kind.__qualname__ if kind.__module__ in {"builtins", "__main__"} else f"{kind.__module__}.{kind.__qualname__}"
    )
    text = _message(error)
    return f"{name}: {text}\n" if text else f"{name}\n"
