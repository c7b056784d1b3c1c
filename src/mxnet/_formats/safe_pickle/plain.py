"""Constructors of plain data: Python containers, NumPy scalars and NumPy arrays.

Each takes exactly the arguments that Python and NumPy write; none calls its arguments.
"""

from __future__ import annotations

import math
from collections import OrderedDict, defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from mxnet._formats.safe_pickle.reading import Make, Name, Reading, Unfinished

_ENTRY = 64
"""Approximate size in bytes of an element of a set or dictionary."""
_NUM_DIMENSIONS = 32
_CODES = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16"
_DTYPES = {code: np.dtype(code) for code in _CODES.split()}
_BYTE_ORDERS = ("<", ">", "|", "=")
_NUMERIC = (3, None, None, None, -1, -1, 0)
"""The state of every numeric dtype besides the byte order: no fields, no flags."""
_FACTORIES: dict[str, type] = {
    factory.__name__: factory for factory in (bool, dict, float, int, list, set, str, tuple)
}


def _mismatch(reading: Reading, what: str, arguments: object) -> Exception:
    parts = arguments if isinstance(arguments, tuple) else (arguments,)
    types = ", ".join(type(part).__name__ for part in parts[:10])
    return reading.error(f"{what} cannot be made of ({types})")


def _have_types(values: Iterable[object], *types: type) -> bool:
    """Returns whether the type of each value is one of `types`; subclasses do not count."""
    return all(type(value) in types for value in values)


def _make_bytes(arguments: tuple[Any, ...], reading: Reading) -> bytes:
    if arguments:  # protocol 2 writes only empty bytes this way
        raise _mismatch(reading, "bytes", arguments)
    return b""


def _encode(arguments: tuple[Any, ...], reading: Reading) -> bytes:
    """Stands for `codecs.encode`, which protocol 2 uses to write bytes."""
    if not (_have_types(arguments, str) and arguments[1:] in (("latin1",), ("latin-1",))):
        raise reading.refusal("text is encoded by latin1 alone")
    text: str = arguments[0]
    reading.charge(len(text))
    return text.encode("latin1")


def _make_bytearray(arguments: tuple[Any, ...], reading: Reading) -> bytearray:
    if not arguments:
        return bytearray()
    if _have_types(arguments, str):
        return bytearray(_encode(arguments, reading))
    if len(arguments) != 1 or not _have_types(arguments, bytes, bytearray):
        raise _mismatch(reading, "a bytearray", arguments)
    reading.charge(len(arguments[0]))
    return bytearray(arguments[0])


def _make_complex(arguments: tuple[Any, ...], reading: Reading) -> complex:
    if len(arguments) != 2 or not _have_types(arguments, float):
        raise _mismatch(reading, "a complex number", arguments)
    return complex(*arguments)


def _make_range(arguments: tuple[Any, ...], reading: Reading) -> range:
    if not 1 <= len(arguments) <= 3 or not _have_types(arguments, int):
        raise _mismatch(reading, "a range", arguments)
    return range(*arguments)


def _make_slice(arguments: tuple[Any, ...], reading: Reading) -> slice:
    if not 1 <= len(arguments) <= 3 or not _have_types(arguments, int, type(None)):
        raise _mismatch(reading, "a slice", arguments)
    return slice(*arguments)


def _elements(what: str, arguments: tuple[Any, ...], reading: Reading) -> list[Any]:
    if not arguments:
        return []
    if len(arguments) != 1 or not _have_types(arguments, list):
        raise _mismatch(reading, what, arguments)
    elements: list[Any] = arguments[0]
    reading.charge(_ENTRY * len(elements))
    return elements


def _make_set(arguments: tuple[Any, ...], reading: Reading) -> set[Any]:
    elements = _elements("a set", arguments, reading)
    for element in elements:
        reading.check_key(element)
    return set(elements)


def _make_frozenset(arguments: tuple[Any, ...], reading: Reading) -> frozenset[Any]:
    return frozenset(_make_set(arguments, reading))


