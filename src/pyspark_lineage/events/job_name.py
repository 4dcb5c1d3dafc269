# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Job names: `{application}.{command}.{table}`, the way the OpenLineage integration for Spark writes them."""

from __future__ import annotations

import re
import unicodedata

_EDGES = re.compile(r"^\W+|\W+$")
_CAMEL = re.compile(r"([a-z])([A-Z])")
_ACRONYM = re.compile(r"(?<!^)([A-Z])([a-z])")
_DIGIT_WORD = re.compile(r"(\d)([A-Z])")
# Letters of any script stay: a name in Japanese must not become "_".
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_CODEGEN_NUMBER = re.compile(r"\s*\(\d+\)$")


def normalized(name: str, /) -> str:
    """`Execute InsertIntoHadoopFsRelationCommand` is `execute_insert_into_hadoop_fs_relation_command`."""
    trimmed = _EDGES.sub("", name)
    plain = "".join(c for c in unicodedata.normalize("NFKD", trimmed) if not unicodedata.combining(c))
    words = _DIGIT_WORD.sub(r"\1 \2", _ACRONYM.sub(r" \1\2", _CAMEL.sub(r"\1 \2", plain)))
    return _BETWEEN_WORDS.sub("_", words.lower())


def application_job_name(app_name: str | None, /) -> str:
    """The application's own job; `unknown` where it has no name."""
    return normalized(app_name or "") or "unknown"


def sql_job_name(
    app_name: str | None,
    command: str,
    table: str = "",
    /,
    *,
    append_dataset_name: bool = True,
    replace_dot_with_underscore: bool = False,
) -> str:
    """The job of one action: its application, what it does (the physical root's name), what it writes."""
    action = normalized(_CODEGEN_NUMBER.sub("", command))
    if replace_dot_with_underscore:
        action = action.replace(".", "_")
    parts = [application_job_name(app_name), action]
    if append_dataset_name:
        parts.append(table.replace(".", "_"))
    return ".".join(part for part in parts if part)


def rdd_job_name(app_name: str | None, rdd_chain: str, /) -> str:
    """The job of an action on RDDs, named by what the RDD was made from."""
    return ".".join(part for part in (application_job_name(app_name), normalized(rdd_chain)) if part)


def dataset_suffix(name: str, /) -> str:
    """The end of a path as a part of a job's name: its last two directories; other names as they are."""
    if name.rfind("/") <= 0:
        return name.strip("/")
    return "_".join(part for part in name.split("/")[-2:] if part)
