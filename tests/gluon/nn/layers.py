"""A table of layers, and how a row is run; the same lines run under the original."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import mxnet as mx
from mxnet.gluon import contrib, nn

HOMES = {"nn": nn, "contrib.nn": contrib.nn, "contrib.cnn": contrib.cnn}


@dataclass(frozen=True)
class Row:
    """One layer and the data it is called with.

    Attributes:
        layer: Name of the class, after `contrib.nn.` or `contrib.cnn.` if it is there.
        args: Arguments by position.
        options: Arguments by name.
        shape: Shape of the data; empty for a layer that is only made and printed.
        high: Data are whole numbers below it if it is given, else floats.
        random: Whether values are random, so that only shapes are compared.
        gradient: False where the original's is wrong.
        dtype: Type to which the layer is cast, and that of the data.
        oracle: False where the original has no such layer or is wrong; the layer is compared with
            itself then.
        why: Why there is no oracle.
    """

    layer: str
    args: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    shape: tuple[int, ...] = ()
    high: int = 0
    random: bool = False
    gradient: bool = True
    dtype: str = "float32"
    oracle: bool = True
    why: str = ""

    def __str__(self) -> str:
        listed = [repr(value) for value in self.args]
        listed += [f"{name}={value!r}" for name, value in self.options.items()]
        cast = "" if self.dtype == "float32" else f":{self.dtype}"
        return f"{self.layer}({', '.join(listed)}){self.shape}{cast}".replace(" ", "")

    def make(self):
        """Makes the layer, under a fixed name where it takes one."""
        home, _, name = self.layer.rpartition(".")
        prefix = {} if name.startswith("PixelShuffle") else {"prefix": "net_"}
        return getattr(HOMES[home or "nn"], name)(*self.args, **self.options, **prefix)

    def make_data(self) -> np.ndarray:
        """Makes the data."""
        random = np.random.RandomState(zlib.crc32(repr(self.shape).encode()))
        if self.high:
            return random.randint(0, self.high, self.shape).astype("float32")
        return random.uniform(-1, 1, self.shape).astype(self.dtype)


def row(layer: str, *args: Any, data: tuple[int, ...] = (), **fields: Any) -> Row:
    """Makes a row; what is no field is an argument of the layer by name."""
    keys = ("high", "random", "gradient", "oracle", "why")
    known = {key: fields.pop(key) for key in keys if key in fields}
    if "cast" in fields:
        known["dtype"] = fields.pop("cast")
    return Row(layer, args, fields, data, **known)


def fill(parameter: Any) -> None:
    """Returns a parameter values that depend on its name and shape."""
    random = np.random.RandomState(zlib.crc32(parameter.name.encode()))
    low, high = (0.5, 1.5) if parameter.name.endswith("running_var") else (-0.5, 0.5)
    values = random.uniform(low, high, parameter.shape).astype("float32")
    parameter.set_data(mx.nd.array(values, dtype=parameter.data().dtype))


def run(item: Row) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Runs a row; gives texts and other facts, and arrays."""
    layer = item.make()
    facts: dict[str, Any] = {"before": repr(layer), "name": layer.name}
    if not item.shape:
        return facts, {}
    layer.initialize()
    if item.dtype != "float32":
        layer.cast(item.dtype)
    data = mx.nd.array(item.make_data(), dtype=item.dtype)
    first = layer(data)
    facts["after"] = repr(layer)
    facts["shape"] = list(first.shape)
    facts["params"] = [
        [p.name, list(p.shape), np.dtype(p.dtype).name, p.grad_req]
        for p in layer.collect_params().values()
    ]
    arrays = {
        f"start_{p.name}": p.data().asnumpy()
        for p in layer.collect_params().values()
        if p.init is not None
    }
    if not item.random:
        arrays.update(_compute(layer, data, differentiable=item.gradient and not item.high))
    return facts, arrays


