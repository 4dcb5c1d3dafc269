# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The transport that the sources agree on: merged by leaf, checked, nested again. None if it cannot be used."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from pyspark_lineage.config import keys, kinds
from pyspark_lineage.config.keys import PREFIX
from pyspark_lineage.config.sources import Leaf
from pyspark_lineage.redaction import is_secret_name, redact, redact_url

_CLASS = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_TYPE = ("transport", "type")
_URL = ("transport", "url")
_KNOWN = f"Known: {', '.join(keys.TRANSPORTS)}."

Leaves = dict[tuple[str, ...], Leaf]


def merged(layers: Sequence[Sequence[Leaf]], short: Sequence[Leaf], /) -> Leaves:
    """Leaf by leaf, the highest layer first; a layer that names another type is left out whole.

    `short` is what OPENLINEAGE_URL and its like say: a transport of its own, or what an http transport leaves open.
    """
    result: Leaves = {}
    for layer in layers:
        own: Leaves = {}
        _add(own, [leaf for leaf in layer if leaf.path[0] == "transport" and len(leaf.path) > 1 and leaf.value != ""])
        if not (_TYPE in result and _TYPE in own and _type(result) != _type(own)):
            _add(result, own.values())
    if _type(result) in {"http", "async_http"} or (not result and _TYPE in {leaf.path for leaf in short}):
        _add(result, short)
    return result


def checked(leaves: Leaves, origins: dict[str, str], problems: list[str], /) -> dict[str, Any] | None:
    """The transport with Java's keys, nested; what is wrong becomes a problem, what is used gets its origin told."""
    if not leaves:
        return None
    of_type = _checked_type(leaves, problems)
    if of_type is None:
        return None
    nested: dict[str, Any] = {}
    used: dict[str, str] = {}
    for leaf in leaves.values():
        key, value = _checked_leaf(leaf, of_type, problems)
        if value is not None:
            _put(nested, key, value)
            used[".".join(("transport", *key))] = leaf.source
    if of_type == "http" and not _has_address(nested, leaves, problems):
        return None
    if of_type == "file" and not (nested.get("location") or nested.get("log_file_path")):
        problems.append(
            f"{PREFIX}transport.location is missing: transport 'file' (from {leaves[_TYPE].source}) needs a file "
            "to append events to."
        )
        return None
    origins |= used
    return nested


