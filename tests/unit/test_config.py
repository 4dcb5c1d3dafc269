# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyspark_lineage import config as configuration
from pyspark_lineage.config import Config, JobName, Parent, Resolved, from_json, to_json
from pyspark_lineage.config.keys import CHECKED_TRANSPORTS, TRANSPORTS
from pyspark_lineage.errors import FAILURES

KNOWN = (
    "Known: amazon_datazone_api, async_http, composite, console, datadog, file, gcplineage, http, kafka, msk-iam, "
    "noop, transform."
)
HTTP = " Did you mean 'http'?"
RUN_ID = "0192f0c4-0000-7000-8000-000000000000"


@pytest.fixture
def resolve(tmp_path: Path) -> Any:
    """`resolve` in a folder and a home of its own, without the environment; SparkConf's keys without their prefix."""

    def function(
        *,
        keywords: dict[str, Any] | None = None,
        cli: dict[str, str] | None = None,
        spark: dict[str, str] | None = None,
        environ: dict[str, str] | None = None,
    ) -> Resolved:
        return configuration.resolve(
            keywords=keywords or {},
            cli={f"spark.openlineage.{key}": value for key, value in (cli or {}).items()},
            spark_conf={f"spark.openlineage.{key}": value for key, value in (spark or {}).items()},
            environ=environ or {},
            cwd=tmp_path / "work",
            home_dir=tmp_path / "home",
        )

    (tmp_path / "work").mkdir()
    (tmp_path / "home" / ".openlineage").mkdir(parents=True)
    return function


# ------------------------------------------------------------ the table


def test_the_table_and_the_value_agree() -> None:
    default = to_json(Config())
    flat = {
        **default,
        **{f"{name}.{key}": value for name in ("job_name", "parent") for key, value in default[name].items()},
    }
    fields = {setting.field: setting for setting in configuration.settings() if setting.field}
    assert set(fields) | {"transport", "job_name", "parent"} == set(flat)
    for name, setting in fields.items():
        if name != "facets_disabled":
            assert json.loads(json.dumps(setting.default)) == flat[name], setting.key


def test_every_row_is_fit_for_the_manual() -> None:
    rows = configuration.settings()
    for row in rows:
        assert row.spark_key == f"spark.openlineage.{row.key}"
        assert row.description.endswith((".", "…`."))
        assert len(row.description) <= 140
        assert "\n" not in row.description
    keys = [(row.key, of) for row in rows for of in row.transports or ("",)]
    assert len(keys) == len(set(keys))


def test_active_is_what_has_an_effect() -> None:
    state = {(row.key, row.transports): row.state for row in configuration.settings()}
    assert state[("namespace", ())] == "active"
    assert state[("circuitBreaker.type", ())] == "known"
    assert {state for (_, of), state in state.items() if set(of) & set(CHECKED_TRANSPORTS)} == {"active"}
    assert state[("transport.topicName", ("kafka", "msk-iam"))] == "known"


# ------------------------------------------------------------ values


def test_nothing_given_is_the_default(resolve: Any) -> None:
    assert resolve() == Resolved(Config(), (), {})


