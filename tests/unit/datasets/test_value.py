# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Each dataset once: the first stays, what it lacks comes from the others."""

from hypothesis import given
from hypothesis import strategies as st

from pyspark_lineage.datasets.value import Dataset, InputDataset, OutputDataset, Symlink, merged
from pyspark_lineage.plan.types import AtomicType, StructField, StructType

SCHEMA = StructType((StructField("a", AtomicType("long")),))
OTHER = StructType((StructField("b", AtomicType("string")),))


def test_the_first_is_filled_in_from_the_others() -> None:
    link = Symlink("file:/wh", "db.t")
    one = merged(
        [
            OutputDataset("file", "/t", schema=StructType(()), facets={"x": 1}),
            OutputDataset("file", "/t", schema=SCHEMA, symlinks=(link,), lifecycle="CREATE", facets={"x": 2, "y": 3}),
            OutputDataset("file", "/t", schema=OTHER, job_name_suffix="db.t"),
        ]
    )
    assert one == (
        OutputDataset(
            "file", "/t", symlinks=(link,), lifecycle="CREATE", facets={"x": 1, "y": 3}, job_name_suffix="db.t"
        ),
    )
    assert one[0].schema is SCHEMA


def test_a_whole_one_is_kept_as_it_is() -> None:
    first = InputDataset("file", "/t", schema=SCHEMA)
    assert merged([first, InputDataset("file", "/t", schema=OTHER)])[0] is first


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"))))
def test_keys_are_unique_and_in_order(keys: list[tuple[str, str]]) -> None:
    found = merged(Dataset(*key) for key in keys)
    assert [one.key for one in found] == list(dict.fromkeys(keys))