def _make_ordered_dict(arguments: tuple[Any, ...], reading: Reading) -> OrderedDict[Any, Any]:
    made: OrderedDict[Any, Any] = OrderedDict()
    for pair in _elements("an OrderedDict", arguments, reading):
        if type(pair) not in (list, tuple) or len(pair) != 2:
            raise _mismatch(reading, "an item of an OrderedDict", pair)
        reading.check_key(pair[0])
        made[pair[0]] = pair[1]
    return made


def _make_defaultdict(arguments: tuple[Any, ...], reading: Reading) -> defaultdict[Any, Any]:
    if len(arguments) > 1:
        raise _mismatch(reading, "a defaultdict", arguments)
    if not arguments or arguments[0] is None:
        return defaultdict(None)
    factory = arguments[0]
    if type(factory) is not Name or factory.make not in (_refuse_call, _make_set):
        raise _mismatch(reading, "a defaultdict", arguments)
    return defaultdict(_FACTORIES[factory.name])


def _refuse_call(arguments: tuple[Any, ...], reading: Reading) -> Any:
    """Stands for the types that may be the factory of a defaultdict; calling them is refused."""
    raise _mismatch(reading, "a value of a built-in type", arguments)


def _refuse_object(arguments: tuple[Any, ...], reading: Reading) -> Any:
    """Stands for `object`, which `copyreg` names as a base; calling it is refused."""
    raise _mismatch(reading, "an object", arguments)


def _reconstruct_object(arguments: tuple[Any, ...], reading: Reading) -> Any:
    """Stands for `copyreg._reconstructor`, which protocols 0 and 1 use to make objects."""
    if len(arguments) == 3 and arguments[2] is None and _have_types(arguments[:2], Name):
        name, base, _ = arguments
        if base.make is _refuse_object:
            return name.make((), reading)
    raise _mismatch(reading, "an object", arguments)


class _UnfinishedDtype(Unfinished):
    """A numeric dtype; its state holds the byte order."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype

    def build(self, state: Any, reading: Reading) -> None:
        if type(state) is not tuple or not _have_types(state, int, str, type(None)):
            raise _mismatch(reading, "a numeric dtype", state)
        if len(state) != 8 or state[1] not in _BYTE_ORDERS or (state[0], *state[2:]) != _NUMERIC:
            raise _mismatch(reading, "a numeric dtype", state)
        self._dtype = self._dtype.newbyteorder(state[1])

    def finish(self, reading: Reading) -> np.dtype[Any]:  # noqa: ARG002 - the interface
        return self._dtype


def _make_dtype(arguments: tuple[Any, ...], reading: Reading) -> _UnfinishedDtype:
    if len(arguments) != 3 or not _have_types(arguments[1:], bool, int) or arguments[1]:
        raise _mismatch(reading, "a dtype", arguments)
    if type(arguments[0]) is not str or arguments[0] not in _DTYPES:
        raise reading.refusal(
            f"refuses the dtype {str(arguments[0])[:40]!r}; allowed are {', '.join(_DTYPES)}"
        )
    return _UnfinishedDtype(_DTYPES[arguments[0]])


def _array_of(
    data: Any, dtype: Any, shape: Any, order: str, what: str, reading: Reading
) -> npt.NDArray[Any]:
    """Returns an array with memory of its own; raises unless the number of bytes fits."""
    if (
        not isinstance(dtype, np.dtype)
        or type(data) not in (bytes, bytearray)
        or type(shape) is not tuple
        or len(shape) > _NUM_DIMENSIONS
        or not _have_types(shape, int)
        or any(length < 0 for length in shape)
    ):
        raise _mismatch(reading, what, (data, dtype, shape))
    expected = math.prod(shape) * dtype.itemsize
    if len(data) != expected:
        raise reading.error(
            f"{what} of {dtype} and shape {shape} takes {expected} bytes, there are {len(data)}"
        )
    reading.charge(len(data))
    if dtype == np.bool_:  # NumPy misbehaves for booleans of bytes other than 0 and 1
        return (np.frombuffer(data, np.uint8) != 0).reshape(shape, order=order)  # type: ignore[no-any-return]  # C or F
    flat = np.frombuffer(data, dtype).copy()
    return flat.reshape(shape, order=order)  # type: ignore[no-any-return]  # C or F


def _make_scalar(arguments: tuple[Any, ...], reading: Reading) -> np.generic:
    if len(arguments) != 2:
        raise _mismatch(reading, "a NumPy scalar", arguments)
    dtype, data = arguments
    value: Any = _array_of(data, dtype, (), "C", "a NumPy scalar", reading)[()]
    return value  # type: ignore[no-any-return]  # a number, not an array


class _UnfinishedArray(Unfinished):
    """A NumPy array; its state holds everything."""

    _array: npt.NDArray[Any] | None = None

    def build(self, state: Any, reading: Reading) -> None:
        if type(state) is not tuple or len(state) != 5 or not _have_types(state[::3], int, bool):
            raise _mismatch(reading, "a NumPy array", state)
        _, shape, dtype, is_fortran, data = state
        order = "F" if is_fortran else "C"
        self._array = _array_of(data, dtype, shape, order, "a NumPy array", reading)

    def finish(self, reading: Reading) -> npt.NDArray[Any]:
        if self._array is None:
            raise reading.error("a NumPy array has no state")
        return self._array


def _reconstruct_array(arguments: tuple[Any, ...], reading: Reading) -> _UnfinishedArray:
    """Stands for NumPy's function that makes an empty array, which then gets its state."""
    if len(arguments) != 3 or getattr(arguments[0], "make", None) is not _refuse_array:
        raise _mismatch(reading, "a NumPy array", arguments)
    return _UnfinishedArray()