def test_everything_from_spark_conf(resolve: Any) -> None:
    resolved = resolve(
        spark={
            "disabled": "true",
            "namespace": "shop",
            "appName": "nightly",
            "jobName.appendDatasetName": "false",
            "jobName.replaceDotWithUnderscore": "True",
            "applicationRunId": RUN_ID,
            "parentJobName": "dag.task",
            "parentJobNamespace": "airflow",
            "parentRunId": RUN_ID.upper(),
            "rootParentJobName": "dag",
            "rootParentJobNamespace": "airflow",
            "rootParentRunId": RUN_ID,
            "facets.debug.disabled": "false",
            "facets.spark.logicalPlan.disabled": "false",
            "facets.columnLineage.disabled": "true",
            "facets.disabled": "[schema;dataSource]",
            "capturedProperties": "spark.master, spark.user",
            "plugins": "[shop.lineage:Factory;other:Factory]",
            "pluginsDisabled": "true",
            "exitTimeoutInSeconds": "2.5",
            "callSites.enabled": "false",
            "agent.host": "thread",
            "snapshot.maxNodes": "10",
            "snapshot.timeoutInSeconds": "3",
            "snapshot.maxLiteralLength": "0",
            "queue.maxPlans": "7",
            "home": "/data/lineage",
            "events.maxBytes": "16m",
            "events.backups": "0",
            "log.runs": "false",
            "transport.type": "console",
        }
    )
    assert resolved.problems == ()
    assert resolved.config == Config(
        disabled=True,
        namespace="shop",
        app_name="nightly",
        job_name=JobName(append_dataset_name=False, replace_dot_with_underscore=True),
        parent=Parent("dag.task", "airflow", RUN_ID, "dag", "airflow", RUN_ID, RUN_ID),
        transport={"type": "console"},
        facets_disabled=frozenset({"spark_unknown", "columnLineage", "schema", "dataSource"}),
        captured_properties=("spark.master", "spark.user"),
        plugins=("shop.lineage:Factory", "other:Factory"),
        plugins_disabled=True,
        exit_timeout_seconds=2.5,
        call_sites=False,
        agent_host="thread",
        snapshot_max_nodes=10,
        snapshot_timeout_seconds=3.0,
        max_plans=7,
        max_literal=0,
        home="/data/lineage",
        default_file_max_bytes=16 * 1024 * 1024,
        default_file_backups=0,
        log_runs=False,
    )


class Factory:
    """Stands for a plug-in."""


def test_keywords_are_python_s(resolve: Any, tmp_path: Path) -> None:
    resolved = resolve(
        keywords={
            "app_name": "nightly",
            "exit_timeout_in_seconds": 3,
            "jobName": {"append_dataset_name": False},
            "facets": {"spark.logicalPlan": {"disabled": False}, "spark_unknown": {"disabled": False}},
            "spark.openlineage.snapshot.maxNodes": 5,
            "plugins": [Factory],
            "home": tmp_path,
            "namespace": None,
            "log": {"runs": True},
            "transport": {"type": "http", "url": "http://h:1", "headers": {"X.Y": "z"}, "timeout": 2},
        }
    )
    assert resolved.problems == ()
    assert resolved.config == Config(
        app_name="nightly",
        exit_timeout_seconds=3.0,
        job_name=JobName(append_dataset_name=False),
        facets_disabled=frozenset({"debug"}),
        snapshot_max_nodes=5,
        plugins=(f"{__name__}:Factory",),
        home=str(tmp_path),
        log_runs=True,
        transport={"type": "http", "url": "http://h:1", "headers": {"X.Y": "z"}, "timeout": 2.0},
    )


def test_a_transport_class_of_one_s_own(resolve: Any) -> None:
    resolved = resolve(keywords={"transport": {"type": Factory, "any.thing": {"a": (1, "b")}}})
    assert resolved.config.transport == {"type": f"{__name__}.Factory", "any": {"thing": {"a": [1, "b"]}}}
    assert resolved.problems == ()


# ------------------------------------------------------------ precedence


def test_the_first_source_wins(resolve: Any, tmp_path: Path) -> None:
    (tmp_path / "work" / "openlineage.yml").write_text(
        "namespace: yaml\nappName: yaml\nhome: yaml\nparentJobName: yaml\n"
    )
    resolved = resolve(
        keywords={"namespace": "keyword"},
        cli={"namespace": "cli", "appName": "cli"},
        spark={"namespace": "spark", "appName": "spark", "home": "spark"},
        environ={
            "OPENLINEAGE__NAMESPACE": "env",
            "OPENLINEAGE__PARENT_JOB_NAME": "env",
            "OPENLINEAGE__PARENT_JOB_NAMESPACE": "env",
            "OPENLINEAGE_NAMESPACE": "short",
        },
    )
    assert resolved == Resolved(
        Config(
            namespace="keyword",
            app_name="cli",
            home="spark",
            parent=Parent(job_name="yaml", job_namespace="env"),
        ),
        (),
        {
            "appName": "command line",
            "home": "SparkConf",
            "namespace": "keyword",
            "parentJobName": str(tmp_path / "work" / "openlineage.yml"),
            "parentJobNamespace": "environment variable OPENLINEAGE__PARENT_JOB_NAMESPACE",
        },
    )


