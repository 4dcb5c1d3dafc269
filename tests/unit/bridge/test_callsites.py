# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The mechanism on small classes, without a JVM; what Spark makes of it is in tests/integration/test_callsites.py."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import threading
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyspark_lineage.bridge import callsites, frames
from pyspark_lineage.bridge.actions import Action, actions
from pyspark_lineage.bridge.callsites import CallSite, parse_details, run_scope
from pyspark_lineage.bridge.frames import format_details

HERE = __file__


class Target:
    """Records what is set, and fails when told."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.fail: set[str] = set()

    def enter(self, short_form: str, long_form: str, /) -> None:
        if "enter" in self.fail:
            raise ConnectionRefusedError("no gateway")
        self.calls.append(("enter", short_form, long_form))

    def leave(self) -> None:
        if "leave" in self.fail:
            raise ConnectionRefusedError("no gateway")
        self.calls.append(("leave",))

    @property
    def shorts(self) -> list[str]:
        return [call[1] for call in self.calls if call[0] == "enter"]


class Frame:
    """Actions like a DataFrame's."""

    def collect(self, *, fail: BaseException | None = None) -> list[int]:
        "What it collects."
        if fail is not None:
            raise fail
        return [1, 2]

    def to_pandas(self) -> list[int]:
        return self.collect()

    def iterate(self) -> Iterator[int]:
        return (each for each in self.collect())

    def call(self, function: Any) -> Any:
        return function()


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> Iterator[Target]:
    names = ["collect", "to_pandas", "iterate", "call"]
    monkeypatch.setattr(callsites, "actions", lambda: (Action(Frame, name) for name in names))
    target = Target()
    callsites.install(target, pinned=True)
    yield target
    callsites.uninstall()


def line() -> int:
    """The line it is called on."""
    frame = sys._getframe(1)
    return frame.f_lineno


def test_an_action_sets_its_line_once_and_clears_it(target: Target) -> None:
    assert (Frame().collect(), here := line()) == ([1, 2], here)
    assert [call[0] for call in target.calls] == ["enter", "leave"]
    assert target.shorts == [f"collect at {HERE}:{here}"]
    sites, scope = parse_details(target.calls[0][2])
    assert (sites[0].file, sites[0].line, scope) == (HERE, here, None)
    assert sites[0].function.endswith("test_an_action_sets_its_line_once_and_clears_it")


def test_nested_actions_are_the_outer_ones(target: Target) -> None:
    Frame().to_pandas()
    assert [short.split()[0] for short in target.shorts] == ["to_pandas"]
    assert len(target.calls) == 2


def test_an_action_in_a_callback_of_an_action_is_the_outer_one(target: Target) -> None:
    assert Frame().call(lambda: Frame().collect()) == [1, 2]
    assert [short.split()[0] for short in target.shorts] == ["call"]


def test_outer_frames_are_those_of_the_user(target: Target) -> None:
    def inner() -> None:
        Frame().collect()

    def outer() -> None:
        inner()

    outer()
    functions = [site.function.rpartition(".")[2] for site in parse_details(target.calls[0][2])[0]]
    assert functions[:3] == ["inner", "outer", "test_outer_frames_are_those_of_the_user"]
    assert len(functions) <= frames.OUTER_FRAMES + 1


def test_deep_recursion_of_the_user_is_cut(target: Target) -> None:
    def down(depth: int) -> None:
        if depth:
            down(depth - 1)
        else:
            Frame().collect()

    down(300)
    assert len(parse_details(target.calls[0][2])[0]) == frames.OUTER_FRAMES + 1


def test_lazy_results_stay_lazy(target: Target) -> None:
    result = Frame().iterate()
    assert inspect.isgenerator(result)
    assert list(result) == [1, 2]
    assert len(target.calls) == 2


