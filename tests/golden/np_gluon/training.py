"""Optimizers, trainers, initializers and what else training needs."""

import tempfile

import numpy as onp

from .core import values

_OPTIMIZERS = [
    ("sgd", {"learning_rate": 0.1}),
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01, "clip_gradient": 0.5}),
    ("nag", {"learning_rate": 0.1, "momentum": 0.9}),
    ("adam", {"learning_rate": 0.05}),
    ("adamax", {}),
    ("nadam", {}),
    ("adagrad", {}),
    ("adadelta", {}),
    ("rmsprop", {}),
    ("rmsprop", {"centered": True}),
    ("ftrl", {}),
    ("ftml", {}),
    ("signum", {}),
    ("lamb", {}),
    ("lars", {}),
    ("lbsgd", {}),
    ("dcasgd", {}),
]


def _make_class(mx):
    class Net(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.hidden = mx.gluon.nn.Dense(4, in_units=3, activation="tanh")
                self.norm = mx.gluon.nn.BatchNorm(in_channels=4)
                self.out = mx.gluon.nn.Dense(2, in_units=4)
                self.scale = self.params.get("scale", shape=(2,))

        def hybrid_forward(self, F, x, scale):
            hidden = self.norm(self.hidden(x))
            hidden = F.np.concatenate([hidden[:, :2], F.npx.relu(hidden[:, 2:])], axis=1)
            return self.out(hidden) * F.np.exp(scale) - F.np.mean(hidden)

    return Net


def make_net(mx):
    """Returns a network with fixed values."""
    net = _make_class(mx)(prefix="net_")
    net.initialize()
    net(mx.np.zeros((1, 3)))
    for start, name in enumerate(sorted(net.collect_params().keys())):
        parameter = net.collect_params()[name]
        low = 0.5 if name.endswith(("gamma", "var")) else -0.5
        parameter.set_data(mx.np.array(values(*parameter.shape, start=start, low=low)))
    return net


def steps(net, mx, trainer, count=10):
    """Trains a network, and returns the losses."""
    data, label = mx.np.array(values(6, 3)), mx.np.array([0, 1, 1, 0, 1, 0])
    loss_function, losses = mx.gluon.loss.SoftmaxCrossEntropyLoss(), []
    for _ in range(count):
        with mx.autograd.record():
            loss = loss_function(net(data), label)
        loss.backward()
        trainer.step(6)
        losses.append(loss.mean())
    return losses


def state_of(net):
    """Returns values of parameters by name."""
    return {name: item.data().asnumpy() for name, item in sorted(net.collect_params().items())}


def train(name, options, hybridized=False):
    """Makes a case of ten steps."""

    def case(mx):
        net = make_net(mx)
        if hybridized:
            net.hybridize()
        trainer = mx.gluon.Trainer(net.collect_params(), name, options)
        return [steps(net, mx, trainer), state_of(net)]

    return case


def trainer_files(mx):
    """States of a trainer come back from a file."""
    net = make_net(mx)
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    steps(net, mx, trainer, 3)
    with tempfile.TemporaryDirectory() as folder:
        trainer.save_states(f"{folder}/states")
        net.save_parameters(f"{folder}/net.params")
        other = make_net(mx)
        other.load_parameters(f"{folder}/net.params")
        again = mx.gluon.Trainer(other.collect_params(), "adam", {"learning_rate": 0.01})
        again.load_states(f"{folder}/states")
        loaded = mx.npx.load(f"{folder}/net.params")
    return [steps(other, mx, again, 3), state_of(other), dict(sorted(loaded.items()))]


def forward_on_arrays(mx):
    """Parameters by hand: attach_grad, and steps as the first chapters of books have them."""
    w, b = mx.np.array(values(3, 1)), mx.np.zeros(1)
    data, label = mx.np.array(values(8, 3)), mx.np.array(values(8, 1, start=4))
    w.attach_grad()
    b.attach_grad()
    losses = []
    for _ in range(10):
        with mx.autograd.record():
            loss = ((mx.np.dot(data, w) + b - label.reshape(-1, 1)) ** 2 / 2).sum()
        loss.backward()
        for item in (w, b):
            item[:] = item - 0.05 * item.grad
        losses.append(float(loss))
    return [losses, w, b, w.grad]


def schedules(mx):
    """Schedulers of the learning rate, and its changes by hand."""
    net = make_net(mx)
    schedule = mx.lr_scheduler.FactorScheduler(step=2, factor=0.5, base_lr=0.2)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"lr_scheduler": schedule})
    losses = steps(net, mx, trainer, 4)
    return [losses, trainer.learning_rate, state_of(net)]


