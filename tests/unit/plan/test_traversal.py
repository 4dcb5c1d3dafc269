# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyspark_lineage.plan import decode, find, plans, show, walk
from pyspark_lineage.plan.expressions import Alias, AttributeReference, ListQuery
from pyspark_lineage.plan.operators import Filter, Project
from pyspark_lineage.plan.relations import LogicalRelation, OneRowRelation
from pyspark_lineage.plan.show import text
from pyspark_lineage.plan.traversal import expressions
from pyspark_lineage.plan.values import JDBCRelation
from tests.unit.plan.wire import Wire


def chain_of_plans(length: int) -> Any:
    wire = Wire()
    wire.plan("OneRowRelation", [])
    for below in range(length):
        wire.plan("Distinct", [below], child=below)
    return wire.snapshot(length)


def chain_of_expressions(length: int) -> Any:
    wire = Wire()
    wire.attribute("a", 1)
    for below in range(length):
        wire.expression("Upper", [below], child=below)
    leaf = wire.plan("OneRowRelation", [])
    return wire.snapshot(wire.plan("Filter", [leaf], condition=length, child=leaf))


@pytest.mark.parametrize("make", [chain_of_plans, chain_of_expressions])
def test_a_hundred_thousand_deep(make: Any) -> None:
    raw = make(100_000)
    root = decode(raw).root
    assert sum(1 for _ in walk(root)) == len(raw["nodes"])
    shown = show(root)
    assert len(shown) < 200 * len(raw["nodes"])


def test_forty_doublings() -> None:
    wire = Wire()
    at = wire.plan("OneRowRelation", [])
    expression = wire.attribute("a", 1)
    for _ in range(40):
        at = wire.plan("Join", [at, at], left=at, right=at, joinType={"$": "Inner"}, condition=None)
        expression = wire.expression("Add", [expression, expression], left=expression, right=expression)
    root = decode(wire.snapshot(wire.plan("Filter", [at], condition=expression, child=at))).root
    started = time.perf_counter()
    assert sum(1 for _ in walk(root)) == 83
    assert len(list(plans(root))) == 42
    shown = show(root)
    assert len(shown.splitlines()) == 42
    assert len(list(expressions(root))) == 41
    assert time.perf_counter() - started < 2


def test_a_shared_part_is_shown_once() -> None:
    wire = Wire()
    leaf = wire.plan("OneRowRelation", [])
    distinct = wire.plan("Distinct", [leaf], child=leaf)
    root = decode(
        wire.snapshot(wire.plan("Union", [distinct, distinct, leaf], children=[distinct, distinct, leaf]))
    ).root
    assert show(root) == ("Union\n  Distinct\n    #3 OneRowRelation\n  OneRowRelation (see #3)")
    join = wire.plan("Join", [distinct, root.node_id], left=distinct, right=root.node_id, joinType={"$": "a.Inner"})
    assert show(decode(wire.snapshot(join)).root) == (
        "Join Inner\n  #2 Distinct\n    #3 OneRowRelation\n  Union\n    Distinct (see #2)\n    OneRowRelation (see #3)"
    )


def test_expressions_of_one_plan_node_only() -> None:
    below = OneRowRelation()
    a = AttributeReference(name="a", expr_id=1, data_type=None)  # type: ignore[arg-type]
    inner = Filter(condition=a, child=below)
    b = AttributeReference(name="b", expr_id=2, data_type=None)  # type: ignore[arg-type]
    query = ListQuery(plan=inner, expr_id=3)
    alias = Alias(child=b, name="c", expr_id=4)
    project = Project(project_list=(alias, query), child=below)
    assert list(expressions(project)) == [alias, b, query]
    assert list(expressions(alias)) == [b]
    assert list(find(project, AttributeReference)) == [b, a]
    assert list(plans(project)) == [project, below, inner]


