"""Rules for shapes that declarations choose among; see `Shapes`.

Those of inputs (`Shapes.inputs`) follow from other inputs and from outputs; an empty list says that
nothing is known. Those of outputs follow from inputs that are known in part (`Shapes.early`,
`Shapes.partial`), whose lengths may be `UNKNOWN`, or from inputs that are known (`Shapes.quick`).

For the latter the kernel on tensors without data is what decides (ADR 0002), but the first question
to one makes torch import its compiler, which takes longer than binding a network. Frequent
operators have rules that return what their kernels would. Where a rule does not know the answer for
certain, or the inputs do not fit, it returns None, and the kernel is asked; it also words the
errors. `tests/ops/rules/test_shape_rules.py` compares the rules with the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import prod

from mxnet.ops.core.attrs import UNKNOWN, Shape, shape_is_known
from mxnet.ops.core.traits import Known, Settings


def split(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of an array to be split, that of its parts put together."""
    parts = [shape for shape in outputs if shape is not None]
    if not parts:
        return []
    shape = tuple(max(lengths) for lengths in zip(*parts, strict=True))  # UNKNOWN is less than any
    count, squeezed = attrs["num_outputs"], attrs["squeeze_axis"]
    axis = attrs["axis"] % (len(shape) + squeezed)
    if squeezed:
        return [(*shape[:axis], count, *shape[axis:])]
    length = UNKNOWN if shape[axis] == UNKNOWN else shape[axis] * count
    return [(*shape[:axis], length, *shape[axis + 1 :])]


