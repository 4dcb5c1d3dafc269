# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""An event as JSON text: the bytes of `openlineage.client.serde.Serde`, several times faster.

`Serde` copies the whole event into dictionaries three times before it dumps them. This walks the objects once and
writes text, with a plan per class made once. What it does not know how to write goes to `Serde` itself, so the bytes
are equal in any case; a property test says so.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from enum import Enum
from json.encoder import encode_basestring_ascii
from typing import Any

import attr
from openlineage.client.serde import Serde

from pyspark_lineage import redaction

# Texts of facets whose class says that its instances never change (`shared_text = True`), by identity. The
# instance is kept beside its text, so its id cannot be given to another.
_SHARED_LIMIT = 256


class _Unusual(Exception):
    """A value that only `Serde` knows how to write."""


def event_text(event: Any, /) -> str:
    """The event as it goes to the spool: JSON without secrets. The only way out of the building of events."""
    text = to_json(event)
    if not redaction.suspicious(text):
        return text
    return json.dumps(redaction.redact(json.loads(text)), sort_keys=True)


def to_json(event: Any, /) -> str:
    """`Serde.to_json(event)`, byte for byte. Secrets are still in it: `event_text` is what may be stored."""
    try:
        return _text(event) or "null"
    except _Unusual:
        return Serde.to_json(event)


def _text(value: Any) -> str | None:
    """JSON of a value; None for what Serde leaves out."""
    cls = value.__class__
    write = _WRITERS.get(cls)
    if write is None:
        write = _WRITERS[cls] = _writer_of(cls)
    return write(value)


def _list_text(values: Any) -> str:
    # Serde drops nulls and empty objects from lists, and nulls only from objects.
    parts = [text for text in map(_text, values) if text is not None and text != "{}"]
    return f"[{', '.join(parts)}]"


def _dict_text(values: dict[Any, Any]) -> str:
    parts = []
    for key in values:
        if key.__class__ is not str:
            raise _Unusual
    for key in sorted(values):
        text = _text(values[key])
        if text is not None:
            parts.append(f"{encode_basestring_ascii(key)}: {text}")
    return f"{{{', '.join(parts)}}}"


def _enum_text(value: Enum) -> str | None:
    inner = value.value
    if inner.__class__ in _PLAIN:
        return _text(inner)
    raise _Unusual


def _attrs_writer(cls: type) -> Callable[[Any], str]:
    """Writes an attrs object: its fields by name, in the order of their names."""
    names = sorted(field.name for field in attr.fields(cls))
    fields = [(name, f"{encode_basestring_ascii(name)}: ") for name in names]

    def write(value: Any) -> str:
        parts = []
        for name, prefix in fields:
            inner = getattr(value, name)
            if inner is None:
                continue
            if inner.__class__ is str:
                parts.append(prefix + encode_basestring_ascii(inner))
                continue
            text = _text(inner)
            if text is not None:
                parts.append(prefix + text)
        return f"{{{', '.join(parts)}}}"

    return _shared(write) if getattr(cls, "shared_text", False) else write


def _shared(write: Callable[[Any], str]) -> Callable[[Any], str]:
    """Remembers the text of each instance."""
    memo: dict[int, tuple[Any, str]] = {}

    def remembered(value: Any) -> str:
        known = memo.get(id(value))
        if known is not None:
            return known[1]
        text = write(value)
        if len(memo) >= _SHARED_LIMIT:
            memo.clear()
        memo[id(value)] = (value, text)
        return text

    return remembered


def _float_text(value: float) -> str:
    if not math.isfinite(value):
        raise _Unusual
    return float.__repr__(value)


def _unusual(value: Any) -> str:
    raise _Unusual


def _writer_of(cls: type) -> Callable[[Any], str | None]:
    if issubclass(cls, Enum):
        return _enum_text
    if attr.has(cls):
        return _attrs_writer(cls)
    return _unusual


_PLAIN = (str, int, bool, float)
_WRITERS: dict[type, Callable[[Any], str | None]] = {
    str: encode_basestring_ascii,
    bool: lambda value: "true" if value else "false",
    int: int.__repr__,
    float: _float_text,
    type(None): lambda value: None,
    dict: _dict_text,
    list: _list_text,
    tuple: _list_text,
}