def test_the_error_of_the_action_is_its_own(target: Target) -> None:
    error = ValueError("of the user's")
    with pytest.raises(ValueError, match="of the user's") as caught:
        Frame().collect(fail=error)
    assert caught.value is error
    assert (error.__cause__, error.__context__) == (None, None)
    assert [call[0] for call in target.calls] == ["enter", "leave"]
    Frame().collect()
    assert len(target.calls) == 4


def test_nothing_is_asked_of_the_jvm_after_an_interrupt(target: Target) -> None:
    """The interrupted action still runs on this JVM thread: a call to it would wait for its end."""
    with pytest.raises(KeyboardInterrupt):
        Frame().collect(fail=KeyboardInterrupt())
    assert [call[0] for call in target.calls] == ["enter"]
    Frame().collect()
    assert [call[0] for call in target.calls] == ["enter", "enter", "leave"]


@pytest.mark.parametrize("fail", [{"enter"}, {"leave"}, {"enter", "leave"}], ids=lambda fail: "+".join(sorted(fail)))
def test_a_dead_gateway_leaves_the_action_alone(
    target: Target, fail: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYSPARK_LINEAGE_RAISE")
    target.fail = fail
    assert Frame().to_pandas() == [1, 2]
    with pytest.raises(LookupError):
        Frame().collect(fail=LookupError())
    assert callsites.stats()["failed"] == 2  # once an action, whatever it calls
    target.fail = set()
    target.calls.clear()
    Frame().collect()
    assert [call[0] for call in target.calls] == ["enter", "leave"]


def test_threads_have_call_sites_of_their_own(target: Target) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        go_on.wait(10)

    thread = threading.Thread(target=lambda: Frame().call(wait))
    thread.start()
    assert inside.wait(10)
    Frame().collect()
    go_on.set()
    thread.join()
    assert [short.split()[0] for short in target.shorts] == ["call", "collect"]
    assert len(target.calls) == 4


def test_unpinned_a_second_thread_ends_call_sites_for_good(target: Target) -> None:
    callsites.install(target, pinned=False)
    Frame().collect()
    assert callsites.stats()["stopped"] is None
    for _ in range(2):  # a later thread may get the first one's identity number
        thread = threading.Thread(target=Frame().collect)
        thread.start()
        thread.join()
    Frame().collect()
    assert len(target.calls) == 2
    assert "second thread" in callsites.stats()["stopped"]


def test_unpinned_an_overlap_still_clears_what_was_set(target: Target) -> None:
    callsites.install(target, pinned=False)

    def another() -> None:
        thread = threading.Thread(target=Frame().collect)
        thread.start()
        thread.join()

    Frame().call(another)
    assert [call[0] for call in target.calls] == ["enter", "leave"]
    Frame().collect()
    assert len(target.calls) == 2


def test_names_and_tags_of_a_run(target: Target) -> None:
    with run_scope(name="daily", tags={"team": "sales"}):
        with run_scope(tags=["pii"]):
            Frame().collect()
        with run_scope(name="inner"):
            Frame().collect()
        thread = threading.Thread(target=Frame().collect)  # another thread is another run
        thread.start()
        thread.join()
    Frame().collect()
    assert [parse_details(call[2])[1] for call in target.calls if call[0] == "enter"] == [
        {"name": "daily", "tags": {"team": "sales", "pii": "true"}},
        {"name": "inner", "tags": {"team": "sales"}},
        None,
        None,
    ]


def test_names_and_tags_are_bounded(target: Target) -> None:
    with run_scope(name="n" * 10_000, tags={str(i) * 1000: "v" * 10_000 for i in range(200)}):
        Frame().collect()
    assert len(target.calls[0][2]) < 50 * 2 * 140 + 20_000
    scope = parse_details(target.calls[0][2])[1]
    assert scope is not None
    assert len(scope["tags"]) == 50


def test_a_notebook_cell_is_named_as_in_the_notebook(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/tmp/ipykernel_7/3141.py"
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={path: 3}))
    ipython = ModuleType("IPython")
    ipython.__file__ = "/site-packages/IPython/__init__.py"
    ipython.get_ipython = lambda: shell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    exec(compile("\nframe.collect()", path, "exec"), {"frame": Frame()})
    assert target.shorts == ["collect at line 2 in cell [3]"]
    assert parse_details(target.calls[0][2])[0][0] == CallSite("cell [3]", 2, "<module>")


