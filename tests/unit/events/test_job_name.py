# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Job names, as consumers of the OpenLineage integration for Spark know them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyspark_lineage.events.job_name import (
    application_job_name,
    dataset_suffix,
    normalized,
    rdd_job_name,
    sql_job_name,
)


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("Execute InsertIntoHadoopFsRelationCommand", "execute_insert_into_hadoop_fs_relation_command"),
        ("AdaptiveSparkPlan", "adaptive_spark_plan"),
        ("someACRONYMInside", "some_acronym_inside"),
        ("HTTPServer", "http_server"),
        ("My App 2Go", "my_app_2_go"),
        ("  -- daily.load! ", "daily_load"),
        ("Zażółć gęślą", "zazo\u0142c_gesla"),
        ("日報 作成", "日報_作成"),
        ("", ""),
        ("!!!", ""),
    ],
)
def test_normalized(name: str, normal: str) -> None:
    assert normalized(name) == normal


@given(st.text(max_size=40))
def test_normal_names_are_lower_case_words(name: str) -> None:
    normal = normalized(name)
    assert not set(normal) & set(" .-/")
    assert "__" not in normal


def test_the_parts_of_a_name() -> None:
    assert sql_job_name("My App", "Execute CreateDataSourceTableAsSelectCommand", "db.t") == (
        "my_app.execute_create_data_source_table_as_select_command.db_t"
    )
    assert sql_job_name("My App", "Sort", "db.t", append_dataset_name=False) == "my_app.sort"
    assert sql_job_name("My App", "WholeStageCodegen (1)") == "my_app.whole_stage_codegen"
    assert sql_job_name(None, "") == "unknown"
    assert rdd_job_name("My App", "map partitions ParallelCollection") == "my_app.map_partitions_parallel_collection"
    assert application_job_name("  ") == "unknown"


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("/data/out/orders", "out_orders"), ("a/b", "a_b"), ("/orders", "orders"), ("db.t", "db.t"), ("/", "")],
)
def test_the_end_of_a_path(name: str, suffix: str) -> None:
    assert dataset_suffix(name) == suffix
