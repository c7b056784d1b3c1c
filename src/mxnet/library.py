"""Compiled libraries of operators: `mx.library`, which can load none of them."""

from __future__ import annotations

import os
from typing import NoReturn

import torch

from mxnet._start import tracebacks
from mxnet.errors import MissingFileError, MXNetError, NotSupportedError

_ENDINGS = (".so", ".dll")


def compiled_with_gcc_cxx11_abi() -> int:
    """Returns 1 if torch, the engine here, is compiled with the ABI of C++11 of GCC, otherwise 0.

    Example:
        >>> import mxnet as mx
        >>> mx.library.compiled_with_gcc_cxx11_abi() in (0, 1)
        True
    """
    return int(torch.compiled_with_cxx11_abi())


def load(path: str, verbose: bool = True) -> NoReturn:
    """Raises an error that says why a library of operators cannot be loaded.

    Such a library is compiled against the original's C++ interface, which is not here.

    Args:
        path: File of the library.
        verbose: Whether the original would print the operators that it registers.

    Raises:
        MissingFileError: if there is no such file.
        MXNetError: if the file is no library.
        NotSupportedError: for any library.
    """
    del verbose
    if not os.path.exists(path):
        raise MissingFileError(f"library.load: load path {path} does NOT exist")
    if not os.fspath(path).endswith(_ENDINGS):
        raise MXNetError(
            f"library.load: load path {path} is NOT a library file; "
            f"its name must end in one of {_ENDINGS}"
        )
    raise NotSupportedError(
        f"library.load: cannot load {path}: libraries of operators are compiled against the "
        "original's C++ interface, and torch is the engine here; write the operator as a "
        "mx.operator.CustomOp, or as an extension of torch on x.to_torch()"
    )


tracebacks.public_functions(globals())
