"""Saving and loading arrays of the NumPy dialect: `npx.save`, `npx.load`, `npx.savez`."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as onp
from torch import Tensor

from mxnet._formats import files, params
from mxnet._start import tracebacks
from mxnet._state import REQUIRED, as_in_mxnet2, is_np_array, is_np_shape, modes, rules
from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.ndarray import NDArray
from mxnet.ndarray._creation import from_numpy as classic_from_numpy
from mxnet.ndarray._creation import on_tensor
from mxnet.ndarray.contrib import cond as classic_cond
from mxnet.ndarray.utils import explain_access
from mxnet.ndarray.utils import load as load_classic
from mxnet.numpy import from_dlpack as np_from_dlpack
from mxnet.numpy import ndarray

__all__ = ["cond", "from_dlpack", "from_numpy", "from_torch", "load", "save", "savez"]


@as_in_mxnet2({"ndarray": "array"}, ndarray=REQUIRED, zero_copy=True)
def from_numpy(array: onp.ndarray[Any, Any], zero_copy: bool = True) -> ndarray:
    """Makes an array of a NumPy array, on the same memory if `zero_copy`.

    Args:
        array: The NumPy array, which becomes read-only if its memory is shared.
        zero_copy: Whether to share memory.

    Example:
        >>> import mxnet as mx
        >>> import numpy
        >>> mx.npx.from_numpy(numpy.ones(2, dtype="float32"))
        array([1., 1.])
    """
    return classic_from_numpy(array, zero_copy, ndarray)  # type: ignore[return-value]


@as_in_mxnet2({"dlpack": "x"}, dlpack=REQUIRED)
def from_dlpack(x: Any) -> ndarray:
    """Makes an array on the memory of an object that exports DLPack; see `mx.np.from_dlpack`.

    Example:
        >>> import mxnet as mx, numpy
        >>> mx.npx.from_dlpack(numpy.ones(2, dtype="float32"))
        array([1., 1.])
    """
    return np_from_dlpack(x)


def cond(
    pred: Any,
    then_func: Callable[..., Any],
    else_func: Callable[..., Any],
    inputs: Any,
    name: str = "cond",
) -> Any:
    """Runs one of two functions.

    Args:
        pred: Called with the inputs; gives an array of one number. All but 0 chooses the first
            function.
        then_func: Called with the inputs.
        else_func: The other choice.
        inputs: An array or a list of arrays.
        name: What the names of subgraphs begin with, where the program becomes a graph.

    Returns:
        What the chosen function gives.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([-3])
        >>> mx.npx.cond(lambda x: x < 0, lambda x: -x, lambda x: x, x)
        array([3.])
    """
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    chosen, branches = pred(*given), (partial(then_func, *given), partial(else_func, *given))
    if modes.tracer is not None and modes.tracer.adds_control_flow:
        return modes.tracer.cond(chosen, *branches, name)
    return classic_cond(chosen, *branches)


def _check_scope(where: str) -> None:
    if not (is_np_shape() and is_np_array()):
        raise ArgumentValueError(
            f"{where}: arrays of mx.np need the NumPy dialect; call npx.set_np() first"
        )


def save(file: str | os.PathLike[str], arr: Any) -> None:
    """Saves arrays in MXNet's format, in the form that has scalars and arrays without elements.

    Under `set_version(2)` a single array is saved in NumPy's format `.npy`. The file is complete or
    not there: it is written beside its place and renamed.

    Args:
        file: Path of the file.
        arr: An array, a list of arrays, or a dictionary of arrays by name.

    Raises:
        FileAccessError: if the file cannot be written.

    Example:
        >>> import mxnet as mx
        >>> import tempfile, os
        >>> mx.npx.set_np()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "arrays")
        ...     mx.npx.save(path, {"weight": mx.np.ones(2)})
        ...     mx.npx.load(path)
        {'weight': array([1., 1.])}
        >>> mx.npx.reset_np()
    """
    _check_scope("save")
    if isinstance(arr, NDArray) and rules.version > 1:
        with files.written_together() as saving, saving.reserve(file).open("wb") as sink:
            onp.save(sink, arr.asnumpy())
        return
    if isinstance(arr, ndarray):
        arr = [arr]
    if not isinstance(arr, (list, dict)):
        raise ArgumentValueError(
            f"save: takes an array of mx.np, a list or a dict of them, got {type(arr).__name__}"
        )
    names, arrays = (list(arr), list(arr.values())) if isinstance(arr, dict) else ([], arr)
    if not all(isinstance(item, ndarray) for item in arrays):
        raise UnsupportedTypeError("save: takes arrays of mx.np; call x.as_np_ndarray() on others")
    if not all(isinstance(name, str) for name in names):
        raise UnsupportedTypeError("save: the names of arrays must be strings")
    try:
        params.save_params(file, [item._to_record() for item in arrays], names, np_shape=True)
    except OSError as error:
        raise explain_access("save", file, error) from error


def load(file: str | os.PathLike[str]) -> Any:
    """Loads arrays saved by `save`, by `mx.nd.save` or by NumPy.

    Args:
        file: Path of the file.

    Returns:
        A list, or a dictionary if the arrays have names; of a file `.npy` an array under
        `set_version(2)`.

    Raises:
        FileFormatError: if the file is damaged.
        MissingFileError: if there is no such file.

    Example:
        >>> import mxnet as mx
        >>> import tempfile, os
        >>> mx.npx.set_np()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "arrays")
        ...     mx.npx.save(path, [mx.np.ones(2), mx.np.zeros(1)])
        ...     mx.npx.load(path)
        [array([1., 1.]), array([0.])]
        >>> mx.npx.reset_np()
    """
    _check_scope("load")
    if not isinstance(file, (str, os.PathLike)):
        raise UnsupportedTypeError(f"load: takes a path, got {type(file).__name__}")
    arrays: Any = load_classic(file)
    if isinstance(arrays, dict):
        return {name: array.as_np_ndarray() for name, array in arrays.items()}
    if rules.version > 1 and _is_npy(file):
        return arrays[0].as_np_ndarray()
    return [array.as_np_ndarray() for array in arrays]


def _is_npy(path: str | os.PathLike[str]) -> bool:
    with files.open_foreign(path) as file:
        return file.read(len(onp.lib.format.MAGIC_PREFIX)) == onp.lib.format.MAGIC_PREFIX


def savez(file: Any, *args: Any, **kwds: Any) -> None:
    """Saves arrays in NumPy's format `.npz`; if that fails, an old file stays as it was.

    Args:
        file: Path of the file, or an open file. `.npz` is added to a path with another ending, but
            not under `set_version(2)`.
        *args: Arrays, which the file calls `arr_0`, `arr_1`, ...
        **kwds: Arrays by name.

    Example:
        >>> import mxnet as mx
        >>> import numpy, tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "arrays.npz")
        ...     mx.npx.savez(path, weight=mx.np.ones(2))
        ...     with numpy.load(path) as arrays:
        ...         arrays["weight"]
        array([1., 1.], dtype=float32)
    """
    named: dict[str, Any] = {name: onp.asarray(array) for name, array in kwds.items()}
    arrays = [onp.asarray(array) for array in args]
    if not isinstance(file, (str, os.PathLike)):
        onp.savez(file, *arrays, **named)
        return
    path = os.fspath(file)
    with files.written_together() as saving:
        is_whole = path.endswith(".npz") or rules.version > 1
        target = saving.reserve(path if is_whole else f"{path}.npz")
        with target.open("wb") as sink:
            onp.savez(sink, *arrays, **named)


def from_torch(tensor: Tensor) -> ndarray:
    """Makes an array of `mx.np` on the memory of a torch tensor; see `mx.nd.from_torch`.

    Example:
        >>> import mxnet as mx, torch
        >>> mx.npx.from_torch(torch.ones(2))
        array([1., 1.])
    """
    return on_tensor(tensor, ndarray)


tracebacks.public_functions(globals())
