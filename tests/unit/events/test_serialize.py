# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Text of events: the bytes of openlineage-python's own Serde, and no secrets."""

from __future__ import annotations

import datetime
import enum
import json
import uuid
from typing import Any, ClassVar

import attr
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openlineage.client import event_v2, facet_v2
from openlineage.client.serde import Serde

from pyspark_lineage.events.serialize import event_text, to_json


@attr.define
class Inner:
    z: Any = None
    a: Any = None
    _hidden: Any = None


@attr.define
class Facet(facet_v2.RunFacet):
    value: Any = None
    other: Any = None


class Colour(enum.Enum):
    RED = "red"
    NUMBER = 3
    NOTHING = None
    MANY = (1, 2)


class Word(str, enum.Enum):
    ONE = "one"


class int64(int):
    """What pandas puts into numbers."""


class Odd:
    pass


plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([*Colour, *Word])
    | st.just(datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.timezone.utc))
    | st.just(uuid.UUID(int=7))
    | st.just(int64(8))
    | st.builds(Odd)
)
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
        | st.builds(Inner, z=inner, a=inner, hidden=inner)
    ),
    max_leaves=25,
)


@given(values, values)
def test_the_bytes_of_serde(value: Any, other: Any) -> None:
    facet = Facet(value=value, other=other)
    assert to_json(facet) == Serde.to_json(facet)


@given(st.dictionaries(st.integers() | st.booleans(), st.integers(), max_size=3))
def test_keys_that_are_no_text(value: dict[Any, int]) -> None:
    assert to_json(Facet(value=value)) == Serde.to_json(Facet(value=value))


def test_facets_with_additional_properties() -> None:
    facet = Facet(value=1).with_additional_properties(extra={"b": [None, {}, {"x": None}]})
    assert to_json(facet) == Serde.to_json(facet)


def test_plain_dictionaries() -> None:
    assert to_json({"b": None, "a": [1, None]}) == Serde.to_json({"b": None, "a": [1, None]})


@attr.define
class Shared(facet_v2.DatasetFacet):
    shared_text: ClassVar[bool] = True
    value: Any = None


def test_a_facet_that_never_changes_is_written_once() -> None:
    facet = Shared(value=1)
    assert to_json(facet) == Serde.to_json(facet)
    facet.value = 2  # which its class has promised not to happen
    assert json.loads(to_json(facet))["value"] == 1
    assert json.loads(to_json(Shared(value=2)))["value"] == 2
    many = [Shared(value=number) for number in range(1000)]
    assert [json.loads(to_json(one))["value"] for one in many] == list(range(1000))


def event(**facets: facet_v2.RunFacet) -> event_v2.RunEvent:
    return event_v2.RunEvent(
        eventTime="2026-01-01T00:00:00.000Z",
        run=event_v2.Run(runId=str(uuid.UUID(int=1)), facets=dict(facets)),
        job=event_v2.Job(namespace="default", name="password_report"),
        eventType=event_v2.RunState.START,
    )


@pytest.mark.parametrize("secret", ["jdbc:postgresql://h/db?user=u&password=hunter2", "s3a://AK:hunter2@bucket/x"])
def test_secrets_do_not_get_out(secret: str) -> None:
    text = event_text(event(f=Facet(value={"url": secret})))
    assert "hunter2" not in text
    assert json.loads(text)["job"]["name"] == "password_report"


def test_the_unsuspicious_is_written_as_it_is() -> None:
    one = event(f=Facet(value="nothing here"))
    one.job.name = "report"
    assert event_text(one) == Serde.to_json(one)
