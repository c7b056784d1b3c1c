"""Graphs of blocks, run on arrays with the parameters of the block.

In the first run parameters learn the shapes that they wait for. Hooks see what operators compute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from torch import Tensor, fx, nn

from mxnet._arrays.array import NO_ATTRS, note_origin
from mxnet._frontend.dialect import make_array
from mxnet._state import modes, rules
from mxnet.context import Context
from mxnet.gluon.parameters import Constant, Parameter, ParameterError, replacements
from mxnet.graph.ir import Graph, Node
from mxnet.graph.lower import Call, Interpreter, LoweredGraph, Member
from mxnet.graph.run import Options, Program
from mxnet.ndarray import NDArray
from mxnet.ndarray._program import BoundProgram
from mxnet.ops.core.registry import as_tuple, shapes_from_data, tells_input_shapes
from mxnet.symbol import Symbol


def may_run_first(graph: Graph, waiting: Mapping[str, Parameter]) -> bool:
    """Returns whether the operators of a graph say what shape each waiting parameter has.

    Args:
        graph: The graph.
        waiting: Parameters by the name of their variable.
    """
    open_names = set(waiting)
    for node in graph.nodes:
        if not node.inputs:
            continue
        read = {entry.node.name for entry in node.inputs if entry.node.op is None}
        told = open_names & read
        if told and not _tells_shapes(node, told):
            return False
        open_names -= told
    return not open_names


def _tells_shapes(node: Node, names: set[str]) -> bool:
    if node.op is None or node.op.variadic or node.inputs[0].node.name in names:
        return False
    return tells_input_shapes(node.op)


def run_first(
    module: LoweredGraph, values: Sequence[Any], read: Callable[[Parameter], Tensor]
) -> list[Tensor]:
    """Computes a graph of which some inputs are parameters without a value yet.

    Args:
        module: The graph, before any pass.
        values: Tensors, and parameters that wait for their shape.
        read: Returns the tensor of a parameter that has a value.
    """

    def resolve(call: Call, node: Node, known: dict[Call, Any]) -> None:
        inputs = call.all_input_nodes
        if any([isinstance(known[item], Parameter) for item in inputs]):
            shape = tuple(known[inputs[0]].shape)
            _resolve(call, node, known, shape, read)

    outputs: list[Tensor] = Interpreter(module, resolve=resolve).run(*values)
    return outputs


def _resolve(
    call: Call,
    node: Node,
    known: dict[Call, Any],
    shape: tuple[int, ...],
    read: Callable[[Parameter], Tensor],
) -> None:
    """Initializes the parameters that an operator is about to read beside data of a shape."""
    op: Any = node.op  # no variable has a call
    shapes = shapes_from_data(op, shape, node.settings)
    for item, argument in zip(op.inputs, call.args, strict=True):
        parameter = known[argument] if isinstance(argument, Call) else None
        if not isinstance(parameter, Parameter):
            continue
        if parameter._deferred_init:
            if item.name not in shapes:
                raise ParameterError(
                    f"node {node.name!r} does not tell the shape of {parameter.name!r}"
                )
            parameter.shape = tuple(shapes[item.name])
            parameter._finish_deferred_init()
        known[argument] = read(parameter)


Hook = Callable[..., Any]


class Watch:
    """Shows what the operators of a graph read and compute to a function of the user.

    Args:
        hook: Called with the name of a value and of its operator, both as bytes, and an array.
        show_inputs: Whether it is also called with what operators read.
        ctx: Context of the arrays.
    """

    def __init__(self, hook: Hook, show_inputs: bool, ctx: Context) -> None:
        self._hook, self._show_inputs, self._ctx = hook, show_inputs, ctx

    def run(self, module: LoweredGraph, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes a graph, before any pass, one operator at a time."""
        before = self._show_arguments if self._show_inputs else None
        run = Interpreter(module, before=before, after=self._show_results)
        outputs: list[Tensor] = run.run(*tensors)
        return outputs

    def _show_arguments(self, node: Node, args: tuple[Any, ...]) -> tuple[Any, ...]:
        values = [value for value in args if isinstance(value, Tensor)]
        for name, value in zip(node.shown_input_names, values, strict=False):
            self._show(node, name, value)
        return args

    def _show_results(self, node: Node, result: Any) -> None:
        named = node.op is not None and node.op.traits.labels.names_outputs
        for index, value in enumerate(as_tuple(result)[: node.num_outputs]):
            name = node.output_name(index).removeprefix(f"{node.name}_")
            self._show(node, name if named else str(index), value)

    def _show(self, node: Node, label: str, tensor: Tensor) -> None:
        operator = "" if node.op is None else node.op.name
        array = make_array(tensor.detach().clone(), self._ctx)
        names = f"{node.name}_{label}", operator
        self._hook(*(names if rules.version > 1 else map(str.encode, names)), array)


def share(parameter: Any, array: NDArray) -> Tensor:
    """Returns a parameter of torch on the memory of a value; a tensor for what has no gradient.

    Args:
        parameter: The parameter, or what holds an array beside the parameters.
        array: Its value.
    """
    array._own()
    array._aliased = True
    tensor = array._plain.detach()
    is_trained = isinstance(parameter, Parameter) and not isinstance(parameter, Constant)
    if is_trained and parameter._differentiable and tensor.is_floating_point():
        return nn.Parameter(tensor, requires_grad=parameter.grad_req != "null")
    return tensor


class HeldArray:
    """An array that a graph holds besides the parameters of its block."""

    _is_sharded = False

    def __init__(self, array: NDArray) -> None:
        self._data = [array]

    def _data_on(self, ctx: Context) -> NDArray:
        """Returns the array on a context."""
        return self._data[0].as_in_context(ctx)


