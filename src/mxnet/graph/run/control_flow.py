"""The operators `_foreach`, `_while_loop` and `_cond`: control flow as nodes of a graph.

The graph of a body is lowered on its own. A loop runs it step by step on tensors, so that torch
records the steps and differentiates through all of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Annotated, Any, TypeAlias, TypeVar

import torch
from torch import Tensor

from mxnet import limits
from mxnet.errors import ArgumentValueError, CheckFailedError, MXNetError
from mxnet.graph.ir import (
    Body,
    Control,
    Entry,
    Graph,
    Node,
    SubgraphOp,
    Wire,
    arrange,
    check_subgraphs,
)
from mxnet.graph.run.program import Program
from mxnet.ops.core.attrs import REQUIRED, Attr, Limit, Shape
from mxnet.ops.core.registry import Input, Kernel
from mxnet.ops.core.traits import Labels, Traits

Form: TypeAlias = "list[Form] | None"
"""How leaves are nested: None stands for a leaf."""

T = TypeVar("T")


def flatten(values: Any, leaf: type[T], where: str) -> tuple[list[T], Form]:
    """Returns the leaves of nested lists in order, and how they are nested.

    Raises:
        CheckFailedError: if something else is among them.
    """
    if isinstance(values, leaf):
        return [values], None
    if not isinstance(values, (list, tuple)):
        raise CheckFailedError(
            f"{where}: expected {leaf.__name__} or nested lists of it, got {values!r} of type "
            f"{type(values).__name__}"
        )
    leaves: list[T] = []
    forms: list[Form] = []
    for value in values:
        found, form = flatten(value, leaf, where)
        leaves += found
        forms.append(form)
    return leaves, forms


def regroup(leaves: Sequence[Any], form: Form) -> Any:
    """Nests leaves as a form says."""
    return _take(iter(leaves), form)


def _take(leaves: Iterator[Any], form: Form) -> Any:
    if form is None:
        return next(leaves)
    return [_take(leaves, part) for part in form]


def read_limit(max_iterations: Any) -> int:
    """Reads the largest number of steps of a loop.

    Raises:
        ArgumentValueError: if it is missing or is no number.
    """
    if max_iterations is None:
        raise ArgumentValueError("while_loop: max_iterations must be given")
    try:
        return int(max_iterations)
    except (TypeError, ValueError) as error:
        raise ArgumentValueError(
            f"while_loop: max_iterations takes an int, got {max_iterations!r}"
        ) from error


class _Loop(threading.local):
    """Steps of the outermost loop that runs in this thread, and of all loops inside of it."""

    depth = 0
    steps = 0


_loop = _Loop()


@contextmanager
def loop_scope() -> Iterator[bool]:
    """Marks the run of a loop; the value is whether it is inside of no other one."""
    if _loop.depth == 0:
        _loop.steps = 0
    _loop.depth += 1
    try:
        yield _loop.depth == 1
    finally:
        _loop.depth -= 1


def count_step(where: str) -> None:
    """Counts one step.

    Args:
        where: The loop, as it stands in a message.

    Raises:
        LimitExceededError: if the outermost loop and those inside of it have taken too many.
    """
    _loop.steps += 1
    limits.check("loop_iterations", _loop.steps, where)


_META = torch.device("meta")


def make_control_node(
    control: Control,
    node_name: str,
    attrs: Mapping[str, str],
    inputs: Sequence[Entry],
    subgraphs: Sequence[Graph],
) -> Node:
    """Makes a node of control flow and checks it.

    Args:
        control: The operator.
        node_name: Name of the node.
        attrs: Attributes as strings.
        inputs: What the node reads.
        subgraphs: What it runs.

    Raises:
        MXNetError: if they do not fit together.
    """
    op = make_op(control, subgraphs)
    node = Node(op, node_name, attrs, inputs)
    check_subgraphs(node, op)
    return node


def make_op(control: Control, subgraphs: Sequence[Graph]) -> SubgraphOp:
    """Makes an operator of control flow that runs given graphs.

    Raises:
        MXNetError: if their number is wrong.
    """
    if len(subgraphs) != control.num_subgraphs:
        raise MXNetError(
            f"{control.name}: expected {control.num_subgraphs} subgraphs, got {len(subgraphs)}"
        )
    return SubgraphOp(
        name=control.name,
        kernel=_bind(control, tuple(subgraphs)),
        inputs=(Input("data"),),
        attrs={
            key: Attr.declared(key, annotation, REQUIRED)
            for key, annotation in control.attrs.items()
        },
        doc="",
        variadic=True,
        supplied=("training", "generator", "device"),
        any_dtype=frozenset({"data"}),
        num_outputs=_count,
        subgraphs=tuple(subgraphs),
        control=control,
    )


def make_call_op(graph: Graph) -> SubgraphOp:
    """Makes the operator `_CachedOp` that runs a graph once, on arrays for all its variables.

    Raises:
        MXNetError: if two variables have one name.
    """
    names = graph.input_names
    if len(set(names)) != len(names):
        raise MXNetError(f"{CALL}: names in the subgraph are not unique: {names}")
    wires = [Wire(0, position, position) for position in range(len(names))]
    control = Control(
        name=CALL,
        compute=lambda body, values, _: body.run(0, values),
        attrs={},
        num_subgraphs=1,
        bodies=(0,),
        list_wires=lambda _: wires,
        is_call=True,
    )
    return SubgraphOp(
        name=CALL,
        kernel=_bind(control, (graph,)),
        inputs=tuple(map(Input, names)),
        attrs={"subgraph": Attr.declared("subgraph", str, REQUIRED)},
        doc="",
        open_attrs=True,
        supplied=("training", "generator", "device"),
        aux=tuple(graph.state_names),
        any_dtype=frozenset(names),
        num_outputs=len(graph.heads),
        traits=Traits(labels=Labels(outputs=tuple(graph.output_names))),
        subgraphs=(graph,),
        control=control,
    )


def _count(*, num_outputs: int, **_: Any) -> int:
    return num_outputs


def _bind(control: Control, subgraphs: tuple[Graph, ...]) -> Kernel:
    """Returns the kernel of an operator that runs given graphs, which are lowered when it runs."""

    @cache  # one value, dropped with the kernel
    def programs() -> list[Program]:
        return [Program(graph, graph.input_names) for graph in subgraphs]

    @lru_cache(maxsize=16)  # a function of the attributes, of which a node has one set
    def wires_of(attrs: tuple[tuple[str, Any], ...]) -> list[Wire]:
        return control.list_wires(dict(attrs))

    states = [_find_states(graph) for graph in subgraphs]
    where = f"{control.name} that runs {subgraphs[-1].heads[0].node.name!r}"

    def control_flow(
        *data: Tensor, training: bool, generator: Any, device: Any, **attrs: Any
    ) -> Tensor | tuple[Tensor, ...]:
        wires = wires_of(tuple(attrs.items()))

        def run(number: int, values: Sequence[Tensor]) -> list[Tensor]:
            unreal = any(value.is_meta for value in values)
            supplied = {
                "training": training,
                "generator": None if unreal else generator,
                "device": _META if unreal else device,
            }
            arguments: list[Tensor] = arrange(wires, number, values)
            for position in states[number]:
                arguments[position] = arguments[position].detach()
            return programs()[number](arguments, supplied)

        results = tuple(control.compute(Body(run, where), data, attrs))
        return results[0] if len(results) == 1 else results

    return control_flow


def _find_states(graph: Graph) -> list[int]:
    """Finds the arguments that the body updates, such as statistics; they have no gradient."""
    states = set(graph.variables[1])
    return [position for position, node in enumerate(graph.inputs) if node in states]


def _without_data(values: Sequence[Tensor]) -> list[Tensor]:
    return [torch.empty_like(value, device=_META) for value in values]


def _foreach(body: Body, values: Sequence[Tensor], attrs: Mapping[str, Any]) -> list[Tensor]:
    count, num_out = len(attrs["in_data_locs"]), attrs["num_out_data"]
    data, rest = values[:count], values[count:]
    lengths = {item.shape[0] for item in data}
    if len(lengths) > 1:
        raise MXNetError(f"_foreach: data must have one length, got {sorted(lengths)}")
    length = lengths.pop() if lengths else 0
    states = list(rest[: len(attrs["in_state_locs"])])
    rest = rest[len(states) :]
    if length == 0 or any(value.is_meta for value in values):
        results = body.run(0, _without_data([*_slices(data, None), *states, *rest]))
        device = values[0].device
        return [
            *(_zeros(length, item, device) for item in results[:num_out]),
            *(states if length == 0 else results[num_out:]),
        ]
    steps: list[list[Tensor]] = []
    with loop_scope() as outermost:
        for position in range(length):
            if not outermost:  # else there is a row of data for every step
                count_step(body.where)
            results = body.run(0, [*_slices(data, position), *states, *rest])
            steps.append(results[:num_out])
            states = results[num_out:]
    return [*(torch.stack(items) for items in zip(*steps, strict=True)), *states]


def _slices(data: Sequence[Tensor], position: int | None) -> list[Tensor]:
    """Returns one step of each array; a step of a vector has one element, not no axis.

    Without a position the result only has the right shapes.
    """
    if position is None:
        return [item.new_empty(item.shape[1:] or (1,), device=_META) for item in data]
    return [item[position] if item.dim() > 1 else item[position : position + 1] for item in data]


def _zeros(length: int, like: Tensor, device: torch.device) -> Tensor:
    return torch.zeros((length, *like.shape), dtype=like.dtype, device=device)


def _is_true(value: Tensor, where: str) -> bool:
    if value.numel() != 1:
        raise MXNetError(f"{where}: the condition must be one number, got {tuple(value.shape)}")
    return bool(value.item())


def _while_loop(body: Body, values: Sequence[Tensor], attrs: Mapping[str, Any]) -> list[Tensor]:
    num_out, limit = attrs["num_out_data"], attrs["max_iterations"]
    places = [attrs["func_input_locs"][position] for position in attrs["func_var_locs"]]
    current = list(values)
    steps: list[list[Tensor]] = []
    unreal = any(value.is_meta for value in values)
    with loop_scope():
        while (
            not unreal and len(steps) < limit and _is_true(body.run(0, current)[0], "_while_loop")
        ):
            count_step(body.where)
            results = body.run(1, current)
            if not steps:
                _check_memory(results[:num_out], limit, body.where)
            steps.append(results[:num_out])
            for place, value in zip(places, results[num_out:], strict=True):
                current[place] = value
    if steps:
        outputs = [_pad(torch.stack(items), limit) for items in zip(*steps, strict=True)]
    else:
        results = body.run(1, _without_data(current))
        if not unreal:
            _check_memory(results[:num_out], limit, body.where)
        outputs = [_zeros(limit, item, values[0].device) for item in results[:num_out]]
        if unreal:
            return [*outputs, *results[num_out:]]
    return [*outputs, *(current[place] for place in places)]


def _check_memory(outputs: Sequence[Tensor], limit: int, where: str) -> None:
    """Checks what the outputs of a loop take, which have a row for every step it may take."""
    for output in outputs:
        limits.check("array_bytes", limit * output.numel() * output.element_size(), where)


def _pad(steps: Tensor, limit: int) -> Tensor:
    """Appends zeros for the steps that were not taken."""
    if len(steps) == limit:
        return steps
    return torch.cat([steps, steps.new_zeros((limit - len(steps), *steps.shape[1:]))])


def _branch(body: Body, values: Sequence[Tensor], _: Mapping[str, Any]) -> list[Tensor]:
    if any(value.is_meta for value in values):
        return body.run(1, values)
    return body.run(1 if _is_true(body.run(0, values)[0], "_cond") else 2, values)


def _wires_of_rows(attrs: Mapping[str, Any]) -> list[Wire]:
    """Lists the arguments of the body of a loop over rows of data, in the order of the inputs."""
    data, states, rest = (attrs[key] for key in ("in_data_locs", "in_state_locs", "remain_locs"))
    return [
        Wire(0, argument, source, source < len(data))
        for source, argument in enumerate((*data, *states, *rest))
    ]


def _wires_by(*keys: str) -> Callable[[Mapping[str, Any]], list[Wire]]:
    """Builds the rule of an operator with an attribute for each graph, which lists its inputs."""

    def list_wires(attrs: Mapping[str, Any]) -> list[Wire]:
        return [
            Wire(number, argument, source)
            for number, key in enumerate(keys)
            for argument, source in enumerate(attrs[key])
        ]

    return list_wires


FOREACH = Control(
    name="_foreach",
    compute=_foreach,
    attrs={
        "num_outputs": int,
        "num_out_data": int,
        "in_state_locs": Shape,
        "in_data_locs": Shape,
        "remain_locs": Shape,
    },
    num_subgraphs=1,
    bodies=(0,),
    list_wires=_wires_of_rows,
    carried="in_state_locs",
)
WHILE_LOOP = Control(
    name="_while_loop",
    compute=_while_loop,
    attrs={
        "num_outputs": int,
        "num_out_data": int,
        "max_iterations": Annotated[int, Limit(1, 2**31 - 1)],
        "cond_input_locs": Shape,
        "func_input_locs": Shape,
        "func_var_locs": Shape,
    },
    num_subgraphs=2,
    bodies=(1,),
    list_wires=_wires_by("cond_input_locs", "func_input_locs"),
    carried="func_var_locs",
    limit="max_iterations",
)
COND = Control(
    name="_cond",
    compute=_branch,
    attrs={
        "num_outputs": int,
        "cond_input_locs": Shape,
        "then_input_locs": Shape,
        "else_input_locs": Shape,
    },
    num_subgraphs=3,
    bodies=(1, 2),
    list_wires=_wires_by("cond_input_locs", "then_input_locs", "else_input_locs"),
)

CALL = "_CachedOp"
"""Operator that runs a graph; see `make_call_op`."""
CONTROLS = {control.name: control for control in (FOREACH, WHILE_LOOP, COND)}
"""Operators of control flow by the names that files have."""
