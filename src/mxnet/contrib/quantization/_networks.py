"""Quantizes networks of Gluon: `quantize_net` and `quantize_net_v2`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from mxnet import symbol
from mxnet._frontend.dialect import current_dialect
from mxnet._start import level_of_program, public_call
from mxnet._state import REQUIRED, as_in_mxnet2, is_np_array, rules
from mxnet.context import Context, cpu
from mxnet.contrib.quantization._arguments import DataAlone, as_data_iter, count_examples, tell
from mxnet.contrib.quantization._calibration import Log, collect_layer_statistics
from mxnet.contrib.quantization._models import calib_graph, quantize_graph
from mxnet.contrib.quantization._rewriting import Params
from mxnet.errors import ArgumentValueError
from mxnet.gluon import HybridBlock, SymbolBlock
from mxnet.gluon.parameters import parameters_by_name
from mxnet.io import DataDesc, DataIter
from mxnet.module import Module
from mxnet.symbol import Symbol

_BACKEND = "MKLDNN_QUANTIZE"


@public_call
@as_in_mxnet2(
    {"device": "ctx"},
    ("num_calib_examples", "ctx"),
    network=REQUIRED,
    quantized_dtype="auto",
    quantize_mode="full",
    quantize_granularity="tensor-wise",
    exclude_layers=None,
    exclude_layers_match=None,
    exclude_operators=None,
    calib_data=None,
    data_shapes=None,
    calib_mode="none",
    num_calib_batches=None,
    device=cpu(),
    LayerOutputCollector=None,
    logger=None,
)
def quantize_net(
    network: HybridBlock,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    exclude_layers: list[str] | None = None,
    exclude_layers_match: Sequence[str] | None = None,
    exclude_operators: list[str] | None = None,
    calib_data: Any = None,
    data_shapes: Sequence[DataDesc] | None = None,
    calib_mode: str | None = "none",
    num_calib_examples: int | None = None,
    ctx: Context = cpu(),  # noqa: B008 - the signature of the original
    logger: Log = None,
    quantize_granularity: str = "tensor-wise",
    num_calib_batches: int | None = None,
    LayerOutputCollector: Any = None,
) -> SymbolBlock:
    """Turns a network on floats into one that computes on integers of eight bits.

    Programs of 1.9.1 should call `quantize_net_v2`, which has these arguments in another order. In
    MXNet 2 this function has taken its place, and takes its arguments.

    Returns:
        The quantized network.
    """
    if rules.version == 1:
        warnings.warn(
            "quantize_net: quantize_net_v2 has taken its place and has more arguments",
            stacklevel=level_of_program(),
        )
    return quantize_net_v2(
        network=network,
        quantized_dtype=quantized_dtype,
        quantize_mode=quantize_mode,
        quantize_granularity=quantize_granularity,
        exclude_layers=exclude_layers,
        exclude_layers_match=exclude_layers_match,
        exclude_operators=exclude_operators,
        calib_data=calib_data,
        data_shapes=data_shapes,
        calib_mode=calib_mode,
        num_calib_examples=num_calib_examples,
        ctx=ctx,
        LayerOutputCollector=LayerOutputCollector,
        logger=logger,
        num_calib_batches=num_calib_batches,
    )


def quantize_net_v2(
    network: HybridBlock,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    exclude_layers: list[str] | None = None,
    exclude_layers_match: Sequence[str] | None = None,
    exclude_operators: list[str] | None = None,
    calib_data: Any = None,
    data_shapes: Sequence[DataDesc] | None = None,
    calib_mode: str | None = "none",
    num_calib_examples: int | None = None,
    ctx: Context = cpu(),  # noqa: B008 - the signature of the original
    LayerOutputCollector: Any = None,
    logger: Log = None,
    num_calib_batches: int | None = None,
) -> SymbolBlock:
    """Turns a network on floats into one that computes on integers of eight bits.

    Args:
        network: The network, whose parameters are initialized.
        quantized_dtype: `int8`, `uint8`, or `auto` for what the range of a layer allows, which is
            `int8` on GPUs.
        quantize_mode: `full` quantizes all operators that it can, `smart` does so only where
            conversions are worth it.
        quantize_granularity: `tensor-wise`, or `channel-wise` for one range for each channel
            of weights of dense layers; those of convolutions always have one on CPUs.
        exclude_layers: Names of nodes that stay on floats.
        exclude_layers_match: Parts of names; nodes with such a part stay on floats.
        exclude_operators: Names of operators that stay on floats.
        calib_data: Examples that are typical of what the network will see: a
            `gluon.data.DataLoader` or a `DataIter`.
        data_shapes: What the network takes, if there are no data: a list of `DataDesc`.
        calib_mode: How ranges of layers are found: `none` measures them whenever the network
            runs; `naive` takes the smallest and the largest element in `calib_data`; `entropy`
            cuts off rare ones, so that as little as possible is lost; `customize` lets
            `LayerOutputCollector` do it, as does `custom`.
        num_calib_examples: How many examples to use; all if not given.
        ctx: Where the network runs for calibration, and what it is quantized for.
        LayerOutputCollector: See `quantize_graph`.
        logger: Is told what is done.
        num_calib_batches: How many batches to use, in place of `num_calib_examples`.

    Returns:
        The quantized network.

    Raises:
        ValueError: if an argument is not one of these.

    Example:
        >>> import mxnet as mx
        >>> net = mx.gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> data = [mx.nd.ones((4, 3))]
        >>> qnet = mx.contrib.quantization.quantize_net_v2(
        ...     net, calib_data=data, calib_mode="naive")
        >>> qnet(data[0]).shape
        (4, 2)
    """
    tell(logger, "Trace the network")
    batches, data_shapes = _describe_data(calib_data, data_shapes)
    graph, inputs, args, states = _export(network, data_shapes, ctx)
    excluded = exclude_layers or []
    if isinstance(excluded, list):
        excluded = excluded + _match(graph, exclude_layers_match or ())
    tell(logger, f"Left as they are: {excluded}")
    on_cpu = isinstance(ctx, Context) and ctx.device_type == "cpu"
    if on_cpu:
        graph = graph.get_backend_symbol(_BACKEND)
    num_calib_examples = count_examples(batches, num_calib_batches, num_calib_examples)
    qsym, qargs, states, collector = quantize_graph(
        sym=graph,
        arg_params=args,
        aux_params=states,
        ctx=ctx,
        excluded_sym_names=excluded,
        excluded_op_names=exclude_operators,
        calib_mode=calib_mode,
        quantized_dtype=quantized_dtype,
        quantize_mode=quantize_mode,
        quantize_granularity=quantize_granularity,
        LayerOutputCollector=LayerOutputCollector,
        logger=logger,
    )
    if collector is not None:
        if batches is None:
            raise ArgumentValueError(
                f"calib_data: expected data for calib_mode {calib_mode}, got None"
            )
        _run(graph, args, states, inputs, batches, collector, num_calib_examples, ctx, logger)
        qsym, qargs, states = calib_graph(
            qsym,
            args,
            states,
            collector,
            str(calib_mode),
            quantized_dtype=quantized_dtype,
            logger=logger,
        )
    if on_cpu:
        qsym = qsym.get_backend_symbol(_BACKEND)
    return _make_block(qsym, inputs, {**qargs, **states}, ctx)


def _describe_data(
    calib_data: Any, data_shapes: Sequence[DataDesc] | None
) -> tuple[DataIter | None, list[DataDesc]]:
    """Returns batches of calibration, if there are any, and what their arrays are."""
    batches = None
    if calib_data is not None:
        batches, found = as_data_iter(calib_data)
        data_shapes = data_shapes or found
    if not data_shapes:
        raise ArgumentValueError(
            "data_shapes: expected descriptions of the data, as there are no calib_data"
        )
    return batches, list(data_shapes)


def _export(
    network: HybridBlock, data_shapes: list[DataDesc], ctx: Context
) -> tuple[Symbol, list[str], Params, Params]:
    """Returns the graph of a network, the names of its inputs, its parameters and its states."""
    network.hybridize()
    if isinstance(network, SymbolBlock):  # which knows how many arrays are not labels
        del data_shapes[len(network._input_names) :]
    make = current_dialect().array_functions.zeros
    while True:
        try:
            where = _context_of(network, ctx)
            network(*(make(item.shape, ctx=where) for item in data_shapes))
            break
        except TypeError:  # what comes last is a label, which the network does not take
            if len(data_shapes) == 1:
                raise
            del data_shapes[-1]
    graph = network._mx_graph_to_export(network._mx_call_structure)
    # What follows is computed in the classic dialect, whatever that of the network is.
    graph = graph.as_nd_ndarray()
    values = {
        name: item.data().as_nd_ndarray() for name, item in parameters_by_name(network).items()
    }
    args = {name: values[name] for name in graph.list_arguments() if name in values}
    states = {name: values[name] for name in graph.list_auxiliary_states()}
    return graph, [name for name in graph.list_inputs() if name not in values], args, states


def _context_of(network: HybridBlock, ctx: Context) -> Context:
    for parameter in network.collect_params().values():
        return parameter.list_ctx()[0]
    return ctx


def _match(graph: Symbol, parts: Sequence[str]) -> list[str]:
    """Returns the names of nodes that have one of some parts."""
    names = [node.name for node in graph._graph.nodes]
    return [name for part in parts for name in names if part in name]


def _run(
    graph: Symbol,
    args: Params,
    states: Params,
    inputs: list[str],
    batches: DataIter,
    collector: Any,
    num_examples: int | None,
    ctx: Context,
    logger: Log,
) -> None:
    """Shows a collector what the layers of a graph compute on data of calibration."""
    described: list[DataDesc] = batches.provide_data[: len(inputs)]  # type: ignore[attr-defined]
    shapes = [
        DataDesc(name, item.shape, item.dtype) for name, item in zip(inputs, described, strict=True)
    ]
    mod = Module(symbol=graph, data_names=inputs, label_names=None, context=ctx)
    mod.bind(for_training=False, data_shapes=shapes)
    mod.set_params(args, states, allow_missing=False, force_init=True)
    data = DataAlone(batches, len(inputs))
    used = collect_layer_statistics(mod, data, collector, num_examples, logger)
    tell(logger, f"Collected outputs of layers from {used} examples")


def _make_block(graph: Symbol, inputs: list[str], values: Params, ctx: Context) -> SymbolBlock:
    """Returns a block of a graph with parameters that are known."""
    variables = [symbol.var(name, dtype="float32") for name in inputs]
    if is_np_array():
        graph, variables = graph.as_np_ndarray(), [item.as_np_ndarray() for item in variables]
    block = SymbolBlock(graph, variables)
    for name, parameter in parameters_by_name(block).items():
        value = values[name].as_np_ndarray() if is_np_array() else values[name]  # type: ignore[attr-defined]  # set by mx.np
        parameter._load_init(value, ctx, cast_dtype=True, dtype_source="saved")
    return block
