"""Every sample through the public functions of `mx.nd`, against the same golden files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet.ops.core.attrs import encode
from mxnet.ops.core.registry import get_op
from tests.bundles import each

from .harness import (
    INVALID,
    VALID,
    assert_agrees,
    expected_results,
    function_of,
    make_array,
    parse_call,
    run_kernel,
    samples_with_golden_results,
    samples_without_golden_results,
)
from .samples.core import Sample

UPDATES_MORE = {"mp_lamb_update_phase2"}
"""Here the original leaves the master copy of the weight behind, so that training stands still."""


def find(name: str) -> Callable[..., Any]:
    """Finds the public function of an operator where the golden script finds the original's."""
    return getattr(mx.nd, name, None) or function_of(name, mx.nd)


def make_arrays(sample: Sample, floats: str | None = None) -> list[mx.nd.NDArray | None]:
    """Makes the arrays of a sample, those of floats with another dtype if asked for."""
    return [
        None
        if item is None
        else make_array(sample, item, floats if item.dtype.kind == "f" else None)
        for item in sample.make_inputs()
    ]


def call(sample: Sample, arrays: list[mx.nd.NDArray | None], **kwargs: Any) -> list[mx.nd.NDArray]:
    """Calls the public function as a user does: missing arrays at the end are left out."""
    given = list(arrays)
    while given and given[-1] is None:
        given.pop()
    mx.random.seed(7)
    result = find(sample.op)(*given, **{**sample.attrs, **kwargs})
    return list(result) if isinstance(result, (list, tuple)) else [result]


def run_recorded(sample: Sample) -> dict[str, np.ndarray]:
    """Runs one sample forward and backward, as the golden script does."""
    arrays = make_arrays(sample)
    variables = {
        index: array
        for index, array in enumerate(arrays)
        if array is not None and np.dtype(array.dtype).kind == "f" and sample.gradient
    }
    for array in variables.values():
        array.attach_grad()
    with mx.autograd.record(train_mode=sample.train):
        outputs = call(sample, arrays)
    result = {f"out{index}": output.asnumpy() for index, output in enumerate(outputs)}
    if variables:
        heads = sample.make_head_gradients([output.asnumpy() for output in outputs])
        mx.autograd.backward(
            outputs, [make_array(sample, head) for head in heads], train_mode=sample.train
        )
        result |= {f"grad{index}": array.grad.asnumpy() for index, array in variables.items()}
    for index, (array, before) in enumerate(zip(arrays, sample.make_inputs(), strict=True)):
        if array is not None and not same(array.asnumpy(), before):
            result[f"state{index}"] = array.asnumpy()
    return result


def same(first: np.ndarray, second: np.ndarray) -> bool:
    """Returns whether two arrays are alike, NaNs included."""
    return np.array_equal(first, second, equal_nan=first.dtype.kind == "f")


@each(samples_with_golden_results())
def test_function_agrees_with_the_original(family: str, sample: Sample):
    result = run_recorded(sample)
    expected = expected_results(family, sample)
    if sample.op in UPDATES_MORE:
        result = {name: value for name, value in result.items() if name in expected}
    assert result.keys() == expected.keys()
    for name, value in expected.items():
        assert_agrees(sample, name, result[name], value)


@each(samples_without_golden_results())
def test_function_agrees_with_the_kernel(_family: str, sample: Sample):
    result = run_recorded(sample)
    expected = run_kernel(sample)
    assert result.keys() == expected.keys()
    for name, value in expected.items():
        assert_agrees(sample, name, result[name], value)


@each(INVALID)
def test_misuse_raises(_family: str, sample: Sample):
    with pytest.raises(mx.MXNetError):
        run_recorded(sample)


@each(VALID)
def test_ways_to_call_agree(_family: str, sample: Sample):
    with mx.autograd.pause(train_mode=sample.train):
        arrays = make_arrays(sample)
        plain = call(sample, arrays)
        values = [item.asnumpy() for item in plain]
        check_memory(arrays, plain)
        check_strings(sample, values)
        check_positions(sample, values)
        check_out(sample, values)


def check_memory(arrays: list[mx.nd.NDArray | None], results: list[mx.nd.NDArray]) -> None:
    """A result has memory of its own: writing to it changes no input."""
    before = [None if array is None else array.asnumpy() for array in arrays]
    for result in results:
        result._plain.copy_(1 - result._plain.double())
    for array, value in zip(arrays, before, strict=True):
        assert array is None or same(array.asnumpy(), value)


def check_strings(sample: Sample, expected: list[np.ndarray]) -> None:
    """Attributes written as in symbol files mean the same."""
    _, attrs = parse_call(sample)
    texts = {name: encode(value) for name, value in attrs.items()}
    results = call(sample, make_arrays(sample), **texts)
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result.asnumpy(), value)


