# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Where this user's events and spools live, when nothing else is said."""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pyspark_lineage.errors import FAILURES

logger = logging.getLogger(__name__)

FOLDER = "pyspark-lineage"


def home_folder(
    configured: str | os.PathLike[str] | None = None, /, *, environ: Mapping[str, str] = os.environ
) -> Path:
    """A folder that can be written: the configured one, else `$XDG_STATE_HOME/pyspark-lineage`, else a temporary one.

    Where not even the temporary directory can be written, the one that was wanted: the spool then works in memory.
    """
    wanted = Path(configured).expanduser() if configured else _state_home(environ) / FOLDER
    try:
        return _made(wanted)
    except (OSError, RuntimeError) as error:  # RuntimeError: expanduser() without a home
        FAILURES.record("delivery.home", error)
        try:
            fallback = _private_temporary_folder()
        except OSError as nowhere:
            logger.warning("%s cannot be written (%s), nor any other place (%s)", wanted, error, nowhere)
            return wanted
        logger.warning("%s cannot be written (%s): events are kept in %s", wanted, error, fallback)
        return fallback


def _state_home(environ: Mapping[str, str]) -> Path:
    # The XDG specification says that a relative path is to be ignored.
    configured = environ.get("XDG_STATE_HOME", "")
    return Path(configured) if os.path.isabs(configured) else Path(os.path.expanduser("~")) / ".local" / "state"


def _made(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # access(2) says yes to root on read-only mounts' files it can never write: only writing tells.
    handle, probe = tempfile.mkstemp(prefix=".writable-", dir=folder)
    os.close(handle)
    os.unlink(probe)
    return folder


def _private_temporary_folder() -> Path:
    """The same for every process of this user, so that leftovers are found; never one that somebody else made."""
    folder = Path(tempfile.gettempdir()) / f"{FOLDER}-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077:
            return _made(folder)
    except OSError as error:
        logger.debug("%s cannot be used: %s", folder, error)
    return Path(tempfile.mkdtemp(prefix=f"{FOLDER}-"))
