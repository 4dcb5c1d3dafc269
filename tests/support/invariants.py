# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What holds for the events of any job, in the order in which they were sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

Event = Mapping[str, Any]

TERMINAL = frozenset({"COMPLETE", "FAIL", "ABORT"})


def broken_rules(events: Iterable[Event], *, broken_off: bool = False) -> list[str]:
    """What is wrong, one line each. `broken_off`: something was killed, a run may lack its end."""
    events = list(events)
    runs: dict[str, list[Event]] = {}
    for event in events:
        runs.setdefault(event["run"]["runId"], []).append(event)
    found: list[str] = []
    for at, event in enumerate(events):
        found += [f"event {at} ({_name(event)}): {broken}" for broken in _broken_in_event(event)]
    for run_id, of_run in runs.items():
        found += [f"run {run_id} ({_name(of_run[0])}): {broken}" for broken in _broken_in_run(of_run, broken_off)]
    return found + _broken_in_application(runs)


def check_events(events: Iterable[Event], *, broken_off: bool = False) -> None:
    found = broken_rules(events, broken_off=broken_off)
    if found:
        raise AssertionError("events break rules:\n  " + "\n  ".join(found))


def applications(events: Iterable[Event]) -> list[str]:
    """Ids of the application runs: those whose parent, if they name one, is none of these runs."""
    events = list(events)
    known = {event["run"]["runId"] for event in events}
    return list(dict.fromkeys(event["run"]["runId"] for event in events if _parent(event) not in known))


def _broken_in_event(event: Event) -> Iterable[str]:
    for part, key in ((event, "inputs"), (event, "outputs"), (event["run"], "facets"), (event["job"], "facets")):
        if part.get(key) is None:
            yield f"{'' if part is event else 'run.' if part is event['run'] else 'job.'}{key} is missing"
    for side in ("inputs", "outputs"):
        keys = Counter((dataset["namespace"], dataset["name"]) for dataset in event.get(side) or ())
        yield from (f"{side} names {key} {count} times" for key, count in keys.items() if count > 1)


def _broken_in_run(events: Sequence[Event], broken_off: bool) -> Iterable[str]:
    kinds = [event.get("eventType") for event in events]
    starts, ends = kinds.count("START"), sum(kind in TERMINAL for kind in kinds)
    if starts != 1:
        yield f"{starts} START events: {kinds}"
    elif kinds[0] != "START":
        yield f"START is not the first event: {kinds}"
    if ends > 1 or (ends == 0 and not broken_off):
        yield f"{ends} terminal events: {kinds}"
    elif ends == 1 and kinds[-1] not in TERMINAL:
        yield f"events after the terminal one: {kinds}"
    names = {(event["job"]["namespace"], event["job"]["name"]) for event in events}
    if len(names) > 1:
        yield f"more than one job: {sorted(names)}"
    times = [datetime.fromisoformat(event["eventTime"].replace("Z", "+00:00")) for event in events]
    if times != sorted(times):
        yield f"eventTime goes back: {[event['eventTime'] for event in events]}"
    parents = {_parent(event) for event in events}
    if len(parents) > 1:
        yield f"the parent changes: {parents}"


def _broken_in_application(runs: Mapping[str, Sequence[Event]]) -> list[str]:
    found = []
    order = {run_id: at for at, run_id in enumerate(runs)}
    for run_id, events in runs.items():
        parent = _parent(events[0])
        if parent not in runs:
            # An application names no datasets: the runs below it do. One that does is a run that lost its parent.
            if any(event.get("inputs") or event.get("outputs") for event in events):
                found.append(
                    f"run {run_id} ({_name(events[0])}): has datasets, but its parent is not the application's run"
                )
            continue
        if _parent(runs[parent][0]) in runs:
            found.append(f"run {run_id} ({_name(events[0])}): its parent {parent} is not the application's run")
        if order[parent] > order[run_id]:
            found.append(f"run {run_id} ({_name(events[0])}): began before its application")
    return found


def _parent(event: Event) -> str:
    return str(event["run"].get("facets", {}).get("parent", {}).get("run", {}).get("runId", ""))


def _name(event: Event) -> str:
    return f"{event.get('eventType')} {event['job']['name']}"
