"""Parameters of quantized networks, and models that programs name by their files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from mxnet.contrib.quantization._calibration import Log
from mxnet.errors import ArgumentValueError
from mxnet.ndarray import NDArray, array, load
from mxnet.ndarray.contrib import quantize  # type: ignore[attr-defined]  # a generated function
from mxnet.symbol import Symbol
from mxnet.symbol import load as load_symbol

Params: TypeAlias = dict[str, NDArray]

_ENDING = "_quantize"


def quantize_params(
    qsym: Symbol, params: Mapping[str, NDArray], th_dict: Mapping[str, Sequence[Any]]
) -> Params:
    """Returns the parameters of a quantized graph.

    Args:
        qsym: The graph. Of its arguments, `w_quantize` stands for the integers of the parameter
            `w`, `w_quantize_min` and `w_quantize_max` for their range.
        params: Parameters of the graph on floats by name.
        th_dict: Ranges by name, for arguments that are ends of a range.

    Raises:
        KeyError: if the parameter behind integers is not among them.
    """
    quantized: Params = {}
    for name in qsym.list_arguments():
        if name.endswith(("weight_quantize", "bias_quantize")) or _stands_for(name, params):
            values = params[name.removesuffix(_ENDING)]
            numbers = values.asnumpy()
            ends = (numbers.min(), numbers.max())
            low, high = (array([number], ctx=values.context) for number in ends)
            integers, low, high = quantize(
                data=values, min_range=low, max_range=high, out_type="int8"
            )
            quantized[name] = integers
            quantized[f"{name}_min"], quantized[f"{name}_max"] = low, high
        elif name in params:
            quantized[name] = params[name]
        else:
            for place, ending in enumerate(("_min", "_max")):
                known = th_dict.get(name.removesuffix(ending))
                if name.endswith(ending) and known is not None:
                    quantized[name] = array([known[place]])
    return quantized


def _stands_for(name: str, params: Mapping[str, NDArray]) -> bool:
    return name.endswith(_ENDING) and name.removesuffix(_ENDING) in params


def load_sym(sym: Symbol | str | os.PathLike[str], logger: Log = None) -> Symbol:
    """Returns a symbol, which may be given as the name of its file.

    Raises:
        ValueError: if it is neither.
    """
    if isinstance(sym, (str, os.PathLike)):
        path = os.path.abspath(sym)
        if logger:
            logger.info(f"Loading symbol from file {path}")
        return load_symbol(path)
    if isinstance(sym, Symbol):
        return sym
    raise ArgumentValueError(f"_load_sym: expected a Symbol or the path of a file, got {type(sym)}")


def load_params(
    params: str | os.PathLike[str] | tuple[Params, Params] | list[Params], logger: Log = None
) -> tuple[Params, Params]:
    """Returns parameters and auxiliary states, which may be given as the name of their file.

    Raises:
        ValueError: if they are neither.
    """
    if isinstance(params, (str, os.PathLike)):
        path = os.path.abspath(params)
        if logger:
            logger.info(f"Loading params from file {path}")
        args: Params = {}
        states: Params = {}
        loaded = load(path)
        if not isinstance(loaded, dict):
            raise ArgumentValueError(
                f"_load_params: expected arrays with names in {path}, got a list"
            )
        for key, value in loaded.items():
            kind, _, name = key.partition(":")
            if kind == "arg":
                args[name] = value
            if kind == "aux":
                states[name] = value
        return args, states
    if isinstance(params, (tuple, list)) and len(params) == 2:
        return params[0], params[1]
    raise ArgumentValueError(
        f"_load_params: expected the path of a file or two dictionaries, got {type(params)}"
    )
