# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from pyspark_lineage.errors import DecodeError
from pyspark_lineage.plan import Call, Cut, Unknown, decode, show, walk
from pyspark_lineage.plan.commands import InsertIntoHadoopFsRelationCommand
from pyspark_lineage.plan.expressions import Alias, AttributeReference, Cast, Literal, ScalarSubquery
from pyspark_lineage.plan.operators import EventTimeWatermark, Filter, Project, Sort, Union
from pyspark_lineage.plan.relations import (
    DataSourceV2Relation,
    LogicalRDD,
    LogicalRelation,
    ResolvedTable,
    StreamingRelation,
)
from pyspark_lineage.plan.tree import NO_ORIGIN
from pyspark_lineage.plan.values import (
    WITHHELD,
    CatalogRef,
    CatalogTable,
    HadoopFsRelation,
    IdentifierRef,
    JDBCRelation,
    JvmObject,
    OtherRelation,
    RddRef,
    TableIdentifier,
    V2Table,
)
from tests.unit.plan.wire import EXPRESSIONS, LOGICAL, SQL, Wire

DATASOURCES = f"{SQL}.execution.datasources"


def files(wire: Wire, *attributes: int) -> int:
    relation = {
        "$": f"{DATASOURCES}.HadoopFsRelation",
        "f": {
            "roots": ["file:/a/b"],
            "rootCount": {"#": 1},
            "partitionSchema": wire.type({"type": "struct", "fields": []}),
            "dataSchema": wire.type(
                {"type": "struct", "fields": [{"name": "a", "type": "long", "nullable": True, "metadata": {}}]}
            ),
            "bucketSpec": None,
            "fileFormat": {"$": f"{DATASOURCES}.parquet.ParquetFileFormat"},
            "format": "parquet",
            "location": {"$": f"{DATASOURCES}.InMemoryFileIndex"},
            "options": {"m": {"path": "file:/a/b"}},
        },
    }
    return wire.add(
        f"{DATASOURCES}.LogicalRelation", "p", [],
        relation=relation, output=list(attributes), catalogTable=None, isStreaming=False,
    )  # fmt: skip


def a_query() -> tuple[Wire, int]:
    """`SELECT cast(a as string) AS b FROM parquet WHERE a = (SELECT max(a) …)`, and an insert of it."""
    wire = Wire()
    wire.sql.append("SELECT …")
    wire.origins.append([1, 7, 7, 9, 0, "select", "job.py:12"])
    a = wire.attribute("a", 1, metadata={"comment": "the id"})
    relation = files(wire, a)
    subquery = wire.expression(
        "ScalarSubquery", [], plan=relation, outerAttrs=[], exprId={"x": "7@other"}, joinCond=[], hint=None
    )
    condition = wire.expression("EqualTo", [a, subquery], left=a, right=subquery)
    filtered = wire.plan("Filter", [relation], condition=condition, child=relation)
    cast = wire.expression(
        "Cast", [a], origin=0, child=a, dataType=wire.type("string"), timeZoneId="Europe/Rome",
        evalMode={"$": f"{EXPRESSIONS}.EvalMode", "f": {"name": "ANSI"}},
    )  # fmt: skip
    alias = wire.expression("Alias", [cast], child=cast, name="b", exprId={"x": 2}, qualifier=[], metadata=None)
    project = wire.plan("Project", [filtered], projectList=[alias], child=filtered)
    table = {
        "$": f"{SQL}.catalyst.catalog.CatalogTable",
        "f": {
            "identifier": {
                "$": f"{SQL}.catalyst.TableIdentifier",
                "f": {"table": "t", "database": "db", "catalog": "spark_catalog"},
            },
            "tableType": {"$": f"{SQL}.catalyst.catalog.CatalogTableType", "f": {"name": "MANAGED"}},
            "storage": {
                "$": f"{SQL}.catalyst.catalog.CatalogStorageFormat",
                "f": {"locationUri": "file:/w/t", "compressed": False, "properties": {"m": {"password": "[redacted]"}}},
            },
            "schema": wire.type("long"),
            "partitionColumnNames": ["p"],
            "properties": {"m": {"k": "v"}},
            "createTime": {"#": 12},
        },
    }
    insert = wire.add(
        f"{DATASOURCES}.InsertIntoHadoopFsRelationCommand", "p", [project],
        outputPath="file:/w/t", staticPartitions={"m": {"p": "1"}}, ifPartitionNotExists=False, partitionColumns=[],
        query=project, mode={"$": f"{SQL}.SaveMode", "f": {"name": "Overwrite"}}, catalogTable=table,
        outputColumnNames=["b"], somethingNew=[alias],
    )  # fmt: skip
    return wire, insert


