# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
"""Lines over pipes: nobody waits for ever, and a descriptor that was closed is touched no more."""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Iterator

import pytest

from pyspark_lineage.agent.protocol import Channel, Closed, Hello, pipe_pair


@pytest.fixture
def pair() -> Iterator[tuple[Channel, Channel]]:
    ours, theirs = pipe_pair()
    yield ours, theirs
    ours.close()
    theirs.close()


def test_messages_of_any_size_go_both_ways(pair: tuple[Channel, Channel]) -> None:
    ours, theirs = pair
    big = {"m": "flush", "text": "ä\n" * 200_000}
    sender = threading.Thread(target=ours.send, args=(big, 5.0))
    sender.start()
    assert theirs.receive(5.0) == big
    sender.join()
    for number in range(3):
        assert theirs.send({"id": number}, 1.0)
    assert [ours.receive(1.0) for _ in range(3)] == [{"id": number} for number in range(3)]


def test_a_peer_that_hangs_blocks_nobody(pair: tuple[Channel, Channel]) -> None:
    ours, _ = pair
    began = time.monotonic()
    assert ours.send({"text": "x" * 1_000_000}, 0.2) is False
    assert ours.receive(0.2) is None
    assert 0.3 < time.monotonic() - began < 3


def test_a_peer_that_is_gone(pair: tuple[Channel, Channel]) -> None:
    ours, theirs = pair
    theirs.close()
    with pytest.raises(Closed):
        ours.receive(1.0)
    with pytest.raises(Closed):
        ours.send({"m": "stats"}, 1.0)


def test_what_was_closed_is_not_touched_again(pair: tuple[Channel, Channel]) -> None:
    ours, _ = pair
    ours.close()
    read, write = os.pipe()  # the numbers are given out again
    try:
        ours.close()
        with pytest.raises(Closed):
            ours.send({"m": "stats"}, 1.0)
        with pytest.raises(Closed):
            ours.receive(0.1)
        os.write(write, b"theirs")
        assert os.read(read, 100) == b"theirs"
    finally:
        os.close(read)
        os.close(write)


def test_with_a_thousand_files_open(pair: tuple[Channel, Channel]) -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 1200:
        pytest.skip("this machine lets nobody open so many files")
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1050)]
    try:
        ours, theirs = pipe_pair()
        assert ours.send({"m": "stats"}, 1.0)
        assert theirs.receive(1.0) == {"m": "stats"}
        ours.close()
        theirs.close()
    finally:
        for fd in held:
            os.close(fd)


def test_the_secret_is_in_no_repr() -> None:
    hello = Hello({"address": "h", "port": 1, "secret": "of the gateway"}, {"transport": {"apiKey": "hunter2"}}, ("p",))
    assert "of the gateway" not in repr(hello)
    assert "hunter2" not in repr(hello)