def test_subqueries_are_shown_below_their_node() -> None:
    below = OneRowRelation()
    query = ListQuery(
        plan=Filter(condition=AttributeReference(name="a", expr_id=1, data_type=None), child=below), expr_id=3
    )  # type: ignore[arg-type]
    assert show(Project(project_list=(query,), child=below)) == (
        "Project [list#3]\n  #2 OneRowRelation\n  - Filter a#1\n    OneRowRelation (see #2)"
    )


def test_text_is_bounded() -> None:
    wire = Wire()
    ids = [wire.attribute("x" * 1000, i) for i in range(5000)]
    root = decode(wire.snapshot(wire.plan("Project", [-1], projectList=ids, child=-1))).root
    assert len(show(root)) < 1000
    assert len(text(root.refs[1], limit=20)) < 60


def test_no_secret_is_shown() -> None:
    url = "jdbc:postgresql://joe:hunter2@host/db?password=hunter2"
    for padding in ("", "x" * 180):
        relation = JDBCRelation(url=padding + url, table="t", options={"password": "hunter2", "url": url})
        shown = show(LogicalRelation(relation=relation, output=()), limit=200)
        assert "jdbc" in shown
        assert "hunter" not in shown


@st.composite
def snapshots(draw: st.DrawFn) -> Any:
    """Any directed acyclic graph of plans and expressions, in any order of ids."""
    size = draw(st.integers(1, 40))
    order = draw(st.permutations(range(size)))  # order[k] is the wire id of the k-th node made
    kinds = ["p", *draw(st.lists(st.sampled_from("pe"), min_size=size - 1, max_size=size - 1))]
    names = {
        "p": ["org.apache.spark.sql.catalyst.plans.logical.Project", "com.acme.Odd"],
        "e": ["org.apache.spark.sql.catalyst.expressions.Alias", "org.apache.spark.sql.catalyst.expressions.Upper"],
    }
    classes = [[name, kind, ["child", "projectList", "extraThing"]] for kind, both in names.items() for name in both]
    nodes: list[Any] = [None] * size
    for k in range(size):
        later = st.sampled_from([-1, *(order[j] for j in range(k + 1, size))])
        children = draw(st.lists(later, max_size=3))
        fields = [
            draw(st.one_of(st.none(), later)),
            draw(st.lists(later, max_size=3)),
            draw(
                st.one_of(
                    st.just({"#": 1}),
                    later.map(lambda i: {"m": {"k": [i]}}),
                    later.map(lambda i: {"$": "X", "f": {"n": i}}),
                )
            ),
        ]
        index = (0 if kinds[k] == "p" else 2) + draw(st.integers(0, 1))
        nodes[order[k]] = [index, children, fields]
    return {
        "root": order[0],
        "nodes": nodes,
        "classes": classes,
        "types": ["long"],
        "origins": [],
        "sql": [],
        "cut": [],
    }


def wire_ids(value: Any) -> set[int]:
    if isinstance(value, int):
        return {value}
    if isinstance(value, list):
        return set().union(*map(wire_ids, value))
    if isinstance(value, dict):
        return set() if "#" in value else set().union(*(wire_ids(v) for v in value.values() if not isinstance(v, str)))
    return set()


@settings(max_examples=200, deadline=None)
@given(snapshots())
def test_any_graph(raw: Any) -> None:
    snapshot = decode(json.dumps(raw))
    reachable, todo = set(), [raw["root"]]
    while todo:
        at = todo.pop()
        if at not in reachable:
            reachable.add(at)
            if at >= 0:
                todo += wire_ids(raw["nodes"][at][1]) | wire_ids(raw["nodes"][at][2])
    visited = [node.node_id for node in walk(snapshot.root)]
    assert sorted(visited) == sorted(reachable)
    assert visited[0] == raw["root"]
    for node, record in zip(snapshot.nodes, raw["nodes"], strict=True):
        assert [child.node_id for child in node.children] == record[1]
        assert {ref.node_id for ref in node.refs} == wire_ids(record[1]) | wire_ids(record[2])
    assert show(snapshot.root).count("\n") <= sum(len(node.refs) for node in snapshot.nodes)
