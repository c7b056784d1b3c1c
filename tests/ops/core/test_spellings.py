"""The table of public spellings: what it names exists, and all frontends follow it."""

import pytest

import mxnet as mx
from mxnet._array_trace import TracedArray
from mxnet.ops.core.registry import all_names
from mxnet.ops.core.spellings import CLASSIC

OPERATORS = [row for row in CLASSIC.binary if row.python is not None]
ARITHMETIC = [row for row in OPERATORS if row.is_arithmetic]


def test_every_name_in_the_table_is_an_operator():
    columns = [names for row in CLASSIC.binary for names in (row.arrays, row.symbols) if names]
    written = {name for names in columns for name in names}
    written |= {row.same_shape for row in CLASSIC.binary} - {None}
    written |= {f"_sparse_{name}" for name in CLASSIC.sparse_own} | set(CLASSIC.sparse)
    assert written <= all_names().keys()


@pytest.mark.parametrize("row", OPERATORS, ids=lambda row: row.python)
@pytest.mark.parametrize("cls", [mx.nd.NDArray, mx.sym.Symbol, TracedArray])
def test_classes_have_pythons_operators(cls, row):
    assert vars(cls)[f"__{row.python}__"].__qualname__ == f"{cls.__name__}.__{row.python}__"
    assert (f"__r{row.python}__" in vars(cls)) == row.is_arithmetic


@pytest.mark.parametrize("row", ARITHMETIC, ids=lambda row: row.python)
def test_nodes_are_named_after_the_column_of_symbols(row):
    x = mx.sym.var("x")
    for method, name in (("__{}__", row.symbols.scalar), ("__r{}__", row.symbols.reflected)):
        with mx.name.NameManager():
            node = getattr(x, method.format(row.python))(2)
        assert node.name == f"{name.lower()}0"


def test_methods_are_functions_of_their_package():
    assert set(CLASSIC.array_methods) <= vars(mx.nd.NDArray).keys() & vars(mx.nd).keys()
    assert set(CLASSIC.symbol_methods) <= vars(mx.sym.Symbol).keys() & vars(mx.sym).keys()


def test_comparisons_say_which_they_are():
    texts = {
        name: getattr(mx.nd, name).__doc__ for row in OPERATORS for name in row.array_functions
    }
    assert texts["greater"].startswith("Returns 1 where `lhs > rhs`, else 0.")
    assert len(set(texts.values())) == len(OPERATORS)


def test_symbols_refuse_assignment_where_the_original_does():
    x = mx.sym.var("x")
    with pytest.raises(NotImplementedError, match="write x = x"):
        x += 1
    x **= 2
    x %= 2
    assert x.list_arguments() == ["x"]


def test_a_traced_program_may_raise_an_array_to_a_power_in_its_place():
    class Square(mx.gluon.HybridBlock):
        def forward(self, x):
            x **= 2
            return x

    block = Square()
    block.hybridize()  # a program that cannot be traced warns, and warnings fail here
    assert block(mx.nd.array([3])).asscalar() == 9
