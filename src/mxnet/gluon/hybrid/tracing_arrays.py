"""Graphs of blocks whose `forward` is written on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._array_trace import ArrayTracer, UntraceableError, WatchTensors, traced_like
from mxnet._dialect import dialect_of_call
from mxnet._modes import modes
from mxnet.gluon.hybrid.tracing import Trace, leaves_of, replace_leaves, structure_of
from mxnet.graph.ir.node import Entry, Node
from mxnet.ndarray import NDArray


def by_arrays(block: Any, structure: Sequence[Any], args: Sequence[Any]) -> Trace:
    """Calls a block with arrays that note what is done to them."""
    del structure
    arrays = [item for item in leaves_of(args) if isinstance(item, NDArray)]
    names = ["data"] if len(arrays) == 1 else [f"data{i}" for i in range(len(arrays))]
    known = {
        id(array): parameter.var()._heads[0]
        for parameter in block.collect_params().values()
        for array in parameter._data or ()
    }
    tracer = ArrayTracer(known)
    traced = iter(
        traced_like(array, Entry(Node(None, name)))
        for name, array in zip(names, arrays, strict=True)
    )
    arguments = replace_leaves(
        args, lambda item: next(traced) if isinstance(item, NDArray) else item
    )
    before, modes.tracer = modes.tracer, tracer
    try:
        with WatchTensors():  # type: ignore[no-untyped-call]
            result = block._mx_run_hybrid_forward(*arguments)
    finally:
        modes.tracer = before
    outputs = list(leaves_of(result))
    if not outputs or not all(isinstance(item, NDArray) for item in outputs):
        raise UntraceableError(f"the output is {result!r}, not arrays")
    cls = dialect_of_call(outputs).symbol
    graph = cls([tracer.entry_of(item) for item in outputs])
    return Trace(graph, names, structure_of(result), tracer.held, of_shapes=True)