def test_a_transport_is_merged_leaf_by_leaf(resolve: Any) -> None:
    resolved = resolve(
        keywords={"transport": {"auth": {"type": "api_key"}}},
        spark={"transport.type": "http", "transport.url": "http://spark"},
        environ={"OPENLINEAGE_API_KEY": "k", "OPENLINEAGE_URL": "http://env", "OPENLINEAGE_ENDPOINT": "e"},
    )
    assert resolved.config.transport == {
        "auth": {"type": "api_key", "apiKey": "k"},
        "type": "http",
        "url": "http://spark",
        "endpoint": "e",
    }
    assert resolved.sources == {
        "transport.auth.apiKey": "environment variable OPENLINEAGE_API_KEY",
        "transport.auth.type": "keyword",
        "transport.endpoint": "environment variable OPENLINEAGE_ENDPOINT",
        "transport.type": "SparkConf",
        "transport.url": "SparkConf",
    }


def test_both_spellings_of_a_leaf_are_one(resolve: Any) -> None:
    resolved = resolve(
        keywords={"transport": {"type": "http", "url": "http://h", "auth": {"type": "api_key", "api_key": "mine"}}},
        environ={"OPENLINEAGE__TRANSPORT__AUTH__API_KEY": "theirs"},
    )
    assert resolved.config.transport == {
        "type": "http",
        "url": "http://h",
        "auth": {"type": "api_key", "apiKey": "mine"},
    }


def test_a_transport_of_another_type_replaces_the_lower_one_whole(resolve: Any) -> None:
    resolved = resolve(
        keywords={"transport": {"type": "file", "location": "/x"}},
        spark={"transport.type": "http", "transport.url": "http://h", "transport.endpoint": "e"},
        environ={"OPENLINEAGE_URL": "http://env", "OPENLINEAGE_API_KEY": "k"},
    )
    assert (resolved.config.transport, resolved.problems) == ({"type": "file", "location": "/x"}, ())


@pytest.mark.parametrize(
    ("environ", "transport"),
    [
        ({"OPENLINEAGE_URL": "http://h"}, {"url": "http://h", "type": "http"}),
        (
            {"OPENLINEAGE_URL": "http://h", "OPENLINEAGE_API_KEY": "k", "OPENLINEAGE_ENDPOINT": "e"},
            {"url": "http://h", "type": "http", "endpoint": "e", "auth": {"apiKey": "k", "type": "api_key"}},
        ),
        ({"OPENLINEAGE_API_KEY": "k"}, None),
        ({"OPENLINEAGE__TRANSPORT": '{"type": "file", "location": "/x"}'}, {"type": "file", "location": "/x"}),
        (
            {"OPENLINEAGE__TRANSPORT__TYPE": "file", "OPENLINEAGE__TRANSPORT__LOG_FILE_PATH": "/x"},
            {"type": "file", "log_file_path": "/x"},
        ),
        (
            {
                "OPENLINEAGE__TRANSPORT__TYPE": "kafka",
                "OPENLINEAGE__TRANSPORT__TOPIC_NAME": "t",
                "OPENLINEAGE__TRANSPORT__PROPERTIES": '{"bootstrap.servers": "h:1"}',
            },
            {"type": "kafka", "topicName": "t", "properties": {"bootstrap.servers": "h:1"}},
        ),
        ({"OPENLINEAGE_URL": " "}, None),
    ],
)
def test_a_transport_from_the_environment(resolve: Any, environ: dict[str, str], transport: object) -> None:
    resolved = resolve(environ=environ)
    assert (resolved.config.transport, resolved.problems) == (transport, ())


