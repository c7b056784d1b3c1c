"""Turns whatever fails while a file is imported into an error that names the file and the node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from mxnet.errors import AllocationError, FileFormatError, LimitExceededError, MXNetError, shorten
from mxnet.onnx._import.checks import label_of
from mxnet.onnx._import.lengths import NotImportableError
from mxnet.onnx._import.nodes import describe_node

_OWN_WORDS = (MXNetError, TypeError, ValueError, IndexError, OverflowError)
"""Errors whose messages say what is wrong with an input; of others the class says more."""


def _describe(error: Exception) -> str:
    if isinstance(error, (NotImportableError, FileFormatError, LimitExceededError)):
        return str(error)
    if isinstance(error, RecursionError):
        return "what it reads is inside of too many others"
    text = shorten(str(error))
    return text if isinstance(error, _OWN_WORDS) else f"{type(error).__name__}: {text}"


def _convert(error: Exception, place: str, text: str, default: type[MXNetError]) -> MXNetError:
    for kind in (LimitExceededError, FileFormatError):
        if isinstance(error, kind):
            return kind(f"{place}: {text}")
    return (AllocationError if isinstance(error, MemoryError) else default)(f"{place}: {text}")


@contextmanager
def located(origin: str, proto: Any, opsets: Mapping[str, int]) -> Iterator[None]:
    """Adds the names of the file and of a node to errors of a `with` block, with their cause.

    Args:
        origin: The file.
        proto: The node.
        opsets: Versions of the domains of operators.
    """
    try:
        yield
    except TimeoutError:  # of the program, which has had enough of it
        raise
    except Exception as error:
        if isinstance(error, MXNetError) and str(error).startswith(f"{origin}: node "):
            raise
        text = _describe(error).removeprefix(f"{origin}: ")
        domain = "" if proto.domain == "ai.onnx" else proto.domain
        where = describe_node(label_of(proto), domain, proto.op_type, opsets.get(domain, 1))
        raise _convert(error, f"{origin}: {where}", text, NotImportableError) from error


@contextmanager
def named_after(origin: str) -> Iterator[None]:
    """Adds the name of the file to errors of a `with` block; what was raised is their cause.

    Errors of the arguments of a call, which begin with its name, stay as they are.
    """
    try:
        yield
    except TimeoutError:
        raise
    except Exception as error:
        is_known = isinstance(error, (MXNetError, ImportError))
        if is_known and str(error).startswith((f"{origin}: ", "import_model: ")):
            raise
        raise _convert(error, origin, _describe(error), FileFormatError) from error
