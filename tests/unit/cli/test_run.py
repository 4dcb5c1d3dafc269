# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`pyspark-lineage run PROGRAM` is `python PROGRAM`: the same output, the same traceback, the same end. No JVM."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import zipapp
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pyspark_lineage.cli import run
from pyspark_lineage.cli.program import Program

RUN = [sys.executable, "-m", "pyspark_lineage.cli.main", "run"]


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def execute(
    command: list[str], folder: Path, *, stdin: str = "", environment: Mapping[str, str] | None = None
) -> Ended:
    ended = subprocess.run(
        command,
        cwd=folder,
        input=stdin,
        env={**os.environ, "PYTHONPATH": _pythonpath(), "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def _pythonpath() -> str:
    return os.pathsep.join(os.path.abspath(each) for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each)


def write(folder: Path, text: str, name: str = "job.py") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text), encoding="utf-8")


PROGRAMS = {
    "what a program sees of itself": """
        import sys
        print(sys.argv, sys.path[0], __name__, __file__, __spec__, __package__, type(__loader__), __builtins__, __doc__)
        print(sorted(globals()), sys.modules["__main__"].__dict__ is globals())
        if __name__ == "__main__":
            print("main")
        """,
    "docstring and future": '''
        """What it does."""
        from __future__ import annotations
        x: Undefined = 1
        print(__doc__, __annotations__)
        ''',
    "import of a neighbour": "import neighbour; print(neighbour.x, neighbour.__file__)",
    "exit with nothing": "import sys; print(1); sys.exit()",
    "exit with a number": "import sys; sys.exit(3)",
    "exit with a large number": "import sys; sys.exit(256 + 7)",
    "exit with true": "import sys; sys.exit(True)",
    "exit with text": "import sys; sys.exit('no input')",
    "exit with an object": "import sys; sys.exit((1, 'two'))",
    "exit at once": "import os, sys; sys.stdout.write('gone'); os._exit(4)",
    "error": """
        def inner():
            raise ValueError("bad\\nvalue")
        def outer():
            inner()
        outer()
        """,
    "error with its cause": """
        def one():
            try:
                {}["key"]
            except KeyError as error:
                raise RuntimeError("two") from error
        try:
            one()
        except RuntimeError:
            1 / 0
        """,
    "error in what is imported": "import broken",
    "group of errors": """
        import sys
        if sys.version_info >= (3, 11):
            def fail(): raise KeyError("a")
            try:
                fail()
            except KeyError as error:
                raise ExceptionGroup("several", [error, ValueError("b")])
        """,
    "syntax error": "x = = 1\n",
    "syntax error further down": "import sys\nprint(1)\ndef f(:\n  pass\n",
    "not utf-8": "print('\\N{BOM}')  # fine\n",
    "hook of the user's": """
        import sys
        def hook(kind, error, trace):
            import traceback
            print("caught", kind, error, [frame.name for frame in traceback.extract_tb(trace)])
        sys.excepthook = hook
        raise LookupError("x")
        """,
    "hook that fails": """
        import sys
        def hook(kind, error, trace):
            raise TypeError("in hook")
        sys.excepthook = hook
        raise LookupError("x")
        """,
    "hook that exits": """
        import sys
        sys.excepthook = lambda *_: sys.exit(9)
        raise LookupError("x")
        """,
    "order of the end": """
        import atexit, sys, threading, time
        def late():
            threading.main_thread().join()
            print("thread after main")
        atexit.register(print, "exit function")
        threading.Thread(target=late).start()
        class Last:
            def __del__(self): print("names are gone last")
        last = Last()
        print("end of main")
        sys.exit(5)
        """,
    "error in a thread": """
        import threading
        def fail(): raise ValueError("in thread")
        t = threading.Thread(target=fail, name="one"); t.start(); t.join()
        """,
    "warnings": """
        import warnings
        warnings.warn("mine", DeprecationWarning)
        """,
    "pickle of what is in main": """
        import pickle
        class Point:
            def __init__(self, x): self.x = x
        again = pickle.loads(pickle.dumps(Point(3)))
        print(type(again) is Point, again.x, Point.__module__)
        """,
    "processes by spawn": """
        import multiprocessing
        class Point:
            def __init__(self, x): self.x = x
        def work(p): return Point(p.x * 2)
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print([p.x for p in pool.map(work, [Point(1), Point(2)])])
        """,
    "processes by fork": """
        import multiprocessing, os, sys
        def work(x): return x * 2
        with multiprocessing.get_context("fork").Pool(1) as pool:
            print(pool.map(work, [1, 2]))
        sys.stdout.flush()
        child = os.fork()
        if child:
            print(os.waitpid(child, 0)[1] >> 8)
        else:
            sys.exit(6)
        """,
    "killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "interrupted": """
        import atexit, os, signal, time
        atexit.register(print, "exit function")
        def work():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        work()
        """,
    "interrupted and caught": """
        import os, signal, sys, time
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        except KeyboardInterrupt:
            sys.exit(2)
        """,
    "standard input": "import sys; print(input(), sys.stdin.read())",
    "source by inspect": "import inspect\ndef f(): return 1\nprint(inspect.getsource(f))",
    "broken pipe": "raise BrokenPipeError(32, 'of its own')",
    "lineage error": "from pyspark_lineage.errors import ConfigError\nraise ConfigError('seen by nobody')",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_script_runs_as_under_python(program: str, tmp_path: Path) -> None:
    write(tmp_path, program, "folder/job.py")
    write(tmp_path, "x = 1", "folder/neighbour.py")
    write(tmp_path, "def f():\n  return {}['x']\nf()", "folder/broken.py")
    arguments = ["folder/job.py", "a b", "--conf", "-m"]
    expected = execute([sys.executable, *arguments], tmp_path, stdin="one\ntwo\n")
    assert execute([*RUN, *arguments], tmp_path, stdin="one\ntwo\n") == expected


def test_a_script_behind_a_link_finds_its_real_neighbours(tmp_path: Path) -> None:
    write(tmp_path, "import neighbour, sys; print(__file__, sys.path[0])", "real/job.py")
    write(tmp_path, "", "real/neighbour.py")
    (tmp_path / "link.py").symlink_to("real/job.py")
    expected = execute([sys.executable, "link.py"], tmp_path)
    assert expected.code == 0
    assert execute([*RUN, "link.py"], tmp_path) == expected


def test_endless_recursion(tmp_path: Path) -> None:
    """The same but for the number of repetitions: some frames of the stack are ours."""
    write(tmp_path, "def f(): f()\nf()")
    expected, found = (execute([*command, "job.py"], tmp_path) for command in ([sys.executable], RUN))
    repeated = re.compile(r"repeated \d+ more")
    assert found.code == expected.code == 1
    assert repeated.sub("", found.err) == repeated.sub("", expected.err)


def test_safe_path_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "import sys; print(sys.path)")
    environment = {"PYTHONSAFEPATH": "1"}
    expected = execute([sys.executable, "job.py"], tmp_path, environment=environment)
    assert execute([*RUN, "job.py"], tmp_path, environment=environment) == expected


def test_bytes_of_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_bytes(b"# -*- coding: latin-1 -*-\nprint(ascii('\xe9'))\n")
    expected = execute([sys.executable, "job.py"], tmp_path)
    assert expected.out == "'\\xe9'\n"
    assert execute([*RUN, "job.py"], tmp_path) == expected


def test_a_compiled_script(tmp_path: Path) -> None:
    write(tmp_path, "print(__name__)\ndef f(): 1/0\nf()")
    execute([sys.executable, "-c", "import py_compile; py_compile.compile('job.py', 'job.pyc')"], tmp_path)
    expected = execute([sys.executable, "job.pyc"], tmp_path)
    assert expected.code == 1
    assert execute([*RUN, "job.pyc"], tmp_path) == expected


MAIN = """
import sys
from package import part
print(sys.argv, sys.path[0], __name__, __package__, __spec__.name, __file__)
print(sys.modules["__main__"].__dict__ is globals())
if sys.argv[1:]:
    part.fail()
"""


@pytest.mark.parametrize("module", ["package", "package.__main__", "package.part"])
def test_a_module_runs_as_under_python(module: str, tmp_path: Path) -> None:
    write(tmp_path, MAIN, "package/__main__.py")
    write(tmp_path, "def fail(): raise ValueError\nprint(__name__)", "package/part.py")
    write(tmp_path, "print('package', __import__('sys').argv)", "package/__init__.py")
    expected = execute([sys.executable, "-m", module, "x"], tmp_path)
    found = execute([*RUN, "-m", module, "x"], tmp_path)
    assert (found.code, found.out) == (expected.code, expected.out)
    # Python shows the two frames of runpy that lead to a module; they tell the user nothing, and are left out.
    assert found.err == "".join(_without_runpy(expected.err.splitlines(keepends=True)))


def _without_runpy(lines: list[str]) -> list[str]:
    kept, dropping = [], False
    for line in lines:
        if line.startswith("  File "):
            dropping = "runpy" in line.split(",")[0]
        elif not line.startswith("    "):
            dropping = False
        kept += [] if dropping else [line]
    return kept


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    expected = execute([sys.executable, "-m", "no_such_module"], tmp_path)
    assert expected.code == 1
    assert execute([*RUN, "-m", "no_such_module"], tmp_path) == expected


@pytest.mark.parametrize("archive", [False, True], ids=["directory", "zip"])
def test_a_directory_or_zip_file_with_a_main(archive: bool, tmp_path: Path) -> None:
    write(tmp_path, "import sys, part; print(sys.argv, sys.path[0], __name__, __file__); part.f()", "app/__main__.py")
    write(tmp_path, "def f(): print('part')", "app/part.py")
    name = "app"
    if archive:
        name = "app.pyz"
        zipapp.create_archive(tmp_path / "app", tmp_path / name)
    expected = execute([sys.executable, name, "x"], tmp_path)
    assert expected.code == 0
    assert execute([*RUN, name, "x"], tmp_path) == expected


def test_a_directory_without_a_main(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    expected = execute([sys.executable, "empty"], tmp_path)
    found = execute([*RUN, "empty"], tmp_path)
    assert (found.code, found.out) == (expected.code, "")
    assert found.err == expected.err


@pytest.mark.parametrize(
    "program", ["import sys\nprint(sys.argv, sys.path[0], sorted(globals()))\n", "1/0\n", "x = (\n"]
)
def test_a_program_from_standard_input(program: str, tmp_path: Path) -> None:
    expected = execute([sys.executable, "-", "x"], tmp_path, stdin=program)
    found = execute([*RUN, "-", "x"], tmp_path, stdin=program)
    assert (found.code, found.out) == (expected.code, expected.out)
    assert found.err.splitlines()[-1:] == expected.err.splitlines()[-1:]
    assert "pyspark_lineage" not in found.err


def test_interrupted_it_dies_by_the_signal(tmp_path: Path) -> None:
    write(tmp_path, PROGRAMS["interrupted"])
    assert execute([*RUN, "job.py"], tmp_path).code == -signal.SIGINT


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["nothing.py"],
            "pyspark-lineage run: can't open file '{folder}/nothing.py': [Errno 2] No such file or directory",
        ),
        (
            ["no/folder/"],
            "pyspark-lineage run: can't open file '{folder}/no/folder': [Errno 2] No such file or directory",
        ),
        (
            [],
            "pyspark-lineage run: no program given: pyspark-lineage run [OPTION...] SCRIPT [ARGUMENT...], or -m MODULE",
        ),
        (["-m"], "pyspark-lineage run: -m wants a value"),
        (["--conf"], "pyspark-lineage run: --conf wants a value"),
        (["--conf", "spark.x", "job.py"], "pyspark-lineage run: --conf wants KEY=VALUE, not 'spark.x'"),
        (["--properties-file", "x", "job.py"], "pyspark-lineage run: --properties-file: there is no file 'x'"),
        (
            ["--cnof", "a=b", "job.py"],
            (
                "pyspark-lineage run: unknown option --cnof. "
                "Known: --conf, --properties-file, --name, -m, --help. Did you mean --conf?"
            ),
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_one_line_and_2(arguments: list[str], said: str, tmp_path: Path) -> None:
    write(tmp_path, "print('ran')")
    assert execute([*RUN, *arguments], tmp_path) == Ended(2, "", said.format(folder=tmp_path) + "\n")


def test_a_script_without_spark_imports_no_spark(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        import sys
        heavy = ("pyspark", "py4j", "openlineage", "sqlite3", "pandas", "asyncio")
        print([name for name in sys.modules if name.partition(".")[0] in heavy or name == "pyspark_lineage.agent"])
        """,
    )
    assert execute([*RUN, "--conf", "spark.openlineage.namespace=x", "job.py"], tmp_path) == Ended(0, "[]\n", "")


