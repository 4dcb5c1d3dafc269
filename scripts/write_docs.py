# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages that follow from the code: `python scripts/write_docs.py`. A test says when one is out of date."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pyspark_lineage.config import Setting, settings

DOCS = Path(__file__).parents[1] / "docs"

_HEAD = """\
# Configuration

Written by `scripts/write_docs.py` from the table that the configuration is read by.

Every key works as a keyword of `attach()` (first segment as the name, the rest nested: `attach(transport={"type": "file",
"location": "events.ndjson"}, jobName={"appendDatasetName": False})`), as `--conf spark.openlineage.KEY=VALUE` of
`pyspark-lineage run`, in SparkConf as `spark.openlineage.KEY`, in `openlineage.yml` (`OPENLINEAGE_CONFIG`, the current folder,
`~/.openlineage/`) and as an environment variable (`OPENLINEAGE__TRANSPORT__TYPE=file`, or the short `OPENLINEAGE_URL`,
`OPENLINEAGE_ENDPOINT`, `OPENLINEAGE_API_KEY`, `OPENLINEAGE_NAMESPACE`, `OPENLINEAGE_DISABLED`). The first of these wins, key by
key; a transport of another type replaces the one below it whole. Lists are `[a;b]` in texts.

What cannot be right is told in one line, with the known values and the nearest match, and the job runs on.
"""


def configuration() -> str:
    """The page of all settings."""
    own = [s for s in settings() if s.state == "active" and not s.transports]
    transport = [s for s in settings() if s.state == "active" and s.transports]
    later = sorted({s.key for s in settings() if s.state != "active"})
    return "\n".join(
        [
            _HEAD,
            "## Settings\n",
            *_table(own),
            "\n## Transports\n",
            "Without a transport, events go to a file in the home folder, whose size is bounded.\n",
            *_table(transport),
            "\n## Known, and not in effect yet\n",
            "Keys of the Java agent and of transports that are accepted in silence; later releases honour them.\n",
            ", ".join(f"`{key}`" for key in later) + "\n",
        ]
    )


def _table(rows: Iterable[Setting]) -> list[str]:
    lines = ["| key | default | what it does |", "|---|---|---|"]
    for s in rows:
        choices = f" One of {', '.join(f'`{c}`' for c in s.choices)}." if s.choices else ""
        of = f" ({', '.join(s.transports)})" if s.transports and len(s.transports) < 6 else ""
        lines.append(f"| `{s.key}` | {_shown(s.default)} | {s.description}{choices}{of} |")
    return lines


def _shown(default: object) -> str:
    if default is None or default == ():
        return ""
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, tuple):
        return ", ".join(f"`{one}`" for one in default)
    return f"`{default}`"


PAGES = {"configuration.md": configuration}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
        print(f"docs/{name}")
