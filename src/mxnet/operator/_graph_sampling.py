"""Parts of graphs as nodes of symbols: what `mx.sym.contrib.dgl_*` runs on arrays.

A graph is a csr array here, too, so that these are operators in Python, which get such arrays.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy

from mxnet.ndarray import NDArray, contrib
from mxnet.operator._custom_op import CustomOp, CustomOpProp, register

_Kinds = list[str]
CSR, DENSE = "csr", "default"


class _Computation(CustomOp):
    """Calls a function of `mx.nd.contrib`."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        super().__init__()
        self._name, self._options = name, options

    def forward(
        self,
        is_train: bool,  # noqa: ARG002 - the signature is that of the base
        req: Sequence[str],
        in_data: Sequence[NDArray],
        out_data: list[NDArray],
        aux: Sequence[NDArray],  # noqa: ARG002
    ) -> None:
        """Computes the parts."""
        results = getattr(contrib, self._name)(*in_data, **self._options)
        results = results if isinstance(results, list) else [results]
        for target, request, result in zip(out_data, req, results, strict=True):
            self.assign(target, request, result)


class _GraphProp(CustomOpProp):
    """What is known of a function on graphs; derived classes say how many results it has.

    Args:
        num_inputs: Number of inputs, written out.
        **options: Arguments of the function, written out.
    """

    name: ClassVar[str]

    def __init__(self, num_inputs: str = "1", **options: str) -> None:
        super().__init__(need_top_grad=False)
        self._num_inputs = int(num_inputs)
        self._options = {name: literal_eval(value) for name, value in options.items()}

    def list_arguments(self) -> list[str]:
        """Returns the names of the inputs."""
        return [f"arg{number}" for number in range(self._num_inputs)]

    def list_outputs(self) -> list[str]:
        """Returns the names of the results."""
        kinds = self._kinds()
        if len(kinds) == 1:
            return ["output"]
        return [f"output{number}" for number in range(len(kinds))]

    def _kinds(self) -> _Kinds:
        """Returns how each result is stored."""
        raise NotImplementedError

    def infer_storage_type(self, in_stype: list[str]) -> Any:
        """Returns storage types of inputs, results and states."""
        return in_stype, self._kinds(), []

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> CustomOp:
        """Returns the computation."""
        del ctx, in_shapes, in_dtypes
        return _Computation(self.name, self._options)

    @property
    def _num_parts(self) -> int:
        return 2 if self._options.get("return_mapping") else 1


@register("dgl_adjacency")
class _Adjacency(_GraphProp):
    name = "dgl_adjacency"

    def _kinds(self) -> _Kinds:
        return [CSR]

    def infer_type(self, in_type: list[Any]) -> Any:
        """Returns float32 for the ones."""
        return in_type, [numpy.float32], []


@register("dgl_subgraph")
class _Subgraph(_GraphProp):
    name = "dgl_subgraph"

    def _kinds(self) -> _Kinds:
        return [CSR] * ((self._num_inputs - 1) * self._num_parts)

    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Returns a square for each set of vertices."""
        squares = [(shape[0], shape[0]) for shape in in_shape[1:]]
        return in_shape, squares * self._num_parts, []


@register("dgl_graph_compact")
class _Compact(_GraphProp):
    name = "dgl_graph_compact"

    def _kinds(self) -> _Kinds:
        return [CSR] * (self._num_inputs // 2 * self._num_parts)

    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Returns a square for each graph."""
        sizes = self._options["graph_sizes"]
        squares = [(size, size) for size in (sizes if isinstance(sizes, tuple) else (sizes,))]
        return in_shape, squares * self._num_parts, []


@register("dgl_csr_neighbor_uniform_sample")
class _UniformSample(_GraphProp):
    name = "dgl_csr_neighbor_uniform_sample"
    _before_seeds = 1
    _after_edges: ClassVar[_Kinds] = [DENSE]

    def _kinds(self) -> _Kinds:
        count = self._num_inputs - self._before_seeds
        return [kind for kind in (DENSE, CSR, *self._after_edges) for _ in range(count)]

    def infer_shape(self, in_shape: list[Any]) -> Any:
        """Returns as many rows as there may be vertices."""
        size, count = self._options["max_num_vertices"], self._num_inputs - self._before_seeds
        rest = [(size,)] * len(self._after_edges)
        shapes = [(size + 1,), (size, in_shape[0][1]), *rest]
        return in_shape, [shape for shape in shapes for _ in range(count)], []


@register("dgl_csr_neighbor_non_uniform_sample")
class _NonUniformSample(_UniformSample):
    name = "dgl_csr_neighbor_non_uniform_sample"
    _before_seeds = 2
    _after_edges: ClassVar[_Kinds] = [DENSE, DENSE]

    def infer_type(self, in_type: list[Any]) -> Any:
        """Returns the type of the weights for those of the vertices."""
        count = self._num_inputs - self._before_seeds
        kinds = (in_type[0], in_type[0], in_type[1], in_type[0])
        return in_type, [kind for kind in kinds for _ in range(count)], []
