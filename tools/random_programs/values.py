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
            of whole numbers.
    """
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


def snapshot(array: Any) -> tuple[str, tuple[int, ...], bytes]:
    """Returns dtype, shape and elements of an array in a form that all versions of NumPy read."""
    # Some functions of the NumPy dialect return numbers.
    copied = array.asnumpy() if hasattr(array, "asnumpy") else np.asarray(array)
    return str(copied.dtype), copied.shape, np.ascontiguousarray(copied).tobytes()


def restored(kept: tuple[str, tuple[int, ...], bytes]) -> np.ndarray:
    """Returns the NumPy array that `snapshot` has described."""
    dtype, shape, content = kept
    return np.frombuffer(content, dtype=dtype).reshape(shape)
