# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyspark_lineage import redaction
from pyspark_lineage.redaction import (
    REDACTED,
    is_secret_name,
    redact,
    redact_mapping,
    redact_text,
    redact_url,
    suspicious,
)

# Put together at run time, so that no scanner of repositories takes an example for a leak.
JWT = ".".join(("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"))
AWS_KEY = "AKIA" + "IOSFODNN7EXAMPLE"
GITHUB = "ghp_" + "a1B2" * 9
SLACK = "xoxb-" + "1234567890-abcdef"
DATABRICKS = "dapi" + "0123456789abcdef" * 2
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"

SECRET_NAMES = [
    *("password", "PASSWORD", "user_passwd", "pwd", "dbPwd", "secret", "clientSecret", "client_secret"),
    *("fs.s3a.secret.key", "fs.s3a.access.key", "awsSecretAccessKey", "AWS_SECRET_ACCESS_KEY", "accessKey"),
    *("access-key", "token", "accessToken", "ACCESS_TOKEN", "auth.tokens", "credential", "credentials"),
    *("gcpCredentials", "apiKey", "api_key", "x-api-key", "privateKey", "pem_private_key"),
    *("fs.azure.account.key.acct.dfs.core.windows.net", "AccountKey", "SharedAccessKey"),
    *("SharedAccessSignature", "sas", "sasToken", "fs.azure.sas.container.acct", "bearer", "Authorization"),
    *("proxy-authorization", "ssl.key.password", "passphrase", "keytab", "connectionString"),
    *("eventhubs.connection.string", "es.net.http.auth.pass", "sasl.jaas.config", "kafka.sasl.jaas.config"),
    *("parquet.encryption.key.list", "X-Amz-Signature", "X-Amz-Security-Token", "jwt"),
    *("Set-Cookie", "spark.cosmos.accountKey"),
]

HARMLESS_NAMES = [
    *("partitionKey", "tokenizer", "Tokenizer", "TOKENIZER", "tokenized", "primary_key", "sparkSession"),
    *("key.deserializer", "key", "value", "sortKey", "maxTokens", "max_tokens", "num_tokens", "token_count"),
    *("tokenCount", "fs.s3a.aws.credentials.provider", "credentials.type", "sasl.mechanism"),
    *("hadoop.security.authorization", "spark.authenticate", "secretary", "SharedAccessKeyName", "keyspace"),
    *("passthrough", "bypass", "compass", "mapKeys", "encryption.keySize", "spark.sql.shuffle.partitions"),
    *("user", "dbtable", "driver", "disaster", "bridge.snapshot", "url", "query"),
    *("token-refresh-enabled", "oauth2.token.endpoint"),
]

