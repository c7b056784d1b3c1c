"""Normalization, softmax, activations by name, dropout, output layers and losses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mxnet.onnx._export.builder import Builder, Value, placeholder, write_body
from mxnet.onnx._export.indexing import as_positions, steps_of
from mxnet.onnx._export.reduction import mean_and_variance
from mxnet.onnx._table import Attrs, NotExportableError, Out, converts


def _move_axis(b: Builder, data: Value, source: int, to: int) -> Value:
    order = [axis for axis in range(data.ndim) if axis != source]
    order.insert(to, source)
    return b.transpose(data, order)


def _batch_norm(b: Builder, inputs: Sequence[Value], attrs: Attrs, axis: int) -> Value:
    data, gamma, *others = inputs
    along = axis % data.ndim
    moved = _move_axis(b, data, along, 1) if data.ndim > 1 else b.unsqueeze(data, [0])
    if attrs.fix_gamma:
        gamma = b.constant(np.ones(gamma.length(0)), gamma.dtype)
    # Statistics of half precision data are float32, and ONNX Runtime wants one dtype for all.
    dtype = "float32" if data.dtype == "float16" else data.dtype
    values = [b.cast(item, dtype) for item in (moved, gamma, *others)]
    result = b.op("BatchNormalization", *values, epsilon=attrs.eps, shape=moved.shape)
    result = b.cast(result, data.dtype)
    return _move_axis(b, result, 1, along) if data.ndim > 1 else b.squeeze(result, [0])


@converts("BatchNorm")
def _batch_norm_of_axis(b: Builder, *inputs: Value, attrs: Attrs) -> list[Value]:
    *_, mean, var = inputs
    result = _batch_norm(b, inputs, attrs, attrs.axis)
    inverse = b.op("Reciprocal", b.op("Sqrt", var + attrs.eps))
    return [result, mean, inverse] if attrs.output_mean_var else [result]


@converts("_contrib_BatchNormWithReLU")
def _batch_norm_with_relu(b: Builder, *inputs: Value, attrs: Attrs) -> list[Value]:
    result, *statistics = _batch_norm_of_axis(b, *inputs, attrs=attrs)
    return [b.op("Relu", result), *statistics]


@converts("BatchNorm_v1", "_contrib_SyncBatchNorm")
def _batch_norm_of_channels(b: Builder, *inputs: Value, attrs: Attrs) -> list[Value]:
    result = _batch_norm(b, inputs, attrs, 1)
    return [result, *inputs[3:]] if attrs.output_mean_var else [result]


@converts("LayerNorm")
def _layer_norm(b: Builder, data: Value, gamma: Value, beta: Value, *, attrs: Attrs) -> list[Value]:
    along = attrs.axis % data.ndim
    moved = _move_axis(b, data, along, data.ndim - 1)
    scale, shift = b.cast(gamma, data.dtype), b.cast(beta, data.dtype)
    if b.opset >= 17:
        result = b.op("LayerNormalization", moved, scale, shift, axis=-1, epsilon=attrs.eps)
    else:
        mean, variance = mean_and_variance(b, moved, [data.ndim - 1])
        result = (moved - mean) / b.op("Sqrt", variance + attrs.eps) * scale + shift
    result = _move_axis(b, Value(b, result.name, result.dtype, moved.shape), data.ndim - 1, along)
    if not attrs.output_mean_var:
        return [result]
    mean, variance = mean_and_variance(b, data, [along])
    return [result, mean, b.op("Sqrt", variance + attrs.eps)]


@converts("GroupNorm", "_npx_group_norm")
def _group_norm(b: Builder, data: Value, gamma: Value, beta: Value, *, attrs: Attrs) -> list[Value]:
    groups = b.reshape(data, (0, attrs.num_groups, -1))
    scale, shift = b.cast(gamma, data.dtype), b.cast(beta, data.dtype)
    of_groups = gamma.shape == (attrs.num_groups,)
    if not of_groups:  # but of channels
        own = scale, shift
        scale, shift = (b.constant([item] * attrs.num_groups, data.dtype) for item in (1.0, 0.0))
    result = b.op("InstanceNormalization", groups, scale, shift, epsilon=attrs.eps)
    result = b.reshape(result, b.shape_of(data))
    if not of_groups:
        along = (-1, *[1] * (data.ndim - 2))
        result = result * b.reshape(own[0], along) + b.reshape(own[1], along)
    outputs = [result]
    if attrs.output_mean_var:
        mean, variance = mean_and_variance(b, groups, [2])
        outputs += [b.squeeze(mean, [2]), b.squeeze(b.op("Sqrt", variance + attrs.eps), [2])]
    return outputs


@converts("L2Normalization")
def _l2_normalization(b: Builder, data: Value, *, eps: float, mode: str) -> Value:
    first = {"channel": 1, "instance": 1, "spatial": 2}[mode]
    axes = [1] if mode == "channel" else list(range(first, data.ndim))
    square = data * data
    if axes:
        square = b.reduce("ReduceSum", square, axes, keepdims=True)
    return data / b.op("Sqrt", square + eps)


@converts("LRN")
def _lrn(b: Builder, data: Value, *, alpha: float, beta: float, knorm: float, nsize: int) -> Value:
    window = 2 * ((nsize - 1) // 2) + 1
    # ONNX Runtime takes images only.
    images = data if data.ndim == 4 else b.reshape(data, (0, data.length(1), -1, 1))
    result = b.op("LRN", images, alpha=alpha * window / nsize, beta=beta, bias=knorm, size=window)
    return result if data.ndim == 4 else b.reshape(result, b.shape_of(data))


def _widen(b: Builder, data: Value, out: Out) -> Value:
    return b.cast(data, out.dtype) if out.dtype != "float16" else data


def _soft(b: Builder, op_type: str, data: Value, attrs: Attrs, rank: int | None = None) -> Value:
    along = attrs.axis % (data.ndim if rank is None else rank)
    if attrs.temperature is not None and attrs.temperature != 1:
        data = data / float(attrs.temperature)
    return b.op(op_type, data, axis=along)


@converts("softmax")
def _softmax(b: Builder, data: Value, length: Value | None, *, attrs: Attrs, out: Out) -> Value:
    wide, along = _widen(b, data, out), attrs.axis % data.ndim
    if not attrs.use_length or length is None:
        return _soft(b, "Softmax", wide, attrs)
    others = [item for item in range(data.ndim) if item != along]
    steps = b.unsqueeze(steps_of(b, data, along), others)
    lengths = b.unsqueeze(b.cast(as_positions(b, length), "int64"), [along])
    inside = b.op("Less", steps, lengths, dtype="bool")
    masked = b.where(inside, wide, float(np.finfo(wide.dtype).min), wide.dtype)
    return b.where(inside, _soft(b, "Softmax", masked, attrs, data.ndim), 0, wide.dtype)


@converts("log_softmax")
def _log_softmax(b: Builder, data: Value, *, attrs: Attrs, out: Out) -> Value:
    return _soft(b, "LogSoftmax", _widen(b, data, out), attrs)


@converts("softmin")
def _softmin(b: Builder, data: Value, *, attrs: Attrs, out: Out) -> Value:
    return _soft(b, "Softmax", -_widen(b, data, out), attrs, data.ndim)


def _softmax_of_samples(b: Builder, data: Value) -> Value:
    """Normalizes over all elements of a sample."""
    if data.ndim <= 2:
        return b.op("Softmax", data, axis=data.ndim - 1)
    flat = b.op("Softmax", b.op("Flatten", data, axis=1), axis=1)
    return b.reshape(flat, b.shape_of(data))


@converts("SoftmaxActivation")
def _softmax_activation(b: Builder, data: Value, *, mode: str) -> Value:
    return b.op("Softmax", data, axis=1) if mode == "channel" else _softmax_of_samples(b, data)


@converts("SoftmaxOutput", ignores=("label",))
def _softmax_output(b: Builder, data: Value, *, multi_output: bool, preserve_shape: bool) -> Value:
    if preserve_shape:
        return b.op("Softmax", data, axis=data.ndim - 1)
    return b.op("Softmax", data, axis=1) if multi_output else _softmax_of_samples(b, data)


@converts("LogisticRegressionOutput", ignores=("label",))
def _logistic_output(b: Builder, data: Value) -> Value:
    return b.op("Sigmoid", data)


@converts("LinearRegressionOutput", "MAERegressionOutput", "SVMOutput", ignores=("label",))
@converts("BlockGrad", "make_loss", "MakeLoss")
@converts("IdentityAttachKLSparseReg", ignores=("moving_avg",))
@converts("_identity_with_attr_like_rhs", ignores=("rhs",))
@converts("_copy", "_np_copy", "cast_storage", "_contrib_gradientmultiplier")
def _identity(b: Builder, data: Value) -> Value:
    return data


@converts("Dropout")
def _dropout(b: Builder, data: Value, *, mode: str) -> Value:
    if mode == "always":
        raise NotExportableError("dropout in prediction is not exported; use mode='training'")
    return data


@converts("softmax_cross_entropy")
def _softmax_cross_entropy(b: Builder, data: Value, label: Value) -> Value:
    most = -math.log(1e-8)
    logs = b.op("LogSoftmax", data, axis=1)
    classes = b.ints(list(range(data.length(1))))
    hits = b.op("Equal", b.unsqueeze(b.cast(label, "int64"), [1]), classes, dtype="bool")
    chosen = b.where(hits, -logs, 0, data.dtype)
    missing = b.where(hits, 0, most, data.dtype)
    losses = b.reduce("ReduceSum", chosen, [1], keepdims=False)
    losses = losses + b.reduce("ReduceMin", missing, [1], keepdims=False)
    limited = b.op("Min", losses, b.constant(most, data.dtype))
    return b.reduce("ReduceSum", limited, [0], keepdims=True)


_ACTIVATIONS = {"relu": "Relu", "sigmoid": "Sigmoid", "softsign": "Softsign", "tanh": "Tanh"}


@converts("Activation")
def _activation(b: Builder, data: Value, *, act_type: str) -> Value:
    if act_type == "mish":
        return data * b.op("Tanh", b.op("Softplus", data))
    if act_type == "log_sigmoid":
        return -b.op("Softplus", -data)
    return b.op(_ACTIVATIONS[act_type], data)


@converts("LeakyReLU")
def _leaky_relu(b: Builder, data: Value, gamma: Value | None, *, attrs: Attrs) -> list[Value]:
    if attrs.act_type == "prelu" and gamma is not None:
        return [b.op("PRelu", data, _prelu_slopes(b, data, b.cast(gamma, data.dtype)))]
    if attrs.act_type == "rrelu":
        mean = (attrs.lower_bound + attrs.upper_bound) / 2
        return [b.op("LeakyRelu", data, alpha=mean), b.full(b.shape_of(data), 0, data.dtype)]
    if attrs.act_type == "selu":
        return [b.op("Selu", data)]
    return [data * 0.5 * (b.op("Erf", data * (1 / math.sqrt(2))) + 1)]  # Gelu before opset 20


def _prelu_slopes(b: Builder, data: Value, gamma: Value) -> Value:
    """Places the axes of slopes among the first two of the data, from the second one backwards."""
    shape = [1] * data.ndim
    left = list(gamma.shape or ())
    for axis in range(min(data.ndim, 2) - 1, -1, -1):
        if left and left[-1] in (1, (data.shape or ())[axis]):
            shape[axis] = left.pop()
    return b.reshape(gamma, shape)


_NEVER = -1e30
"""Logarithm of no chance, with which one can calculate further."""


@converts("CTCLoss")
def _ctc_loss(b: Builder, data: Value, label: Value, *lengths: Value | None, attrs: Attrs) -> Value:
    num_labels, num_classes = label.length(1), data.length(2)
    if num_labels == 0:
        raise NotExportableError("there are no labels")
    blank = 0 if attrs.blank_label == "first" else num_classes - 1
    given = [item for item in lengths if item is not None]
    steps = given.pop(0) if attrs.use_data_lengths else None
    classes = b.cast(b.op("Round", label) if label.is_float else label, "int64")
    counts = given.pop(0) if attrs.use_label_lengths else None
    if counts is None:
        counts = _count(b, classes, 0 if attrs.blank_label == "first" else -1)
    last = b.unsqueeze(b.cast(counts, "int64"), [1])
    known = b.op("Clip", classes, b.ints(0), b.ints(num_classes - 1))
    states = _with_blanks(b, known, blank)
    scores = b.op("LogSoftmax", b.cast(data, "float32"), axis=2)
    places = b.op("Expand", b.unsqueeze(states, [0]), b.ints([data.length(0), 1, 1]))
    chances = b.op("GatherElements", scores, places, axis=2)
    skipping = _where_skipped(b, states, blank, 2 * num_labels + 1)
    numbers = b.constant(np.arange(data.length(0)), "int64")
    ends = _go_through(b, chances, skipping, numbers, steps)
    final = b.op("GatherElements", ends, last * 2, axis=1)
    before = b.op("GatherElements", ends, b.op("Max", last * 2 - 1, b.ints(0)), axis=1)
    before = b.where(b.compare("Greater", last, 0), before, _NEVER, "float32")
    loss = -b.squeeze(_add_chances(b, [final, before]), [1])
    # A sequence that is too short for its labels has no alignment.
    return b.cast(b.where(b.compare("Less", loss, -_NEVER / 2), loss, 0.0, "float32"), data.dtype)


def _count(b: Builder, classes: Value, padding: int) -> Value:
    """Counts the labels before the first padding."""
    is_padding = b.cast(b.compare("Equal", classes, padding), "int64")
    seen = b.op("CumSum", is_padding, b.ints(1))
    is_label = b.cast(b.compare("Equal", seen, 0), "int64")
    return b.reduce("ReduceSum", is_label, [1], keepdims=False)


def _with_blanks(b: Builder, classes: Value, blank: int) -> Value:
    """Returns the states of an alignment: a blank before, between and after labels."""
    blanks = classes * 0 + blank
    pairs = b.concat([b.unsqueeze(blanks, [2]), b.unsqueeze(classes, [2])], 2)
    return b.concat([b.reshape(pairs, (0, -1)), b.slice(blanks, [0], [1], [1])], 1)


def _where_skipped(b: Builder, states: Value, blank: int, count: int) -> Value:
    """Returns 0 for states that may follow the one two before: a label after another label."""
    two_before = b.concat([b.slice(states, [0], [2], [1]), b.slice(states, [0], [-2], [1])], 1)
    may_skip = b.op("Not", b.op("Equal", states, two_before, dtype="bool"))
    may_skip = b.op("And", may_skip, b.op("Not", b.compare("Equal", states, blank)))
    far = b.constant(np.arange(count) >= 2, "bool")
    return b.where(b.op("And", may_skip, far), 0.0, _NEVER, "float32")


def _go_through(
    b: Builder, chances: Value, skipping: Value, numbers: Value, steps: Value | None
) -> Value:
    """Returns the chance of ending in each state, of shape `(batch, states)`."""
    first = b.slice(skipping, [0], [1], [1])  # a column of chances that there are none
    rest = b.op("Min", b.slice(skipping, [1], [2**62], [1]), first)
    start = b.concat([first * 0.0, rest], 1)
    held = placeholder(b, "ends", "float32", None)
    row = placeholder(b, "chances", "float32", None)
    number = placeholder(b, "number", "int64", ())

    def step() -> Sequence[Value]:
        moved = b.concat([first, b.slice(held, [0], [-1], [1])], 1)
        skipped = b.concat([first, first, b.slice(held, [0], [-2], [1])], 1) + skipping
        new = _add_chances(b, [held, moved, skipped]) + row
        if steps is None:
            return [new]
        is_over = b.op("LessOrEqual", b.cast(steps, "int64"), number, dtype="bool")
        return [b.where(b.unsqueeze(is_over, [1]), held, new, "float32")]

    body = write_body(b, [held, row, number], step)
    (ends,) = b.ops(
        "Scan", start, chances, numbers, dtypes=["float32"], body=body, num_scan_inputs=2
    )
    return ends


def _add_chances(b: Builder, values: Sequence[Value]) -> Value:
    """Adds chances that are given by their logarithms."""
    largest = b.op("Max", *values)
    total = b.op("Exp", values[0] - largest)
    for value in values[1:]:
        total = total + b.op("Exp", value - largest)
    return largest + b.op("Log", total)