def join(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of arrays to be joined, which differ in the length of one axis only."""
    known = [shape for shape in (*inputs, *outputs) if shape]
    axis = attrs["dim"] if "dim" in attrs else attrs["axis"]
    if axis is None:  # flattened first
        return []
    if len({len(shape) for shape in known}) != 1 or not -len(known[0]) <= axis < len(known[0]):
        return []  # the kernel tells what is wrong
    common = [max(lengths) for lengths in zip(*known, strict=True)]  # UNKNOWN is less than any
    common[axis] = UNKNOWN
    return [tuple(common) for _ in inputs]


def join_rows(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of arrays to be joined along their first axis, unless vectors are rows."""
    has_vectors = any(shape is not None and len(shape) < 2 for shape in inputs)
    return [] if has_vectors else join(inputs, outputs, {"axis": 0})


def join_columns(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of arrays to be joined along the second axis, or vectors along their only one.

    Scalars are vectors then, which tell nothing.
    """
    counts = [len(shape) for shape in inputs if shape is not None]
    return join(inputs, outputs, {"axis": min(counts[0] - 1, 1)}) if all(counts or [0]) else []


def dot(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of NumPy's dot product: the last axis of one and the last but one are one."""
    if not all(inputs):  # not known, or a scalar
        return []
    return _contract(inputs, outputs, [-1], [-min(len(inputs[1] or ()), 2)])


def matmul(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of stacks of matrices, of which the stacks are broadcast."""
    if not all(inputs):
        return []
    is_plain = max(len(shape or ()) for shape in inputs) < 3
    known = outputs if is_plain else [None]
    return _contract(inputs, known, [-1], [-min(len(inputs[1] or ()), 2)])


def tensordot(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of arrays of which pairs of axes are summed over."""
    return _contract(inputs, outputs, attrs["a_axes_summed"], attrs["b_axes_summed"])


def tensordot_count(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of arrays of which the last and the first axes are summed over."""
    count = max(attrs["axes"], 0)
    return _contract(inputs, outputs, range(-count, 0), range(count))


def _contract(
    inputs: Known, outputs: Known, first_axes: Sequence[int], second_axes: Sequence[int]
) -> list[Shape | None]:
    """Returns shapes of two arrays that are summed over pairs of axes; the result has the rest."""
    if inputs[0] is None or inputs[1] is None or len(first_axes) != len(second_axes):
        return []
    first, second = list(inputs[0]), list(inputs[1])
    if not (_have(first, first_axes) and _have(second, second_axes)):
        return []  # the kernel tells what is wrong
    for one, other in zip(first_axes, second_axes, strict=True):
        first[one] = second[other] = max(first[one], second[other])  # UNKNOWN is less than any
    rest = [(first, i) for i in range(len(first)) if i not in _positions(first_axes, first)]
    rest += [(second, i) for i in range(len(second)) if i not in _positions(second_axes, second)]
    result = outputs[0]
    if result is not None and len(result) == len(rest):
        for (lengths, axis), length in zip(rest, result, strict=True):
            lengths[axis] = max(lengths[axis], length)
    return [tuple(first), tuple(second)]


def _have(lengths: Sequence[int], axes: Sequence[int]) -> bool:
    return all(-len(lengths) <= axis < len(lengths) for axis in axes)


def _positions(axes: Sequence[int], lengths: Sequence[int]) -> set[int]:
    return {axis % len(lengths) for axis in axes}


def convolve(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the lengths along which windows move by one: they follow from those of the output."""
    data, result = inputs[0], outputs[0]
    if data is None or result is None or len(data) != len(result):
        return []
    kernel = attrs["kernel"]
    ones, zeros = (1,) * len(kernel), (0,) * len(kernel)
    stride, dilate = attrs["stride"] or ones, attrs["dilate"] or ones
    padding = attrs["pad"] or zeros
    start = 1 if (attrs["layout"] or "").endswith("C") else 2
    lengths = [result[0], *data[1:]]
    for place, size in enumerate(kernel):
        length = result[start + place]
        if length > 0 and stride[place] == 1:  # else several lengths give the same
            lengths[start + place] = length + dilate[place] * (size - 1) - 2 * padding[place]
    return [tuple(lengths)]


def convolved(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of a convolution's output as far as the data tell it."""
    data, kernel = inputs[0], attrs["kernel"]
    if data is None or len(data) != len(kernel) + 2:
        return None
    ones, zeros = (1,) * len(kernel), (0,) * len(kernel)
    stride, dilate = attrs["stride"] or ones, attrs["dilate"] or ones
    padding = attrs["pad"] or zeros
    start = 1 if (attrs["layout"] or "").endswith("C") else 2
    lengths = [UNKNOWN] * len(kernel)
    for place, size in enumerate(kernel):
        length = data[start + place]
        if length != UNKNOWN:
            space = length + 2 * padding[place] - dilate[place] * (size - 1) - 1
            lengths[place] = space // stride[place] + 1
    filters = (attrs["num_filter"],)
    return (data[0], *lengths, *filters) if start == 1 else (data[0], *filters, *lengths)


def shrink(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of the output without an axis."""
    result, axis = outputs[0], attrs["axis"]
    if not result or not -len(result) <= axis < len(result):
        return []
    axis %= len(result)
    return [result[:axis] + result[axis + 1 :]]


def reshape(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the one length that is not known: the number of elements tells it."""
    return _find_length(inputs[0], outputs[0] or reshaped(inputs, attrs))


def np_reshape(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the one length that is not known, as `reshape` does, in the NumPy dialect."""
    return _find_length(inputs[0], outputs[0] or np_reshaped(inputs, attrs))


def _find_length(data: Shape | None, result: Shape | None) -> list[Shape | None]:
    if data is None or not result or UNKNOWN in result or data.count(UNKNOWN) != 1:
        return []
    rest = prod(length for length in data if length != UNKNOWN)
    if not rest or prod(result) % rest:
        return []  # the kernel tells what is wrong
    missing = prod(result) // rest
    return [tuple(missing if length == UNKNOWN else length for length in data)]


def reshaped(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of the result of `Reshape` if no code in its attribute needs the data."""
    shape: Shape = attrs["shape"]
    data = inputs[0]
    if shape and min(shape) > 0 and data is not None:
        return shape
    if data is None or not shape or attrs["reverse"] or min(shape) < -1:
        return None
    places = [data[axis] if length == 0 else length for axis, length in enumerate(shape)]
    if -1 in shape and UNKNOWN not in data:
        return None
    return tuple(places)


def np_reshaped(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the new shape of `np.reshape`, unless the kernel has to tell the length of a -1."""
    shape: Shape = attrs["newshape"]
    data = inputs[0]
    has_data = data is not None and UNKNOWN not in data
    return None if min(shape, default=0) < (0 if has_data else UNKNOWN) else shape


def transpose(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of the output with its axes in the order of the input."""
    result = outputs[0]
    if not result:
        return []
    axes = attrs["axes"] or tuple(reversed(range(len(result))))
    if sorted(axes) != list(range(len(result))):
        return []
    return [tuple(result[axes.index(axis)] for axis in range(len(result)))]


def like_output(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of the output for every input."""
    return [outputs[0]] * len(inputs)


def accumulate(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of the output, unless the array is flattened."""
    return [] if attrs["axis"] is None else like_output(inputs, outputs, attrs)


def triangular(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shapes of a triangular matrix and of what it is applied to."""
    result = outputs[0] or inputs[1]
    if result is None or len(result) < 2:
        return []
    side = result[-1] if attrs["rightside"] else result[-2]
    return [(*result[:-2], side, side), result]


def add_product(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of what is added to a product of matrices."""
    left, right = inputs[:2]
    if left is None or right is None or attrs["axis"] != -2 or min(len(left), len(right)) < 2:
        return [None, None, outputs[0]]
    rows = left[-1] if attrs["transpose_a"] else left[-2]
    columns = right[-2] if attrs["transpose_b"] else right[-1]
    return [None, None, (*left[:-2], rows, columns)]


def pick(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of the positions: that of the data without an axis."""
    data, index = inputs
    axis = attrs["axis"]
    if data is None or axis is None or not -len(data) <= axis < len(data):
        return []
    axis %= len(data)
    kept = (1,) if index is not None and len(index) == len(data) else ()
    return [None, (*data[:axis], *kept, *data[axis + 1 :])]


def sample(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of parameters of a distribution: all are alike, and begin the result's."""
    shapes = [shape for shape in inputs if shape is not None]
    result, drawn = outputs[0], len(attrs["shape"])
    if result is not None and len(result) > drawn:
        shapes.append(result[: len(result) - drawn])
    if len({len(shape) for shape in shapes}) != 1:
        return []
    # UNKNOWN is less than any length.
    return [tuple(max(lengths) for lengths in zip(*shapes, strict=True))] * len(inputs)


def density(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of parameters of a density, which begin that of the sample."""
    del outputs, attrs
    return _begin_of(inputs, 0)


def density_of_vectors(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns shapes of parameters of a density of vectors, whose elements are a last axis."""
    del outputs, attrs
    return _begin_of(inputs, 1)


def _begin_of(inputs: Known, last: int) -> list[Shape | None]:
    """Returns shapes of inputs that have the first lengths of the first one, and its last ones."""
    known = [shape for shape in inputs if shape is not None]
    if len(known) < len(inputs):
        return []
    sample, *parameters = known
    shapes: list[Shape | None] = [None]
    for parameter in parameters:
        rank = len(parameter) - last
        fits = 0 <= rank <= len(sample) - last
        shapes.append((*sample[:rank], *sample[len(sample) - last :]) if fits else None)
    return shapes


def from_coordinates(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of coordinates: a row for each axis, a column for each index."""
    result, shape = outputs[0], attrs["shape"]
    return [(len(shape), *result)] if result is not None and shape else []


def to_coordinates(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the shape of indices: that of their coordinates without the first axis."""
    return [outputs[0][1:]] if outputs[0] else []


def split_at(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    """Returns the lengths of an array to be split that its parts have as well."""
    data = inputs[0]
    parts = [shape for shape in outputs if shape is not None]
    if data is None or not parts or attrs["squeeze_axis"] or len(parts[0]) != len(data):
        return []
    axis = attrs["axis"] % len(data)
    lengths = [max(lengths) for lengths in zip(*parts, strict=True)]
    return [(*lengths[:axis], data[axis], *lengths[axis + 1 :])]


def squeezed(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of an array without given axes; which others have length 1 is open."""
    data, axes = inputs[0], attrs["axis"]
    if data is None or axes is None or any(not -len(data) <= axis < len(data) for axis in axes):
        return None
    left_out = {axis % len(data) for axis in axes}
    return tuple(length for axis, length in enumerate(data) if axis not in left_out)


def in_attribute(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape that an attribute says."""
    shape: Shape | None = attrs["shape"]
    return shape


def like_data(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of the first input."""
    return inputs[0]


def recurrent(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of the output of a recurrent layer, each step in both directions."""
    data = inputs[0]
    if data is None or len(data) != 3:
        return None
    size = attrs["projection_size"] or attrs["state_size"]
    return (*data[:2], size * (2 if attrs["bidirectional"] else 1))


def attended(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of sums of values that stand beside queries and keys."""
    del attrs
    projected, weights = inputs
    if projected is None or weights is None or len(projected) != 3 or len(weights) != 3:
        return None
    width = projected[2]
    return (*projected[:2], UNKNOWN if width == UNKNOWN else width // 3)


def one_element(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of a vector of one element."""
    return (1,)


def stacked(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of equal arrays along a new axis."""
    shapes = [shape for shape in inputs if shape is not None]
    if len({len(shape) for shape in shapes}) != 1:
        return None
    lengths = tuple(max(lengths) for lengths in zip(*shapes, strict=True))
    axis = attrs["axis"]
    if not -len(lengths) - 1 <= axis <= len(lengths):
        return None
    axis %= len(lengths) + 1
    return (*lengths[:axis], len(inputs), *lengths[axis:])


def sliced(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of a region; what bounds leave of an axis of unknown length is open."""
    data = inputs[0]
    if data is None or max(len(attrs["begin"]), len(attrs["end"])) > len(data):
        return None
    bounds = zip_longest(attrs["begin"], attrs["end"], attrs["step"])
    taken = [slice(*each) for each in bounds]
    return (*map(_count_taken, data, taken), *data[len(taken) :])


def sliced_along_axis(inputs: Known, attrs: Settings) -> Shape | None:
    """Returns the shape of a range along one axis, which is open if the axis is."""
    data, axis = inputs[0], attrs["axis"]
    if data is None or not -len(data) <= axis < len(data):
        return None
    lengths = list(data)
    lengths[axis] = _count_taken(lengths[axis], slice(attrs["begin"], attrs["end"]))
    return tuple(lengths)


def _count_taken(length: int, taken: slice) -> int:
    return UNKNOWN if length == UNKNOWN else len(range(*taken.indices(length)))


def has_condition(inputs: Known, attrs: Settings) -> bool:
    """Returns whether the condition is known: only then choices are said to be alike."""
    return shape_is_known(inputs[0])


def has_inner_lengths(inputs: Known, attrs: Settings) -> bool:
    """Returns whether the inner lengths of a product of matrices are known, transposed or not."""
    left, right = inputs
    if left is None or right is None:
        return False
    return UNKNOWN not in (*left[-1:], *right[-2:-1])


Lengths = Sequence[int]


def fully_connected(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of a dense layer's output."""
    data, weight, *bias = shapes
    count = settings["num_hidden"]
    if settings["flatten"]:
        data = (data[0], prod(data[1:]))
    fits = len(data) > 1 and weight == (count, data[-1]) and bias in ([], [(count,)])
    return (*data[:-1], count) if fits else None


def _slide(
    lengths: Lengths, kernel: Lengths, stride: Lengths, pad: Lengths, dilate: Lengths
) -> Shape | None:
    """Counts the windows along each axis."""
    count = len(lengths)
    if not len(kernel) == len(stride) == len(pad) == len(dilate) == count or min(stride) < 1:
        return None
    counts = tuple(
        (length + 2 * extra - apart * (window - 1) - 1) // step + 1
        for length, window, step, extra, apart in zip(
            lengths, kernel, stride, pad, dilate, strict=True
        )
    )
    return counts if min(counts) > 0 and min(kernel) > 0 and min(dilate) > 0 else None


def _has_channels_first(data: Shape, settings: Settings) -> bool:
    return settings["layout"] in (None, "NCDHW"[:2] + "DHW"[5 - len(data) :])


def convolution(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of a convolution's output."""
    data, weight, *bias = shapes
    kernel, count, groups = settings["kernel"], settings["num_filter"], settings["num_group"]
    if len(data) != len(kernel) + 2 or not kernel or not _has_channels_first(data, settings):
        return None
    if data[1] % groups or weight != (count, data[1] // groups, *kernel):
        return None
    ones, zeros = (1,) * len(kernel), (0,) * len(kernel)
    stride, pad, dilate = settings["stride"], settings["pad"], settings["dilate"]
    size = _slide(data[2:], kernel, stride or ones, pad or zeros, dilate or ones)
    if size is None or min(pad or zeros) < 0 or bias not in ([], [(count,)]):
        return None
    return (data[0], count, *size)


def pooling(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of what pooling gives."""
    (data,) = shapes
    kernel, pad = settings["kernel"], settings["pad"]
    plain = settings["pool_type"] in ("avg", "max") and _has_channels_first(data, settings)
    if not 3 <= len(data) <= 5 or not plain:
        return None
    if settings["global_pool"]:
        return (*data[:2], *(1 for _ in data[2:]))
    zeros = (0,) * len(kernel)
    # Where the padding is wider than half a window, the kernel knows another way.
    natural = all(0 <= 2 * extra <= window for extra, window in zip(pad, kernel, strict=False))
    if settings["pooling_convention"] != "valid" or not natural:
        return None
    ones = (1,) * len(kernel)
    size = _slide(data[2:], kernel, settings["stride"] or ones, pad or zeros, ones)
    return None if size is None else (*data[:2], *size)


def batch_norm(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of normalized data."""
    data, *others = shapes
    axis = settings["axis"]
    if len(data) < 2 or not -len(data) <= axis < len(data) or settings["output_mean_var"]:
        return None
    return data if all(shape == (data[axis],) for shape in others) else None


def concat(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of joined arrays."""
    first, axis = shapes[0], settings["dim"]
    if not -len(first) <= axis < len(first):
        return None
    axis %= len(first)
    rest = (first[:axis], first[axis + 1 :])
    if any((shape[:axis], shape[axis + 1 :]) != rest for shape in shapes):
        return None
    return (*rest[0], sum(shape[axis] for shape in shapes), *rest[1])


def broadcast(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of two arrays that are broadcast."""
    first, second = shapes
    if len(first) != len(second):
        return None
    pairs = list(zip(first, second, strict=True))
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        return None
    return tuple(a if b == 1 else b for a, b in pairs)