TEXTS = {
    # URLs
    "postgresql://me:hunter2@db:5432/x": "postgresql://me:[redacted]@db:5432/x",
    "postgresql://me:p@ss@db/x": "postgresql://me:[redacted]@db/x",
    "redis://:hunter2@db/0": "redis://:[redacted]@db/0",
    "amqp://me:12345@db/x": "amqp://me:[redacted]@db/x",
    "mongodb://me:hunter2@h1:27017,h2:27017/db?w=1": "mongodb://me:[redacted]@h1:27017,h2:27017/db?w=1",
    "s3a://abc:de/f+1@bucket/key": "s3a://abc:[redacted]@bucket/key",
    "jdbc:postgresql://db/x?user=me&password=hunter2&ssl=true": (
        "jdbc:postgresql://db/x?user=me&password=[redacted]&ssl=true"
    ),
    "jdbc:sqlserver://db:1433;user=me;password={a;b};encrypt=true": (
        "jdbc:sqlserver://db:1433;user=me;password=[redacted];encrypt=true"
    ),
    "jdbc:db2://db:50000/x:user=me;password=hunter2;": "jdbc:db2://db:50000/x:user=me;password=[redacted];",
    "jdbc:oracle:thin:scott/tiger@//db:1521/x": "jdbc:oracle:thin:scott/[redacted]@//db:1521/x",
    'jdbc:oracle:oci:scott/"ti@ger"@db': "jdbc:oracle:oci:scott/[redacted]@db",
    "https://a.blob.core.windows.net/c?sv=2020&sig=abcdefghijklmn%2Bop%3D&sp=r": (
        "https://a.blob.core.windows.net/c?sv=2020&sig=[redacted]&sp=r"
    ),
    f"https://b.s3.amazonaws.com/k?AWSAccessKeyId={AWS_KEY}&Signature=vjbyPxybdZaNmGa%2ByT272YEAiv4%3D": (
        "https://b.s3.amazonaws.com/k?AWSAccessKeyId=[redacted]&Signature=[redacted]"
    ),
    "AccountName=x;AccountKey=abc==;EndpointSuffix=core": "AccountName=x;AccountKey=[redacted];EndpointSuffix=core",
    "SharedAccessKeyName=Root;SharedAccessKey=abc=;EntityPath=e": (
        "SharedAccessKeyName=Root;SharedAccessKey=[redacted];EntityPath=e"
    ),
    "reading http://me:hunter2@h/x, then jdbc:h2:mem?token=abc": (
        "reading http://me:[redacted]@h/x, then jdbc:h2:mem?token=[redacted]"
    ),
    # SQL
    "OPTIONS (url 'jdbc:h2:mem', password 'it''s \\' me', dbtable \"t\")": (
        "OPTIONS (url 'jdbc:h2:mem', password '[redacted]', dbtable \"t\")"
    ),
    "OPTIONS ('fs.s3a.secret.key' = \"x y\")": "OPTIONS ('fs.s3a.secret.key' = \"[redacted]\")",
    "TBLPROPERTIES (`api.key`\n=\n'x')": "TBLPROPERTIES (`api.key`\n=\n'[redacted]')",
    "create user x identified by 'y' account lock": "create user x identified by '[redacted]' account lock",
    "ALTER USER x IDENTIFIED WITH sha2 BY 'y'": "ALTER USER x IDENTIFIED WITH sha2 BY '[redacted]'",
    "alter user x identified by tiger;": "alter user x identified by [redacted];",
    "ALTER ROLE r WITH ENCRYPTED PASSWORD 'x' LOGIN": "ALTER ROLE r WITH ENCRYPTED PASSWORD '[redacted]' LOGIN",
    "SET spark.hadoop.fs.s3a.secret.key=abc/def": "SET spark.hadoop.fs.s3a.secret.key=[redacted]",
    "OPTIONS (password 'was cut he": "OPTIONS (password '[redacted]",
    # source code and printed values
    'df.write.option("password", "a\\"b").save()': 'df.write.option("password", "[redacted]").save()',
    'conf["db.password"] = "x"': 'conf["db.password"] = "[redacted]"',
    'password: str = "x"': 'password: str = "[redacted]"',
    "connect(user='me', password='x')": "connect(user='me', password='[redacted]')",
    "[('spark.x.password', 'x'), ('a', 'b')]": "[('spark.x.password', '[redacted]'), ('a', 'b')]",
    "{'password': 'x', 'user': 'me'}": "{'password': '[redacted]', 'user': 'me'}",
    "{password=x, user=me}": "{password=[redacted], user=me}",
    "Map(password -> x, user -> me)": "Map(password -> [redacted], user -> me)",
    '{"options": "{\\"password\\": \\"a\\\\\\"b\\", \\"n\\": 1}"}': (
        '{"options": "{\\"password\\": \\"[redacted]\\", \\"n\\": 1}"}'
    ),
    "tool --password hunter2 --verbose": "tool --password [redacted] --verbose",
    'PlainLoginModule required username="me" password="x";': (
        'PlainLoginModule required username="me" password="[redacted]";'
    ),
    # headers and keys that are known by their looks
    "Authorization: Bearer abc": "Authorization: Bearer [redacted]",
    '{"Authorization": "Basic dTpw"}': '{"Authorization": "[redacted]"}',
    "sent with bearer abcdefghijklmnop": "sent with bearer [redacted]",
    f"got {JWT} here": "got [redacted] here",
    f"{AWS_KEY},{GITHUB},{SLACK},{DATABRICKS}": "[redacted],[redacted],[redacted],[redacted]",
    f"key:\n{PEM}\nend": "key:\n[redacted]\nend",
    PEM[:50]: "[redacted]",
}

