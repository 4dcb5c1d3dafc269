# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What runs, jobs and times are called in an event."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from pyspark_lineage.contract.context import RunIdentity
from pyspark_lineage.events.job_name import dataset_suffix

if TYPE_CHECKING:
    from pyspark_lineage.datasets.value import OutputDataset


def timestamp(when: datetime, /) -> str:
    """ISO 8601 in UTC with milliseconds: `2026-09-20T12:00:00.123Z`."""
    return f"{when.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%S}.{when.microsecond // 1000:03d}Z"


def moment(time_ms: int, /) -> datetime:
    """Spark's milliseconds since 1970 as a time."""
    seconds, milliseconds = divmod(time_ms, 1000)
    return datetime.fromtimestamp(seconds, tz=timezone.utc).replace(microsecond=milliseconds * 1000)


def parent_and_root(
    application: RunIdentity | None, parent: RunIdentity | None, root: RunIdentity | None, /
) -> tuple[RunIdentity | None, RunIdentity | None]:
    """Which run a run belongs to, and which everything began with; `parent` and `root` are those that are configured.

    An action belongs to its application, whatever is configured. The application itself (`application` None) belongs
    to the configured parent, if any.
    """
    above = application or parent
    return (above, root or parent or application) if above is not None else (None, None)


def table_part(outputs: Iterable[OutputDataset], /) -> str:
    """What the job's name says of the data that is written: of the first output."""
    first = next(iter(outputs), None)
    if first is None:
        return ""
    return first.job_name_suffix or dataset_suffix(first.name)
