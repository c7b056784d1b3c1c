"""Turns the data of a program into arguments: elements of inputs, numbers, keys of indexing."""

from __future__ import annotations

from typing import Any

import numpy as np

INTEGERS = ("int8", "uint8", "int32", "int64")
FLOATS = ("float16", "float32", "float64")


def elements(recipe: dict[str, Any]) -> np.ndarray:
    """Returns the elements of an input, the same ones with every version of NumPy.

    Args:
        recipe: `shape`, `dtype`, `seed` and `draw`: "any" (sixteenths from -4 to 4, whole numbers
            for integers), "positive", "unit" (within -1 and 1), "small" (three distinct numbers, so
            that many are equal), "special" (also nan and infinities) or a range `[low, high]`
            of whole numbers. With the `stype` of a sparse array, many rows or elements are 0.
    """
    found = _drawn(recipe)
    if recipe.get("stype"):
        random = np.random.RandomState(recipe["seed"] ^ 1)
        whole_rows = recipe["stype"] == "row_sparse"
        shape = (found.shape[0], *[1] * (found.ndim - 1)) if whole_rows else found.shape
        found = np.where(random.randint(0, 2, shape) > 0, found, found.dtype.type(0))
    return found


def _drawn(recipe: dict[str, Any]) -> np.ndarray:
    shape, dtype, draw = tuple(recipe["shape"]), recipe["dtype"], recipe["draw"]
    random = np.random.RandomState(recipe["seed"])
    if isinstance(draw, list):
        return random.randint(draw[0], max(draw[1], draw[0] + 1), shape).astype(dtype)
    low, high = {"positive": (1, 65), "unit": (-15, 16), "small": (-1, 2)}.get(draw, (-64, 65))
    numbers = random.randint(low, high, shape)
    if dtype == "bool":
        return numbers > 0
    if dtype in INTEGERS:
        # An unsigned number below 0 would be a conversion that no standard defines.
        numbers = numbers // 8 if draw == "any" else numbers
        return (np.abs(numbers) if dtype == "uint8" else numbers).astype(dtype)
    found = numbers.astype("float64") if draw == "small" else numbers / 16
    if draw == "special" and found.size:
        flat = found.reshape(-1)
        places = random.randint(0, flat.size, 3)
        flat[places] = [np.nan, np.inf, -np.inf]
    return found.astype(dtype)


def is_variable(recipe: dict[str, Any]) -> bool:
    """Returns whether an input gets a gradient: floats do, but for indices, labels and lengths."""
    return recipe["dtype"] in FLOATS and not isinstance(recipe.get("draw"), list)


def number(encoded: Any) -> Any:
    """Returns the number that data stand for: a Python one, or `{"np": dtype, "is": number}`."""
    if isinstance(encoded, dict):
        return np.dtype(encoded["np"]).type(encoded["is"])
    return encoded


def attribute(encoded: Any) -> Any:
    """Returns the attribute that data stand for; a list is a tuple, `{"list": ...}` a list."""
    if isinstance(encoded, dict) and "list" in encoded:
        return [attribute(part) for part in encoded["list"]]
    if isinstance(encoded, list):
        return tuple(attribute(part) for part in encoded)
    return number(encoded)


def key(encoded: list[Any], arrays: dict[str, Any]) -> Any:
    """Returns the key of `x[key]`: one item, or a tuple of them if there are several."""
    items = tuple(_item(part, arrays) for part in encoded)
    return items[0] if len(items) == 1 else items


def _item(encoded: Any, arrays: dict[str, Any]) -> Any:
    if encoded == "...":
        return Ellipsis
    if isinstance(encoded, list):
        return list(encoded)
    if isinstance(encoded, dict):
        if "slice" in encoded:
            return slice(*encoded["slice"])
        if "array" in encoded:
            return arrays[encoded["array"]]
        return np.array(encoded["numpy"], dtype=encoded["dtype"])
    return encoded


Snapshot = tuple[str, tuple[int, ...], bytes] | tuple[str, tuple[int, ...], bytes, str]
"""The dtype, shape and elements of an array, and its storage type unless that is the default."""


def snapshot(array: Any) -> Snapshot:
    """Returns what is compared of an array, in a form that all versions of NumPy read."""
    # Some functions of the NumPy dialect return numbers.
    copied = array.asnumpy() if hasattr(array, "asnumpy") else np.asarray(array)
    kept = str(copied.dtype), copied.shape, np.ascontiguousarray(copied).tobytes()
    stype = getattr(array, "stype", "default")
    return kept if stype == "default" else (*kept, stype)


def stype_of(kept: Snapshot) -> str:
    """Returns the storage type of the array that a snapshot is of."""
    return kept[3] if len(kept) > 3 else "default"


def restored(kept: Snapshot) -> np.ndarray:
    """Returns the NumPy array that `snapshot` has described."""
    dtype, shape, content = kept[:3]
    return np.frombuffer(content, dtype=dtype).reshape(shape)
