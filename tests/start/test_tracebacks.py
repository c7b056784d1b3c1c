"""Tracebacks show the frames of the program, and those of the package on demand."""

from __future__ import annotations

import sys
import threading
import traceback

import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._start import tracebacks
from mxnet.errors import MXNetError, show_internal_frames
from mxnet.gluon import nn


@pytest.fixture(autouse=True)
def hidden_frames():
    before = show_internal_frames(False)
    yield
    show_internal_frames(before)


def names_in(error: BaseException) -> list[str]:
    """Returns the functions in a traceback below the test itself."""
    return [frame.name for frame in traceback.extract_tb(error.__traceback__)][1:]


def build_net() -> nn.Sequential:
    net = nn.Sequential()
    net.add(nn.Dense(4, in_units=3), nn.Dense(4, in_units=4), nn.Dense(2, in_units=4))
    net.initialize()
    return net


def build_hybrid_net() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=3))
    net.initialize()
    net.hybridize()
    net(mx.nd.ones((1, 3)))
    return net


def _build_rnn() -> gluon.rnn.LSTM:
    layer = gluon.rnn.LSTM(4, input_size=3)
    layer.initialize()
    return layer


def _train(data: mx.nd.NDArray) -> None:
    net = build_net()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    gluon.TrainStep(net, gluon.loss.L2Loss(), trainer)(data, mx.nd.ones((2, 2)))


