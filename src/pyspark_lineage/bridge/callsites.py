# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Call sites: every action carries the user's `file:line`, and the names and tags of its run, to Spark's bus.

`SparkContext.getCallSite()` takes the local properties `callSite.short` and `callSite.long` of the calling JVM thread.
The short one is the description in the Spark UI, in place of `save at NativeMethodAccessorImpl.java:0`; the long one is
`details` of `SparkListenerSQLExecutionStart` and of the stages. One crossing sets both, one puts back what was there.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Protocol

from pyspark_lineage.bridge.actions import actions
from pyspark_lineage.bridge.frames import CallSite, format_details, parse_details, user_frames
from pyspark_lineage.errors import contain

__all__ = ["CallSite", "SiteTarget", "install", "parse_details", "run_scope", "stats", "uninstall"]

_LOG = logging.getLogger(__name__)

_MAX_NAME = 256
_MAX_TAG = 128
_MAX_TAGS = 50


class SiteTarget(Protocol):
    """What sets and restores the two local properties on the JVM thread that the calling Python thread talks to."""

    def enter(self, short_form: str, long_form: str, /) -> object: ...

    def leave(self) -> object: ...


class _Thread(threading.local):
    """What is going on in this Python thread."""

    inside = False  # an action is under way: nested ones do nothing of ours
    entered = False  # and its call site is set
    scope: Mapping[str, Any] | None = None


_thread = _Thread()


class _CallSites:
    """The one set of call sites of this process, while installed."""

    def __init__(self, target: SiteTarget, *, pinned: bool) -> None:
        self.target = target
        self.pinned = pinned
        self.set = 0
        self.failed = 0
        self.stopped: str | None = None
        self._owner: object | None = None
        self._lock = threading.Lock()

    def enter(self, action: str) -> None:
        """Set the call site of the action that the caller's caller has begun; whatever fails here stays here."""
        with contain("call sites", logger=_LOG, on_failure=self._count_failure):
            if self.stopped is not None or not (self.pinned or self._only_thread()):
                return
            sites = user_frames(sys._getframe(2))
            if not sites and not _thread.scope:
                return
            short = f"{action} at {sites[0].place}" if sites else action
            self.target.enter(short, format_details(sites, _thread.scope))
            _thread.entered = True
            self.set += 1

    def leave(self) -> None:
        """Put back what the JVM thread's call site was before `enter`."""
        with contain("call sites", logger=_LOG, on_failure=self._count_failure):
            self.target.leave()

    def _only_thread(self) -> bool:
        # Not pinned, a Python thread has whichever JVM thread its connection from the pool leads to; it is the same one
        # only while nobody else takes connections. Wrong call sites are worse than none.
        with self._lock:
            if self._owner is None:
                self._owner = _mine()
            if self._owner is not _mine() and self.stopped is None:
                self.stopped = "a second thread ran a Spark action while PYSPARK_PIN_THREAD is false"
                _LOG.info("No call sites from here on: %s", self.stopped)
            return self.stopped is None

    def _count_failure(self, _error: BaseException) -> None:
        self.failed += 1


def _mine() -> object:
    # Identity of this thread for ever; threading.get_ident() is given again to a later thread.
    try:
        return _thread.token
    except AttributeError:
        _thread.token = object()
        return _thread.token


_installed: _CallSites | None = None
_replaced: list[tuple[type, str, FunctionType, FunctionType]] = []
_install_lock = threading.Lock()


def install(target: SiteTarget, *, pinned: bool | None = None) -> None:
    """Let every action of classic PySpark carry its call site to `target`; again: only the target changes."""
    global _installed  # noqa: PLW0603 - one process has one pyspark to wrap
    from pyspark.traceback_utils import SCCallSiteSync

    with _install_lock:
        if pinned is None:
            pinned = pinned_threads()
        if _installed is not None:
            _installed.target, _installed.pinned = target, pinned
            return
        try:
            for action in actions():
                _replace(action.owner, action.name, _wrapped_action)
            for name in ("__init__", "__enter__", "__exit__"):
                _replace(SCCallSiteSync, name, _wrapped_sync)
        except BaseException:
            _put_back()
            raise
        _installed = _CallSites(target, pinned=pinned)


def uninstall() -> None:
    """Put pyspark's own functions back."""
    global _installed  # noqa: PLW0603 - see install
    with _install_lock:
        _installed = None
        _put_back()


