"""Which programs become graphs, and what is said about those that do not."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn
from mxnet.gluon.hybrid.forward import UntracedWarning

from .observe import assert_same, compiled_blocks, observe, restore, values_of

DATA = nd.array(np.random.RandomState(0).uniform(-1, 1, (3, 4)))
CONSTANT = nd.array([1, 2, 3, 4])


class OnArrays(gluon.HybridBlock):
    """A block whose `forward` is written on arrays."""

    def __init__(self, program):
        super().__init__(prefix="net_")
        self.program = program
        self.weight = self.params.get("weight", shape=(4,), init=mx.init.Uniform(1))
        self.dense = nn.Dense(4, in_units=4, prefix="dense_")
        self.constant = CONSTANT

    def forward(self, *args):
        return self.program(self, *args)


def sign_by_shape(_, x):
    return x * 2 if x.shape[0] > 2 else -x


def loop(_, x):
    for row in range(len(x)):
        x = x + x[row : row + 1]
    return x


TRACED = {
    "parameter": lambda net, x: x * net.weight.data(),
    "of a parameter": lambda net, x: x * (net.weight.data() * 2 + 1),
    "view of a parameter": lambda net, x: x * net.weight.data().reshape((1, 4))[0],
    "all copies of a parameter": lambda net, x: x * net.weight.list_data()[0],
    "constant": lambda net, x: x * net.constant,
    "operator on a constant": lambda net, x: x * nd.softmax(net.constant, axis=0),
    "child": lambda net, x: nd.relu(net.dense(x)) + net.dense(x * 2),
    "shape": sign_by_shape,
    "loop": loop,
    "rows": lambda _, x: [row * 2 for row in x],
    "made": lambda _, x: nd.concat(x, nd.zeros((1, 4)), nd.ones((1, 4)) * nd.arange(4), dim=0),
    "index": lambda _, x: [x[0], x[-1], x[1:], x[-2:], x[:, ::2], x[::-1], x[..., 1], x[None]],
    "index of axes": lambda _, x: [x[0, 1], x[:, -1], x[1:, None, :2], x[..., None], x[-1, -3:]],
    "NumPy's index": lambda _, x: x[np.int64(1)],
    "index by an array": lambda _, x: x[nd.argsort(x[:, 0])],
    "methods": lambda _, x: [x.sum(), x.mean(axis=1), x.T, x.reshape((-1,)), x.reshape(4, 3)],
    "more methods": lambda _, x: [x.exp(), x.clip(-0.5, 0.5), x.expand_dims(0), x.copy()],
    "types": lambda _, x: x.astype("float64") * 2,
    "operators": lambda _, x: [-x, 2 - x, 1 / (x + 3), x**2, 2**x, x % 2, x > 0, x * np.float32(2)],
    "detached": lambda _, x: x.detach() * x,
    "random": lambda _, x: x * nd.random.uniform(shape=x.shape),
    "dropout": lambda _, x: nd.Dropout(x, p=0.5),
    "nested": lambda _, x: (x, [x + 1, (x + 2,)]),
    "argument": lambda _, x: x,
    "loss": lambda _, x: gluon.loss.L2Loss()(x, nd.zeros_like(x)),
}


def compare(program, *, traced: bool):
    net = OnArrays(program)
    net.initialize()
    data = DATA.copy()
    data.attach_grad()
    before = values_of(net)
    modes = ["predict", "record", "train", "predict again"]
    expected = observe(net, lambda: net(data), [data], modes)
    restore(net, before)
    net.hybridize()
    assert_same(observe(net, lambda: net(data), [data], modes), expected)
    assert (net.name in compiled_blocks(net)) == traced


@pytest.mark.parametrize("name", TRACED)
def test_programs_on_arrays_become_graphs(name):
    compare(TRACED[name], traced=True)


def write(_, x):
    y = x.copy()
    y[:] = 1
    return x * y


def add_in_place(_, x):
    y = nd.zeros_like(x).detach()
    y += 1
    return x * y


def pause(_, x):
    with autograd.pause():
        y = x * 2
    return x * y


UNTRACED = {
    "values": lambda _, x: x * float(x.asnumpy().max()),
    "a number": lambda _, x: x * x.max().asscalar(),
    "truth": lambda _, x: x * 2 if x.sum() > 0 else x * 3,
    "values of a parameter": lambda net, x: x * float(net.weight.data().asnumpy().max()),
    "values of a constant": lambda net, x: x * float(net.constant.asnumpy().max()),
    "computing with a constant": lambda net, x: x * (net.constant * 2),
    "an array of values": lambda _, x: x * nd.array([1, 2, 3, 4]),
    "modes": pause,
    "a list as an index": lambda _, x: x[[0, 2]],
}


@pytest.mark.parametrize("name", UNTRACED)
def test_what_cannot_be_traced_runs_as_it_is(name):
    with pytest.warns(UntracedWarning) as caught:
        compare(UNTRACED[name], traced=False)
    # Once for prediction and once for training, where the program may be another.
    assert len(caught) == 2
    message = str(caught[0].message)
    assert "OnArrays 'net'" in message
    source, line = inspect.getsourcefile(UNTRACED[name]), inspect.getsourcelines(UNTRACED[name])[1]
    assert source in message
    assert any(f"{source}:{line + offset}," in message for offset in range(3))


@pytest.mark.parametrize("program", [write, add_in_place])
def test_programs_that_write_run_as_they_are(program):
    net = OnArrays(program)
    net.initialize()
    net.hybridize()
    with pytest.warns(UntracedWarning, match="writes|in place"):
        found = net(DATA)
    np.testing.assert_array_equal(found.asnumpy(), DATA.asnumpy())


def test_an_attempt_to_trace_changes_nothing():
    class Counter(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.count = nd.zeros(1)
            self.total = self.params.get("total", shape=(4,), init="zeros", grad_req="null")

        def forward(self, x):
            self.total.set_data(self.total.data() + x.sum(axis=0))
            self.count += 1
            return x * self.count

    net = Counter()
    net.initialize()
    net.hybridize()
    with pytest.warns(UntracedWarning):
        found = [net(DATA).asnumpy() for _ in range(3)]
    assert net.count.asscalar() == 3
    np.testing.assert_allclose(found[2], DATA.asnumpy() * 3, rtol=1e-6)
    np.testing.assert_allclose(net.total.data().asnumpy(), DATA.asnumpy().sum(0) * 3, rtol=1e-5)


@pytest.mark.parametrize("asks", [False, True], ids=["sets", "fails"])
def test_attributes_are_set_in_every_call(asks):
    class Keeper(gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="keeper_")
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            self.last = x * 2
            return x * float(x.asnumpy().max()) if asks else x + 1

    net = Keeper()
    net.hybridize()
    with pytest.warns(UntracedWarning, match=r"test_tracing\.py:\d+") as caught:
        for number in range(1, 4):
            net(DATA * number)
            assert net.calls == number
            np.testing.assert_allclose(net.last.asnumpy(), DATA.asnumpy() * 2 * number, rtol=1e-6)
    assert len(caught) == 1
    assert asks or "'last'" in str(caught[0].message) or "'calls'" in str(caught[0].message)


def test_children_of_an_untraced_block_are_compiled():
    class Parent(gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="parent_")
            self.child = nn.Dense(4, in_units=4, prefix="child_")

        def hybrid_forward(self, F, x):  # noqa: ARG002 - as the class asks for it
            return self.child(x) * float(x.asnumpy().max())

    net = Parent()
    net.initialize()
    expected = net(DATA).asnumpy()
    net.hybridize()
    with pytest.warns(UntracedWarning, match=r"Parent 'parent'.*children are compiled"):
        found = net(DATA)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)
    assert compiled_blocks(net) == ["parent_child"] or compiled_blocks(net) == ["child"]
    with warnings.catch_warnings():  # it is said once
        warnings.simplefilter("error")
        net(DATA)


def test_graphs_on_arrays_follow_parameters_and_constants():
    net = OnArrays(lambda net, x: x * net.weight.data() + net.constant)
    net.initialize()
    net.hybridize()
    net.constant = nd.array([1, 2, 3, 4])
    net(DATA)
    net.weight.set_data(nd.array([4, 3, 2, 1]))
    net.constant[:] = 7
    expected = DATA.asnumpy() * [4, 3, 2, 1] + 7
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)


def test_constants_have_gradients():
    net = OnArrays(lambda net, x: x * net.constant)
    net.constant = nd.ones(4)
    net.constant.attach_grad()
    net.initialize()
    net.hybridize()
    for _ in range(2):
        with autograd.record():
            total = net(DATA).sum()
        total.backward()
        np.testing.assert_allclose(net.constant.grad.asnumpy(), DATA.asnumpy().sum(0), rtol=1e-5)


def test_other_shapes_have_graphs_of_their_own():
    net = OnArrays(sign_by_shape)
    net.initialize()
    net.hybridize()
    for count in (3, 2, 3, 1):
        data = nd.ones((count, 4))
        assert net(data)[0, 0].asscalar() == (2 if count > 2 else -1)


def test_a_forward_around_that_of_the_base():
    class Around(gluon.HybridBlock):
        calls = 0

        def forward(self, x, scale=2):
            self.calls += 1
            return super().forward(x * scale) + 1

        def hybrid_forward(self, F, x):
            return F.relu(x)

    net = Around()
    net.hybridize()
    for scale in (2, 3):
        found = net(DATA, scale)
        np.testing.assert_allclose(
            found.asnumpy(), np.maximum(DATA.asnumpy() * scale, 0) + 1, rtol=1e-6
        )
    assert net.calls == 2
    assert net.name in compiled_blocks(net)


def test_deferred_parameters_are_found_in_the_first_call():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 3), nn.BatchNorm(), nn.Dense(3, activation="relu"), nn.Dense(2))
    net.initialize()
    net.hybridize()
    data = nd.ones((2, 3, 5, 5))
    first = net(data)
    assert net[0].weight.shape == (2, 3, 3, 3)
    np.testing.assert_allclose(net(data).asnumpy(), first.asnumpy(), rtol=1e-5)
    assert net.name in compiled_blocks(net)


def test_the_error_of_a_program():
    net = OnArrays(lambda _, x: x * nd.ones((7, 7)))
    net.initialize()
    net.hybridize()
    with pytest.raises(mx.MXNetError, match="broadcast_mul"):
        net(DATA)


def test_a_program_on_arrays_is_exported(tmp_path):
    net = OnArrays(lambda net, x: net.dense(x[:2]).reshape((-1,)) * 2 - net.weight.data().sum())
    net.initialize(mx.init.Uniform(1))
    net.hybridize()
    expected = net(DATA).asnumpy()
    net.export(tmp_path / "net")
    files = (tmp_path / "net-symbol.json", ["data"], tmp_path / "net-0000.params")
    np.testing.assert_allclose(
        gluon.SymbolBlock.imports(*files)(DATA).asnumpy(), expected, rtol=1e-5
    )


PARTS = {
    "first of each": lambda x: x[:, 0],
    "last": lambda x: x[-1],
    "counted from the end": lambda x: x[:, -2],
    "one number": lambda x: x[1, 1, 1],
    "behind an ellipsis": lambda x: x[..., -1],
    "new axes": lambda x: x[None, :, 1:, None],
    "new axes around others": lambda x: x[:, None, 0, ..., None],
    "new axes between": lambda x: x[0, :, None, 1],
    "steps": lambda x: x[:, ::2, -1:],
    "backwards": lambda x: x[::-1],
    "all": lambda x: x[...],
}


def load_exported(program, data, folder):
    """Exports a block that has seen data of one size, and loads it."""
    block = OfAnArray(program)
    block.hybridize()
    block(data)
    block.export(folder / "net")
    return gluon.SymbolBlock.imports(folder / "net-symbol.json", ["data"])


class OfAnArray(gluon.HybridBlock):
    """A block without parameters."""

    def __init__(self, program):
        super().__init__()
        self.program = program

    def forward(self, x):
        return self.program(x * 2)


@pytest.mark.parametrize("dialect", ["nd", "np"])
@pytest.mark.parametrize("name", PARTS)
def test_parts_of_arrays_are_exported_for_all_sizes(name, dialect, tmp_path):
    values = [np.arange(size * 20.0, dtype=np.float32).reshape(size, 4, 5) for size in (3, 6)]
    with mx.util.np_shape(dialect == "np"), mx.util.np_array(dialect == "np"):
        few, many = [(mx.np if dialect == "np" else nd).array(item) for item in values]
        loaded = load_exported(PARTS[name], few, tmp_path)
        expected = OfAnArray(PARTS[name])(many).asnumpy()
        np.testing.assert_array_equal(loaded(many).asnumpy(), expected)


def test_reshapes_by_codes_are_exported_for_all_sizes(tmp_path):
    def reshape(x):
        return x.reshape((0, -3)).reshape(shape=(-1, 2), reverse=True)

    loaded = load_exported(reshape, nd.ones((3, 4, 5)), tmp_path)
    assert loaded(nd.ones((6, 4, 5))).shape == (60, 2)


@pytest.mark.parametrize("states", [False, True])
@pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU, rnn.RNN])
def test_recurrent_layers_in_a_program_become_part_of_its_graph(layer, states):
    class Summary(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.layer = layer(4, input_size=3)

        def forward(self, x):
            first = (self.layer.begin_state(x.shape[1]),) if states else ()
            results = self.layer(x, *first)
            return (results[0] if states else results).sum(axis=0)

    net = Summary()
    net.initialize(mx.init.Uniform(1))
    data = nd.random.uniform(shape=(5, 2, 3))
    expected = net(data).asnumpy()
    net.hybridize()
    np.testing.assert_allclose(net(data).asnumpy(), expected, rtol=1e-5)
    assert compiled_blocks(net) == [net.name]


def test_programs_that_are_no_graphs_are_not_exported(tmp_path):
    for program in (UNTRACED["truth"], TRACED["constant"]):
        net = OnArrays(program)
        net.initialize()
        net.hybridize()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UntracedWarning)
            net(DATA)
        with pytest.raises(RuntimeError, match="hybrid_forward"):
            net.export(tmp_path / "net")


def test_a_block_that_is_no_graph():
    net = OnArrays(UNTRACED["truth"])
    net.initialize()
    with pytest.raises(mx.MXNetError, match="cannot become a graph"):
        net.to_fx(DATA)


def test_graphs_for_ever_new_shapes_are_bounded(monkeypatch):
    monkeypatch.setattr("mxnet.gluon.hybrid.forward._MOST_GRAPHS", 3)
    net = OnArrays(lambda _, x: x * len(x))
    net.initialize()
    net.hybridize()
    for rows in (1, 2, 3, 4, 5, 1, 5, 2):
        assert net(nd.ones((rows, 4))).asnumpy().tolist() == [[rows] * 4] * rows
    (graphs,) = net._mx_hybrid._graphs.values()
    assert [len(key) for key in graphs] == [1] * 3


def test_graphs_for_ever_new_numbers_are_bounded(monkeypatch):
    monkeypatch.setattr("mxnet.gluon.hybrid.forward._MOST_GRAPHS", 3)
    net = OnArrays(lambda _, x, factor: x * factor)
    net.initialize()
    net.hybridize()
    for factor in (1.5, 2.5, 3.5, 4.5, 1.5):
        assert net(nd.ones((1, 4)), factor).asnumpy().tolist() == [[factor] * 4]
    assert len(net._mx_hybrid._graphs) == 3


def test_an_array_that_changes_its_dialect_stays_in_the_graph():
    class Net(mx.gluon.HybridBlock):
        def forward(self, x):
            return mx.nd.relu(x.as_nd_ndarray()).as_np_ndarray() + 1

    mx.npx.set_np()
    try:
        net = Net()
        net.hybridize(strict=True)
        assert net(mx.np.array([-1.0, 2.0])).tolist() == [1, 3]
    finally:
        mx.npx.reset_np()