CALLS = {
    "block": lambda: build_net()(mx.nd.ones((2, 5))),
    "function": lambda: mx.nd.dot(mx.nd.ones((2, 3)), mx.nd.ones((2, 3))),
    "function of several": lambda: mx.nd.concat(mx.nd.ones((2, 3)), mx.nd.ones((3, 3)), dim=1),
    "function with attributes": lambda: mx.nd.sum(mx.nd.ones((2,)), axis=4),
    "function of a number": lambda: mx.nd.add("one", 2),
    "unknown attribute": lambda: mx.nd.Dropout(mx.nd.ones((2,)), prob=0.5),
    "operator": lambda: mx.nd.ones((2,)) + mx.nd.ones((3,)),
    "operator in place": lambda: mx.nd.ones((2,)).__iadd__(mx.nd.ones((3,))),
    "operand": lambda: mx.nd.ones((2,)) + "one",
    "index": lambda: mx.nd.ones((2,))[5],
    "method": lambda: mx.nd.ones((2,)).asscalar(),
    "reshape": lambda: mx.nd.ones((2,)).reshape((3,)),
    "backward": lambda: mx.nd.ones((2,)).backward(),
    "heads": lambda: autograd.backward([mx.nd.ones((2,))]),
    "trainer": lambda: gluon.Trainer(build_net().collect_params(), "no optimizer"),
    "layer of its own": lambda: _build_rnn()(mx.nd.ones((2, 3))),
    "step of training": lambda: _train(mx.nd.ones((2, 5))),
    "symbol": lambda: mx.sym.FullyConnected(mx.sym.var("data"), units=3),
    "inference": lambda: (mx.sym.var("a") + mx.sym.var("b")).infer_shape(a=(2,), b=(3,)),
    "binding": lambda: mx.sym.var("data").simple_bind(mx.cpu(), date=(2,)),
    "parameter": lambda: build_net()[0].weight.set_data(mx.nd.ones((7,))),
    "value": lambda: gluon.Parameter("w", shape=(2,)).data(),
    "file": lambda: mx.nd.load("/no/such/file"),
    "store": lambda: mx.kv.create("local").push("key", mx.nd.ones((2,))),
    "split": lambda: gluon.utils.split_and_load(mx.nd.ones((3,)), [mx.cpu(0), mx.cpu(1)]),
    "metric": lambda: mx.metric.Accuracy().update(mx.nd.ones((2,)), mx.nd.ones((3,))),
    "random numbers": lambda: mx.nd.random.uniform(size=3),
    "function of the NumPy dialect": lambda: mx.np.concatenate([mx.np.ones((2,)), mx.np.ones(())]),
    "copy": lambda: mx.nd.ones((2,)).copyto("gpu"),
    "record": lambda: mx.recordio.MXRecordIO("/no/such/file", "r"),
    "schedule": lambda: mx.lr_scheduler.FactorScheduler(step=0),
    "export": lambda: build_hybrid_net().export("/no/such/folder/net"),
    "import": lambda: gluon.SymbolBlock.imports("/no/such/file", ["data"]),
    "context": lambda: mx.cpu("zero"),
    "layer": lambda: nn.Conv2D(3, kernel_size="large"),
    "step": lambda: gluon.Trainer(build_net().collect_params(), "sgd").step(1),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_no_frame_of_the_package_is_shown(call):
    with pytest.raises(MXNetError) as info:
        call()
    assert names_in(info.value) in (["<lambda>"], ["<lambda>", "_train"])
    assert info.value.__cause__ is info.value.__context__ is None


@pytest.mark.parametrize(
    "call",
    [lambda: mx.np.ones((2,)).repeat(2, axis=3), lambda: mx.np.ones((2,)).cumsum(axis=3)],
    ids=["of a function", "of an operator"],
)
def test_methods_of_the_numpy_dialect_show_no_frame(call):
    with pytest.raises(MXNetError) as info:
        call()
    assert names_in(info.value) == ["<lambda>"]


@pytest.mark.parametrize("call", [mx.nd.array, mx.nd.add, mx.np.abs, mx.np.zeros, nn.Dense])
def test_a_call_without_its_arguments_shows_the_call(call):
    with pytest.raises(TypeError, match=r"^[a-z_A-Z.]+\(\) missing [12] required") as info:
        call()
    assert names_in(info.value) == []


def test_frames_that_wrap_a_call_are_not_where_it_warns():
    with pytest.warns(UserWarning, match="call unroll of the cell") as caught:
        mx.rnn.rnn_unroll(mx.rnn.RNNCell(2, prefix="rnn_"), 2)
    assert caught[0].filename == __file__


def test_what_torch_said_is_kept_as_an_attribute():
    with pytest.raises(MXNetError) as info:
        mx.nd.ones((2, 3)) + mx.nd.ones((3, 2))
    assert type(info.value.internal_cause) is RuntimeError
    assert "RuntimeError" not in "".join(traceback.format_exception(info.value))


def test_the_switch_shows_everything():
    assert show_internal_frames(True) is False
    with pytest.raises(MXNetError) as info:
        CALLS["operator"]()
    assert names_in(info.value)[1:] == ["operate", "delay", "_failure_of_call"]
    assert type(info.value.__cause__) is RuntimeError
    assert show_internal_frames(False) is True


class Outer(nn.Block):
    def __init__(self, inner):
        super().__init__()
        self.body = nn.Sequential()
        self.body.add(nn.Dense(3, in_units=3), inner)

    def forward(self, x):
        return self.body(x)


class Failing(nn.HybridBlock):
    def hybrid_forward(self, *_):
        raise LookupError("of the user's")


class Misfitting(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + F.ones((7, 7))


@pytest.mark.parametrize(("inner", "error"), [(Failing, LookupError), (Misfitting, MXNetError)])
def test_frames_of_the_program_stay(inner, error):
    net = Outer(inner())
    net.initialize()
    with pytest.raises(error) as info:
        net(mx.nd.ones((2, 3)))
    assert names_in(info.value) == ["forward", "hybrid_forward"]


def test_a_function_of_the_user_that_backward_calls_stays():
    class Function(autograd.Function):
        def forward(self, x):
            return x

        def backward(self, _):
            raise ValueError("of the user's")

    x = mx.nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = Function()(x)
    y.backward()
    with pytest.raises(MXNetError, match="of the user's") as info:
        x.grad.asnumpy()
    assert isinstance(info.value.__cause__, ValueError)
    assert [frame.name for frame in traceback.extract_tb(info.value.__cause__.__traceback__)] == [
        "backward"
    ]


def test_an_exception_that_the_program_handles_stays_in_the_chain():
    with pytest.raises(MXNetError) as info:
        try:
            {}["missing"]
        except KeyError:
            mx.nd.ones((2,)) + mx.nd.ones((3,))
    assert isinstance(info.value.__context__, KeyError)
    assert type(info.value.internal_cause) is RuntimeError


def test_what_nobody_has_foreseen_keeps_its_frames(monkeypatch):
    def fail(*_):
        return len(5)

    monkeypatch.setattr(tracebacks, "_LIBRARIES", (__file__,))  # as if it was not the user's
    monkeypatch.setattr(nn.Dense, "forward", fail)
    with pytest.raises(TypeError) as info:
        nn.Dense(2)(mx.nd.ones((2, 3)))
    assert names_in(info.value) == ["__call__", "fail"]


def test_a_chain_that_is_a_ring_ends():
    first, second = ValueError("first"), ValueError("second")
    first.__context__, second.__context__ = second, first

    class Block(nn.Block):
        def forward(self, _):
            raise first

    with pytest.raises(ValueError, match="first"):
        Block()(mx.nd.ones((1,)))


def test_frames_are_hidden_in_threads():
    seen = []

    def work():
        try:
            CALLS["block"]()
        except MXNetError as error:
            seen.extend(names_in(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == ["<lambda>"]


class Samples(gluon.data.Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        raise LookupError("of the user's")


@pytest.mark.parametrize("workers", [0, 1])
def test_a_dataset_that_fails_is_shown_without_what_called_it(workers):
    loader = gluon.data.DataLoader(Samples(), batch_size=2, num_workers=workers, thread_pool=True)
    with pytest.raises(LookupError) as info:
        next(iter(loader))
    text = "".join(traceback.format_exception(info.value))
    assert "in __getitem__\n" in text
    assert "/mxnet/gluon/" not in text


def test_a_block_without_its_base_says_what_to_call():
    class Net(nn.HybridBlock):
        def __init__(self):
            self.dense = nn.Dense(2)

    with pytest.raises(AttributeError, match=r"Net has no .* call super\(\).__init__\(\)") as info:
        Net()
    assert names_in(info.value) == ["__init__"]

    class Bare(nn.Block):
        def __init__(self):
            pass

    with pytest.raises(AttributeError, match=r"call super\(\).__init__\(\)"):
        Bare()(mx.nd.ones((1,)))
    with pytest.raises(AttributeError, match="'Dense' object has no attribute 'nothing'"):
        nn.Dense(2).nothing  # noqa: B018 - it raises


def _count_handlers(call) -> int:
    """Returns how often a call passes the handler that public functions are wrapped in."""
    count = 0

    def note(frame, event, _):
        nonlocal count
        count += event == "call" and frame.f_code in tracebacks.HANDLERS

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return count


def _two_layers() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    net.initialize()
    net.hybridize()
    return net


def test_the_package_calls_functions_without_the_handler(tmp_path):
    data = mx.nd.ones((2, 3))
    net = _two_layers()
    # `collect_params` and functions of `F` in layers have it inside
    assert _count_handlers(lambda: net(data)) == 0
    assert _count_handlers(lambda: net(data)) == 0
    net.export(str(tmp_path / "net"))
    files = tmp_path / "net-symbol.json", tmp_path / "net-0000.params"
    # `imports` itself, and constructors of the block and its bases
    assert _count_handlers(lambda: gluon.SymbolBlock.imports(files[0], ["data"], files[1])) == 4
    graph = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2)
    ctx = mx.cpu()
    assert _count_handlers(lambda: graph.simple_bind(ctx, data=(2, 3))) == 1


def test_layers_read_values_of_a_parameter_as_its_class_returns_them():
    class Doubled(gluon.Parameter):
        def data(self, ctx=None):
            return 2 * super().data(ctx)

    class Layer(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = Doubled("weight", shape=(1,), init="ones")

        def hybrid_forward(self, _, x, weight):
            return x * weight

    layer = Layer()
    layer.weight.initialize()
    assert layer(mx.nd.ones((1,))).asscalar() == 2


def test_functions_of_private_modules_are_wrapped_once():
    assert mx.nd.zeros is mx.nd.ndarray.zeros is mx.nd.utils.zeros
    assert tracebacks.plain(mx.nd.zeros) is mx.nd._creation.zeros
    assert mx.sym.var is mx.sym.Variable
    assert tracebacks.plain(mx.sym.var) is mx.sym._functions.var
    assert tracebacks.plain(len) is len