@pytest.mark.parametrize("filename", ["<stdin>", "<python-input-12>"])
def test_a_line_of_the_interactive_interpreter(target: Target, filename: str) -> None:
    exec(compile("frame.collect()", filename, "exec"), {"frame": Frame()})
    assert target.shorts == ["collect at <stdin>:1"]


def test_files_that_no_text_can_carry(target: Target) -> None:
    exec(compile("frame.collect()", "/tmp/a\nb\udc80" + "x" * 5000, "exec"), {"frame": Frame()})
    (short,) = target.shorts
    assert short.encode()
    assert len(short) < 600
    assert "\n" not in short


def test_equal_code_of_another_file_is_not_taken_for_pyspark(target: Target) -> None:
    """Code objects compare equal whatever file they come from."""
    import pyspark

    text, names = "frame.collect()", {"frame": Frame()}
    root = pyspark.__file__.rpartition("/")[0]
    exec(compile(text, f"{root}/pandas/frame.py", "exec"), names)
    exec(compile(text, "/job.py", "exec"), names)
    assert target.shorts[1] == "collect at /job.py:1"
    assert f"{HERE}:" in target.shorts[0]


def test_uninstall_puts_the_very_functions_back(target: Target) -> None:
    callsites.uninstall()
    before = dict(vars(Frame))
    callsites.install(target, pinned=True)
    assert vars(Frame)["collect"] is not before["collect"]
    assert inspect.signature(Frame.collect) == inspect.signature(before["collect"])
    assert (Frame.collect.__doc__, Frame.collect.__qualname__) == ("What it collects.", "Frame.collect")
    other = Target()
    callsites.install(other, pinned=True)  # wraps nothing twice
    Frame().collect()
    assert (len(target.calls), len(other.calls)) == (0, 2)
    callsites.uninstall()
    callsites.uninstall()
    assert all(vars(Frame)[name] is value for name, value in before.items() if name != "__dict__")
    assert callsites.stats() == {"installed": False}


def test_a_wrapper_of_somebody_else_around_ours_stays(target: Target) -> None:
    ours = vars(Frame)["collect"]
    original = ours.__wrapped__

    @functools.wraps(ours)
    def theirs(self: Frame) -> list[int]:
        return [0, *ours(self)]

    try:
        Frame.collect = theirs  # type: ignore[method-assign,assignment]
        callsites.uninstall()
        assert Frame().collect() == [0, 1, 2]
        assert target.calls == []
    finally:
        Frame.collect = original  # type: ignore[method-assign]


def test_the_frame_of_the_wrapper_is_pyspark_to_pyspark(target: Target) -> None:
    """Spark 4 puts the first frame that is not pyspark's into expressions, 3.5 into the names of jobs."""
    import pyspark
    from pyspark.traceback_utils import first_spark_call

    found = Frame().call(first_spark_call)
    assert (found.function, found.file, found.linenum) == ("call", HERE, line() - 1)
    here = Frame().call(lambda: sys._getframe(1).f_back)  # call() itself, then the wrapper
    assert here.f_code.co_filename.startswith(pyspark.__file__.rpartition("/")[0])
    assert frames.is_ours(here.f_code.co_filename)
    assert here.f_locals["__tracebackhide__"] is True


