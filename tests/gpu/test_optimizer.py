"""Optimizers update weights on a GPU as on a CPU, whose results are those of the original."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd

pytestmark = pytest.mark.gpu

OPTIMIZERS: dict[str, dict[str, Any]] = {
    "sgd": {},
    "sgd with momentum": {"momentum": 0.9},
    "sgd with decay": {"momentum": 0.9, "wd": 0.01},
    "sgd with limits": {"momentum": 0.9, "clip_gradient": 0.5},
    "adam": {},
    "adam with decay": {"wd": 0.01},
}


def update(name: str, ctx: mx.Context, scale: float, dtype: str) -> list[np.ndarray]:
    """Returns weights and states after some steps, with gradients that are too large by a scale."""
    options = {"learning_rate": 0.01, "rescale_grad": 1 / scale, **OPTIMIZERS[name]}
    optimizer = mx.optimizer.create(name.split()[0], multi_precision=dtype == "float16", **options)
    updater = mx.optimizer.get_updater(optimizer)
    random = np.random.default_rng(5)
    weights = [
        nd.array(random.normal(size=shape), ctx=ctx, dtype=dtype) for shape in ((3, 4), (5,))
    ]
    for _ in range(10):  # memory is kept after four steps, what follows is captured after three
        gradients = [
            nd.array(random.normal(size=weight.shape) * scale, ctx=ctx, dtype=dtype)
            for weight in weights
        ]
        updater([0, 1], gradients, weights)
    return [weight.asnumpy() for weight in weights]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("scale", [1.0, 64.0, 2.0**13, 2.0**21], ids="scale {:g}".format)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_updates_are_those_of_a_cpu(name: str, scale: float, dtype: str) -> None:
    if dtype == "float16" and scale > 2**13:
        pytest.skip("gradients of this size are infinite in float16")
    tolerance = {"float16": 1e-3, "float32": 1e-5, "float64": 1e-10}[dtype]
    results = (update(name, ctx, scale, dtype) for ctx in (mx.gpu(), mx.cpu()))
    for found, expected in zip(*results, strict=True):
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def test_a_step_goes_on_when_weights_come_and_go() -> None:
    def train(ctx: mx.Context) -> list[np.ndarray]:
        random = np.random.default_rng(7)
        optimizer = mx.optimizer.create("sgd", momentum=0.9, multi_precision=True)
        updater = mx.optimizer.get_updater(optimizer)
        weights = [nd.array(random.normal(size=4), ctx=ctx, dtype="float16") for _ in range(3)]
        for step in range(30):
            indices = [0, 1, 2] if step % 5 else [0, 2]
            gradients = [nd.array(random.normal(size=4), ctx=ctx, dtype="float16") for _ in indices]
            optimizer.rescale_grad = 0.5 if step > 20 else 1.0
            updater(indices, gradients, [weights[index] for index in indices])
        return [weight.asnumpy() for weight in weights]

    for found, expected in zip(train(mx.gpu()), train(mx.cpu()), strict=True):
        np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-3)
