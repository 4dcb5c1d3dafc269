# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""What is secret, and how it is taken out: the one module that knows.

Every value that leaves the driver passes through here before it is stored, logged or sent. Two rules follow from that:
what is redacted twice equals what is redacted once, and no pattern may take more than linear time (each one starts at a
boundary that occurs once in a run of characters, or is bounded).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from re import Match
from typing import Any, Final, TypeAlias

REDACTED: Final = "[redacted]"
Span: TypeAlias = tuple[int, int]

# Whose key is a secret; a partition's, a map's or a primary key is not.
_KEY_OWNERS = (
    *("access", "api", "private", "account", "storage", "shared", "master", "signing", "app", "application", "hmac"),
    *("license", "consumer", "subscription", "ssh", "rsa", "keystore", "encryption"),
)

# For names of options, properties, headers and keys. The bridge hands the same text to java.util.regex, so it uses only
# what both engines read alike; "(?-i:" switches case back on where only case tells `accessToken` from `tokenizer`.
SECRET_NAME_PATTERN: Final = (
    r"(?i)pass(?:word|wd|phrase|code)|pwd|(?:^|user|db|jdbc|auth|proxy|login)[._-]?pass$"
    r"|secret(?!ar)|bearer|keytab|(?<!security[._-])(?<![a-z])authorization$|(?<![a-z])cookie$"
    r"|(?<!max)(?<!max[._-])(?<!num)(?<!num[._-])(?-i:[tT]okens?(?![a-z])|TOKENS?(?![A-Z]))"
    r"(?![._-]?(?:count|type|refresh|expir|endpoint|ur[il]|provider|limit))"
    r"|credential(?!s?[._-]?(?:provider|type|scope))|(?<![a-z])(?-i:[sS]as(?![a-z])|SAS(?![A-Z]))|(?<![a-z])jwt$"
    r"|shared[._-]?access[._-]?signature|(?:amz|goog)[._-]?signature"
    rf"|(?:{'|'.join(_KEY_OWNERS)})[._-]?key(?![._-]?(?:name|size|type|provider|vault))"
    r"|jaas[._-]?config|conn(?:ection)?[._-]?str(?:ing)?$"
)
_SECRET_NAME = re.compile(SECRET_NAME_PATTERN, re.ASCII)

# Everything that a rule below can begin with, in lower case: wider than the rules, and kept so by a test. Written from
# the rarest letter of each word with a look back, because a search that may begin at one letter in eight is ten times
# as fast: 0.12 ms for 20 kB.
_SUSPICIOUS = re.compile(
    rf"k(?:ey(?:tab|{'|'.join(f'(?<={owner}key)|(?<={owner}[._-]key)' for owner in _KEY_OWNERS)})"
    r"|(?<=tok)en|(?<=cook)ie|(?<=ak)ia|(?<=sk)-(?:proj-|ant-|[a-z0-9]{40}))"
    r"|p(?:ass|wd|(?<=dap)i[0-9a-f]|(?<=np)m_)|c(?:redential|onn(?:ection)?[._-]?str|(?<=sec)ret)"
    r"|z(?:(?<=authoriz)ation|(?<=aiz)a)|j(?:wt|aas[._-]?config|dbc:oracle|(?<=eyj))"
    r"|g(?:(?<=sig)(?:nature|=)|h[pousr]_|ithub_pat_|lpat-)|s(?:as|(?<=as)ia)|x(?<=x)ox[abeoprs]-"
    r"|b(?:earer|asic\s|(?<=-----b)egin)|f(?:(?<=hf)_|(?<=identif)ied\s)|v(?<=hv)s\.|y(?<=y)a29\."
    r"|/(?<=:/)/[^\s:/?#\"'<>]*:(?!\d{1,5}(?:[/,?#;\s\"'\\]|$))",
    re.ASCII,
)