def test_other_variables(resolve: Any) -> None:
    resolved = resolve(
        environ={
            "OPENLINEAGE_DISABLED": "true",
            "OPENLINEAGE__APP_NAME": "7",
            "OPENLINEAGE__PLUGINS": '["a:B"]',
            "OPENLINEAGE__CAPTURED_PROPERTIES": "[a;b]",
            "OPENLINEAGE__FACETS__SPARK_LOGICAL_PLAN__DISABLED": "false",
            "OPENLINEAGE__FACETS__PROCESSING_ENGINE__DISABLED": "true",
            "OPENLINEAGE__FACETS__ENVIRONMENT_VARIABLES": '["A"]',
            "OPENLINEAGE_CLIENT_LOGGING": "DEBUG",
        }
    )
    assert (resolved.config, resolved.problems) == (
        Config(
            disabled=True,
            app_name="7",
            plugins=("a:B",),
            captured_properties=("a", "b"),
            facets_disabled=frozenset({"debug", "spark_unknown", "processing_engine"}),
        ),
        (),
    )


def test_dots_below_properties_belong_to_the_name(resolve: Any) -> None:
    resolved = resolve(
        keywords={"transport": {"properties": {"acks.all": "1"}}},
        spark={
            "transport.type": "kafka",
            "transport.properties.bootstrap.servers": "h:1",
            "transport.a.b": "[c;d]",
        },
    )
    assert resolved.config.transport == {
        "properties": {"acks.all": "1", "bootstrap.servers": "h:1"},
        "type": "kafka",
        "a": {"b": ["c", "d"]},
    }


def test_inside_a_composite_transport(resolve: Any) -> None:
    resolved = resolve(
        spark={
            "transport.type": "composite",
            "transport.transports.main.type": "http",
            "transport.transports.main.headers.X.Y": "z",
            "transport.transports.more.type": "console",
        }
    )
    assert resolved.config.transport == {
        "type": "composite",
        "transports": {"main": {"type": "http", "headers": {"X.Y": "z"}}, "more": {"type": "console"}},
    }


# ------------------------------------------------------------ YAML


def test_the_named_file_comes_first(resolve: Any, tmp_path: Path) -> None:
    for path, name in (
        ("work/openlineage.yml", "work"),
        ("home/.openlineage/openlineage.yml", "home"),
        ("my.yml", "named"),
    ):
        (tmp_path / path).write_text(f"namespace: {name}\n")
    assert resolve(environ={"OPENLINEAGE_CONFIG": str(tmp_path / "my.yml")}).config.namespace == "named"
    assert resolve(environ={"OPENLINEAGE_CONFIG": "../my.yml"}).config.namespace == "named"
    assert resolve().config.namespace == "work"
    (tmp_path / "work/openlineage.yml").unlink()
    assert resolve().config.namespace == "home"


