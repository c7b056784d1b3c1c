"""Variables, groups, and symbols of constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet._formats import element_types
from mxnet._start import public_call
from mxnet.attribute import AttrScope
from mxnet.errors import AttributeValueError, UnsupportedTypeError
from mxnet.graph.ir import Entry, Node, hide_keys, is_user_key
from mxnet.ops.core.attrs import write
from mxnet.ops.core.scalars import as_number
from mxnet.symbol._namespaces import FUNCTIONS
from mxnet.symbol.symbol import Symbol

_STORAGE_CODES = {"default": "0", "row_sparse": "1", "csr": "2"}


def var(
    name: str,
    attr: Mapping[str, str] | None = None,
    shape: Sequence[int] | None = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Makes a variable: a named input of a graph.

    Args:
        name: Name of the variable.
        attr: Attributes, strings by name.
        shape: Shape; 0 stands for an unknown length.
        lr_mult: Factor on the learning rate.
        wd_mult: Factor on the weight decay.
        dtype: Element type.
        init: Initializer, or its name.
        stype: Storage type.
        **kwargs: More attributes, of names between double underscores.
    """
    if not isinstance(name, str):
        raise UnsupportedTypeError(f"var: a name is a string, got {name!r}")
    attrs = AttrScope._current.value.get(attr)
    for key, value in attrs.items():
        if not isinstance(value, str):
            raise AttributeValueError(f"var: attribute {key} takes a string, got {value!r}")
    given = (("__shape__", shape), ("__lr_mult__", lr_mult), ("__wd_mult__", wd_mult))
    attrs.update([(key, write(number)) for key, number in given if number is not None])
    if dtype is not None:
        attrs["__dtype__"] = str(element_types.element_type(dtype).code)
    if init is not None:
        attrs["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        attrs["__storage_type__"] = _STORAGE_CODES[stype]
    for key, value in kwargs.items():
        if not is_user_key(key):
            raise AttributeValueError(
                f"var: attribute {key} is not known; names of one's own begin and end with __"
            )
        attrs[key] = write(value)
    return Symbol([Entry(Node(None, name, hide_keys(attrs)))])


Variable = var


def Group(  # noqa: N802 - the name the interface gives
    symbols: Sequence[Symbol], create_fn: type[Symbol] = Symbol
) -> Symbol:
    """Joins symbols to one with all their outputs.

    Args:
        symbols: The symbols.
        create_fn: Class of the result.
    """
    listed = list(symbols) if symbols is not None else []
    if not listed or not all(isinstance(item, Symbol) for item in listed):
        raise UnsupportedTypeError("Group: takes a list of symbols")
    return create_fn([head for item in listed for head in item._heads])


def zeros(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a constant of zeros."""
    return FUNCTIONS["_internal"]["_zeros"](shape=shape, dtype=dtype or "float32", **kwargs)


def ones(shape: Any, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a constant of ones."""
    return FUNCTIONS["_internal"]["_ones"](shape=shape, dtype=dtype or "float32", **kwargs)


def full(shape: Any, val: float, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a constant of one value."""
    create = FUNCTIONS["_internal"]["_full"]
    return create(shape=shape, dtype=dtype or "float32", value=as_number(val), **kwargs)


def arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """Makes evenly spaced values; see `mx.nd.arange`."""
    return FUNCTIONS["_internal"]["_arange"](
        start=start,
        stop=stop,
        step=step,
        repeat=repeat,
        infer_range=infer_range,
        name=name,
        dtype=dtype or "float32",
    )


def eye(N: int, M: int = 0, k: int = 0, dtype: Any = None, **kwargs: Any) -> Symbol:
    """Makes a matrix with ones on a diagonal; see `mx.nd.eye`."""
    return FUNCTIONS["_internal"]["_eye"](N=N, M=M, k=k, dtype=dtype or "float32", **kwargs)


def linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    name: str | None = None,
    dtype: Any = None,
) -> Symbol:
    """Makes a number of evenly spaced values; see `mx.nd.linspace`."""
    return FUNCTIONS["_internal"]["_linspace"](
        start=start, stop=stop, num=num, endpoint=endpoint, name=name, dtype=dtype or "float32"
    )


@public_call  # also a method
def split_v2(
    ary: Symbol,
    indices_or_sections: int | Sequence[int],
    axis: int = 0,
    squeeze_axis: bool = False,
) -> Symbol:
    """Splits into parts along an axis; see `mx.nd.split_v2`."""
    if isinstance(indices_or_sections, int):
        indices, sections = [], indices_or_sections
    else:
        indices, sections = [0, *indices_or_sections], 0
    split = FUNCTIONS["_internal"]["_split_v2"]
    return split(ary, indices=indices, axis=axis, squeeze_axis=squeeze_axis, sections=sections)


def histogram(a: Symbol, bins: Any = 10, range: Any = None, **kwargs: Any) -> Symbol:
    """Counts the elements in each of several intervals; see `mx.nd.histogram`.

    Args:
        a: The elements.
        bins: Number of intervals, or a symbol of their borders.
        range: Lower and upper limit, needed with a number of intervals.
        **kwargs: `name` and `attr` of the node.
    """
    count = FUNCTIONS["_internal"]["_histogram"]
    if isinstance(bins, Symbol):
        return count(a, bins, **kwargs)
    if not isinstance(bins, int) or range is None:
        raise AttributeValueError(
            f"histogram: bins takes a symbol, or an int along with a range, got {bins!r}, {range!r}"
        )
    return count(a, bin_cnt=bins, range=range, **kwargs)
