"""Attention in the spellings of strangers is one call of torch's kernel, with equal results."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import mxnet as mx
from mxnet.graph.lower import Setting, lower
from mxnet.graph.run.plan import Plan
from mxnet.ops.nn import attention as kernels
from tests.graph.passes.attention_spellings import BATCH, LENGTH, SIDES, SPELLINGS, UNITS, Spelling
from tests.ops.fake_gpu import GPU, capturing, fake_gpu, go_back, watching

NAMES = [*SPELLINGS]


class Attention(mx.gluon.HybridBlock):
    """Runs a spelling."""

    def __init__(self, spelling: Spelling, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._spelling = spelling

    def hybrid_forward(self, F: Any, *args: Any) -> Any:
        return self._spelling.compute(F, *args)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Lets short sequences count, and notes the calls of the kernel."""
    noted: list[Any] = []
    real = F.scaled_dot_product_attention

    def note(*args: Any, **options: Any) -> torch.Tensor:
        noted.append(args)
        return real(*args, **options)

    monkeypatch.setattr(kernels, "_LEAST_MASKED", 0)
    monkeypatch.setattr(kernels.F, "scaled_dot_product_attention", note)
    return noted


EMPTY = {
    "lengths": np.array([0, 3]),
    "valid": np.stack([np.zeros(LENGTH), SIDES["valid"][1]]),
    "causal": np.concatenate([np.zeros((1, LENGTH)), SIDES["causal"][1:]]),
    "far": np.where(np.arange(LENGTH) > 0, SIDES["far"][0].T, -1e9).T[None],
    "row_lengths": np.where(SIDES["row_lengths"] == 3, 0, SIDES["row_lengths"]),
}
"""Sides for which some queries have no keys."""


def make_inputs(spelling: Spelling, sides: dict[str, Any] = SIDES) -> list[Any]:
    draws = np.random.default_rng(5)
    make = mx.nd.array if spelling.dialect == "nd" else mx.np.array
    data = [draws.normal(size=(BATCH, LENGTH, UNITS)) for _ in range(3)]
    return [make(i, dtype="float32") for i in (*data, *(sides[name] for name in spelling.sides))]


def run(spelling: Spelling, inputs: list[Any], *, hybrid: bool, training: bool) -> list[np.ndarray]:
    """Returns the result, and in training the gradients of queries, keys and values."""
    scope = mx.util.np_array(spelling.dialect == "np"), mx.util.np_shape(spelling.dialect == "np")
    with scope[0], scope[1]:
        block = Attention(spelling)
        if hybrid:
            block.hybridize(strict=True)
        if not training:
            return [block(*inputs).asnumpy()]
        for item in inputs[:3]:
            item.attach_grad()
        with mx.autograd.record():
            result = block(*inputs)
            head = (result * result.reshape((-1,)).size * 0.01 + 1) * result
        head.backward()
        return [result.asnumpy(), *(item.grad.asnumpy() for item in inputs[:3])]


@pytest.mark.parametrize("name", NAMES)
def test_a_prediction_is_one_call_of_the_kernel(name: str, calls: list[Any]) -> None:
    spelling = SPELLINGS[name]
    inputs = make_inputs(spelling)
    expected = run(spelling, inputs, hybrid=False, training=False)
    assert not calls
    results = run(spelling, inputs, hybrid=True, training=False)
    assert len(calls) == 1
    np.testing.assert_allclose(results[0], expected[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_training_gives_the_imperative_gradients(name: str, calls: list[Any]) -> None:
    spelling = SPELLINGS[name]
    if name == "dropped_weights":
        pytest.skip("draws other numbers, see test_attention.py")
    inputs = make_inputs(spelling)
    expected = run(spelling, inputs, hybrid=False, training=True)
    assert not calls
    results = run(spelling, inputs, hybrid=True, training=True)
    assert len(calls) == int(spelling.learns)
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


CHOOSING = {"lengths", "valid", "causal", "row_lengths"}
"""Sides that hand no gradient on."""
UNPROVEN = {"masked_as_the_first_gpt", "np_where_multiplied"}
"""Masks that are multiplied, and given: a GPU is not asked whether they are zeros and ones."""


def plan_for_gpu(spelling: Spelling, inputs: list[Any], setting: Setting) -> Plan:
    """Returns the plan of a spelling on a GPU."""
    with mx.util.np_array(spelling.dialect == "np"), mx.util.np_shape(spelling.dialect == "np"):
        block = Attention(spelling)
        block.hybridize(strict=True)
        block(*inputs)
        compiled = next(iter(block._mx_hybrid._graphs.values()))
    if isinstance(compiled, dict):  # for arrays of some shapes
        compiled = next(iter(compiled.values()))
    program = compiled.run._bound.program
    module = lower(program.graph, program.names, setting, {})
    return Plan(module, {}, setting)


@pytest.mark.skipif(sys.platform != "linux", reason="torch is patched by its symbols")
@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_a_gpu_would_be_asked_for_one_call_and_for_no_value(
    name: str, dtype: torch.dtype, calls: list[Any]
) -> None:
    spelling = SPELLINGS[name]
    if dtype is not torch.float32 and name == "in_single_precision":
        pytest.skip("the weights it makes do not fit its values")
    inputs = make_inputs(spelling)
    for training in (False, True):
        setting = Setting(training=training, recording=training, device=GPU, generator=None)
        plan = plan_for_gpu(spelling, inputs, setting)
        calls.clear()
        with fake_gpu():
            tensors = [
                torch.empty(item.shape, dtype=dtype, device=GPU).requires_grad_(
                    training and side not in CHOOSING
                )
                for item, side in zip(inputs, ("", "", "", *spelling.sides), strict=True)
            ]
            with capturing(True), watching():
                results = plan(tensors)
                go_back([item for item in results if item.requires_grad])
        assert len(calls) == int(name not in UNPROVEN)
        assert results[0].dtype == dtype


MASKED = [name for name, spelling in SPELLINGS.items() if {*spelling.sides} & {*EMPTY}]


@pytest.mark.parametrize("training", [False, True], ids=["prediction", "training"])
@pytest.mark.parametrize("name", MASKED)
def test_queries_without_keys_have_the_imperative_results(
    name: str, training: bool, calls: list[Any]
) -> None:
    spelling = SPELLINGS[name]
    inputs = make_inputs(spelling, {**SIDES, **EMPTY})
    expected = run(spelling, inputs, hybrid=False, training=training)
    results = run(spelling, inputs, hybrid=True, training=training)
    assert len(calls) < 2
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)
