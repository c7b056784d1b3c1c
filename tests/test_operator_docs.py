"""`mx.ndarray_doc` and `mx.symbol_doc`: documentation of operators with examples added."""

from __future__ import annotations

import doctest

import pytest

import mxnet as mx

MODULES = pytest.mark.parametrize("module", [mx.ndarray_doc, mx.symbol_doc])


@MODULES
def test_arguments_are_listed_without_their_number(module):
    names, types = ["a", "num_args", "b"], ["int", "int", "Shape"]
    text = module._build_doc("foo", "What it does.", names, types, ["first", "n", ""])
    assert text.startswith(
        "What it does.\n\nParameters\n----------\na : int\n    first\nb : Shape\n\n"
    )
    assert "num_args" not in text
    assert "\nReturns\n-------\n" in text


@MODULES
def test_examples_of_the_operator_are_added(module):
    operator = "Reshape" if module is mx.ndarray_doc else "FullyConnected"
    example = "mx.nd.reshape(" if module is mx.ndarray_doc else "mx.sym.FullyConnected("
    assert example in module._build_doc(operator, "", [], [], [])
    assert example not in module._build_doc("foo", "", [], [], [])


def test_any_number_of_symbols_is_told():
    with_count = mx.symbol_doc._build_doc("foo", "Adds.", [], [], [], "num_args", "Symbol")
    assert with_count.startswith("Adds.\nIt takes any number of symbols")


def test_output_shapes():
    out = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    shapes = mx.symbol_doc.SymbolDoc.get_output_shape(out, data=(2, 5))
    assert shapes == {"fc_output": (2, 3)}
    with pytest.raises(mx.MXNetError):
        mx.symbol_doc.SymbolDoc.get_output_shape(out, other=(2, 5))


@MODULES
def test_examples_are_true(module):
    failed, attempted = doctest.testmod(module)
    assert (failed, attempted > 6) == (0, True)
