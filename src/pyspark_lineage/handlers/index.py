# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Which handlers are worth asking about an object: those declared for its type, in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

H = TypeVar("H")


class HandlerIndex(Generic[H]):
    """Handlers by the type of what they are asked about: found once per type, then a dictionary's lookup."""

    __slots__ = ("_by_type", "_handlers", "_types_of")

    def __init__(self, handlers: Iterable[H], types_of: Callable[[H], tuple[type, ...]], /) -> None:
        self._handlers = tuple(handlers)
        self._types_of = types_of
        self._by_type: dict[type, tuple[H, ...]] = {}

    def __len__(self) -> int:
        return len(self._handlers)

    def of(self, kind: type, /) -> tuple[H, ...]:
        """The handlers to ask, in order."""
        found = self._by_type.get(kind)
        if found is None:
            found = tuple(handler for handler in self._handlers if issubclass(kind, self._types_of(handler)))
            self._by_type[kind] = found
        return found

    def wants(self, base: type, /) -> bool:
        """Whether any handler is declared for a subclass of `base`."""
        return any(issubclass(kind, base) for handler in self._handlers for kind in self._types_of(handler))


def node_types(handler: Any, /) -> tuple[type, ...]:
    """What a visitor was declared for; one that says nothing (a bare PartialFunction) is asked about everything."""
    return getattr(handler, "node_types", None) or (object,)


def x_types(builder: Any, /) -> tuple[type, ...]:
    """What a facet builder was declared for."""
    return getattr(builder, "x_types", None) or (object,)
