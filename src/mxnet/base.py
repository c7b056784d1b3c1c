"""Names that programs import from `mxnet.base`."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from mxnet._legacy.c_types import _LIB as _LIB
from mxnet._legacy.c_types import CachedOpHandle as CachedOpHandle
from mxnet._legacy.c_types import CudaKernelHandle as CudaKernelHandle
from mxnet._legacy.c_types import CudaModuleHandle as CudaModuleHandle
from mxnet._legacy.c_types import DataIterCreatorHandle as DataIterCreatorHandle
from mxnet._legacy.c_types import DataIterHandle as DataIterHandle
from mxnet._legacy.c_types import DLPackHandle as DLPackHandle
from mxnet._legacy.c_types import ExecutorHandle as ExecutorHandle
from mxnet._legacy.c_types import FunctionHandle as FunctionHandle
from mxnet._legacy.c_types import KVStoreHandle as KVStoreHandle
from mxnet._legacy.c_types import MXCallbackList as MXCallbackList
from mxnet._legacy.c_types import NDArrayHandle as NDArrayHandle
from mxnet._legacy.c_types import NoLibraryError as NoLibraryError
from mxnet._legacy.c_types import OpHandle as OpHandle
from mxnet._legacy.c_types import ProfileHandle as ProfileHandle
from mxnet._legacy.c_types import RecordIOHandle as RecordIOHandle
from mxnet._legacy.c_types import RtcHandle as RtcHandle
from mxnet._legacy.c_types import SymbolHandle as SymbolHandle
from mxnet._legacy.c_types import c_array as c_array
from mxnet._legacy.c_types import c_array_buf as c_array_buf
from mxnet._legacy.c_types import c_handle_array as c_handle_array
from mxnet._legacy.c_types import c_str as c_str
from mxnet._legacy.c_types import c_str_array as c_str_array
from mxnet._legacy.c_types import check_call as check_call
from mxnet._legacy.c_types import ctypes2buffer as ctypes2buffer
from mxnet._legacy.c_types import ctypes2numpy_shared as ctypes2numpy_shared
from mxnet._legacy.c_types import get_last_ffi_error as get_last_ffi_error
from mxnet._legacy.c_types import mx_float as mx_float
from mxnet._legacy.c_types import mx_float_p as mx_float_p
from mxnet._legacy.c_types import mx_int as mx_int
from mxnet._legacy.c_types import mx_int64 as mx_int64
from mxnet._legacy.c_types import mx_uint as mx_uint
from mxnet._legacy.error_types import NotImplementedForSymbol as NotImplementedForSymbol
from mxnet._legacy.error_types import NotSupportedForSparseNDArray as NotSupportedForSparseNDArray
from mxnet._legacy.error_types import _find_error_type as _find_error_type
from mxnet._legacy.error_types import _valid_error_name as _valid_error_name
from mxnet._legacy.error_types import c2pyerror as c2pyerror
from mxnet._legacy.error_types import error_types as error_types
from mxnet._legacy.error_types import register_error as register_error
from mxnet.errors import MXNetError as MXNetError

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