_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,60}-----|\Z)", re.DOTALL
)
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*"  # a JSON web token
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|dapi[0-9a-f]{32}(?:-\d)?|AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}"
    r"|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|hvs\.[A-Za-z0-9_-]{20,}"
    r"|sk-(?:proj-|ant-)[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{40,})"
)
_SCHEME = re.compile(r"(?i)(?<![a-z0-9_])(bearer|basic)([ \t]{1,8})[a-z0-9._~+/=-]{16,}", re.ASCII)
# `://user:password@`: to the last @ of the authority, or to the first one behind it (a password with a bare slash).
# A number behind the colon is a port, unless an @ follows.
_USERINFO = re.compile(
    r"(://[^\s:/?#\"'<>]*:)(?!\d{1,5}(?:[/,?#;\s\"'\\]|$))(?!\[redacted\]@)(?:[^\s/?#\"'<>]+|[^\s\"'<>@]{1,256})@"
)
_ORACLE = re.compile(r"(?i)(jdbc:oracle:\w{1,10}:[^\s/@\"':]{0,128}/)(?:\\?\"[^\"\s]{0,256}\"|[^\s@\"']{1,256})@")
_IDENTIFIED = re.compile(
    r"(?i)(?<!\w)identified\s{1,20}(?:with\s{1,20}\S{1,100}\s{1,20})?(?:by|as)\s{1,20}(?:password\s{1,20})?", re.ASCII
)

