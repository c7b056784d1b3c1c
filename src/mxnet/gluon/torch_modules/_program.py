"""The computation of a block as a function of tensors, in which blocks inside are modules.

A block is called with symbols. The blocks inside of it are not part of its graph: each call of one
becomes a call of its module, so that hooks run and a module can be replaced by another.
"""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from mxnet._arrays.autograd import tape
from mxnet._frontend.dialect import Dialect
from mxnet._state import Scope, modes
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.gluon.hybrid.tracing import Leaf, leaves_of, replace_leaves, structure_of
from mxnet.graph.infer import Axis, is_open, trace_lengths
from mxnet.graph.ir import Graph, Node
from mxnet.graph.lower import (
    Call,
    CallGraph,
    Setting,
    compile_graph,
    lower,
    map_calls,
    safe_word,
    without_gradient,
)
from mxnet.symbol import Symbol

Path = tuple[str, ...]
Shapes = Sequence[Sequence[int]]


class OpenLengthsError(MXNetError):
    """The shapes of the arguments must be known to make the program."""


class Program(NamedTuple):
    """What computes a call of a block."""

    run: Callable[..., Sequence[Tensor]]
    """Takes None, the tensors of the arguments, and then members of the module."""
    members: list[Path]
    """Paths of these: parameters, buffers and modules."""
    structure: Any
    """Nesting of the results, None for a single one."""
    depends_on_device: bool
    """Whether tensors are made on a device that was chosen for it."""
    calls: list[tuple[Path, Any]]
    """Modules that are called, with the structures of their arguments."""


class _ChildCall(NamedTuple):
    """A call of a block inside."""

    path: Path
    args: Any
    """Nested symbols."""
    outputs: list[Any]
    """A variable for each output."""
    is_single: bool


Known = dict[Any, Any]
"""Structures of results, by block, mode and arguments, so that each block is traced once."""


def make_program(
    block: Any,
    structure: Any,
    training: bool,
    device: torch.device,
    dialect: Dialect,
    known: Known,
    shapes: Shapes | None = None,
) -> Program:
    """Traces a block.

    Args:
        block: The block.
        structure: Nesting of the arguments.
        training: Whether it runs for training.
        device: Where tensors are made.
        dialect: Dialect of the symbols.
        known: What is known of blocks inside; more is added.
        shapes: Shapes of the arrays among the arguments, such as they may be, if they are known.

    Raises:
        MXNetError: if it cannot become a graph by symbols.
    """
    trace = _Trace(block, dialect, known)
    with Scope(None, training):
        arguments, result = trace.run(structure)
    outputs = list(leaves_of(result))
    if not outputs or not all(isinstance(item, Symbol) for item in outputs):
        raise UnsupportedTypeError(f"{block.name}: its output is {result!r}, not symbols")
    heads = [*outputs, *(leaf for call in trace.calls for leaf in _symbols_in(call.args))]
    graph = Graph([entry for item in heads for entry in item._heads])
    setting = Setting(training, True, device, None)
    names = [str(item.name) for item in arguments]
    sizes = _trace_lengths(graph, block, names, shapes)
    assembly = _Assembly(graph, setting, trace, names, sizes)
    return assembly.finish(len(outputs), structure_of(result))


def _symbols_in(args: Any) -> list[Symbol]:
    return [item for item in leaves_of(args) if isinstance(item, Symbol)]