def check_positions(sample: Sample, expected: list[np.ndarray]) -> None:
    """Attributes by position, in the order of the declaration, mean the same as by name."""
    op, attrs = parse_call(sample)
    if op.variadic or not attrs:
        return
    arrays = make_arrays(sample)
    arrays += [None] * (len(op.inputs) - len(arrays))
    mx.random.seed(7)
    given = op.with_defaults(attrs)
    later = {name: given.pop(name) for name in op.later_attrs}  # which are taken by name
    result = find(sample.op)(*arrays, *given.values(), **later)
    results = result if isinstance(result, list) else [result]
    for item, value in zip(results, expected, strict=True):
        np.testing.assert_array_equal(item.asnumpy(), value)


def check_out(sample: Sample, expected: list[np.ndarray]) -> None:
    """`out=` fills the given arrays and returns them."""
    targets = [make_array(sample, np.zeros_like(value)) for value in expected]
    out = targets[0] if len(targets) == 1 else targets
    results = call(sample, make_arrays(sample), out=out)
    assert [id(item) for item in results] == [id(item) for item in targets]
    for target, value in zip(targets, expected, strict=True):
        np.testing.assert_array_equal(target.asnumpy(), value)


OWN_DTYPE = [
    "Cast",
    "_image_to_tensor",
    "_npi_percentile",
    "_npi_bernoulli",
    "_npi_where_scalar2",
    "all_finite",
    "amp_cast",
    "amp_multicast",
    "argsort",
    "multi_all_finite",
    "one_hot",
    "topk",
]
"""Operators whose result has the dtype that is asked for, or a fixed one."""
STEPS = [
    "_equal_scalar",
    "_greater_scalar",
    "_histogram",
    "_lesser_equal_scalar",
    "_not_equal_scalar",
    "_npi_around",
    "_npi_equal_scalar",
    "_npi_greater_scalar",
    "_npi_less_equal_scalar",
    "_npi_not_equal_scalar",
]
"""Operators with samples on a step: another precision gives another result."""
NO_HALF = [
    "BatchNorm",
    "BatchNorm_v1",
    "L2Normalization",
    "_contrib_BatchNormWithReLU",
    "_contrib_SyncBatchNorm",
    "_linalg_det",
    "_linalg_gelqf",
    "_linalg_inverse",
    "_linalg_potrf",
    "_linalg_potri",
    "_linalg_slogdet",
    "_linalg_syevd",
    "_linalg_trsm",
    "_npi_cholesky",
    "_npi_det",
    "_npi_eig",
    "_npi_eigh",
    "_npi_eigvals",
    "_npi_eigvalsh",
    "_npi_inv",
    "_npi_lstsq",
    "_npi_matrix_rank",
    "_npi_matrix_rank_none_tol",
    "_npi_norm",
    "_npi_pinv",
    "_npi_pinv_scalar_rcond",
    "_npi_qr",
    "_npi_slogdet",
    "_npi_solve",
    "_npi_svd",
    "_npi_tensorinv",
    "_npi_tensorsolve",
    "_npx_batch_norm",
]
"""Operators that refuse float16 or want float32 beside it (or whose epsilon is 0 in it)."""
LARGEST_HALF = 6e4


def is_single(sample: Sample) -> bool:
    """Returns whether a sample is of float32 throughout and nothing asks for another dtype."""
    floats = {a.dtype for a in sample.inputs if a is not None and a.dtype.startswith("float")}
    op = get_op(sample.op)
    free = op.name not in (*OWN_DTYPE, *STEPS) and not sample.attrs.keys() & {"dtype", "out_dtype"}
    free = free and op.traits.types.rule is None  # which says what the inputs are
    return floats == {"float32"} and free and not sample.random


def fits_half(sample: Sample, expected: list[np.ndarray]) -> bool:
    """Returns whether the operator takes float16 and all numbers are in its range."""
    arrays = [
        a for a in (*sample.make_inputs(), *expected) if a is not None and a.dtype.kind == "f"
    ]
    finite = [np.abs(a[np.isfinite(a)]).max(initial=0) for a in arrays]
    return sample.op not in NO_HALF and max(finite) < LARGEST_HALF


OTHER_FLOATS = [
    p
    for p in VALID
    if not p.values[1].op.endswith("_update")  # which mix precisions by rules of their own
    and p.values[0] != "optimizer"
    and is_single(p.values[1])
]


@each(OTHER_FLOATS)
def test_other_floats_keep_their_dtype(_family: str, sample: Sample):
    with mx.autograd.pause(train_mode=sample.train):
        expected = [item.asnumpy() for item in call(sample, make_arrays(sample))]
        for dtype, tolerance in (("float64", 1e-3), ("float16", 3e-2)):
            if dtype == "float16" and not fits_half(sample, expected):
                continue
            results = call(sample, make_arrays(sample, dtype))
            for result, value in zip(results, expected, strict=True):
                wanted = dtype if value.dtype == np.float32 else value.dtype
                assert np.dtype(result.dtype) == wanted
                np.testing.assert_allclose(
                    bounded(result.asnumpy()), bounded(value), rtol=tolerance, atol=tolerance
                )


def bounded(array: np.ndarray) -> np.ndarray:
    """Cuts off what lies beyond the range of a narrower dtype, where it becomes infinite."""
    return array.astype(np.float64).clip(-LARGEST_HALF, LARGEST_HALF)
