# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""The one table of settings; parsing, type checks, near matches and the documentation are derived from it."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

PREFIX: Final = "spark.openlineage."
FACETS_DISABLED: Final = ("debug", "spark.logicalPlan", "spark_unknown")
# Below these of a transport, dots belong to the name.
OPEN_MAPS: Final = frozenset({"properties", "urlParams", "headers"})
# The types whose settings are checked here; openlineage-python checks those of the others.
CHECKED_TRANSPORTS: Final = ("console", "file", "http", "noop")
TRANSPORTS: Final = (
    *("amazon_datazone_api", "async_http", "composite", "console", "datadog", "file", "gcplineage", "http", "kafka"),
    *("msk-iam", "noop", "transform"),
)
JAVA_ONLY_TRANSPORTS: Final = ("gcs", "kinesis", "s3")

_ANY_NAME = re.compile(r"<\w+>")


@dataclass(frozen=True, slots=True)
class Setting:
    """One row. `<name>` in a key stands for any name; `field` is the dotted attribute of `Config` that holds it."""

    key: str
    kind: str
    default: Any
    description: str
    field: str = ""
    choices: tuple[str, ...] = ()
    transports: tuple[str, ...] = ()

    @property
    def state(self) -> Literal["active", "known"]:
        """`known`: understood by the Java agent or openlineage-python and accepted here, without an effect of ours."""
        return "active" if self.field or set(self.transports) & set(CHECKED_TRANSPORTS) else "known"

    @property
    def spark_key(self) -> str:
        """The key as Spark's configuration spells it."""
        return PREFIX + self.key

    def canonical(self, path: Sequence[str], /, *, lenient: bool) -> str | None:
        """The key, its names filled in from the path; None if the path is another's. Lenient: snake_case will do."""
        pattern = self.key.split(".")
        hole = next((index for index, part in enumerate(pattern) if _ANY_NAME.fullmatch(part)), None)
        if hole is None:
            return self.key if _same(pattern, path, lenient) else None
        tail = len(pattern) - hole - 1
        end = len(path) - tail
        if end <= hole or not _same(pattern[:hole], path[:hole], lenient):
            return None
        if not _same(pattern[hole + 1 :], path[end:], lenient):
            return None
        return ".".join((*pattern[:hole], *path[hole:end], *pattern[hole + 1 :]))


def settings() -> tuple[Setting, ...]:
    """Every setting, ours first, then the transports', then what is known and not used yet."""
    return (*_OWN, *_TRANSPORT, *_KNOWN)


def find(path: Sequence[str], /, *, lenient: bool) -> tuple[Setting, str] | None:
    """The setting outside of `transport` that this path means, and its key in full."""
    for setting in (*_OWN, *_KNOWN):
        key = setting.canonical(path, lenient=lenient)
        if key is not None:
            return setting, key
    return None


def find_of_transport(path: Sequence[str], of_type: str, /) -> tuple[Setting, str] | None:
    """The setting of this type of transport that this path means, in Java's or in openlineage-python's spelling."""
    for setting in _TRANSPORT:
        key = setting.canonical(path, lenient=True) if not setting.transports or of_type in setting.transports else None
        if key is not None:
            return setting, key
    return None


def near_key(key: str, /, *, of_transport: str | None = None) -> str | None:
    """The known key that was probably meant: alike as a whole, or with the same last part."""
    rows = (
        settings() if of_transport is None else [s for s in _TRANSPORT if of_transport in (*s.transports, of_transport)]
    )
    known = {setting.key.lower(): setting.key for setting in rows if "<" not in setting.key}
    near = known.get(f"{key}.type".lower()) or near_match(key, known)
    if near is None:
        tail = "." + key.lower().rpartition(".")[2]
        near = next((known[lower] for lower in sorted(known, key=len) if lower.endswith(tail)), None)
    return known.get(near.lower()) if near else None


def near_match(word: str, known: Iterable[str], /) -> str | None:
    """The known word that is most like this one, if any is."""
    by_lower = {each.lower(): each for each in known}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[close[0]] if close else None


@functools.lru_cache(maxsize=1024)
def camel(name: str, /) -> str:
    """`exit_timeout` as `exitTimeout`."""
    head, *tail = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in tail)


