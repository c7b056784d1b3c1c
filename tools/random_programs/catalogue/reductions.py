"""Steps that reduce axes, order elements or normalize along an axis."""

from __future__ import annotations

from typing import Any

from tools.random_programs.catalogue.table import row, rows
from tools.random_programs.draft import Draft, call, method


def _make(draft: Draft) -> Any:
    return method if draft.chance(0.4) else call


def _reduce(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.float() if draft.chance(0.8) else draft.any()
    options = draft.options(keepdims=[True, False, 1, 0])
    if draft.chance(0.15):
        options["exclude"] = True
    if draft.chance(0.75):
        options["axis"] = draft.axes(data)
    return _make(draft)(name, data, **options)


rows("sum mean prod nansum nanprod max min", _reduce)
rows("sum_axis max_axis min_axis", lambda draft, name: call(name, draft.float(), **_axes(draft)))


def _axes(draft: Draft) -> dict[str, Any]:
    return draft.options(axis=[0, -1, [0], 1], keepdims=[True])


@row("norm")
def _norm(draft: Draft) -> dict[str, Any]:
    data = draft.float()
    options = draft.options(ord=[1, 2], keepdims=[True, False])
    if draft.chance(0.7):
        axes = draft.axes(data)
        options["axis"] = axes if isinstance(axes, int) else axes[:2]
    return _make(draft)("norm", data, **options)


def _position(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    options = draft.options(keepdims=[True, False])
    if draft.chance(0.8):
        options["axis"] = draft.axis(data)
    return _make(draft)(name, data, **options)


rows("argmax argmin", _position)


@row("argmax_channel")
def _argmax_channel(draft: Draft) -> dict[str, Any]:
    return call("argmax_channel", draft.float(2))


def _order(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    options = draft.options(is_ascend=[True, False])
    if draft.chance(0.7):
        options["axis"] = draft.axis(data)
    if name == "argsort" and draft.chance(0.3):
        options["dtype"] = draft.one(["int32", "int64", "float32", "float64"])
    return _make(draft)(name, data, **options)


rows("sort argsort", _order)


@row("topk")
def _topk(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    options = draft.options(is_ascend=[True, False], dtype=["int32", "float32", "int64"])
    options["axis"] = draft.axis(data)
    options["k"] = draft.whole(1, 3)
    options["ret_typ"] = draft.one(["value", "indices", "mask", "both"])
    return _make(draft)("topk", data, **options)


@row("moments")
def _moments(draft: Draft) -> dict[str, Any]:
    data = draft.float()
    return call("moments", data, axes=[draft.axis(data)], **draft.options(keepdims=[True]))


@row("cumsum")
def _cumsum(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    options = draft.options(dtype=["float32", "float64", "int32"])
    if draft.chance(0.8):
        options["axis"] = draft.axis(data)
    return call("cumsum", data, **options)


def _softmax(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.float()
    options = draft.options(temperature=[0.5, 2.0, None], dtype=["float32", "float64"])
    if draft.chance(0.7):
        options["axis"] = draft.axis(data)
    return _make(draft)(name, data, **options)


rows("softmax log_softmax softmin", _softmax)


@row("softmax with length")
def _softmax_length(draft: Draft) -> dict[str, Any]:
    data = draft.float((2, 3))
    shape = draft.shape(data)
    axis = draft.whole(0, len(shape) - 1)
    rest = [length for place, length in enumerate(shape) if place != axis]
    lengths = draft.new(rest, draft.one(["int32", "int64"]), [1, shape[axis] + 1])
    return call("softmax", data, lengths, axis=axis, use_length=True)


@row("SoftmaxActivation")
def _softmax_activation(draft: Draft) -> dict[str, Any]:
    return call(
        "SoftmaxActivation", draft.float((2, 4)), **draft.options(mode=["instance", "channel"])
    )


@row("L2Normalization")
def _l2(draft: Draft) -> dict[str, Any]:
    data = draft.float((2, 3, 4))
    kinds = ["instance"] if len(draft.shape(data)) < 3 else ["instance", "channel", "spatial"]
    return call("L2Normalization", data, mode=draft.one(kinds), **draft.options(eps=[1e-5]))


@row("histogram")
def _histogram(draft: Draft) -> dict[str, Any]:
    data = draft.any(dtype=("float32", "float64", "int32"))
    return call("histogram", data, bins=draft.whole(1, 6), range=[-3.1, 3.3])


@row("all_finite")
def _all_finite(draft: Draft) -> dict[str, Any]:
    return call("all_finite", draft.float())


@row("multi_sum_sq")
def _multi_sum_sq(draft: Draft) -> dict[str, Any]:
    arrays = [draft.any(dtype="float32") for _ in range(draft.whole(1, 3))]
    return call("multi_sum_sq", *arrays, num_arrays=len(arrays))


@row("khatri_rao")
def _khatri_rao(draft: Draft) -> dict[str, Any]:
    first = draft.float(2)
    return call("khatri_rao", first, draft.like(first, (draft.whole(1, 3), draft.shape(first)[1])))
