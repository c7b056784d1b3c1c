"""Single fused layers on bytes: the same symbols and arrays for both packages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import mxnet as mx

S = mx.sym
CALIBRATED = {"min_calib_range": "-3", "max_calib_range": "5"}
WINDOWS: dict[str, dict[str, Any]] = {
    "plain": {},
    "without_bias": {"no_bias": True},
    "strided": {"stride": (2, 2), "pad": (0, 0)},
    "depthwise": {"num_filter": 4, "num_group": 4},
    "dilated": {"dilate": (2, 2), "pad": (2, 2)},
    "pointwise": {"kernel": (1, 1), "pad": (0, 0)},
    "of_volumes": {"kernel": (3, 3, 3), "pad": (1, 1, 1)},
}


class Case(NamedTuple):
    """A layer with one output, or three, and values of its variables."""

    symbol: Any
    values: dict[str, np.ndarray]


def _leaky(data, act_type):
    return S.LeakyReLU(data, act_type=act_type, slope=0.25, name="a")


ACTIVATIONS = {
    "none": lambda data: data,
    "relu": lambda data: S.Activation(data, act_type="relu", name="a"),
    "clip": lambda data: S.clip(data, 0, 2, name="a"),
    "leaky": lambda data: _leaky(data, "leaky"),
    "gelu": lambda data: _leaky(data, "gelu"),
}
DENSE_ACTIVATIONS = {
    **ACTIVATIONS,
    "elu": lambda data: _leaky(data, "elu"),
    "abs": lambda data: S.abs(data, name="a"),
    "sigmoid": lambda data: S.Activation(data, act_type="sigmoid", name="a"),
    "tanh": lambda data: S.Activation(data, act_type="tanh", name="a"),
    "softrelu": lambda data: S.Activation(data, act_type="softrelu", name="a"),
    "exp": lambda data: S.exp(data, name="a"),
    "square": lambda data: S.square(data, name="a"),
}


def quantized(symbol, attrs, ranges):
    """Makes the fused form of a layer a quantized one, which reads ranges beside its arrays."""
    graph = json.loads(symbol.get_backend_symbol("MKLDNN").tojson())
    *variables, layer = graph["nodes"]
    layer["attrs"] = {**layer.get("attrs", {}), **attrs, "quantized": "true"}
    layer["inputs"] += [[len(variables) + place, 0, 0] for place in range(len(ranges))]
    variables += [{"op": "null", "name": name, "inputs": []} for name in ranges]
    num_outputs = 1 if "enable_float_output" in attrs else 3
    last = len(variables)
    return mx.sym.load_json(
        json.dumps(
            {
                **graph,
                "nodes": [*variables, layer],
                "arg_nodes": list(range(last)),
                "node_row_ptr": [*range(last + 1), last + num_outputs],
                "heads": [[last, output, 0] for output in range(num_outputs)],
            }
        )
    )


class _Values:
    """Draws the values of variables."""

    def __init__(self) -> None:
        self._rng = np.random.RandomState(11)

    def numbers(self, *shape, factor=1.0):
        return (self._rng.randn(*shape) * factor).astype("float32")

    def bytes(self, name, dtype, shape):
        """Returns bytes and the range that they stand for."""
        lowest, end, low = (0, 256, 0.0) if dtype == "uint8" else (-128, 128, -1.5)
        values = self._rng.randint(lowest, end, shape).astype(dtype)
        return {name: values, f"{name}_min": _number(low), f"{name}_max": _number(2.0)}


def _number(value):
    return np.array([value], "float32")


def _convolutions(dtype, values) -> Iterator[tuple[str, Case]]:
    for window, options in WINDOWS.items():
        options = {"kernel": (3, 3), "num_filter": 6, "pad": (1, 1), **options}
        shape = (1, 4, *[5 if len(options["kernel"]) == 2 else 3] * len(options["kernel"]))
        channels = 4 // options.get("num_group", 1)
        given = values.bytes("data", dtype, shape)
        given["c_weight"] = values.numbers(
            options["num_filter"], channels, *options["kernel"], factor=0.3
        )
        given["c_bias"] = values.numbers(options["num_filter"])
        for activation, apply in ACTIVATIONS.items():
            if window != "plain" and activation not in ("none", "relu"):
                continue
            layer = apply(S.Convolution(S.var("data"), name="c", **options))
            for ending, attrs in (("calibrated", CALIBRATED), ("int32", {})):
                symbol = quantized(layer, attrs, ["data_min", "data_max"])
                yield f"conv_{window}_{activation}_{ending}", Case(symbol, given)


def _residuals(dtype, values) -> Iterator[tuple[str, Case]]:
    conv = S.Convolution(S.var("data"), kernel=(3, 3), num_filter=6, pad=(1, 1), name="c")
    given = values.bytes("data", dtype, (1, 4, 5, 5))
    given.update(c_weight=values.numbers(6, 4, 3, 3, factor=0.3), c_bias=values.numbers(6))
    given.update(
        b_gamma=values.numbers(6), b_beta=values.numbers(6), b_moving_mean=values.numbers(6)
    )
    given["b_moving_var"] = np.abs(values.numbers(6)) + np.float32(0.5)
    for fix_gamma in (True, False):
        norm = S.BatchNorm(conv, fix_gamma=fix_gamma, eps=1e-4, name="b")
        symbol = quantized(ACTIVATIONS["relu"](norm), CALIBRATED, ["data_min", "data_max"])
        yield f"norm_{'fixed' if fix_gamma else 'scaled'}", Case(symbol, given)
    ranges = ["data_min", "data_max", "other_min", "other_max"]
    for other_dtype in ("uint8", "int8"):
        other = values.bytes("other", other_dtype, (1, 6, 5, 5))
        for activation in ("none", "relu", "leaky"):
            layer = ACTIVATIONS[activation](S.elemwise_add(conv, S.var("other"), name="add"))
            for ending, attrs in (("calibrated", CALIBRATED), ("int32", {})):
                symbol = quantized(layer, attrs, ranges)
                yield f"sum_{other_dtype}_{activation}_{ending}", Case(symbol, {**given, **other})


def _dense(dtype, values) -> Iterator[tuple[str, Case]]:
    given = values.bytes("data", dtype, (3, 4, 5))
    forms = {"calibrated": CALIBRATED, "int32": {}, "floats": {"enable_float_output": "True"}}
    for flatten, no_bias in ((True, False), (False, False), (True, True)):
        weight, bias = values.numbers(6, 20 if flatten else 5, factor=0.6), values.numbers(6)
        integers = {
            **values.bytes("f_weight", "int8", weight.shape),
            **values.bytes("f_bias", "int8", 6),
        }
        names = ["data", "f_weight"] if no_bias else ["data", "f_weight", "f_bias"]
        ranges = [f"{name}_{end}" for name in names for end in ("min", "max")]
        for activation, apply in DENSE_ACTIVATIONS.items():
            if activation not in ("none", "relu") and (no_bias or not flatten):
                continue
            layer = apply(
                S.FullyConnected(
                    S.var("data"), num_hidden=6, flatten=flatten, no_bias=no_bias, name="f"
                )
            )
            title = (
                f"dense{'' if flatten else '_last_axis'}{'_without_bias' * no_bias}_{activation}"
            )
            for ending, attrs in forms.items():
                if ending != "int32" or activation not in ("exp", "square"):  # which overflow
                    yield (
                        f"{title}_{ending}",
                        Case(quantized(layer, attrs, ranges), {**given, **integers}),
                    )
                if ending != "int32":
                    symbol = quantized(
                        layer, {**attrs, "channel_wise_quantize": "True"}, ranges[:2]
                    )
                    floats = {"f_weight": weight, "f_bias": bias}
                    yield f"{title}_{ending}_by_row", Case(symbol, {**given, **floats})


def cases() -> Iterator[tuple[str, Case]]:
    """Yields all cases by name."""
    for dtype in ("uint8", "int8"):
        for family in (_convolutions, _residuals, _dense):
            for name, case in family(dtype, _Values()):
                yield f"{name}_of_{dtype}", case


def compute(case: Case) -> list[np.ndarray]:
    """Computes the outputs of a case."""
    symbol = case.symbol
    arrays = {name: mx.nd.array(value, dtype=value.dtype) for name, value in case.values.items()}
    arguments = {name: arrays[name] for name in symbol.list_arguments()}
    states = {name: arrays[name] for name in symbol.list_auxiliary_states()}
    executor = symbol.bind(mx.cpu(), arguments, aux_states=states, grad_req="null")
    return [output.asnumpy() for output in executor.forward()]
