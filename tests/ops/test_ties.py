"""Gradients at ties, kinks and edges are the original's, whatever this release of torch defines."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mxnet as mx

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))

from tie_cases import DTYPES, Case, arrays_of, cases, describe, heads_for, run_eagerly, run_on  # noqa: E402

CASES = [pytest.param(case, dtype, id=f"{case.id}-{dtype}") for case in cases() for dtype in DTYPES]


ELEMENTWISE = [
    case
    for case in cases()
    if case.id.startswith(
        ("abs", "clip", "hard_sigmoid", "maximum:scalar", "minimum:scalar", "relu")
    )
]
POWER = "the original's formula multiplies zero by infinity"
DIFFERENT = {
    "LeakyReLU:selu": (
        "the original scales twice",
        [[0.237933, 1.293537, 3.199023, 7.032397, 8.790497, 6.304206, 7.354907, 8.405608]],
    ),
    "_power_scalar:0.0": (POWER, [[0, 0, 0]]),
    "_rpower_scalar:0.0": (POWER, [[0, 0, 0]]),
    "broadcast_power": (POWER, [[0, 2, 0, np.inf, 0, 48], [0, 0, 0, 0, 0, 133.0842]]),
    "norm:ord=2,axis=1": ("no NaN where the length is 0", [[[0.6, 0.8], [0, 0], [0, 3]]]),
    "prod:axis=1": ("no NaN where a factor is 0", [[[6, 0, 0], [0, 0, 0], [18, 9, 6]]]),
    "nanprod:axis=1": ("no NaN where a factor is 0", [[[0, 0, 2], [0, 0, 2]]]),
}
"""Gradients that differ on purpose (docs/differences.md): why, and what they are instead."""


@cache
def golden() -> dict[str, Any]:
    return json.loads((GOLDEN / "ties.json").read_text())


def run_hybridized(case: Case, dtype: str) -> dict[str, Any]:
    class Block(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, *arrays):
            return case.function(F, *arrays)

    block = Block()
    block.hybridize()
    return run_on(block, case, dtype)


def run_bound(case: Case, dtype: str) -> dict[str, Any]:
    arrays = arrays_of(case, dtype)
    names = [f"x{index}" for index in range(len(arrays))]
    symbol = case.function(mx.sym, *map(mx.sym.var, names))
    wanted = {names[index]: arrays[index].grad for index in case.gradient_of}
    executor = symbol.bind(mx.cpu(), dict(zip(names, arrays, strict=True)), args_grad=wanted)
    (output,) = executor.forward(is_train=True)
    executor.backward(mx.nd.array(heads_for(output.asnumpy()), dtype=dtype))
    return describe(output, list(wanted.values()))


def assert_agrees(case: Case, dtype: str, found: dict[str, Any]) -> None:
    expected = golden()[case.id].get(dtype)
    if expected is None:  # the original refuses the type
        return
    assert found["dtype"] == expected["dtype"]
    np.testing.assert_allclose(found["output"], expected["output"], rtol=2e-3)
    _, gradients = DIFFERENT.get(case.id, (None, expected["gradients"]))
    tolerance = 1e-2 if dtype == "float16" and case.tolerance else case.tolerance
    for gradient, wanted in zip(found["gradients"], gradients, strict=True):
        np.testing.assert_allclose(gradient, wanted, rtol=tolerance)


def test_the_golden_file_belongs_to_these_cases():
    assert list(golden()) == [case.id for case in cases()]


@pytest.mark.parametrize("name", DIFFERENT)
def test_differences_are_differences(name: str):
    for gradient, expected in zip(
        DIFFERENT[name][1], golden()[name]["float32"]["gradients"], strict=True
    ):
        assert not np.allclose(gradient, expected)


@pytest.mark.parametrize(("case", "dtype"), CASES)
def test_one_operator_at_a_time(case: Case, dtype: str):
    assert_agrees(case, dtype, run_eagerly(case, dtype))


@pytest.mark.parametrize(("case", "dtype"), CASES)
def test_hybridized(case: Case, dtype: str):
    assert_agrees(case, dtype, run_hybridized(case, dtype))


@pytest.mark.parametrize(("case", "dtype"), CASES)
def test_bound(case: Case, dtype: str):
    assert_agrees(case, dtype, run_bound(case, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("case", ELEMENTWISE, ids=lambda case: case.id)
def test_many_elements_have_the_gradients_of_few(case: Case, dtype: str):
    """Large arrays may be computed in another way."""
    (few,) = arrays_of(case, dtype)
    many = mx.nd.tile(few, (1 << 16) // few.size + 1)
    many.attach_grad()
    with mx.autograd.record():
        outputs = [case.function(mx.nd, array) for array in (few, many)]
    mx.autograd.backward(outputs)
    for one, other in ((few.grad, many.grad), outputs):
        expected = np.tile(one.asnumpy(), many.size // few.size)
        np.testing.assert_array_equal(other.asnumpy(), expected)


LIMITING = [
    pytest.param(lambda x: mx.nd.clip(x, -1, 1), [12, 12, 12, 0], id="clip"),
    pytest.param(lambda x: mx.nd.maximum(x, 1), [0, 12, 12, 48], id="maximum of a number"),
    pytest.param(lambda x: mx.nd.minimum(x, 1), [12, 12, 12, 0], id="minimum of a number"),
    pytest.param(lambda x: mx.nd.maximum(x, x), [12, 12, 12, 48], id="maximum"),
    pytest.param(lambda x: mx.nd.minimum(x, x), [12, 12, 12, 48], id="minimum"),
]


@pytest.mark.parametrize("times", [1, 1 << 14])
@pytest.mark.parametrize(("limit", "expected"), LIMITING)
def test_second_derivatives(limit, expected, times):
    x = mx.nd.array([-1, 1, 1, 2] * times)
    x.attach_grad()
    with mx.autograd.record():
        y = limit(x) ** 4
        slope = mx.autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    slope.backward()
    assert x.grad.asnumpy().tolist() == expected * times
