"""Functions on tensors as models of OpenVINO."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import openvino
import torch
from openvino.frontend import FrontEndManager
from openvino.frontend.pytorch.fx_decoder import TorchFXPythonDecoder
from openvino.frontend.pytorch.torchdynamo.export_decompositions import ops_to_not_decompose
from openvino.preprocess import PrePostProcessor
from torch import Tensor, fx
from torch._subclasses.functional_tensor import dispatch_functionalize
from torch.export.decomp_utils import CustomDecompTable
from torch.fx.experimental.proxy_tensor import make_fx

from mxnet._state import Lock
from mxnet.graph.openvino.recurrent import KeepSequences, list_extensions

ELEMENT_TYPES: dict[torch.dtype, tuple[torch.dtype, openvino.Type]] = {
    torch.float32: (torch.float32, openvino.Type.f32),
    torch.float16: (torch.float16, openvino.Type.f16),
    torch.bfloat16: (torch.int16, openvino.Type.bf16),  # NumPy has no such dtype
    torch.uint8: (torch.uint8, openvino.Type.u8),
    torch.int8: (torch.int8, openvino.Type.i8),
    torch.int32: (torch.int32, openvino.Type.i32),
    torch.int64: (torch.int64, openvino.Type.i64),
    torch.bool: (torch.bool, openvino.Type.boolean),
}
"""By dtype: the one under which NumPy sees the memory, and OpenVINO's. Double precision is not
among them, as OpenVINO computes it in single precision."""


def share(tensor: Tensor) -> openvino.Tensor:
    """Returns OpenVINO's tensor on the memory of a contiguous one."""
    seen_as, element_type = ELEMENT_TYPES[tensor.dtype]
    if seen_as is not tensor.dtype:
        tensor = tensor.view(seen_as)
    return openvino.Tensor(tensor.numpy(), list(tensor.shape), element_type)


_tracing = Lock()
"""Is held by the thread that traces, because torch changes its modules meanwhile."""


class Source(NamedTuple):
    """Where an output of a function comes from."""

    is_input: bool
    """Whether it is an input, unchanged: OpenVINO would lay the two on the same memory."""
    position: int
    """Number of the input, or of the output of the model."""


class Conversion(NamedTuple):
    """A model with what is to be made of its outputs."""

    model: openvino.Model
    sources: tuple[Source, ...]
    """By output of the function."""


def convert(function: Callable[..., list[Tensor]], tensors: Sequence[Tensor]) -> Conversion:
    """Returns the model of a function, for the shapes and dtypes of some inputs.

    Args:
        function: Computes outputs; what it does must depend on shapes and dtypes alone.
        tensors: Inputs; their elements are not looked at.

    Raises:
        Exception: of many kinds, if torch cannot trace the function or OpenVINO has no equivalent.
    """
    traced = _trace(function, tensors)
    last = next(iter(reversed(traced.graph.nodes)))
    results: Any = last.args[0]
    distinct = [*dict.fromkeys(results)]  # the frontend takes no output twice
    last.args = (distinct,)
    dtypes = [node.meta["val"].dtype for node in distinct]
    for dtype in (*(tensor.dtype for tensor in tensors), *dtypes):
        if dtype not in ELEMENT_TYPES:
            raise TypeError(f"OpenVINO does not compute {dtype}")
    model = _convert_trace(traced, tensors)
    found = dict(zip(distinct, _take_inputs_out(model), strict=True))
    sources = tuple(found[node] for node in results)
    wanted = [dtypes[i] for i, node in enumerate(distinct) if not found[node].is_input]
    return Conversion(_with_dtypes(model, wanted), sources)


def _convert_trace(traced: fx.GraphModule, tensors: Sequence[Tensor]) -> openvino.Model:
    frontend = FrontEndManager().load_by_framework("pytorch")
    for extension in list_extensions():
        frontend.add_extension(extension)
    decoder = TorchFXPythonDecoder(traced)  # which the frontend does not keep alive
    model = frontend.convert(frontend.load(decoder))
    for parameter, tensor in zip(model.get_parameters(), tensors, strict=True):
        parameter.set_element_type(ELEMENT_TYPES[tensor.dtype][1])
        parameter.set_partial_shape(openvino.PartialShape(list(tensor.shape)))
    model.validate_nodes_and_infer_types()
    if any(output.get_partial_shape().is_dynamic for output in model.outputs):
        raise RuntimeError("the shape of a result depends on the elements of arrays")
    return model


def _take_inputs_out(model: openvino.Model) -> list[Source]:
    """Removes the outputs that are inputs, and returns where each output comes from."""
    names = [parameter.get_name() for parameter in model.get_parameters()]
    sources: list[Source] = []
    kept = 0
    for result in model.get_results():
        name = result.input_value(0).get_node().get_name()
        if name in names:
            sources.append(Source(True, names.index(name)))
            model.remove_result(result)
        else:
            sources.append(Source(False, kept))
            kept += 1
    return sources


def _with_dtypes(model: openvino.Model, dtypes: Sequence[torch.dtype]) -> openvino.Model:
    """Returns a model with outputs of the dtypes that torch gives them."""
    wanted = [ELEMENT_TYPES[dtype][1] for dtype in dtypes]
    if wanted == [output.element_type for output in model.outputs]:
        return model
    processing = PrePostProcessor(model)
    for position, element_type in enumerate(wanted):
        processing.output(position).tensor().set_element_type(element_type)
    return processing.build()


def _trace(function: Callable[..., list[Tensor]], tensors: Sequence[Tensor]) -> fx.GraphModule:
    """Returns the function as calls of torch's basic operators, none of which writes in place."""
    plain = dispatch_functionalize(function)
    tracer: Any = make_fx(plain, decomposition_table=_decompositions(), tracing_mode="fake")
    with _tracing, torch.no_grad(), KeepSequences():
        traced: fx.GraphModule = tracer(*tensors)
    traced.graph.eliminate_dead_code()
    for node in traced.graph.nodes:
        if node.op == "call_function":
            _check_call(node)
            if node.target is torch.ops.aten.index.Tensor:
                _count_from_start(traced.graph, node)
    return traced


def _count_from_start(graph: fx.Graph, node: fx.Node) -> None:
    """Makes indices positive: OpenVINO has no negative ones where an array has several."""
    data: Any = node.args[0]
    indices: Any = node.args[1]
    positive: list[fx.Node | None] = []
    for length, index in zip(data.meta["val"].shape, indices, strict=False):
        positive.append(index)
        if index is not None and index.meta["val"].dtype is not torch.bool:
            with graph.inserting_before(node):
                modulo = graph.call_function(torch.ops.aten.remainder.Scalar, (index, length))
            modulo.meta["val"] = index.meta["val"]
            positive[-1] = modulo
    node.args = (data, positive)


def _check_call(node: fx.Node) -> None:
    """Refuses what OpenVINO would compute otherwise than torch does.

    Raises:
        RuntimeError: if it would; says why.
    """
    if torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
        raise RuntimeError(f"it draws random numbers by {node.target}")
    dtype = getattr(node.meta.get("val"), "dtype", None)
    if dtype in (torch.int8, torch.uint8):
        raise RuntimeError(f"OpenVINO saturates {dtype}")


@cache
def _decompositions() -> dict[Any, Callable[..., Any]]:
    """Returns torch's decompositions of operators that OpenVINO does not know by themselves."""
    table: Any = CustomDecompTable()  # type: ignore[no-untyped-call]
    for overload in ops_to_not_decompose():
        table.pop(overload, None)
    decompositions: dict[Any, Callable[..., Any]] = table.materialize()
    return decompositions
