"""Converts symbols, models and blocks of float32 to mixed precision, for prediction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mxnet._formats.element_types import BY_CODE, BY_NAME
from mxnet.context import Context, gpu
from mxnet.contrib.amp._function_lists import CLASSIC, FunctionLists
from mxnet.contrib.amp._reduction import Lists, reduce_precision
from mxnet.errors import CheckFailedError, MXNetError
from mxnet.gluon import HybridBlock, SymbolBlock
from mxnet.gluon.parameters import parameters_by_name
from mxnet.module import BucketingModule
from mxnet.ndarray import NDArray
from mxnet.ops.core.registry import all_names
from mxnet.symbol import Symbol

Names: TypeAlias = Sequence[str] | None
Conditions: TypeAlias = Sequence[tuple[str, str, list[str]]] | None

_TARGETS = ("float16", "bfloat16")


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
    """Returns a graph for mixed precision that computes what a graph in float32 does.

    Args:
        sym: The graph.
        target_dtype: The low precision, `"float16"` or `"bfloat16"`.
        target_dtype_ops: Operators that compute in it, in place of `list_lp16_ops`.
        fp32_ops: Operators that compute in float32, in place of `list_fp32_ops`.
        conditional_fp32_ops: Operators that compute in float32 if an attribute has one of some
            values, in place of `list_conditional_fp32_ops`.
        excluded_sym_names: Names of nodes that compute in float32.
        data_names: Variables that are not parameters; all that have no dtype of their own if not
            given.
        cast_optional_params: Whether parameters that are only used in low precision are to be saved
            in it; otherwise the graph converts them.

    Raises:
        CheckFailedError: if an argument is not of these types, or an operator is in two lists or
            none of those of the framework.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.contrib import amp
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, no_bias=True, name="fc")
        >>> converted = amp.convert_symbol(net)
        >>> converted.list_outputs()
        ['fc_output_amp_cast_float32_output']
    """
    options = Options(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        cast_optional_params,
    )
    return convert_graph(sym, options, data_names)


@dataclass(frozen=True)
class Options:
    """How to convert; see `convert_symbol`.

    Attributes:
        functions: The lists in whose place others may be given.
    """

    target_dtype: str
    target_dtype_ops: Names
    fp32_ops: Names
    conditional_fp32_ops: Conditions
    excluded_sym_names: Names
    cast_optional_params: bool
    functions: FunctionLists = CLASSIC

    def read(self) -> Lists:
        """Returns the names by precision, once they have been checked."""
        target, functions = self.target_dtype, self.functions
        _check(target in _TARGETS, f"target_dtype is one of {_TARGETS}, got {target!r}")
        low = _names("target_dtype_ops", self.target_dtype_ops, functions.low_names(target))
        full = _names("fp32_ops", self.fp32_ops, functions.find("list_fp32_ops", target))
        default = functions.find("list_conditional_fp32_ops", target)
        given = default if self.conditional_fp32_ops is None else self.conditional_fp32_ops
        conditional = _conditions(given)
        known = {
            *functions.low_names(target),
            *functions.find("list_fp32_ops", target),
            *functions.find("list_lp16_fp32_ops", target),
            *(row[0] for row in default),
        }
        _check_lists(low, full, list(conditional), known)
        return Lists(
            low=_declared(low),
            full=_declared(full),
            widest=_declared(functions.find("list_widest_type_cast", target)),
            conditional=conditional,
            excluded=frozenset(_names("excluded_sym_names", self.excluded_sym_names, ())),
        )


def _declared(names: Sequence[str]) -> frozenset[str]:
    """Adds the names with which the operators are declared: nodes have these."""
    operators = all_names()
    later = [name for name in names if name.startswith("_np") and name in operators]
    return frozenset(names) | {operators[name].name for name in later}


def convert_graph(sym: Symbol, options: Options, data_names: Names) -> Symbol:
    """Does what `convert_symbol` does."""
    _check(isinstance(sym, Symbol), f"takes a Symbol, got {type(sym).__name__}")
    lists = options.read()
    if data_names is None:
        attrs = sym.attr_dict()
        data_names = [n for n in sym.list_inputs() if "__dtype__" not in attrs.get(n, ())]
    dtype = BY_NAME[options.target_dtype].torch
    cast_params = options.cast_optional_params
    return Symbol._of_graph(reduce_precision(sym._graph, dtype, lists, data_names, cast_params))


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise CheckFailedError(f"convert_symbol: {message}")


def _names(argument: str, given: Names, default: Sequence[str]) -> Sequence[str]:
    if given is None:
        return default
    _check(isinstance(given, list), f"{argument} takes a list of names, got {given!r}")
    return given


def _conditions(given: Conditions) -> dict[str, tuple[str, list[str]]]:
    _check(isinstance(given, list), f"conditional_fp32_ops takes a list, got {given!r}")
    result: dict[str, tuple[str, list[str]]] = {}
    for row in given or ():
        name, attribute, values = row
        well_formed = (
            isinstance(name, str) and isinstance(attribute, str) and isinstance(values, list)
        )
        _check(
            well_formed,
            f"a row of conditional_fp32_ops is a name, an attribute and a list, got {row!r}",
        )
        result[name] = (attribute, values)
    return result


def _check_lists(
    low: Sequence[str], full: Sequence[str], conditional: Sequence[str], known: Collection[str]
) -> None:
    """Checks that no operator is in two lists, and all are of those that the framework has."""
    pairs = (
        ("target_dtype_ops and fp32_ops", low, full),
        ("target_dtype_ops and conditional_fp32_ops", low, conditional),
        ("fp32_ops and conditional_fp32_ops", full, conditional),
    )
    for both, first, second in pairs:
        common = sorted(set(first) & set(second))
        _check(not common, f"an operator is in one list only, got {common} in {both}")
    unknown = sorted({*low, *full, *conditional}.difference(known))
    _check(
        not unknown,
        "takes operators of list_lp16_ops, list_fp32_ops, list_lp16_fp32_ops and "
        f"list_conditional_fp32_ops, got {unknown}",
    )


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
    """Converts a graph and its parameters to mixed precision, for prediction.

    Args:
        sym: The graph.
        arg_params: Parameters by name; those that the graph wants in low precision are replaced in
            the dictionary.
        aux_params: Auxiliary states by name, likewise.
        target_dtype: See `convert_symbol`.
        target_dtype_ops: See `convert_symbol`.
        fp32_ops: See `convert_symbol`.
        conditional_fp32_ops: See `convert_symbol`.
        excluded_sym_names: See `convert_symbol`.
        cast_optional_params: See `convert_symbol`.

    Returns:
        The graph and both dictionaries.
    """
    options = Options(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        cast_optional_params,
    )
    return convert_parameters(sym, arg_params, aux_params, options)


def convert_parameters(
    sym: Symbol, arg_params: dict[str, NDArray], aux_params: dict[str, NDArray], options: Options
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Does what `convert_model` does."""
    for argument, value in (("arg_params", arg_params), ("aux_params", aux_params)):
        if not isinstance(value, dict):
            raise CheckFailedError(
                f"convert_model: {argument} takes a dict, got {type(value).__name__}"
            )
    _check(isinstance(sym, Symbol), f"takes a Symbol, got {type(sym).__name__}")
    inputs = [name for name in sym.list_inputs() if name not in arg_params.keys() | aux_params]
    converted = convert_graph(sym, options, inputs)
    attrs = converted.attr_dict()
    for params in (arg_params, aux_params):
        for name in params.keys() & attrs.keys():
            params[name] = _as_declared(params[name], attrs[name])
    return converted, arg_params, aux_params


