"""Tests that run many cases in one item, see `bundles.py`."""

from types import SimpleNamespace

import pytest

from tests.bundles import each

ROWS = [pytest.param(number, id=f"{name}-{number}") for name in "ab" for number in range(40)]


def check_number(number):
    assert number < len(ROWS)


def bundles_of(test):
    return {row.id: row.values[0] for row in test.pytestmark[0].args[1]}


def asked_for(every):
    return SimpleNamespace(config=SimpleNamespace(getoption=lambda name: {"--every": every}[name]))


def test_rows_of_a_name_are_together_but_not_too_many():
    test = each(ROWS)(check_number)
    assert {name: len(rows) for name, rows in bundles_of(test).items()} == {
        "a": 32,
        "a-32": 8,
        "b": 32,
        "b-32": 8,
    }


def test_failures_are_named_and_the_other_rows_run():
    seen = []

    @each(ROWS)
    def test(number, fixture):
        seen.append((number, fixture))
        assert number not in (33, 35), "odd"

    with pytest.raises(AssertionError) as caught:
        test(bundles_of(test)["a-32"], asked_for(1), fixture="given")
    assert seen == [(number, "given") for number in range(32, 40)]
    text = str(caught.value)
    assert [name in text for name in ("a-32:", "a-33:", "a-34:", "a-35:")] == [False, True] * 2
    assert "odd" in text


def test_what_was_expected_to_raise_and_did_not_is_a_failure():
    @each(ROWS[:2])
    def test(number):
        if number:
            with pytest.raises(ValueError, match="never"):
                pass

    with pytest.raises(AssertionError, match="a-1"):
        test(bundles_of(test)["a"], asked_for(1))


def test_every_nth_row_alone():
    seen = []

    @each(ROWS)
    def test(number):
        seen.append(number)

    for rows in bundles_of(test).values():
        test(rows, asked_for(8))
    assert len(seen) == len(ROWS) / 8