# A name and what separates it from its value: `k=v`, `"k": "v"`, `k -> v`, `conf["k"] = "v"`, `k: str = "v"`, `k 'v'`.
_PAIR = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]+)(?P<close>\\*[\"'`]\]?)?"
    r"(?P<separator>\s*:\s*(?:str|bytes|String|Optional\[str\]|str \| None)\s*="
    r"|\s*(?:=>|->|==|:=|=|:)|(?=\s\s*\\*[\"']))"
    r"(?:\s*(?=\\*[\"'])|[ \t]*)",
    re.ASCII,
)
# `.option("password", "…")` in source code, and `("password", "…")` in a printed list of pairs.
_CALL = re.compile(
    r"(?i)(?:(?<!\w)\w*(?:option|config|conf|set|put|property)|[\[,]\s*)\(\s*"
    r"\\*[\"'](?P<name>[\w.-]+)\\*[\"']\s*,\s*(?=\\*[\"'])",
    re.ASCII,
)
_FLAG = re.compile(r"(?<!\S)--(?P<name>[A-Za-z][\w.-]*)[ \t]+(?=[^\s-])", re.ASCII)

_OPENING = re.compile(r"(\\*)([\"'])")
_INSIDE = {
    "'": re.compile(r"[^'\\]*(?:(?:\\.|'')[^'\\]*)*", re.DOTALL),
    '"': re.compile(r'[^"\\]*(?:(?:\\.|"")[^"\\]*)*', re.DOTALL),
}
_CLOSING = {"'": re.compile(r"(?<!\\)\\*'"), '"': re.compile(r'(?<!\\)\\*"')}
_BARE = re.compile(r"[^\s;&\"']*[^\s;&\"',)}\]\\]")
_BRACED = re.compile(r"\{[^{}\"']*\}")
_URL = re.compile(r"\s*(?:jdbc:|[A-Za-z][A-Za-z0-9+.-]{0,30}://)")
_PARAMETER = re.compile(r"(?<=[?&;:])([\w.-]+)=(?![{\"'])([^;&\r\n]+)", re.ASCII)

_NO_SECRETS = frozenset({"true", "false", "null", "none", "yes", "no", "on", "off"})
_NUMBER = re.compile(r"-?[0-9][0-9.eE+-]*")
_SPARK_REDACTED = "*********(redacted"
# Behind `name:`: a JSON object, a cast, a URL of that scheme, the type of a struct's field.
_NO_VALUE = re.compile(
    r"(?i)[{\[:]|//|(?:string|str|bigint|int|integer|long|smallint|short|tinyint|byte|bytes|binary|boolean|bool|double|float|real"
    r"|date|timestamp(?:_ntz|_ltz)?|decimal|char|varchar|variant|void|interval|array|map|struct|udt)(?![\w-])"
)
# `'a token ' || 'b'`: a quote that is followed by one of these does not open a value.
_CLOSES_SOMETHING_ELSE = re.compile(r"\\*[\"'][\s,)|]")
_REFERENCE = re.compile(r"[A-Za-z_`][\w`]*(?:\.[\w`]+)+")


def is_secret_name(name: str, /) -> bool:
    """Whether a value under this name must not leave the driver."""
    return _SECRET_NAME.search(name) is not None


def suspicious(text: str, /) -> bool:
    """Whether redaction could change the text, or a JSON document of that text: one search, for skipping the rest."""
    return _SUSPICIOUS.search(text.lower()) is not None


def redact_text(text: str, /) -> str:
    """Any text (SQL, source code, a message, a URL) without its secrets."""
    return _settle(text, _rewrite) if suspicious(text) else text


def redact_url(url: str, /) -> str:
    """A URL or JDBC URL without the password and the secret parameters; spaces belong to a parameter's value here."""
    return _settle(url, _rewrite_url) if suspicious(url) else url


def redact_mapping(mapping: Mapping[str, Any], /) -> dict[str, Any]:
    """Options or properties without their secrets."""
    redacted = redact(mapping)
    assert isinstance(redacted, dict)
    return redacted


def redact(value: Any, /) -> Any:
    """A copy of a JSON-like value without its secrets; only text is replaced, so a column may be named password."""
    result: list[Any] = [value]
    tuples: list[tuple[Any, Any]] = []
    waiting: list[tuple[Any, Any]] = [(result, 0)]
    while waiting:
        holder, key = waiting.pop()
        item = holder[key]
        if isinstance(item, str):
            holder[key] = _redact_string(item)
        elif isinstance(item, Mapping):
            copy = dict(item)
            holder[key] = copy
            withheld = _withheld_keys(copy)
            for name in withheld:
                copy[name] = REDACTED
            waiting.extend((copy, name) for name in copy if name not in withheld)
        elif isinstance(item, (list, tuple)):
            entries = list(item)
            holder[key] = entries
            if isinstance(item, tuple):
                tuples.append((holder, key))
            waiting.extend((entries, index) for index in range(len(entries)))
    for holder, key in reversed(tuples):  # inner ones were met last
        holder[key] = tuple(holder[key])
    return result[0]


def _withheld_keys(mapping: Mapping[Any, Any]) -> set[Any]:
    withheld = {
        key for key, value in mapping.items() if isinstance(value, str) and isinstance(key, str) and is_secret_name(key)
    }
    # An environment variable or a tag: {"name": "DB_PASSWORD", "value": "…"}.
    for label in ("name", "key"):
        name = mapping.get(label)
        if isinstance(name, str) and isinstance(mapping.get("value"), str) and is_secret_name(name):
            withheld.add("value")
    return withheld


def _redact_string(text: str) -> str:
    return redact_url(text) if _URL.match(text) else redact_text(text)


def _settle(text: str, rewrite: Callable[[str], str]) -> str:
    """What is taken out can bring the ends of something else together, so: until nothing changes."""
    for _ in range(8):
        before, text = text, rewrite(text)
        if text == before:
            break
    return text


def _rewrite_url(url: str) -> str:
    return _rewrite(_PARAMETER.sub(_without_parameter, url))


def _rewrite(text: str) -> str:
    text = _PEM.sub(REDACTED, text)
    text = _USERINFO.sub(rf"\g<1>{REDACTED}@", text)
    text = _ORACLE.sub(rf"\g<1>{REDACTED}@", text)
    text = _replace_values(text, _IDENTIFIED, _after_identified)
    text = _replace_values(text, _CALL, _after_call)
    text = _replace_values(text, _FLAG, _after_flag)
    text = _replace_values(text, _PAIR, _after_pair)
    text = _SCHEME.sub(rf"\g<1>\g<2>{REDACTED}", text)
    return _TOKEN.sub(REDACTED, text)


def _replace_values(text: str, pattern: re.Pattern[str], span_of: Callable[[Match[str]], Span | None]) -> str:
    parts: list[str] = []
    done = position = 0
    while match := pattern.search(text, position):
        position = match.end()
        span = span_of(match)
        if span is None or span[0] == span[1]:
            continue
        start, end = span
        if end - start <= len(REDACTED) and text.startswith(REDACTED, start):
            continue  # without quotes the last bracket does not count
        parts += (text[done:start], REDACTED)
        done = position = end
    return "".join((*parts, text[done:])) if parts else text


def _after_identified(match: Match[str]) -> Span | None:
    return _quoted(match.string, match.end()) or _bare(match.string, match.end())


def _after_call(match: Match[str]) -> Span | None:
    return _quoted(match.string, match.end()) if is_secret_name(match["name"]) else None


def _after_flag(match: Match[str]) -> Span | None:
    if not is_secret_name(match["name"]):
        return None
    return _quoted(match.string, match.end()) or _bare(match.string, match.end())


def _after_pair(match: Match[str]) -> Span | None:
    text, start, name, separator = match.string, match.end(), match["name"], match["separator"].strip()
    if not is_secret_name(name):
        return _signature(match)
    if not separator and _CLOSES_SOMETHING_ELSE.match(text, start):
        return None
    span = _quoted(text, start)
    if span is not None or not separator or text.startswith(_SPARK_REDACTED, start):
        return span
    # Decided by the first characters, before the value is read: text that repeats `token:string` stays linear.
    if separator == ":" and _NO_VALUE.match(text, start):
        return None
    braced = _BRACED.match(text, start) if separator != ":" else None  # SQL Server: password={p;w}
    if braced is not None:
        return braced.span()
    span = _bare(text, start)
    if span is None or _is_harmless(name, separator, text[span[0] : span[1]], quoted_name=bool(match["close"])):
        return None
    return _authorization(name, text, span)


def _is_harmless(name: str, separator: str, value: str, *, quoted_name: bool) -> bool:
    if value.lower() in _NO_SECRETS:
        return True
    if separator == ":" and quoted_name and _NUMBER.fullmatch(value):
        return True  # JSON: only text is ever replaced
    if separator == ":" and name.lower() == "token" and value.isalpha():
        return True  # "unexpected token: FROM"
    # `a.token = b.token` in a join compares columns.
    reference = _REFERENCE.fullmatch(value)
    return reference is not None and _last_part(value) == _last_part(name)


def _last_part(name: str) -> str:
    return name.rpartition(".")[2].strip("`").lower()


def _authorization(name: str, text: str, span: Span) -> Span:
    """`Authorization: Bearer abc`: the scheme may be told, what follows may not."""
    if "authorization" not in name.lower() or text[span[0] : span[1]].lower() not in {"bearer", "basic", "token"}:
        return span
    following = _bare(text, span[1] + 1)
    return following if following is not None and text[span[1]] in " \t" else span


def _signature(match: Match[str]) -> Span | None:
    """`&sig=…` of a shared access signature and `&Signature=…` of a presigned URL."""
    if match["separator"] != "=" or match["name"].lower() not in {"sig", "signature"}:
        return None
    span = _bare(match.string, match.end())
    return span if span is not None and span[1] - span[0] >= 16 else None


def _without_parameter(match: Match[str]) -> str:
    return f"{match[1]}={REDACTED}" if is_secret_name(match[1]) else match[0]


def _bare(text: str, start: int) -> Span | None:
    match = _BARE.match(text, start)
    return match.span() if match else None


def _quoted(text: str, start: int) -> Span | None:
    """What stands between the quotes that open here; to the end where they never close (a text that was cut)."""
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    backslashes, quote = opening.groups()
    if not backslashes:
        inside = _INSIDE[quote].match(text, opening.end())
        assert inside is not None  # it matches the empty text
        return inside.start(), inside.end() if text.startswith(quote, inside.end()) else len(text)
    for closing in _CLOSING[quote].finditer(text, opening.end()):
        if closing.end() - closing.start() - 1 <= len(backslashes):
            return opening.end(), closing.start()
    return opening.end(), len(text)