HARMLESS_TEXTS = [
    "abfss://container@account.dfs.core.windows.net:443/path/a:b@c",
    "hdfs://namenode:8020/user/me@example.com/x",
    "jdbc:oracle:thin:@//db:1521/x",
    "jdbc:postgresql://db:5432/x?user=me",
    "sftp://me@host/x",
    '{"name": "password", "type": "string"}',
    '{"password": {"inputFields": []}, "token": null, "secret": 5, "pwd": ["a"]}',
    "struct<id:bigint,password:string,token:array<string>,pwd:decimal(10,2)>",
    " |-- password: string (nullable = true)",
    "SELECT a.token, b.password FROM a JOIN b ON a.token = b.token AND a.pwd=b.pwd",
    "SELECT concat('token ', x || ' token ' || 'y')",
    "SELECT token::string, password FROM t WHERE token IN ('a', 'b')",
    'df.select("token", "user_id").groupBy("password")',
    "Syntax error, unexpected token: FROM",
    "Map(password -> *********(redacted), user -> me)",
    "enable.token=true secret.enabled: false",
    "basic authentication and bearer tokens are supported",
    "hadoop.security.authorization=true",
    "secret://vault/x",
    "password = ''",
    "task-12 asks disk-1 for eyJ",
    "caf\u00e9 pa\u017fsword=x",
]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)
    assert suspicious(f'{{"{name}": "x"}}')


@pytest.mark.parametrize("name", HARMLESS_NAMES)
def test_harmless_names(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(("text", "redacted"), TEXTS.items(), ids=range(len(TEXTS)))
def test_texts(text: str, redacted: str) -> None:
    assert redact_text(text) == redacted
    assert redact_text(redacted) == redacted
    assert redact({"a": [text]}) == {"a": [redact_url(text) if "://" in text[:12] else redacted]}


@pytest.mark.parametrize("text", HARMLESS_TEXTS)
def test_harmless_texts(text: str) -> None:
    assert redact_text(text) == text
    assert redact(text) == text


@pytest.mark.parametrize(
    ("url", "redacted"),
    [
        ("jdbc:sqlserver://db;password=a b'c;user=me", "jdbc:sqlserver://db;password=[redacted];user=me"),
        ("https://h/x?token=a,b)c&n=1#top", "https://h/x?token=[redacted]&n=1#top"),
        ("https://h/x?n=1", "https://h/x?n=1"),
        ("http://me:hunter2@h/x?api_key=k", "http://me:[redacted]@h/x?api_key=[redacted]"),
    ],
)
def test_urls(url: str, redacted: str) -> None:
    assert redact_url(url) == redacted
    assert redact_url(redacted) == redacted


def test_a_mapping_of_options() -> None:
    options = {
        "url": "jdbc:mysql://db/x?user=me&password=a b",
        "password": "hunter2",
        "dbtable": "(select 1) t",
        "spark.executorEnv.API_KEY": "k",
        "fetchsize": 100,
    }
    assert redact_mapping(options) == {
        "url": "jdbc:mysql://db/x?user=me&password=[redacted]",
        "password": REDACTED,
        "dbtable": "(select 1) t",
        "spark.executorEnv.API_KEY": REDACTED,
        "fetchsize": 100,
    }
    assert options["password"] == "hunter2"


def test_columns_named_like_secrets_survive() -> None:
    event = {
        "schema": {"fields": [{"name": "password", "type": "string", "fields": [{"name": "token", "type": "int"}]}]},
        "columnLineage": {
            "fields": {
                "password": {"inputFields": [{"namespace": "file", "name": "/t", "field": "password"}]},
                "secret_key": {"inputFields": []},
            }
        },
        "tags": ({"key": "api_key", "value": "k"}, {"key": "team", "value": "a"}),
        "variables": [{"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "HOME", "value": "/home/me"}],
        "password": None,
    }
    expected = json.loads(json.dumps(event))
    expected["tags"][0]["value"] = REDACTED
    expected["variables"][0]["value"] = REDACTED
    redacted = redact(event)
    assert isinstance(redacted.pop("tags"), tuple)
    assert redacted == {key: value for key, value in expected.items() if key != "tags"}
    assert redact({"tags": event["tags"]}) == {"tags": tuple(expected["tags"])}


def test_deep_values_need_no_recursion() -> None:
    value: Any = "password=x"
    for _ in range(50_000):
        value = [(value,)]
    redacted = redact(value)
    for _ in range(50_000):
        ((redacted,),) = redacted
    assert redacted == "password=[redacted]"


PIECES = st.sampled_from(
    [
        *("password", "token", "secret", "a.token", "sig", "api_key", "Authorization", "jdbc:oracle:thin:u/", "://u:"),
        *("=", ":", " = ", " -> ", " ", "\n", "'", '"', "''", "\\", '\\"', "@", "/", ",", ";", "&", "?", "(", ")"),
        *("{", "}", "[", "]", "Bearer ", "identified by ", "option(", "--", "-----BEGIN PRIVATE KEY-----", "-----END "),
        *(REDACTED, "[redacted", "*********(redacted)", "x", "abcdefghijklmnopqrst", "1", "8020", "string", "true"),
        *("http", "jdbc:", "postgresql://", AWS_KEY, GITHUB, "eyJhbGciOi", ".eyJzdWIiOi", "str", "."),
        *("\u00e9", "\u0130", "\u017f"),
    ]
)
TEXT = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=16).map("".join))
NAME = st.lists(
    st.sampled_from(
        [
            *("pass", "word", "Password", "pwd", "db", "auth", "user", "secret", "token", "Token", "TOKEN"),
            *("s", "izer", "max", "num", "count", "Count", "provider", "key", "Key", "access", "api"),
            *("private", "app", "map", "sas", "SAS", "l", "credential", "jwt", "cookie", "authorization"),
            *("security", "connection", "string", "jaas", "config", "shared", "signature", "amz", ".", "_"),
            *("-"),
        ]
    ),
    max_size=6,
).map("".join)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(NAME | TEXT, inner, max_size=4) | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


@settings(max_examples=600, deadline=None)
@given(TEXT)
def test_text_is_redacted_once(text: str) -> None:
    for function in (redact_text, redact_url):
        once = function(text)
        assert function(once) == once


@settings(max_examples=300, deadline=None)
@given(VALUE)
def test_values_are_redacted_once(value: Any) -> None:
    once = redact(value)
    assert redact(once) == once


@settings(max_examples=600, deadline=None)
@given(TEXT)
def test_what_is_not_suspicious_has_nothing_to_redact(text: str) -> None:
    if not suspicious(text):
        assert redaction._rewrite_url(text) == text


@settings(max_examples=300, deadline=None)
@given(VALUE)
def test_the_json_text_tells_whether_the_value_must_be_walked(value: Any) -> None:
    if not suspicious(json.dumps(value)):
        assert redact(value) == value


@settings(max_examples=600, deadline=None)
@given(NAME)
def test_every_secret_name_is_suspicious(name: str) -> None:
    assert suspicious(name) or not is_secret_name(name)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="abcXYZ0189!$%*+./_~^", min_size=1, max_size=30), st.sampled_from(["'", '"']))
