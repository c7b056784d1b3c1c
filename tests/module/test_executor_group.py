"""`DataParallelExecutorGroup`, which divides batches among contexts."""

import pytest

import mxnet as mx


def test_slices_of_inputs_are_decided_by_their_layout():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="f")
    module = mx.mod.Module(net, label_names=None, context=[mx.cpu(0), mx.cpu(1)])
    module.bind([("data", (5, 3))])
    group = module._exec_group
    time_first = mx.io.DataDesc("a", (7, 5), layout="TN")
    assert group.decide_slices([*group.data_shapes, time_first]) == [0, 1]
    with pytest.raises(AssertionError, match="same size, 5"):
        group.decide_slices([mx.io.DataDesc("a", (4, 2))])
