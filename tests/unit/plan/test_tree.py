# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pyspark_lineage.plan import Call, LogicalPlan, Unknown, decode
from pyspark_lineage.plan.commands import CreateViewCommand
from pyspark_lineage.plan.expressions import Alias, AttributeReference, ScalarSubquery
from pyspark_lineage.plan.operators import Filter, Project, Union
from pyspark_lineage.plan.relations import OneRowRelation
from pyspark_lineage.plan.tree import REGISTRY, TreeNode, field_name, simple_name
from pyspark_lineage.plan.types import AtomicType
from pyspark_lineage.plan.values import TableIdentifier

LONG = AtomicType("long")

# the parameters of every modelled case class, by the Spark version that changed them (null: no such class)
PARAMETERS = json.loads((Path(__file__).parent / "scala_parameters.json").read_text())

PSEUDO = {
    "Alias": {"expr_id", "qualifier", "metadata"},
    "AttributeReference": {"expr_id", "qualifier"},
    "Cast": {"child_type"},
}
"""Fields that the bridge adds to the case class's own."""

SHIPPED = {name: cls for name, cls in REGISTRY.items() if cls.__module__.startswith("pyspark_lineage.")}


def attribute(name: str, expr_id: int) -> AttributeReference:
    return AttributeReference(name=name, data_type=LONG, expr_id=expr_id)


def test_every_modelled_class_is_one_of_spark() -> None:
    assert set(SHIPPED) == set(PARAMETERS)


@pytest.mark.parametrize("fqcn", sorted(SHIPPED))
def test_fields_are_the_parameters_of_the_case_class(fqcn: str) -> None:
    cls = SHIPPED[fqcn]
    assert cls.__name__ == simple_name(fqcn)
    assert (cls.__doc__ or "").strip(), "the docstring says what the user's statement is"
    known: set[str] = set(PSEUDO.get(cls.__name__, ())) | ({"query_schema"} if "query" in cls.field_names else set())
    for where in (name for name, other in SHIPPED.items() if other is cls):
        for names in PARAMETERS[where].values():
            known.update(map(field_name, names or ()))
    assert set(cls.field_names) <= known
    for name in cls.field_names:
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*_?", name)


@pytest.mark.parametrize("fqcn", sorted(SHIPPED))
def test_every_class_decodes_from_every_version(fqcn: str) -> None:
    cls = SHIPPED[fqcn]
    kind = "p" if issubclass(cls, LogicalPlan) else "e"
    for names in PARAMETERS[fqcn].values():
        if names is None:
            continue
        values = [[] if name == "children" else None for name in names]
        snapshot = decode(
            {
                "root": 1,
                "types": [],
                "classes": [[fqcn, kind, names], ["x.Y", "p", ["z"]]],
                "nodes": [[0, [], values], [1, [], [0]]],
            }
        )
        node = snapshot.nodes[0]
        assert type(node) is cls
        assert [getattr(node, name) for name in cls.field_names if name != "children"] == [None] * len(
            [name for name in cls.field_names if name != "children"]
        )
        assert repr(node) == f"<{cls.__name__} #0>"


def test_nodes_made_by_hand() -> None:
    a, b = attribute("a", 1), attribute("b", 2)
    below = OneRowRelation()
    subquery = ScalarSubquery(plan=below, expr_id=3)
    condition = Call(class_name="x.EqualTo", fields={"left": a, "right": subquery})
    filtered = Filter(condition=condition, child=below)
    project = Project(project_list=(a, b, Alias(child=a, name="c", expr_id=4)), child=filtered)
    assert project.children == (filtered,)
    assert project.refs == (filtered, a, b, project.project_list[2])
    assert filtered.children == (below,)
    assert set(filtered.refs) == {below, condition}
    assert condition.children == (a, subquery)
    assert condition.function == "EqualTo"
    assert subquery.children == ()
    assert subquery.refs == (below,)
    assert Union(children=(project, below)).children == (project, below)
    assert project.class_name == "org.apache.spark.sql.catalyst.plans.logical.Project"
    assert project.node_id == -1
    assert repr(project) == "<Project>"


def test_children_may_be_given_where_they_are_not_the_plans_in_the_fields() -> None:
    below = OneRowRelation()
    view = CreateViewCommand(name=TableIdentifier(table="v"), plan=below, children=())
    assert view.children == ()
    assert view.refs == (below,)


def test_a_field_that_is_not_there() -> None:
    with pytest.raises(TypeError, match=r"Filter has no field kondition\. Fields: condition, child\."):
        Filter(kondition=None, child=OneRowRelation())  # type: ignore[call-arg]


def test_nodes_are_equal_to_nothing_but_themselves() -> None:
    assert attribute("a", 1) != attribute("a", 1)
    assert len({attribute("a", 1), attribute("a", 1)}) == 2


def test_nodes_can_be_matched_by_position() -> None:
    match Filter(condition=attribute("a", 1), child=OneRowRelation()):
        case Filter(AttributeReference(name), OneRowRelation()):
            assert name == "a"
        case _:
            pytest.fail("no match")


def test_a_plug_in_adds_a_class() -> None:
    class AcmeWrite(LogicalPlan, package="com.acme"):
        """`ACME WRITE`."""

        target_path: str
        child: LogicalPlan

    try:
        snapshot = decode(
            {
                "root": 0,
                "types": [],
                "classes": [["com.acme.AcmeWrite", "p", ["targetPath", "child"]]],
                "nodes": [[0, [-1], ["file:/x", -1]]],
            }
        )
        assert isinstance(snapshot.root, AcmeWrite)
        assert snapshot.root.target_path == "file:/x"
        assert not snapshot.unknown
    finally:
        del REGISTRY["com.acme.AcmeWrite"]


@pytest.mark.parametrize(
    ("scala", "python"),
    [
        ("projectList", "project_list"),
        ("_resolved", "resolved"),
        ("child", "child"),
        ("global", "global_"),
        ("from", "from_"),
        ("nodeId", "node_id_"),
        ("className", "class_name_"),
        ("children", "children"),
        ("pythonUDTFPartitionColumnIndexes", "python_udtf_partition_column_indexes"),
        ("originalSQL", "original_sql"),
        ("expr1", "expr1"),
        ("notMatchedBySourceActions", "not_matched_by_source_actions"),
    ],
)
def test_field_names(scala: str, python: str) -> None:
    assert field_name(scala) == python


def test_base_classes_stay_out_of_the_registry() -> None:
    assert not {Unknown, Call, TreeNode, LogicalPlan} & set(REGISTRY.values())
