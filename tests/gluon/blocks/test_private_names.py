"""Private names of base classes: programs that derive from them may use any others than ours."""

import mxnet as mx
from mxnet import gluon, metric
from mxnet.gluon import nn, rnn

ORIGINALS = {
    "_active", "_alias", "_build_cache", "_cached_graph", "_cached_op", "_call_cached_op",
    "_check_container_with_block", "_children", "_clear_cached_op", "_collect_params_with_prefix",
    "_deferred_infer_shape", "_empty_prefix", "_forward_hooks", "_forward_pre_hooks", "_get_graph",
    "_in_format", "_infer_attrs", "_name", "_out_format", "_params", "_prefix", "_reg_params",
    "_scope",
}  # fmt: skip
"""Private names that blocks of the original have, which programs know and leave alone."""


def _own_names(made):
    names = {*dir(type(made)), *vars(made)}
    return {name for name in names if name[0] == "_" and name[-1] != "_"} - ORIGINALS


def test_names_of_blocks_are_marked():
    for made in (gluon.Block(), gluon.HybridBlock(), nn.Sequential(), nn.HybridSequential()):
        assert all(name.startswith("_mx_") for name in _own_names(made)), _own_names(made)


class Taken(nn.HybridSequential):
    """A network with attributes whose names are short."""

    def __init__(self):
        super().__init__()
        for name in ("lock", "hybrid", "load", "run_with", "graph", "average", "step", "remembers"):
            setattr(self, f"_{name}", name)
        self.add(nn.Dense(2, in_units=3))


def test_a_block_may_use_short_names(tmp_path):
    net, other = Taken(), Taken()
    net.initialize()
    net.hybridize()
    net(mx.nd.ones((1, 3)))
    net.save_parameters(tmp_path / "net.params")
    other.load_parameters(tmp_path / "net.params")
    assert (net(mx.nd.ones((1, 3))) == other(mx.nd.ones((1, 3)))).asnumpy().all()
    assert net._lock == "lock"


class Counted(metric.EvalMetric):
    """A metric with attributes of its own."""

    def __init__(self):
        super().__init__("counted")
        self._count = self._value = self._add = self._waiting = self._num_inst = 1

    def update(self, labels, preds):
        del labels
        self._count += 1
        self.sum_metric += float(preds[0].sum().asscalar())
        self.num_inst += 1


def test_a_metric_may_use_short_names():
    counted = Counted()
    counted.update(None, [mx.nd.ones(3)])
    assert counted.get() == ("counted", 3.0)
    assert counted._count == 2


class Stepping(rnn.RNNCell):
    """A cell with an attribute of its own."""

    def __init__(self):
        super().__init__(2, input_size=2)
        self._step = 7


def test_a_cell_may_use_short_names():
    cell = Stepping()
    cell.initialize()
    outputs, _ = cell.unroll(2, mx.nd.ones((1, 2, 2)))
    assert outputs[1].shape == (1, 2)
