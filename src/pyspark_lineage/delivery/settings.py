# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""`spark.openlineage.transport.*` as the Java agent spells it, said in openlineage-python's words.

Both spellings are understood; whatever neither knows goes through as it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from pyspark_lineage.errors import ConfigError

Settings = dict[str, Any]
WHERE = "spark.openlineage.transport"

# The sender retries, with the event safe in the spool: a transport that retries as well only multiplies the wait.
NO_RETRY: Mapping[str, Any] = {"total": 0, "read": False, "connect": 0, "status_forcelist": []}
AUTH_TYPES = {
    "apikey": "api_key",
    "apikeytokenprovider": "api_key",
    "jwttokenprovider": "jwt",
    "oauth2clientcredentialstokenprovider": "oauth2",
}


def python_settings(transport: Mapping[str, Any], known: Iterable[str], /) -> Settings:
    """One transport's settings for openlineage-python's factory; ConfigError says what is wrong and what is known."""
    settings: Settings = _plain(transport)
    of_type = settings.get("type")
    known = sorted(known)
    if not isinstance(of_type, str) or not of_type:
        raise ConfigError(f"{WHERE}.type is missing. Known: {', '.join(known)}.")
    # A dotted name is a transport class of the user's own.
    if of_type not in known and "." not in of_type:
        near = difflib.get_close_matches(of_type.lower(), known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"Unknown transport {of_type!r} in {WHERE}.type. Known: {', '.join(known)}.{hint}")
    if of_type in ("http", "async_http"):
        return _http(settings)
    if of_type == "file":
        return _file(settings)
    if of_type in ("kafka", "msk-iam"):
        return _renamed(settings, {"topicName": "topic", "properties": "config"})
    if of_type == "gcplineage":
        return _renamed(settings, {"projectId": "project_id", "credentialsFile": "credentials_path"})
    if of_type == "composite":
        return _composite(settings, known)
    if of_type == "transform":
        names = {"transformerClass": "transformer_class", "transformerProperties": "transformer_properties"}
        settings = _renamed(settings, names)
        if isinstance(settings.get("transport"), Mapping):
            settings["transport"] = python_settings(settings["transport"], known)
    return settings


def _http(settings: Settings) -> Settings:
    settings = _renamed(settings, {"headers": "custom_headers"})
    if "timeoutInMillis" in settings:
        settings["timeout"] = _number(settings.pop("timeoutInMillis"), "timeoutInMillis") / 1000
    elif "timeout" in settings:
        settings["timeout"] = _number(settings["timeout"], "timeout")
    if settings.get("timeout", 1) <= 0:
        raise ConfigError(f"{WHERE}.timeoutInMillis must be more than 0")
    if "verify" in settings:
        settings["verify"] = _boolean(settings["verify"], "verify")
    if settings.get("compression"):
        settings["compression"] = str(settings["compression"]).lower()
        if settings["compression"] != "gzip":
            raise ConfigError(f"Unknown {WHERE}.compression {settings['compression']!r}. Known: gzip.")
    for name in ("auth", "custom_headers", "urlParams", "sslContext"):
        if settings.get(name) is not None and not isinstance(settings[name], Mapping):
            raise ConfigError(f"{WHERE}.{'headers' if name == 'custom_headers' else name} has to have keys of its own")
    if any(key.startswith(("keyStore", "storePassword", "keyPassword")) for key in settings.get("sslContext") or ()):
        raise ConfigError(
            f"{WHERE}.sslContext: Python cannot read Java key stores. "
            "Known: caCertPath, clientCertPath, clientKeyPath (PEM files)."
        )
    if settings.get("auth"):
        of_type = str(settings["auth"].get("type", ""))
        settings["auth"]["type"] = AUTH_TYPES.get(of_type.rpartition(".")[2].lower(), of_type)
    settings["url"], settings["endpoint"] = _address(settings)
    settings.pop("urlParams", None)
    settings["retry"] = dict(NO_RETRY)
    # The sender's thread is what makes it asynchronous; AsyncHttpTransport keeps to itself what was refused.
    settings["type"] = "http"
    return settings


def _address(settings: Settings) -> tuple[str, str]:
    """Where to post to. A URL with a path is the whole address, as the Java agent has it."""
    url, endpoint = settings.get("url"), settings.get("endpoint") or ""
    if not url:
        raise ConfigError(f"{WHERE}.url is missing, for example http://localhost:5000")
    try:
        parts = urlsplit(str(url).strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        # The value may hold a password: it is not repeated.
        raise ConfigError(f"{WHERE}.url is not a URL like https://host:port")
    path = parts.path.strip("/")
    if not endpoint:
        endpoint = parts.path.lstrip("/") if path else "api/v1/lineage"
    elif path:
        endpoint = f"{path}/{endpoint.lstrip('/')}"
    params = {key.replace("url.param.", ""): str(value) for key, value in (settings.get("urlParams") or {}).items()}
    query = "&".join(part for part in (parts.query, urlencode(params)) if part)
    if query:
        endpoint += ("&" if "?" in endpoint else "?") + query
    return urlunsplit((parts.scheme, parts.netloc, "/", "", "")), endpoint.lstrip("/")


def _file(settings: Settings) -> Settings:
    settings = _renamed(settings, {"location": "log_file_path"})
    if not isinstance(settings.get("log_file_path"), str) or not settings["log_file_path"]:
        raise ConfigError(f"{WHERE}.location is missing: the file to append events to")
    for name, default in (("append", True), ("debug_mode", False)):
        settings[name] = _boolean(settings.get(name, default), name)
    return settings


def _composite(settings: Settings, known: Iterable[str]) -> Settings:
    names = {"continueOnFailure": "continue_on_failure", "continueOnSuccess": "continue_on_success"}
    settings = _renamed(settings, names | {"sortTransports": "sort_transports"})
    for name in ("continue_on_failure", "continue_on_success", "sort_transports"):
        if name in settings:
            settings[name] = _boolean(settings[name], name)
    children = settings.get("transports")
    if isinstance(children, Mapping):
        children = [{"name": name, **child} for name, child in children.items()]
    if not isinstance(children, list) or not children or not all(isinstance(each, Mapping) for each in children):
        raise ConfigError(f"{WHERE}.transports has to hold at least one transport")
    settings["transports"] = [python_settings(child, known) for child in children]
    return settings


def _renamed(settings: Settings, names: Mapping[str, str]) -> Settings:
    return {names.get(key, key): value for key, value in settings.items()}


def _plain(value: Any) -> Any:
    """A copy: openlineage-python's factory takes keys out of what it is given."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{WHERE}.{name} has to be a number, not {value!r}") from error


def _boolean(value: Any, name: str) -> bool:
    text = str(value).lower()
    if text not in ("true", "false"):
        raise ConfigError(f"{WHERE}.{name} has to be true or false, not {value!r}")
    return text == "true"
