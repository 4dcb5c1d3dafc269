# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The last word about a program, without a question to the JVM."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pyspark_lineage.agent import exit_status


@pytest.fixture(autouse=True)
def _nothing_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exit_status, "_recorded", None)
    for name in ("last_exc", "last_value"):
        monkeypatch.delattr(sys, name, raising=False)
    monkeypatch.delitem(sys.modules, "IPython.core.interactiveshell", raising=False)


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    with pytest.raises(type(error)):
        raise error from cause
    return error


def left_by_the_interpreter(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> dict[str, Any]:
    monkeypatch.setattr(sys, "last_value", error, raising=False)
    return exit_status.status()


def asking_the_jvm(module: str, **attributes: Any) -> Exception:
    """An exception of py4j or pyspark: its text is a call to the JVM."""

    def text(self: Exception) -> str:
        raise AssertionError("asked the JVM")

    error: Exception = type("Error", (Exception,), {"__str__": text, "__module__": module})("args")
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


def test_a_normal_end_has_no_code_since_none_can_be_known() -> None:
    assert exit_status.status() == {"code": None, "error": None}


def test_an_uncaught_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    status = left_by_the_interpreter(monkeypatch, raised(ValueError("password=hunter2 is wrong")))
    assert (status["code"], status["interrupted"]) == (1, False)
    assert status["error"]["class"] == "builtins.ValueError"
    assert status["error"]["stack"].startswith("Traceback (most recent call last):\n")
    assert "ValueError: " in status["error"]["stack"]
    assert "hunter2" not in str(status)


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    status = left_by_the_interpreter(monkeypatch, raised(KeyboardInterrupt()))
    assert status["interrupted"] is True
    assert status["error"]["stack"].endswith("\nKeyboardInterrupt\n")


def test_what_run_recorded_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    exit_status.record(3, SystemExit(3))
    assert left_by_the_interpreter(monkeypatch, ValueError()) == {"code": 3, "error": None}


@pytest.mark.parametrize(
    ("module", "attributes", "message"),
    [
        ("py4j.protocol", {"errmsg": "An error occurred while calling o1.x."}, "An error occurred while calling o1.x."),
        ("py4j.protocol", {}, "args"),
        ("pyspark.errors.exceptions.captured", {"desc": "of Spark 3.5"}, "of Spark 3.5"),
        ("pyspark.errors.exceptions.captured", {"_desc": "of Spark 4"}, "of Spark 4"),
    ],
)
def test_no_call_to_the_jvm(
    monkeypatch: pytest.MonkeyPatch, module: str, attributes: dict[str, str], message: str
) -> None:
    inner = asking_the_jvm(module, **attributes)
    status = left_by_the_interpreter(monkeypatch, raised(RuntimeError(inner), cause=raised(inner)))
    assert status["error"]["message"] == message
    stack = status["error"]["stack"]
    assert stack.index(f"{module}.Error: {message}") < stack.index("direct cause") < stack.index("RuntimeError: ")


def test_a_text_that_fails_costs_only_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_LINEAGE_RAISE", "0")
    status = left_by_the_interpreter(monkeypatch, asking_the_jvm("shop"))
    assert status["error"]["class"] == "shop.Error"
    assert status["error"]["message"] == "(its text is not to be had)"


def test_a_chain_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = raised(ValueError("a")), raised(KeyError("b"))
    first.__context__, second.__context__ = second, first
    first.__suppress_context__ = second.__suppress_context__ = False
    stack = left_by_the_interpreter(monkeypatch, first)["error"]["stack"]
    assert stack.count("During handling") == 1


@pytest.mark.parametrize(("instance", "code"), [(None, 1), (SimpleNamespace(), None)])
def test_errors_of_earlier_cells_are_none_of_the_notebook(
    monkeypatch: pytest.MonkeyPatch, instance: object, code: int | None
) -> None:
    module = ModuleType("IPython.core.interactiveshell")
    module.InteractiveShell = SimpleNamespace(_instance=instance)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert left_by_the_interpreter(monkeypatch, raised(ValueError("of a cell")))["code"] == code
