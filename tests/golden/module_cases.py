"""Trainings with modules that this package and the original must end with the same parameters.

The functions take the package, so that both run the same lines.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).resolve().parent
CHECKPOINTS = HERE / "module"
RESULTS = HERE / "modules.npz"
BATCH = 6
Values = dict[str, np.ndarray]


class Case(NamedTuple):
    """One training."""

    net: str
    optimizer: str
    params: dict[str, Any]
    contexts: int = 1
    options: dict[str, Any] = {}  # noqa: RUF012 - nobody changes it
    bind: dict[str, Any] = {}  # noqa: RUF012 - nobody changes it


def mlp(mx: Any) -> Any:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=7, name="fc1")
    net = mx.sym.Activation(net, act_type="tanh", name="tanh")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def multipliers(mx: Any) -> Any:
    weight = mx.sym.var("fc1_weight", lr_mult=3, wd_mult=0.5)
    bias = mx.sym.var("fc1_bias", wd_mult=2.0)
    net = mx.sym.FullyConnected(mx.sym.var("data"), weight, bias, num_hidden=5, name="fc1")
    with mx.AttrScope(lr_mult="0.2"):
        net = mx.sym.FullyConnected(net, num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def convolution(mx: Any) -> Any:
    net = mx.sym.reshape(mx.sym.var("data"), (-1, 1, 4, 3))
    net = mx.sym.Convolution(net, kernel=(2, 2), num_filter=4, no_bias=True, name="conv")
    net = mx.sym.BatchNorm(net, fix_gamma=False, name="bn")
    net = mx.sym.Activation(net, act_type="relu")
    net = mx.sym.Pooling(net, kernel=(2, 2), pool_type="max", name="pool")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def regression(mx: Any) -> Any:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    return mx.sym.LinearRegressionOutput(net, name="softmax")


def recurrent(mx: Any) -> Any:
    net = mx.sym.reshape(mx.sym.var("data"), (0, 4, 3))
    net = mx.sym.swapaxes(net, dim1=0, dim2=1)
    state, cell = (mx.sym.zeros((1, 0, 5)) for _ in range(2))
    weights = mx.sym.var("rnn_parameters", init=mx.init.Zero())
    net = mx.sym.RNN(net, weights, state, cell, state_size=5, num_layers=1, mode="lstm", name="rnn")
    net = mx.sym.FullyConnected(mx.sym.SequenceLast(net), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax")


NETS: dict[str, Callable[[Any], Any]] = {
    "mlp": mlp,
    "multipliers": multipliers,
    "convolution": convolution,
    "regression": regression,
    "recurrent": recurrent,
}
CASES = {
    "sgd": Case("mlp", "sgd", {"learning_rate": 0.1}),
    "sgd momentum and decay": Case(
        "mlp", "sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01}
    ),
    "sgd clipped and scaled": Case(
        "mlp", "sgd", {"learning_rate": 1, "clip_gradient": 0.05, "rescale_grad": 0.5}
    ),
    "nag": Case("mlp", "nag", {"learning_rate": 0.1, "momentum": 0.9}),
    "adam": Case("mlp", "adam", {"learning_rate": 0.05, "wd": 0.01}),
    "adam two contexts": Case("convolution", "adam", {"learning_rate": 0.05}, contexts=2),
    "rmsprop": Case("mlp", "rmsprop", {"learning_rate": 0.01, "centered": True}),
    "adagrad": Case("mlp", "adagrad", {"learning_rate": 0.1}),
    "adadelta": Case("mlp", "adadelta", {}),
    "ftrl": Case("mlp", "ftrl", {"learning_rate": 0.1}),
    "signum": Case("mlp", "signum", {"learning_rate": 0.01}),
    "multipliers": Case("multipliers", "sgd", {"learning_rate": 0.1, "wd": 0.1}),
    "multipliers on three contexts": Case(
        "multipliers", "sgd", {"learning_rate": 0.1, "wd": 0.1, "momentum": 0.5}, contexts=3
    ),
    "batch norm": Case("convolution", "sgd", {"learning_rate": 0.1, "momentum": 0.9}),
    "batch norm on two contexts, on devices": Case(
        "convolution", "sgd", {"learning_rate": 0.1}, contexts=2, options={"kvstore": "device"}
    ),
    "no store for two contexts": Case(
        "mlp", "sgd", {"learning_rate": 0.1, "momentum": 0.9}, 2, {"kvstore": None}
    ),
    "regression": Case("regression", "sgd", {"learning_rate": 0.1}),
    "lstm": Case("recurrent", "adam", {"learning_rate": 0.05}),
    "fixed parameters": Case(
        "mlp",
        "sgd",
        {"learning_rate": 0.1},
        options={"fixed_param_names": ["fc1_weight", "fc1_bias"]},
    ),
    "added gradients": Case("mlp", "sgd", {"learning_rate": 0.01}, bind={"grad_req": "add"}),
    "gradients of some": Case(
        "mlp",
        "sgd",
        {"learning_rate": 0.1},
        bind={"grad_req": {"fc2_weight": "null", "fc2_bias": "null"}},
    ),
    "compressed gradients": Case(
        "mlp",
        "sgd",
        {"learning_rate": 0.1, "momentum": 0.9},
        2,
        {"kvstore": "device", "compression_params": {"type": "2bit", "threshold": 0.2}},
    ),
    "unequal shares": Case(
        "mlp", "sgd", {"learning_rate": 0.1}, 2, options={"work_load_list": [1, 2]}
    ),
}
RESUMED = ("sgd momentum and decay", "adam", "adam two contexts", "batch norm")
"""Trainings that are saved in the middle."""


def data(case: Case, steps: int, first: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    """Returns the batches of some steps."""
    batches = []
    for step in range(first, first + steps):
        rng = np.random.RandomState(step)
        x = rng.randn(BATCH, 12).astype("float32")
        y = rng.randn(BATCH, 1) if case.net == "regression" else rng.randint(0, 3, BATCH)
        batches.append((x, y.astype("float32")))
    return batches


def bound(mx: Any, name: str, module: Any = None, device: Any = None) -> Any:
    """Makes a module of a case, or takes one, and binds it."""
    case = CASES[name]
    options = {key: value for key, value in case.options.items() if key != "kvstore"}
    contexts = [(device or mx.cpu)(i) for i in range(case.contexts)]
    if module is None:
        module = mx.mod.Module(NETS[case.net](mx), context=contexts, **options)
    label = (BATCH, 1) if case.net == "regression" else (BATCH,)
    module.bind([("data", (BATCH, 12))], [("softmax_label", label)], **case.bind)
    return module


def initialize(mx: Any, module: Any) -> None:
    """Returns parameters values that do not depend on the package."""
    module.init_params(mx.init.Zero())
    rng = np.random.RandomState(7)
    arguments, states = module.get_params()
    values = {
        key: mx.nd.array(rng.randn(*array.shape) * 0.3) for key, array in sorted(arguments.items())
    }
    module.set_params(values, states)


def advance(mx: Any, name: str, module: Any, steps: int, first: int = 0) -> None:
    """Makes some steps."""
    for x, y in data(CASES[name], steps, first):
        module.forward_backward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]))
        module.update()


def start(mx: Any, name: str, device: Any = None) -> Any:
    """Makes a module of a case, ready to be trained."""
    case = CASES[name]
    module = bound(mx, name, device=device)
    initialize(mx, module)
    module.init_optimizer(case.options.get("kvstore", "local"), case.optimizer, case.params)
    return module


def values(module: Any) -> Values:
    """Returns the parameters, the states and the outputs of a module."""
    arguments, states = module.get_params()
    found = {key: array.asnumpy() for key, array in {**arguments, **states}.items()}
    return {**found, "output": module.get_outputs()[0].asnumpy()}


def train(mx: Any, name: str, device: Any = None) -> Values:
    """Makes ten steps, on the CPU or another device."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = start(mx, name, device)
        advance(mx, name, module, 10)
    return values(module)


