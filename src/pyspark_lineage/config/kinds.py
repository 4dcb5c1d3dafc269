# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What the kinds of settings accept: text as Spark's configuration has it, or a value as YAML and Python have it."""

from __future__ import annotations

import math
import os
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from pyspark_lineage.config.keys import Setting

_SIZE = re.compile(r"(\d{1,15})\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse(setting: Setting, value: object, /) -> Any:
    """The value as the setting's kind has it; ValueError if it is none."""
    if setting.kind == "choice":
        text = _text(value).lower()
        if text not in setting.choices:
            raise ValueError(text)
        return text
    return _PARSERS[setting.kind](value)


def expected(setting: Setting, /) -> str:
    """How the kind is called in a message: "must be …"."""
    if setting.kind == "choice":
        return f"one of {', '.join(setting.choices)}"
    return _EXPECTED[setting.kind]


def array(value: object, /) -> object:
    """`[a;b]` as a list; everything else as it is."""
    if not isinstance(value, str) or value[:1] != "[" or value[-1:] != "]":
        return value
    return [part.strip() for part in value[1:-1].split(";") if part.strip()]


def _switch(value: object) -> bool:
    if isinstance(value, bool):
        return value
    text = _text(value).lower()
    if text not in {"true", "false"}:
        raise ValueError(text)
    return text == "true"


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(type(value).__name__)
    try:
        number = float(value)
    except OverflowError as error:
        raise ValueError(value) from error
    if not math.isfinite(number) or number < 0:
        raise ValueError(number)
    return number


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(type(value).__name__)
    number = int(value)
    if number < 0:
        raise ValueError(number)
    return number


def _positive(value: object) -> int:
    number = _count(value)
    if number == 0:
        raise ValueError(number)
    return number


def _size(value: object) -> int:
    if isinstance(value, str):
        match = _SIZE.fullmatch(value.strip())
        if match is None:
            raise ValueError(value)
        value = int(match[1]) * 1024 ** _UNITS[match[2].lower()]
    return _positive(value)


def _text(value: object) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError(type(value).__name__)
    return str(value).strip()


def _list(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = array(value.strip())
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, (bytes, Mapping)) or not isinstance(value, (list, tuple, set, frozenset)):
        raise ValueError(type(value).__name__)
    items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
    return tuple(text for item in items if (text := class_path(item)))


def class_path(value: object, /) -> str:
    """A class as `module:Class`, text as it is."""
    return f"{value.__module__}:{value.__qualname__}" if isinstance(value, type) else _text(value)


def _uuid(value: object) -> str:
    return str(value if isinstance(value, uuid.UUID) else uuid.UUID(_text(value)))


_PARSERS: Final[Mapping[str, Callable[[object], object]]] = {
    "switch": _switch,
    "seconds": _seconds,
    "count": _count,
    "positive": _positive,
    "size": _size,
    "text": _text,
    "list": _list,
    "uuid": _uuid,
    "any": array,
}
_EXPECTED: Final = {
    "switch": "true or false",
    "seconds": "a number of seconds",
    "count": "a whole number of 0 or more",
    "positive": "a whole number of 1 or more",
    "size": "a size in bytes, such as 67108864 or 64m",
    "text": "text",
    "list": "a list, as [a;b]",
    "uuid": "a UUID",
}
