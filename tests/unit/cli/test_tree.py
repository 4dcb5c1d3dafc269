# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage show`: the whole tree, as it stands in the terminal."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pyspark_lineage.cli import tree
from pyspark_lineage.cli.main import main
from pyspark_lineage.errors import LineageError

APPLICATION, WRITE, READ, FAILED = (f"01950000-0000-7000-8000-00000000000{at}" for at in range(1, 5))
FACET = {"_producer": "https://example.org", "_schemaURL": "https://example.org/facet.json"}


def event(kind: str, run_id: str, second: float, job: str, **sides: list[dict[str, Any]]) -> dict[str, Any]:
    job_facets = {"namespace": "demo", "name": "shop"}
    parent = {**FACET, "run": {"runId": APPLICATION}, "job": job_facets}
    return {
        "eventType": kind,
        "eventTime": f"2026-03-01T10:00:{second:06.3f}Z",
        "producer": "https://example.org",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run_id, "facets": {} if run_id == APPLICATION else {"parent": parent}},
        "job": {"namespace": "demo", "name": job, "facets": {}},
        "inputs": [],
        "outputs": [],
        **sides,
    }


def dataset(name: str, *fields: tuple[Any, ...], namespace: str = "file", table: str | None = None) -> dict[str, Any]:
    def column(name: str, type_name: str, *inner: tuple[Any, ...]) -> dict[str, Any]:
        return {"name": name, "type": type_name, **({"fields": [column(*one) for one in inner]} if inner else {})}

    facets: dict[str, Any] = {}
    if fields:
        facets["schema"] = {**FACET, "fields": [column(*one) for one in fields]}
    if table:
        facets["symlinks"] = {**FACET, "identifiers": [{"namespace": "file:/wh", "name": table, "type": "TABLE"}]}
    return {"namespace": namespace, "name": name, "facets": facets}


@pytest.fixture
def shop(events_file: Path) -> Path:
    home = events_file.parent
    orders = dataset(f"{home}/data/orders", ("id", "long"), ("amount", "decimal(10,2)"))
    bucket = dataset("lake/customers", namespace="s3://shop")
    address = ("address", "struct", ("city", "string"), ("country", "string"))
    top = dataset(f"{home}/warehouse/top", ("id", "long"), address, table="default.top")
    events = [
        event("START", APPLICATION, 0, "shop"),
        event("START", WRITE, 1, "shop.write", inputs=[orders, bucket], outputs=[top]),
        event("COMPLETE", WRITE, 2.5, "shop.write", inputs=[orders], outputs=[top]),
        event("START", READ, 3, "shop.collect", inputs=[top]),
        event("COMPLETE", READ, 3.25, "shop.collect", inputs=[top]),
        event("START", FAILED, 4, "shop.fail", outputs=[dataset(f"{home}/out")]),
        event("FAIL", FAILED, 4.1, "shop.fail", outputs=[dataset(f"{home}/out")]),
        event("COMPLETE", APPLICATION, 5, "shop"),
    ]
    events_file.write_text("".join(json.dumps(one) + "\n" for one in events))
    return events_file


EXPECTED = """\
shop  COMPLETE  5.0 s
├─ default.top (table in warehouse/top)
│  ├─ fields
│  │  ├─ id       long
│  │  └─ address  struct
│  │     ├─ city     string
│  │     └─ country  string
│  ├─ from
│  │  ├─ data/orders  (id, amount)
│  │  └─ s3://shop/lake/customers
│  └─ by shop.write  COMPLETE  1.5 s
├─ only read, by shop.collect  COMPLETE  0.2 s
│  └─ default.top (table in warehouse/top)  (id, address)
└─ out
   ├─ fields
   │  └─ unknown
   ├─ from
   │  └─ no dataset
   └─ by shop.fail  FAIL  0.1 s
"""


def test_show(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--base", str(shop.parent), str(shop)]) == 0
    assert capsys.readouterr().out == EXPECTED


def test_names_are_whole_without_a_base(shop: Path) -> None:
    assert f"{shop.parent}/data/orders  (id, amount)" in tree.render(shop, paint=tree.Paint(enabled=False))


@pytest.mark.broken_off("what a file looks like while the job runs")
def test_a_job_that_still_runs(shop: Path) -> None:
    first, second, rest = shop.read_text().split("\n", 2)
    shop.write_text(f"{first}\n{second}\n")
    half = shop.with_name("half.ndjson")
    half.write_text(f"{first}\n{second}\n{rest[:40]}")
    shown = tree.render(half, paint=tree.Paint(enabled=False))
    assert shown.splitlines()[0] == "shop  RUNNING"
    assert shown.splitlines()[-1] == "   └─ by shop.write  RUNNING"


def test_deep_schemas_need_no_recursion(events_file: Path) -> None:
    column: dict[str, Any] = {"name": "leaf", "type": "long"}
    for _ in range(3000):
        column = {"name": "c", "type": "struct", "fields": [column]}
    deep = {"namespace": "file", "name": "/deep", "facets": {"schema": {**FACET, "fields": [column]}}}
    runs = tree.collect_runs([event("START", WRITE, 1, "j", outputs=[deep])])
    lines = [
        line
        for root in tree.tree(runs, names=tree.Names(), paint=tree.Paint(enabled=False))
        for line in tree.draw([root])
    ]
    assert sum(" leaf" in line for line in lines) == 1


def test_colour_only_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert tree.Paint.for_stream(Terminal())("FAIL", "FAIL") == "\x1b[31mFAIL\x1b[0m"
    assert tree.Paint.for_stream(io.StringIO())("FAIL", "FAIL") == "FAIL"
    monkeypatch.setenv("NO_COLOR", "1")
    assert tree.Paint.for_stream(Terminal())("FAIL", "FAIL") == "FAIL"


@pytest.mark.parametrize(
    ("text", "message"),
    [("{\n{}\n", "Line 1 of .* is not JSON"), ("[]\n", "Line 1 of .* is not a JSON object")],
)
def test_bad_files_say_where(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.ndjson"
    path.write_text(text)
    with pytest.raises(LineageError, match=message):
        tree.render(path, paint=tree.Paint(enabled=False))


def test_missing_file_is_one_line_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(tmp_path / "none.ndjson")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("pyspark-lineage show: Cannot read the events in ")
    assert said.count("\n") == 1


def test_no_runs(tmp_path: Path) -> None:
    (tmp_path / "empty.ndjson").touch()
    assert tree.render(tmp_path / "empty.ndjson", paint=tree.Paint(enabled=False)).startswith("No runs in ")
