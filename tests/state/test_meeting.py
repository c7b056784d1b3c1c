"""Places where processes meet: what listens, who is told, and what others see."""

from __future__ import annotations

import os
import socket
import stat
import time
from datetime import timedelta

import pytest
import torch

from mxnet import MXNetError
from mxnet._state import meeting
from tests.distributed import _ranks

HERE = "127.0.0.1"
LIMIT = timedelta(seconds=5)


@pytest.fixture
def beacon():
    made = meeting.Beacon(meeting.listen(HERE, 0), b"secret")
    yield made
    made.remove()


def ask(beacon, token=b"secret", seconds=5.0):
    return meeting.ask(HERE, beacon.port, token, time.monotonic() + seconds)


def test_a_beacon_tells_those_with_the_token_where_its_folder_is(beacon):
    assert ask(beacon) == ask(beacon) == beacon.folder
    assert stat.S_IMODE(beacon.folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("token", [b"", b"Secret", b"secret2"])
def test_a_beacon_tells_others_nothing(beacon, token):
    with pytest.raises(MXNetError, match="MXNET_JOB_TOKEN"):
        ask(beacon, token, 0.2)


def test_a_beacon_that_is_closed_is_not_there(beacon):
    beacon.close()
    with pytest.raises(OSError, match="refused"):
        ask(beacon, seconds=0.2)
    assert beacon.folder.exists()
    beacon.remove()
    assert not beacon.folder.exists()


def test_calls_that_stay_open_keep_no_one_out(beacon):
    callers = [socket.create_connection((HERE, beacon.port)) for _ in range(60)]
    assert ask(beacon) == beacon.folder
    for caller in callers:
        caller.close()


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_folder_that_others_can_open_is_refused(tmp_path, mode):
    folder = tmp_path / "job"
    folder.mkdir(mode=0o700)
    meeting.check_private(folder)
    folder.chmod(mode)
    with pytest.raises(MXNetError, match="open to them"):
        meeting.check_private(folder)


def test_a_folder_behind_a_link_is_refused(tmp_path):
    (tmp_path / "job").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "job")
    with pytest.raises(MXNetError, match="belongs to others"):
        meeting.check_private(tmp_path / "link")


def test_processes_share_what_is_in_a_folder(beacon):
    one, two = (meeting.open_file_store(beacon.folder, 2, LIMIT) for _ in range(2))
    one.set("a", "1")
    assert two.get("a") == b"1"
    del one, two
    assert [*beacon.folder.iterdir()] == []


@pytest.mark.parametrize(
    ("host", "expected"),
    [(HERE, True), ("127.3.2.1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_loopback_addresses(host, expected):
    assert meeting.is_loopback(host) == expected
    assert not meeting.is_loopback("no such machine")


@pytest.mark.parametrize("use_libuv", [True, False])
def test_a_store_listens_on_the_address_that_is_named(use_libuv, monkeypatch):
    if not use_libuv:  # as torch 2.6

        class Store(torch.distributed.TCPStore):
            def __init__(self, *args, **kwargs):
                if kwargs.get("use_libuv"):
                    raise NotImplementedError("libuv")
                super().__init__(*args, **kwargs)

        monkeypatch.setattr(torch.distributed, "TCPStore", Store)
    port = _ranks.free_port()
    store = meeting.serve_store(HERE, port, LIMIT)
    store.set("a", "1")
    assert store.libuvBackend == use_libuv
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", port), 1)
    with socket.create_connection((HERE, port), 1):
        pass
    with pytest.raises(OSError, match="in use"):
        meeting.serve_store(HERE, port, LIMIT)


def test_a_name_that_is_no_address_of_this_machine_is_said(monkeypatch):
    port = _ranks.free_port()

    def refuse(*_):
        raise OSError(99, "cannot assign")

    monkeypatch.setattr(meeting, "listen", refuse)
    with pytest.warns(UserWarning, match="no address of this machine"):
        meeting.serve_store(HERE, port, LIMIT).set("a", "1")


def test_names_of_entries_depend_on_the_token():
    store = torch.distributed.HashStore()
    meeting.prefixed(store, b"one", "0").set("a", "1")
    assert not meeting.prefixed(store, b"two", "0").check(["a"])
    assert not meeting.prefixed(store, b"one", "1").check(["a"])
    assert meeting.prefixed(store, b"one", "0").get("a") == b"1"
    meeting.prefixed(store, b"", "0").set("a", "2")
    assert store.get("mxnet/0/a") == b"2"


def test_texts_are_exchanged_under_a_seal():
    store = torch.distributed.HashStore()
    key = b"machine/1"
    store.set("machine/1", meeting.prove(b"t", key, b"other") + b"other")
    assert meeting.exchange("test", store, b"t", 0, 2, "own") == ["own", "other"]
    with pytest.raises(MXNetError, match="test: what says to be rank 1"):
        meeting.exchange("test", store, b"u", 0, 2, "own")


def test_gloo_listens_on_the_loopback_interface_while_groups_are_made(monkeypatch):
    interface = meeting.loopback_interface()
    assert interface in {name for _, name in socket.if_nameindex()}
    monkeypatch.delenv("GLOO_SOCKET_IFNAME", raising=False)
    with meeting.gloo_on(interface):
        assert os.environ["GLOO_SOCKET_IFNAME"] == interface
    assert "GLOO_SOCKET_IFNAME" not in os.environ
    with meeting.gloo_on(None):
        assert "GLOO_SOCKET_IFNAME" not in os.environ
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "eth7")
    with meeting.gloo_on(interface):
        assert os.environ["GLOO_SOCKET_IFNAME"] == "eth7"
