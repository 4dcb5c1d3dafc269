# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The built-in visitors: whole datasets out of the statements that their docstrings name."""

import pytest

from pyspark_lineage.contract.context import Lineage
from pyspark_lineage.datasets.value import InputDataset, OutputDataset, Symlink
from pyspark_lineage.plan import LogicalPlan
from pyspark_lineage.plan.commands import SaveAsV1TableCommand
from pyspark_lineage.plan.expressions import ScalarSubquery
from pyspark_lineage.plan.operators import Filter, Join
from pyspark_lineage.plan.relations import CommandResult, LocalRelation, LogicalRelation, SubqueryAlias, View
from pyspark_lineage.plan.types import StructType, type_name
from pyspark_lineage.plan.values import JDBCRelation, JvmObject
from tests.unit.handlers.plans import (
    SCHEMA,
    catalog_table,
    columns,
    create_table_as,
    execution,
    files,
    runner,
    save_mode,
    select,
    write,
)


def lineage(plan: LogicalPlan) -> Lineage:
    return runner().run(execution(plan))


def told(schema: StructType | None) -> list[tuple[str, str]]:
    return [] if schema is None else [(field.name, type_name(field.data_type)) for field in schema.fields]


COLUMNS = [("id", "long"), ("name", "string")]


def test_files_are_inputs_one_for_each_root() -> None:
    found = lineage(select(files("file:/a", "s3a://b/c/", "file:///a/")))
    assert found.inputs == (InputDataset("file", "/a"), InputDataset("s3://b", "c"))
    assert found.outputs == ()
    assert [told(one.schema) for one in found.inputs] == [COLUMNS, COLUMNS]
    assert found.unhandled == {}


def test_a_catalog_table_is_an_input_by_its_location_and_name() -> None:
    table = catalog_table(location="file:/wh/db.db/t", schema=SCHEMA)
    found = lineage(files("file:/wh/db.db/t/day=1", table=table))
    assert found.inputs == (InputDataset("file", "/wh/db.db/t", symlinks=(Symlink("file:/wh", "db.t"),)),)
    assert found.inputs[0].schema is SCHEMA


def test_other_relations_are_left_to_others_and_reported() -> None:
    relation = LogicalRelation(relation=JDBCRelation(url="jdbc:x:y", table="t"), output=columns())
    found = lineage(select(relation))
    assert (found.inputs, found.unhandled) == ((), {"LogicalRelation": 1})


@pytest.mark.parametrize(("mode", "lifecycle"), [("ErrorIfExists", None), ("Append", None), ("Overwrite", "OVERWRITE")])
def test_a_write_to_a_path(mode: str, lifecycle: str | None) -> None:
    found = lineage(write(select(files("file:/in"), id=0, label=1), "s3a://b/out", mode=mode, names=("id", "label")))
    assert found.inputs == (InputDataset("file", "/in"),)
    assert found.outputs == (OutputDataset("s3://b", "out", lifecycle=lifecycle),)
    assert told(found.outputs[0].schema) == [("id", "long"), ("label", "string")]
    assert (found.unhandled, found.failures, found.cut) == ({}, {}, ())


def test_a_write_to_a_table_with_files() -> None:
    table = catalog_table(location="file:/wh/db.db/t")
    found = lineage(write(files("file:/in"), "file:/wh/db.db/t", table=table))
    assert found.outputs == (
        OutputDataset("file", "/wh/db.db/t", symlinks=(Symlink("file:/wh", "db.t"),), table="db.t"),
    )


@pytest.mark.parametrize(
    ("mode", "lifecycle"),
    [("ErrorIfExists", "CREATE"), ("Ignore", "CREATE"), ("Overwrite", "OVERWRITE"), ("Append", None)],
)
def test_create_table_as_select(mode: str, lifecycle: str | None) -> None:
    found = lineage(create_table_as(select(files("file:/in")), catalog_table(schema=StructType(())), mode=mode))
    assert found.inputs == (InputDataset("file", "/in"),)
    assert found.outputs == (
        OutputDataset(
            "file",
            "/wh/db.db/t",
            symlinks=(Symlink("file:/wh", "db.t"),),
            lifecycle=lifecycle,
            job_name_suffix="db.t",
            table="db.t",
            provisional=True,
        ),
    )
    assert told(found.outputs[0].schema) == COLUMNS


def test_a_table_with_a_location_of_its_own_is_where_it_says() -> None:
    output = lineage(create_table_as(files("file:/in"), catalog_table(location="s3a://b/t"))).outputs[0]
    assert (output.key, output.provisional) == (("s3://b", "t"), False)


def test_save_as_table_of_spark_4() -> None:
    command = SaveAsV1TableCommand(
        table_desc=catalog_table(), mode=save_mode("Overwrite"), query=files("file:/in"), query_schema=SCHEMA
    )
    found = lineage(command)
    assert [one.key for one in found.outputs] == [("file", "/wh/db.db/t")]
    assert found.outputs[0].lifecycle == "OVERWRITE"
    assert told(found.outputs[0].schema) == COLUMNS
    assert found.unhandled == {}


def test_views_aliases_and_subqueries_are_seen_through() -> None:
    view = View(desc=catalog_table("v"), is_temp_view=False, child=select(files("file:/a")))
    subquery = ScalarSubquery(plan=files("file:/b"), expr_id=9)
    plan = Join(
        left=SubqueryAlias(identifier=JvmObject(), child=view),
        right=Filter(condition=subquery, child=files("file:/c")),
        join_type=JvmObject(),
    )
    assert lineage(plan).inputs == tuple(InputDataset("file", name) for name in ("/a", "/c", "/b"))


def test_what_has_no_data_is_no_input_and_no_news() -> None:
    plan = Join(left=LocalRelation(output=()), right=CommandResult(output=()), join_type=JvmObject())
    assert lineage(plan) == Lineage(nodes=3)


def test_a_table_read_twice_is_named_once() -> None:
    plan = Join(left=files("file:/a"), right=files("s3://x/y", "file:/a"), join_type=JvmObject())
    assert lineage(plan).inputs == (InputDataset("file", "/a"), InputDataset("s3://x", "y"))