def test_a_file_with_nested_keys(resolve: Any, tmp_path: Path) -> None:
    (tmp_path / "work" / "openlineage.yml").write_text(
        "transport:\n  type: http\n  url: http://h\n  timeoutInMillis: 100\n  headers: {a.b: c}\n"
        "snapshot:\n  maxNodes: 9\nfacets:\n  debug:\n    disabled: false\nplugins: [a:B]\nfilters: []\n"
    )
    resolved = resolve()
    assert (resolved.config, resolved.problems) == (
        Config(
            transport={"type": "http", "url": "http://h", "timeoutInMillis": 100, "headers": {"a.b": "c"}},
            snapshot_max_nodes=9,
            facets_disabled=frozenset({"spark.logicalPlan", "spark_unknown"}),
            plugins=("a:B",),
        ),
        (),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- a\n", "it must hold keys and values, not a list."),
        (
            "a: [\n",
            (
                "while parsing a flow node expected the node content, but found '<stream end>' "
                'in "<unicode string>", line 2, column 1: ^'
            ),
        ),
    ],
)
def test_a_file_that_cannot_be_used(resolve: Any, tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "work" / "openlineage.yml"
    path.write_text(text)
    assert resolve().problems == (f"The file {str(path)!r} was not read: {problem}",)


def test_an_empty_file_says_nothing(resolve: Any, tmp_path: Path) -> None:
    (tmp_path / "work" / "openlineage.yml").write_text("# nothing yet\n")
    assert resolve() == Resolved(Config())


def test_a_missing_file_is_told(resolve: Any) -> None:
    resolved = resolve(environ={"OPENLINEAGE_CONFIG": "/no/such.yml"})
    assert resolved.problems == ("There is no file '/no/such.yml' (from environment variable OPENLINEAGE_CONFIG).",)


def test_without_pyyaml(resolve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "work" / "openlineage.yml"
    path.write_text("namespace: x\n")
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert resolve() == Resolved(
        Config(), (f"The file {str(path)!r} was not read: PyYAML is missing. Install it: pip install pyyaml",)
    )


# ------------------------------------------------------------ problems


@pytest.mark.parametrize(
    ("spark", "problem"),
    [
        (
            {"transport.type": "htpp"},
            f"Unknown transport 'htpp' in spark.openlineage.transport.type (from SparkConf). {KNOWN}" + HTTP,
        ),
        (
            {"transport.type": "HTTP", "transport.url": "http://h"},
            f"Unknown transport 'HTTP' in spark.openlineage.transport.type (from SparkConf). {KNOWN}" + HTTP,
        ),
        (
            {"transport.type": "pigeon"},
            f"Unknown transport 'pigeon' in spark.openlineage.transport.type (from SparkConf). {KNOWN}",
        ),
        (
            {"transport.type": "s3", "transport.bucketName": "b"},
            "Transport 's3' in spark.openlineage.transport.type (from SparkConf) exists for the Java agent only. "
            + KNOWN,
        ),
        (
            {"transport.url": "http://h"},
            (
                "spark.openlineage.transport.type is missing, though there is spark.openlineage.transport.url "
                f"(from SparkConf). {KNOWN} Did you mean 'http'?"
            ),
        ),
        (
            {"transport.type": "http"},
            (
                "spark.openlineage.transport.url is missing: transport 'http' (from SparkConf) needs the address "
                "to send to, as https://host:port."
            ),
        ),
        (
            {"transport.type": "http", "transport.url": "localhost:5000"},
            (
                "Malformed URL 'localhost:5000' in spark.openlineage.transport.url (from SparkConf): no scheme. "
                "Expected https://host:port. Did you mean 'http://localhost:5000'?"
            ),
        ),
        (
            {"transport.type": "http", "transport.url": "htp://h"},
            (
                "Malformed URL 'htp://h' in spark.openlineage.transport.url (from SparkConf): unknown scheme 'htp'. "
                "Expected https://host:port."
            ),
        ),
        (
            {"transport.type": "http", "transport.url": "http:///x"},
            (
                "Malformed URL 'http:///x' in spark.openlineage.transport.url (from SparkConf): no host. "
                "Expected https://host:port."
            ),
        ),
        (
            {"transport.type": "http", "transport.url": "http://me:hunter2@h:port"},
            (
                "Malformed URL 'http://me:[redacted]@h:port' in spark.openlineage.transport.url (from SparkConf): "
                "its port is no number from 1 to 65535. Expected https://host:port."
            ),
        ),
        (
            {"transport.type": "http", "transport.url": "http://h:70000"},
            (
                "Malformed URL 'http://h:70000' in spark.openlineage.transport.url (from SparkConf): "
                "its port is no number from 1 to 65535. Expected https://host:port."
            ),
        ),
        (
            {"transport.type": "http", "transport.url": "http://[h"},
            (
                "Malformed URL 'http://[h' in spark.openlineage.transport.url (from SparkConf): "
                "its host cannot be read. Expected https://host:port."
            ),
        ),
        (
            {"transport.type": "file"},
            (
                "spark.openlineage.transport.location is missing: transport 'file' (from SparkConf) needs a file "
                "to append events to."
            ),
        ),
    ],
)
def test_a_transport_that_cannot_be_used(resolve: Any, spark: dict[str, str], problem: str) -> None:
    assert resolve(spark=spark) == Resolved(Config(), (problem,))


@pytest.mark.parametrize(
    ("spark", "problem", "transport"),
    [
        (
            {"transport.type": "file", "transport.location": "/x", "transport.locaton": "/y"},
            (
                "Unknown key spark.openlineage.transport.locaton (from SparkConf). "
                "Did you mean spark.openlineage.transport.location?"
            ),
            {"type": "file", "location": "/x"},
        ),
        (
            {"transport.type": "http", "transport.url": "http://h", "transport.timeoutInMillis": "5s"},
            (
                "spark.openlineage.transport.timeoutInMillis must be a whole number of 1 or more, not '5s' "
                "(from SparkConf); using 5000."
            ),
            {"type": "http", "url": "http://h"},
        ),
        (
            {"transport.type": "http", "transport.url": "http://h", "transport.auth.type": "api_key"},
            "spark.openlineage.transport.auth.apiKey is missing: transport.auth.type is 'api_key'.",
            {"type": "http", "url": "http://h", "auth": {"type": "api_key"}},
        ),
    ],
)
def test_a_transport_that_can_be_used_all_the_same(
    resolve: Any, spark: dict[str, str], problem: str, transport: object
) -> None:
    resolved = resolve(spark=spark)
    assert (resolved.problems, resolved.config.transport) == ((problem,), transport)


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("exitTimeoutInSeconds", "ten", "must be a number of seconds, not 'ten' (from SparkConf); using 10.0."),
        ("exitTimeoutInSeconds", "-1", "must be a number of seconds, not '-1' (from SparkConf); using 10.0."),
        ("exitTimeoutInSeconds", "nan", "must be a number of seconds, not 'nan' (from SparkConf); using 10.0."),
        ("disabled", "maybe", "must be true or false, not 'maybe' (from SparkConf); using false."),
        ("callSites.enabled", "1", "must be true or false, not '1' (from SparkConf); using true."),
        ("queue.maxPlans", "0", "must be a whole number of 1 or more, not '0' (from SparkConf); using 1000."),
        ("events.backups", "1.5", "must be a whole number of 0 or more, not '1.5' (from SparkConf); using 3."),
        (
            *("events.maxBytes", "big"),
            "must be a size in bytes, such as 67108864 or 64m, not 'big' (from SparkConf); using 67108864.",
        ),
        ("agent.host", "jvm", "must be one of auto, process, thread, not 'jvm' (from SparkConf); using auto."),
        ("parentRunId", "abc", "must be a UUID, not 'abc' (from SparkConf); ignored."),
        ("log.runs", "x" * 200, f"must be true or false, not '{'x' * 98}… (from SparkConf); ignored."),
        (
            "disabled",
            "http://me:hunter2@h",
            "must be true or false, not 'http://me:[redacted]@h' (from SparkConf); using false.",
        ),
    ],
)
def test_a_wrong_type(resolve: Any, key: str, value: str, problem: str) -> None:
    assert resolve(spark={key: value}) == Resolved(Config(), (f"spark.openlineage.{key} {problem}",))


