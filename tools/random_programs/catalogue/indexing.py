"""Steps that select or write elements by indices, by operators and by `x[...]`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.random_programs.catalogue.table import MAKERS, row, rows
from tools.random_programs.draft import Draft, call, method
from tools.random_programs.steps import writes


@row("take")
def _take(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    axis = draft.axis(data) if draft.chance(0.7) else 0
    shape = draft.shape(data)
    size = shape[axis] if -len(shape) <= axis < len(shape) else 1
    indices = draft.indices(draft.some_shape(draft.whole(1, 2)), size)
    options = draft.options(mode=["clip", "wrap"])
    if axis or draft.chance(0.5):
        options["axis"] = axis
    return draft.one([call, method])("take", data, indices, **options)


@row("pick")
def _pick(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3))
    shape = draft.shape(data)
    axis = draft.whole(-len(shape), len(shape) - 1)
    rest = [length for i, length in enumerate(shape) if i != axis % len(shape)]
    options = draft.options(mode=["clip", "wrap"], keepdims=[True, False])
    if options.get("keepdims") and draft.chance(0.5):
        rest.insert(axis % len(shape), 1)
    indices = draft.indices(rest or (1,), shape[axis])
    return draft.one([call, method])("pick", data, indices, axis=axis, **options)


def _nd_indices(draft: Draft, shape: tuple[int, ...]) -> str:
    depth = draft.whole(1, len(shape))
    high = max(min(shape[:depth]), 1)
    kind = draft.one(["int32", "int64", "float32"])
    return draft.new((depth, *draft.some_shape(draft.whole(1, 2))), kind, [0, high])


@row("gather_nd")
def _gather_nd(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: 0 not in shape)
    return call("gather_nd", data, _nd_indices(draft, draft.shape(data)))


@row("scatter_nd")
def _scatter_nd(draft: Draft) -> dict[str, Any]:
    shape = [max(length, 1) for length in draft.some_shape(draft.whole(1, 3))]
    depth = draft.whole(1, len(shape))
    # Which of several elements for one place stays is not said, so that there is one index alone.
    indices = draft.new((depth, 1), "int32", [0, min(shape[:depth])])
    return call("scatter_nd", draft.new((1, *shape[depth:])), indices, shape=shape)


@row("one_hot")
def _one_hot(draft: Draft) -> dict[str, Any]:
    depth = draft.whole(1, 4)
    indices = draft.indices(draft.some_shape(draft.whole(1, 3)), depth)
    options = draft.options(
        on_value=[2.0, 5], off_value=[-1.0, 1], dtype=["float32", "int32", "float64"]
    )
    return draft.one([call, method])("one_hot", indices, depth=depth, **options)


@row("Embedding")
def _embedding(draft: Draft) -> dict[str, Any]:
    weight = draft.float(2, fits=lambda shape: 0 not in shape)
    rows_, columns = draft.shape(weight)
    indices = draft.indices(draft.some_shape(draft.whole(1, 2)), rows_)
    return call("Embedding", indices, weight, input_dim=rows_, output_dim=columns)


@row("where")
def _where(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    shape = draft.shape(data)
    condition = draft.new(
        shape if draft.chance(0.7) else shape[:1], draft.one(["float32", "int32"]), "small"
    )
    return call("where", condition, data, draft.like(data))


def _batch_take(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any(2, fits=lambda shape: 0 not in shape)
    rows_, columns = draft.shape(data)
    kind = "int32" if name == "batch_take" else "float32"
    return call(name, data, draft.new((rows_,), kind, [0, columns]))


rows("batch_take choose_element_0index", _batch_take)


@row("ravel_multi_index")
def _ravel(draft: Draft) -> dict[str, Any]:
    indices = draft.new((2, draft.whole(1, 4)), draft.one(["float32", "int32", "int64"]), [0, 3])
    return call("ravel_multi_index", indices, shape=[draft.whole(3, 4), draft.whole(3, 5)])


@row("unravel_index")
def _unravel(draft: Draft) -> dict[str, Any]:
    indices = draft.new((draft.whole(1, 4),), draft.one(["float32", "int32", "int64"]), [0, 9])
    return call("unravel_index", indices, shape=[3, draft.whole(3, 5)])


@row("contrib.boolean_mask")
def _boolean_mask(draft: Draft) -> dict[str, Any]:
    data = draft.any(dtype=("float32", "float64", "int32"))
    mask = draft.new(draft.shape(data)[:1], "float32", [0, 2])
    return call("contrib.boolean_mask", data, mask)


@row("contrib.index_copy")
def _index_copy(draft: Draft) -> dict[str, Any]:
    data = draft.float((1, 2), fits=lambda shape: 0 not in shape)
    shape = draft.shape(data)
    index = draft.new((1,), "int32", [0, shape[0]])
    return call("contrib.index_copy", data, index, draft.like(data, (1, *shape[1:])))


def _sequence(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.float((2, 3, 4), fits=lambda shape: 0 not in shape)
    options = {} if name == "SequenceReverse" else draft.options(axis=[0, 1])
    shape = draft.shape(data)
    axis = options.get("axis", 0)
    if name == "SequenceMask":
        options |= draft.options(value=[-1.0, 2])
    if draft.chance(0.3):
        return call(name, data, **options)
    lengths = draft.new(
        (shape[1 - axis],), draft.one(["float32", "int32", draft.dtype(data)]), [1, shape[axis] + 1]
    )
    return call(name, data, lengths, use_sequence_length=True, **options)


rows("SequenceMask SequenceLast SequenceReverse", _sequence)


def _slice_item(draft: Draft, length: int) -> dict[str, Any]:
    if length < 1 or draft.chance(0.2):
        return {"slice": [None, None, None]}
    first = draft.whole(0, length - 1)
    last = draft.whole(first + 1, length)
    chosen = draft.one(
        [[first, last, None], [first - length, None, None], [None, last, 2], [first, last, 1]]
    )
    if draft.chance(0.1):
        chosen = draft.one([[None, None, -1], [length - 1, None, -2]])
    return {"slice": chosen}


def basic_key(draft: Draft, shape: tuple[int, ...]) -> list[Any]:
    """Returns a key of whole numbers, slices, `None` and `...`."""
    items: list[Any] = []
    for length in shape[: draft.whole(1, len(shape))]:
        if length and draft.chance(0.4):
            items.append(draft.whole(-length, length - 1))
        else:
            items.append(_slice_item(draft, length))
    if draft.chance(0.1):
        items.insert(draft.whole(0, len(items)), None)
    if draft.chance(0.1):
        items.insert(draft.whole(0, len(items)), "...")
    if draft.chance(0.02):
        items[0] = shape[0] + 1
    return items


def advanced_key(draft: Draft, shape: tuple[int, ...]) -> list[Any]:
    """Returns a key with lists, NumPy arrays or arrays of the program for some axes."""
    count = draft.whole(1, 3)
    items: list[Any] = []
    for length in shape[: draft.whole(1, min(len(shape), 3))]:
        if items and draft.chance(0.5):
            items.append(
                draft.one([_slice_item(draft, length), draft.whole(0, max(length - 1, 0))])
            )
            continue
        # Negative ones write to foreign memory in the original, or read it in a gradient.
        places = [draft.whole(0, length - 1) for _ in range(count)] if length else [0]
        items.append(
            draft.one([
                places,
                {"numpy": places, "dtype": draft.one(["int32", "int64"])},
                {"array": draft.new((count,), draft.one(["int32", "float32"]), [0, length])},
            ])
        )  # fmt: skip
    return items


def some_key(draft: Draft, shape: tuple[int, ...]) -> list[Any]:
    """Returns a key for an array of a shape."""
    return (basic_key if draft.chance(0.65) else advanced_key)(draft, shape)


@row("operator getitem")
def _getitem(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: len(shape) > 0)
    return {"do": "getitem", "in": [data], "key": some_key(draft, draft.shape(data))}


@row("operator setitem")
def _setitem(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: len(shape) > 0)
    key = some_key(draft, draft.shape(data))
    step = {"do": "setitem", "in": [data], "key": key}
    if draft.chance(0.6):
        step["number"] = draft.number()
        return step
    if draft.chance(0.5):
        step["in"].append(draft.like(data, (1,)))
        return step
    # An array of the shape of what is written to, as far as it is easy to say.
    part = draft.arrays[data].asnumpy()
    try:
        chosen = part[_numpy_key(key)]
    except (IndexError, TypeError):
        chosen = part
    step["in"].append(draft.new(chosen.shape or (1,), draft.dtype(data)))
    return step


def _numpy_key(key: list[Any]) -> tuple[Any, ...]:
    if any(isinstance(item, dict) and "array" in item for item in key):
        raise TypeError("arrays of the program have no elements here")
    return tuple(
        slice(*item["slice"]) if isinstance(item, dict) and "slice" in item
        else item["numpy"] if isinstance(item, dict)
        else Ellipsis if item == "..."
        else item
        for item in key
    )  # fmt: skip


_OUT = {
    "broadcast_add": 2, "broadcast_mul": 2, "elemwise_sub": 2, "exp": 1, "relu": 1, "square": 1,
    "negative": 1, "sigmoid": 1, "abs": 1, "floor": 1,
    "broadcast_maximum": 2, "identity": 1, "zeros_like": 1,
}  # fmt: skip


@row("operator out")
def _out(draft: Draft) -> dict[str, Any]:
    if draft.chance(0.5):
        return _any_out(draft)
    name = draft.one(sorted(_OUT))
    data = draft.float()
    given = [data] if _OUT[name] == 1 else [data, draft.like(data)]
    out = (
        draft.one([draft.like(data), data, draft.any()]) if draft.chance(0.6) else draft.like(data)
    )
    return call(name, *given) | {"out": out}


def _any_out(draft: Draft) -> dict[str, Any]:
    """Returns a step of another row with an `out` of the right shape, and mostly dtype.

    It is a new array: what an operator reads while it writes to it is not said.
    """
    names = [name for name in MAKERS if not name.startswith("operator")]
    while True:
        step = MAKERS[draft.one(names)](draft)
        if step["do"] == "call" and not step.get("list") and not writes(step):
            made = draft.outcome(step)
            if len(made) == 1 and draft.fits(made[0]):
                dtype = np.dtype(made[0].dtype).name if draft.chance(0.9) else draft.some_dtype()
                return step | {"out": draft.new(made[0].shape, dtype)}


@row("operator copyto")
def _copyto(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    return method("copyto", data, draft.new(draft.shape(data)))