def _same(pattern: Sequence[str], path: Sequence[str], lenient: bool) -> bool:
    if len(pattern) != len(path):
        return False
    return all(
        ours == theirs or (lenient and camel(ours) == camel(theirs)) for ours, theirs in zip(pattern, path, strict=True)
    )


_OWN = (
    Setting("disabled", "switch", False, "Switch the agent off.", "disabled"),
    Setting("namespace", "text", "default", "Namespace of the jobs.", "namespace"),
    Setting("appName", "text", None, "Name of the application, in place of `spark.app.name`.", "app_name"),
    Setting(
        "jobName.appendDatasetName", "switch", True, "End a job's name with its output.", "job_name.append_dataset_name"
    ),
    Setting(
        *("jobName.replaceDotWithUnderscore", "switch", False, "Write `_` for dots in a job's name."),
        "job_name.replace_dot_with_underscore",
    ),
    Setting("applicationRunId", "uuid", None, "Run id of the application.", "parent.application_run_id"),
    Setting("parentJobName", "text", None, "Name of the job that started this application.", "parent.job_name"),
    Setting("parentJobNamespace", "text", None, "Namespace of that job.", "parent.job_namespace"),
    Setting("parentRunId", "uuid", None, "Run id of that job.", "parent.run_id"),
    Setting("rootParentJobName", "text", None, "Name of the job at the root of it all.", "parent.root_job_name"),
    Setting("rootParentJobNamespace", "text", None, "Namespace of the root job.", "parent.root_job_namespace"),
    Setting("rootParentRunId", "uuid", None, "Run id of the root job.", "parent.root_run_id"),
    Setting("facets.<name>.disabled", "switch", False, "Leave a facet out.", "facets_disabled"),
    Setting("facets.disabled", "list", (), "More facets to leave out (old form).", "facets_disabled"),
    Setting(
        *("capturedProperties", "list", ("spark.master", "spark.app.name")),
        *("Properties of Spark that go into a run facet.", "captured_properties"),
    ),
    Setting("plugins", "list", (), "Plug-ins to load, as `module:Class`.", "plugins"),
    Setting("pluginsDisabled", "switch", False, "Load no plug-in, not even an installed one.", "plugins_disabled"),
    Setting(
        *(
            "exitTimeoutInSeconds",
            "seconds",
            10.0,
            "How long the program may wait at its end for the delivery.",
        ),
        "exit_timeout_seconds",
    ),
    Setting("callSites.enabled", "switch", True, "Give each action its Python file and line.", "call_sites"),
    Setting(
        *("agent.host", "choice", "auto", "Where the agent works: a process of its own, or a thread of the program."),
        *("agent_host", ("auto", "process", "thread")),
    ),
    Setting("snapshot.maxNodes", "positive", 1_000_000, "Most nodes of a plan that are read.", "snapshot_max_nodes"),
    Setting("snapshot.timeoutInSeconds", "seconds", 10.0, "Longest time to read a plan.", "snapshot_timeout_seconds"),
    Setting("snapshot.maxLiteralLength", "count", 64, "Longest literal that is kept, in characters.", "max_literal"),
    Setting("queue.maxPlans", "positive", 1000, "Most plans that wait to be read; more are dropped.", "max_plans"),
    Setting("home", "text", None, "Folder for the spool and the default event file.", "home"),
    Setting(
        *("events.maxBytes", "size", 64 * 1024 * 1024, "Size at which the default event file is rotated."),
        "default_file_max_bytes",
    ),
    Setting("events.backups", "count", 3, "Rotated event files that are kept.", "default_file_backups"),
    Setting("log.runs", "switch", None, "One line on the log for each run; default: without a transport.", "log_runs"),
)


def _of(transports: str, *rows: tuple[str, str, Any, str]) -> tuple[Setting, ...]:
    of = tuple(transports.split())
    return tuple(
        Setting(f"transport.{key}", kind, default, description, transports=of)
        for key, kind, default, description in rows
    )


