# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage run script.py`: the program as `python` runs it, the agent attached once a SparkContext appears."""

from __future__ import annotations

import difflib
import logging
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark_lineage.bridge.hooks import when_context_appears
from pyspark_lineage.cli.program import NoProgramError, Outcome, Program, run_program
from pyspark_lineage.errors import LineageError, contain

USAGE = """\
usage: pyspark-lineage run [OPTION...] SCRIPT [ARGUMENT...]
       pyspark-lineage run [OPTION...] -m MODULE [ARGUMENT...]

Runs a program as python would, with lineage. SCRIPT may be a directory or zip file with a __main__.py, or - for stdin.

options:
  --conf KEY=VALUE        spark.openlineage.* is the agent's, any other key goes to Spark (SparkConf set in code wins)
  --properties-file FILE  Spark's defaults, in place of conf/spark-defaults.conf
  --name NAME             name of the application, where the program does not set one
  -m MODULE               run a module, as python -m does
  -h, --help              show this"""

_OPTIONS = ("--conf", "--properties-file", "--name", "-m", "--help")
_AGENT_PREFIX = "spark.openlineage."
_SHELL = "pyspark-shell"

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())  # without handlers, logging would say on stderr a second time what we say there


class UsageError(LineageError):
    """The command line cannot be understood."""


@dataclass(frozen=True)
class CommandLine:
    """What is asked for: the program, the agent's settings, and options of spark-submit."""

    program: Program | None
    agent: Mapping[str, str]
    spark: tuple[str, ...]


def main(argv: Sequence[str]) -> int:
    """Run the program of the command line; its exit code."""
    try:
        line = parse(argv)
        if line.program is None:
            print(USAGE)
            return 0
        _configure_spark(line.spark)
        _attach_later(line.agent)
        process = os.getpid()
        outcome = run_program(line.program)
    except (UsageError, NoProgramError) as error:
        print(f"pyspark-lineage run: {error}", file=sys.stderr)
        return 2
    if os.getpid() == process:  # a child that the program forked ends here too, and says nothing about the program
        _tell_agent(outcome)
        _say_why_nothing()
    if isinstance(outcome.error, KeyboardInterrupt) and outcome.code:
        # Has been printed. The interpreter, when it meets this, ends by SIGINT as the program would have.
        sys.excepthook = _silent
        raise KeyboardInterrupt
    return outcome.code


def parse(argv: Sequence[str]) -> CommandLine:
    """Options up to the program; everything behind it is the program's own."""
    rest = list(argv)
    agent: dict[str, str] = {}
    spark: list[str] = []
    while rest:
        word = rest.pop(0)
        option, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if word in {"-h", "--help"}:
            return CommandLine(None, agent, tuple(spark))
        if option in {"--conf", "--properties-file", "--name"}:
            text = value if equals else _value(option, rest)
            _take(option, text, agent, spark)
        elif word.startswith("-m"):
            name = word[2:] or _value("-m", rest)
            return CommandLine(Program("module", name, tuple(rest)), agent, tuple(spark))
        elif word == "-":
            return CommandLine(Program("stdin", "-", tuple(rest)), agent, tuple(spark))
        elif word == "--" or not word.startswith("-"):
            if word == "--":
                word = _value("--", rest)
            return CommandLine(Program("script", word, tuple(rest)), agent, tuple(spark))
        else:
            near = difflib.get_close_matches(option, _OPTIONS, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(f"unknown option {option}. Known: {', '.join(_OPTIONS)}.{hint}")
    raise UsageError("no program given: pyspark-lineage run [OPTION...] SCRIPT [ARGUMENT...], or -m MODULE")


def _value(option: str, rest: list[str]) -> str:
    if not rest:
        raise UsageError(f"{option} wants a value" if option != "--" else "no program given after --")
    return rest.pop(0)


def _take(option: str, text: str, agent: dict[str, str], spark: list[str]) -> None:
    if option == "--conf":
        key, equals, value = text.partition("=")
        if not key.strip() or not equals:
            raise UsageError(f"--conf wants KEY=VALUE, not {text!r}")
        if key.startswith(_AGENT_PREFIX):
            agent[key] = value
        else:
            spark += ["--conf", text]
    elif option == "--properties-file":
        if not os.path.isfile(text):
            raise UsageError(f"--properties-file: there is no file {text!r}")
        spark += [option, os.path.abspath(text)]  # the program may change the directory before Spark starts
    else:
        spark += [option, text]


def _configure_spark(options: Sequence[str]) -> None:
    """Hand options to the JVM that pyspark will start; behind those of the environment, so that ours win."""
    if not options:
        return
    given = os.environ.get("PYSPARK_SUBMIT_ARGS", _SHELL)
    try:
        words = shlex.split(given)
    except ValueError:  # pyspark will say so; ours stand before it
        os.environ["PYSPARK_SUBMIT_ARGS"] = f"{shlex.join(options)} {given}"
        return
    at = words.index(_SHELL) if _SHELL in words else len(words)
    os.environ["PYSPARK_SUBMIT_ARGS"] = shlex.join([*words[:at], *options, *(words[at:] or [_SHELL])])


def _attach_later(settings: Mapping[str, str]) -> None:
    def attach_now(context: Any) -> None:
        remove()  # from here on the agent watches for contexts itself
        with contain("attach", logger=_LOG, on_failure=_say_not_attached):
            from pyspark_lineage import attach

            attach(context, _cli=settings)

    remove = when_context_appears(attach_now)


def _say_not_attached(error: BaseException) -> None:
    text = " ".join(str(error).split())
    print(f"pyspark-lineage: no lineage of this run: {type(error).__name__}: {text}", file=sys.stderr)


def _tell_agent(outcome: Outcome) -> None:
    if "pyspark_lineage.agent" not in sys.modules:  # never attached: nobody waits for it
        return
    with contain("exit status", logger=_LOG):
        from pyspark_lineage.agent import exit_status

        exit_status.record(outcome.code, outcome.error)


def _say_why_nothing() -> None:
    """A program that only used Spark Connect never had a SparkContext to attach to."""
    attached = getattr(sys.modules.get("pyspark_lineage.agent.attach"), "_agent", None) is not None
    if attached or "pyspark.sql.connect.session" not in sys.modules:
        return
    from pyspark_lineage.bridge import driver

    if driver.only_remote_sessions():
        print(f"pyspark-lineage: no lineage of this run: {driver.REMOTE_SESSION}", file=sys.stderr)


def _silent(*_: object) -> None:
    pass
