"""Mixed precision with the lists of MXNet 2: `mx.amp.amp`.

It is that of `mx.contrib.amp`, which is on or off for both: the lists of functions are others, in
which those of `mx.np` and `mx.npx` are sorted, too.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Sequence
from typing import Any

from mxnet._formats.element_types import BFLOAT16_NUMPY
from mxnet._start import tracebacks
from mxnet.amp.lists import symbol_bf16, symbol_fp16
from mxnet.context import Context, gpu
from mxnet.contrib.amp._conversion import (
    Conditions,
    Names,
    Options,
    convert_block,
    convert_graph,
    convert_parameters,
)
from mxnet.contrib.amp._function_lists import FunctionLists
from mxnet.contrib.amp.amp import init_trainer as init_trainer
from mxnet.contrib.amp.amp import initialized, turn_on
from mxnet.contrib.amp.amp import scale_loss as scale_loss
from mxnet.contrib.amp.amp import unscale as unscale
from mxnet.contrib.amp.loss_scaler import LossScaler as LossScaler
from mxnet.gluon import Block, HybridBlock, SymbolBlock
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

__all__ = [
    "convert_hybrid_block", "convert_model", "convert_symbol", "init", "init_trainer",
    "list_conditional_fp32_ops", "list_fp32_ops", "list_loss_output_functions",
    "list_lp16_fp32_ops", "list_lp16_ops", "list_lp16_use_fp32_params", "list_widest_type_cast",
    "scale_loss", "unscale",
]  # fmt: skip

bfloat16 = BFLOAT16_NUMPY
_FUNCTIONS = FunctionLists(symbol_fp16, symbol_bf16, has_all=True)


def init(
    target_dtype: Any = "float16",
    target_precision_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Sequence[tuple[str, str, Sequence[str]]] | None = None,
    fp32_ops: Sequence[str] | None = None,
    layout_optimization: bool = False,
) -> None:
    """Turns mixed precision on, for the rest of the process and all of its threads.

    See `mx.contrib.amp.init`. A network that exists already is warned of.

    Args:
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
        target_precision_ops: Functions that compute in it, in place of `list_lp16_ops`.
        conditional_fp32_ops: Functions that compute in float32 if an attribute has one of some
            values: name, attribute, values; in place of `list_conditional_fp32_ops`.
        fp32_ops: Functions that compute in float32, in place of `list_fp32_ops`.
        layout_optimization: Has no effect: hybridized blocks choose the layout of convolutions by
            themselves.
    """
    del layout_optimization
    was_on = initialized.scaler is not None
    turn_on(_FUNCTIONS, target_dtype, target_precision_ops, conditional_fp32_ops, fp32_ops)
    if not was_on:
        warn_if_model_exists()


def warn_if_model_exists() -> None:
    """Warns of the first network that a variable of a function around the call holds."""
    for caller in inspect.stack(context=0):
        for name, value in caller.frame.f_locals.items():
            if isinstance(value, Block):
                logging.warning(
                    "Block %s created in [%s:%d] before AMP init.",
                    name,
                    caller.filename,
                    caller.lineno,
                )
                return


def convert_symbol(
    sym: Symbol,
    target_dtype: str = "float16",
    target_dtype_ops: Names = None,
    fp32_ops: Names = None,
    conditional_fp32_ops: Conditions = None,
    excluded_sym_names: Names = None,
    data_names: Names = None,
    cast_optional_params: bool = False,
) -> Symbol:
    """Returns a graph for mixed precision; see `mx.contrib.amp.convert_symbol`.

    Example:
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, no_bias=True, name="fc")
        >>> mx.amp.convert_symbol(net).list_outputs()
        ['fc_output_amp_cast_float32_output']
    """
    options = Options(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        cast_optional_params,
        _FUNCTIONS,
    )
    return convert_graph(sym, options, data_names)


def convert_model(
    sym: Symbol,
    arg_params: dict[str, NDArray],
    aux_params: dict[str, NDArray],
    target_dtype: str = "float16",
    target_dtype_ops: Names = None,
    fp32_ops: Names = None,
    conditional_fp32_ops: Conditions = None,
    excluded_sym_names: Names = None,
    cast_optional_params: bool = False,
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Converts a graph and its parameters; see `mx.contrib.amp.convert_model`."""
    options = Options(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        cast_optional_params,
        _FUNCTIONS,
    )
    return convert_parameters(sym, arg_params, aux_params, options)


def convert_hybrid_block(
    block: HybridBlock,
    target_dtype: str = "float16",
    target_dtype_ops: Names = None,
    fp32_ops: Names = None,
    conditional_fp32_ops: Conditions = None,
    excluded_sym_names: Names = None,
    ctx: Context | Sequence[Context] = gpu(0),  # noqa: B008 - the original's default
    cast_optional_params: bool = False,
) -> SymbolBlock:
    """Converts a block for prediction; see `mx.contrib.amp.convert_hybrid_block`."""
    options = Options(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        cast_optional_params,
        _FUNCTIONS,
    )
    return convert_block(block, ctx, options)


def list_lp16_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in the low precision, `"float16"` or `"bfloat16"`."""
    found: list[str] = _FUNCTIONS.find("list_lp16_ops", target_dtype)
    return found


def list_fp32_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in float32, for a low precision."""
    found: list[str] = _FUNCTIONS.find("list_fp32_ops", target_dtype)
    return found


def list_lp16_fp32_ops(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in what they are given, for a low precision."""
    found: list[str] = _FUNCTIONS.find("list_lp16_fp32_ops", target_dtype)
    return found


def list_conditional_fp32_ops(target_dtype: Any) -> list[tuple[str, str, list[str]]]:
    """Returns the functions that compute in float32 if an attribute has one of some values."""
    found: list[tuple[str, str, list[str]]] = _FUNCTIONS.find(
        "list_conditional_fp32_ops", target_dtype
    )
    return found


def list_widest_type_cast(target_dtype: Any) -> list[str]:
    """Returns the functions that compute in the widest precision among their inputs."""
    found: list[str] = _FUNCTIONS.find("list_widest_type_cast", target_dtype)
    return found


def list_loss_output_functions(target_dtype: Any) -> list[str]:
    """Returns the functions that start a backward pass, whose gradient is to be scaled."""
    found: list[str] = _FUNCTIONS.find("list_loss_output_functions", target_dtype)
    return found


def list_lp16_use_fp32_params(target_dtype: Any) -> dict[str, list[str]] | None:
    """Returns the inputs that stay in float32, by function; None for float16."""
    found: dict[str, list[str]] | None = _FUNCTIONS.find("list_lp16_use_fp32_params", target_dtype)
    return found


tracebacks.public_functions(globals())