def test_a_quoted_password_is_gone_whole(password: str, quote: str) -> None:
    assert redact_text(f"password = {quote}{password}{quote} end") == f"password = {quote}[redacted]{quote} end"


ADVERSARIAL = [
    *("a", " ", "=", "'", '"', "\\", "\\'", "''", "://", "://a:", "://a:b", ":", "@", "eyJ", "eyJa.", ".", "-", "--a "),
    *("password=", "password='", "password ' ", "password '\\", "token:string:", "token:{", "token\\'", "token, "),
    *("token={", "sig=", "identified ", "identified by ", "option(", "option('a',", "[("),
    *("jdbc:oracle:thin:a/", "bearer ", "authorization: bearer ", "xox", "xoxb-", "aws_", "a.b.", "{", "?password="),
    *("-----BEGIN PRIVATE KEY-----", ";", "password: str | None ", "Optional[str]", "key", "secretsecret"),
    *("sk-", "basic\t"),
]


@pytest.mark.parametrize("piece", ADVERSARIAL, ids=range(len(ADVERSARIAL)))
def test_what_repeats_takes_linear_time(piece: str) -> None:
    text = "password=x ://a:b@c " + piece * (200_000 // len(piece))
    started = time.process_time()
    redact_url(text)
    # Some 0.1 s where this was written; quadratic work would take many minutes.
    assert time.process_time() - started < 5


def test_a_megabyte_of_everything_takes_linear_time() -> None:
    text = "password=x " + "".join(piece * (1_000_000 // len(ADVERSARIAL) // len(piece)) for piece in ADVERSARIAL)
    started = time.process_time()
    redact_url(text)
    assert time.process_time() - started < 20


def test_growing_depths_of_quoting_stay_cheap() -> None:
    text = " ".join("password " + "\\" * depth + "' x" for depth in range(1, 1400))
    started = time.process_time()
    redact_text(text)
    assert time.process_time() - started < 10
