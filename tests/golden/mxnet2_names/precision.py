"""Mixed precision, `mx.amp`: dtypes with float16, of which the original computes none on CPUs."""

import logging

import numpy as onp

from .core import attempt, values

_ONE = [
    *("exp", "log", "sqrt", "square", "sum", "mean", "var", "std", "prod", "cumsum", "tanh"),
    *("sin", "abs", "max", "argmax"),
]
_TWO = ["add", "multiply", "subtract", "power", "maximum", "matmul", "dot"]
_EXTENSION = ["relu", "softmax", "log_softmax", "sigmoid", "masked_softmax"]


class _Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage().split("[")[0])


def _begin():
    """Turns mixed precision on; a second call does nothing."""
    from mxnet import amp

    amp.init("float16")
    return amp


def _starting(mx):
    from mxnet import amp

    handler = _Lines()
    logging.getLogger().addHandler(handler)
    level = logging.getLogger().level
    logging.getLogger().setLevel(logging.INFO)
    network = mx.gluon.nn.Dense(2)
    seen = [
        attempt(amp.init_trainer, None),
        attempt(amp.init, "float64"),
        attempt(amp.init, target_dtype="float16", layout_optimization=False),
        attempt(amp.init),
    ]
    logging.getLogger().setLevel(level)
    logging.getLogger().removeHandler(handler)
    return [*seen, handler.lines, type(network).__name__]


def _lists(_):
    from mxnet import amp

    found = {}
    for name in sorted(item for item in amp.amp.__all__ if item.startswith("list_")):
        for target in ("float16", onp.float16):
            listed = getattr(amp, name)(target)
            found[name] = sorted(listed, key=str) if listed is not None else None
        found[name, "other"] = attempt(getattr(amp, name), "int8")
    wide = amp.amp.bfloat16
    found["bfloat16"] = [
        sorted(getattr(amp, f"list_{name}")(wide), key=str)
        for name in ("lp16_ops", "fp32_ops", "lp16_fp32_ops", "widest_type_cast")
    ]
    return found


def _dtypes(mx):
    _begin()
    x = mx.np.array(values(3, 3, low=0.5, high=2))
    low = x.astype("float16")
    seen = {}
    for name in _ONE:
        seen[name] = str(getattr(mx.np, name)(x).dtype)
    for name in _TWO:
        function = getattr(mx.np, name)
        pairs = ((x, x), (low, x), (low, low)) if name != "power" else ((x, x), (low, x))
        seen[name] = [str(function(*pair).dtype) for pair in pairs]
    for name in _EXTENSION:
        arguments = (x, x > 1) if name.startswith("masked") else (x,)
        seen[name] = str(getattr(mx.npx, name)(*arguments).dtype)
    seen["where"] = str(mx.np.where(x > 1, x, low).dtype)
    seen["concatenate"] = str(mx.np.concatenate([x, low]).dtype)
    seen["einsum"] = str(mx.np.einsum("ij,kj->ik", x, x).dtype)
    seen["operators"] = [str(item.dtype) for item in (x @ x, x * low, low + 1, low * low, x**2)]
    return seen


def _layers(mx):
    _begin()
    nn = mx.gluon.nn
    seen = {}
    for name, layer, shape in (
        ("Dense", nn.Dense(2), (2, 3)),
        ("Conv2D", nn.Conv2D(2, 3), (1, 2, 5, 5)),
        ("LayerNorm", nn.LayerNorm(), (2, 3)),
        ("softrelu", nn.Activation("softrelu"), (2, 3)),
        ("relu", nn.Activation("relu"), (2, 3)),
        ("Dropout", nn.Dropout(0.5), (2, 3)),
    ):
        layer.initialize()
        seen[name] = str(layer(mx.np.array(values(*shape))).dtype)
        seen[name, "parameters"] = [str(p.dtype) for p in layer.collect_params().values()]
    return seen


def _trainers(mx):
    amp = _begin()
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    seen = []
    for _ in range(2):
        trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        seen.append(hasattr(trainer, "amp_loss_scale"))
        amp.init_trainer(trainer)
        seen.append(trainer.amp_loss_scale)
        with amp.scale_loss(mx.np.array([2.0]), trainer) as scaled:
            seen += [scaled, trainer._scale]
        with amp.scale_loss([mx.np.array([2.0]), mx.np.array([3.0])], trainer) as scaled:
            seen.append(scaled)
    seen += [attempt(amp.unscale, 3), attempt(amp.init_trainer, mx.optimizer.SGD())]
    return [*seen, attempt(amp.init_trainer, 3)]


def _steps(mx):
    amp = _begin()
    weight = mx.gluon.Parameter("weight", shape=(3,))
    weight.initialize(mx.init.One())
    trainer = mx.gluon.Trainer({"weight": weight}, "sgd", {"learning_rate": 0.1})
    amp.init_trainer(trainer)
    seen = []
    for factor in (1.0, 3e38, 2.0, 1.0):  # the second overflows, and is skipped
        with mx.autograd.record():
            loss = (weight.data() * mx.np.array([1.0, 2.0, 3.0])).sum() * factor
            with amp.scale_loss(loss, trainer) as scaled:
                mx.autograd.backward(scaled)
        if factor == 2.0:
            amp.unscale(trainer)
            seen.append(weight.grad().copy())
        trainer.step(1)
        seen += [weight.data().copy(), trainer.amp_loss_scale]
    return seen


def _conversions(mx):
    from mxnet import amp

    data = mx.sym.var("data")
    net = mx.sym.FullyConnected(data, num_hidden=2, name="first")
    net = mx.sym.FullyConnected(mx.sym.exp(net), num_hidden=2, name="second")
    converted = amp.convert_symbol(net)
    parameters = {
        name: mx.nd.ones((2, 2) if name.endswith("weight") else (2,))
        for name in net.list_arguments()[1:]
    }
    _, arguments, states = amp.convert_model(net, dict(parameters), {}, cast_optional_params=True)
    return [
        converted.list_outputs(),
        [item.rsplit("_", 1)[0] for item in converted.get_internals().list_outputs()],
        {name: str(array.dtype) for name, array in sorted(arguments.items())},
        states,
        attempt(amp.convert_symbol, 3),
        attempt(amp.convert_symbol, net, "float64"),
        attempt(amp.convert_symbol, net, target_dtype_ops=["exp"], fp32_ops=["exp"]),
        attempt(amp.convert_symbol, net, fp32_ops=["nothing"]),
        attempt(amp.convert_model, net, [], {}),
        attempt(amp.convert_hybrid_block, 3),
        attempt(amp.convert_hybrid_block, mx.gluon.nn.Dense(2)),
        amp.convert_symbol(net, excluded_sym_names=["first"]).list_outputs(),
    ]


# Converting comes first, because operators convert what they are given once precision is mixed, and
# last what the original computes on GPUs alone, so that its errors come when all else is done.
CASES = {
    "conversions": _conversions,
    "starting": _starting,
    "lists": _lists,
    "trainers": _trainers,
    "steps": _steps,
    "dtypes": _dtypes,
    "layers": _layers,
}
