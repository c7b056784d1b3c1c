"""Names that programs import from `mxnet.base`."""

from __future__ import annotations

import ctypes
import importlib
import inspect
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from mxnet.error import NotImplementedForSymbol as NotImplementedForSymbol
from mxnet.error import NotSupportedForSparseNDArray as NotSupportedForSparseNDArray
from mxnet.errors import MXNetError as MXNetError

# The original is a C library. Programs which call it, or which were written beside code that does,
# import these names at their head. The conversions work; the library itself is not here.

mx_int = ctypes.c_int
mx_uint = ctypes.c_uint
mx_int64 = ctypes.c_int64
mx_float = ctypes.c_float
mx_float_p = ctypes.POINTER(ctypes.c_float)

CachedOpHandle = CudaKernelHandle = CudaModuleHandle = ctypes.c_void_p
DataIterCreatorHandle = DataIterHandle = DLPackHandle = ExecutorHandle = ctypes.c_void_p
FunctionHandle = KVStoreHandle = NDArrayHandle = OpHandle = ctypes.c_void_p
ProfileHandle = RecordIOHandle = RtcHandle = SymbolHandle = ctypes.c_void_p

_NO_LIBRARY = (
    "there is no C library behind this package, arrays and graphs are Python objects; "
    "use the functions of mx.nd, mx.sym and mx.gluon"
)


class NoLibraryError(MXNetError, AttributeError):
    """A program asks for a function of the original's C library, which is not here."""


class MXCallbackList(ctypes.Structure):
    """Functions which C code calls, as the original's interface passes them."""

    _fields_ = (
        ("num_callbacks", ctypes.c_int),
        ("callbacks", ctypes.POINTER(ctypes.CFUNCTYPE(ctypes.c_int))),
        ("contexts", ctypes.POINTER(ctypes.c_void_p)),
    )


class NoLibrary:
    """Stands in the place of the original's C library.

    It has the few functions that programs call; of others it says why there are none.
    """

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            found = importlib.import_module("mxnet._legacy.c_functions").FUNCTIONS.get(name)
            if found is not None:
                setattr(self, name, found)
                return found
        raise NoLibraryError(f"_LIB.{name}: {_NO_LIBRARY}")

    def __repr__(self) -> str:
        return "<no C library>"


_LIB = NoLibrary()


def check_call(ret: int) -> None:
    """Checks what a function of a C library has returned.

    Args:
        ret: Its result, 0 if nothing is wrong.

    Raises:
        MXNetError: if it is another number.
    """
    if ret != 0:
        raise get_last_ffi_error()


def get_last_ffi_error() -> MXNetError:
    """Returns the error of the last call of the C library, which says that there is none."""
    return MXNetError(f"check_call: {_NO_LIBRARY}")


def c_str(string: str) -> ctypes.c_char_p:
    """Converts text to a pointer to its bytes in UTF-8."""
    return ctypes.c_char_p(string.encode("utf-8"))


def c_str_array(strings: Iterable[str]) -> ctypes.Array[ctypes.c_char_p]:
    """Converts texts to an array of pointers."""
    encoded = [string.encode("utf-8") for string in strings]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def c_array(ctype: Any, values: Sequence[Any]) -> Any:
    """Converts values to an array of a type of `ctypes`."""
    return (ctype * len(values))(*values)


def c_array_buf(ctype: Any, buf: Any) -> Any:
    """Returns an array of a type of `ctypes` that shares the memory of `array.array`."""
    return (ctype * len(buf)).from_buffer(buf)


def c_handle_array(objs: Iterable[Any]) -> ctypes.Array[ctypes.c_void_p]:
    """Returns the handles of arrays or symbols, which are tokens without a meaning for C."""
    handles = [item.handle for item in objs]
    return (ctypes.c_void_p * len(handles))(*handles)


def ctypes2buffer(cptr: Any, length: int) -> bytearray:
    """Copies bytes that a pointer points to.

    Raises:
        TypeError: if it does not point to characters.
    """
    if not isinstance(cptr, ctypes.POINTER(ctypes.c_char)):
        raise TypeError(f"ctypes2buffer: takes a pointer to c_char, got {type(cptr).__name__}")
    return bytearray(ctypes.string_at(cptr, length))


def ctypes2numpy_shared(cptr: Any, shape: Sequence[int]) -> npt.NDArray[np.float32]:
    """Returns a NumPy array on the memory that a pointer to float points to.

    Raises:
        MXNetError: if it does not point to floats.
    """
    if not isinstance(cptr, mx_float_p):
        raise MXNetError(f"ctypes2numpy_shared: takes an mx_float_p, got {type(cptr).__name__}")
    size = int(np.prod(shape))
    memory = (mx_float * size).from_address(ctypes.addressof(cptr.contents))
    shared: npt.NDArray[np.float32] = np.ndarray(tuple(shape), np.float32, memoryview(memory))
    return shared


basestring, long = str, int
string_types = (str,)
numeric_types = (float, int, np.generic)
integer_types = (int, np.int32, np.int64)
mx_real_t = np.float32


class _NullType:
    """Type of the value that stands for an argument left out."""

    def __repr__(self) -> str:
        return "_Null"


_Null = _NullType()


def data_dir_default() -> str:
    """Returns the folder for downloaded data when `MXNET_HOME` is not set."""
    if os.name == "nt":
        return str(Path(os.environ["APPDATA"]) / "mxnet")
    return str(Path.home() / ".mxnet")


def data_dir() -> str:
    """Returns the folder for downloaded data and models."""
    return os.environ.get("MXNET_HOME") or data_dir_default()


def py_str(x: bytes | str) -> str:
    """Decodes bytes; a string, which callbacks get here, stays as it is."""
    return x if isinstance(x, str) else x.decode("utf-8")


