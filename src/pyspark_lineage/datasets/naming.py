# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Names of data at paths: which namespace and which name a path has, however it was written.

Rules: OpenLineage's naming specification for file systems and object stores.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

Name = tuple[str, str]

# `scheme:` needs two letters: a lone one is a Windows drive. `//authority` is optional: `file:/a`, `dbfs:/a`.
_URI = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]+):(?://(?P<authority>[^/]*))?(?P<path>.*)", re.DOTALL)
_SLASHES = re.compile(r"/{2,}")

# Object stores: one spelling per store, and keys rather than paths below the bucket.
_STORES = {
    "s3": "s3",
    "s3a": "s3",
    "s3n": "s3",
    "gs": "gs",
    "abfs": "abfss",
    "abfss": "abfss",
    "wasb": "wasbs",
    "wasbs": "wasbs",
}
# Here the part before the `@` is a container, everywhere else it is somebody's credentials.
_CONTAINER_BEFORE_AT = frozenset({"abfss", "wasbs"})


def path_dataset(path: str, /, *, default_fs: str = "file:///") -> Name:
    """`s3a://bucket/a/b/` is ("s3://bucket", "a/b"), `/a/b` on the local file system ("file", "/a/b")."""
    scheme, authority, rest = _parts(path, default_fs)
    if scheme == "file":
        return ("file", _path(rest))
    if scheme in _STORES:
        store = _STORES[scheme]
        return (f"{store}://{_authority(store, authority)}", _path(rest).strip("/") or "/")
    where = _authority(scheme, authority)
    return (f"{scheme}://{where}" if where else scheme, _path(rest))


def location_dataset(uri: str, /, *, default_fs: str = "file:///") -> Name:
    """The same for a `java.net.URI` (a table's location), where a blank is written as `%20`."""
    return path_dataset(unquote(uri), default_fs=default_fs)


def location_namespace(location: str, /, *, default_fs: str = "file:///") -> str:
    """A directory as a namespace of names below it: `file:/warehouse`, `s3://bucket/warehouse`."""
    namespace, name = path_dataset(location, default_fs=default_fs)
    below = name.strip("/")
    if "://" in namespace:
        return f"{namespace}/{below}" if below else namespace
    return f"{namespace}:/{below}" if below else namespace


def is_below(location: Name, directory: Name, /) -> bool:
    """Whether a dataset's location lies somewhere under a directory."""
    (namespace, name), (there, root) = location, directory
    prefix = "" if root == "/" else root
    return namespace == there and name != root and (not prefix or name.startswith(f"{prefix}/"))


def _parts(path: str, default_fs: str) -> tuple[str, str, str]:
    """Scheme (lower case), authority and path; what is not said comes from the default file system."""
    match = _URI.fullmatch(path)
    default = _URI.fullmatch(default_fs)
    default_scheme = default["scheme"].lower() if default else "file"
    default_authority = (default["authority"] or "") if default else ""
    if match is None:
        return (default_scheme, default_authority, path)
    scheme, authority = match["scheme"].lower(), match["authority"] or ""
    if not authority and scheme == default_scheme:
        authority = default_authority  # hdfs:///a
    return (scheme, authority, match["path"])


def _authority(scheme: str, authority: str) -> str:
    """The authority without credentials (`s3a://KEY:SECRET@bucket`)."""
    return authority if scheme in _CONTAINER_BEFORE_AT else authority.rpartition("@")[2]


def _path(path: str) -> str:
    """The path with single slashes and none at its end; the root stays `/`."""
    return _SLASHES.sub("/", path).rstrip("/") or "/"
