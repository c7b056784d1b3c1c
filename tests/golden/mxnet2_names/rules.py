"""What programs of MXNet 2 rely on where 1.9.1 does otherwise: dtypes, switches, losses, cells."""

import numpy as onp

from .core import attempt, values

_INTEGERS = ("bool", "int8", "uint8", "int32", "int64")
_FUNCTIONS = ["exp", "log", "sqrt", "sin", "arctan", "cbrt", "log1p", "degrees", "tanh", "arccosh"]
_OPERATORS = {
    "plus": lambda x, y: x + y,
    "minus": lambda x, y: x - y,
    "reflected minus": lambda x, y: y - x,
    "times": lambda x, y: x * y,
    "power": lambda x, y: x**y,
    "less": lambda x, y: x < y,
}


def _functions_of(dtype):
    def case(mx):
        x = mx.np.ones((2,), dtype=dtype)
        return {name: getattr(mx.np, name)(x) for name in _FUNCTIONS}

    return case


def _beside(operator, other):
    def case(mx):
        arrays = [mx.np.array([1, 3], dtype=dtype) for dtype in (*_INTEGERS[1:], "float32")]
        return [operator(x, other) for x in arrays]

    return case


def _kinds(mx):
    """Returns the classes of what Gluon and loaders make."""
    gluon = mx.gluon
    net = gluon.nn.Dense(2)
    net.initialize()
    made = [net(mx.np.ones((3, 4))), net.weight.data(), net.bias.grad()]
    net.hybridize()
    made.append(net(mx.np.ones((3, 4))))
    for source in (mx.np, mx.nd):
        made += gluon.data.DataLoader(gluon.data.ArrayDataset(source.arange(2)), 2)
    made.append(gluon.loss.L2Loss()(mx.np.ones(3), mx.np.ones(3)))
    return [mx.npx.is_np_array(), *(type(item).__name__ for item in made)]


def switched_off(mx):
    mx.npx.reset_np()
    try:
        return _kinds(mx)
    finally:
        mx.npx.set_np()


def switched_off_in_a_block(mx):
    with mx.util.np_array(False):
        return _kinds(mx)


def _loss(name, count, **options):
    def case(mx):
        loss = getattr(mx.gluon.loss, name)(**options)
        inputs = [mx.np.array(values(4, 3, start=5 * i, low=0.1)) for i in range(count)]
        weights = mx.np.array([[0.5], [1.0], [0.0], [2.0]])
        found = [loss(*inputs), attempt(loss, *inputs, weights)]
        loss.hybridize()
        return [*found, loss(*inputs)]

    return case


def cosine_loss(mx):
    loss = mx.gluon.loss.CosineEmbeddingLoss(margin=0.1)
    first, second = (mx.np.array(values(4, 3, start=start)) for start in (0, 7))
    return loss(first, second, mx.np.array([1, -1, 1, -1]))


def batches_of_arrays(mx):
    batches = mx.io.NDArrayIter(
        {"x": mx.np.arange(10).reshape(5, 2)}, mx.np.arange(5), 2, last_batch_handle="discard"
    )
    return [[type(b.data[0]).__name__, b.data[0], b.label[0], b.pad] for b in batches]


def shared_layers_on_two_devices(mx):
    gluon = mx.gluon

    class Net(gluon.Block):
        def __init__(self):
            super().__init__()
            self.first = gluon.nn.Dense(2, in_units=2, use_bias=False)
            shared = self.first.collect_params()
            self.second = gluon.nn.Dense(2, in_units=2, use_bias=False).share_parameters(shared)
            self.third = gluon.nn.Dense(2, in_units=2).share_parameters(None)

        def forward(self, x):
            for child in self._children.values():
                x = child()(x)
            return x

    net, devices = Net(), [mx.cpu(0), mx.cpu(1)]
    net.initialize(mx.init.Constant(0.5), device=devices)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with mx.autograd.record():
        sums = [
            net(mx.np.array(values(3, 2, start=i), device=d)).sum() for i, d in enumerate(devices)
        ]
    for total in sums:
        total.backward()
    trainer.step(2)
    net.third.weight.reset_device(mx.cpu(0))
    return [parameter.data(mx.cpu(0)) for parameter in net.collect_params().values()]


def _cell_shapes(make):
    def case(mx):
        cell = make(mx.gluon.rnn)
        cell.infer_shape(0, mx.np.ones((2, 3, 5)), False)
        return [list(parameter.shape) for parameter in cell.collect_params().values()]

    return case


def _two(rnn, stack):
    cells = getattr(rnn, stack)()
    cells.add(rnn.LSTMCell(4))
    cells.add(rnn.ResidualCell(rnn.GRUCell(4)))
    return cells


def bound_graphs(mx):
    x = mx.sym.var("x")
    y = mx.sym.exp(x) * 2
    given, gradient = {"x": mx.nd.array([0, 1])}, {"x": mx.nd.zeros(2)}
    executor = y._bind(mx.cpu(), given, args_grad=gradient)
    outputs = executor.forward(is_train=True)
    executor.backward(mx.nd.ones(2))
    simple = y._simple_bind(ctx=mx.cpu(), x=(3, 2))
    return [outputs[0], gradient["x"], list(simple.forward()[0].shape)]


