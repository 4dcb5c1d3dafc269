# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Names of paths: one name however a path is written, and no secrets in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyspark_lineage.datasets.naming import is_below, location_dataset, location_namespace, path_dataset


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("file:/data/a", ("file", "/data/a")),
        ("file:///data/a/", ("file", "/data/a")),
        ("/data//a", ("file", "/data/a")),
        ("file:/", ("file", "/")),
        ("s3a://bucket/data/a/", ("s3://bucket", "data/a")),
        ("s3n://bucket/data/a", ("s3://bucket", "data/a")),
        ("S3://bucket", ("s3://bucket", "/")),
        ("gs://bucket/a=1/b", ("gs://bucket", "a=1/b")),
        ("abfs://box@account.dfs.core.windows.net/a", ("abfss://box@account.dfs.core.windows.net", "a")),
        ("wasb://box@account.blob.core.windows.net/a", ("wasbs://box@account.blob.core.windows.net", "a")),
        ("hdfs://nn:8020/user/a", ("hdfs://nn:8020", "/user/a")),
        ("dbfs:/mnt/a/", ("dbfs", "/mnt/a")),
        ("s3a://KEY:SECRET@bucket/a", ("s3://bucket", "a")),
        ("sftp://me:pass@host/a", ("sftp://host", "/a")),
        ("/data/a:b", ("file", "/data/a:b")),
        ("C:/data", ("file", "C:/data")),
        ("/data/a b%20c", ("file", "/data/a b%20c")),
    ],
)
def test_a_path_has_one_name(path: str, name: tuple[str, str]) -> None:
    assert path_dataset(path) == name


@pytest.mark.parametrize(
    ("path", "default_fs", "name"),
    [
        ("/user/a", "hdfs://nn:8020", ("hdfs://nn:8020", "/user/a")),
        ("hdfs:///user/a", "hdfs://nn:8020/", ("hdfs://nn:8020", "/user/a")),
        ("/a/b", "s3a://bucket", ("s3://bucket", "a/b")),
        ("file:/a", "hdfs://nn:8020", ("file", "/a")),
        ("/a", "nonsense", ("file", "/a")),
    ],
)
def test_what_a_path_does_not_say_comes_from_the_default_file_system(
    path: str, default_fs: str, name: tuple[str, str]
) -> None:
    assert path_dataset(path, default_fs=default_fs) == name


def test_a_uri_is_decoded() -> None:
    assert location_dataset("file:/data/a%20b%3Dc") == ("file", "/data/a b=c")


@pytest.mark.parametrize(
    ("location", "namespace"),
    [
        ("file:/warehouse/", "file:/warehouse"),
        ("/warehouse", "file:/warehouse"),
        ("file:/", "file"),
        ("s3a://bucket/wh", "s3://bucket/wh"),
        ("s3a://bucket", "s3://bucket"),
        ("hdfs://nn:8020/user/hive/warehouse", "hdfs://nn:8020/user/hive/warehouse"),
        ("dbfs:/user/hive", "dbfs:/user/hive"),
    ],
)
def test_a_directory_is_a_namespace(location: str, namespace: str) -> None:
    assert location_namespace(location) == namespace


def test_below_means_a_directory_further_down() -> None:
    warehouse = path_dataset("/wh")
    assert is_below(path_dataset("file:///wh/t"), warehouse)
    assert not is_below(path_dataset("/wh2/t"), warehouse)
    assert not is_below(path_dataset("/wh"), warehouse)
    assert not is_below(path_dataset("s3://b/wh/t"), warehouse)
    assert is_below(path_dataset("s3a://b/t"), path_dataset("s3://b/"))


segment = st.text(st.characters(blacklist_characters="/\x00", blacklist_categories=("Cs",)), min_size=1, max_size=12)
keys = st.lists(segment.filter(lambda s: s.strip("/")), min_size=1, max_size=5).map("/".join)


@given(keys)
def test_every_spelling_of_an_s3_path_is_the_same_dataset(key: str) -> None:
    names = {
        path_dataset(f"{scheme}://bucket/{key}{end}") for scheme in ("s3", "s3a", "s3n") for end in ("", "/", "//")
    }
    assert names == {("s3://bucket", key)}


@given(keys)
def test_every_spelling_of_a_local_path_is_the_same_dataset(key: str) -> None:
    names = {path_dataset(f"{start}/{key}{end}") for start in ("file:", "file://", "") for end in ("", "/")}
    assert names == {("file", f"/{key}")}


@given(st.text(max_size=60), st.text(max_size=30))
def test_any_text_has_a_name(path: str, default_fs: str) -> None:
    namespace, name = path_dataset(path, default_fs=default_fs)
    assert namespace
    assert name