def test_pysparks_own_call_sites_are_silent_inside_ours(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.traceback_utils import SCCallSiteSync

    set_: list[str | None] = []
    context = SimpleNamespace(_jsc=SimpleNamespace(setCallSite=set_.append))

    def sync() -> None:
        with SCCallSiteSync(context):
            pass

    Frame().call(sync)
    assert set_ == []
    sync()  # not inside an action of ours: as ever
    assert len(set_) == 2
    assert SCCallSiteSync._spark_stack_depth == 0
    monkeypatch.delenv("PYSPARK_LINEAGE_RAISE")
    target.fail = {"enter"}  # and if ours could not be set, pyspark's is
    Frame().call(sync)
    assert len(set_) == 4
    assert re.fullmatch(rf"call at {re.escape(HERE)}:\d+", set_[2] or "")


def test_actions_of_the_installed_pyspark() -> None:
    found = {f"{action.owner.__name__}.{action.name}" for action in actions()}
    assert found >= {
        "DataFrame.collect", "DataFrame.count", "DataFrame.show", "DataFrame.take", "DataFrame.head", "DataFrame.first",
        "DataFrame.tail", "DataFrame.toLocalIterator", "DataFrame.foreach", "DataFrame.foreachPartition",
        "DataFrame.isEmpty", "DataFrame.checkpoint", "DataFrame.localCheckpoint", "DataFrame.createOrReplaceTempView",
        "GroupedData.pivot", "DataFrameWriter.save", "DataFrameWriter.insertInto", "DataFrameWriter.saveAsTable",
        "DataFrameWriter.json", "DataFrameWriter.parquet", "DataFrameWriter.text", "DataFrameWriter.csv",
        "DataFrameWriter.orc", "DataFrameWriter.jdbc", "DataFrameWriterV2.create", "DataFrameWriterV2.replace",
        "DataFrameWriterV2.createOrReplace", "DataFrameWriterV2.append", "DataFrameWriterV2.overwrite",
        "DataFrameWriterV2.overwritePartitions", "SparkSession.sql", "Catalog.createTable", "DataStreamWriter.start",
        "DataStreamWriter.toTable", "RDD.collect", "RDD.count", "RDD.saveAsTextFile", "RDD.zipWithIndex",
        "RDD.toLocalIterator", "SparkContext.runJob",
    }  # fmt: skip
    assert found & {"DataFrame.toPandas", "PandasConversionMixin.toPandas"}
    assert all(action.name in vars(action.owner) for action in actions())


def test_connect_is_never_touched() -> None:
    """Spark 4's `pyspark.sql.dataframe.DataFrame` is the parent of both; nothing of it or of Connect may be wrapped."""
    import pyspark

    owners = {action.owner.__module__ for action in actions()}
    assert not [module for module in owners if ".connect" in module]
    if int(pyspark.__version__.partition(".")[0]) >= 4:
        assert "pyspark.sql.dataframe" not in owners


printable = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=60)
sites_ = st.builds(
    CallSite,
    printable | st.integers(1, 10**6).map(lambda number: f"cell [{number}]"),
    st.integers(0, 10**7),
    st.from_regex(r"[^\W\d]\w{0,20}(\.<locals>\.\w{1,10})?|<module>|<lambda>", fullmatch=True),
)
scopes = st.none() | st.fixed_dictionaries(
    {"name": st.text(max_size=40)}, optional={"tags": st.dictionaries(st.text(max_size=9), st.text(max_size=9))}
)


@given(st.lists(sites_, max_size=11).map(tuple), scopes)
@example((CallSite("/a b/in c:3 in d.py", 4, "<module>"),), {"name": "\n#pyspark-lineage {}"})
def test_details_can_be_read_back(sites: tuple[CallSite, ...], scope: dict[str, Any] | None) -> None:
    assert parse_details(format_details(sites, scope)) == (sites, scope)


@given(st.text() | st.text().map(lambda text: frames.MARKER + text))
def test_any_text_can_be_read(text: str) -> None:
    parse_details(text)


def test_sparks_own_stack_has_no_call_sites() -> None:
    details = (
        "org.apache.spark.sql.Dataset.count(Dataset.scala:3629)\n"
        "java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)\n"
        "py4j.ClientServerConnection.run(ClientServerConnection.java:106)"
    )
    assert parse_details(details) == ((), None)
    assert parse_details("") == ((), None)
