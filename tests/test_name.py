"""Names are counted for each hint, in each thread and block."""

from __future__ import annotations

import threading

import pytest

from mxnet.name import NameManager, Prefix


def test_names_are_counted_for_each_hint():
    names = NameManager()
    hints = ("dense", "dense", "conv", "dense")
    assert [names.get(None, hint) for hint in hints] == ["dense0", "dense1", "conv0", "dense2"]
    assert names.get("given", "dense") == "given"
    assert names.get("", "dense") == "dense3"


def test_prefix_goes_before_every_name():
    names = Prefix("net_")
    assert [names.get(None, "fc"), names.get("out", "fc")] == ["net_fc0", "net_out"]


def test_innermost_block_is_current():
    outer = NameManager._current.value
    with NameManager() as first:
        assert NameManager._current.value is first
        with Prefix("a_") as second, second:
            assert NameManager._current.value is second
        assert NameManager._current.value is first
    assert NameManager._current.value is outer


def test_block_ends_after_an_error():
    outer = NameManager._current.value
    with pytest.raises(KeyError), NameManager():
        raise KeyError
    assert NameManager._current.value is outer


def test_current_can_be_read_and_set_with_a_warning():
    before = NameManager._current.value
    mine = NameManager()
    try:
        with pytest.warns(DeprecationWarning, match="NameManager.current"):
            NameManager.current = mine
        with pytest.warns(DeprecationWarning, match=r"Prefix\.current"):
            assert Prefix.current is mine
        assert NameManager._current.value.get(None, "dense") == "dense0"
    finally:
        NameManager._current.value = before


def test_every_thread_counts_for_itself():
    found = []
    with NameManager() as names:
        names.get(None, "dense")
        thread = threading.Thread(
            target=lambda: found.append(NameManager._current.value.get(None, "dense"))
        )
        thread.start()
        thread.join()
    assert found == ["dense0"]
