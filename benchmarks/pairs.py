# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The same program in every arm, again and again, in alternating order. Results must be equal; pairs are compared."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.arms import OFF, Arm, Outcome, run_driver
from benchmarks.intervals import differences, median_interval, ratios
from benchmarks.report import Section, Table, between, number


@dataclass(frozen=True)
class Settings:
    """What the command line asked for."""

    pairs: int
    quick: bool
    arms: tuple[Arm, ...]

    def pick(self, full: Any, quick: Any) -> Any:
        return quick if self.quick else full


def order(arms: Sequence[Arm], pair: int) -> list[Arm]:
    """Each arm is as often first, and as often last, as the others."""
    turn = pair % len(arms)
    turned = [*arms[turn:], *arms[:turn]]
    return turned if (pair // len(arms)) % 2 == 0 or len(arms) == 2 else turned[::-1]


def run_pairs(
    arms: Sequence[Arm],
    workload: str,
    parameters: Mapping[str, Any],
    pairs: int,
    *,
    spark_conf: Mapping[str, str] | None = None,
) -> dict[str, list[Outcome]]:
    """Outcomes by arm, in the order of the pairs."""
    outcomes: dict[str, list[Outcome]] = {arm.name: [] for arm in arms}
    for pair in range(pairs):
        for arm in order(arms, pair):
            print(
                f"  {workload}: pair {pair + 1} of {pairs}, {arm.name}          ", end="\r", file=sys.stderr, flush=True
            )
            outcomes[arm.name].append(run_driver(arm, workload, parameters, spark_conf=spark_conf))
        _same_results(workload, [outcomes[arm.name][-1] for arm in arms])
    return outcomes


def _same_results(workload: str, outcomes: Sequence[Outcome]) -> None:
    digests = [outcome.inside["results"] for outcome in outcomes]
    if any(digest != digests[0] for digest in digests):
        raise AssertionError(f"{workload}: the results differ between the arms: {digests}")


@dataclass(frozen=True)
class Paired:
    """A benchmark that compares the arms over a driver program with one or more loops."""

    name: str
    title: str
    workload: str
    full: Mapping[str, Any]
    quick: Mapping[str, Any]
    spark_conf: Mapping[str, str] | None = None

    def run(self, settings: Settings) -> Section:
        parameters = settings.pick(self.full, self.quick)
        outcomes = run_pairs(settings.arms, self.workload, parameters, settings.pairs, spark_conf=self.spark_conf)
        off = outcomes[OFF.name]
        rows = [_row("whole process tree", arm, outcomes[arm.name], off, _whole) for arm in settings.arms]
        for loop in off[0].loops:
            rows += [_row(f"loop: {loop}", arm, outcomes[arm.name], off, _of_loop(loop)) for arm in settings.arms]
        head = ("", "arm", "CPU s", "CPU ratio", "CPU s more", "wall ratio", "of it: Python, JVM, agent s")
        notes = [_events_note(arm, outcomes[arm.name]) for arm in settings.arms if arm is not OFF]
        notes += [
            f"{arm.name}: outside of the loops (start, attach, warm-up, end) "
            f"{between(differences(_rest(outcomes[arm.name]), _rest(off)), digits=2, sign=True)} s of processor time."
            for arm in settings.arms
            if arm is not OFF
        ]
        sizes = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in parameters.items())
        notes.insert(0, f"Sizes: {sizes}.")
        return Section(self.name, self.title, (Table(head, tuple(rows)),), tuple(notes), _data(outcomes))


Pick = Callable[[Outcome], Mapping[str, float]]


def _whole(outcome: Outcome) -> Mapping[str, float]:
    return {"cpu": outcome.ended.cpu, "wall": outcome.ended.wall}


def _of_loop(name: str) -> Pick:
    return lambda outcome: outcome.loops[name]


def _rest(outcomes: Sequence[Outcome]) -> list[float]:
    return [o.ended.cpu - sum(loop["cpu"] for loop in o.loops.values()) for o in outcomes]


def _row(what: str, arm: Arm, new: Sequence[Outcome], off: Sequence[Outcome], pick: Pick) -> tuple[str, ...]:
    new_, off_ = [pick(o) for o in new], [pick(o) for o in off]
    cpu, cpu_off = [m["cpu"] for m in new_], [m["cpu"] for m in off_]
    wall, wall_off = [m["wall"] for m in new_], [m["wall"] for m in off_]
    split = ""
    if "jvm" in new_[0]:
        split = ", ".join(
            number(median_interval([m[kind] for m in new_]).median) for kind in ("python", "jvm", "agent")
        )
    if arm is OFF:
        return (what, arm.name, number(median_interval(cpu).median), "", "", "", split)
    return (
        *(what, arm.name, number(median_interval(cpu).median), between(ratios(cpu, cpu_off))),
        *(between(differences(cpu, cpu_off), digits=2, sign=True), between(ratios(wall, wall_off)), split),
    )


def _events_note(arm: Arm, outcomes: Sequence[Outcome]) -> str:
    events = sorted({o.events for o in outcomes})
    many = f"{events[0]}" if len(events) == 1 else f"{events[0]}-{events[-1]}"
    size = median_interval([o.event_bytes / 1024 for o in outcomes]).median
    return f"{arm.name}: {many} events, {number(size)} kB."


def _data(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, Any]:
    return {
        arm: [
            {
                "wall": o.ended.wall,
                "cpu": o.ended.cpu,
                "loops": dict(o.loops),
                "events": o.events,
                "bytes": o.event_bytes,
            }
            for o in of_arm
        ]
        for arm, of_arm in outcomes.items()
    }
