"""The rules for shapes of frequent operators give what the kernels give."""

from __future__ import annotations

import pytest
import torch

from mxnet.graph.infer.kernels import find_quickly, is_like_inputs, keeps_dtype
from mxnet.ops.core.registry import Op, all_ops, get_op
from mxnet.ops.meta import infer

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
SHAPES = ((1,), (2, 3), (2, 3, 4, 5))
PLAIN = [op for op in all_ops() if is_like_inputs(op, [torch.float32])]
NEEDED = {"Activation": {"act_type": "tanh"}, "clip": {"a_min": -1, "a_max": 1}}


def count_inputs(op: Op) -> int:
    return 3 if op.variadic else len([item for item in op.inputs if not item.optional])


@pytest.mark.parametrize("op", PLAIN, ids=lambda op: op.name)
def test_operators_like_their_inputs(op: Op):
    required = {"scalar": 2.0} if "scalar" in op.attrs else {}
    attrs = op.parse_attrs(NEEDED.get(op.name, required))
    count = count_inputs(op)
    for dtype in FLOATS:
        for shape in SHAPES:
            found = infer(op, [shape] * count, [dtype] * count, attrs)
            assert found[0] == (shape, dtype)


def test_mixed_and_whole_numbers_are_left_to_the_kernel():
    add = get_op("elemwise_add")
    assert not is_like_inputs(add, [torch.int32, torch.int32])
    assert not is_like_inputs(add, [torch.float32, torch.float16])
    assert not keeps_dtype(get_op("Concat"), [torch.float32, torch.float64])


CONVOLUTION = {"kernel": (3, 3), "num_filter": 6}
IMAGE = (2, 4, 9, 8)
CASES = [
    ("FullyConnected", [(2, 3, 4), (5, 12), (5,)], {"num_hidden": 5}),
    ("FullyConnected", [(2, 3, 4), (5, 4), (5,)], {"num_hidden": 5, "flatten": False}),
    ("FullyConnected", [(2, 12), (5, 12), None], {"num_hidden": 5, "no_bias": True}),
    ("Convolution", [IMAGE, (6, 4, 3, 3), (6,)], CONVOLUTION),
    (
        "Convolution",
        [IMAGE, (6, 2, 3, 3), None],
        {**CONVOLUTION, "num_group": 2, "no_bias": True, "stride": (2, 3), "pad": (1, 2)},
    ),
    ("Convolution", [IMAGE, (6, 4, 3, 3), (6,)], {**CONVOLUTION, "dilate": (2, 3)}),
    ("Convolution", [IMAGE, (6, 4, 3, 3), (6,)], {**CONVOLUTION, "layout": "NCHW"}),
    ("Convolution", [(2, 4, 9), (6, 4, 3), (6,)], {"kernel": (3,), "num_filter": 6}),
    (
        "Convolution",
        [(1, 2, 5, 6, 7), (3, 2, 2, 3, 1), (3,)],
        {"kernel": (2, 3, 1), "num_filter": 3, "layout": "NCDHW"},
    ),
    ("Pooling", [IMAGE], {"kernel": (2, 3), "stride": (2, 2), "pad": (1, 1)}),
    ("Pooling", [IMAGE], {"kernel": (3, 3), "pool_type": "avg", "layout": "NCHW"}),
    ("Pooling", [IMAGE], {"global_pool": True, "pool_type": "avg"}),
    ("Pooling", [(2, 4, 9)], {"kernel": (2,)}),
    ("Pooling", [(1, 2, 5, 6, 7)], {"global_pool": True}),
    ("BatchNorm", [IMAGE, *[(4,)] * 4], {}),
    ("BatchNorm", [(2, 3, 4), *[(4,)] * 4], {"axis": -1}),
    ("Concat", [(2, 3), (2, 4), (2, 1)], {}),
    ("Concat", [(2, 3, 4), (5, 3, 4)], {"dim": -3}),
    ("broadcast_add", [(2, 1, 4), (1, 3, 4)], {}),
    ("broadcast_div", [(2, 3), (2, 3)], {}),
]


@pytest.mark.parametrize(("name", "shapes", "given"), CASES)
def test_rules_agree_with_kernels(name, shapes, given):
    op = get_op(name)
    attrs = op.parse_attrs(given)
    for dtype in FLOATS[2:] if op.aux else FLOATS:
        dtypes = [None if shape is None else dtype for shape in shapes]
        shape = find_quickly(op, shapes, dtypes, op.with_defaults(attrs))
        assert (shape, dtype) == infer(op, shapes, dtypes, attrs)[0]


MISFITS = [
    ("FullyConnected", [(2, 3), (5, 4), (5,)], {"num_hidden": 5}),
    ("FullyConnected", [(2, 4), (5, 4), (6,)], {"num_hidden": 5}),
    ("Convolution", [IMAGE, (6, 3, 3, 3), (6,)], CONVOLUTION),
    ("Convolution", [(2, 4, 2, 2), (6, 4, 3, 3), (6,)], CONVOLUTION),
    ("Convolution", [(2, 9, 8, 4), (6, 3, 3, 4), (6,)], {**CONVOLUTION, "layout": "NHWC"}),
    ("Pooling", [IMAGE], {"kernel": (20, 20)}),
    ("Pooling", [IMAGE], {"kernel": (2, 2), "pooling_convention": "full"}),
    ("Pooling", [IMAGE], {"kernel": (2, 2), "pad": (2, 2)}),
    ("BatchNorm", [IMAGE, (4,), (4,), (4,), (5,)], {}),
    ("Concat", [(2, 3), (3, 3)], {}),
    ("Concat", [(2, 3), (2, 3, 4)], {}),
    ("broadcast_add", [(2, 3), (2, 4)], {}),
    ("broadcast_add", [(3,), (2, 3)], {}),
]


@pytest.mark.parametrize(("name", "shapes", "given"), MISFITS)
def test_rules_leave_the_unusual_to_the_kernel(name, shapes, given):
    op = get_op(name)
    settings = op.with_defaults(op.parse_attrs(given))
    assert find_quickly(op, shapes, [torch.float32] * len(shapes), settings) is None