def frozen(mx):
    """Parameters without gradients, with factors, and gradients that are added."""
    net = make_net(mx)
    net.hidden.collect_params().setattr("grad_req", "null")
    net.out.weight.lr_mult = 0.1
    net.out.bias.grad_req = "add"
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    losses = steps(net, mx, trainer, 3)
    gradient = net.out.bias.grad()
    net.collect_params().zero_grad()
    return [losses, gradient, net.out.bias.grad(), state_of(net)]


def fixed_initializer(text):
    """Makes a case of an initializer without randomness."""

    def case(mx):
        initializer = eval(f"mx.init.{text}", {"mx": mx})  # noqa: S307
        net = mx.gluon.nn.Dense(3, in_units=4, weight_initializer=initializer)
        net.initialize()
        return [net.weight.data(), net.bias.data(), net.weight.grad()]

    return case


def random_initializer(text):
    """Makes a case of a random initializer: class, shape and size of its values."""

    def case(mx):
        net = mx.gluon.nn.Dense(200, in_units=300)
        net.initialize(eval(f"mx.init.{text}", {"mx": mx}))  # noqa: S307
        data = net.weight.data()
        spread = float(onp.std(data.asnumpy()))
        return [type(data).__name__, data.shape, str(data.dtype), round(spread, 2)]

    return case


def initializer_class(mx):
    """An initializer of a program."""

    class Mine(mx.init.Initializer):
        def _init_weight(self, name, data):  # noqa: ARG002 - the name is passed
            data[:] = mx.np.arange(data.size).reshape(data.shape)
            data *= data >= 2

    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize(Mine())
    return net.weight.data()


def gradients(mx):
    """autograd.grad, head gradients, and gradients of gradients."""
    x = mx.np.array([1.0, 2.0, 3.0])
    x.attach_grad()
    with mx.autograd.record():
        y = x * x * x + mx.np.exp(x)
        first = mx.autograd.grad(y, x, create_graph=True, retain_graph=True)
        first = first[0] if isinstance(first, list) else first
        z = first.sum()
    z.backward()
    with mx.autograd.record():
        y = x * 2
    y.backward(mx.np.array([1.0, 10.0, 100.0]))
    again = x.grad.copy()
    with mx.autograd.record():
        y, w = x * x, x + 1
    mx.autograd.backward([y, w], [mx.np.ones(3), mx.np.array([1.0, 0.0, 2.0])])
    return [first, again, x.grad]


def marked(mx):
    """mark_variables, and a scalar head."""
    x, gradient = mx.np.array([[1.0, 2.0]]), mx.np.zeros((1, 2))
    mx.autograd.mark_variables([x], [gradient])
    with mx.autograd.record():
        y = (x * x).sum()
        assert y.shape == ()
    y.backward()
    return [y, gradient, x.grad]


def functions(mx):
    """autograd.Function on arrays of mx.np."""

    class Sigmoid(mx.autograd.Function):
        def forward(self, x):
            y = 1 / (1 + mx.np.exp(-x))
            self.save_for_backward(y)
            return y

        def backward(self, dy):
            (y,) = self.saved_tensors
            return dy * y * (1 - y)

    x = mx.np.array(values(2, 3))
    x.attach_grad()
    with mx.autograd.record():
        y = Sigmoid()(x) * 3
    y.backward()
    return [y, x.grad]


def utilities(mx):
    """gluon.utils."""
    utils, data = mx.gluon.utils, mx.np.array(values(6, 2))
    return [
        utils.split_data(data, 3),
        utils.split_data(data, 4, even_split=False),
        utils.split_data(data.T, 2, batch_axis=1),
        utils.split_and_load(data, [mx.cpu(0)]),
        utils.split_and_load(data.asnumpy(), [mx.cpu(0), mx.cpu(0)]),
    ]


def clipping(mx):
    """gluon.utils.clip_global_norm."""
    arrays = [mx.np.array(values(2, 3)), mx.np.array(values(4))]
    norm = mx.gluon.utils.clip_global_norm(arrays, 0.5)
    lazy = mx.gluon.utils.clip_global_norm(arrays, 0.1, check_isfinite=False)
    return [norm, lazy, arrays]


CASES = {f"{name} {options}": train(name, options) for name, options in _OPTIMIZERS}
CASES["hybridized"] = train("adam", {"learning_rate": 0.05}, hybridized=True)
CASES |= {
    case.__name__: case
    for case in (
        *(trainer_files, forward_on_arrays, schedules, frozen, initializer_class),
        *(gradients, marked, functions, utilities, clipping),
    )
}
CASES |= {
    text: fixed_initializer(text)
    for text in ("Zero()", "One()", "Constant(0.5)", "Constant([[1]] * 3)")
}
CASES |= {
    text: random_initializer(text)
    for text in ("Normal(0.5)", "Uniform(0.5)", "Xavier()", "MSRAPrelu()", "Orthogonal()")
}
