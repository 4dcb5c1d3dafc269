# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The configuration as one value that never changes, and its way over a pipe."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark_lineage.config.keys import FACETS_DISABLED
from pyspark_lineage.redaction import redact


@dataclass(frozen=True, slots=True)
class JobName:
    """How a job's name is put together."""

    append_dataset_name: bool = True
    replace_dot_with_underscore: bool = False


@dataclass(frozen=True, slots=True)
class Parent:
    """The run that started this application, the root above it, and the application's own run id."""

    job_name: str | None = None
    job_namespace: str | None = None
    run_id: str | None = None
    root_job_name: str | None = None
    root_job_namespace: str | None = None
    root_run_id: str | None = None
    application_run_id: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Config:
    """What the agent is told. `transport` keeps the Java keys, nested; None means the local event file."""

    disabled: bool = False
    namespace: str = "default"
    app_name: str | None = None
    job_name: JobName = field(default_factory=JobName)
    parent: Parent = field(default_factory=Parent)
    transport: Mapping[str, Any] | None = None
    facets_disabled: frozenset[str] = frozenset(FACETS_DISABLED)
    captured_properties: tuple[str, ...] = ("spark.master", "spark.app.name")
    plugins: tuple[str, ...] = ()
    plugins_disabled: bool = False
    exit_timeout_seconds: float = 10.0
    call_sites: bool = True
    agent_host: str = "auto"
    snapshot_max_nodes: int = 1_000_000
    snapshot_timeout_seconds: float = 10.0
    max_plans: int = 1000
    max_literal: int = 64
    home: str | None = None
    default_file_max_bytes: int = 64 * 1024 * 1024
    default_file_backups: int = 3
    log_runs: bool | None = None

    def __repr__(self) -> str:
        parts = (f"{name}={value!r}" for name, value in redact(to_json(self)).items())
        return f"Config({', '.join(parts)})"


def to_json(config: Config, /) -> dict[str, Any]:
    """The configuration as plain JSON values, secrets included: for the pipe, not for a log."""
    values = dataclasses.asdict(config)
    values["facets_disabled"] = sorted(config.facets_disabled)
    values["captured_properties"] = list(config.captured_properties)
    values["plugins"] = list(config.plugins)
    return values


def from_json(values: Mapping[str, Any], /) -> Config:
    """The inverse of `to_json`."""
    known = dict(values)
    return Config(
        job_name=JobName(**known.pop("job_name", {})),
        parent=Parent(**known.pop("parent", {})),
        facets_disabled=frozenset(known.pop("facets_disabled", FACETS_DISABLED)),
        captured_properties=tuple(known.pop("captured_properties", Config().captured_properties)),
        plugins=tuple(known.pop("plugins", ())),
        **known,
    )