class CompiledGraph:
    """A graph whose variables are the arguments of a call and the parameters of a block.

    Args:
        graph: The graph.
        input_names: Names of the variables that calls give.
        parameters: Parameters by the name of their variable.
        options: How it is run.
        cls: Class of the results, that of the first input's dialect if not given.
    """

    def __init__(
        self,
        graph: Symbol,
        input_names: Sequence[str],
        parameters: Mapping[str, Parameter | HeldArray],
        options: Options = Options(),  # noqa: B008 - it does not change
        cls: type[NDArray] | None = None,
    ) -> None:
        given = {*input_names}
        arguments, states = graph._graph.variables
        names = [node.name for node in (*arguments, *states) if node.name not in given]
        self._graph, self._names = graph._graph, names
        self._parameters = [parameters[name] for name in names]
        constants = [name for name in names if not parameters[name]._is_sharded]
        if len(constants) < len(names):  # which are gathered for each call
            options = options._replace(adapts=False)
        self._bound = BoundProgram(graph._graph, (*input_names, *names), constants, options, cls)
        self._places: dict[Context, _Place] = {}
        self._last: _Place | None = None

    def __call__(
        self, ctx: Context, arrays: Sequence[NDArray], hook: tuple[Hook, bool] | None = None
    ) -> list[NDArray]:
        """Computes the outputs.

        Args:
            ctx: Context to run on.
            arrays: Values of the inputs.
            hook: What is shown each result, and whether also each input, if anything is.

        Raises:
            DeferredInitializationError: if the shape of a parameter is not known yet.
            MXNetError: if an operator fails; it names the node.
        """
        values = [*arrays, *self._find_values(ctx)]
        if hook is None:
            return self._bound(ctx, values)
        tensors = self._bound.read(values)
        module = self._bound.program.lower(self._bound.choose_setting(ctx), tensors)
        results = Watch(*hook, ctx).run(module, tensors)
        return self._bound.wrap(results, tensors, ctx, self._bound.class_for(values))

    @property
    def program(self) -> Program:
        """What runs on tensors."""
        return self._bound.program

    def waiting(self) -> dict[str, Parameter]:
        """Returns the parameters that wait for their shape, by the name of their variable."""
        return {
            name: parameter
            for name, parameter in zip(self._names, self._parameters, strict=True)
            if isinstance(parameter, Parameter) and parameter._deferred_init
        }

    def may_run_first(self) -> bool:
        """Returns whether the operators say what shapes parameters have that wait for one."""
        return not self._bound.program.is_open and may_run_first(self._graph, self.waiting())

    def run_first(
        self, ctx: Context, arrays: Sequence[NDArray], parameters: Iterable[Parameter]
    ) -> list[NDArray]:
        """Computes the outputs and gives values to parameters that wait for their shape.

        Args:
            ctx: Context to run on.
            arrays: Values of the inputs.
            parameters: Those that wait.
        """
        states = {*self._graph.state_names}
        without_history = {
            id(p) for name, p in zip(self._names, self._parameters, strict=True) if name in states
        }

        def read(parameter: Parameter | HeldArray) -> Tensor:
            array = parameter._data_on(ctx)
            return array._plain if id(parameter) in without_history else array._read()

        waiting = {*map(id, parameters)}
        given = [array._read() for array in arrays]
        values = [p if id(p) in waiting else read(p) for p in self._parameters]
        module = self._bound.program.lower(self._bound.choose_setting(ctx), ())
        results = run_first(module, [*given, *values], read)
        tensors = [*given, *map(read, self._parameters)]
        outputs = self._bound.wrap(results, tensors, ctx, self._bound.class_for(arrays))
        if modes.recording:
            read_arrays = [*arrays, *(parameter._data_on(ctx) for parameter in self._parameters)]
            note_origin(outputs, self._bound, read_arrays, NO_ATTRS)
        return outputs

    def lower(
        self, ctx: Context, arrays: Sequence[NDArray], paths: Mapping[str, str] | None
    ) -> fx.GraphModule:
        """Returns the graph as a module of torch, for the current modes.

        Args:
            ctx: Context to run on.
            arrays: Values of the inputs.
            paths: Where in the module the parameters are, by the name of their variable; None if
                they are inputs.
        """
        values = self._find_values(ctx)
        tensors = self._bound.read([*arrays, *values])
        setting = self._bound.choose_setting(ctx)
        if paths is None:
            return self._bound.program.as_module(setting, tensors, {})
        members = {
            name: Member(paths.get(name, name), share(parameter, value))
            for name, parameter, value in zip(self._names, self._parameters, values, strict=True)
        }
        return self._bound.program.as_module(setting, tensors, members)

    def _find_values(self, ctx: Context) -> list[NDArray]:
        """Returns the arrays of the parameters on a context."""
        place = self._last
        if place is None or place.ctx is not ctx:
            place = self._places.get(ctx)
            if place is None:
                place = self._places[ctx] = _Place(ctx)
            self._last = place
        return place.find_values(self._parameters)


class _Place:
    """The arrays that parameters have on a context."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._known: tuple[int, list[NDArray]] = -1, []
        """Number of the last replacement, and the arrays as they were after it; set at once."""

    def find_values(self, parameters: Sequence[Parameter | HeldArray]) -> list[NDArray]:
        """Returns the arrays of parameters, which are asked again if any got other ones."""
        last, values = self._known
        count = replacements.count
        if count != last:
            values = [parameter._data_on(self.ctx) for parameter in parameters]
            if not any(parameter._is_sharded for parameter in parameters):
                self._known = count, values
        return values
