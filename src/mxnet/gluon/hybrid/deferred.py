"""The first call of a block, which tells the shapes that its parameters wait for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from mxnet._state import changed_modes
from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.gluon.blocks.location import is_located, locate, move_location
from mxnet.gluon.hybrid.calls import list_shapes
from mxnet.gluon.hybrid.probing import ShapesFoundError
from mxnet.gluon.hybrid.tracing import leaves_of, trace_if_possible
from mxnet.gluon.parameters import Parameter, ParameterDict, ParameterError
from mxnet.ndarray import NDArray
from mxnet.ops.core.shapes import merge_shapes, shape_is_known
from mxnet.symbol import Symbol

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
        name: p for name, p in block.collect_params().items() if p._deferred_init and name in known
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
