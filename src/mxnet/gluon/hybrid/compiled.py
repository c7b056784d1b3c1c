"""Graphs of blocks, run on arrays with the parameters of the block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_not
from typing import Any

from torch import Tensor, fx

from mxnet import _rng
from mxnet._modes import modes
from mxnet.context import Context, torch_device
from mxnet.gluon._parameter import Parameter
from mxnet.gluon.hybrid.first_run import may_run_first, run_first
from mxnet.gluon.hybrid.op_hooks import Hook, Watch
from mxnet.graph.lower import Setting
from mxnet.graph.run import Options, Program
from mxnet.graph.unreached import Reach
from mxnet.ndarray import NDArray
from mxnet.ndarray._cached_op import as_arrays
from mxnet.symbol import Symbol


class Captured:
    """An array that a graph holds besides the parameters of its block."""

    def __init__(self, array: NDArray) -> None:
        self._data = [array]

    def data(self, ctx: Context) -> NDArray:
        """Returns the array on a context."""
        return self._data[0].as_in_context(ctx)


class CompiledGraph:
    """A graph whose variables are the arguments of a call and the parameters of a block.

    Args:
        graph: The graph.
        input_names: Names of the variables that calls give.
        parameters: Parameters by the name of their variable.
        options: How it is run.
    """

    def __init__(
        self,
        graph: Symbol,
        input_names: Sequence[str],
        parameters: Mapping[str, Parameter | Captured],
        options: Options = Options(),  # noqa: B008 - it does not change
    ) -> None:
        arguments, states = graph._graph.variables
        given = {*input_names}
        names = [node.name for node in (*arguments, *states) if node.name not in given]
        self._graph, self._names = graph._graph, names
        self._parameters = [parameters[name] for name in names]
        state_names = {node.name for node in states}
        self._is_state = [name in state_names for name in names]
        self._program = Program(graph._graph, (*input_names, *names), names, options)
        self._reach = Reach(graph._graph, (*input_names, *names))
        self._static = options.static
        self._places: dict[Context, _Place] = {}
        self._last: _Place | None = None

    def __call__(
        self,
        ctx: Context,
        arrays: Sequence[NDArray],
        hook: tuple[Hook, bool] | None = None,
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
        place = self._last
        if place is None or place.ctx is not ctx:
            place = self._find_place(ctx)
        tensors = self._read(place, arrays)
        setting = Setting(modes.training, modes.recording, place.device, place.generator)
        if hook is None:
            results = self._program.run(tensors, setting)
        else:
            results = Watch(*hook, ctx).run(self._program.lower(setting, tensors), tensors)
        return self._as_arrays(results, tensors, ctx)

    def waiting(self) -> dict[str, Parameter]:
        """Returns the parameters that wait for their shape, by the name of their variable."""
        return {
            name: parameter
            for name, parameter in zip(self._names, self._parameters, strict=True)
            if isinstance(parameter, Parameter) and parameter._deferred_init
        }

    def may_run_first(self) -> bool:
        """Returns whether the operators say what shapes parameters have that wait for one."""
        return not self._program.is_open and may_run_first(self._graph, self.waiting())

    def run_first(self, ctx: Context, arrays: Sequence[NDArray]) -> list[NDArray]:
        """Computes the outputs and gives values to parameters that wait for their shape."""
        place = self._find_place(ctx)
        setting = Setting(modes.training, modes.recording, place.device, place.generator)
        states = {id(p) for p, state in zip(self._parameters, self._is_state, strict=True) if state}

        def read(parameter: Parameter | Captured) -> Tensor:
            array = parameter.data(ctx)
            plain = not modes.recording or id(parameter) in states
            return array._plain if plain else array._recorded()

        waiting = {id(parameter) for parameter in self.waiting().values()}
        given = [array._read() if modes.recording else array._plain for array in arrays]
        values = [p if id(p) in waiting else read(p) for p in self._parameters]
        results = run_first(self._program.lower(setting, ()), [*given, *values], read)
        return self._as_arrays(results, [*given, *map(read, self._parameters)], ctx)

    def lower(self, ctx: Context, arrays: Sequence[NDArray]) -> fx.GraphModule:
        """Returns the graph as a module of torch, for the current modes."""
        place = self._find_place(ctx)
        setting = Setting(modes.training, modes.recording, place.device, place.generator)
        return self._program.as_module(setting, self._read(place, arrays))

    def _as_arrays(
        self, results: Sequence[Tensor], tensors: Sequence[Tensor], ctx: Context
    ) -> list[NDArray]:
        # A recorded CUDA graph is one node by itself.
        is_node = self._static and len(results) > 0 and results[0].is_cuda
        return as_arrays(results, tensors, ctx, None if is_node else self._reach)

    def _find_place(self, ctx: Context) -> _Place:
        place = self._places.get(ctx)
        if place is None:
            place = self._places[ctx] = _Place(ctx)
        self._last = place
        return place

    def _read(self, place: _Place, arrays: Sequence[NDArray]) -> list[Tensor]:
        values = place.find_values(self._parameters)
        if not modes.recording:
            return [array._plain for array in (*arrays, *values)]
        tensors = [array._read() for array in arrays]
        tensors += [
            array._plain if is_state else array._recorded()
            for array, is_state in zip(values, self._is_state, strict=True)
        ]
        return tensors


class _Place:
    """A context, with the parameters on it."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.device = torch_device(ctx)
        self.generator = _rng.generator_for(ctx.device_type, ctx.device_id)
        self._known: tuple[list[Any], list[NDArray]] = [], []
        """Lists of arrays that parameters had, and those on this context; set at once."""

    def find_values(self, parameters: Sequence[Parameter | Captured]) -> list[NDArray]:
        """Returns the arrays of parameters; asking each of them takes a tenth of a step."""
        lists = [parameter._data for parameter in parameters]
        seen, values = self._known
        if len(lists) != len(seen) or any(map(is_not, lists, seen)):
            values = [parameter.data(self.ctx) for parameter in parameters]
            self._known = lists, values
        return values
