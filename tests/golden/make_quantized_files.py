"""Quantizes a small network by the original MXNet 1.9.1 and stores its files and what it computes.

Run by the interpreter of the environment that has the original:

    python tests/golden/make_quantized_files.py

Writes `tests/golden/quantized/`: symbol, parameters, data and the output for them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402
from mxnet.contrib import quantization  # noqa: E402

FOLDER = Path(__file__).with_name("quantized")


def _network():
    """Returns a residual block, branches that are joined, pooling and dense layers."""
    data = mx.sym.var("data")

    def conv(source, name, **options):
        options = {"kernel": (3, 3), "pad": (1, 1), "num_filter": 6, **options}
        layer = mx.sym.Convolution(source, name=name, **options)
        return mx.sym.BatchNorm(layer, name=f"{name}_bn")

    def relu(source, name):
        return mx.sym.Activation(source, act_type="relu", name=name)

    first = relu(conv(data, "c1"), "r1")
    shortcut = conv(first, "c2", kernel=(1, 1), pad=(0, 0), no_bias=True)
    block = relu(mx.sym.elemwise_add(conv(first, "c3"), shortcut, name="sum"), "r2")
    pooled = mx.sym.Pooling(block, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    depthwise = mx.sym.clip(conv(pooled, "c4", num_group=6), 0, 6, name="relu6")
    joined = mx.sym.concat(depthwise, conv(pooled, "c5"), name="join")
    hidden = relu(mx.sym.FullyConnected(joined, num_hidden=8, name="f1"), "r3")
    return mx.sym.FullyConnected(hidden, num_hidden=5, name="f2")


def main() -> None:
    """Writes the files."""
    symbol, rng = _network(), np.random.RandomState(2)
    shapes, _, state_shapes = symbol.infer_shape(data=(2, 3, 8, 8))
    names = zip(symbol.list_arguments(), shapes, strict=True)
    args = {name: mx.nd.array(rng.uniform(-0.5, 0.5, shape)) for name, shape in names}
    states = {
        name: mx.nd.array(rng.uniform(0.3, 1, shape))
        for name, shape in zip(symbol.list_auxiliary_states(), state_shapes, strict=True)
    }
    del args["data"]
    data = rng.uniform(-1, 1, (4, 3, 8, 8)).astype("float32")
    quantized, args, states = quantization.quantize_model(
        symbol.get_backend_symbol("MKLDNN_QUANTIZE"),
        args,
        states,
        label_names=None,
        ctx=mx.cpu(),
        calib_mode="naive",
        calib_data=mx.io.NDArrayIter(data, batch_size=2),
        num_calib_examples=4,
        quantized_dtype="auto",
        quantize_mode="full",
    )
    quantized = quantized.get_backend_symbol("MKLDNN_QUANTIZE")
    FOLDER.mkdir(exist_ok=True)
    mx.model.save_checkpoint(str(FOLDER / "net"), 0, quantized, args, states)
    block = mx.gluon.SymbolBlock.imports(
        str(FOLDER / "net-symbol.json"), ["data"], str(FOLDER / "net-0000.params")
    )
    np.savez_compressed(FOLDER / "net.npz", data=data, output=block(mx.nd.array(data)).asnumpy())


if __name__ == "__main__":
    main()
