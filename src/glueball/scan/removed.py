"""Names that NumPy and Python removed since the time of MXNet, which stop old programs first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

_ALIASES = "or set MXNET_NUMPY_ALIASES=1"
_NUMPY_1_24 = {
    "complex": "complex",
    "float": "float",
    "int": "int",
    "object": "object",
    "str": "str",
    "unicode": "str",
}
_NUMPY_2 = {
    "Inf": "np.inf",
    "NaN": "np.nan",
    "alltrue": "np.all",
    "complex_": "np.complex128",
    "cumproduct": "np.cumprod",
    "float_": "np.float64",
    "infty": "np.inf",
    "product": "np.prod",
    "round_": "np.round",
    "sometrue": "np.any",
    "string_": "np.bytes_",
    "unicode_": "np.str_",
}
_NUMPY_WITHOUT_ALIAS = {
    "asscalar": ("NumPy 1.23", "`x.item()`"),
    "typeDict": ("NumPy 1.23", "`np.sctypeDict`"),
    "asfarray": ("NumPy 2.0", "`np.asarray(x, dtype=float)`"),
    "find_common_type": ("NumPy 2.0", "`np.result_type`"),
    "mat": ("NumPy 2.0", "`np.asmatrix`"),
    "msort": ("NumPy 2.0", "`np.sort(x, axis=0)`"),
    "sctypes": ("NumPy 2.0", "the types themselves"),
}
_ABSTRACT = (
    *("Callable", "Container", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView"),
    *("Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet", "Sequence"),
    *("Set", "Sized", "ValuesView"),
)
_PYTHON = {
    "distutils": ("3.12", "`setuptools`, `shutil` or `packaging`"),
    "fractions.gcd": ("3.9", "`math.gcd`"),
    "imp": ("3.12", "`importlib`"),
    "inspect.formatargspec": ("3.11", "`inspect.signature`"),
    "inspect.getargspec": ("3.11", "`inspect.getfullargspec` or `inspect.signature`"),
    "time.clock": ("3.8", "`time.perf_counter` or `time.process_time`"),
}


def _make_rows() -> Iterator[tuple[str, tuple[str, str]]]:
    for name, now in _NUMPY_1_24.items():
        yield f"numpy.{name}", ("NumPy 1.24", f"write `{now}`, {_ALIASES}")
    for name, now in _NUMPY_2.items():
        yield f"numpy.{name}", ("NumPy 2.0", f"write `{now}`, {_ALIASES}")
    for name, (release, now) in _NUMPY_WITHOUT_ALIAS.items():
        yield f"numpy.{name}", (release, f"use {now}")
    for name in _ABSTRACT:
        yield f"collections.{name}", ("Python 3.10", f"write `collections.abc.{name}`")
    for name, (release, now) in _PYTHON.items():
        yield name, (f"Python {release}", f"use {now}")


REMOVED: Mapping[str, tuple[str, str]] = MappingProxyType(dict(_make_rows()))
"""The release that has removed a name, and what to do, by the name."""

ROOTS = frozenset(name.split(".")[0] for name in REMOVED)
"""Modules to follow through imports."""


def find_removed(path: str) -> str | None:
    """Returns the removed name that a path begins with, None if there is none.

    Example:
        >>> find_removed("distutils.version.LooseVersion"), find_removed("numpy.int32")
        ('distutils', None)
    """
    parts = path.split(".")
    starts = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return next((start for start in starts if start in REMOVED), None)
