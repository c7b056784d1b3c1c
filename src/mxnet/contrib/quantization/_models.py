"""Quantizes graphs with their parameters: `quantize_model`, `quantize_graph`, `calib_graph`."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mxnet._start import public_call
from mxnet._state import REQUIRED, as_in_mxnet2, rules
from mxnet.context import Context, cpu
from mxnet.contrib.quantization import _arguments, _calibration, _rewriting
from mxnet.errors import ArgumentValueError, CheckFailedError
from mxnet.io import DataIter
from mxnet.module import Module
from mxnet.symbol import Symbol

_BACKEND = "MKLDNN_QUANTIZE"


def quantize_symbol(
    sym: Symbol,
    ctx: Context,
    excluded_symbols: Collection[str] | None = None,
    excluded_operators: Collection[str] | None = None,
    offline_params: Collection[str] | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
) -> tuple[Symbol, list[str]]:
    """Returns a graph on integers, and the names of outputs whose ranges calibration is to find.

    Args:
        sym: The graph on floats.
        ctx: What it is for.
        excluded_symbols: Names of nodes that stay on floats.
        excluded_operators: Names of operators that stay on floats.
        offline_params: Names of parameters that are quantized before the graph runs.
        quantized_dtype: `int8`, `uint8` or `auto`.
        quantize_mode: `full` or `smart`.
        quantize_granularity: `tensor-wise` or `channel-wise`.
    """
    for names in (excluded_symbols, excluded_operators):
        if names is not None and not isinstance(names, (list, tuple, set, frozenset)):
            raise CheckFailedError(f"quantize_symbol: takes lists of names, got {names!r}")
    choice = _rewriting.Choice(
        mode=quantize_mode,
        excluded_names=frozenset(excluded_symbols or ()),
        excluded_operators=frozenset(excluded_operators or ()),
        channel_wise=quantize_granularity == "channel-wise",
        on_gpu=ctx.device_type == "gpu",
    )
    if choice.on_gpu and quantized_dtype == "auto":
        quantized_dtype = "int8"  # the only one that convolutions of GPUs are made for
    graph, calibrated = _rewriting.quantize(
        sym._graph, choice, frozenset(offline_params or ()), quantized_dtype
    )
    return type(sym)._of_graph(graph), calibrated


def calibrate_quantized_sym(qsym: Symbol, th_dict: Mapping[str, Sequence[Any]] | None) -> Symbol:
    """Returns a quantized graph that knows ranges, given by names of outputs before."""
    if not th_dict:
        return qsym
    return type(qsym)._of_graph(_rewriting.calibrate(qsym._graph, th_dict))


@public_call
@as_in_mxnet2(
    {"device": "ctx"},
    ("label_names", "num_calib_examples", "ctx"),
    sym=REQUIRED,
    arg_params=REQUIRED,
    aux_params=REQUIRED,
    data_names=("data",),
    device=cpu(),
    excluded_sym_names=None,
    excluded_op_names=None,
    calib_mode="entropy",
    calib_data=None,
    num_calib_batches=None,
    quantized_dtype="int8",
    quantize_mode="smart",
    quantize_granularity="tensor-wise",
    logger=None,
)
def quantize_model(
    sym: Symbol,
    arg_params: _rewriting.Params,
    aux_params: _rewriting.Params,
    data_names: Sequence[str] = ("data",),
    label_names: Sequence[str] | None = ("softmax_label",),
    ctx: Context = cpu(),  # noqa: B008 - the signature of the original
    excluded_sym_names: list[str] | None = None,
    excluded_op_names: list[str] | None = None,
    calib_mode: str | None = "entropy",
    calib_data: DataIter | None = None,
    num_calib_examples: int | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: _calibration.Log = None,
    num_calib_batches: int | None = None,
) -> tuple[Symbol, _rewriting.Params, _rewriting.Params]:
    """Turns a graph on floats into one that computes on integers of eight bits.

    Args:
        sym: The graph.
        arg_params: Its parameters by name.
        aux_params: Its auxiliary states by name.
        data_names: Names of the data.
        label_names: Names of the labels.
        ctx: Where the graph runs for calibration, and what it is quantized for.
        excluded_sym_names: Names of nodes that stay on floats.
        excluded_op_names: Names of operators that stay on floats.
        calib_mode: How ranges of layers are found: `none` measures them whenever the network
            runs; `naive` takes the smallest and the largest element in `calib_data`; `entropy`
            cuts off rare ones, so that as little as possible is lost.
        calib_data: Examples that are typical of what the network will see.
        num_calib_examples: How many of them to use; all if not given.
        quantized_dtype: `int8`, `uint8`, or `auto` for what the range of a layer allows.
        quantize_mode: `full` quantizes all operators that it can, `smart` does so only where
            conversions are worth it.
        quantize_granularity: `tensor-wise`, or `channel-wise` for one range for each channel
            of weights of dense layers.
        logger: Is told what is done.
        num_calib_batches: How many batches to use, in place of `num_calib_examples`.

    Returns:
        The quantized graph, its parameters and its auxiliary states.

    Raises:
        ValueError: if an argument is not one of these.

    Example:
        >>> import mxnet as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
        >>> params = {"fc_weight": mx.nd.ones((2, 3)), "fc_bias": mx.nd.zeros((2,))}
        >>> qnet, qparams, _ = mx.contrib.quantization.quantize_model(
        ...     net, params, {}, label_names=None, calib_mode="none")
        >>> qnet.list_outputs()
        ['fc_dequantize_output']
        >>> qparams["fc_weight_quantize"].dtype
        <class 'numpy.int8'>
    """
    excluded = _arguments.check_names("excluded_sym_names", excluded_sym_names, "symbols")
    excluded_ops = _arguments.check_names("excluded_op_names", excluded_op_names, "operators")
    _arguments.tell(logger, "Quantizing symbol")
    _arguments.check_dtype(quantized_dtype)
    _arguments.check_granularity(quantize_granularity)
    qsym, calib_layer = quantize_symbol(
        sym,
        ctx,
        excluded,
        excluded_ops,
        list(arg_params),
        quantized_dtype,
        quantize_mode,
        quantize_granularity,
    )
    ranges: dict[str, tuple[Any, Any]] = {}
    if calib_mode is not None and calib_mode != "none":
        if rules.version > 1:  # where labels are not named
            label_names = [name for name in label_names or () if name in sym.list_inputs()]
        mod = _bind(
            sym, arg_params, aux_params, data_names, label_names, ctx, calib_mode, calib_data
        )
        num_calib_examples = _arguments.count_examples(
            calib_data, num_calib_batches, num_calib_examples
        )
        ranges = _find_ranges(
            mod, calib_mode, calib_data, calib_layer, num_calib_examples, quantized_dtype, logger
        )
        qsym = calibrate_quantized_sym(qsym, ranges)
    _arguments.tell(logger, "Quantizing parameters")
    return qsym, _rewriting.quantize_params(qsym, arg_params, ranges), aux_params


def quantize_model_mkldnn(
    sym: Symbol,
    arg_params: _rewriting.Params,
    aux_params: _rewriting.Params,
    data_names: Sequence[str] = ("data",),
    label_names: Sequence[str] | None = ("softmax_label",),
    ctx: Context = cpu(),  # noqa: B008 - the signature of the original
    excluded_sym_names: list[str] | None = None,
    excluded_op_names: list[str] | None = None,
    calib_mode: str | None = "entropy",
    calib_data: DataIter | None = None,
    num_calib_examples: int | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: _calibration.Log = None,
    num_calib_batches: int | None = None,
) -> tuple[Symbol, _rewriting.Params, _rewriting.Params]:
    """Turns a graph on floats into one on integers for CPUs, with layers joined to one operator.

    A convolution is joined with the normalization, addition and activation behind it, a dense
    layer with its activation. All arguments are those of `quantize_model`.

    Raises:
        ValueError: if an argument is not one of these, or the context is not a CPU.
    """
    _arguments.check_context(ctx)
    if ctx.device_type != "cpu":
        raise ArgumentValueError(f"quantize_model_mkldnn: expected a CPU as the context, got {ctx}")
    qsym, qargs, states = quantize_model.__wrapped__(  # type: ignore[attr-defined]  # in the order of 1.9.1
        sym.get_backend_symbol(_BACKEND),
        arg_params,
        aux_params,
        data_names,
        label_names,
        ctx,
        excluded_sym_names,
        excluded_op_names,
        calib_mode,
        calib_data,
        num_calib_examples,
        quantized_dtype,
        quantize_mode,
        quantize_granularity,
        logger,
        num_calib_batches,
    )
    return qsym.get_backend_symbol(_BACKEND), qargs, states


@as_in_mxnet2(
    {"device": "ctx"},
    ("label_names", "num_calib_examples", "ctx"),
    sym=REQUIRED,
    arg_params=REQUIRED,
    aux_params=REQUIRED,
    data_names=("data",),
    device=cpu(),
    excluded_sym_names=None,
    excluded_op_names=None,
    calib_mode="entropy",
    calib_data=None,
    num_calib_batches=None,
    quantized_dtype="int8",
    quantize_mode="smart",
    quantize_granularity="tensor-wise",
    logger=None,
)
def quantize_model_onednn(*args: Any, **kwargs: Any) -> Any:
    """Does what `quantize_model_mkldnn` does, under the name that it has in MXNet 2."""
    return quantize_model_mkldnn(*args, **kwargs)


@as_in_mxnet2(
    {"device": "ctx"},
    ("ctx",),
    sym=REQUIRED,
    arg_params=REQUIRED,
    aux_params=REQUIRED,
    device=cpu(),
    excluded_sym_names=None,
    excluded_op_names=None,
    calib_mode="entropy",
    quantized_dtype="int8",
    quantize_mode="full",
    quantize_granularity="tensor-wise",
    LayerOutputCollector=None,
    logger=None,
)
def quantize_graph(
    sym: Symbol,
    arg_params: _rewriting.Params,
    aux_params: _rewriting.Params,
    ctx: Context = cpu(),  # noqa: B008 - the signature of the original
    excluded_sym_names: list[str] | None = None,
    excluded_op_names: list[str] | None = None,
    calib_mode: str | None = "entropy",
    quantized_dtype: str = "int8",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    LayerOutputCollector: Any = None,
    logger: _calibration.Log = None,
) -> tuple[Symbol, _rewriting.Params, _rewriting.Params, Any]:
    """Quantizes a graph and returns the collector with which a program calibrates it itself.

    The program gives `collector.collect` to `Executor.set_monitor_callback` of an executor of
    the graph on floats, runs that on data, and hands all to `calib_graph`.

    Args:
        sym: The graph on floats.
        arg_params: Its parameters by name.
        aux_params: Its auxiliary states by name.
        ctx: What it is quantized for.
        excluded_sym_names: Names of nodes that stay on floats.
        excluded_op_names: Names of operators that stay on floats.
        calib_mode: See `quantize_model`; `customize` or `custom` takes one of the program.
        quantized_dtype: See `quantize_model`.
        quantize_mode: See `quantize_model`.
        quantize_granularity: See `quantize_model`.
        LayerOutputCollector: For `customize`, an object with a method `collect`, which is called
            with names and arrays, and an attribute `min_max_dict` of ranges by name.
        logger: Is told what is done.

    Returns:
        The quantized graph, its parameters, its auxiliary states and the collector, None for
        `calib_mode="none"`.

    Raises:
        ValueError: if an argument is not one of these.
    """
    _arguments.check_context(ctx)
    excluded = _arguments.check_names("excluded_sym_names", excluded_sym_names, "symbols")
    _arguments.tell(logger, "Quantizing graph")
    _arguments.check_dtype(quantized_dtype)
    _arguments.check_granularity(quantize_granularity)
    qsym, calib_layer = quantize_symbol(
        sym,
        ctx,
        excluded,
        excluded_op_names,
        list(arg_params),
        quantized_dtype,
        quantize_mode,
        quantize_granularity,
    )
    collector = None
    if calib_mode is not None and calib_mode != "none":
        collector = _make_collector(
            calib_mode, quantized_dtype, calib_layer, LayerOutputCollector, sym, logger
        )
        _arguments.tell(
            logger,
            "Pass the collector to set_monitor_callback, run examples, then call calib_graph",
        )
    _arguments.tell(logger, "Quantizing parameters")
    return qsym, _rewriting.quantize_params(qsym, arg_params, {}), aux_params, collector


@as_in_mxnet2(
    {},
    ("quantized_dtype",),
    qsym=REQUIRED,
    arg_params=REQUIRED,
    aux_params=REQUIRED,
    collector=REQUIRED,
    calib_mode="entropy",
    logger=None,
)
def calib_graph(
    qsym: Symbol,
    arg_params: _rewriting.Params,
    aux_params: _rewriting.Params,
    collector: Any,
    calib_mode: str = "entropy",
    quantized_dtype: str = "int8",
    logger: _calibration.Log = logging,
) -> tuple[Symbol, _rewriting.Params, _rewriting.Params]:
    """Sets the ranges that a collector has found in a graph of `quantize_graph`.

    Args:
        qsym: The quantized graph.
        arg_params: Parameters of the graph on floats by name.
        aux_params: Auxiliary states by name.
        collector: The collector, which has seen data.
        calib_mode: The mode given to `quantize_graph`.
        quantized_dtype: The integers given to `quantize_graph`.
        logger: Is told what is done.

    Returns:
        The quantized graph with ranges, its parameters and its auxiliary states.

    Raises:
        ValueError: if the mode is none of those that calibrate.
    """
    ranges: Mapping[str, Sequence[Any]]
    if calib_mode is None or calib_mode == "none":
        raise ArgumentValueError("calib_mode: expected naive, entropy or custom, got none")
    if calib_mode == "entropy":
        _arguments.tell(logger, "Search for the best thresholds")
        ranges = _calibration.get_optimal_thresholds(
            collector.hist_dict, quantized_dtype, logger=logger
        )
    elif calib_mode in ("naive", *CUSTOM):
        ranges = collector.min_max_dict
    else:
        raise _arguments.unknown_mode(calib_mode)
    calibrated = calibrate_quantized_sym(qsym, ranges)
    _arguments.tell(logger, "Quantizing parameters")
    return calibrated, _rewriting.quantize_params(calibrated, arg_params, ranges), aux_params


CUSTOM = ("customize", "custom")
"""What MXNet 1.9.1 and MXNet 2 call calibration by a collector of the program."""


def _make_collector(
    calib_mode: str,
    dtype: str,
    calib_layer: list[str],
    custom: Any,
    sym: Symbol,
    logger: _calibration.Log,
) -> Any:
    if calib_mode == "entropy":
        _arguments.tell(logger, "Collect histograms of the outputs of layers")
        return _calibration.LayerHistogramCollector(include_layer=calib_layer, logger=logger)
    if calib_mode == "naive":
        _arguments.tell(logger, "Collect ranges of the outputs of layers")
        return _calibration.LayerOutputMinMaxCollector(
            dtype, include_layer=calib_layer, logger=logger
        )
    if calib_mode in CUSTOM and custom is not None:
        _arguments.tell(logger, "Collect outputs of layers with the collector given")
        if isinstance(custom, _calibration.CalibrationCollector):
            return _calibration.NamedOperators(custom, sym, calib_layer)
        return custom
    raise _arguments.unknown_mode(calib_mode)


def _bind(
    sym: Symbol,
    arg_params: _rewriting.Params,
    aux_params: _rewriting.Params,
    data_names: Sequence[str],
    label_names: Sequence[str] | None,
    ctx: Context,
    calib_mode: str,
    calib_data: Any,
) -> Module:
    """Returns a module that runs a graph on data of calibration."""
    _arguments.check_context(ctx)
    _arguments.check_calibration_data(calib_data, calib_mode)
    mod = Module(symbol=sym, data_names=data_names, label_names=label_names, context=ctx)
    labels = getattr(calib_data, "provide_label", None)
    mod.bind(for_training=False, data_shapes=calib_data.provide_data, label_shapes=labels or None)
    mod.set_params(arg_params, aux_params)
    return mod


def _find_ranges(
    mod: Module,
    calib_mode: str,
    calib_data: Any,
    calib_layer: list[str],
    num_calib_examples: int | None,
    quantized_dtype: str,
    logger: _calibration.Log,
) -> dict[str, tuple[Any, Any]]:
    """Returns ranges by name of the output, found by running a module."""
    if calib_mode == "entropy":
        histograms, num_examples = _calibration.collect_layer_histogram(
            mod, calib_data, calib_layer, num_calib_examples, logger
        )
        _arguments.tell(logger, f"Collected histograms of layers from {num_examples} examples")
        _arguments.tell(logger, "Search for the best thresholds")
        return _calibration.get_optimal_thresholds(histograms, quantized_dtype, logger=logger)
    if calib_mode == "naive":
        ranges, num_examples = _calibration.collect_layer_output_min_max(
            mod, calib_data, quantized_dtype, calib_layer, num_calib_examples, logger
        )
        _arguments.tell(logger, f"Collected ranges of layers from {num_examples} examples")
        return ranges
    raise ArgumentValueError(f"calib_mode: expected none, naive or entropy, got {calib_mode!r}")
