"""Names that NumPy and Python removed since the time of MXNet, which stop old programs first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

_ALIASES = "or set MXNET_NUMPY_ALIASES=1"
_NUMPY_1_24 = {
    "bool": "bool",
    "complex": "complex",
    "float": "float",
    "int": "int",
    "long": "int",
    "object": "object",
    "str": "str",
    "unicode": "str",
}
_NUMPY_2 = {
    "AxisError": "np.exceptions.AxisError",
    "ComplexWarning": "np.exceptions.ComplexWarning",
    "Inf": "np.inf",
    "Infinity": "np.inf",
    "NaN": "np.nan",
    "PINF": "np.inf",
    "RankWarning": "np.exceptions.RankWarning",
    "VisibleDeprecationWarning": "np.exceptions.VisibleDeprecationWarning",
    "alltrue": "np.all",
    "bool8": "np.bool_",
    "cfloat": "np.complex128",
    "complex_": "np.complex128",
    "cumproduct": "np.cumprod",
    "float_": "np.float64",
    "infty": "np.inf",
    "longfloat": "np.longdouble",
    "product": "np.prod",
    "round_": "np.round",
    "singlecomplex": "np.complex64",
    "sometrue": "np.any",
    "string_": "np.bytes_",
    "unicode_": "np.str_",
}
_NUMPY_2_4 = {"in1d": "np.isin", "trapz": "np.trapezoid"}
_NUMPY_WITHOUT_ALIAS = {
    "asscalar": ("NumPy 1.23", "`x.item()`"),
    "typeDict": ("NumPy 1.23", "`np.sctypeDict`"),
    "NINF": ("NumPy 2.0", "`-np.inf`"),
    "asfarray": ("NumPy 2.0", "`np.asarray(x, dtype=float)`"),
    "cast": ("NumPy 2.0", "`np.asarray(x, dtype=...)`"),
    "find_common_type": ("NumPy 2.0", "`np.result_type`"),
    "issubsctype": ("NumPy 2.0", "`np.issubdtype`"),
    "mat": ("NumPy 2.0", "`np.asmatrix`"),
    "msort": ("NumPy 2.0", "`np.sort(x, axis=0)`"),
    "obj2sctype": ("NumPy 2.0", "`np.dtype(x).type`"),
    "sctypes": ("NumPy 2.0", "the types themselves"),
}
_ABSTRACT = (
    *("Callable", "Container", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView"),
    *("Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet", "Sequence"),
    *("Set", "Sized", "ValuesView"),
)
_PYTHON = {
    "asynchat": ("3.12", "`asyncio`"),
    "asyncore": ("3.12", "`asyncio`"),
    "base64.decodestring": ("3.9", "`base64.decodebytes`"),
    "base64.encodestring": ("3.9", "`base64.encodebytes`"),
    "cgi": ("3.13", "`urllib.parse` or `html`"),
    "configparser.SafeConfigParser": ("3.12", "`configparser.ConfigParser`"),
    "distutils": ("3.12", "`setuptools`, `shutil` or `packaging`"),
    "fractions.gcd": ("3.9", "`math.gcd`"),
    "imghdr": ("3.13", "`PIL.Image.open(path).format`"),
    "imp": ("3.12", "`importlib`"),
    "inspect.formatargspec": ("3.11", "`inspect.signature`"),
    "inspect.getargspec": ("3.11", "`inspect.getfullargspec` or `inspect.signature`"),
    "locale.format": ("3.12", "`locale.format_string`"),
    "pipes": ("3.13", "`shlex` or `subprocess`"),
    "platform.dist": ("3.8", "`platform.freedesktop_os_release`"),
    "platform.linux_distribution": ("3.8", "`platform.freedesktop_os_release`"),
    "time.clock": ("3.8", "`time.perf_counter` or `time.process_time`"),
    "xml.etree.cElementTree": ("3.9", "`xml.etree.ElementTree`"),
}


def _make_rows() -> Iterator[tuple[str, tuple[str, str]]]:
    for name, now in _NUMPY_1_24.items():
        yield f"numpy.{name}", ("NumPy 1.24", f"write `{now}`, {_ALIASES}")
    for name, now in _NUMPY_2.items():
        yield f"numpy.{name}", ("NumPy 2.0", f"write `{now}`, {_ALIASES}")
    for name, now in _NUMPY_2_4.items():
        yield f"numpy.{name}", ("NumPy 2.4", f"write `{now}`, {_ALIASES}")
    for name, (release, now) in _NUMPY_WITHOUT_ALIAS.items():
        yield f"numpy.{name}", (release, f"use {now}")
    for name in _ABSTRACT:
        yield f"collections.{name}", ("Python 3.10", f"write `collections.abc.{name}`")
    for name, (release, now) in _PYTHON.items():
        yield name, (f"Python {release}", f"use {now}")


REMOVED: Mapping[str, tuple[str, str]] = MappingProxyType(dict(_make_rows()))
"""The release that has removed a name, and what to do, by the name."""

BACK_IN_NUMPY_2: Mapping[str, str] = MappingProxyType(
    {
        "numpy.bool": "NumPy's own type in NumPy 2, and no name in 1.24 to 1.26; write `bool`",
        "numpy.long": "the `long` of C in NumPy 2, and no name in 1.24 to 1.26; write `int`",
    }
)
"""What removed names mean that NumPy 2 has again."""

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