def shown(key: str, value: object, /) -> str:
    """A value for a message: short, and without secrets."""
    if is_secret_name(key):
        return "[redacted]"
    try:
        text = repr(redact_url(value) if isinstance(value, str) else redact(value))
    except (RecursionError, TypeError, ValueError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 100 else text[:99] + "…"


def suggestion(near: str | None, quote: str = "", /) -> str:
    """The last words of a message."""
    return f" Did you mean {quote}{near}{quote}?" if near else ""


def _type(leaves: Mapping[tuple[str, ...], Leaf]) -> str | None:
    leaf = leaves.get(_TYPE)
    return None if leaf is None else str(_class_or_text(leaf.value))


def _class_or_text(value: object) -> object:
    return f"{value.__module__}.{value.__qualname__}" if isinstance(value, type) else value


def _add(result: Leaves, lower: Iterable[Leaf]) -> None:
    for leaf in lower:
        path = _identity(leaf.path)
        # A value and keys below it exclude each other.
        if not any(path[: len(other)] == other or other[: len(path)] == path for other in result):
            result[path] = leaf


def _identity(path: Sequence[str]) -> tuple[str, ...]:
    """One for both spellings: `auth.api_key` and `auth.apiKey`."""
    end = next((index for index, part in enumerate(path) if part in keys.OPEN_MAPS), len(path))
    return (*map(keys.camel, path[:end]), *path[end:])


def _checked_type(leaves: Leaves, problems: list[str]) -> str | None:
    leaf = leaves.get(_TYPE)
    if leaf is None:
        first = next(iter(leaves.values()))
        problems.append(
            f"{PREFIX}transport.type is missing, though there is {PREFIX}{first.key} (from {first.source}). {_KNOWN}"
            + suggestion("http" if _URL in leaves else None, "'")
        )
        return None
    name = _class_or_text(leaf.value)
    of_type = name.strip() if isinstance(name, str) else ""
    if of_type in keys.TRANSPORTS or _CLASS.fullmatch(of_type):
        return of_type
    where = f"{PREFIX}transport.type (from {leaf.source})"
    if of_type in keys.JAVA_ONLY_TRANSPORTS:
        problems.append(f"Transport {of_type!r} in {where} exists for the Java agent only. {_KNOWN}")
    else:
        near = keys.near_match(of_type, keys.TRANSPORTS)
        problems.append(f"Unknown transport {shown('', name)} in {where}. {_KNOWN}{suggestion(near, chr(39))}")
    return None


def _checked_leaf(leaf: Leaf, of_type: str, problems: list[str]) -> tuple[tuple[str, ...], Any]:
    found = keys.find_of_transport(leaf.path, of_type)
    if leaf.path == _TYPE:
        return ("type",), of_type
    if of_type not in keys.CHECKED_TRANSPORTS:
        path = leaf.path if found is None else _spelled(found, leaf)
        return path[1:], _plain(leaf, problems)
    if found is None:
        near = keys.near_key(leaf.key, of_transport=of_type)
        problems.append(f"Unknown key {PREFIX}{leaf.key} (from {leaf.source}).{suggestion(near and PREFIX + near)}")
        return (), None
    setting, _ = found
    if setting.kind == "any":
        return _spelled(found, leaf)[1:], _plain(leaf, problems)
    try:
        return _spelled(found, leaf)[1:], kinds.parse(setting, leaf.value)
    except ValueError:
        problems.append(
            f"{PREFIX}{leaf.key} must be {kinds.expected(setting)}, not {shown(leaf.key, leaf.value)} "
            f"(from {leaf.source}); " + ("ignored." if setting.default is None else f"using {setting.default}.")
        )
        return (), None


def _spelled(found: tuple[keys.Setting, str], leaf: Leaf) -> tuple[str, ...]:
    """The path in the table's spelling: an environment variable cannot tell log_file_path from logFilePath."""
    pattern = found[0].key.split(".")
    return (
        tuple(ours if "<" not in ours else theirs for ours, theirs in zip(pattern, leaf.path, strict=False))
        + leaf.path[len(pattern) :]
    )


def _plain(leaf: Leaf, problems: list[str]) -> Any:
    """The value as JSON has it: what cannot travel to another process is told and left out."""
    value = kinds.array(_class_or_text(leaf.value))
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    result: list[Any] = [value]
    waiting: list[tuple[Any, Any, int]] = [(result, 0, 0)]
    while waiting:
        holder, key, depth = waiting.pop()
        item = holder[key]
        if isinstance(item, Mapping) and depth < 32:
            holder[key] = copy = {str(name): each for name, each in item.items()}
            waiting.extend((copy, name, depth + 1) for name in copy)
        elif isinstance(item, (list, tuple)) and depth < 32:
            holder[key] = entries = list(item)
            waiting.extend((entries, index, depth + 1) for index in range(len(entries)))
        elif not isinstance(item, (str, int, float, type(None))):
            problems.append(
                f"{PREFIX}{leaf.key} must be text, a number, a list or keys and values, "
                f"not a value of type {type(item).__name__} (from {leaf.source}); ignored."
            )
            return None
    return result[0]


def _put(nested: dict[str, Any], path: Sequence[str], value: Any) -> None:
    for part in path[:-1]:
        nested = nested.setdefault(part, {})
    nested[path[-1]] = value


def _has_address(nested: Mapping[str, Any], leaves: Leaves, problems: list[str]) -> bool:
    url = nested.get("url")
    if not url:
        problems.append(
            f"{PREFIX}transport.url is missing: transport 'http' (from {leaves[_TYPE].source}) needs the address "
            "to send to, as https://host:port."
        )
        return False
    reason = _wrong_with(url)
    if reason is not None:
        source = leaves[_URL].source
        near = f"http://{url}" if "://" not in url and _wrong_with(f"http://{url}") is None else None
        told = url if "://" in url else redact_url(f"http://{url}").removeprefix("http://")
        problems.append(
            f"Malformed URL {shown('', told)} in {PREFIX}transport.url (from {source}): {reason}. "
            f"Expected https://host:port.{suggestion(near and redact_url(near), chr(39))}"
        )
        return False
    auth = nested.get("auth")
    if isinstance(auth, Mapping) and auth.get("type") == "api_key" and not (auth.get("apiKey") or auth.get("api_key")):
        problems.append(f"{PREFIX}transport.auth.apiKey is missing: transport.auth.type is 'api_key'.")
    return True


def _wrong_with(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return "its port is no number from 1 to 65535" if "port" in str(error).lower() else "its host cannot be read"
    if parts.scheme not in {"http", "https"}:
        return f"unknown scheme {parts.scheme!r}" if "://" in url else "no scheme"
    if not parts.hostname or re.search(r"\s", url):
        return "no host" if not parts.hostname else "blanks in it"
    return "its port is no number from 1 to 65535" if port == 0 else None
