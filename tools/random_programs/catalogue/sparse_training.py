"""Steps of training with sparse arrays: tables, layers and updates of the rows that are stored."""

from __future__ import annotations

from typing import Any

from tools.random_programs.catalogue.sparse import fresh, some
from tools.random_programs.catalogue.table import sparse_row, sparse_rows
from tools.random_programs.draft import Draft, call

_REAL = ("float32", "float64")


def _table(draft: Draft, name: str) -> dict[str, Any]:
    rows, columns = draft.whole(1, 5), draft.whole(1, 3)
    dtype = draft.one(["float32", "float32", "float64", "float16"])
    weight = fresh(draft, draft.one(["default", "row_sparse"]), [rows, columns], dtype)
    if dtype == "float32":
        draft.inputs[weight]["grad_stype"] = draft.one(["default", "row_sparse", "row_sparse"])
    shape = draft.some_shape(draft.whole(1, 2))
    index = draft.new(shape, draft.one(["float32", "int32", "int64"]), [0, rows])
    options: dict[str, Any] = {"input_dim": rows, "output_dim": columns}
    if name == "Embedding" and draft.inputs[weight].get("grad_stype") == "row_sparse":
        options["sparse_grad"] = True
    if draft.chance(0.3):
        options["dtype"] = dtype
    return call(name, index, weight, **options)


sparse_rows("Embedding contrib.SparseEmbedding", _table)


@sparse_row("FullyConnected")
def _fully_connected(draft: Draft) -> dict[str, Any]:
    data = some(draft, ("csr", "default", "default"), 2, _REAL)
    units, dtype = draft.whole(1, 3), draft.dtype(data)
    weight = fresh(
        draft, draft.one(["row_sparse", "default"]), [units, draft.shape(data)[1]], dtype
    )
    bias = fresh(draft, draft.one(["row_sparse", "default"]), [units], dtype)
    return call("FullyConnected", data, weight, bias, num_hidden=units)


def _regression(draft: Draft, name: str) -> dict[str, Any]:
    data = some(draft, ("default",), 2, _REAL)
    stype = draft.one(["csr", "default"])
    label = draft.new(draft.shape(data), draft.dtype(data), [-2, 3], once=True, stype=stype)
    return call(name, data, label)


sparse_rows("LogisticRegressionOutput LinearRegressionOutput", _regression)


UPDATES = {
    "sgd_update": (0, {"lr": 0.1}, ("wd", "rescale_grad", "clip_gradient", "lazy_update")),
    "sgd_mom_update": (
        1, {"lr": 0.1, "momentum": 0.9}, ("wd", "rescale_grad", "clip_gradient", "lazy_update"),
    ),
    "adam_update": (2, {"lr": 0.1}, ("wd", "rescale_grad", "clip_gradient", "lazy_update")),
    "ftrl_update": (2, {"lr": 0.1}, ("wd", "rescale_grad", "clip_gradient", "lamda1")),
    "sparse.adagrad_update": (1, {"lr": 0.1}, ("rescale_grad", "clip_gradient")),
    "contrib.group_adagrad_update": (1, {"lr": 0.1}, ("rescale_grad", "clip_gradient")),
    "signsgd_update": (0, {"lr": 0.1}, ("wd", "rescale_grad")),
    "rmsprop_update": (1, {"lr": 0.1}, ("wd", "rescale_grad")),
}  # fmt: skip
"""The number of states, options that must be given, and options that may be."""
_CHOICES = {
    "wd": [0.0, 0.1], "rescale_grad": [0.5], "clip_gradient": [0.5], "lazy_update": [True, False],
    "lamda1": [0.1],
}  # fmt: skip


def _update(draft: Draft, name: str) -> dict[str, Any]:
    """Updates a weight by a gradient, mostly by a row_sparse one."""
    states, given, may = UPDATES[name]
    dtype = draft.one(["float32", "float32", "float32", "float64"])
    shape = list(draft.some_shape(2))
    weight = draft.new(shape, dtype, "unit", stype=draft.one(["default", "row_sparse"]))
    gradient = draft.new(
        shape, dtype, "unit", stype=draft.one(["row_sparse", "row_sparse", "default"])
    )
    kind = draft.one(["default", draft.stype(weight)])
    parts = []
    for _ in range(states):
        narrow = [shape[0], 1] if "group" in name else shape
        parts.append(draft.new(narrow, dtype, "positive", stype=kind))
    options = draft.options(**{option: _CHOICES[option] for option in may})
    step = call(name, weight, gradient, *parts, **given, **options)
    return step | ({"out": weight} if draft.chance(0.9) else {})


sparse_rows(UPDATES, _update)