def _compute(layer: Any, data: Any, *, differentiable: bool) -> dict[str, np.ndarray]:
    parameters = layer.collect_params().values()
    for parameter in parameters:
        fill(parameter)
    predicted = layer(data).asnumpy()
    if differentiable:
        data.attach_grad()
    with mx.autograd.record():
        output = layer(data)
    arrays = {"train": output.asnumpy()}
    if hasattr(layer, "running_mean"):
        arrays["predict"] = predicted
    else:
        np.testing.assert_allclose(predicted, arrays["train"], rtol=1e-5, atol=1e-6)
    if not (differentiable or parameters):
        return arrays
    head = np.random.RandomState(5).uniform(-1, 1, output.shape).astype(output.dtype)
    output.backward(mx.nd.array(head, dtype=output.dtype))
    if differentiable:
        arrays["grad"] = data.grad.asnumpy()
    for parameter in parameters:
        if parameter.name.endswith("gamma") and parameter.grad_req == "null":
            continue  # the original sets it to 1 where it is not used
        if parameter.grad_req == "null":
            arrays[f"state_{parameter.name}"] = parameter.data().asnumpy()
        else:
            arrays[f"grad_{parameter.name}"] = parameter.grad().asnumpy()
    return arrays


SEQUENCE, IMAGE, VOLUME, TABLE = (2, 4, 7), (2, 4, 6, 5), (1, 2, 4, 3, 5), (3, 4)

DENSE = [
    row("Dense", 3, data=TABLE),
    row("Dense", 3, in_units=4, activation="relu", data=TABLE),
    row("Dense", 3, "tanh", False, data=TABLE),
    row("Dense", 3, flatten=False, data=(2, 3, 4)),
    row("Dense", 3, activation="sigmoid", data=(2, 3, 4)),
    row("Dense", 3, weight_initializer="ones", bias_initializer="ones", data=TABLE),
    row("Dense", 2, dtype="float64", data=TABLE, cast="float64"),
    row("Embedding", 5, 3, data=(2, 4), high=5),
    row("Embedding", 5, 3, weight_initializer="ones", data=(4,), high=5),
    row("Embedding", 5, 3, "float64"),
    row("Flatten", data=IMAGE),
    row("Flatten", data=(3,)),
    row("Dropout", 0, data=TABLE),
    row("Dropout", 0.5, data=TABLE, random=True),
    row("Dropout", 0.3, (1,), data=TABLE, random=True),
    row("Dropout", 0.3, axes=[0, 1], data=TABLE, random=True),
    row("Lambda", "tanh", data=TABLE),
    row("HybridLambda", "tanh", data=TABLE),
]

ACTIVATIONS = [
    *(row("Activation", name, data=TABLE) for name in ("relu", "sigmoid", "softrelu", "softsign")),
    row("Activation", "tanh", data=IMAGE),
    row("Activation", "unknown"),
    row("LeakyReLU", 0.1, data=TABLE),
    row("LeakyReLU", 0, data=TABLE),
    row("PReLU", data=IMAGE),
    row("PReLU", in_channels=4, data=IMAGE),
    row("PReLU", "zeros", data=TABLE),
    row("ELU", data=TABLE),
    row("ELU", 0.5, data=TABLE),
    row("SELU", data=TABLE, gradient=False),
    row("GELU", data=TABLE),
    row("SiLU", data=TABLE, oracle=False, why="MXNet 1.9.1 has no such layer"),
    row("Swish", data=TABLE),
    row("Swish", 2.0, data=TABLE),
]