FAKE_PYSPARK = """
import os
from pyspark.traceback_utils import CallSite, first_spark_call
class SparkContext:
    def __init__(self): self._do_init()
    def _do_init(self): self._jsc = 1
    def stop(self): self._jsc = None
"""


@pytest.fixture
def small_spark(tmp_path: Path) -> Path:
    """A folder with a package called pyspark, and an agent that tells what it is told."""
    write(tmp_path, "from pyspark.context import SparkContext", "pyspark/__init__.py")
    write(tmp_path, FAKE_PYSPARK, "pyspark/context.py")
    utils = "CallSite = tuple\ndef first_spark_call(): pass"
    write(tmp_path, utils, "pyspark/traceback_utils.py")
    agent = """
        import sys, types
        import pyspark_lineage
        agent = types.ModuleType("pyspark_lineage.agent")
        status = types.ModuleType("pyspark_lineage.agent.exit_status")
        status.record = lambda code, error: print("ended", code, repr(error))
        agent.exit_status = status
        def attach(spark=None, *, _cli=None, **config):
            sys.modules.update({"pyspark_lineage.agent": agent, "pyspark_lineage.agent.exit_status": status})
            print("attached", dict(_cli))
            if "spark.openlineage.fail" in _cli:
                raise ValueError("bad\\nsetting")
        pyspark_lineage.attach = attach
        """
    write(tmp_path, agent, "site/sitecustomize.py")
    return tmp_path


