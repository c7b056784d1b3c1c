"""What users can say about OpenVINO; nothing here needs it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

from mxnet.errors import ArgumentValueError, MissingLibraryError

_PRECISIONS = {"float32": "f32", "bfloat16": "bf16", "float16": "f16"}
_OPTIONS = ("precision", "num_threads", "properties")


class Config(NamedTuple):
    """How networks are compiled."""

    precision: str | None = None
    """OpenVINO's name of the dtype to compute in, None for that of the data."""
    num_threads: int | None = None
    """Number of threads, None for that of torch."""
    properties: tuple[tuple[str, Any], ...] = ()
    """Other properties of OpenVINO, by their names."""


def read_config(options: Mapping[str, Any]) -> Config:
    """Checks the options of the backend.

    Args:
        options: Options as they were given to `hybridize` or `optimize_for`.

    Raises:
        ArgumentValueError: if an option is unknown or has a value that it does not take.
        MissingLibraryError: if OpenVINO is not installed.
    """
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise ArgumentValueError(
            f"openvino: unknown option {unknown[0]!r}; takes {', '.join(_OPTIONS)}"
        )
    precision = options.get("precision")
    if precision is not None and str(precision) not in _PRECISIONS:
        raise ArgumentValueError(
            f"openvino: precision takes one of {', '.join(_PRECISIONS)}, got {precision!r}"
        )
    count = options.get("num_threads")
    if count is not None and (not isinstance(count, int) or count < 1):
        raise ArgumentValueError(f"openvino: num_threads takes a positive int, got {count!r}")
    properties = options.get("properties") or {}
    if not isinstance(properties, Mapping):
        raise ArgumentValueError(f"openvino: properties takes a dict, got {properties!r}")
    if find_spec("openvino") is None:
        raise MissingLibraryError(
            'backend "openvino": needs OpenVINO; install glueball[openvino] or openvino'
        )
    name = None if precision is None else _PRECISIONS[str(precision)]
    return Config(name, count, tuple(properties.items()))
