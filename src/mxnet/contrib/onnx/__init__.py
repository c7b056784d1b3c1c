"""Models in the ONNX format under the older name of the module: `mx.contrib.onnx`."""

from collections.abc import Sequence
from typing import Any

from mxnet._formats.onnx_package import load_onnx
from mxnet._start import make_module, tracebacks
from mxnet.context import Context
from mxnet.gluon import SymbolBlock
from mxnet.ndarray import NDArray
from mxnet.onnx import export_model as export_model
from mxnet.onnx import get_model_metadata as get_model_metadata
from mxnet.onnx import import_model as import_model
from mxnet.onnx import import_to_gluon as import_to_gluon
from mxnet.symbol import Symbol

export_model_ = export_model
get_model_metadata_ = get_model_metadata
import_model_ = import_model
import_to_gluon_ = import_to_gluon

__all__ = ["export_model", "get_model_metadata", "import_model", "import_to_gluon"]


class GraphProto:
    """Turns a graph of ONNX, the `graph` of a model, into one of ours."""

    def from_onnx(
        self, graph: Any, opset_version: int
    ) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
        """Returns a graph with its parameters and auxiliary states; see `mx.onnx.import_model`.

        Args:
            graph: An `onnx.GraphProto`.
            opset_version: Version of the operators that it is written with.
        """
        return import_model(_model_of(graph, opset_version))

    def get_graph_metadata(self, graph: Any) -> dict[str, list[tuple[str, tuple[int, ...]]]]:
        """Returns names and shapes of inputs and outputs; see `mx.onnx.get_model_metadata`.

        Args:
            graph: An `onnx.GraphProto`.
        """
        return get_model_metadata(_model_of(graph, None))

    def graph_to_gluon(
        self, graph: Any, ctx: Context | Sequence[Context] | None, opset_version: int
    ) -> SymbolBlock:
        """Returns a block with its parameters; see `mx.onnx.import_to_gluon`.

        Args:
            graph: An `onnx.GraphProto`.
            ctx: Context or contexts of the parameters.
            opset_version: Version of the operators that it is written with.
        """
        return import_to_gluon(_model_of(graph, opset_version), ctx)


def _model_of(graph: Any, opset_version: int | None) -> Any:
    """Returns a model with a graph, as those functions take it."""
    helper = load_onnx().helper
    opsets = None if opset_version is None else [helper.make_opsetid("", opset_version)]
    return helper.make_model(graph, opset_imports=opsets)


# Modules of the original, in which it reads models.
_READERS: dict[str, dict[str, Any]] = {
    "import_model": {"get_model_metadata": get_model_metadata, "import_model": import_model},
    "import_onnx": {"GraphProto": GraphProto},
    "import_to_gluon": {"import_to_gluon": import_to_gluon},
}
onnx2mx = make_module(
    f"{__name__}.onnx2mx",
    "Reading ONNX models.",
    {
        module: make_module(f"{__name__}.onnx2mx.{module}", "Reading ONNX models.", members)
        for module, members in _READERS.items()
    },
)
GraphProto.__module__ = onnx2mx.import_onnx.__name__  # where programs find it

tracebacks.public_functions(globals())