def _as_declared(array: NDArray, attrs: Mapping[str, str]) -> NDArray:
    """Returns an array in the dtype that the attributes of its variable say."""
    code = attrs.get("__dtype__", "-1")
    return array if code == "-1" else array.astype(BY_CODE[int(code)].name, copy=False)


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
    """Converts a block to mixed precision, for prediction.

    Args:
        block: The block, hybridized and called once.
        target_dtype: See `convert_symbol`.
        target_dtype_ops: See `convert_symbol`.
        fp32_ops: See `convert_symbol`.
        conditional_fp32_ops: See `convert_symbol`.
        excluded_sym_names: See `convert_symbol`.
        ctx: Where the parameters of the new block are.
        cast_optional_params: See `convert_symbol`.

    Returns:
        A new block with parameters of its own.

    Raises:
        MXNetError: if the block has no graph yet.
    """
    options = Options(
        target_dtype,
        target_dtype_ops,
        fp32_ops,
        conditional_fp32_ops,
        excluded_sym_names,
        cast_optional_params,
    )
    return convert_block(block, ctx, options)


def convert_block(
    block: HybridBlock, ctx: Context | Sequence[Context], options: Options
) -> SymbolBlock:
    """Does what `convert_hybrid_block` does."""
    _check_block(block)
    inputs, sym = block._cached_graph
    converted = convert_graph(sym, options, [item.name for item in inputs])
    attrs = converted.attr_dict()
    result = SymbolBlock(converted, inputs)
    wanted = result.params
    values: dict[str, NDArray] = {}
    for name, parameter in parameters_by_name(block).items():
        if name in wanted:
            values[name] = _as_declared(parameter._reduce(), attrs.get(name, {}))
            wanted[name].cast(values[name].dtype)
    wanted.load_dict(values, ctx=ctx)
    return result


