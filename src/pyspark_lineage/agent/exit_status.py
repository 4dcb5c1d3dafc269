# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""How the user's program ended, found out without a signal handler and without replacing `sys.excepthook`."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from pyspark_lineage.redaction import redact_text

_MAX_TRACEBACK = 32_768
_recorded: dict[str, Any] | None = None


def record(code: int, error: BaseException | None) -> None:
    """`pyspark-lineage run` knows the outcome of the program that it ran, its exit code included."""
    global _recorded  # noqa: PLW0603 - a process ends once
    _recorded = _told(code, error)


def status() -> dict[str, Any]:
    """`{"code": 0, "error": None}` and the like, for the agent: redacted already."""
    if _recorded is not None:
        return _recorded
    interactive = hasattr(sys, "ps1") or bool(getattr(sys.flags, "interactive", 0)) or "IPython" in sys.modules
    # The interpreter leaves an exception that nobody caught here; an interactive one leaves those of earlier lines.
    error = None if interactive else getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    return _told(1 if error is not None else 0, error)


def _told(code: int, error: BaseException | None) -> dict[str, Any]:
    if error is None or isinstance(error, SystemExit):
        return {"code": code, "error": None}
    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return {
        "code": code,
        "interrupted": isinstance(error, KeyboardInterrupt),
        "error": {
            "class": f"{type(error).__module__}.{type(error).__qualname__}",
            "message": redact_text(str(error)[:_MAX_TRACEBACK]),
            "stack": redact_text(trace[-_MAX_TRACEBACK:]),
        },
    }
