"""What libraries use of `HybridBlock` although it is not public."""

import pytest

import mxnet as mx
from mxnet.gluon import nn


class Program(nn.HybridBlock):
    """A block that computes any function."""

    def __init__(self, function):
        super().__init__()
        self._function = function

    def hybrid_forward(self, F, *args):
        return self._function(F, *args)


def ones(*shape):
    return mx.nd.ones(shape)


@pytest.mark.parametrize(
    ("function", "args", "formats"),  # as the original notes them
    [
        (lambda F, a: F.relu(a), (ones(2),), ([0], 0)),
        (lambda F, a: (a + 1, F.relu(a)), (ones(2),), ([0], [0, 0])),
        (lambda F, a: [F.relu(a)], (ones(2),), ([0], [0])),
        (lambda F, a, b: (a + 1, [F.relu(b), a]), (ones(2), ones(2)), ([0, 0], [0, [0, 0]])),
        (
            lambda F, a, b: (F.relu(a[0]) + a[1], [b * 2]),
            ([ones(2), ones(2)], ones(2)),
            ([[0, 0], 0], [0, [0]]),
        ),
        (lambda F, a, b: F.relu(a) if b is None else b, (ones(2), None), ([0, -1], 0)),
    ],
)
def test_formats_say_how_arguments_and_results_are_nested(function, args, formats):
    net = Program(function)
    assert (net._in_format, net._out_format) == (None, None)
    net.hybridize()
    net(*args)
    assert (net._in_format, net._out_format) == formats


def test_formats_of_an_imported_graph_can_be_set(tmp_path):
    net = Program(lambda F, a, b: (F.relu(a), [b * 2, a + b]))
    net.initialize()
    net.hybridize()
    net(ones(2), ones(2))
    net.export(tmp_path / "net")
    imported = mx.gluon.SymbolBlock.imports(tmp_path / "net-symbol.json", ["data0", "data1"])
    assert len(imported(ones(2), ones(2))) == 3
    imported._in_format, imported._out_format = net._in_format, net._out_format
    first, (second, third) = imported(ones(2), ones(2))
    assert [item.asnumpy().tolist() for item in (first, second, third)] == [[1, 1], [2, 2], [2, 2]]
    assert (imported._in_format, imported._out_format) == ([0, 0], [0, [0, 0]])


def test_steps_of_the_first_call():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3), nn.Dense(2))
    net.initialize()
    x = ones(2, 4)
    (data,), graph = net._get_graph(x)
    assert data.name == "data"
    assert graph.list_arguments() == ["data", *net.collect_params()]
    net._deferred_infer_shape(x)
    assert net[1].weight.shape == (2, 3)
    assert net._cached_op is None
    net.hybridize()
    net._build_cache(x)
    assert net._call_cached_op(x).shape == (2, 2)
    values = [parameter.data() for parameter in net.collect_params().values()]
    assert net._cached_op(x, *values).asnumpy().tolist() == net(x).asnumpy().tolist()
    with pytest.raises(ValueError, match="infer_shape or infer_type"):
        net._infer_attrs("infer_value", "value", x)
