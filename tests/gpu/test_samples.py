"""Every operator sample on an accelerator, against the golden results of the original's CPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from tests.bundles import each

from ..ops.harness import (
    VALID,
    expected_results,
    samples_with_golden_results,
    samples_without_golden_results,
)
from ..ops.samples.core import Sample
from ..ops.test_frontend_samples import run_recorded

pytestmark = pytest.mark.gpu

UNORDERED = {"scatter_nd", "_contrib_index_copy", "_scatter_set_nd"}
"""Which of several values for one index wins is not defined on a GPU."""


SORTED_UP_TO = 16
"""Elements of an axis of which the CPU sorts all to find the largest."""

PRODUCTS = {"dot", "batch_dot"}
"""Of integers neither torch nor the original computes these on a GPU."""


@pytest.fixture(autouse=True)
def exact_products(monkeypatch):
    """Lets convolutions use all digits, which torch gives up by default for speed."""
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", False)


def has_order_of_a_heap(sample: Sample) -> bool:
    """Returns whether equal elements come in an order that only the CPU has."""
    return sample.op == "topk" and max(sample.inputs[0].shape) > SORTED_UP_TO


def is_refused(sample: Sample) -> bool:
    """Returns whether a sample is a product of integers, which no GPU computes."""
    return sample.op in PRODUCTS and sample.inputs[0].dtype.startswith(("int", "uint"))


@each([p for p in VALID if is_refused(p.values[1])])
def test_products_of_integers_are_refused(_family: str, sample: Sample):
    with pytest.raises(mx.MXNetError), mx.gpu():
        run_recorded(sample)


@each([p for p in samples_with_golden_results() if not is_refused(p.values[1])])
def test_gpu_agrees_with_the_original(family: str, sample: Sample):
    with mx.gpu():
        result = run_recorded(sample)
    for name, value in expected_results(family, sample).items():
        assert result[name].dtype == value.dtype, name
        assert result[name].shape == value.shape, name
        if not (sample.random or sample.op in UNORDERED or has_order_of_a_heap(sample)):
            np.testing.assert_allclose(
                result[name],
                value,
                rtol=max(sample.rtol, 1e-3),
                atol=max(sample.atol, 1e-4),
                err_msg=name,
            )


@each([p for p in samples_without_golden_results() if not is_refused(p.values[1])])
def test_gpu_gives_the_shapes_of_the_cpu(_family: str, sample: Sample):
    expected = run_recorded(sample)
    with mx.gpu():
        result = run_recorded(sample)
    described = [
        {name: (array.dtype, array.shape) for name, array in arrays.items()}
        for arrays in (result, expected)
    ]
    assert described[0] == described[1]


@pytest.mark.parametrize("is_ascend", [False, True])
@pytest.mark.parametrize("size", [41, 3000])
def test_the_largest_on_a_gpu_are_the_first_of_equal_ones(size: int, is_ascend: bool):
    data = np.random.RandomState(1).randint(0, 9, (3, size)).astype("float32")
    expected = np.argsort(data if is_ascend else -data, axis=1, kind="stable")[:, :5]
    found = mx.nd.topk(mx.nd.array(data, ctx=mx.gpu()), k=5, is_ascend=is_ascend, dtype="int32")
    np.testing.assert_array_equal(found.asnumpy(), expected)
