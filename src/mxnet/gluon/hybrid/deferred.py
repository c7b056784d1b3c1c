"""The first call of a block, which tells the shapes that its parameters wait for.

Where no trace tells them, `hybrid_forward` runs with an `F` that infers shapes (`ShapeProbe`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Protocol

import torch

from mxnet._formats import element_types
from mxnet._frontend.dialect import make_array, make_array_like
from mxnet._state import changed_modes, modes
from mxnet.context import Context
from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.gluon.blocks.location import is_located, locate, move_location
from mxnet.gluon.hybrid.calls import list_shapes
from mxnet.gluon.hybrid.tracing import leaves_of, trace_if_possible
from mxnet.gluon.parameters import Parameter, ParameterDict, ParameterError, parameters_by_name
from mxnet.ndarray import NDArray
from mxnet.ops.core.attrs import merge_shapes, shape_is_known
from mxnet.ops.core.registry import Op, all_names, shapes_from_data, tells_input_shapes
from mxnet.symbol import Symbol


class _Namespace:
    """Looks like a module of functions, with every operator wrapped."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._module, name)
        if isinstance(member, ModuleType):
            return type(self)(member)
        if isinstance(member, type) or not callable(member):
            return member
        op = all_names().get(name) or all_names().get(_canonical(self._module, name))
        return self._wrap(op, name, member)

    def _wrap(self, op: Op | None, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        del op, name
        return function


def _canonical(module: Any, name: str) -> str:
    return f"_{module.__name__.rpartition('.')[2]}_{name}"


class ShapesFoundError(MXNetError):
    """Ends a probe that has found what it was made for; no mistake, and no user sees it."""


def _stop_if_found() -> None:
    """Ends the probe once the wanted shapes are known.

    The operator itself is left out then: torch takes a second to prepare for the first operator on
    arrays without data, and the call that follows runs it anyway.

    Raises:
        ShapesFoundError: if they are.
    """
    if modes.wanted and all(shape_is_known(p._shape) for p in modes.wanted):
        raise ShapesFoundError("all shapes are known")


class Unknown:
    """A parameter whose shape the operator that uses it will tell."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter

    def resolve(self, shape: Sequence[int], ctx: Context) -> NDArray:
        """Sets the shape of the parameter, and returns an array of it without data."""
        self.parameter.shape = tuple(shape)
        return _empty(tuple(shape), self.parameter, ctx)


def without_data(parameter: Parameter, ctx: Context) -> Any:
    """Returns an array without data like the parameter, or what stands for its unknown shape."""
    shape = parameter._shape
    if shape is None or not shape_is_known(shape):
        return Unknown(parameter)
    return _empty(shape, parameter, ctx)


def _empty(shape: tuple[int, ...], parameter: Parameter, ctx: Context) -> NDArray:
    dtype = element_types.to_torch(parameter.dtype)
    return make_array(torch.empty(shape, dtype=dtype, device="meta"), ctx)


def strip_data(value: Any) -> Any:
    """Replaces arrays, also in lists, by arrays of their shape that have no data."""
    if isinstance(value, NDArray):
        return make_array_like(value, value._plain.to("meta"))
    if isinstance(value, (list, tuple)):
        return type(value)(strip_data(item) for item in value)
    return value


class ShapeProbe(_Namespace):
    """Functions that fill in the shapes of parameters among their arguments."""

    def _wrap(self, op: Op | None, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if any(isinstance(item, Unknown) for item in (*args, *kwargs.values())):
                if op is None or op.variadic:
                    raise _cannot_infer(name, (*args, *kwargs.values()))
                resolved, kwargs = _resolve(op, list(args), dict(kwargs))
                _stop_if_found()
                return strip_data(function(*resolved, **kwargs))
            return strip_data(function(*args, **kwargs))

        return call


def _resolve(op: Op, args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    names = [item.name for item in op.inputs]
    by_name = dict(zip(names, args, strict=False)) | kwargs
    first = by_name.get(names[0])
    if not isinstance(first, NDArray) or not tells_input_shapes(op):
        raise _cannot_infer(op.name, (*args, *kwargs.values()))
    attrs = {key: value for key, value in kwargs.items() if key in op.attrs}
    filled = shapes_from_data(op, first.shape, op.with_defaults(op.parse_attrs(attrs)))

    def known(name: str, value: Any) -> Any:
        return value.resolve(filled[name], first._ctx) if isinstance(value, Unknown) else value

    count = len(names)
    resolved = [known(name, value) for name, value in zip(names, args, strict=False)]
    return (resolved + args[count:], {name: known(name, value) for name, value in kwargs.items()})


def _cannot_infer(name: str, arguments: Sequence[Any]) -> MXNetError:
    unknown = [item.parameter.name for item in arguments if isinstance(item, Unknown)]
    return ParameterError(
        f"operator {name} does not tell the shape of {', '.join(unknown)}; "
        "give the full shape of the parameter"
    )


Waiting = tuple[Parameter, tuple[int, ...] | None, tuple[Any, ...]]
"""A parameter with the shape and the arguments that it had before its initialization."""


class Initializable(Protocol):
    """What has parameters of its own and those of children."""

    _reg_params: dict[str, Parameter]

    @property
    def name(self) -> str:
        """Name of the block."""

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Returns all parameters."""

    def infer_shape(self, *args: Any) -> None:
        """Finds out the shapes of parameters from arrays."""


def initialize_deferred(block: Initializable, args: Sequence[Any]) -> list[Waiting]:
    """Finds out shapes from the first data and initializes what waited for them.

    Returns:
        What waited, so that a call that fails can let it wait again.
    """
    waiting = note_waiting(block.collect_params().values())
    for parameter in block._reg_params.values():
        if parameter._deferred_init:
            parameter.var()  # files have the shape that it was declared with
    with changed_modes(wanted=list(block._reg_params.values())):
        try:
            block.infer_shape(*args)
        except ShapesFoundError:
            pass
        except (MXNetError, TypeError, AttributeError) as error:
            if not _initialize_by_trace(block, args):
                raise refuse_shapes(block, error, args, waiting) from error
    for parameter in block._reg_params.values():
        parameter._finish_deferred_init()
    return waiting


def note_waiting(parameters: Iterable[Parameter]) -> list[Waiting]:
    """Notes how parameters are, so that a call that fails can let them wait again."""
    return [(parameter, parameter._shape, parameter._deferred_init) for parameter in parameters]


def _initialize_by_trace(block: Any, args: Sequence[Any]) -> bool:
    """Finds out by way of a graph what no operator tells by itself, such as `data + weight`."""
    with changed_modes(probing=False):
        traced = trace_if_possible(block, args)
    if traced is None:
        return False
    inputs = dict(zip(traced.input_names, leaves_of(args), strict=True))
    try:
        return initialize_by_graph(block, traced.graph, inputs)
    except MXNetError:  # the imperative call says it better
        return False


def initialize_by_graph(block: Initializable, graph: Symbol, inputs: Mapping[str, NDArray]) -> bool:
    """Finds out shapes from the graph of a block and initializes what waited for them.

    Args:
        block: The block.
        graph: What it computes.
        inputs: The first data by the names that the graph has for it.

    Returns:
        Whether that was possible; otherwise nothing has changed.

    Raises:
        MXNetError: if an operator refuses a shape.
    """
    known = set(graph.list_inputs())
    waiting = {
        name: p
        for name, p in parameters_by_name(block).items()
        if p._deferred_init and name in known
    }
    given = {name: array.shape for name, array in inputs.items() if name in known}
    try:
        arguments, _, states = graph.infer_shape_partial(**given)
    except TypeError:
        return False
    names = (*graph.list_arguments(), *graph.list_auxiliary_states())
    inferred = dict(zip(names, (*arguments, *states), strict=True))
    try:
        shapes = {
            name: merge_shapes(p._shape or None, graph._shape_rules.read(inferred.get(name)))
            for name, p in waiting.items()
        }
    except ShapeMismatchError:
        return False
    if not all(map(shape_is_known, shapes.values())):
        return False
    for name, parameter in waiting.items():
        parameter.shape = shapes[name]
        parameter._finish_deferred_init()
    return True


def refuse_first_data(error: MXNetError, waiting: Sequence[Waiting]) -> ParameterError:
    """Lets parameters wait again after a first call that failed, and returns the error to raise.

    Args:
        error: What an operator raised, which had learned shapes from data that do not fit.
        waiting: How the parameters were before.
    """
    _let_wait(waiting)
    refusal = ParameterError(str(error))
    if is_located(error):
        move_location(error, refusal)
    return refusal


def refuse_shapes(
    block: Initializable, error: Exception, args: Sequence[Any], waiting: Sequence[Waiting]
) -> ParameterError:
    """Lets parameters wait again whose shapes data do not tell, and returns the error to raise."""
    _let_wait(waiting)
    refusal = ParameterError(
        "the shapes of parameters cannot be inferred from inputs of shape "
        f"{list_shapes(args)}: {error}"
    )
    locate(refusal, block)
    return refusal


def _let_wait(waiting: Sequence[Waiting]) -> None:
    for parameter, shape, deferred in waiting:
        if deferred:
            parameter._wait_for_shape(shape, deferred)