def test_a_whole_statement() -> None:
    wire, insert = a_query()
    snapshot = decode(wire.text(insert))

    root = snapshot.root
    assert isinstance(root, InsertIntoHadoopFsRelationCommand)
    assert root.node_id == insert
    assert snapshot.nodes[insert] is root
    assert root.class_name == f"{DATASOURCES}.InsertIntoHadoopFsRelationCommand"
    assert root.simple_name == "InsertIntoHadoopFsRelationCommand"
    assert (root.output_path, root.static_partitions, root.file_index) == ("file:/w/t", {"p": "1"}, None)
    assert root.mode is not None
    assert root.mode.name == "Overwrite"
    table = root.catalog_table
    assert isinstance(table, CatalogTable)
    assert isinstance(table.identifier, TableIdentifier)
    assert table.identifier.parts == ("spark_catalog", "db", "t")
    assert table.table_type is not None
    assert table.table_type.name == "MANAGED"
    assert table.storage is not None
    assert table.storage.location_uri == "file:/w/t"
    assert table.partition_column_names == ("p",)
    assert table.fields["create_time"] == 12


def test_a_whole_query() -> None:
    wire, insert = a_query()
    snapshot = decode(wire.text(insert))
    root = snapshot.root
    assert isinstance(root, InsertIntoHadoopFsRelationCommand)
    project = root.query
    assert isinstance(project, Project)
    assert root.children == (project,)
    (alias,) = project.project_list
    assert isinstance(alias, Alias)
    assert (alias.name, alias.expr_id) == ("b", 2)
    assert root.refs == (project, alias), "a field that is not modelled still leads to its nodes"
    cast = alias.child
    assert isinstance(cast, Cast)
    assert cast.child_type is None
    assert cast.origin.call_site == "job.py:12"
    assert cast.origin.sql_text == "SELECT …"
    assert cast.origin.line == 1
    assert alias.origin is NO_ORIGIN
    filtered = project.child
    assert isinstance(filtered, Filter)
    equal = filtered.condition
    assert isinstance(equal, Call)
    assert equal.function == "EqualTo"
    assert dict(equal.fields) == {
        "left": equal.children[0],
        "right": equal.children[1],
    }
    subquery = equal.children[1]
    assert isinstance(subquery, ScalarSubquery)
    assert subquery.expr_id == "7@other"
    relation = filtered.child
    assert subquery.plan is relation
    assert subquery.children == ()
    assert subquery.refs == (relation,)
    assert isinstance(relation, LogicalRelation)
    assert relation.stream is None
    assert isinstance(relation.relation, HadoopFsRelation)
    assert (relation.relation.roots, relation.relation.root_count) == (("file:/a/b",), 1)
    assert relation.relation.data_schema is not None
    assert relation.relation.data_schema.names == ("a",)
    (a,) = relation.output
    assert isinstance(a, AttributeReference)
    assert a.metadata == {"comment": "the id"}
    assert a.qualifier == ("t",)
    assert cast.child is a
    assert [type(node).__name__ for node in walk(root)] == [
        "InsertIntoHadoopFsRelationCommand", "Project", "Filter", "LogicalRelation", "AttributeReference", "Call",
        "ScalarSubquery", "Alias", "Cast",
    ]  # fmt: skip
    assert (snapshot.cut, snapshot.unknown) == ((), {})


