"""The scope by which libraries name blocks themselves; results are those of the original."""

from mxnet.gluon import nn
from mxnet.gluon.block import _BlockScope
from mxnet.gluon.utils import _brief_print_list


def test_create_counts_up_inside_of_a_block():
    net = nn.HybridSequential(prefix="net_")
    assert _BlockScope.create("a_", None, "dense")[0] == "a_"
    with _BlockScope(net):
        assert _BlockScope._current.value is not None
        prefix, params = _BlockScope.create(None, None, "dense")
        assert (prefix, params.prefix) == ("net_dense0_", "net_dense0_")
        assert nn.Dense(2).prefix == "net_dense1_"
    assert _BlockScope._current.value is None


def test_long_lists_are_shortened():
    assert _brief_print_list("ab") == "'a', 'b'"
    assert _brief_print_list("abcdefghijk") == "'a', 'b', 'c', ..., 'h', 'i', 'j', 'k'"