def _as_list(obj: Any) -> Any:
    """Returns a list or tuple as it is, anything else as a list of one."""
    return obj if isinstance(obj, (list, tuple)) else [obj]


class _MXClassPropertyDescriptor:
    """An attribute of a class that functions compute; see `classproperty`."""

    def __init__(self, fget: Any, fset: Any = None) -> None:
        self.fget, self.fset = fget, fset

    def __get__(self, obj: Any, clas: Any = None) -> Any:
        return self.fget.__get__(obj, clas or type(obj))()

    def __set__(self, obj: Any, value: Any) -> None:
        if self.fset is None:
            raise MXNetError("classproperty: has no setter, so it cannot be set")
        owner = obj if isinstance(obj, type) else type(obj)
        self.fset.__get__(obj, owner)(value)

    def setter(self, func: Any) -> _MXClassPropertyDescriptor:
        """Sets the function that is called with a new value; can be used as a decorator."""
        self.fset = func if isinstance(func, (classmethod, staticmethod)) else classmethod(func)
        return self


class _MXClassPropertyMetaClass(type):
    """Metaclass of classes whose class properties can be set on the class."""

    def __setattr__(cls, key: str, value: Any) -> None:
        attribute = cls.__dict__.get(key)
        if isinstance(attribute, _MXClassPropertyDescriptor):
            attribute.__set__(cls, value)
        else:
            super().__setattr__(key, value)


def classproperty(func: Any) -> _MXClassPropertyDescriptor:
    """Makes a property of a class, as `property` makes one of its objects.

    Args:
        func: Function of the class; the metaclass must be `_MXClassPropertyMetaClass` for a setter.
    """
    getter = func if isinstance(func, (classmethod, staticmethod)) else classmethod(func)
    return _MXClassPropertyDescriptor(getter)


def with_metaclass(meta: Any, *bases: type) -> Any:
    """Returns a base that gives a class a metaclass, for code that Python 2 also runs.

    Args:
        meta: The metaclass.
        bases: Bases of the class; the one that is returned is not among them afterwards.
    """

    class _Replaced(type):
        def __new__(cls, name: str, _: Any, members: dict[str, Any]) -> Any:
            return meta(name, bases, members)

        @classmethod
        def __prepare__(cls, name: str, _: Any) -> Any:  # type: ignore[override]
            return meta.__prepare__(name, bases)

    return type.__new__(_Replaced, "temporary_class", (), {})


def build_param_doc(
    arg_names: Sequence[str],
    arg_types: Sequence[str],
    arg_descs: Sequence[str],
    remove_dup: bool = True,
) -> str:
    """Writes the section of a docstring about parameters.

    Args:
        arg_names: Names; `num_args` is left out, which counts the others.
        arg_types: Their types.
        arg_descs: Their descriptions.
        remove_dup: Whether to leave out a name that was there before.
    """
    rows: list[str] = []
    seen = {"num_args"}
    for name, kind, description in zip(arg_names, arg_types, arg_descs, strict=True):
        if name in seen and (remove_dup or name == "num_args"):
            continue
        seen.add(name)
        rows.append(f"{name} : {kind}" + (f"\n    {description}" if description else ""))
    return "Parameters\n----------\n" + "\n".join(rows) + "\n"


def add_fileline_to_docstring(module: Any, incursive: bool = True) -> None:
    """Adds where they are written to the docstrings of the functions of a module.

    Args:
        module: The module, or its name.
        incursive: Whether methods of its classes are changed, too.
    """
    owner = sys.modules[module] if isinstance(module, str) else module
    for item in vars(owner).values():
        if getattr(item, "__module__", None) != owner.__name__:
            continue
        if inspect.isfunction(item):
            _add_fileline(item)
        elif incursive and inspect.isclass(item):
            for method in filter(inspect.isfunction, vars(item).values()):
                _add_fileline(method)


def _add_fileline(function: FunctionType) -> None:
    if function.__doc__ and "From:" not in function.__doc__:
        code = function.__code__
        function.__doc__ += f"\n\nFrom:{code.co_filename}:{code.co_firstlineno}"


_OP_NAME_PREFIX_LIST = ["_contrib_", "_linalg_", "_sparse_", "_image_", "_random_"]
_NP_OP_PREFIX, _NP_OP_SUBMODULE_LIST = "_np_", ["_random_", "_linalg_"]
_NP_EXT_OP_PREFIX, _NP_EXT_OP_SUBMODULE_LIST = "_npx_", ["_image_", "_random_"]
_NP_INTERNAL_OP_PREFIX = "_npi_"
_NP_OUTPUT_IS_LIST_OPERATORS = {"_npi_split", "_npi_hsplit"}


def _get_op_name_prefix(op_name: str) -> str:
    """Returns the part of the name of an operator that stands for its module, "" if none does."""
    return next((prefix for prefix in _OP_NAME_PREFIX_LIST if op_name.startswith(prefix)), "")


def _is_np_op(op_name: str) -> bool:
    """Returns whether an operator belongs to the NumPy dialect, by its name."""
    return op_name.startswith((_NP_OP_PREFIX, _NP_EXT_OP_PREFIX, _NP_INTERNAL_OP_PREFIX))


def _output_is_list(op_name: str) -> bool:
    """Returns whether an operator of the NumPy dialect returns a list even of one array."""
    return op_name in _NP_OUTPUT_IS_LIST_OPERATORS


for _class in (NotImplementedForSymbol, NotSupportedForSparseNDArray, MXCallbackList):
    _class.__module__ = __name__  # where programs find them, as in the original
MXNetError.__module__ = __name__  # as it stands in tracebacks of the original
