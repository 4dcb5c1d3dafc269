# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks [NAME...]`"""

from __future__ import annotations

import argparse
import difflib
import signal
import sys
import time
from pathlib import Path

from benchmarks import machine
from benchmarks.arms import OFF, ON, find_java_agent
from benchmarks.pairs import Settings
from benchmarks.report import Report, Section, heading, read_json, text, write_json, write_markdown
from benchmarks.tree import become_reaper
from benchmarks.workloads import BENCHMARKS

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"


def main() -> int:
    arguments = _parser().parse_args()
    if arguments.list:
        for benchmark in BENCHMARKS:
            print(f"{benchmark.name:18} {benchmark.title}")
        return 0
    if arguments.render:
        write_markdown(arguments.markdown or _PAGE, read_json(arguments.render))
        return 0
    known = {benchmark.name: benchmark for benchmark in BENCHMARKS}
    for name in arguments.names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            print(f"No benchmark is called {name!r}. Known: {', '.join(known)}.{hint}", file=sys.stderr)
            return 2
    become_reaper()
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))  # so that what was started is ended in this case too
    pairs = arguments.pairs or (3 if arguments.quick else 9)
    how = (
        f"Medians of {pairs} pairs, order alternating, with the interval that signs give (95 % unless said); "
        f"{'quick sizes; ' if arguments.quick else ''}{machine.load()}."
    )
    report = Report(machine.machine(), how)
    print(heading(report))
    arms = (OFF, ON, *([find_java_agent(arguments.java_agent)] if arguments.java_agent else []))
    settings = Settings(pairs, arguments.quick, arms)
    sections: list[Section] = []
    for name in arguments.names or known:
        started = time.perf_counter()
        section = known[name].run(settings)
        print(f"{text(section)}\n  ({time.perf_counter() - started:.0f} s)", flush=True)
        sections.append(section)
        report = Report(report.machine, how, tuple(sections))
        if arguments.json:  # after each one: a run that is broken off has not been for nothing
            write_json(arguments.json, report)
    if arguments.markdown:
        write_markdown(arguments.markdown, read_json(arguments.json) if arguments.json else report)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="What the agent costs, beside no agent.")
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="benchmarks to run; all of them unless given")
    add("--list", action="store_true", help="say which benchmarks there are")
    add("--java-agent", metavar="COORDINATE_OR_JAR", help="OpenLineage's Java agent as a third column")
    add("--pairs", type=int, metavar="N", help="pairs of runs (9; quick: 3)")
    add("--quick", action="store_true", help="small sizes and few pairs: some minutes, wide intervals")
    add("--json", type=Path, metavar="FILE", help="write results; sections of an earlier run on this machine are kept")
    add("--markdown", type=Path, nargs="?", const=_PAGE, metavar="FILE", help="write results into docs/benchmarks.md")
    add(
        "--render",
        type=Path,
        metavar="FILE",
        help="run nothing: write the results of that JSON file as --markdown does",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
