"""Symbol files of MXNet 2: its names of operators and attributes, where 1.9.1 has others.

Files of both versions are read. Under `set_version(2)` those that are written are for MXNet 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mxnet.ops.core.registry import Op, get_op

VERSION = 20000
"""What files of MXNet 2 say at least."""

_MOVED = (
    "all amax amin any atleast_1d atleast_2d atleast_3d copy cumsum diag diagflat diagonal dot max "
    "min moveaxis prod repeat roll squeeze sum trace transpose"
)
_NEW_NAMES = {f"_np_{name}": f"_npi_{name}" for name in _MOVED.split()} | {
    "_npx_group_norm": "GroupNorm"  # which has a scale of each channel there
}
"""Names that MXNet 2 no longer has, with the new ones."""

_NOTHING = ("None", "()", "[]", "")
_LIKE_BEFORE: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Pooling": {"output_size": _NOTHING},
        "_contrib_quantized_pooling": {"output_size": _NOTHING},
        "_image_random_flip_left_right": {"p": ("0.5",)},
        "_image_random_flip_top_bottom": {"p": ("0.5",)},
        "_npi_cholesky": {"lower": ("1", "True")},
        "_npi_powerd": {"ctx": ("cpu", "")},
    }
)
"""Attributes that only MXNet 2 has, with the values that mean what 1.9.1 does without them."""

_OF_POOLING = (
    "kernel pool_type global_pool cudnn_off pooling_convention stride pad p_value "
    "count_include_pad layout"
)


def read_op(op: Op) -> Op:
    """Returns the operator that computes what MXNet 2 does in a node of one."""
    return get_op("_npx_group_norm") if op.name == "GroupNorm" else op


def read_attrs(name: str, attrs: dict[str, str]) -> None:
    """Changes attributes of a node of MXNet 2 to those that the operator has here."""
    for key, meanings in _LIKE_BEFORE.get(name, {}).items():
        if attrs.get(key) in meanings:
            del attrs[key]
    change = _READERS.get(name)
    if change is not None:
        change(attrs)


_KINDS = ("int", "uint", "double")
"""Types in which MXNet 2 writes each number; `value_type` is the place of the one that counts."""


def _choose(attrs: dict[str, str], patterns: Mapping[str, str]) -> None:
    """Takes those numbers that count, by their names and the patterns of the written ones."""
    place = attrs.pop("value_type", "2")
    meant = _KINDS[int(place)] if place in ("0", "1") else "double"
    for name, pattern in patterns.items():
        given = {kind: attrs.pop(pattern.format(kind), "") for kind in _KINDS}
        if given[meant]:
            attrs[name] = given[meant]


def _read_full(attrs: dict[str, str]) -> None:
    _choose(attrs, {"value": "{}_value"})


def _read_linspace(attrs: dict[str, str]) -> None:
    _choose(attrs, {"start": "start_{}", "stop": "stop_{}"})


def _read_pad(attrs: dict[str, str]) -> None:
    if "constant_values" in attrs:
        attrs["constant_value"] = attrs.pop("constant_values")


def _read_adaptive_pooling(attrs: dict[str, str]) -> None:
    for key in _OF_POOLING.split():
        attrs.pop(key, None)


_READERS: Mapping[str, Callable[[dict[str, str]], None]] = MappingProxyType(
    {
        "_contrib_AdaptiveAvgPooling2D": _read_adaptive_pooling,
        "_npi_full": _read_full,
        "_npi_linspace": _read_linspace,
        "_npi_pad": _read_pad,
    }
)


def write_node(name: str, attrs: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Returns the name and the attributes that MXNet 2 reads for a node."""
    written = dict(attrs)
    if name == "_npi_full" and "value" in written:
        value = written.pop("value")
        zeros = {"int_value": "0", "uint_value": "0"}
        written |= {"double_value": value, "value_type": "2", **zeros}
    elif name == "_npi_linspace" and "start" in written:
        stay = ("num", "endpoint", "ctx", "dtype")
        kept: dict[str, str] = {key: written[key] for key in stay if key in written}
        ends = {f"{end}_double": written.get(end, "0") for end in ("start", "stop")}
        zeros = {f"{end}_{kind}": "0" for end in ("start", "stop") for kind in ("int", "uint")}
        written = {**kept, **ends, **zeros, "value_type": "2"}
    elif name == "_npi_pad" and "constant_value" in written:
        written["constant_values"] = written.pop("constant_value")
    elif name == "_npi_concatenate" and written.get("axis") != "None":
        name = "Concat"  # of which `_npi_concatenate` is another name there
        written["dim"] = written.pop("axis", "0")
    elif name == "GroupNorm":
        written.setdefault("eps", "1e-05")  # where MXNet 2 has 1e-3
    return _NEW_NAMES.get(name, name), written