def _check_block(block: Any) -> None:
    if not isinstance(block, HybridBlock):
        raise CheckFailedError(
            f"convert_hybrid_block: takes a HybridBlock, got {type(block).__name__}"
        )
    if not block._cached_graph:
        raise MXNetError(
            "convert_hybrid_block: the block has no graph yet; call hybridize() and run it once"
        )


def convert_bucketing_module(
    bucketing_mod: BucketingModule,
    target_dtype: str = "float16",
    target_dtype_ops: Names = None,
    fp32_ops: Names = None,
    conditional_fp32_ops: Conditions = None,
    excluded_sym_names: Names = None,
    cast_optional_params: bool = False,
) -> BucketingModule:
    """Converts the networks of all buckets that were used to mixed precision.

    Args:
        bucketing_mod: The module, bound and with parameters.
        target_dtype: See `convert_symbol`.
        target_dtype_ops: See `convert_symbol`.
        fp32_ops: See `convert_symbol`.
        conditional_fp32_ops: See `convert_symbol`.
        excluded_sym_names: See `convert_symbol`.
        cast_optional_params: See `convert_symbol`.

    Returns:
        A new module, not bound yet.
    """
    if not isinstance(bucketing_mod, BucketingModule):
        raise CheckFailedError(
            f"convert_bucketing_module: takes a BucketingModule, got {type(bucketing_mod).__name__}"
        )
    if not (bucketing_mod._buckets and bucketing_mod.params_initialized):
        raise CheckFailedError(
            "convert_bucketing_module: the module has no parameters; call bind and init_params"
        )
    arg_params, aux_params = bucketing_mod.get_params()
    symbols: dict[Any, Symbol] = {}
    for key, module in bucketing_mod._buckets.items():
        symbols[key], arg_params, aux_params = convert_model(
            module.symbol,
            dict(arg_params),
            dict(aux_params),
            target_dtype,
            target_dtype_ops,
            fp32_ops,
            conditional_fp32_ops,
            excluded_sym_names,
            cast_optional_params,
        )
    return BucketingModule.load_dict(
        symbols,
        sym_gen=bucketing_mod._sym_gen,
        default_bucket_key=bucketing_mod._default_bucket_key,
        arg_params=arg_params,
        aux_params=aux_params,
        **bucketing_mod._options,
    )