@pytest.mark.parametrize(
    ("keywords", "problem"),
    [
        ({"namespace": ["a"]}, "spark.openlineage.namespace must be text, not ['a'] (from keyword); using default."),
        ({"disabled": 1}, "spark.openlineage.disabled must be true or false, not 1 (from keyword); using false."),
        (
            {"exit_timeout_in_seconds": True},
            "spark.openlineage.exitTimeoutInSeconds must be a number of seconds, not True (from keyword); using 10.0.",
        ),
        (
            {"exitTimeoutInSeconds": 10**400},
            (
                "spark.openlineage.exitTimeoutInSeconds must be a number of seconds, "
                f"not 1{'0' * 98}… (from keyword); using 10.0."
            ),
        ),
        (
            {"capturedProperties": 5},
            (
                "spark.openlineage.capturedProperties must be a list, as [a;b], not 5 (from keyword); "
                "using [spark.master;spark.app.name]."
            ),
        ),
        ({"plugins": [{}]}, "spark.openlineage.plugins must be a list, as [a;b], not [{}] (from keyword); using []."),
        (
            {"transport": "console"},
            "Unknown key spark.openlineage.transport (from keyword). Did you mean spark.openlineage.transport.type?",
        ),
        (
            {"transport": {"type": 5}},
            f"Unknown transport 5 in spark.openlineage.transport.type (from keyword). {KNOWN}",
        ),
    ],
)
def test_wrong_keywords(resolve: Any, keywords: dict[str, Any], problem: str) -> None:
    assert resolve(keywords=keywords) == Resolved(Config(), (problem,))


