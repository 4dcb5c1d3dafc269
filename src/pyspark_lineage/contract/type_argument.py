# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Which types a handler's class was declared for: `class V(QueryPlanVisitor[A | B])` says (A, B).

Works through intermediate generic bases (`class Base(QueryPlanVisitor[N])`, `class V(Base[A])`). Called from
`__init_subclass__`, so the bases are those that the class statement wrote.
"""

from __future__ import annotations

import sys
import types
from typing import Any, ForwardRef, TypeVar, Union, get_args, get_origin


class Open:
    """The argument is a type variable that a subclass will fill in."""


OPEN = Open()


def declared_types(cls: type, base: type, index: int = 0, /) -> tuple[type, ...] | Open | None:
    """The types given for parameter `index` of `base`, OPEN for a type variable, None when nothing was given."""
    arguments = _arguments(cls, base)
    if arguments is None or index >= len(arguments):
        return None
    argument = arguments[index]
    if isinstance(argument, TypeVar):
        return OPEN
    found: list[type] = []
    for option in get_args(argument) if get_origin(argument) in (Union, types.UnionType) else (argument,):
        resolved = _resolved(option, cls)
        if isinstance(resolved, tuple):
            found.extend(resolved)
        elif resolved is not None:
            found.append(resolved)
    return tuple(found) or None


def _arguments(cls: type, base: type) -> tuple[Any, ...] | None:
    """The type arguments of `base` as `cls` sees them."""
    if cls is base:
        return tuple(getattr(base, "__parameters__", ()))
    for written in cls.__dict__.get("__orig_bases__", cls.__bases__):
        origin = get_origin(written) or written
        if not isinstance(origin, type) or not issubclass(origin, base):
            continue
        inner = _arguments(origin, base)
        if inner is None:
            continue
        given = get_args(written)
        if not given:
            # A generic base that was left without arguments says nothing; a plain class says what it says.
            return None if origin is base or any(isinstance(one, TypeVar) for one in inner) else inner
        names = dict(zip(getattr(origin, "__parameters__", ()), given, strict=False))
        return tuple(names.get(one, one) if isinstance(one, TypeVar) else one for one in inner)
    return None


def _resolved(argument: Any, cls: type) -> type | tuple[type, ...] | None:
    """A class; the class behind a name in quotes; None for what is no class (Any)."""
    if argument is Any:
        return None
    if isinstance(argument, (str, ForwardRef)):
        name = argument if isinstance(argument, str) else argument.__forward_arg__
        value: Any = vars(sys.modules[cls.__module__])
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
            if value is None:
                raise TypeError(
                    f"{cls.__qualname__}: cannot find {name!r} in module {cls.__module__}. A handler's type argument "
                    f"is read when its class is defined: import {name} before it, outside `if TYPE_CHECKING:`."
                )
        argument = value
    origin = get_origin(argument)
    if origin in (Union, types.UnionType):
        return tuple(option for option in get_args(argument) if isinstance(option, type))
    if isinstance(origin, type):
        return origin
    return argument if isinstance(argument, type) else None
