"""Names in source that torch writes."""

from __future__ import annotations

import re

import pytest

from mxnet.graph.lower import identifiers, safe_word


@pytest.mark.parametrize("name", ["weight", "0", "features_3", "W" * 80])
def test_words_stay(name):
    assert safe_word(name) == name


@pytest.mark.parametrize("name", ["", "a b", "class", "self", "é", "\udc80", "x" * 81, 'x"); y("'])
def test_what_is_no_word_becomes_one(name):
    word = safe_word(name)
    assert re.fullmatch(r"[A-Za-z0-9_]{1,80}", word)
    assert word not in {"class", "self"}
    assert safe_word(name) == word != safe_word(name + "!")


def test_a_word_that_is_taken_becomes_another():
    assert safe_word("forward", {"forward"}) != "forward"


def test_identifiers_differ_from_each_other_and_from_words_of_the_language():
    names = ["x", "x", "self", "class", "1", "__debug__", "len"]
    found = identifiers(names)
    assert len(set(found)) == len(names)
    assert not set(found) & {"self", "class", "len", "__debug__"}
    assert all(name.isidentifier() for name in found)
