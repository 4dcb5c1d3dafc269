# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
import pytest
from openlineage.client.transport import get_default_factory

from pyspark_lineage.delivery.settings import NO_RETRY, python_settings
from pyspark_lineage.errors import ConfigError

KNOWN = list(get_default_factory().transports)
HTTP = {"type": "http", "url": "http://h:5000/", "endpoint": "api/v1/lineage", "retry": dict(NO_RETRY)}


@pytest.mark.parametrize(
    ("java", "python"),
    [
        ({"type": "http", "url": "http://h:5000"}, HTTP),
        ({"type": "async_http", "url": " http://h:5000/ "}, HTTP),
        ({"type": "http", "url": "http://h:5000", "endpoint": "/in"}, HTTP | {"endpoint": "in"}),
        ({"type": "http", "url": "http://h:5000/all/of/it"}, HTTP | {"endpoint": "all/of/it"}),
        ({"type": "http", "url": "http://h:5000/a/", "endpoint": "b"}, HTTP | {"endpoint": "a/b"}),
        (
            {"type": "http", "url": "http://h:5000/a?x=1", "urlParams": {"url.param.k": "v w", "z": 1}},
            HTTP | {"endpoint": "a?x=1&k=v+w&z=1"},
        ),
        ({"type": "http", "url": "http://h:5000", "timeoutInMillis": "1500"}, HTTP | {"timeout": 1.5}),
        ({"type": "http", "url": "http://h:5000", "timeout": "2"}, HTTP | {"timeout": 2.0}),
        ({"type": "http", "url": "http://h:5000", "compression": "GZIP"}, HTTP | {"compression": "gzip"}),
        ({"type": "http", "url": "http://h:5000", "verify": "false"}, HTTP | {"verify": False}),
        ({"type": "http", "url": "http://h:5000", "headers": {"a": "b"}}, HTTP | {"custom_headers": {"a": "b"}}),
        ({"type": "http", "url": "http://h:5000", "retry": {"total": 9}}, HTTP),
        (
            {"type": "http", "url": "http://h:5000", "auth": {"type": "apiKey", "apiKey": "k"}},
            HTTP | {"auth": {"type": "api_key", "apiKey": "k"}},
        ),
        (
            {
                "type": "http",
                "url": "http://h:5000",
                "auth": {"type": "io.openlineage.client.transports.JwtTokenProvider", "apiKey": "k"},
            },
            HTTP | {"auth": {"type": "jwt", "apiKey": "k"}},
        ),
        (
            {"type": "http", "url": "http://h:5000", "auth": {"type": "mine.Provider"}},
            HTTP | {"auth": {"type": "mine.Provider"}},
        ),
        (
            {"type": "file", "location": "/e"},
            {"type": "file", "log_file_path": "/e", "append": True, "debug_mode": False},
        ),
        (
            {"type": "file", "log_file_path": "/e", "append": "false"},
            {"type": "file", "log_file_path": "/e", "append": False, "debug_mode": False},
        ),
        (
            {"type": "kafka", "topicName": "t", "messageKey": "m", "properties": {"bootstrap.servers": "h"}},
            {"type": "kafka", "topic": "t", "messageKey": "m", "config": {"bootstrap.servers": "h"}},
        ),
        (
            {"type": "gcplineage", "projectId": "p", "location": "l", "credentialsFile": "f"},
            {"type": "gcplineage", "project_id": "p", "location": "l", "credentials_path": "f"},
        ),
        (
            {
                "type": "composite",
                "continueOnFailure": "false",
                "transports": {"a": {"type": "http", "url": "http://h:5000"}, "b": {"type": "console"}},
            },
            {
                "type": "composite",
                "continue_on_failure": False,
                "transports": [HTTP | {"name": "a"}, {"type": "console", "name": "b"}],
            },
        ),
        (
            {"type": "transform", "transformerClass": "m.T", "transport": {"type": "file", "location": "/e"}},
            {
                "type": "transform",
                "transformer_class": "m.T",
                "transport": {"type": "file", "log_file_path": "/e", "append": True, "debug_mode": False},
            },
        ),
        ({"type": "my.own.Transport", "someKey": "x"}, {"type": "my.own.Transport", "someKey": "x"}),
    ],
)
def test_java_keys_in_python_words(java, python):
    before = repr(java)
    assert python_settings(java, KNOWN) == python
    assert repr(java) == before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"type": "htpp"}, r"Unknown transport 'htpp' in .*Known: .*composite, console.*Did you mean 'http'\?"),
        ({"type": "zzz"}, r"Unknown transport 'zzz'.*kafka"),
        ({}, "transport.type is missing. Known: .*http"),
        ({"type": 7}, "transport.type is missing"),
        ({"type": "http"}, "url is missing"),
        ({"type": "http", "url": "localhost:5000"}, "url is not a URL like https://host:port"),
        ({"type": "http", "url": "http://h:port"}, "url is not a URL"),
        ({"type": "http", "url": "http://[h"}, "url is not a URL"),
        ({"type": "http", "url": "http://h", "timeoutInMillis": "soon"}, "timeoutInMillis has to be a number"),
        ({"type": "http", "url": "http://h", "timeoutInMillis": 0}, "more than 0"),
        ({"type": "http", "url": "http://h", "compression": "zip"}, "Unknown .*compression 'zip'. Known: gzip"),
        ({"type": "http", "url": "http://h", "headers": "a=b"}, "transport.headers has to have keys"),
        ({"type": "http", "url": "http://h", "sslContext": {"keyStorePath": "/x.jks"}}, "caCertPath, clientCertPath"),
        ({"type": "http", "url": "http://h", "verify": "perhaps"}, "verify has to be true or false, not 'perhaps'"),
        ({"type": "file"}, "location is missing"),
        ({"type": "composite"}, "at least one transport"),
        ({"type": "composite", "transports": [{"type": "fil"}]}, "Unknown transport 'fil'.*Did you mean 'file'"),
    ],
)
def test_what_is_wrong_is_said_in_one_message(settings, message):
    with pytest.raises(ConfigError, match=message):
        python_settings(settings, KNOWN)