def _refuse_array(arguments: tuple[Any, ...], reading: Reading) -> Any:
    """Stands for `numpy.ndarray`, which real files name but never call."""
    raise _mismatch(reading, "a NumPy array", arguments)


def _array_from_buffer(arguments: tuple[Any, ...], reading: Reading) -> npt.NDArray[Any]:
    """Stands for the function that protocol 5 uses to make arrays."""
    if len(arguments) != 4 or type(arguments[3]) is not str or arguments[3] not in ("C", "F"):
        raise _mismatch(reading, "a NumPy array", arguments)
    return _array_of(*arguments[:4], "a NumPy array", reading)


PLAIN: dict[tuple[str, str], Make] = {
    ("_codecs", "encode"): _encode,
    ("builtins", "bytearray"): _make_bytearray,
    ("builtins", "bytes"): _make_bytes,
    ("builtins", "complex"): _make_complex,
    ("builtins", "frozenset"): _make_frozenset,
    ("builtins", "object"): _refuse_object,
    ("builtins", "range"): _make_range,
    ("builtins", "slice"): _make_slice,
    ("collections", "OrderedDict"): _make_ordered_dict,
    ("collections", "defaultdict"): _make_defaultdict,
    ("copyreg", "_reconstructor"): _reconstruct_object,
    ("numpy", "dtype"): _make_dtype,
    ("numpy", "ndarray"): _refuse_array,
    **{("builtins", name): _refuse_call for name in _FACTORIES},
    ("builtins", "set"): _make_set,
}
"""Constructors by module and name."""
for _core in ("numpy.core", "numpy._core"):  # before and since NumPy 2
    PLAIN[f"{_core}.multiarray", "scalar"] = _make_scalar
    PLAIN[f"{_core}.multiarray", "_reconstruct"] = _reconstruct_array
    PLAIN[f"{_core}.numeric", "_frombuffer"] = _array_from_buffer

_PYTHON_2 = {"__builtin__": "builtins", "copy_reg": "copyreg"}


def find_plain(module: str, name: str) -> Make | None:
    """Returns the constructor of plain data that a name stands for, in any version of Python."""
    module = _PYTHON_2.get(module, module)
    if (module, name) == ("builtins", "xrange"):
        name = "range"
    return PLAIN.get((module, name))