class _Trace:
    """Calls a block with variables, and notes the calls of blocks inside."""

    def __init__(self, block: Any, dialect: Dialect, known: Known) -> None:
        self._block, self._make, self._known = block, dialect.symbol_functions, known
        self.calls: list[_ChildCall] = []
        self._paths = descendants(block)
        self._is_inside = False
        self.members = {
            parameter.name: path
            for owner, place in _owners(block, self._paths)
            for name, parameter in owner._reg_params.items()
            for path in [(*place, member_name(name))]
        }

    def run(self, structure: Any) -> tuple[list[Symbol], Any]:
        """Returns the variables of the arguments and the result."""
        variables: list[Symbol] = []

        def stand_in(leaf: Any) -> Any:
            if leaf is not Leaf.ARRAY:
                return leaf
            variables.append(self._make.var(f"_argument{len(variables)}"))
            return variables[-1]

        arguments = replace_leaves(structure, stand_in)
        blocks: dict[int, Any] = {}
        self._block.apply(lambda each: blocks.setdefault(id(each), each))
        blocks.pop(id(self._block), None)
        with redirected(blocks, self._take):
            result = self._block._mx_run_hybrid_forward(*arguments)
        return variables, replace_leaves(result, _list_outputs)

    def _take(self, block: Any, original: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Returns variables for the outputs of a block inside."""
        key = (id(block), modes.training, _spell(args))
        if self._is_inside or key not in self._known:
            before, self._is_inside = self._is_inside, True
            try:
                result = replace_leaves(original(*args), _list_outputs)
            finally:
                self._is_inside = before
            self._known[key] = structure_of(result)
            if self._is_inside:
                return result
        number = len(self.calls)
        outputs: list[Symbol] = []

        def stand_in(leaf: Any) -> Any:
            if leaf is not Leaf.ARRAY:
                return leaf
            outputs.append(self._make.var(f"_result{number}_{len(outputs)}"))
            return outputs[-1]

        replaced = replace_leaves(self._known[key], stand_in)
        is_single = self._known[key] is Leaf.ARRAY
        self.calls.append(_ChildCall(self._paths[id(block)], list(args), outputs, is_single))
        return replaced


def _spell(value: Any) -> Any:
    """Returns the structure of arguments as something that can be compared and looked up."""
    if isinstance(value, (list, tuple)):
        return tuple(_spell(item) for item in value)
    return Leaf.ARRAY if isinstance(value, Symbol) else (type(value), value)


def _owners(block: Any, paths: dict[int, Path]) -> list[tuple[Any, Path]]:
    owners: list[tuple[Any, Path]] = []
    block.apply(lambda each: owners.append((each, paths.get(id(each), ()))))
    return owners


def _list_outputs(item: Any) -> Any:
    return list(item) if isinstance(item, Symbol) and len(item) > 1 else item


class _Assembly:
    """Puts the calls of kernels and of modules in an order in which they can run."""

    def __init__(
        self,
        graph: Graph,
        setting: Setting,
        trace: _Trace,
        arguments: Sequence[str],
        sizes: Mapping[Node, Mapping[str, Any]],
    ) -> None:
        names = [node.name for node in (*graph.variables[0], *graph.variables[1])]
        lowered = lower(graph, names, setting, sizes).graph
        self._depends = any("device" in call.kwargs for call in lowered.nodes)
        self._graph, self._trace, self._arguments = CallGraph(), trace, arguments
        self._values: dict[Call, Any] = {}
        self._members: dict[Path, Call] = {}
        self._heads: list[Call] = []
        self._inputs: dict[str, Call] = {}
        self._pending: list[Call] = []
        self._read(lowered, names)

    def _read(self, lowered: CallGraph, names: Sequence[str]) -> None:
        """Makes the inputs: arguments first, then members of the module."""
        places = {name: place for place, name in enumerate(names)}
        inputs = [call for call in lowered.nodes if call.op == "placeholder"]
        by_name = {name: inputs[places[name]] for name in names}
        for position, name in enumerate(self._arguments):
            made = self._inputs[name] = self._graph.placeholder(f"input_{position}")
            if name in by_name:
                self._values[by_name[name]] = made
        results = {item.name for call in self._trace.calls for item in call.outputs}
        for name, call in by_name.items():
            if call in self._values or name in results:
                continue
            if name not in self._trace.members:
                raise MXNetError(f"variable {name!r} is neither an argument nor a parameter")
            self._values[call] = self._member(self._trace.members[name])
        for child in self._trace.calls:
            self._member(child.path)
        self._by_name = by_name
        for call in lowered.nodes:
            if call.op == "output":
                self._heads = list(call.args[0])
            elif call.op != "placeholder":
                self._pending.append(call)

    def _member(self, path: Path) -> Call:
        if path not in self._members:
            self._members[path] = self._graph.placeholder(f"member_{len(self._members)}")
        return self._members[path]

    def finish(self, count: int, structure: Any) -> Program:
        """Orders the calls and returns the program.

        Args:
            count: Number of results.
            structure: Their nesting.
        """
        heads = iter(_without_joins(self._heads)[count:])
        children = [
            (call, replace_leaves(call.args, lambda x: next(heads) if isinstance(x, Symbol) else x))
            for call in self._trace.calls
        ]
        while self._pending or children:
            before = len(self._pending) + len(children)
            self._pending = [call for call in self._pending if not self._add(call)]
            children = [pair for pair in children if not self._add_child(*pair)]
            if len(self._pending) + len(children) == before:
                raise MXNetError("the calls of a block depend on each other")
        outputs = [self._values[head] for head in _without_joins(self._heads)[:count]]
        self._graph.output(outputs)
        run = compile_graph(self._graph, nn.Module()).__func__  # type: ignore[attr-defined]
        run.__globals__["__builtins__"] = builtins  # which torch's compiler looks for
        return Program(
            run,
            list(self._members),
            None if structure is Leaf.ARRAY else structure,
            self._depends,
            [(call.path, structure_of(call.args)) for call in self._trace.calls],
        )

    def _is_ready(self, calls: Sequence[Call]) -> bool:
        return all(call in self._values for call in calls)

    def _add(self, call: Call) -> bool:
        """Adds a call of a kernel, if its inputs have been."""
        if not self._is_ready(call.all_input_nodes):
            return False
        if call.target is without_gradient:
            first = self._values[call.args[0]]
            self._values[call] = self._graph.call_function(_without_history, (first,))
        elif call.target is tape.join_without_effect:
            self._values[call] = self._values[call.args[0]]
        elif any(isinstance(item, Axis) for item in call.kwargs.get("shape") or ()):
            self._values[call] = self._add_sized(call)
        else:
            self._values[call] = self._graph.node_copy(call, self._values.__getitem__)
        return True

    def _add_sized(self, call: Call) -> Call:
        """Adds a constant some lengths of which are those of arguments."""
        lengths = [
            self._graph.call_function(_length_of, (self._inputs[item.name], item.axis))
            if isinstance(item, Axis)
            else item
            for item in call.kwargs["shape"]
        ]
        attrs = {**call.kwargs, "shape": lengths}
        return self._graph.call_function(_call_with_shape, (call.target,), attrs)

    def _add_child(self, call: _ChildCall, args: Any) -> bool:
        """Adds a call of a module, if its arguments have been computed."""
        if not self._is_ready([item for item in leaves_of(args) if isinstance(item, Call)]):
            return False
        given = map_calls(args, self._values.__getitem__)
        result = self._graph.call_function(_call_module, (self._members[call.path], *given))
        for number, variable in enumerate(call.outputs):
            output = result
            if not call.is_single:
                output = self._graph.call_function(_take_leaf, (result, number))
            place = self._by_name.get(variable.name)
            if place is not None:
                self._values[place] = output
        return True


def _without_joins(heads: Sequence[Call]) -> list[Call]:
    """Returns outputs without what gives unused variables a gradient of zero."""
    return [
        head.args[0]
        if head.op == "call_function" and head.target is tape.join_without_effect
        else head
        for head in heads
    ]


def _trace_lengths(
    graph: Graph, block: Any, names: Sequence[str], shapes: Shapes | None
) -> dict[Node, dict[str, Any]]:
    """Returns the attributes of constants whose lengths are those of arguments."""
    if not any(is_open(node) for node in graph.nodes):
        return {}
    if shapes is None:
        raise OpenLengthsError("the graph makes arrays whose shape depends on the data")
    inputs = dict(zip(names, shapes, strict=True))
    parameters = {item.name: item.shape for item in block.collect_params().values()}
    return trace_lengths(graph, inputs, parameters)


def _length_of(tensor: Tensor, axis: int) -> int:
    return tensor.shape[axis]


def _call_with_shape(kernel: Callable[..., Tensor], **attrs: Any) -> Tensor:
    return kernel(**{**attrs, "shape": tuple(attrs["shape"])})


def _call_module(module: nn.Module, *args: Any) -> Any:
    return module(*args)


def _take_leaf(result: Any, number: int) -> Any:
    return list(leaves_of(result))[number]


def _without_history(result: Tensor) -> Tensor:
    return result.detach() if result.is_floating_point() else result


Take = Callable[[Any, Callable[..., Any], tuple[Any, ...]], Any]
"""Computes the result of a call from a block, its own `forward` and the arguments."""

turn = threading.RLock()
"""Held while calls are redirected, which other threads would see."""


_SET = ("forward", "_mx_is_traced")


@contextmanager
def redirected(blocks: Mapping[int, Any], take: Take) -> Iterator[None]:
    """Passes the calls of some blocks to a function.

    Args:
        blocks: The blocks, by identity.
        take: The function.
    """
    with turn:
        before = [
            (block, {name: block.__dict__[name] for name in _SET if name in block.__dict__})
            for block in blocks.values()
        ]
        for block in blocks.values():
            block.__dict__["forward"] = _make_forward(block, take)
            block.__dict__["_mx_is_traced"] = False  # else `forward` is not what is called
        try:
            yield
        finally:
            for block, attributes in before:
                for name in _SET:
                    del block.__dict__[name]
                block.__dict__.update(attributes)


def _make_forward(block: Any, take: Take) -> Callable[..., Any]:
    original = block.forward

    def forward(*args: Any) -> Any:
        return take(block, original, args)

    return forward


def descendants(block: Any) -> dict[int, tuple[str, ...]]:
    """Returns the paths of the blocks inside of a block, by their identity."""
    paths: dict[int, tuple[str, ...]] = {}
    pending: list[tuple[Any, tuple[str, ...]]] = [(block, ())]
    while pending:
        parent, path = pending.pop(0)
        for name, child in parent._children.items():
            if id(child) not in paths:
                paths[id(child)] = (*path, member_name(name))
                pending.append((child, paths[id(child)]))
    return paths


_OWN = ("_block", "_device", "_dialect", "_open", "_programs", "_reason", "_structures")
_TAKEN = frozenset((*dir(nn.Module()), *_OWN))
"""What a member of a module of ours cannot be called."""


def member_name(name: str) -> str:
    """Returns what a child or a parameter is called in a module of torch."""
    return safe_word(name.replace(".", "_") or "_", _TAKEN)
