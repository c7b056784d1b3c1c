"""Attention written as single steps is one call in a plan, with their results and gradients."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.graph.lower import Setting, lower
from mxnet.graph.passes import attention_call, attention_fusion
from mxnet.graph.run.plan import Plan
from mxnet.ops.nn import attention as kernels
from mxnet.test_utils import environment

CPU = torch.device("cpu")
TRAINING = Setting(training=True, recording=True, device=CPU, generator=None)
PREDICTION = Setting(training=False, recording=False, device=CPU, generator=None)
BATCH, HEADS, LENGTH, OTHER, SIZE = 2, 3, 5, 4, 8

sym = mx.sym
contrib = mx.sym.contrib


@pytest.fixture(autouse=True)
def short_sequences_count(monkeypatch):
    monkeypatch.setattr(kernels, "_LEAST_MASKED", 0)


def draw(*shape, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(len(shape))).to(dtype)


def self_attention(weigh, **sides):
    """Returns attention of interleaved projections, and its inputs."""
    data = sym.var("data")
    scores = contrib.interleaved_matmul_selfatt_qk(data, heads=HEADS)
    result = contrib.interleaved_matmul_selfatt_valatt(
        data, weigh(scores, *map(sym.var, sides)), heads=HEADS
    )
    return result, {"data": draw(LENGTH, BATCH, HEADS * 3 * SIZE), **sides}


def cross_attention(weigh, **sides):
    """Returns attention of a decoder to an encoder, and its inputs."""
    queries, memory = sym.var("queries"), sym.var("memory")
    scores = contrib.interleaved_matmul_encdec_qk(queries, memory, heads=HEADS)
    result = contrib.interleaved_matmul_encdec_valatt(
        memory, weigh(scores, *map(sym.var, sides)), heads=HEADS
    )
    inputs = {
        "queries": draw(LENGTH, BATCH, HEADS * SIZE),
        "memory": draw(LENGTH, BATCH, HEADS * 2 * SIZE),
    }
    return result, {**inputs, **sides}


def plain_attention(weigh, **sides):
    """Returns attention of batches of matrices, and its inputs."""
    scores = sym.batch_dot(sym.var("queries"), sym.var("keys"), transpose_b=True)
    weights = weigh(scores, *map(sym.var, sides))
    result = sym.batch_dot(weights, sym.var("values"))
    inputs = {name: draw(BATCH * HEADS, LENGTH, SIZE) for name in ("queries", "keys", "values")}
    return result, {**inputs, **sides}


WRITINGS = [self_attention, cross_attention, plain_attention]
SHAPE = (BATCH * HEADS, LENGTH, LENGTH)
LENGTHS = torch.tensor([5, 3, 0, 1, 4, 2], dtype=torch.int32).view(-1, 1).expand(SHAPE[:2])
MASK = (torch.arange(LENGTH) < LENGTHS[..., None]).float()  # of the third batch no key counts


def forbid(scores, mask, value=-1e18):
    return sym.where(mask, scores, value * sym.ones_like(scores))


def by_mask(scores, mask):
    """Masks as GluonNLP does, with a mask that the graph computes."""
    mask = sym.broadcast_greater(mask, sym.zeros((1, 1, 1)))
    return sym.softmax(forbid(scores, mask)) * mask


WEIGHTS = {
    "plain": (sym.softmax, {}),
    "scaled": (lambda scores: sym.softmax(scores / 3.0 * 2.0), {}),
    "temperature": (lambda scores: sym.softmax(scores, temperature=1.5), {}),
    "length": (
        lambda scores, length: sym.softmax(scores, length, use_length=True),
        {"length": LENGTHS.contiguous()},
    ),
    "mask that is computed": (by_mask, {"mask": MASK}),
    "mask that is given": (
        lambda scores, mask: sym.softmax(forbid(scores, mask)) * mask,
        {"mask": MASK},
    ),
    "mask of scores alone": (
        lambda scores, mask: sym.softmax(forbid(scores, mask, -1e6)),
        {"mask": MASK},
    ),
    "mask and bias": (
        lambda scores, mask, bias: sym.softmax(forbid(sym.broadcast_add(scores, bias), mask)),
        {"mask": MASK, "bias": draw(1, LENGTH, LENGTH)},
    ),
    "bias, then scaled": (
        lambda scores, bias: sym.softmax((bias + scores) / 2.0),
        {"bias": draw(*SHAPE)},
    ),
    "large negative bias": (
        lambda scores, bias: sym.softmax(sym.broadcast_add(scores, bias)),
        {"bias": (1 - MASK) * -1e18},
    ),
    "infinite bias": (
        lambda scores, bias: sym.softmax(sym.broadcast_add(scores, bias)),
        {"bias": torch.zeros(SHAPE).masked_fill(MASK == 0, -torch.inf)},
    ),
}


def lower_both(result, names, setting):
    plan = Plan(lower(result._graph, names, setting, {}), {}, setting)
    return plan, lower(result._graph, names, setting, {})


def is_fused(plan):
    names = [getattr(node.target, "__qualname__", "") for node in plan.module.graph.nodes]
    return f"{attention_fusion.make_function.__qualname__}.<locals>.attention" in names


def run(function, inputs, dtype):
    """Returns the result and the gradients of what is not a mask."""
    tensors = [
        (item if item.dtype is torch.int32 else item.to(dtype)).requires_grad_(
            name in ("data", "queries", "memory", "keys", "values")
        )
        for name, item in ((name, item.clone()) for name, item in inputs.items())
    ]
    result = function(tensors)[0]
    head = (
        torch.linspace(-1, 1, result.numel(), device=result.device)
        .view(result.shape)
        .to(result.dtype)
    )
    result.backward(head)
    return [result.detach(), *(item.grad for item in tensors if item.requires_grad)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("weigh", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("write", WRITINGS, ids=lambda write: write.__name__)
def test_a_fused_attention_has_the_results_and_gradients_of_its_steps(write, weigh, dtype):
    function, sides = weigh
    result, inputs = write(function, **sides)
    plan, module = lower_both(result, list(inputs), TRAINING)
    assert is_fused(plan)
    fused = run(plan, inputs, dtype)
    plain = run(lambda tensors: module(*tensors), inputs, dtype)
    for one, other in zip(fused, plain, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5, equal_nan=True)


@pytest.fixture
def fused_calls(monkeypatch):
    """Counts the calls of the fused kernel."""
    calls = []
    real = kernels.attend

    def count(*args, **options):
        calls.append(options)
        return real(*args, **options)

    monkeypatch.setattr(attention_call, "attend", count)
    return calls


@pytest.mark.parametrize("weigh", WEIGHTS.values(), ids=WEIGHTS)
def test_single_precision_on_a_cpu_goes_through_the_fused_kernel(weigh, fused_calls):
    function, sides = weigh
    result, inputs = self_attention(function, **sides)
    plan, _ = lower_both(result, list(inputs), PREDICTION)
    plan(list(inputs.values()))
    assert len(fused_calls) == 1


def test_masks_of_short_sequences_are_left_to_the_steps(fused_calls, monkeypatch):
    monkeypatch.setattr(kernels, "_LEAST_MASKED", LENGTH * LENGTH * BATCH * HEADS + 1)
    function, sides = WEIGHTS["length"]
    result, inputs = self_attention(function, **sides)
    plan, _ = lower_both(result, list(inputs), PREDICTION)
    plan(list(inputs.values()))
    assert not fused_calls


def test_other_numbers_than_zero_and_one_scale_the_weights(fused_calls):
    weigh, _ = WEIGHTS["mask that is given"]
    result, inputs = plain_attention(weigh, mask=MASK * 2)
    plan, module = lower_both(result, list(inputs), PREDICTION)
    tensors = list(inputs.values())
    torch.testing.assert_close(plan(tensors), module(*tensors))
    assert not fused_calls


@pytest.mark.parametrize(
    "weigh",
    [
        lambda scores, _: sym.softmax(scores, axis=1),
        lambda scores, mask: sym.softmax(sym.broadcast_mul(scores, mask)),
        lambda scores, _: sym.softmax(sym.transpose(scores, axes=(0, 2, 1))),
        lambda scores, mask: sym.softmax(forbid(scores, mask, -np.inf)),
    ],
    ids=["axis", "factors of keys", "transposed", "queries without keys"],
)
@pytest.mark.parametrize("setting", [TRAINING, PREDICTION], ids=["training", "prediction"])
def test_what_no_kernel_does_is_left_to_the_steps(weigh, setting, fused_calls):
    result, inputs = plain_attention(weigh, mask=MASK)
    plan, module = lower_both(result, list(inputs), setting)
    assert is_fused(plan)
    tensors = list(inputs.values())
    torch.testing.assert_close(plan(tensors), module(*tensors), equal_nan=True)
    assert not fused_calls


def test_arrays_that_only_ask_for_the_shape_of_scores_do_not_compute_them(fused_calls):
    def weigh(scores, mask):
        ones = sym.ones_like(scores)
        mask = sym.broadcast_like(mask, scores)
        return sym.softmax(sym.where(mask, scores, ones * -1e9))

    result, inputs = plain_attention(weigh, mask=MASK[:, :1])
    plan, module = lower_both(result, list(inputs), TRAINING)
    tensors = list(inputs.values())
    torch.testing.assert_close(plan(tensors), module(*tensors))
    assert len(fused_calls) == 1
    products = [call for call in plan.module.graph.nodes if call.operator is not None]
    assert [call.operator.name for call in products] == ["broadcast_like"]


def test_a_mask_that_learns_gets_zeros(fused_calls):
    result, inputs = plain_attention(
        lambda scores, mask: sym.softmax(forbid(scores, mask)) * mask, mask=MASK
    )
    gradients = []
    for function in lower_both(result, list(inputs), TRAINING):
        tensors = [item.clone().requires_grad_() for item in inputs.values()]
        output = function(tensors) if isinstance(function, Plan) else function(*tensors)
        output[0].square().sum().backward()
        gradients.append([item.grad for item in tensors])
    torch.testing.assert_close(*gradients)
    assert not fused_calls


def test_a_bias_that_learns_gets_its_gradient():
    weigh, sides = WEIGHTS["bias, then scaled"]
    result, inputs = plain_attention(weigh, **sides)
    gradients = []
    for function in lower_both(result, list(inputs), TRAINING):
        bias = inputs["bias"].clone().requires_grad_()
        tensors = [*inputs.values()][:-1]
        output = (
            function([*tensors, bias]) if isinstance(function, Plan) else function(*tensors, bias)
        )
        output[0].square().sum().backward()
        gradients.append(bias.grad)
    torch.testing.assert_close(*gradients)


def test_attention_of_four_axes_and_of_other_transpositions():
    scores = sym.batch_dot(sym.var("queries"), sym.var("keys"), transpose_a=True)
    result = sym.batch_dot(sym.softmax(scores), sym.var("values"), transpose_b=True)
    shape = (BATCH, HEADS, SIZE)
    inputs = {
        "queries": draw(*shape, LENGTH),
        "keys": draw(*shape, OTHER),
        "values": draw(*shape, OTHER),
    }
    plan, module = lower_both(result, list(inputs), PREDICTION)
    assert is_fused(plan)
    tensors = list(inputs.values())
    torch.testing.assert_close(plan(tensors), module(*tensors), rtol=1e-5, atol=1e-5)


def test_weights_that_are_returned_stay():
    weights = []
    result, inputs = self_attention(
        lambda scores: weights.append(sym.softmax(scores)) or weights[0]
    )
    plan, _ = lower_both(sym.Group([result, weights[0]]), list(inputs), PREDICTION)
    assert not is_fused(plan)


@pytest.mark.parametrize(
    "weigh",
    [
        lambda scores: sym.softmax(scores, dtype="float64"),
        lambda scores: sym.softmax(scores) * sym.ones((1, 1, 1)),
        lambda scores: sym.softmax(sym.where(scores, scores, -1.0 * sym.ones_like(scores))),
        lambda scores: sym.relu(scores),
        lambda scores: sym.softmax(sym.softmax(scores)),
        lambda scores: sym.Dropout(sym.softmax(scores), p=0.5, axes=(1,)),
        lambda scores: scores,
    ],
    ids=["dtype", "factor", "small", "relu", "twice", "shared dropout", "no softmax"],
)
def test_other_steps_stay(weigh):
    result, inputs = plain_attention(weigh)
    plan, _ = lower_both(result, list(inputs), TRAINING)
    assert not is_fused(plan)


def test_dropout_on_a_cpu_draws_what_the_steps_draw():
    result, inputs = self_attention(lambda scores: sym.Dropout(sym.softmax(scores), p=0.3))
    plan, module = lower_both(result, list(inputs), TRAINING)
    assert is_fused(plan)
    results = []
    for function in (lambda: plan([inputs["data"]]), lambda: module(inputs["data"])):
        mx.random.seed(7)
        results.append(function()[0])
    assert torch.equal(*results)


def test_dropout_of_the_fused_kernel_keeps_the_mean_and_follows_the_seed(monkeypatch):
    monkeypatch.setattr(attention_call, "has_kernel", lambda *_: True)
    result, inputs = self_attention(lambda scores: sym.Dropout(sym.softmax(scores), p=0.3))
    plan, _ = lower_both(result, list(inputs), TRAINING)
    plain, _ = self_attention(sym.softmax)
    expected = lower(plain._graph, ["data"], PREDICTION, {})(inputs["data"])[0]
    mx.random.seed(3)
    first = plan([inputs["data"]])[0]
    total = sum(plan([inputs["data"]])[0] for _ in range(2000)) / 2000
    mx.random.seed(3)
    assert torch.equal(first, plan([inputs["data"]])[0])
    assert not torch.allclose(first, expected)
    torch.testing.assert_close(total, expected, rtol=0, atol=0.06)


def test_the_environment_turns_it_off_and_on():
    result, inputs = self_attention(sym.softmax)
    with environment("MXNET_FUSE_ATTENTION", "0"):
        assert not is_fused(lower_both(result, list(inputs), PREDICTION)[0])
        assert not attention_fusion._is_wanted(torch.device("cuda"))
    assert attention_fusion._is_wanted(CPU)
    assert attention_fusion._is_wanted(torch.device("cuda"))
    with environment("MXNET_FUSE_ATTENTION", "1"):
        assert attention_fusion._is_wanted(torch.device("xpu"))


def test_a_hybridized_block_gives_the_gradients_of_the_imperative_one():
    class Cell(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, data, length):
            scores = F.contrib.interleaved_matmul_selfatt_qk(data, heads=HEADS)
            weights = F.Dropout(F.softmax(scores, length, use_length=True), p=0.0)
            return F.contrib.interleaved_matmul_selfatt_valatt(data, weights, heads=HEADS)

    length = mx.nd.array(LENGTHS.numpy(), dtype="int32")
    outputs = []
    for is_hybrid in (False, True):
        cell = Cell()
        if is_hybrid:
            cell.hybridize()
        data = mx.nd.array(draw(LENGTH, BATCH, HEADS * 3 * SIZE).numpy())
        data.attach_grad()
        with mx.autograd.record():
            result = cell(data, length)
        result.backward()
        outputs.append((result.asnumpy(), data.grad.asnumpy()))
    for one, other in zip(*outputs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("weigh", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("write", WRITINGS, ids=lambda write: write.__name__)
def test_a_gpu_gives_the_results_and_gradients_of_the_steps(write, weigh, dtype):
    device = torch.device("cuda")
    function, sides = weigh
    result, inputs = write(function, **sides)
    inputs = {name: item.to(device) for name, item in inputs.items()}
    setting = TRAINING._replace(device=device)
    with environment("MXNET_FUSE_ATTENTION", "1"):
        plan, module = lower_both(result, list(inputs), setting)
    fused = run(plan, inputs, dtype)
    plain = run(lambda tensors: module(*tensors), inputs, dtype)
    if function is WEIGHTS["large negative bias"][0]:  # whose gradients a GPU has not
        fused, plain = fused[:1], plain[:1]
    if dtype is torch.float16 and "mask" in sides:
        # The scores of forbidden keys are -inf there, so that queries without keys have no result.
        kept = [item.isfinite() for item in plain]
        fused, plain = ([item[k] for item, k in zip(r, kept, strict=True)] for r in (fused, plain))
    tolerance = 1e-4 if dtype is torch.float32 else 3e-2
    for one, other in zip(fused, plain, strict=True):
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)
