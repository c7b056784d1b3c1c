"""What takes a context takes it as `device=`, too."""

from __future__ import annotations

import inspect

import pytest

import mxnet as mx
from mxnet._start import takes_device
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision

ONE = mx.cpu(1)
MAKERS = {
    "nd.ones": lambda: mx.nd.ones((2,), device=ONE),
    "nd.array": lambda: mx.nd.array([1], device=ONE),
    "nd.random.uniform": lambda: mx.nd.random.uniform(shape=(2,), device=ONE),
    "np.ones": lambda: mx.np.ones((2,), device=ONE),
    "np.array": lambda: mx.np.array([1], device=ONE),
    "np.full_like": lambda: mx.np.full_like(mx.np.ones(2, device=ONE), 2, device=ONE),
    "np.zeros_like": lambda: mx.np.zeros_like(mx.np.ones(2, device=ONE), device=ONE),
    "np.random.normal": lambda: mx.np.random.normal(size=(2,), device=ONE),
    "np.arange": lambda: mx.np.arange(3, device=ONE),
    "npx.random.bernoulli": lambda: mx.npx.random.bernoulli(0.5, size=(2,), device=ONE),
    "as_in_ctx": lambda: mx.np.ones(2).as_in_ctx(ONE),
    "to_device": lambda: mx.np.ones(2).to_device(ONE),
    "sparse": lambda: mx.nd.sparse.zeros("csr", (2, 2), device=ONE),
}


def test_a_device_is_a_context():
    assert mx.Device is mx.device.Device is mx.Context
    assert mx.device.cpu(1) == mx.cpu(1)
    with mx.Device("cpu", 2):
        assert mx.device.current_device() == mx.current_device() == mx.cpu(2)
    assert mx.device.num_gpus() == mx.context.num_gpus()


@pytest.mark.parametrize("name", MAKERS)
def test_arrays_are_made_on_a_device(name):
    assert MAKERS[name]().device == ONE


def test_networks_are_on_devices():
    net = nn.Dense(2, in_units=3)
    net.initialize(device=[mx.cpu(0), ONE])
    assert net.weight.data(device=ONE).device == ONE
    assert net.weight.grad(device=ONE).device == ONE
    net.collect_params().reset_ctx(device=ONE)
    assert net.weight.list_device() == [ONE]
    net.weight.reset_device(mx.cpu())
    assert net.weight.list_ctx() == [mx.cpu()]
    assert vision.get_model("mobilenet0.25", device=ONE).output is not None


def test_both_names_at_once_and_others_are_refused():
    with pytest.raises((TypeError, mx.MXNetError), match="device"):
        mx.np.ones((2,), ctx=ONE, device=ONE)
    with pytest.raises(TypeError, match="divice"):
        mx.np.ones((2,), divice=ONE)


def test_seeds_take_a_device():
    mx.random.seed(3, device=ONE)
    mx.npx.random.seed(3, device=ONE)
    mx.npx.seed(3, device=ONE)


@pytest.mark.parametrize("module", [mx.np, mx.npx.random, mx.nd, mx.nd.random, mx.gluon.utils])
def test_every_public_function_with_a_context_takes_a_device(module):
    operators = {"straight.py"}  # functions of operators have its attributes
    missing = []
    for name in dir(module):
        value = getattr(module, name)
        if name.startswith("_") or not inspect.isfunction(value):
            continue
        named = {"ctx", "context"} & {*inspect.signature(value).parameters}
        if named and not takes_device(value):
            file = value.__code__.co_filename.rpartition("/")[2]
            missing += [] if file in operators else [name]
    assert missing == []