_TRANSPORT = (
    *_of(
        " ".join(TRANSPORTS),
        ("type", "any", None, "How events are sent: a type named here, or a class as `module.Class`."),
        ("name", "text", None, "Name of the transport, for logs."),
        ("priority", "any", 0, "Order within a composite transport."),
    ),
    *_of(
        "http async_http",
        ("url", "text", None, "Address to send to, as https://host:port."),
        ("endpoint", "text", "api/v1/lineage", "Path behind the address."),
        ("timeoutInMillis", "positive", 5000, "Longest time for one request."),
        ("timeout", "seconds", 5.0, "The same, in seconds."),
        ("verify", "switch", True, "Check the server's certificate."),
        ("auth.type", "text", None, "`api_key`, `jwt` or a class of your own."),
        ("auth.apiKey", "text", None, "The key, for `api_key`."),
        ("auth.<name>", "any", None, "Settings of another kind of authentication."),
        ("urlParams.<name>", "any", None, "Parameters to add to the address."),
        ("headers.<name>", "any", None, "Headers to send."),
        ("custom_headers.<name>", "any", None, "The same, as openlineage-python spells it."),
        ("compression", "text", None, "`gzip`, or nothing."),
        ("sslContext.<name>", "any", None, "Certificates: caCertPath, clientCertPath, clientKeyPath."),
        ("retry.<name>", "any", None, "Accepted; the spool is what retries."),
    ),
    *_of("console", ("logger", "text", None, "Accepted."), ("level", "text", None, "Accepted.")),
    *_of(
        "file",
        ("location", "text", None, "File that events are appended to."),
        ("log_file_path", "text", None, "The same, as openlineage-python spells it."),
        ("append", "switch", True, "Append, or write a file for each event."),
        ("storage_options.<name>", "any", None, "Options of the file system (fsspec)."),
        ("filesystem", "text", None, "Class of the file system (fsspec)."),
        ("fs_kwargs.<name>", "any", None, "Arguments of that class."),
        ("debug_mode", "switch", False, "Readable files with telling names."),
    ),
    *_of("noop", ("class", "text", None, "Accepted.")),
    *_of(
        "async_http",
        ("max_queue_size", "positive", 10000, "Events that wait."),
        ("max_concurrent_requests", "positive", 100, "Requests at a time."),
    ),
    *_of(
        "kafka msk-iam",
        ("topicName", "text", None, "Topic to send to."),
        ("topic", "text", None, "The same, as openlineage-python spells it."),
        ("messageKey", "text", None, "Key of every message."),
        ("properties.<name>", "any", None, "Settings of the producer."),
        ("config.<name>", "any", None, "The same, as openlineage-python spells it."),
        ("flush", "switch", True, "Flush after each event."),
    ),
    *_of(
        "msk-iam",
        ("region", "text", None, "AWS region."),
        ("aws_profile", "text", None, "AWS profile."),
        ("role_arn", "text", None, "Role to assume."),
        ("aws_debug_creds", "switch", False, "Log which identity is used."),
    ),
    *_of(
        "composite",
        ("transports", "any", None, "Transports, as a list."),
        ("transports.<name>", "any", None, "A transport, by its name."),
        ("continueOnFailure", "switch", True, "Go on with the next when one fails."),
        ("continue_on_success", "switch", True, "Go on with the next when one succeeds."),
        ("sort_transports", "switch", False, "Order by priority."),
        ("withThreadPool", "switch", True, "Java only."),
    ),
    *_of(
        "transform",
        ("transport.<name>", "any", None, "The transport that sends what was transformed."),
        ("transformerClass", "text", None, "Class that transforms an event."),
        ("transformerProperties.<name>", "any", None, "Its settings."),
    ),
    *_of(
        "gcplineage",
        ("projectId", "text", None, "Google Cloud project."),
        ("location", "text", "us-central1", "Google Cloud location."),
        ("credentialsFile", "text", None, "File with a service account's key."),
        ("credentials_path", "text", None, "The same, as openlineage-python spells it."),
        ("endpoint", "text", None, "Java only."),
        ("mode", "text", None, "Java only."),
        ("retry.<name>", "any", None, "Java only."),
    ),
    *_of(
        "amazon_datazone_api",
        ("domainId", "text", None, "DataZone domain."),
        ("region", "text", None, "AWS region."),
        ("endpointOverride", "text", None, "Another address of the service."),
    ),
    *_of(
        "datadog",
        ("apiKey", "text", None, "The key; default: DD_API_KEY."),
        ("site", "text", "datadoghq.com", "The site; default: DD_SITE."),
        ("timeout", "seconds", 5.0, "Longest time for one request."),
        ("retry.<name>", "any", None, "How often to try again."),
        ("max_queue_size", "positive", 10000, "Events that wait."),
        ("max_concurrent_requests", "positive", 100, "Requests at a time."),
    ),
    *_of("gcplineage datadog", ("async_transport_rules.<name>", "any", None, "Which jobs are sent asynchronously.")),
    *_of(
        "gcs s3 kinesis",
        *(
            (key, "text", None, "Java only.")
            for key in ("projectId", "credentialsFile", "bucketName", "fileNamePrefix")
        ),
        *((key, "text", None, "Java only.") for key in ("endpoint", "streamName", "region", "roleArn")),
    ),
)

