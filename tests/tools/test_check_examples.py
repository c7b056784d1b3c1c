"""`tools/check_examples.py` counts examples that are run, of functions, operators and methods."""

from __future__ import annotations

import sys

import pytest

from tools import check_examples


def shown() -> None:
    """Returns nothing.

    Example:
        >>> 1 + 1
        2
    """


def skipped() -> None:
    """Returns nothing.

    Example:
        >>> 1 + 1  # doctest: +SKIP
        3
    """


def bare() -> None:
    """Returns nothing, as in `>>> shown()`."""


@pytest.mark.parametrize(("function", "counts"), [(shown, True), (skipped, False), (bare, False)])
def test_an_example_counts_that_is_run(function, counts):
    assert any(check_examples.find_tests("name", function)) == counts


def test_areas_have_functions_operators_and_methods():
    assert "mxnet.autograd.record" in check_examples.members("autograd")
    assert "mxnet.ndarray.FullyConnected" in check_examples.members("nd")
    assert "mxnet.ndarray.contrib.box_nms" in check_examples.members("nd")
    assert "mxnet.symbol.digamma" in check_examples.members("sym")  # an operator of MXNet 2
    methods = check_examples.members("Trainer")
    assert "mxnet.gluon.Trainer.step" in methods
    assert "mxnet.gluon.Trainer.optimizer" not in methods  # a property needs no example
    assert "mxnet.numpy.ndarray.topk" not in check_examples.members("ndarray")  # it only raises


@pytest.mark.parametrize("area", ["metric", "nd"])
def test_one_callable_counts_once(area: str):
    found = check_examples.members(area).values()
    assert len(found) == len({id(value) for value in found})


def test_a_lacking_example_fails(monkeypatch, capsys):
    monkeypatch.setattr(check_examples, "AREAS", {"autograd": ("mxnet.autograd",)})
    monkeypatch.setattr(check_examples, "CLASSES", {})
    monkeypatch.setattr(check_examples, "members", lambda _: {"shown": shown, "bare": bare})
    monkeypatch.setattr(check_examples, "LIMITS", {})
    monkeypatch.setattr(sys, "argv", ["check_examples"])
    assert check_examples.main() == 1
    assert "autograd: 1 of 2 have an example, at most 0 may lack one" in capsys.readouterr().out
    monkeypatch.setattr(check_examples, "LIMITS", {"autograd": 1})
    assert check_examples.main() == 0


def test_missing_ones_are_listed(monkeypatch, capsys):
    monkeypatch.setattr(check_examples, "members", lambda _: {"shown": shown, "bare": bare})
    monkeypatch.setattr(sys, "argv", ["check_examples", "--missing", "nd"])
    assert check_examples.main() == 0
    assert capsys.readouterr().out == "bare\n"
