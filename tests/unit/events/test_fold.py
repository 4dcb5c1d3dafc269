# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The lineage of nested executions, put together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pyspark_lineage.contract.context import NO_LINEAGE, Lineage
from pyspark_lineage.datasets.value import InputDataset, OutputDataset, Symlink
from pyspark_lineage.events.fold import folded
from pyspark_lineage.plan.types import AtomicType, StructField, StructType

SCHEMA = StructType((StructField("a", AtomicType("long")),))
LINK = Symlink("file:/w", "db.t")


def table(path: str, name: str = "db.t", *, guess: bool = False, **given: object) -> OutputDataset:
    return OutputDataset("file", path, table=name, provisional=guess, **given)  # type: ignore[arg-type]


def files(path: str, **given: object) -> OutputDataset:
    return OutputDataset("file", path, **given)  # type: ignore[arg-type]


def test_the_first_is_what_it_is() -> None:
    found = Lineage(outputs=(files("/a"),), unhandled={"X": 1})
    assert folded(NO_LINEAGE, found, nested=True) is found


def test_each_dataset_once_in_the_order_of_the_roots() -> None:
    a, b, c = (InputDataset("file", name) for name in "abc")
    both = folded(Lineage(inputs=(b, a)), Lineage(inputs=(c, b)), nested=True)
    assert [one.name for one in both.inputs] == ["b", "a", "c"]


def test_the_nested_write_knows_the_place() -> None:
    guess = table("/w/db.db/t", guess=True, schema=SCHEMA, symlinks=(LINK,), lifecycle="CREATE", job_name_suffix="db.t")
    (one,) = folded(Lineage(outputs=(guess,)), Lineage(outputs=(files("/elsewhere/t"),)), nested=True).outputs
    assert one == OutputDataset(
        "file", "/elsewhere/t", symlinks=(LINK,), table="db.t", lifecycle="CREATE", job_name_suffix="db.t"
    )
    assert one.schema is SCHEMA
    assert not one.provisional


def test_of_two_guesses_the_one_that_says_its_database_stays() -> None:
    short, full = table("/w/t", "t", guess=True), table("/w/db.db/t", "db.t", guess=True)
    for first, second in ((short, full), (full, short)):
        both = folded(Lineage(outputs=(first,)), Lineage(outputs=(second,)), nested=True)
        assert both.outputs == (full,)


def test_a_guess_stays_where_two_places_could_be_meant() -> None:
    guess = table("/w/db.db/t", guess=True)
    both = folded(Lineage(outputs=(guess,)), Lineage(outputs=(files("/x"), files("/y"))), nested=True)
    assert {one.name for one in both.outputs} == {"/w/db.db/t", "/x", "/y"}


def test_what_is_known_is_not_replaced() -> None:
    both = folded(Lineage(outputs=(files("/x"),)), Lineage(outputs=(files("/y"),)), nested=True)
    assert [one.name for one in both.outputs] == ["/x", "/y"]


def test_what_nested_executions_did_not_understand_is_not_told_again() -> None:
    root = Lineage(unhandled={"X": 1}, unknown={"Y": 1}, failures={"h": 1}, cut=("nodes",), nodes=5, expressions=7)
    nested = Lineage(unhandled={"X": 1, "Z": 1}, unknown={"Y": 1}, failures={"h": 2}, cut=("nodes", "time"), nodes=3)
    both = folded(root, nested, nested=True)
    assert (both.unhandled, both.unknown) == ({"X": 1}, {"Y": 1})
    assert both.failures == {"h": 3}
    assert both.cut == ("nodes", "time")
    assert (both.nodes, both.expressions) == (5, 7)
    later = folded(root, nested, nested=False)
    assert (later.unhandled, later.unknown) == ({"X": 2, "Z": 1}, {"Y": 2})


OUTPUTS = st.builds(
    OutputDataset,
    namespace=st.just("file"),
    name=st.sampled_from(["/a", "/b", "/w/t", "/w/db.db/t"]),
    table=st.sampled_from(["", "t", "db.t", "u"]),
    provisional=st.booleans(),
)
LINEAGES = st.builds(
    lambda outputs: Lineage(outputs=tuple({one.key: one for one in outputs}.values())), st.lists(OUTPUTS)
)


@given(st.lists(LINEAGES, min_size=1, max_size=4))
def test_no_output_twice_and_no_known_place_lost(found: list[Lineage]) -> None:
    lineage = NO_LINEAGE
    for one in found:
        lineage = folded(lineage, one, nested=lineage is not NO_LINEAGE)
    keys = [one.key for one in lineage.outputs]
    assert len(keys) == len(set(keys))
    known = {one.key for each in found for one in each.outputs if not one.provisional}
    assert known <= set(keys)
