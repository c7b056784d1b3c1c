"""What declarations say of operators agrees with their signatures and kernels."""

from __future__ import annotations

import pytest
import torch

from mxnet.contrib import amp
from mxnet.ops.core.registry import all_ops
from mxnet.ops.meta import infer
from mxnet.ops.rules import shape_rules

ROLES = {
    "addition": (("lhs", "rhs"), ()),
    "concatenation": (None, ("dim",)),
    "convolution": (
        ("data", "weight", "bias"),
        ("kernel", "stride", "dilate", "pad", "num_group", "no_bias", "layout"),
    ),
    "deconvolution": (
        ("data", "weight", "bias"),
        ("kernel", "stride", "dilate", "pad", "num_group", "no_bias", "layout"),
    ),
    "dense": (("data", "weight", "bias"), ("flatten", "no_bias")),
    "division": (("lhs", "rhs"), ()),
    "normalization": (
        ("data", "gamma", "beta", "moving_mean", "moving_var"),
        ("eps", "fix_gamma", "output_mean_var"),
    ),
    "pooling": (("data",), ("pool_type", "kernel", "pad", "global_pool", "pooling_convention")),
    "movement": (None, ()),
    "broadcast_addition": (("lhs", "rhs"), ()),
    "comparison": (None, ()),
    "dropout": (("data",), ("p", "mode", "axes")),
    "multiplication": (("lhs", "rhs"), ()),
    "ones": (("data",), ()),
    "selection": (("condition", "x", "y"), ()),
    "sequence_mask": (("data", "sequence_length"), ("use_sequence_length", "value", "axis")),
    "split": (("data",), ("num_outputs", "axis", "squeeze_axis")),
    "softmax": (("data", "length"), ("axis", "temperature", "dtype", "use_length")),
    "subtraction": (("lhs", "rhs"), ()),
}
"""Inputs and attributes that passes over graphs read of an operator in a role."""


def list_named_inputs(op):
    """Lists the inputs that the traits of an operator name."""
    traits = op.traits
    same = traits.shapes.same if isinstance(traits.shapes.same, tuple) else ()
    single = () if traits.types.dtype_input is None else (traits.types.dtype_input,)
    return {
        *same,
        *single,
        *traits.types.statistics,
        *traits.types.assumed,
        *traits.variables.fixed,
        *traits.variables.initializers,
    }


NAMING = [op for op in all_ops() if list_named_inputs(op)]


@pytest.mark.parametrize("op", NAMING, ids=lambda op: op.name)
def test_traits_name_inputs_that_exist(op):
    inputs = {item.name for item in op.inputs}
    if op.variadic:  # the attributes tell the names of the inputs
        inputs |= set(op.input_names({"sample_type": "bilinear", "num_args": 2}))
    assert list_named_inputs(op) <= inputs
    assert set(op.traits.variables.fixed.values()) <= set(op.attrs)


# Nobody initializes a quantized network.
WITH_STATES = [op for op in all_ops() if op.aux and op.traits.types.rule is None]


@pytest.mark.parametrize("op", WITH_STATES, ids=lambda op: op.name)
def test_auxiliary_states_have_initializers(op):
    assert set(op.aux) <= set(op.traits.variables.initializers)


IN_ROLES = [op for op in all_ops() if op.traits.role is not None]


@pytest.mark.parametrize("op", IN_ROLES, ids=lambda op: op.name)
def test_operators_have_what_their_role_promises(op):
    inputs, attrs = ROLES[op.traits.role]
    names = tuple(item.name for item in op.inputs)
    assert names == inputs if inputs is not None else names
    assert set(attrs) <= set(op.attrs)


NAMED_OUTPUTS = [op for op in all_ops() if isinstance(op.traits.labels.outputs, tuple)]
NAMED_OUTPUTS = [op for op in NAMED_OUTPUTS if op.traits.labels.outputs]


@pytest.mark.parametrize("op", NAMED_OUTPUTS, ids=lambda op: op.name)
def test_names_of_outputs_differ(op):
    names = op.traits.labels.outputs
    assert len(set(names)) == len(names)
    if isinstance(op.num_outputs, int):
        assert len(names) >= op.num_outputs


BROADCASTING = [op for op in all_ops() if op.traits.shapes.quick is shape_rules.broadcast]


@pytest.mark.parametrize("op", BROADCASTING, ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64], ids=str)
def test_broadcasting_operators_follow_their_rule(op, dtype):
    shapes = [(2, 1, 4), (1, 3, 4)]
    ((shape, result),) = infer(op, shapes, [dtype, dtype], {})
    assert shape == shape_rules.broadcast(shapes, {})
    assert result is dtype


LOW = [op for op in all_ops() if op.traits.low_precision]


@pytest.mark.parametrize("op", LOW, ids=lambda op: op.name)
def test_precision_stands_in_declarations_where_lists_are_silent(op):
    names = {op.name, *op.aliases}
    for dtype in ("float16", "bfloat16"):
        listed = {
            *amp.list_lp16_ops(dtype),
            *amp.list_fp32_ops(dtype),
            *amp.list_lp16_fp32_ops(dtype),
            *amp.list_widest_type_cast(dtype),
        }
        if names.isdisjoint(listed):
            return
    pytest.fail(f"lists of the original say what {op.name} computes in")
