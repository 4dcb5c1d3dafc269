# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Random order, failures of the agent re-raised, and every event that any test makes checked."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.support.jobs import SparkJob, check_file

HERE = Path(__file__).parent
SEED = "PYSPARK_LINEAGE_TEST_SEED"


def pytest_configure(config: pytest.Config) -> None:
    # A busy machine is no bug of the property under test.
    hypothesis.settings.register_profile("patient", deadline=None)
    hypothesis.settings.load_profile("patient")
    config.stash[_SEED] = int(os.environ.get(SEED) or random.randrange(10**6))


def pytest_report_header(config: pytest.Config) -> str:
    return f"random order: {SEED}={config.stash[_SEED]} repeats it"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if (HERE / "integration") in item.path.parents:
            item.add_marker(pytest.mark.integration)
    # Whole modules change places, and tests within a module: a module's own Spark session is started once.
    dice = random.Random(config.stash[_SEED])
    paths = sorted({item.path for item in items})
    rank = {path: at for at, path in enumerate(dice.sample(paths, len(paths)))}
    items.sort(key=lambda item: item.nodeid)
    dice.shuffle(items)
    items.sort(key=lambda item: rank[item.path])


_SEED = pytest.StashKey[int]()


@pytest.fixture(autouse=True)
def _manners(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No failure of ours is swallowed in a test; no test meets the developer's settings or another test's spool."""
    monkeypatch.setenv("PYSPARK_LINEAGE_RAISE", "1")
    if "tmp_path" in request.fixturenames:
        home: Path = request.getfixturevalue("tmp_path") / "xdg"
    else:
        home = request.getfixturevalue("tmp_path_factory").getbasetemp() / "xdg"
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    for name in [name for name in os.environ if name.startswith("OPENLINEAGE_")]:
        monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _every_event_is_checked(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test, every events*.ndjson in its tmp_path is held against the schemas and the rules of a run."""
    if "tmp_path" not in request.fixturenames:
        yield
        return
    folder: Path = request.getfixturevalue("tmp_path")
    yield
    if request.node.get_closest_marker("unchecked_events"):
        return
    broken_off = request.node.get_closest_marker("broken_off") is not None
    for path in sorted(folder.rglob("events*.ndjson")):
        check_file(path, broken_off=broken_off)


@pytest.fixture
def events_file(tmp_path: Path) -> Path:
    """Where a test lets its events be written, one a line; checked when the test is over."""
    return tmp_path / "events.ndjson"


@pytest.fixture
def spark_job(tmp_path: Path, events_file: Path) -> SparkJob:
    """Runs a program in a process of its own, with the agent or (attached=False) without."""
    return SparkJob(tmp_path, events_file)
