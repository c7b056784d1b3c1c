"""Attributes of scopes add up, and the innermost wins."""

from __future__ import annotations

import threading

import pytest

from mxnet.attribute import AttrScope


def test_symbol_wins_over_scope():
    scope = AttrScope(a="1", b="2")
    assert scope.get({"b": "3", "c": "4"}) == {"a": "1", "b": "3", "c": "4"}
    assert scope.get(None) == {"a": "1", "b": "2"}
    assert AttrScope().get(None) == {}


def test_inner_scope_adds_to_the_outer():
    with AttrScope(a="1", b="2"):
        with AttrScope(b="3"):
            assert AttrScope._current.value.get(None) == {"a": "1", "b": "3"}
        assert AttrScope._current.value.get(None) == {"a": "1", "b": "2"}
    assert AttrScope._current.value.get(None) == {}


def test_values_are_strings():
    with pytest.raises(ValueError, match="lr_mult takes a string, got 2"):
        AttrScope(lr_mult=2)


def test_current_is_deprecated():
    with AttrScope(a="1") as scope, pytest.warns(DeprecationWarning, match="AttrScope.current"):
        assert AttrScope.current is scope


def test_other_threads_start_without_attributes():
    found = []
    with AttrScope(a="1"):
        thread = threading.Thread(target=lambda: found.append(AttrScope._current.value.get(None)))
        thread.start()
        thread.join()
    assert found == [{}]