NORMALIZATIONS = [
    *(row("BatchNorm", data=shape) for shape in (TABLE, SEQUENCE, IMAGE, VOLUME)),
    row("BatchNorm", axis=3, data=IMAGE),
    row("BatchNorm", axis=-1, data=IMAGE),
    row("BatchNorm", momentum=0.5, epsilon=1e-2, data=IMAGE),
    row("BatchNorm", center=False, data=IMAGE),
    row("BatchNorm", scale=False, data=IMAGE),
    row("BatchNorm", center=False, scale=False, in_channels=4, data=IMAGE),
    row("BatchNorm", use_global_stats=True, data=IMAGE),
    row("BatchNorm", beta_initializer="ones", gamma_initializer="zeros", data=TABLE),
    row(
        "BatchNorm",
        running_mean_initializer="ones",
        running_variance_initializer="zeros",
        data=TABLE,
    ),
    row("BatchNorm", cast="float64", data=IMAGE),
    row("BatchNorm", cast="float16", data=IMAGE, random=True),
    row("BatchNormReLU", data=IMAGE),
    row("BatchNormReLU", scale=False, in_channels=4, data=IMAGE),
    row("BatchNormReLU", axis=2, momentum=0.7),
    row("LayerNorm", data=TABLE),
    row("LayerNorm", axis=1, data=IMAGE),
    row("LayerNorm", center=False, scale=False, in_channels=4, data=TABLE),
    row("LayerNorm", epsilon=0.1, beta_initializer="ones", gamma_initializer="zeros", data=TABLE),
    row("GroupNorm", data=IMAGE),
    row("GroupNorm", 2, data=IMAGE),
    row("GroupNorm", num_groups=4, epsilon=0.1, center=False, data=IMAGE),
    row("GroupNorm", num_groups=2, scale=False, data=SEQUENCE),
    row("InstanceNorm", data=IMAGE),
    row("InstanceNorm", axis=2, data=IMAGE),
    row("InstanceNorm", axis=3, epsilon=0.1, scale=True, data=IMAGE),
    row("InstanceNorm", center=False, scale=True, in_channels=4, data=SEQUENCE),
]

CONVOLUTIONS = [
    row("Conv1D", 3, 3, data=SEQUENCE),
    row("Conv1D", 4, 2, 2, 1, 2, 2, data=SEQUENCE),
    row("Conv1D", 4, 3, activation="relu", use_bias=False, data=SEQUENCE),
    row("Conv2D", 3, 3, data=IMAGE),
    row("Conv2D", 3, [3, 3], data=IMAGE),
    row("Conv2D", 3, (2, 3), (2, 1), (1, 0), (1, 2), data=IMAGE),
    row("Conv2D", 4, 3, groups=2, data=IMAGE),
    row("Conv2D", 4, 3, groups=4, in_channels=4, data=IMAGE),
    row("Conv2D", 4, 3, padding=1, activation="relu", use_bias=False, data=IMAGE),
    row("Conv2D", 4, 3, weight_initializer="ones", bias_initializer="ones", data=IMAGE),
    row("Conv2D", 4, 3, layout="NHWC"),
    row("Conv2D", 4, 3, layout="NHWC", in_channels=5),
    row("Conv2D", 2, 3, cast="float64", data=IMAGE),
    row("Conv3D", 2, 3, data=VOLUME),
    row("Conv3D", 2, (1, 2, 3), strides=2, padding=(0, 1, 0), data=VOLUME),
    row("Conv3D", 2, (1, 2, 3), layout="NDHWC"),
    row("Conv1DTranspose", 3, 3, data=SEQUENCE),
    row("Conv1DTranspose", 4, 3, 2, 1, 1, groups=2, in_channels=4, data=SEQUENCE),
    row("Conv2DTranspose", 3, 3, data=IMAGE),
    row("Conv2DTranspose", 3, 3, (2, 2), 1, 1, data=IMAGE),
    row("Conv2DTranspose", 4, 3, groups=2, in_channels=4, use_bias=False, data=IMAGE),
    row("Conv2DTranspose", 4, 3, dilation=2, activation="tanh", data=IMAGE),
    row("Conv2DTranspose", 4, 3, layout="NHWC", in_channels=5),
    row("Conv3DTranspose", 2, 2, strides=2, data=VOLUME),
    row("Conv3DTranspose", 2, 2, in_channels=2, use_bias=False, data=VOLUME),
    row("ReflectionPad2D", data=IMAGE),
    row("ReflectionPad2D", 2, data=IMAGE),
    row("ReflectionPad2D", (0, 0, 0, 0, 1, 2, 3, 1), data=IMAGE),
]