_KNOWN = tuple(
    Setting(key, "any", default, description)
    for key, default, description in (
        ("context", None, "Parent and root run as JSON, with facets."),
        ("context.<name>", None, "The same, key by key."),
        ("job.owners.<type>", None, "Owners of the job."),
        ("job.tags", None, "Tags of the job, as `key:value:source;…`."),
        ("run.tags", None, "Tags of the run."),
        ("facets.custom_environment_variables", None, "Environment variables to capture."),
        ("facets.variables", None, "The same, as the Java agent's manual spells it."),
        ("facets.environmentVariables", None, "The same, as openlineage-python spells it."),
        ("facets.environment_variables", None, "The same, as openlineage-python spells it."),
        ("facets.source_code_location.<name>", None, "Of openlineage-python."),
        ("filters", None, "Of openlineage-python."),
        ("tags.job.<name>", None, "Of openlineage-python."),
        ("tags.run.<name>", None, "Of openlineage-python."),
        ("dataset.removePath.pattern", None, "What to take out of a dataset's name."),
        ("dataset.disabledTrimmers", None, "Trimmers not to use."),
        ("dataset.extraTrimmers", None, "More trimmers."),
        ("dataset.namespaceResolvers.<name>", None, "One namespace for many hosts."),
        ("dataset.disabled_trimmers", None, "Of openlineage-python."),
        ("dataset.extra_trimmers", None, "Of openlineage-python."),
        ("dataset.reducing_enabled", None, "Of openlineage-python."),
        ("columnLineage.datasetLineageEnabled", True, "Row influence apart from columns."),
        ("columnLineage.descriptionsEnabled", False, "Describe transformations."),
        ("columnLineage.schemaSizeLimit", 1000, "Most columns for column lineage."),
        ("filter.allowedSparkNodes", (), "Plan roots that make events."),
        ("filter.deniedSparkNodes", (), "Plan roots that make none."),
        ("filter.rddEventsDisabled", False, "No events for RDD jobs."),
        *(
            (f"circuitBreaker.{key}", default, "When to stop collecting.")
            for key, default in (
                *(("type", None), ("memoryThreshold", 20), ("gcCpuThreshold", 10), ("timeoutInSeconds", None)),
                *(("circuitCheckIntervalInMillis", 1000), ("threadCount", 2), ("queueSize", 10)),
                *(("blockingTimeInSeconds", 1), ("shutdownTimeoutSeconds", 60), ("valuesReturned", None)),
            )
        ),
        ("timeout.buildDatasetsTimePercentage", None, "Share of the time for datasets."),
        ("timeout.facetsBuildingTimePercentage", None, "Share of the time for facets."),
        ("debug.smart", False, "A debug facet only where datasets are missing."),
        ("debug.smartMode", "any-missing", "What counts as missing."),
        ("debug.metricsDisabled", False, "No metrics in the debug facet."),
        ("debug.payloadSizeLimitInKilobytes", 100, "Largest debug facet."),
        ("debug.logPlanAsJson", False, "Write plans to the log."),
        *((f"metrics.{key}", None, "Metrics of the Java agent.") for key in ("type", "flavor", "host", "port")),
        ("vendors.iceberg.metricsReporterDisabled", False, "No metrics of Iceberg."),
        ("testExtensionProvider", None, "Of the Java agent's tests."),
    )
)
