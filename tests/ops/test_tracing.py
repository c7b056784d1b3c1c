"""Every operator is traced by a compiler without a break, or is listed with the reason."""

from __future__ import annotations

import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ops.core.registry import get_op

from .harness import VALID, parse_call, supplied
from .samples.core import Sample

CUT = {
    "CTCLoss": "On a CPU labels beyond the last class are refused.",
    "Custom": "A program of the user runs.",
    "ROIPooling": "On a CPU regions of images that do not exist are refused, as by all of ROI.",
    "_contrib_DeformablePSROIPooling": "See `ROIPooling`.",
    "_contrib_PSROIPooling": "See `ROIPooling`.",
    "_contrib_ROIAlign": "See `ROIPooling`.",
    "_contrib_RROIAlign": "See `ROIPooling`.",
    "_contrib_calibrate_entropy": "The host searches a histogram.",
    "_contrib_dynamic_reshape": "The shape is an array.",
    "_contrib_intgemm_fully_connected": "A CPU multiplies bytes by a kernel that looks at them.",
    "_contrib_quantized_conv": "A CPU calls oneDNN, of which compilers know no shapes.",
    "_contrib_quantized_fully_connected": "See `_contrib_intgemm_fully_connected`.",
    "_image_random_color_jitter": "The order of the steps is drawn on the host.",
    "_image_random_resized_crop": "The host computes how to scale what is cut out, by its size.",
    "_npi_bernoulli": "What are no probabilities is refused.",
    "_npi_bincount": "The result is as long as the largest number.",
    "_npi_choice": "Compilers do not trace integers that are drawn.",
    "_npi_eig": "Eigenvalues that are complex are refused.",
    "_npi_eigvals": "See `_npi_eig`.",
    "_npi_insert_tensor": "Positions beyond the axis are refused.",
    "_npi_lstsq": "The deviations are empty unless the rank is full.",
    "_npi_multinomial": "What are no probabilities is refused.",
    "_npi_random_randint": "Compilers do not trace integers that are drawn.",
    "_npi_share_memory": "It asks for addresses, which data that is traced does not have.",
    "_npx_constraint_check": "It raises if a constraint does not hold.",
    "_npx_index_add": "Positions beyond the axis are refused.",
    "_npx_index_update": "Positions beyond the axis are refused.",
    "_random_randint": "Compilers do not trace integers that are drawn.",
    **{
        name: "Whether a fused kernel fits is asked of weights in memory."
        for name in (
            *("adam_update", "mp_sgd_update", "multi_mp_sgd_mom_update", "multi_mp_sgd_update"),
            *("multi_sgd_update", "sgd_update"),
        )
    },
}
"""Operators around which a graph is cut, at least for their first sample, with the reason."""

FIRST = {get_op(p.values[1].op).name: p.values[1] for p in reversed(VALID)}
"""The first sample of each operator."""


def is_traced(sample: Sample) -> bool:
    op, attrs = parse_call(sample)
    tensors = [None if a is None else torch.tensor(a) for a in sample.make_inputs()]
    more = supplied(op, sample.train)
    torch._dynamo.reset()

    def run(*tensors):
        return op.kernel(*tensors, **attrs, **more)

    try:
        torch.compile(run, backend="eager", fullgraph=True)(*tensors)
    except (torch._dynamo.exc.TorchDynamoException, RuntimeError):
        return False
    return True


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # of torch's
def test_operators_are_traced_without_a_break():
    cut = {name for name, sample in FIRST.items() if not is_traced(sample)}
    assert sorted(cut ^ CUT.keys()) == []
