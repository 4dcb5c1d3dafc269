# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import stat
import tempfile

import pytest

from pyspark_lineage.delivery.home import home_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_configured_folder_is_made_private(tmp_path):
    folder = home_folder(tmp_path / "a" / "b")
    assert folder == tmp_path / "a" / "b"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list(folder.iterdir()) == []


def test_the_state_home_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home_folder(environ={"XDG_STATE_HOME": str(tmp_path / "s")}) == tmp_path / "s" / "pyspark-lineage"
    assert home_folder(environ={}) == tmp_path / ".local" / "state" / "pyspark-lineage"
    assert home_folder(environ={"XDG_STATE_HOME": "relative"}) == tmp_path / ".local" / "state" / "pyspark-lineage"


def test_what_cannot_be_written_falls_back_to_one_private_temporary_folder(tmp_path, temporary):
    (tmp_path / "file").write_text("")
    first = home_folder(tmp_path / "file" / "home")
    assert first.parent == temporary
    assert stat.S_IMODE(first.stat().st_mode) == 0o700
    assert home_folder(tmp_path / "file" / "home") == first


def test_a_temporary_folder_that_others_can_enter_is_not_used(tmp_path, temporary):
    (tmp_path / "file").write_text("")
    planted = home_folder(tmp_path / "file" / "home")
    planted.chmod(0o777)
    other = home_folder(tmp_path / "file" / "home")
    assert other != planted
    assert stat.S_IMODE(other.stat().st_mode) == 0o700


def test_a_planted_link_is_not_followed(tmp_path, temporary):
    (tmp_path / "file").write_text("")
    (tmp_path / "theirs").mkdir(mode=0o700)
    first = home_folder(tmp_path / "file" / "home")
    first.rmdir()
    first.symlink_to(tmp_path / "theirs")
    assert home_folder(tmp_path / "file" / "home") != first
    assert list((tmp_path / "theirs").iterdir()) == []
