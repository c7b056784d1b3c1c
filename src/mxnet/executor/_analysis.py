"""What an executor knows of its graph before it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.unseen_writes import unseen_writes
from mxnet._formats import element_types
from mxnet._frontend.dialect import dialect_of, make_array_like
from mxnet.context import Context, intern, torch_device
from mxnet.errors import ArgumentValueError, MXNetError
from mxnet.graph.infer import check_types, infer_shapes, infer_storage, infer_types
from mxnet.graph.ir import Entry, Graph, Node, SubgraphOp, rewrite
from mxnet.ndarray import NDArray, sparse
from mxnet.ops.core.allocation import check_size, make_zeros, naming_shortage
from mxnet.ops.core.attrs import shape_is_known, show_shape
from mxnet.ops.core.custom import bound
from mxnet.ops.core.registry import get_op
from mxnet.ops.rules.storage_types import fills_zeros, on_stored_alone
from mxnet.symbol import Symbol

_COPY = get_op("_copy")
_SMALL = 1 << 16
"""Bytes below which there is nothing to gain."""
_ALIGNMENT = 64
"""Where memory begins that kernels read fastest, as torch has it."""


def make_lazy_zeros(
    where: str, shape: tuple[int, ...], dtype: torch.dtype, device: torch.device
) -> Tensor:
    """Allocates zeros; errors name `where`.

    Large ones on the CPU are on memory that the system clears when it is first used: parameters
    and gradients are overwritten as a whole, and some outputs never read.

    Args:
        where: What asks, for the message of an error.
        shape: Its shape.
        dtype: Type of its elements.
        device: Where it is.

    Raises:
        AllocationError: if there is not enough memory.
        LimitExceededError: if it is larger than `mx.limits` allows.
    """
    size = prod(shape) * dtype.itemsize
    if device.type != "cpu" or size < _SMALL:
        return make_zeros(where, shape, dtype, device)
    check_size(where, shape, dtype, device)
    with naming_shortage(where):
        raw = np.zeros(size + _ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT
    return torch.from_numpy(raw[start : start + size]).view(dtype).view(shape)


if TYPE_CHECKING:
    from mxnet.executor._executor import Executor

Arrays = tuple[list[NDArray], "list[NDArray | None] | None", list[NDArray]]


class Analysis:
    """Shapes and types of a bound graph, checked, and the places of what needs care.

    Args:
        symbol: The graph.
        arguments: Values of its arguments.
        states: Values of its auxiliary states.

    Raises:
        MXNetError: if an array does not fit; it names the node.
    """

    def __init__(
        self, symbol: Symbol, arguments: Sequence[NDArray], states: Sequence[NDArray]
    ) -> None:
        graph = symbol._graph
        self._symbol, self._heads, self._nodes = symbol, graph.heads, graph.nodes
        variables = graph.variables
        self.argument_names = [node.name for node in variables[0]]
        self.state_names = [node.name for node in variables[1]]
        names = (*self.argument_names, *self.state_names)
        if len(set(names)) != len(names):
            twice = Counter(names).most_common(1)[0][0]
            raise ArgumentValueError(f"bind: two variables are called {twice!r}")
        self._arrays = dict(zip(names, (*arguments, *states), strict=True))
        dtypes: dict[str, torch.dtype] = {}
        shapes: dict[str, Sequence[int]] = {}
        stypes: dict[str, str] = {}
        for name, array in self._arrays.items():
            stypes[name] = stype = array._storage
            if stype == "default":
                tensor = array._plain
                dtypes[name], shapes[name] = tensor.dtype, tuple(tensor.shape)
            else:
                dtypes[name], shapes[name] = element_types.to_torch(array.dtype), array.shape
        self._types = infer_types(self._nodes, dtypes)
        check_types(self._nodes, self._types)
        self._shapes = infer_shapes(self._nodes, shapes, self._types, symbol._shape_rules)
        self._storage = infer_storage(self._nodes, stypes)
        self.variable_heads = [
            names.index(head.node.name) if head.node.op is None else None for head in self._heads
        ]
        """For each output the place of the variable that it is, None for a computed one."""
        self.is_random, fixes = False, False
        for op in self._nodes.ops:
            self.is_random = self.is_random or "generator" in op.supplied
            fixes = fixes or bool(op.traits.variables.fixed)
        self.parameters = _find_parameters(self._nodes)
        """Names of the variables that keep their values for many calls."""
        self._fixed = [self._arrays[name] for name in _find_fixed(self._nodes)] if fixes else []
        self._ones = [torch.ones_like(array._plain) for array in self._fixed] if fixes else []
        self._scales: list[tuple[Tensor, int]] = []
        self._unseen = -1
        self._versions: list[int] = []

    def on_stored(self, graph: Graph) -> Graph:
        """Returns the graph with zeros where an operator leaves out what is not stored.

        Graphs compute with dense tensors, in which such an operator changes every element.
        """
        storage = self._storage

        def change(node: Node, inputs: list[Entry]) -> Node | None:
            stype = storage.get(Entry(node))
            if node.op is None or stype is None or not fills_zeros(node.op, node.parsed):
                return None
            return Node(on_stored_alone(node.op, stype), node.name, node.attrs, inputs)

        return rewrite(graph, change) if storage else graph

    def make_outputs(self, ctx: Context, groups: Mapping[str, Context]) -> list[NDArray]:
        """Makes the arrays of the outputs, filled with zeros."""
        is_classic = type(self._symbol) is Symbol
        outputs, cls = [], NDArray if is_classic else dialect_of(self._symbol).array
        for head, place in zip(self._heads, self.variable_heads, strict=True):
            if place is not None:
                outputs.append(self._arrays[head.node.name].detach())
                continue
            shape = self._shapes.get(head, (0,))  # none is known where it depends on data
            if not shape_is_known(shape):
                raise MXNetError(
                    f"bind: the shape of {head.node.output_name(head.output)!r} is not known, "
                    f"only {show_shape(shape)}"
                )
            where = intern(groups.get(head.node.attrs.get("__ctx_group__", ""), ctx))
            dtype = self._types.get(head, torch.float32)
            stype = self._storage.get(head, "default")
            label = f"bind: output {head.node.output_name(head.output)!r} of shape {shape}"
            outputs.append(_make_output(cls, shape, dtype, where, stype, label))
        return outputs

    def estimate_memory(self, differentiated: bool) -> int:
        """Returns about how many bytes values in the graph take at a time.

        Args:
            differentiated: Whether all of them are kept for `backward`, each with a gradient.
        """
        sizes = [
            prod(self._shapes.get(Entry(node, index), (0,)))
            * self._types.get(Entry(node, index), torch.float32).itemsize
            for node in self._nodes
            if node.op is not None
            for index in range(node.num_outputs)
        ]
        return 2 * sum(sizes) if differentiated else sum(sorted(sizes)[-2:])

    def fix_scales(self) -> None:
        """Sets the scales that a normalization fixes to 1, as users see them, to 1."""
        if not self._fixed:
            return
        tensors = [array._plain for array in self._fixed]
        writes = unseen_writes.count
        versions = self._versions
        if writes != self._unseen:
            versions = unseen_writes.versions(tensors)
        known = versions == self._versions and len(self._scales) == len(tensors)
        unchanged = known and all(
            new is old and new._version == version
            for new, (old, version) in zip(tensors, self._scales, strict=True)
        )
        self._unseen, self._versions = writes, versions
        if unchanged:
            return
        torch._foreach_copy_(tensors, self._ones)
        self._scales = [(tensor, tensor._version) for tensor in tensors]

    def find_needed_heads(self, wanted: Collection[str]) -> list[bool]:
        """Returns for each output whether gradients depend on what arrives there.

        Args:
            wanted: Names of the arguments whose gradients are asked for.
        """
        if not wanted:
            return [False] * len(self._heads)
        passes: dict[Node, bool] = {}
        for node in self._nodes:
            if node.op is None:
                passes[node] = node.name in wanted
            else:
                passes[node] = not _ignores_head(node) and any(
                    passes[entry.node] for entry in node.inputs
                )
        return [passes[head.node] for head in self._heads]

    def resize(
        self,
        executor: Executor,
        partial_shaping: bool,
        allow_up_sizing: bool,
        shapes: Mapping[str, Any],
    ) -> Arrays:
        """Returns the arrays of an executor in other shapes; see `Executor.reshape`."""
        known = executor.arg_dict.keys() | executor.aux_dict.keys()
        shapes = {
            name: shape
            for name, shape in shapes.items()
            if name in known and isinstance(shape, (tuple, list))
        }
        inferred = self._symbol.infer_shape_partial(**shapes)
        rules = self._symbol._shape_rules
        if not all(shape_is_known(rules.read(s)) for group in inferred for s in group):
            raise MXNetError("reshape: the given shapes do not tell all others")
        gradients = executor.grad_arrays or [None] * len(executor.arg_arrays)
        arguments, changed = [], []
        for name, old, gradient, shape in zip(
            executor.arg_dict, executor.arg_arrays, gradients, inferred[0], strict=True
        ):
            if old.shape != shape and name not in shapes and not partial_shaping:
                raise MXNetError(
                    f"reshape: {name!r} would change from {old.shape} to {shape}, "
                    "and no longer be shared; partial_shaping=True permits that"
                )
            arguments.append(_resized(name, old, shape, allow_up_sizing))
            changed.append(
                None if gradient is None else _resized(name, gradient, shape, allow_up_sizing)
            )
        states = [
            _resized(name, old, shape, allow_up_sizing)
            for (name, old), shape in zip(executor.aux_dict.items(), inferred[2], strict=True)
        ]
        return arguments, changed, states


def _make_output(
    cls: type[NDArray],
    shape: tuple[int, ...],
    dtype: torch.dtype,
    ctx: Context,
    stype: str,
    where: str,
) -> NDArray:
    if stype != "default":
        return sparse.zeros(stype, shape, ctx, element_types.name_of(dtype))
    return cls._wrap(make_lazy_zeros(where, shape, dtype, torch_device(ctx)), ctx)


def with_instances(graph: Graph) -> Graph:
    """Returns a graph in which each operator written in Python is made once, not in every run."""
    if not [op for op in graph.nodes.ops if op.traits.runs_program]:
        return graph

    def instantiate(node: Node, inputs: list[Entry]) -> Node | None:
        if node.op is None or node.custom is None:
            return None
        made = Node(bound(node.op, node.custom), node.name, node.attrs, inputs)
        made.custom = node.custom
        return made

    return rewrite(graph, instantiate)


def merge_repeated(graph: Graph) -> Graph:
    """Returns a graph without operators that compute what another one does.

    Outputs that were computed by several become copies of one, each of the one before it.
    """
    first: dict[Hashable, Node] = {}

    def merge(node: Node, inputs: list[Entry]) -> Node | None:
        if not inputs or not _repeats_itself(node):
            return None
        key = (node.op, tuple(inputs), frozenset(node.attrs.items()))
        return first.setdefault(key, Node(node.op, node.name, node.attrs, inputs))

    merged = rewrite(graph, merge)
    if len(merged.nodes) == len(graph.nodes):
        return graph
    copies: dict[Entry, Entry] = {}
    """Of each output its last copy."""
    heads = []
    for head in merged.heads:
        last = copies.get(head)
        made = head if last is None else Entry(Node(_COPY, f"{last.node.name}_0_copy", {}, [last]))
        copies[head] = made
        heads.append(made)
    return Graph(heads)


def _repeats_itself(node: Node) -> bool:
    """Returns whether equal inputs give equal outputs each time."""
    op = node.op
    if op is None or isinstance(op, SubgraphOp) or op.traits.runs_program or op.aux:
        return False
    return "generator" not in op.supplied


def first_part(array: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Returns an array of another shape on the first part of the memory of a larger one."""
    return array.reshape((-1,))[: prod(shape)].reshape(shape)


