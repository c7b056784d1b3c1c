"""What messages say of shapes that do not fit: the fact, the inputs and the remedy."""

from __future__ import annotations

import pytest
import torch

from mxnet import nd
from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import explain_shortage
from mxnet.ops.core.kernel_errors import find_devices


def convolve(data, weight, **options):
    kernel = weight[1:-1] if options.get("layout") == "NHWC" else weight[2:]
    options = {"kernel": kernel, "num_filter": weight[0], "no_bias": True} | options
    return lambda: nd.Convolution(nd.ones(data), nd.ones(weight), **options)


def connect(data, weight, **options):
    options = {"num_hidden": weight[0], "no_bias": True} | options
    return lambda: nd.FullyConnected(nd.ones(data), nd.ones(weight), **options)


def of_two(function, left, right, **options):
    return lambda: function(nd.ones(left), nd.ones(right), **options)


CASES = {
    "channels": (convolve((2, 4, 8, 8), (5, 3, 3, 3)), "has 4 channels", "in_channels=4"),
    "channels in groups": (
        convolve((2, 6, 8, 8), (4, 2, 3, 3), num_group=2),
        "weight is for 4",
        "in_channels=6",
    ),
    "channels last": (
        convolve((2, 8, 8, 3), (5, 3, 3, 3)),
        "has 8 channels (axis 1 of layout NCHW)",
        "x.transpose((0, 3, 1, 2)), or make the layer with layout='NHWC'",
    ),
    "channels first": (
        convolve((2, 3, 8, 8), (5, 3, 3, 3), layout="NHWC"),
        "has 8 channels (axis 3 of layout NHWC)",
        "x.transpose((0, 2, 3, 1)), or make the layer with layout='NCHW'",
    ),
    "volumes": (
        convolve((2, 8, 8, 8, 3), (5, 3, 3, 3, 3)),
        "layout NCDHW",
        "x.transpose((0, 4, 1, 2, 3)), or make the layer with layout='NDHWC'",
    ),
    "one image": (convolve((3, 8, 8), (5, 3, 3, 3)), "'NCHW' takes 4 axes", "x.expand_dims(0)"),
    "window": (convolve((2, 3, 2, 2), (5, 3, 3, 3)), "window (3, 3) is larger", "use padding"),
    "padded window": (
        convolve((2, 3, 2, 2), (5, 3, 7, 7), pad=(1, 1)),
        "data (2, 2), with padding (4, 4)",
        "give larger data",
    ),
    "transposed": (
        of_two(nd.Deconvolution, (2, 4, 8, 8), (3, 5, 2, 2), kernel=(2, 2), num_filter=5),
        "has 4 channels",
        "in_channels=4",
    ),
    "features": (connect((4, 20), (3, 10)), "each example of data has 20", "in_units=20"),
    "folded": (connect((4, 5, 10), (3, 10)), "has 50 features", "flatten=False"),
    "last axis": (connect((4, 5), (3, 10), flatten=False), "the last axis of data", "in_units=5"),
    "one vector": (connect((10,), (3, 10)), "has 1 features", "x.expand_dims(0)"),
    "broadcast": (
        of_two(nd.broadcast_add, (32, 10), (32,)),
        "axis -1 is 10 in one and 32 in the other",
        "reshape (32,) to (32, 1)",
    ),
    "transposes": (of_two(nd.broadcast_mul, (2, 3), (3, 2)), "do not fit", "use .T"),
    "dot": (of_two(nd.dot, (2, 3), (2, 3)), "sums over 3 and over 2", "transpose_b=True"),
    "dot of transposes": (
        of_two(nd.dot, (2, 3), (2, 4), transpose_b=True),
        "sums over 3 and over 4",
        "inputs: lhs (2, 3), rhs (2, 4), all float32",
    ),
    "batch_dot": (
        of_two(nd.batch_dot, (5, 3, 2), (5, 3, 4)),
        "sums over 2 and over 3",
        "transpose_a=True",
    ),
    "concat": (
        of_two(nd.concat, (2, 3), (4, 3), dim=1),
        "axis 0 of array 0 is 2, of array 1 4",
        "inputs: (2, 3), (4, 3), all float32",
    ),
    "concat of axes": (of_two(nd.concat, (2, 3), (4,), dim=0), "has 2 axes, array 1 has 1", ""),
    "one-hot": (of_two(nd.pick, (4, 10), (4, 10)), "shape (4,), got (4, 10)", "index.argmax"),
    "labels": (of_two(nd.pick, (4, 10), (5,)), "shape (4,), got (5,)", ""),
    "reshape_like": (of_two(nd.reshape_like, (16,), (32, 1)), "16 elements, not 32", "prediction"),
}


@pytest.mark.parametrize(("call", "fact", "remedy"), CASES.values(), ids=CASES)
def test_misfit_is_explained(call, fact, remedy):
    with pytest.raises(MXNetError) as info:
        call()
    lines = str(info.value).splitlines()
    assert fact in lines[0]
    assert lines[1].startswith("  inputs: ")
    assert remedy in "\n".join(lines[1:])
    assert len(lines) <= 3


@pytest.mark.parametrize(
    ("dtypes", "remedy"),
    [
        (("uint8", "float32"), "Convert the data: x.astype('float32')."),
        (
            ("float16", "float32"),
            "Convert the data: x.astype('float32'), or the network: net.cast('float16').",
        ),
    ],
)
def test_dtypes_that_differ_are_named_with_what_to_do(dtypes, remedy):
    data, weight = (nd.ones((2, 3), dtype=dtype) for dtype in dtypes)
    with pytest.raises(MXNetError, match=f"data is {dtypes[0]}, weight is {dtypes[1]}") as info:
        nd.FullyConnected(data, weight, num_hidden=2, no_bias=True)
    assert str(info.value).endswith(remedy)


def test_devices_that_differ_are_named():
    there = torch.ones(2)
    assert find_devices([there, None, there]) is None
    message = find_devices([there, torch.ones(2, device="meta")])
    assert message == (
        "inputs must be on one device, got cpu and meta; move one of them with x.as_in_context(...)"
    )


def test_memory_of_a_gpu_that_is_short_is_named():
    said = (
        "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 1 has a total capacity of 139.80 GiB "
        "of which 3.12 GiB is free. Process 7 has 130.00 GiB memory in use."
    )
    shortage = explain_shortage("Convolution", torch.OutOfMemoryError(said))
    assert str(shortage) == (
        "Convolution: cannot allocate 20.00 GiB of memory on gpu(1), "
        "where 3.12 GiB of 139.80 GiB are free"
    )