def array_namespaces(mx):
    x = mx.np.ones(2)
    versions = (None, "2021.10", "2020.09")
    return [attempt(lambda v=v: x.__array_namespace__(v).__name__) for v in versions]


def layers_of_functions(mx):
    """Returns what layers of functions give, eager and hybridized."""
    x, nn = mx.np.array(values(3, 4)), mx.gluon.nn
    found = []
    for make in (
        lambda: nn.HybridLambda(lambda x: mx.npx.relu(x) + 1),
        lambda: nn.HybridLambda(lambda x: mx.np.split(x, 2, axis=1)[1]),
        lambda: nn.HybridLambda(mx.np.tanh),
        lambda: nn.HybridLambda("sigmoid"),
        lambda: nn.Lambda("relu"),
        lambda: nn.Lambda("tanh"),
    ):
        layer = make()
        found.append(layer(x))
        layer.hybridize()
        found.append(layer(x))
    return found


def states_on_devices(mx):
    """Returns the devices of first states, and those that other functions make."""
    rnn, device = mx.gluon.rnn, mx.cpu(1)
    cells = [rnn.LSTM(3), rnn.GRU(2, num_layers=2), rnn.LSTMCell(3), rnn.GRUCell(2)]
    states = [cell.begin_state(2, device=device) for cell in cells]
    ones = [cell.begin_state(2, func=mx.np.ones, device=device) for cell in cells]
    return [[str(state.device) for state in row] for row in states], ones


def arrays_on_devices(mx):
    """Returns the devices of random numbers."""
    random, device = mx.np.random, mx.cpu(1)
    drawn = random.rand(2, device=device), random.randn(2, 3, device=device)
    return [[str(x.device), list(x.shape)] for x in drawn]


def estimator_devices(mx):
    """Returns the devices of an estimator."""
    from mxnet.gluon.contrib.estimator import Estimator

    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize(device=mx.cpu())
    found = Estimator(net, mx.gluon.loss.L2Loss(), device=mx.cpu())
    return [str(device) for device in found.device]


def batches_of_lists(mx):
    """Returns what samples of lists and tuples are stacked to."""
    stack = mx.gluon.data.batchify.Stack()
    return stack([[1, 2], [3, 4], [5, 6]]), stack([(1.5, 2.5), (3.5, 4.5)])


def orders_and_repetitions(mx):
    """Returns sorted flat arrays, and elements repeated as often as a list says."""
    np, x = mx.np, mx.np.array(values(3, 4))
    repeated = np.repeat(x[0], [1, 2, 0, 1]), x.repeat((0, 2, 1), axis=0), np.repeat(x, 2, 1)
    return np.sort(x, axis=None), np.argsort(x, None), np.sort(x, None, True), repeated


CASES = {
    **{f"functions of {dtype}": _functions_of(dtype) for dtype in _INTEGERS},
    **{f"{name} a fraction": _beside(operator, 1.5) for name, operator in _OPERATORS.items()},
    **{f"{name} a whole number": _beside(operator, 2) for name, operator in _OPERATORS.items()},
    **{
        f"{name} an array of NumPy": _beside(operator, onp.array([2.5, 1.0], "float32"))
        for name, operator in _OPERATORS.items()
    },
    "filled with a whole number": lambda mx: [mx.np.full((2,), value) for value in (3, 2.5, True)],
    "ranges with NumPy's dtypes": lambda mx: _with_dtypes(mx, lambda: mx.np.arange(1, 7, 2)),
    "switched off": switched_off,
    "switched off in a block": switched_off_in_a_block,
    "poisson": _loss("PoissonNLLLoss", 2, from_logits=False),
    "triplet": _loss("TripletLoss", 3),
    "cosine": cosine_loss,
    "batches of arrays": batches_of_arrays,
    "shared layers on two devices": shared_layers_on_two_devices,
    "shapes of an LSTM cell": _cell_shapes(lambda rnn: rnn.LSTMCell(4)),
    "shapes of a stack": _cell_shapes(lambda rnn: _two(rnn, "SequentialRNNCell")),
    "shapes of a hybrid stack": _cell_shapes(lambda rnn: _two(rnn, "HybridSequentialRNNCell")),
    "shapes of both directions": _cell_shapes(
        lambda rnn: rnn.BidirectionalCell(rnn.RNNCell(2), rnn.ZoneoutCell(rnn.GRUCell(3)))
    ),
    "bound graphs": bound_graphs,
    "array namespaces": array_namespaces,
    "layers of functions": layers_of_functions,
    "states on devices": states_on_devices,
    "arrays on devices": arrays_on_devices,
    "devices of an estimator": estimator_devices,
    "batches of lists": batches_of_lists,
    "orders and repetitions": orders_and_repetitions,
}


def _with_dtypes(mx, make):
    with mx.util.np_default_dtype(True):
        return make()