def save(mx: Any, name: str, folder: Path) -> None:
    """Makes five steps and saves the module with the states of its optimizer."""
    module = start(mx, name)
    advance(mx, name, module, 5)
    module.save_checkpoint(str(folder / file_name(name)), 5, save_optimizer_states=True)


def resume(mx: Any, name: str, folder: Path, device: Any = None) -> Values:
    """Goes on from where `save` stopped."""
    case = CASES[name]
    contexts = [(device or mx.cpu)(i) for i in range(case.contexts)]
    prefix = str(folder / file_name(name))
    module = mx.mod.Module.load(prefix, 5, load_optimizer_states=True, context=contexts)
    bound(mx, name, module)
    module.init_optimizer(case.options.get("kvstore", "local"), case.optimizer, case.params)
    advance(mx, name, module, 5, first=5)
    return values(module)


def file_name(name: str) -> str:
    """Returns the name of a case as that of a file."""
    return name.replace(" ", "_")


def flat(results: dict[str, Values]) -> Values:
    """Puts the results of all cases into one dictionary."""
    return {
        f"{name}/{key}": array for name, found in results.items() for key, array in found.items()
    }


def largest_difference(expected: Values, found: Values) -> float:
    """Returns the largest relative difference of two results."""
    if expected.keys() != found.keys():
        raise ValueError(f"expected {sorted(expected)}, got {sorted(found)}")
    return max(
        float(np.max(np.abs(found[key] - array) / (np.abs(array) + 1e-2)))
        for key, array in expected.items()
    )