def test_the_statement_as_text() -> None:
    wire, insert = a_query()
    assert show(decode(wire.text(insert)).root) == (
        "InsertIntoHadoopFsRelationCommand file:/w/t {p=1} Overwrite spark_catalog.db.t [b]\n"
        "  Project [cast(a#1 as string) AS b#2]\n"
        "    Filter (a#1 = scalar-subquery#7)\n"
        "      LogicalRelation parquet [file:/a/b] [a#1]"
    )


def test_nodes_and_values_cannot_be_changed() -> None:
    wire, insert = a_query()
    snapshot = decode(wire.text(insert))
    for node in snapshot.nodes:
        for name in (*type(node).field_names, "node_id", "children", "refs", "origin", "getters", "anything"):
            with pytest.raises(FrozenInstanceError):
                setattr(node, name, None)
            with pytest.raises(FrozenInstanceError):
                delattr(node, name)
        assert not hasattr(node, "__dict__")
    root = snapshot.root
    assert isinstance(root, InsertIntoHadoopFsRelationCommand)
    for mapping in (root.static_partitions, root.catalog_table and root.catalog_table.properties):
        with pytest.raises(TypeError):
            mapping["p"] = "2"  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        root.catalog_table.provider = "x"  # type: ignore[union-attr, misc]


def test_the_order_of_ids_does_not_matter() -> None:
    wire = Wire()
    wire.types.append("long")
    wire.plan("Project", [1], projectList=[2], child=1)
    wire.plan("OneRowRelation", [])
    wire.expression("Alias", [3], child=3, name="x", exprId={"x": 1}, qualifier=[], metadata=None)
    wire.expression("Literal", [], value={"lit": "1"}, dataType={"T": 0})
    root = decode(wire.snapshot(0)).root
    assert isinstance(root, Project)
    assert isinstance(root.project_list[0], Alias)
    assert isinstance(root.project_list[0].child, Literal)
    assert root.project_list[0].child.value == "1"


def test_literals() -> None:
    wire = Wire()
    kind = wire.type("string")
    values: list[Any] = [{"lit": "x"}, {"lit": None, "cut": True}, None]
    ids = [wire.expression("Literal", [], value=value, dataType=kind) for value in values]
    root = decode(wire.snapshot(wire.plan("Project", [], projectList=ids, child=-1))).root
    assert isinstance(root, Project)
    assert [literal.value for literal in root.project_list if isinstance(literal, Literal)] == ["x", WITHHELD, None]


def test_what_is_not_modelled_is_kept_walked_and_counted() -> None:
    wire = Wire()
    a = wire.attribute("a", 1)
    call = wire.expression("Upper", [a], child=a)
    leaf = wire.plan("OneRowRelation", [])
    inner = wire.add("com.acme.plans.Frobnicate", "p", [leaf], child=leaf, howMuch={"#": 3}, keys=[[call], None])
    outer = wire.add("com.acme.plans.Outer$Frobnicate", "p", [inner], child=inner)
    snapshot = decode(wire.text(outer))
    root = snapshot.root
    assert isinstance(root, Unknown)
    assert root.simple_name == "Frobnicate"
    node = root.children[0]
    assert isinstance(node, Unknown)
    assert node.class_name == "com.acme.plans.Frobnicate"
    upper = node.refs[1]
    assert isinstance(upper, Call)
    assert upper.function == "Upper"
    assert node.fields == {"child": node.children[0], "how_much": 3, "keys": ((upper,), None)}
    assert snapshot.unknown == {"Frobnicate": 2}
    assert len(list(walk(root))) == 5


def test_a_class_of_the_same_name_elsewhere_is_not_ours() -> None:
    wire = Wire()
    root = wire.add("com.acme.Project", "p", [], projectList=[])
    assert isinstance(decode(wire.text(root)).root, Unknown)


def test_a_class_that_moved_between_versions() -> None:
    for package in ("execution.streaming", "execution.streaming.runtime"):
        wire = Wire()
        source = {"$": f"{SQL}.execution.datasources.DataSource"}
        fqcn = f"{SQL}.{package}.StreamingRelation"
        root = decode(wire.text(wire.add(fqcn, "p", [], dataSource=source, sourceName="s", output=[]))).root
        assert isinstance(root, StreamingRelation)
        assert root.class_name == fqcn


