# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Callbacks for when a classic SparkContext is there; pyspark need not be imported yet."""

from __future__ import annotations

import functools
import importlib.machinery
import logging
import sys
import threading
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from pyspark_lineage.bridge.frames import outermost_spark_call
from pyspark_lineage.errors import contain

_LOG = logging.getLogger(__name__)

# Where SparkContext is defined: Spark 4, Spark 3.5. (Spark 4 keeps the second name as an alias in sys.modules.)
_CONTEXT_MODULES = ("pyspark.core.context", "pyspark.context")

Callback = Callable[[Any], object]
Remove = Callable[[], None]

_appearing: list[Callback] = []
_replaced: list[tuple[Any, str, Any, Any]] = []
_lock = threading.RLock()


def when_context_appears(callback: Callback, /) -> Remove:
    """Call `callback(sc)` after each SparkContext that is made from now on, before the caller gets it."""
    return _register(_appearing, callback)


def _register(callbacks: list[Callback], callback: Callback) -> Remove:
    with _lock:
        try:
            _watch()
        except BaseException:
            _unwatch()  # a pyspark of another shape: as it was, whatever had been done to it
            raise
        callbacks.append(callback)

    def remove() -> None:
        with _lock:
            if callback in callbacks:
                callbacks.remove(callback)
            if not _appearing:
                _unwatch()

    return remove


def _watch() -> None:
    if _replaced or _finder in sys.meta_path:
        return
    for name in _CONTEXT_MODULES:
        module = sys.modules.get(name)
        if hasattr(module, "SparkContext"):
            _patch(module)
            return
    sys.meta_path.insert(0, _finder)


def _unwatch() -> None:
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    while _replaced:
        owner, name, original, ours = _replaced.pop()
        if vars(owner).get(name) is ours:
            setattr(owner, name, original)


def _patch(module: Any) -> None:
    context = module.SparkContext
    _replace(context, "_do_init", _announcing_init(vars(context)["_do_init"]))
    traceback_utils = sys.modules["pyspark.traceback_utils"]
    for owner in (traceback_utils, module):  # the context's module holds the function under its own name too
        _replace(owner, "first_spark_call", _first_spark_call)


def _replace(owner: Any, name: str, ours: Any) -> None:
    _replaced.append((owner, name, vars(owner)[name], ours))
    setattr(owner, name, ours)


def _first_spark_call() -> Any:
    return sys.modules["pyspark.traceback_utils"].CallSite(*outermost_spark_call())


def _announcing_init(original: Any) -> Any:
    # Not __init__: its own frame is what pyspark names as the place where a context was made.
    @functools.wraps(original)
    def _do_init(self: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        result = original(self, *args, **kwargs)
        _announce("a context appeared", _appearing, self)
        return result

    return _do_init


def _announce(where: str, callbacks: list[Callback], context: Any) -> None:
    for callback in tuple(callbacks):
        with contain(where, logger=_LOG):
            callback(context)


class _ContextFinder:
    """Finds the module of SparkContext as everybody else would, and has a word with it once it is executed."""

    def __init__(self) -> None:
        self._searching = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in _CONTEXT_MODULES or getattr(self._searching, "now", False):
            return None
        self._searching.now = True
        try:
            spec = _spec_of_others(fullname, path, target)
        finally:
            self._searching.now = False
        if spec is not None and spec.loader is not None:
            spec.loader = _PatchingLoader(spec.loader)  # type: ignore[assignment]  # a duck of a Loader
        return spec


def _spec_of_others(
    fullname: str, path: Sequence[str] | None, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    for finder in tuple(sys.meta_path):
        find_spec = getattr(finder, "find_spec", None)
        spec = find_spec(fullname, path, target) if find_spec is not None and finder is not _finder else None
        if spec is not None:
            return spec  # type: ignore[no-any-return]
    return None


class _PatchingLoader:
    """The module's own loader; after `exec_module` it is put back and the module patched."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        with contain("import of pyspark", logger=_LOG), _lock:
            if _finder in sys.meta_path:
                sys.meta_path.remove(_finder)
                if hasattr(module, "SparkContext") and not _replaced:
                    _patch(module)


_finder: Any = _ContextFinder()
