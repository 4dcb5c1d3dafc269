# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Writes snapshots in the bridge's wire format, for tests."""

from __future__ import annotations

import json
from typing import Any

SQL = "org.apache.spark.sql"
LOGICAL = f"{SQL}.catalyst.plans.logical"
EXPRESSIONS = f"{SQL}.catalyst.expressions"


class Wire:
    """A snapshot under construction: nodes are added bottom up, the id of each comes back."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self.classes: list[list[Any]] = []
        self.types: list[Any] = []
        self.origins: list[list[Any]] = []
        self.sql: list[str] = []

    def type(self, raw: Any) -> dict[str, int]:
        if raw not in self.types:
            self.types.append(raw)
        return {"T": self.types.index(raw)}

    def add(self, fqcn: str, kind: str, children: list[int], /, *, origin: int = -1, **fields: Any) -> int:
        entry = [fqcn, kind, list(fields)]
        if entry not in self.classes:
            self.classes.append(entry)
        record = [self.classes.index(entry), children, list(fields.values())]
        self.nodes.append(record if origin < 0 else [*record, origin])
        return len(self.nodes) - 1

    def plan(self, name: str, children: list[int], /, *, origin: int = -1, **fields: Any) -> int:
        return self.add(f"{LOGICAL}.{name}", "p", children, origin=origin, **fields)

    def expression(self, name: str, children: list[int], /, *, origin: int = -1, **fields: Any) -> int:
        return self.add(f"{EXPRESSIONS}.{name}", "e", children, origin=origin, **fields)

    def attribute(self, name: str, expr_id: int, raw_type: Any = "long", metadata: Any = None) -> int:
        return self.expression(
            "AttributeReference", [], name=name, dataType=self.type(raw_type), nullable=True,
            metadata={"md": metadata or {}}, exprId={"x": expr_id}, qualifier=["t"],
        )  # fmt: skip

    def snapshot(self, root: int, cut: tuple[str, ...] = ()) -> dict[str, Any]:
        return {
            "root": root, "nodes": self.nodes, "classes": self.classes, "types": self.types,
            "origins": self.origins, "sql": self.sql, "cut": list(cut),
        }  # fmt: skip

    def text(self, root: int, cut: tuple[str, ...] = ()) -> str:
        return json.dumps(self.snapshot(root, cut))
