# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""A recorded snapshot without what is only of the machine and the moment: the same program makes the same text."""

from __future__ import annotations

import getpass
import json
import re
from collections.abc import Mapping
from typing import Any

_MOMENTS = frozenset({"createTime", "lastAccessTime", "transient_lastDdlTime", "planId", "id"})
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def normal(snapshot_json: str, places: Mapping[str, str], /) -> str:
    """`places`: what folders of this machine are called in a recording."""
    for here, there in places.items():
        snapshot_json = snapshot_json.replace(here, there)
    snapshot_json = _UUID.sub("00000000-0000-0000-0000-000000000000", snapshot_json)
    snapshot = json.loads(snapshot_json)
    numbers: dict[Any, int] = {}
    kinds = [entry[3] if len(entry) > 3 else "" for entry in snapshot["classes"]]
    for node in snapshot["nodes"]:
        kind = kinds[node[0]]
        for at, value in enumerate(node[2]):
            if kind[at : at + 1] == "x":
                node[2][at] = _number(value, numbers)
            else:
                node[2][at] = _value(value, numbers)
    snapshot["origins"] = [[*origin[:6], _call_site(origin[6])] for origin in snapshot["origins"]]
    return json.dumps(snapshot)


def _value(value: Any, numbers: dict[Any, int]) -> Any:
    if isinstance(value, list):
        return [_value(each, numbers) for each in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["x"]:
        return {"x": _number(value["x"], numbers)}
    return {key: _moment(key, _value(each, numbers)) for key, each in value.items()}


def _moment(key: str, value: Any) -> Any:
    """Times and numbers that Spark counts up over the life of a JVM, and who ran it."""
    if key in _MOMENTS and isinstance(value, dict) and list(value) == ["#"]:
        return {"#": 0}
    if key == "owner" and value == getpass.getuser():
        return "me"
    return value


def _number(expr_id: Any, numbers: dict[Any, int]) -> Any:
    """Expression ids in the order in which they are met: Spark counts them through all queries of a JVM."""
    return None if expr_id is None else numbers.setdefault(expr_id, len(numbers) + 1)


def _call_site(site: str | None) -> str | None:
    return None if site is None else re.sub(r"^.*?([^/\\]+\.py)", r"\1", site)