def with_agent(folder: Path, *arguments: str) -> Ended:
    path = f"{folder / 'site'}{os.pathsep}{_pythonpath()}"
    return execute([*RUN, *arguments], folder, environment={"PYTHONPATH": path, "PYSPARK_LINEAGE_RAISE": "0"})


def test_the_agent_is_attached_with_its_settings_and_told_the_end(small_spark: Path) -> None:
    write(small_spark, "import os, pyspark\npyspark.SparkContext()\nprint(os.environ.get('PYSPARK_SUBMIT_ARGS'))\n1/0")
    ended = with_agent(small_spark, "--conf", "spark.openlineage.a=b=c", "--conf=spark.x=1 2", "--name", "it", "job.py")
    assert (ended.code, ended.out.splitlines()) == (
        1,
        [
            "attached {'spark.openlineage.a': 'b=c'}",
            "--conf 'spark.x=1 2' --name it pyspark-shell",
            "ended 1 ZeroDivisionError('division by zero')",
        ],
    )


def test_an_agent_that_fails_is_one_line(small_spark: Path) -> None:
    write(small_spark, "import pyspark, sys\npyspark.SparkContext()\nprint('ran')\nsys.exit(3)")
    ended = with_agent(small_spark, "--conf", "spark.openlineage.fail=1", "job.py")
    assert (ended.code, ended.out.splitlines()[1:]) == (3, ["ran", "ended 3 SystemExit(3)"])
    assert ended.err == "pyspark-lineage: no lineage of this run: ValueError: bad setting\n"