def _resized(name: str, array: NDArray, shape: tuple[int, ...], may_grow: bool) -> NDArray:
    """Returns an array of another shape on the first part of the memory, if there is enough."""
    if array.shape == shape:
        return array
    if prod(shape) <= array.size:
        return first_part(array, shape)
    if not may_grow:
        raise MXNetError(
            f"reshape: {name!r} would grow from {array.shape} to {shape}, which needs new memory; "
            "allow_up_sizing=True permits that"
        )
    where = f"reshape: {name!r} of shape {shape}"
    tensor = make_zeros(where, shape, array._plain.dtype, array._plain.device)
    return make_array_like(array, tensor)


def _ignores_head(node: Node) -> bool:
    """Returns whether the gradient of a node's inputs does not depend on that of its output."""
    op = node.op
    if op is None:
        return False
    if node.custom is not None:
        return not node.custom.needs_head
    return op.ignores_head(node.settings)


def _find_fixed(nodes: Sequence[Node]) -> dict[str, None]:
    """Finds the variables that are scales fixed to 1, once each."""
    return dict.fromkeys(
        entry.node.name
        for node in nodes
        if node.op is not None and node.op.traits.variables.fixed
        for position, entry in enumerate(node.inputs)
        if entry.node.op is None and node.ignores(position)
    )


def _find_parameters(nodes: Sequence[Node]) -> set[str]:
    """Finds the variables that operators read as weights or as states, and as nothing else."""
    as_parameters: set[str] = set()
    otherwise: set[str] = set()
    for node in nodes:
        op, names = node.op, None
        for position, entry in enumerate(node.inputs):
            if op is None or entry.node.op is not None:
                continue
            if names is None:
                names = node.input_names
            is_parameter = names[position] in op.traits.variables.parameters
            (as_parameters if is_parameter else otherwise).add(entry.node.name)
    return as_parameters - otherwise