def test_the_next_valid_source_is_used_and_told(resolve: Any) -> None:
    resolved = resolve(keywords={"exitTimeoutInSeconds": "ten"}, spark={"exitTimeoutInSeconds": "5"})
    assert resolved == Resolved(
        Config(exit_timeout_seconds=5.0),
        ("spark.openlineage.exitTimeoutInSeconds must be a number of seconds, not 'ten' (from keyword); using 5.0.",),
        {"exitTimeoutInSeconds": "SparkConf"},
    )


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("namspace", " Did you mean spark.openlineage.namespace?"),
        ("appname", " Did you mean spark.openlineage.appName?"),
        ("app_name", " Did you mean spark.openlineage.appName?"),
        ("url", " Did you mean spark.openlineage.transport.url?"),
        ("maxNodes", " Did you mean spark.openlineage.snapshot.maxNodes?"),
        ("circuitbreaker.type", " Did you mean spark.openlineage.circuitBreaker.type?"),
        ("transport", " Did you mean spark.openlineage.transport.type?"),
        ("xyzzy", ""),
        ("", ""),
    ],
)
def test_a_misspelt_key(resolve: Any, key: str, hint: str) -> None:
    assert resolve(spark={key: "x"}) == Resolved(
        Config(), (f"Unknown key spark.openlineage.{key} (from SparkConf).{hint}",)
    )


def test_what_the_java_agent_knows_is_no_problem(resolve: Any) -> None:
    resolved = resolve(
        spark={
            "circuitBreaker.type": "javaRuntime",
            "job.owners.team": "shop",
            "dataset.namespaceResolvers.prod.hosts": "[a;b]",
            "columnLineage.datasetLineageEnabled": "true",
            "vendors.iceberg.metricsReporterDisabled": "true",
            "context": '{"parent": {}}',
            "debug.smart": "true",
        }
    )
    assert (resolved.config, resolved.problems) == (Config(), ())


def test_only_our_part_of_spark_conf_is_read() -> None:
    resolved = configuration.resolve(
        spark_conf={"spark.master": "local", "spark.openlineagex.a": "1"}, environ={}, cwd="/", home_dir="/"
    )
    assert resolved == Resolved(Config())


def test_every_type_of_transport_is_accepted(resolve: Any) -> None:
    for of_type in TRANSPORTS:
        resolved = resolve(
            keywords={"transport": {"type": of_type, "url": "http://h", "location": "/x", "odd": {"a": 1}}}
        )
        assert resolved.config.transport is not None
        checked = of_type in CHECKED_TRANSPORTS
        assert bool(resolved.problems) == checked
        assert ("odd" in resolved.config.transport) != checked


# ------------------------------------------------------------ never raises


def test_what_refers_to_itself_is_not_followed(resolve: Any) -> None:
    circle: dict[str, Any] = {}
    circle |= {"a": circle, "b": circle}
    resolved = resolve(keywords={"facets": circle, "namespace": "x"}, spark={"appName": "y"})
    assert resolved == Resolved(
        Config(app_name="y"),
        ("The configuration (from keyword) has more than 1000 values; it was not read.",),
        {"appName": "SparkConf"},
    )