POOLING = [
    *(
        row(f"{kind}Pool{axes}D", *args, data=shape, **options)
        for axes, shape in ((1, SEQUENCE), (2, IMAGE), (3, VOLUME))
        for kind in ("Max", "Avg")
        for args, options in (
            ((), {}),
            ((3,), {}),
            ((3, 2, 1), {}),
            ((2, 1), {"ceil_mode": True}),
            ((3, 2), {"ceil_mode": True}),
        )
    ),
    *(
        row(f"Avg{name}", 3, 2, 1, data=shape, count_include_pad=False)
        for name, shape in (("Pool1D", SEQUENCE), ("Pool2D", IMAGE), ("Pool3D", VOLUME))
    ),
    *(
        row(f"Global{kind}Pool{axes}D", data=shape)
        for axes, shape in ((1, SEQUENCE), (2, IMAGE), (3, VOLUME))
        for kind in ("Max", "Avg")
    ),
    row("MaxPool1D", 3, 2, 1, "NWC", True),
    row("MaxPool2D", (2, 3), (1, 2), 1, "NHWC", True),
    row("MaxPool3D", 2, 1, 0, True, "NDHWC"),
    row("AvgPool1D", 3, 2, 1, "NWC", True, False),
    row("AvgPool2D", 3, 2, 1, True, "NHWC", False),
    row("AvgPool3D", 3, 2, 1, True, "NDHWC", False),
    row("GlobalMaxPool1D", "NWC"),
    row("GlobalMaxPool2D", "NHWC"),
    row("GlobalAvgPool3D", "NDHWC"),
]

CONTRIB = [
    row("contrib.nn.Identity", data=TABLE),
    row("contrib.nn.Concurrent"),
    row("contrib.nn.HybridConcurrent", axis=1),
    row("contrib.nn.SparseEmbedding", 5, 3),
    row("contrib.nn.SyncBatchNorm", num_devices=1, data=IMAGE),
    row("contrib.nn.SyncBatchNorm", in_channels=4, num_devices=1, scale=False, data=IMAGE),
    row("contrib.nn.SyncBatchNorm", 4, 2, 0.5, 0.1, False, True, True),
    row("contrib.nn.PixelShuffle1D", 2, data=SEQUENCE),
    row("contrib.nn.PixelShuffle2D", 2, data=IMAGE),
    row("contrib.nn.PixelShuffle2D", (1, 4), data=IMAGE),
    row("contrib.nn.PixelShuffle3D", (1, 2, 1), data=VOLUME),
    row("contrib.nn.PixelShuffle3D", (2, 1, 3), data=(1, 12, 2, 3, 2)),
    row("contrib.nn.PixelShuffle3D", 2),
    row("contrib.cnn.DeformableConvolution", 3, data=IMAGE),
    row("contrib.cnn.DeformableConvolution", 3, (3, 3), padding=1, data=IMAGE),
    row(
        "contrib.cnn.DeformableConvolution",
        4,
        kernel_size=(2, 3),
        strides=2,
        padding=(1, 1),
        groups=2,
        num_deformable_group=2,
        use_bias=False,
        activation="relu",
        offset_use_bias=False,
        data=IMAGE,
    ),
    row("contrib.cnn.ModulatedDeformableConvolution", 3, (3, 3)),
    row("contrib.cnn.ModulatedDeformableConvolution", 3, (3, 3), activation="relu"),
]

ROWS = [*DENSE, *ACTIVATIONS, *NORMALIZATIONS, *CONVOLUTIONS, *POOLING, *CONTRIB]
