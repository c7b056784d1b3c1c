"""What is done for client libraries and old programs, beyond the interface of the original.

The tables at the end list all favours: the programs that need each, and when it can go.
"""

from __future__ import annotations

import functools
import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mxnet._start import after_import

# GluonCV brings networks for both MXNet and torch. When it finds a torch that its torch half does
# not know (2.0 or newer), it refuses to be imported at all; beside the original, without torch, it
# imports its MXNet half. Here torch is always there, as the engine. So an unknown torch counts as
# no torch: its MXNet half works, its torch half stays out, as with the original.
_CHECKS = "gluoncv.check"
_CHECK = "_require_pytorch_version"


def admit_gluoncv() -> None:
    """Softens the refusal, whichever of the two libraries is imported first."""
    if "gluoncv" in sys.modules:  # it is being imported, and asks for this package
        _soften(sys.modules["gluoncv"])
    after_import(_CHECKS, _soften)


def _soften(module: ModuleType) -> None:
    check: Callable[..., None] | None = getattr(module, _CHECK, None)
    if check is not None:
        setattr(module, _CHECK, _no_torch_instead_of_refusal(check))


def _no_torch_instead_of_refusal(check: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(check)
    def checked(*versions: str) -> None:
        try:
            check(*versions)
        except RuntimeError as refusal:
            raise ImportError(str(refusal)) from refusal

    return checked


# Code of MXNet's time writes `np.float` and `np.int` for Python's `float` and `int`. A name in
# NumPy seen by the whole process, so this happens only where the environment asks for it.

VARIABLE = "MXNET_NUMPY_ALIASES"

_BUILTIN: Mapping[str, type] = MappingProxyType(
    {kind.__name__: kind for kind in (bool, complex, float, int, object, str)}
    | {"long": int, "unicode": str}
)
"""Names that NumPy 1.24 removed, and the types of Python that they were."""

_OLD_AND_NEW = (
    "AxisError:exceptions.AxisError ComplexWarning:exceptions.ComplexWarning Inf:inf "
    "Infinity:inf NaN:nan PINF:inf RankWarning:exceptions.RankWarning "
    "VisibleDeprecationWarning:exceptions.VisibleDeprecationWarning alltrue:all bool8:bool_ "
    "cfloat:complex128 complex_:complex128 cumproduct:cumprod float_:float64 in1d:isin "
    "infty:inf longfloat:longdouble product:prod round_:round singlecomplex:complex64 "
    "sometrue:any string_:bytes_ trapz:trapezoid unicode_:str_"
)
_RENAMED: Mapping[str, str] = MappingProxyType(
    dict(pair.split(":") for pair in _OLD_AND_NEW.split())
)
"""Names that NumPy 2 removed, and those that stay."""

_REMEDY = f"For programs of MXNet's time, {VARIABLE}=1 in the environment brings `np.{{}}` back."


def restore_numpy_aliases() -> None:
    """Defines the removed names in NumPy if the variable is set; those that exist stay.

    If it is not set, NumPy's errors about these names say that there is the variable.
    """
    names = [name for name in (*_BUILTIN, *_RENAMED) if name not in vars(np)]  # `hasattr` warns
    if os.environ.get(VARIABLE, "0") in ("", "0"):
        _name_remedy(names)
        return
    for name in names:
        alias = _BUILTIN.get(name) or operator.attrgetter(_RENAMED[name])(np)
        setattr(np, name, alias)


def _name_remedy(names: Iterable[str]) -> None:
    """Adds the variable to what NumPy says of names that it has removed.

    Such an error is raised by a line of the program, which no function of the package is around.
    """
    former = vars(np).get("__former_attrs__")
    if not isinstance(former, dict):  # a release that words its errors elsewhere
        return
    expired = vars(np).get("__expired_attributes__", {})
    for name in names:
        texts = expired if name in expired else former
        text = texts.get(name) or f"module 'numpy' has no attribute '{name}'."
        if VARIABLE not in text:
            texts[name] = f"{text}\n{_REMEDY.format(name)}"


# Its `SummaryWriter` converts values by a function that knows these two alone. To a program that
# is written with arrays the writer is a tool like any other.

_PACKAGE = "torch.utils.tensorboard"
_NAME = "make_np"
_USERS = ("_embedding", "summary", "writer")
"""Modules of the package that have imported the function by its name, if they are imported."""


def admit_tensorboard() -> None:
    """Makes the writer take arrays, whether it has been imported or will be."""
    after_import(f"{_PACKAGE}._convert_np", _extend_tensorboard)


def _extend_tensorboard(module: ModuleType) -> None:
    convert: Callable[[Any], Any] | None = getattr(module, _NAME, None)
    if convert is None:  # a release that does it in another way
        return
    extended = _with_arrays(convert)
    setattr(module, _NAME, extended)
    for name in _USERS:
        user = sys.modules.get(f"{_PACKAGE}.{name}")
        if user is not None:
            setattr(user, _NAME, extended)


def _with_arrays(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(convert)
    def converted(x: Any) -> Any:
        to_torch = getattr(x, "to_torch", None)
        return convert(x if to_torch is None else to_torch())

    return converted


# Programs print `"%f" % loss.mean().asnumpy()` and write `float(x.asnumpy())`, where the original
# returns an array with one axis.


class OneElementArray(np.ndarray):
    """A NumPy array that converts to a number.

    Results of NumPy functions are plain arrays or numbers again, unless they too have one element.
    """

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.view(np.ndarray).__reduce_ex__(protocol)

    def __array_wrap__(
        self, array: npt.NDArray[Any], context: Any = None, return_scalar: bool = False
    ) -> Any:
        if array.size == 1 and array.ndim:
            return array.view(OneElementArray)
        plain = array.view(np.ndarray)
        return plain[()] if return_scalar else plain


# programs print the type of what asnumpy() returns
OneElementArray.__module__, OneElementArray.__name__ = "numpy", "ndarray"
OneElementArray.__qualname__ = "ndarray"


def allow_as_number(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns an array on the same memory that converts to a number if it has one element."""
    return values.view(OneElementArray) if values.size == 1 and values.ndim else values


# The original keeps the attributes of a node in a hash table of the C++ library that it was built
# with and lists them in the order of that table. Programs print these dicts, so that the order is
# reproduced: the hash is MurmurHash64A, and a table has 11 places at first.

_SEED = 0xC70F6907
_FACTOR = 0xC6A4A7935BD1E995
_BITS = (1 << 64) - 1
_SIZES = (11, 23, 47, 97, 199, 409, 823, 1741)
"""Places of a table, which grows when there are more attributes."""


@lru_cache(maxsize=1024)  # a function of the keys alone, so that nothing invalidates it
def arrange_attributes(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names of attributes in the order of the original.

    Args:
        keys: Names in the order in which they were set.
    """
    listed: list[str] = []
    for size in _SIZES:
        room = len(keys) if size == _SIZES[-1] else size
        listed = _insert([*listed, *keys[len(listed) : room]], size)
        if len(listed) == len(keys):
            break
    return tuple(listed)


def _insert(keys: Sequence[str], size: int) -> list[str]:
    """Lists keys in the order of a table of some places.

    Each goes before those at the same place, and if there are none before all.
    """
    places: dict[int, list[str]] = {}
    for key in keys:
        places.setdefault(_hash(key) % size, []).append(key)
    return [key for group in reversed(places.values()) for key in reversed(group)]


@lru_cache(maxsize=1024)  # a function of the key alone, so that nothing invalidates it
def _hash(key: str) -> int:
    data = key.encode()
    value = _SEED ^ len(data) * _FACTOR & _BITS
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        word = int.from_bytes(data[start : start + 8], "little")
        value = (value ^ _mix(word * _FACTOR) * _FACTOR) * _FACTOR & _BITS
    if data[whole:]:
        value = (value ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _BITS
    return _mix(_mix(value) * _FACTOR)


def _mix(value: int) -> int:
    value &= _BITS
    return value ^ value >> 47


class Favour(NamedTuple):
    """Why something is done for clients.

    Attributes:
        where: The module of this package, or `module:name` of what is kept for clients.
        reason: Which programs need it, and what would fail without it.
        until: When it can go.
    """

    where: str
    reason: str
    until: str


FUNCTIONS = (
    Favour(
        "mxnet._legacy.clients:admit_gluoncv",
        reason="GluonCV 0.10 refuses to be imported beside torch 2.0 or newer.",
        until="a release of GluonCV imports its MXNet half beside any torch",
    ),
    Favour(
        "mxnet._legacy.clients:allow_as_number",
        reason="Programs format and convert one-element results of asnumpy() as numbers, which "
        "NumPy 2.4 and newer refuse.",
        until="programs written for MXNet no longer run with NumPy 2.4 or newer",
    ),
    Favour(
        "mxnet._legacy.clients:arrange_attributes",
        reason="Programs print and compare the dicts of Symbol.attr_dict() and list_attr(), whose "
        "order in the original is that of a C++ hash table.",
        until="the printed order of attributes is no longer compared with the original's",
    ),
    Favour(
        "mxnet._legacy.clients:restore_numpy_aliases",
        reason="GluonTS 0.8 and many programs say np.float and np.int, which NumPy 1.24 removed; "
        "they come back where MXNET_NUMPY_ALIASES=1 asks for them.",
        until="GluonTS 0.8 is no longer among the clients that are tried",
    ),
    Favour(
        "mxnet._legacy.clients:admit_tensorboard",
        reason="Training loops pass losses and images to the SummaryWriter of torch, which takes "
        "arrays of NumPy and torch alone.",
        until="the writer of torch takes anything with __dlpack__ or __array__",
    ),
)
"""What is done for clients, by function."""

_LOSSES = "losses of GluonCV and of many projects, which derive from those of Gluon, call it"
_STORES = "training loops of projects that predate Gluon import it"
_LOADERS = "loaders of GluonCV and GluonTS derive from DataLoader with the original's parts"
_MAJOR = "the next major version of the package"

PRIVATE_NAMES = (
    Favour("mxnet.gluon.loss:_apply_weighting", _LOSSES, _MAJOR),
    Favour("mxnet.gluon.loss:_reshape_like", _LOSSES, _MAJOR),
    Favour("mxnet.model:_create_kvstore", _STORES, _MAJOR),
    Favour("mxnet.model:_initialize_kvstore", _STORES, _MAJOR),
    Favour("mxnet.gluon.data.dataloader:_MultiWorkerIter", _LOADERS, _MAJOR),
    Favour("mxnet.gluon.data.dataloader:_as_in_context", _LOADERS, _MAJOR),
    Favour("mxnet.gluon.block:_flatten", "GluonTS takes arguments of blocks apart with it", _MAJOR),
    Favour("mxnet.gluon.block:_regroup", "GluonTS puts results of blocks together with it", _MAJOR),
    Favour(
        "mxnet.gluon.parameter:Parameter._ctx_list",
        "libraries that wrap a parameter copy it along with the data",
        _MAJOR,
    ),
    Favour(
        "mxnet.gluon.parameter:Parameter._ctx_map",
        "MXFusion and xfer look up in it which array of the data to replace",
        _MAJOR,
    ),
)
"""Private names of the original that stand where clients look for them."""