def test_what_cannot_travel_is_told(resolve: Any) -> None:
    resolved = resolve(keywords={"transport": {"type": "my.Own", "client": [object()], "name": "x"}})
    assert (resolved.config.transport, resolved.problems) == (
        {"type": "my.Own", "name": "x"},
        (
            (
                "spark.openlineage.transport.client must be text, a number, a list or keys and values, "
                "not a value of type object (from keyword); ignored."
            ),
        ),
    )


def test_a_failure_of_ours_gives_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(dict[str, str]):
        def items(self) -> Any:
            raise RuntimeError

    monkeypatch.delenv("PYSPARK_LINEAGE_RAISE", raising=False)
    FAILURES.clear()
    try:
        resolved = configuration.resolve(spark_conf=Broken(a="b"), environ={}, cwd="/", home_dir="/")
        assert resolved == Resolved(Config(), ("The configuration could not be read; using the defaults.",))
        assert FAILURES.snapshot() == {"config.resolve: RuntimeError": 1}
    finally:
        FAILURES.clear()


def test_the_real_environment_is_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in os.environ:
        if name.startswith("OPENLINEAGE"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "here")
    assert configuration.resolve().config == Config(namespace="here")


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from([row.key.replace("<name>", "a.b").replace("<type>", "c") for row in configuration.settings()])
WORDS = st.sampled_from(["true", "http", "file", "console", "http://h", "[a;b]", "5", "", "/x", RUN_ID]) | st.text(
    max_size=6
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(KEYS.map(lambda key: key.split(".")[0]) | st.text(max_size=6), PLAIN, max_size=4),
    st.dictionaries(KEYS.map(lambda key: f"spark.openlineage.{key}"), WORDS, max_size=6),
    st.dictionaries(KEYS.map(lambda key: "OPENLINEAGE__" + key.replace(".", "__").upper()), WORDS, max_size=4),
)
def test_anything_at_all_is_resolved_and_travels(
    keywords: dict[str, Any], spark_conf: dict[str, str], environ: dict[str, str]
) -> None:
    FAILURES.clear()
    resolved = configuration.resolve(
        keywords=keywords, spark_conf=spark_conf, environ=environ, cwd="/no/such/folder", home_dir="/no/such/folder"
    )
    assert FAILURES.snapshot() == {}
    text = json.dumps(to_json(resolved.config))
    assert repr(from_json(json.loads(text))) == repr(resolved.config)  # NaN is not equal to itself
    assert all(problem.count("\n") == 0 for problem in resolved.problems)


# ------------------------------------------------------------ the value

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.none() | st.text(max_size=6)
CONFIGS = st.builds(
    Config,
    disabled=st.booleans(),
    app_name=TEXTS,
    job_name=st.builds(JobName, append_dataset_name=st.booleans()),
    parent=st.builds(Parent, job_name=TEXTS, root_run_id=TEXTS, application_run_id=TEXTS),
    transport=st.none() | st.dictionaries(st.text(max_size=6), JSON, max_size=3),
    facets_disabled=st.frozensets(st.text(max_size=6), max_size=3),
    captured_properties=st.lists(st.text(max_size=6), max_size=3).map(tuple),
    plugins=st.lists(st.text(max_size=6), max_size=3).map(tuple),
    log_runs=st.none() | st.booleans(),
)


@settings(max_examples=200, deadline=None)
@given(CONFIGS)
def test_the_way_over_the_pipe(config: Config) -> None:
    assert from_json(json.loads(json.dumps(to_json(config)))) == config


def test_it_never_changes() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Config().namespace = "x"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        Parent().run_id = "x"  # type: ignore[misc]


def test_its_text_shows_no_secret() -> None:
    config = Config(transport={"type": "http", "url": "http://me:hunter2@h", "auth": {"apiKey": "hunter2"}})
    text = repr(Resolved(config, (), {}))
    assert "hunter2" not in text
    assert "'url': 'http://me:[redacted]@h', 'auth': {'apiKey': '[redacted]'}" in text
