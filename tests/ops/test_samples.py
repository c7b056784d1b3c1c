"""Every operator on every sample: against the original, by finite differences, on meta tensors."""

from __future__ import annotations

import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import encode
from mxnet.ops.core.registry import all_ops, as_tuple, get_op
from mxnet.ops.meta import infer
from tests.bundles import each

from .harness import (
    ALL,
    INVALID,
    VALID,
    assert_agrees,
    expected_results,
    fill_shapes,
    golden,
    parse_call,
    run_kernel,
    samples_with_golden_results,
    samples_with_inferred_shapes,
    samples_with_slopes,
    samples_with_weights,
    samples_without_golden_results,
    supplied,
    varies,
)
from .samples.core import Sample

NEVER_COMPUTED = {"_contrib_quantized_rnn"}
"""Operators that graphs may have, but that raise when they run, as in the original."""


def test_every_operator_has_a_sample():
    sampled = {get_op(p.values[1].op).name for p in VALID}
    assert {op.name for op in all_ops()} - sampled == NEVER_COMPUTED


def test_every_sample_is_of_an_operator_and_no_two_are_the_same():
    ids = [p.values[1].id for p in ALL]
    for row in ALL:
        sample = row.values[1]
        op = get_op(sample.op)
        # Those whose name is that of NumPy's dialect go by the one that `mx.nd` has.
        assert sample.is_numpy or sample.op == op.name or op.name.startswith("_np_")
    assert len(ids) == len(set(ids))


def test_golden_rows_are_of_these_samples():
    expected: dict[str, dict[str, str]] = {p.values[0]: {} for p in ALL}
    for p in samples_with_golden_results():
        family, sample = p.values
        expected[family][sample.id] = sample.digest
    for family, digests in expected.items():
        assert {key: digest for key, (digest, _) in golden(family).items()} == digests, family


def test_a_sample_that_the_original_does_not_judge_says_why():
    assert [p.id for p in samples_without_golden_results() if not p.values[1].why] == []


@each(samples_with_golden_results())
def test_kernel_agrees_with_the_original(family: str, sample: Sample):
    result = run_kernel(sample)
    expected = expected_results(family, sample)
    assert {k for k in expected if k.startswith("out")} == {
        k for k in result if k.startswith("out")
    }
    for name, value in expected.items():
        if name.startswith("grad") and name not in result:
            assert not value.any()
            continue
        assert_agrees(sample, name, result[name], value)


@each(INVALID)
def test_misuse_raises(_family: str, sample: Sample):
    with pytest.raises((MXNetError, RuntimeError, IndexError, ValueError, TypeError)):
        run_kernel(sample)


@each(samples_with_slopes())
def test_gradient_is_the_slope(_family: str, sample: Sample):
    op, attrs = parse_call(sample)
    inputs = []
    for index, array in enumerate(sample.make_inputs()):
        tensor = None if array is None else torch.tensor(array)
        if tensor is not None and tensor.is_floating_point():
            # An empty array has no slope, and gradcheck refuses it.
            tensor = tensor.double().requires_grad_(varies(op, index) and tensor.numel() > 0)
        inputs.append(tensor)

    def function(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        fresh = [t.clone() if t is not None and not t.requires_grad else t for t in tensors]
        outputs = as_tuple(op.kernel(*fresh, **attrs, **supplied(op, sample.train)))
        return tuple(o for o in outputs[: op.count_outputs(attrs)] if o.requires_grad)

    assert function(*inputs)
    assert torch.autograd.gradcheck(function, inputs, eps=1e-5, atol=1e-3, rtol=1e-3)


@each(samples_with_inferred_shapes())
def test_inferred_shape_is_the_shape_computed(_family: str, sample: Sample):
    op, attrs = parse_call(sample)
    tensors = [None if a is None else torch.tensor(a) for a in sample.make_inputs()]
    computed = as_tuple(op.kernel(*tensors, **attrs, **supplied(op, sample.train)))
    inferred = infer(
        op,
        [None if t is None else tuple(t.shape) for t in tensors],
        [None if t is None else t.dtype for t in tensors],
        attrs,
        training=sample.train,
    )
    assert inferred == [(tuple(t.shape), t.dtype) for t in computed]


@each(VALID)
def test_attributes_survive_their_strings(_family: str, sample: Sample):
    op, attrs = parse_call(sample)
    assert op.parse_attrs({name: encode(value) for name, value in attrs.items()}) == attrs


@each(samples_with_weights())
def test_filled_shapes_are_those_of_the_inputs(_family: str, sample: Sample):
    arrays = sample.make_inputs()
    filled = fill_shapes(sample)
    assert filled == {index: arrays[index].shape for index in filled}