def stats() -> dict[str, Any]:
    """What there is to tell: methods wrapped, call sites set, failures, and why call sites stopped, if so."""
    sites = _installed
    if sites is None:
        return {"installed": False}
    return {
        "installed": True,
        "methods": len(_replaced),
        "set": sites.set,
        "failed": sites.failed,
        "stopped": sites.stopped,
    }


def pinned_threads() -> bool:
    """Whether each Python thread has a JVM thread of its own: py4j's `ClientServer` is that mode."""
    context = getattr(sys.modules.get("pyspark"), "SparkContext", None)
    gateway = getattr(context, "_gateway", None)
    if gateway is not None:
        return type(gateway).__name__ == "ClientServer"
    return os.environ.get("PYSPARK_PIN_THREAD", "true").lower() == "true"


@contextmanager
def run_scope(*, name: str | None = None, tags: Mapping[str, str] | Iterable[str] = ()) -> Iterator[None]:
    """Name and tag the runs of the actions of this thread: the inner name wins, tags add up (`"pii"` is `pii=true`)."""
    outer = _thread.scope
    given = tags.items() if isinstance(tags, Mapping) else ((tag, "true") for tag in tags)
    merged: dict[str, str] = dict(outer["tags"]) if outer and "tags" in outer else {}
    for key, value in given:
        merged[str(key)[:_MAX_TAG]] = str(value)[:_MAX_TAG]
    scope: dict[str, Any] = {}
    if name is not None:
        scope["name"] = name[:_MAX_NAME]
    elif outer and "name" in outer:
        scope["name"] = outer["name"]
    if merged:
        scope["tags"] = dict(list(merged.items())[-_MAX_TAGS:])
    _thread.scope = scope or None
    try:
        yield
    finally:
        _thread.scope = outer


def _put_back() -> None:
    while _replaced:
        owner, name, original, wrapper = _replaced.pop()
        # Somebody may have wrapped ours since: theirs stays, and ours inside it does nothing more.
        if vars(owner).get(name) is wrapper:
            setattr(owner, name, original)


def _replace(owner: type, name: str, wrap: Callable[[FunctionType, str], FunctionType]) -> None:
    original = vars(owner)[name]
    if isinstance(original, FunctionType):
        wrapper = wrap(original, name)
        setattr(owner, name, wrapper)
        _replaced.append((owner, name, original, wrapper))


def _wrapped_action(original: FunctionType, name: str) -> FunctionType:
    @functools.wraps(original)
    def action(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        sites = _installed
        if sites is None or _thread.inside:
            return original(*args, **kwargs)
        _thread.inside = True
        try:
            sites.enter(name)
            try:
                result = original(*args, **kwargs)
            except Exception:
                if _thread.entered:
                    sites.leave()
                raise
            # Not after KeyboardInterrupt: the action is still running on this JVM thread, and a call to it would wait
            # for the end of what the user has just interrupted. The next `enter` sets what is right.
            if _thread.entered:
                sites.leave()
            return result
        finally:
            _thread.inside = _thread.entered = False

    return _in_place_of(name, action)


def _wrapped_sync(original: FunctionType, name: str) -> FunctionType:
    """`SCCallSiteSync`, pyspark's own call site of some actions: silent while ours is set, for it would clear it."""

    @functools.wraps(original)
    def sync(self: Any, *args: Any) -> Any:
        __tracebackhide__ = True
        if name == "__init__":
            self._set_by_lineage = _thread.entered  # for its __enter__ and __exit__
            if _thread.entered:  # also saves pyspark's walk over the whole stack, with the source of each line
                return None
        elif getattr(self, "_set_by_lineage", False):
            return None
        return original(self, *args)

    return _in_place_of(name, sync)


def _in_place_of(name: str, wrapper: Any) -> FunctionType:
    # Pyspark tells its own frames by the beginning of their path (traceback_utils.first_spark_call, and
    # errors.utils._capture_call_site, which puts "file:line" into expressions): a wrapper under its own path would be
    # taken for the user's line. The path given here begins like pyspark's and still leads to this file.
    pyspark_root = os.path.dirname(sys.modules["pyspark"].__file__ or "")
    code = wrapper.__code__
    path = os.path.join(pyspark_root, os.path.relpath(code.co_filename, pyspark_root))
    wrapper.__code__ = code.replace(co_filename=path, co_name=name)
    return wrapper  # type: ignore[no-any-return]