def test_cut_nodes() -> None:
    wire = Wire()
    snapshot = decode(wire.text(wire.plan("Union", [-1, -1], children=[-1, -1], byName=False), cut=("nodes",)))
    assert isinstance(snapshot.root, Union)
    assert snapshot.cut == ("nodes",)
    assert [type(child) for child in snapshot.root.children] == [Cut, Cut]
    assert len(snapshot.nodes) == 1
    assert len(list(walk(snapshot.root))) == 2
    assert show(snapshot.root) == "Union\n  … cut …"


def test_getters_of_plug_ins() -> None:
    wire = Wire()
    table = {"$": "com.acme.Table", "f": {"name": "t", "properties": {"m": {}}}, "g": {"snapshotId": {"#": 5}}}
    root = wire.add(
        f"{DATASOURCES}.v2.DataSourceV2Relation", "p", [],
        table=table, output=[], **{"$getters": {"m": {"howBig": {"#": 9}}}},
    )  # fmt: skip
    other = wire.add("com.acme.Odd", "p", [root], child=root, **{"$getters": {"m": {"x": "y"}}})
    odd = decode(wire.text(other)).root
    assert isinstance(odd, Unknown)
    assert odd.getters == {"x": "y"}
    assert set(odd.fields) == {"child"}
    relation = odd.children[0]
    assert isinstance(relation, DataSourceV2Relation)
    assert relation.getters == {"howBig": 9}
    assert isinstance(relation.table, V2Table)
    assert relation.table.getters == {"snapshotId": 5}
    assert relation.catalog is None
    assert relation.time_travel_spec is None


def test_objects_are_typed_by_their_class_or_their_place() -> None:
    wire = Wire()
    relation = wire.add(
        f"{DATASOURCES}.v2.DataSourceV2Relation", "p", [],
        table={"$": "com.acme.Anything", "f": {"name": "db.t"}}, output=[],
        catalog={"$": "com.acme.Catalog", "f": {"name": "prod"}},
        identifier={"$": f"{SQL}.connector.catalog.IdentifierImpl", "f": {"namespace": ["db"], "name": "t"}},
        options={"m": {}},
    )  # fmt: skip
    node = decode(wire.text(relation)).root
    assert isinstance(node, DataSourceV2Relation)
    assert isinstance(node.table, V2Table)
    assert node.table.class_name == "com.acme.Anything"
    assert isinstance(node.catalog, CatalogRef)
    assert node.catalog.name == "prod"
    assert node.identifier == IdentifierRef(
        class_name=f"{SQL}.connector.catalog.IdentifierImpl", namespace=("db",), name="t"
    )

    wire = Wire()
    v1 = {"$": f"{SQL}.connector.catalog.V1Table", "f": {"v1Table": {"$": f"{SQL}.catalyst.catalog.CatalogTable"}}}
    resolved = wire.add(f"{SQL}.catalyst.analysis.ResolvedTable", "p", [], catalog=None, identifier=None, table=v1)
    table = decode(wire.text(resolved)).root
    assert isinstance(table, ResolvedTable)
    assert isinstance(table.table, V2Table)
    assert isinstance(table.table.catalog_table, CatalogTable)

    wire = Wire()
    schema = wire.type({"type": "struct", "fields": []})
    for sent, cls in (
        ({"$": "com.acme.Rel", "f": {"schema": schema}}, OtherRelation),
        (
            {"$": f"{DATASOURCES}.jdbc.JDBCRelation", "f": {"schema": schema, "url": "jdbc:x", "table": "t"}},
            JDBCRelation,
        ),
    ):
        logical = decode(wire.text(wire.add(f"{DATASOURCES}.LogicalRelation", "p", [], relation=sent, output=[]))).root
        assert isinstance(logical, LogicalRelation)
        assert type(logical.relation) is cls

    wire = Wire()
    chain = [{"$": "org.apache.spark.rdd.MapPartitionsRDD", "f": {"id": {"#": 4}, "name": None}}]
    rdd = {"$": "org.apache.spark.rdd.MapPartitionsRDD", "f": {"id": {"#": 5}, "name": "x", "chain": chain}}
    plan = decode(wire.text(wire.add(f"{SQL}.execution.LogicalRDD", "p", [], output=[], rdd=rdd))).root
    assert isinstance(plan, LogicalRDD)
    assert isinstance(plan.rdd, RddRef)
    assert (plan.rdd.id, plan.rdd.name, plan.rdd.chain[0].fields["id"]) == (5, "x", 4)


