"""Reads pickles from files without running what they ask for.

A pickle names functions and classes to call. Here only containers, NumPy's scalars and arrays, and
what the caller allows are found; every other name is refused before anything of it is called.
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from mxnet.errors import FileFormatError, MXNetError

Find: TypeAlias = Callable[[str, str], Any]
"""Gives the object of a module and name, None if it is not allowed."""


class RefusedPickleError(MXNetError, pickle.UnpicklingError):
    """A pickle asks for something that is not allowed."""


def _plain_names() -> dict[tuple[str, str], Any]:
    names: dict[tuple[str, str], Any] = {
        ("builtins", kind.__name__): kind
        for kind in (bytearray, complex, frozenset, range, set, slice)
    }
    names["collections", "OrderedDict"] = OrderedDict
    names["collections", "defaultdict"] = defaultdict
    for kind in (list, dict, int, float, str, tuple, bool):  # factories of a defaultdict
        names["builtins", kind.__name__] = kind
    names["_codecs", "encode"] = _encode_latin1
    names["numpy", "dtype"] = np.dtype
    names["numpy", "ndarray"] = np.ndarray
    for private in ("numpy.core.multiarray", "numpy._core.multiarray"):
        names[private, "scalar"] = np.float64(0).__reduce__()[0]
        names[private, "_reconstruct"] = np.zeros(1).__reduce__()[0]
    return names


def _encode_latin1(text: str, encoding: str = "latin1") -> bytes:
    """Stands for `codecs.encode`, by which protocol 2 writes bytes, and does nothing else."""
    if encoding != "latin1":
        raise RefusedPickleError(f"pickle: bytes are encoded by latin1, got {encoding!r}")
    return text.encode("latin1")


_PLAIN = _plain_names()


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, where: str, find: Find) -> None:
        super().__init__(io.BytesIO(data))
        self._where, self._find = where, find

    def find_class(self, module: str, name: str) -> Any:
        if module == "__builtin__":  # Python 2's name, which protocol 2 still writes
            module, name = "builtins", {"xrange": "range"}.get(name, name)
        found = _PLAIN.get((module, name))
        if found is None:
            found = self._find(module, name)
        if found is None:
            raise RefusedPickleError(
                f"{self._where}: refuses to load {module}.{name}; allowed are arrays, NumPy "
                "scalars, containers, optimizers and learning rate schedules. Register an "
                "optimizer of your own before loading its states"
            )
        return found


def loads(data: bytes, where: str, find: Find) -> Any:
    """Reads a pickle.

    Args:
        data: The pickle.
        where: What is read, for messages.
        find: Gives the object of a module and name that is allowed beside the plain ones.

    Raises:
        RefusedPickleError: if the pickle asks for anything else.
        FileFormatError: if it is damaged.
    """
    try:
        return _Unpickler(data, where, find).load()
    except MXNetError:
        raise
    except (
        pickle.UnpicklingError,
        AttributeError,
        EOFError,
        IndexError,
        KeyError,
        OverflowError,
        TypeError,
        ValueError,
    ) as error:
        raise FileFormatError(f"{where}: not a readable pickle: {error}") from error
