"""Where the original keeps its compiled library: `mx.libinfo`.

There is no such library here, because torch computes. The functions say so with the type of error
that the original raises when it does not find its library, so that programs which try several
places go on.
"""

from __future__ import annotations

from typing import NoReturn

from mxnet._state import rules
from mxnet._version import VERSIONS
from mxnet.errors import MXNetError

__version__ = VERSIONS[rules.version]

_REMEDY = (
    "this package is not built on the original's C++ library, torch is its engine; nothing can be "
    "linked against it, and mx.operator.CustomOp defines operators in Python"
)


def find_lib_path(prefix: str = "libmxnet") -> NoReturn:
    """Raises an error, because there is no compiled library.

    Args:
        prefix: Name of the library without its ending.

    Raises:
        MXNetError: always; it is a RuntimeError, as the original's.
    """
    raise MXNetError(f"libinfo.find_lib_path: there is no library {prefix!r}; {_REMEDY}")


def find_include_path() -> NoReturn:
    """Raises an error, because there are no headers.

    Raises:
        MXNetError: always; it is a RuntimeError, as the original's.
    """
    raise MXNetError(f"libinfo.find_include_path: there are no C++ headers; {_REMEDY}")


def find_conf_path(prefix: str = "tvmop") -> NoReturn:
    """Raises an error, because no operators were compiled by TVM.

    Args:
        prefix: Name of the file without its ending.

    Raises:
        MXNetError: always; it is a RuntimeError, as the original's.
    """
    raise MXNetError(f"libinfo.find_conf_path: there is no file {prefix + '.conf'!r}; {_REMEDY}")