def test_a_child_that_was_forked_tells_nothing(small_spark: Path) -> None:
    write(
        small_spark,
        "import os, pyspark, sys\npyspark.SparkContext()\nsys.stdout.flush()\n"
        "child = os.fork()\nif child: os.waitpid(child, 0)\n",
    )
    ended = with_agent(small_spark, "job.py")
    assert ended.out.splitlines() == ["attached {}", "ended 0 None"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, "--conf 'spark.a=b c' pyspark-shell"),
        ("--master 'local[2]' pyspark-shell", "--master 'local[2]' --conf 'spark.a=b c' pyspark-shell"),
        ("--master local", "--master local --conf 'spark.a=b c' pyspark-shell"),
        ("pyspark-shell more", "--conf 'spark.a=b c' pyspark-shell more"),
        ("--conf 'open pyspark-shell", "--conf 'spark.a=b c' --conf 'open pyspark-shell"),
    ],
)
def test_spark_options_go_where_pyspark_looks(
    given: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", given or "")
    if given is None:
        monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    run._configure_spark(["--conf", "spark.a=b c"])
    assert os.environ["PYSPARK_SUBMIT_ARGS"] == expected


def test_without_options_the_environment_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS", raising=False)
    run._configure_spark([])
    assert "PYSPARK_SUBMIT_ARGS" not in os.environ


def test_options_end_where_the_program_begins(tmp_path: Path) -> None:
    properties = tmp_path / "spark.conf"
    properties.touch()
    argv = ["--conf", "spark.openlineage.namespace=n", f"--properties-file={properties}", "-m", "pkg", "--conf", "x"]
    assert run.parse(argv) == run.CommandLine(
        Program("module", "pkg", ("--conf", "x")),
        {"spark.openlineage.namespace": "n"},
        ("--properties-file", str(properties)),
    )
    assert run.parse(["--", "-odd.py", "-m"]).program == Program("script", "-odd.py", ("-m",))
    assert run.parse(["-", "-m"]).program == Program("stdin", "-", ("-m",))
    assert run.parse(["job.py", "--help"]).program == Program("script", "job.py", ("--help",))


def test_help(tmp_path: Path) -> None:
    ended = execute([*RUN, "--help"], tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert all(option in ended.out for option in run._OPTIONS)


def test_functions_of_main_travel_by_value(tmp_path: Path) -> None:
    """As pyspark ships the functions of a script to its workers."""
    pytest.importorskip("pyspark")
    write(
        tmp_path,
        """
        from pyspark import cloudpickle
        class Point:
            def __init__(self, x): self.x = x
        def double(x): return Point(x * 2).x
        open("function.pickle", "wb").write(cloudpickle.dumps(double))
        """,
    )
    assert execute([*RUN, "job.py"], tmp_path).code == 0
    function = pickle.loads((tmp_path / "function.pickle").read_bytes())
    assert function(4) == 8