def test_small_objects_are_made_once() -> None:
    wire = Wire()
    mode = {"$": f"{EXPRESSIONS}.NumericEvalContext", "f": {"evalMode": {"$": "EvalMode", "f": {"name": "ANSI"}}}}
    ids = [wire.expression("Add", [], evalContext=json.loads(json.dumps(mode))) for _ in range(2)]
    root = decode(wire.text(wire.plan("Project", [], projectList=ids, child=-1))).root
    assert isinstance(root, Project)
    one, other = (e.fields["eval_context"] for e in root.project_list if isinstance(e, Call))
    assert one is other
    assert isinstance(one, JvmObject)
    assert one.fields["eval_mode"].name == "ANSI"


def test_an_object_that_holds_a_node_leads_to_it_each_time() -> None:
    wire = Wire()
    a = wire.attribute("a", 1)
    held = {"$": f"{SQL}.catalyst.plans.ExistenceJoin", "f": {"exists": a}}
    ids = [wire.add("com.acme.Holds", "p", [], what=json.loads(json.dumps(held))) for _ in range(2)]
    root = decode(wire.text(wire.plan("Union", ids, children=ids))).root
    assert [len(child.refs) for child in root.children] == [1, 1]


def test_names_that_mean_something_else_get_an_underscore() -> None:
    wire = Wire()
    leaf = wire.plan("OneRowRelation", [])
    sort = wire.plan("Sort", [leaf], order=[], **{"global": True}, child=leaf)
    mark = wire.plan("EventTimeWatermark", [sort], nodeId="u-1", eventTime=-1, delay=None, child=sort)
    root = decode(wire.text(mark)).root
    assert isinstance(root, EventTimeWatermark)
    assert (root.node_id, root.node_id_) == (2, "u-1")
    assert isinstance(root.child, Sort)
    assert root.child.global_ is True


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[]",
        "null",
        "{",
        '{"root": 0}',
        '{"root": 0, "nodes": [[0, [], []]], "classes": [], "types": []}',
        '{"root": 0, "nodes": [[0, [5], []]], "classes": [["a.B", "p", []]], "types": []}',
        '{"root": 0, "nodes": [[0, [-2], []]], "classes": [["a.B", "p", []]], "types": []}',
        '{"root": 0, "nodes": [[0, [], ["x"]]], "classes": [["a.B", "p", []]], "types": []}',
        '{"root": 0, "nodes": [[0, [], [{"?": 1}]]], "classes": [["a.B", "p", ["x"]]], "types": []}',
        '{"root": 0, "nodes": [[0, [], [{}]]], "classes": [["a.B", "p", ["x"]]], "types": []}',
        '{"root": 0, "nodes": [[0, [], [{"T": 0}]]], "classes": [["a.B", "p", ["x"]]], "types": []}',
        '{"root": 0, "nodes": [[0, [], []]], "classes": [["a.B", "q", []]], "types": []}',
        '{"root": 0, "nodes": [[0, [], []]], "classes": [["a.B", "e", []]], "types": []}',
        '{"root": 3, "nodes": [[0, [], []]], "classes": [["a.B", "p", []]], "types": []}',
        '{"root": -1, "nodes": [], "classes": [], "types": []}',
        '{"root": 0, "nodes": [[0, [], [], 4]], "classes": [["a.B", "p", []]], "types": []}',
        f'{{"root": 0, "nodes": [[0, [], []]], "classes": [["{LOGICAL}.Project", "p", ["child"]]], "types": []}}',
        "[" * 100_000,
    ],
)
def test_damaged_snapshots(damage: str) -> None:
    with pytest.raises(DecodeError, match=r"Malformed|must be a plan"):
        decode(damage)
