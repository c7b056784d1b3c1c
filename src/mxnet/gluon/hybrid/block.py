"""`HybridBlock`: a block that can become a graph."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from inspect import unwrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from torch import fx

from mxnet import symbol
from mxnet._frontend.dialect import ARRAY_DIALECTS, dialect_of_call, dialect_of_layer, symbol_in
from mxnet._start import expand, overridable, passes_arguments, public_methods
from mxnet._state import Lock, as_in_mxnet2, changed_modes, modes, rules
from mxnet.context import Context, current_context
from mxnet.errors import ArgumentValueError, MXNetError, UndefinedMethodError
from mxnet.gluon.blocks.block import Block, Hook
from mxnet.gluon.blocks.files import SavedGraph
from mxnet.gluon.blocks.location import describe
from mxnet.gluon.hybrid.calls import check_unmixed, context_of_call, name_block_in
from mxnet.gluon.hybrid.deferred import (
    ShapeProbe,
    Waiting,
    initialize_deferred,
    refuse_first_data,
    strip_data,
    without_data,
)
from mxnet.gluon.hybrid.forward import HybridForward, by_symbols, captures_by_itself, make_options
from mxnet.gluon.hybrid.internals import Internals
from mxnet.gluon.hybrid.tracing import (
    Attributes,
    Trace,
    by_arrays,
    export,
    holds_symbol,
    leaves_of,
    structure_of,
    trace,
)
from mxnet.gluon.parameters import (
    Constant,
    DeferredInitializationError,
    Parameter,
    ParameterDict,
    parameters_by_name,
)
from mxnet.graph.run import Options
from mxnet.ndarray import NDArray

if TYPE_CHECKING:
    from mxnet.gluon.blocks.results import A, Forward, HybridArrayBlock, HybridResult, R

_TRACES = (by_symbols, by_arrays)
"""Ways to make a graph of a block, in the order in which they are tried."""

_NO_VALUES: Mapping[str, NDArray] = MappingProxyType({})
"""Those of the parameters of a block without any."""

_USUAL_PARAMETERS = frozenset({Parameter, Constant})
"""Classes of parameters whose `data` returns nothing but their arrays; others may compute it."""


def _remedy_for(child: object) -> str:
    """Returns what to do with what is no hybrid block."""
    if isinstance(child, (list, tuple)):
        return "give its blocks one by one, as in add(*blocks)"
    if callable(child) and not isinstance(child, (Block, type)):
        return "nn.HybridLambda makes a block of a function"
    return "instead of Sequential use HybridSequential"


@public_methods(
    "to_fx", "optimize_for", "infer_type", "infer_shape", "hybridize", "export", "register_child"
)
class HybridBlock(Internals, Block):
    """A block whose computation is written for arrays and graphs alike.

    Subclasses define `hybrid_forward(F, x, ...)`, where `F` has the operators, and parameters that
    are attributes arrive as arguments of the same name.

    Args:
        prefix: Prefix of the names of parameters, by default the class name and a number.
        params: Parameters to share with another block.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import nn
        >>> class Scale(nn.HybridBlock):
        ...     def __init__(self, **kwargs):
        ...         super().__init__(**kwargs)
        ...         self.factor = self.params.get("factor", shape=(1,), init="ones")
        ...
        ...     def hybrid_forward(self, F, x, factor):
        ...         return F.broadcast_mul(x, factor)
        >>> net = Scale()
        >>> net.initialize()
        >>> print(net(mx.nd.array([1, 2])).asnumpy())
        [1. 2.]
    """

    _mx_may_have_graph = True
    _mx_may_wait = False
    """Whether a parameter that `forward` reads itself may wait for its shape."""
    _active: bool
    _mx_hybrid: HybridForward | None
    _mx_op_hook: tuple[Hook, bool] | None
    _mx_call_structure: Any
    _mx_lock: Lock
    """Is held in a first call, which initializes and traces. A block takes it before those of the
    blocks that it calls, and never waits for a block that calls it."""

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self.__dict__.update(
            _active=False,
            _mx_hybrid=None,
            _mx_op_hook=None,
            _mx_call_structure=None,
            _mx_lock=Lock(),
        )

    def register_child(self, block: Block, name: str | None = None) -> None:
        """Makes a hybrid block a child of this one."""
        if not isinstance(block, HybridBlock):
            raise ArgumentValueError(
                f"{type(self).__name__}: a hybrid block takes hybrid children only, "
                f"got {type(block).__name__} {block!s}; {_remedy_for(block)}"
            )
        super().register_child(block, name)
        self._clear_cached_op()

    def _clear_cached_op(self) -> None:
        """Forgets the graphs, which describe the block as it was."""
        self._mx_call_structure = None
        if self._mx_hybrid is not None:
            self._mx_hybrid.clear()

    @property
    def _cached_graph(self) -> tuple[Any, ...]:
        """Input variables and output symbol of a hybridized block that was called, else empty."""
        current = self._mx_current_graph()
        if current is None:
            return ()
        return [symbol.var(name) for name in current[1].input_names], current[1].graph

    def cast(self, dtype: Any) -> None:
        """Converts all parameters to another element type.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> net.cast("float16")
            >>> net(mx.nd.ones((1, 3), dtype="float16")).dtype.__name__
            'float16'
        """
        self._clear_cached_op()
        super().cast(dtype)

    def register_op_hook(self, callback: Hook, monitor_all: bool = False) -> None:
        """Calls `callback(result name, operator name, array)` for operators of the block's graph.

        The block must be hybridized. The names are bytes, and texts under `set_version(2)`.

        Args:
            callback: The function.
            monitor_all: Whether to show inputs of operators as well as results.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3, activation="relu", prefix="fc_")
            >>> net.initialize()
            >>> net.hybridize()
            >>> net.register_op_hook(lambda name, operator, array: print(operator, array.shape))
            >>> _ = net(mx.nd.ones((1, 3)))
            b'FullyConnected' (1, 2)
            b'Activation' (1, 2)
        """
        self._mx_op_hook = (callback, monitor_all)
        super().register_op_hook(callback, monitor_all)

    @as_in_mxnet2(
        {},
        ("backend", "clear", "strict", "channels_last"),
        active=True,
        partition_if_dynamic=True,
        static_alloc=False,
        static_shape=False,
        inline_limit=2,
        forward_bulk_size=None,
        backward_bulk_size=None,
    )
    def hybridize(
        self,
        active: bool = True,
        backend: str | None = None,
        clear: bool = True,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        strict: bool = False,
        channels_last: bool | None = None,
        partition_if_dynamic: bool = True,
        **kwargs: Any,
    ) -> None:
        """Asks for the compiled form of the block; results are those of the imperative one.

        The block becomes a graph in the next call. On a GPU forward and backward pass are captured
        after a few calls of one shape and replayed by one launch each; the gradients of parameters
        then live in the memory of the capture until the next backward pass overwrites them. With
        `static_alloc` and `static_shape` they are captured at once, for each shape. What cannot be
        captured goes on without, and says so once; `plan_report` tells what was chosen.

        Args:
            active: Whether to use it.
            backend: Compiler of the graph, as `torch.compile` knows it: `"inductor"`; or
                `"openvino"`, an extra that computes predictions on a CPU. None, or `"auto"`, needs
                no compiler.
            clear: Whether earlier graphs are dropped.
            static_alloc: Whether memory is allocated once.
            static_shape: Whether shapes stay the same.
            inline_limit: Number of operators up to which `autograd.get_symbol` shows them, not a
                node for the whole graph; with `static_alloc` it always shows that node.
            forward_bulk_size: Accepted for compatibility.
            backward_bulk_size: Accepted for compatibility.
            strict: Whether a call raises, instead of warning, if the block cannot become a graph,
                or if what runs the graph is given up or compiled again.
            channels_last: Whether convolutions run with the channels last in memory, which no array
                shows. None decides by the device: on a GPU by the variable `MXNET_GPU_LAYOUT`, on a
                CPU for each convolution that is trained.
            partition_if_dynamic: Accepted for compatibility with MXNet 2.
            **kwargs: Options of the backend: arguments of `torch.compile`, or, for OpenVINO,
                `precision` (`"float32"`, `"bfloat16"`, `"float16"`), `num_threads` and
                `properties`, a dict of what OpenVINO calls so.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> x = mx.nd.ones((1, 3))
            >>> before = net(x)
            >>> net.hybridize()
            >>> bool((abs(net(x) - before) < 1e-6).min())  # the same, from a graph
            True
        """
        del partition_if_dynamic
        static = static_alloc and static_shape
        common = Options(
            static=static,
            adapts=not static and captures_by_itself(backend),
            strict=strict,
            channels_last=channels_last,
            inline_limit=-1 if static_alloc else inline_limit,
        )
        options = make_options(backend, kwargs, common)
        self._active = active
        if clear or not active:
            self._mx_call_structure = None
        if not active:
            self._mx_hybrid = None
        elif clear or self._mx_hybrid is None or self._mx_hybrid.options != options:
            traces = _TRACES if self._mx_has_hybrid_forward() else (by_arrays,)
            self._mx_hybrid = HybridForward(self, options, traces)
        has_forward = not self._mx_has_hybrid_forward()
        self._mx_is_traced = (active or self._mx_may_wait) and has_forward
        super().hybridize(
            active,
            backend=backend,
            clear=clear,
            static_alloc=static_alloc,
            static_shape=static_shape,
            inline_limit=inline_limit,
            forward_bulk_size=forward_bulk_size,
            backward_bulk_size=backward_bulk_size,
            strict=strict,
            channels_last=channels_last,
            **kwargs,
        )

    def _mx_has_hybrid_forward(self) -> bool:
        """Returns whether the computation is in `hybrid_forward`, not in a `forward` on arrays."""
        cls = type(self)
        return (
            unwrap(cls.forward) is HybridBlock.forward
            or unwrap(cls.hybrid_forward) is not HybridBlock.hybrid_forward
        )

    def _mx_computes_in_forward(self) -> bool:
        return not self._mx_has_hybrid_forward()

    def _mx_runs_on_symbols(self) -> bool:
        """Returns whether no block inside has a `forward` on arrays."""
        parts = [item for item in self._children.values() if isinstance(item, HybridBlock)]
        return self._mx_has_hybrid_forward() and all(item._mx_runs_on_symbols() for item in parts)

    def _mx_run_hybrid_forward(self, *args: Any) -> Any:
        """Runs what graphs are made of; a `forward` around `hybrid_forward` is not part of it."""
        return (
            HybridBlock.forward(self, *args)
            if self._mx_has_hybrid_forward()
            else self.forward(*args)
        )

    def _mx_replace_parameter(self, attribute: str, parameter: Parameter) -> None:
        super()._mx_replace_parameter(attribute, parameter)
        if parameter._allow_deferred_init and self._mx_computes_in_forward():
            self._mx_may_wait = self._mx_is_traced = True
        self._clear_cached_op()

    def _mx_end_waiting(self, args: tuple[Any, ...]) -> None:
        """Lets the `infer_shape` of a block with a `forward` give its parameters their shapes."""
        with self._mx_lock:
            waiting = [item for item in self._reg_params.values() if item._deferred_init]
            if waiting and unwrap(type(self).infer_shape) is not HybridBlock.infer_shape:
                self.infer_shape(*args)
                for parameter in waiting:
                    parameter._finish_deferred_init()
            if all(item._arrays is not None for item in self._reg_params.values()):
                self._mx_may_wait, self._mx_is_traced = False, self._active

    def _mx_call_traced(self, args: tuple[Any, ...]) -> Any:
        if self._mx_may_wait:
            self._mx_end_waiting(args)
        if self._mx_hybrid is None:
            return self.forward(*args)
        if self._mx_call_structure is None:
            self._mx_call_structure = structure_of(args)
        if modes.imperative or self._mx_remembers():
            return self.forward(*args)
        return self._mx_hybrid(args, self.forward)

    def _mx_remembers(self) -> bool:
        """Returns whether a call reads what an earlier one left, so that it alone is no graph."""
        return False

    def _mx_current_graph(self) -> tuple[Any, Trace] | None:
        if self._mx_hybrid is None or self._mx_call_structure is None:
            return None
        traced = self._mx_hybrid.graph_of(self._mx_call_structure)
        return None if traced is None else (self._mx_call_structure, traced)

    def _mx_adopt_graph(self, structure: Any, tracer: SavedGraph) -> None:
        self._active = True
        self._mx_is_traced = not self._mx_has_hybrid_forward()
        self._mx_hybrid = HybridForward(self, Options(), (tracer, *_TRACES))
        self._mx_call_structure = structure

    def optimize_for(
        self,
        x: Any,
        *args: Any,
        backend: str | None = None,
        clear: bool = False,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        strict: bool = False,
        channels_last: bool | None = None,
        partition_if_dynamic: bool = True,
        **kwargs: Any,
    ) -> None:
        """Hybridizes the block for a backend and runs it once, so that later calls are ready.

        Args:
            x: First argument of the call.
            *args: Its other arguments.
            backend: Compiler of the graph; see `hybridize`.
            clear: Whether earlier graphs are dropped.
            static_alloc: Whether memory is allocated once.
            static_shape: Whether shapes stay the same.
            inline_limit: Number of operators up to which `autograd.get_symbol` shows them, not a
                node for the whole graph; with `static_alloc` it always shows that node.
            forward_bulk_size: Accepted for compatibility.
            backward_bulk_size: Accepted for compatibility.
            strict: Whether a call raises, instead of warning, if the block cannot become a graph,
                or if what runs the graph is given up or compiled again.
            channels_last: Whether convolutions run with the channels last in memory, which no array
                shows. None decides by the device: on a GPU by the variable `MXNET_GPU_LAYOUT`, on a
                CPU for each convolution that is trained.
            partition_if_dynamic: Accepted for compatibility with MXNet 2.
            **kwargs: Options of the backend.

        Raises:
            ArgumentValueError: if no backend is named, or there is none of that name.
        """
        if backend is None:
            raise ArgumentValueError(
                'optimize_for: backend must be named, such as "inductor", got None'
            )
        self.hybridize(
            True,
            backend=backend,
            clear=clear,
            static_alloc=static_alloc,
            static_shape=static_shape,
            inline_limit=inline_limit,
            forward_bulk_size=forward_bulk_size,
            backward_bulk_size=backward_bulk_size,
            strict=strict,
            channels_last=channels_last,
            partition_if_dynamic=partition_if_dynamic,
            **kwargs,
        )
        waits = any(item._deferred_init for item in self.collect_params().values())
        for _ in range(1 + waits):  # a call that finds shapes out goes operator by operator
            self(x, *args)

    def to_fx(self, *args: Any, hold_parameters: bool = True) -> fx.GraphModule:
        """Returns the graph of a call as a module of torch.

        It holds the parameters, on the memory of the block's and with the names of files of
        `save_parameters`, takes the arguments as tensors and returns a list of the outputs. It is
        for the current modes of recording and training; `to_torch` makes a module for all.

        Args:
            *args: Arrays, as a call has them.
            hold_parameters: False makes the parameters inputs, by name, after the arguments.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> module = net.to_fx(mx.nd.ones((1, 3)))
            >>> type(module).__name__
            'LoweredGraph'
        """
        traced = HybridForward(self, Options(), _TRACES)
        if any(item._deferred_init for item in self.collect_params().values()):
            self(*args)
        return traced.lower(args, hold_parameters)

    @overridable
    def infer_shape(self, *args: Any) -> None:
        """Finds out the shapes of parameters from arrays (their data is not looked at).

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2)
            >>> net.infer_shape(mx.nd.ones((4, 5)))
            >>> net.weight.shape
            (2, 5)
        """
        before = Attributes(self)
        try:
            with changed_modes(probing=True, imperative=True):
                self._mx_run_hybrid_forward(*(strip_data(item) for item in args))
        finally:
            before.restore_counters()

    @overridable
    def infer_type(self, *args: Any) -> None:
        """Finds out the element types of parameters from those of arrays.

        Example:
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3, dtype="float16")
            >>> net.infer_type(mx.nd.ones((1, 3), dtype="float16"))
            >>> net.bias.dtype
            <class 'numpy.float16'>
        """
        traced = trace(self, structure_of(args), dialect_of_call(args))
        given = zip(traced.input_names, leaves_of(args), strict=True)
        graph = traced.graph
        types, _, states = graph.infer_type(**{name: array.dtype for name, array in given})
        names = (*graph.list_arguments(), *graph.list_auxiliary_states())
        dtypes = dict(zip(names, (*types, *states), strict=True))
        for name, parameter in parameters_by_name(self).items():
            parameter.dtype = dtypes.get(name, parameter.dtype)

    if TYPE_CHECKING:  # `hybrid_forward` says what a call returns

        @overload
        def __call__(self: HybridArrayBlock, x: A, /, *args: Any, **kwargs: Any) -> A: ...
        @overload
        def __call__(self: HybridResult[R], *args: Any, **kwargs: Any) -> R: ...
        @overload
        def __call__(self: Forward[R], *args: Any, **kwargs: Any) -> R: ...
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            """Computes the output; see `Block`."""

    @passes_arguments
    @expand
    @overridable
    def forward(self, x: Any, *args: Any) -> Any:
        """Runs `hybrid_forward` on arrays, with the parameters on the context of `x`.

        On symbols it gives the graph of the same computation.
        """
        cls, values = type(x), None
        if self._mx_hybrid is None and cls in ARRAY_DIALECTS and cls._is_np is modes.np_array:
            # A method takes as long as the rest; containers have neither parameters nor others.
            bare = not (args or self._reg_params or modes.probing) and modes.tracer is None
            values = _NO_VALUES if bare else self._mx_read_values(x, args)
        if values is None:
            return self._mx_forward_otherwise(x, *args)
        functions = ARRAY_DIALECTS[cls].array_functions
        current = current_context()
        try:
            if current is x._ctx:
                return self.hybrid_forward(functions, x, *args, **values)
            with x._ctx:
                return self.hybrid_forward(functions, x, *args, **values)
        except MXNetError as error:
            name_block_in(error, self, (x, *args), self._reg_params.values())
            raise

    def _mx_read_values(self, x: Any, args: tuple[Any, ...]) -> Mapping[str, NDArray] | None:
        """Returns the values of parameters for the call of most layers, None for other calls.

        All arrays are of one context and of the thread's dialect, which that of `x` is. To find
        that out takes no method of another object, which would cost more than all the rest.
        """
        cls, ctx = type(x), x._ctx
        if modes.tracer is not None or modes.probing:
            return None
        for item in args:
            if type(item) is not cls:
                return None
        values = {}
        for name, parameter in self._reg_params.items():
            arrays = parameter._arrays
            if arrays is None or type(parameter) not in _USUAL_PARAMETERS:
                return None
            for value in arrays:
                if value._ctx is ctx and type(value) is cls:
                    values[name] = value
                    break
            else:
                return None
        return values

    @passes_arguments
    def _mx_forward_otherwise(self, x: Any, *args: Any) -> Any:
        """Runs a call that is not plain: on symbols, by a graph or with waiting parameters."""
        plain = not args and type(x) in ARRAY_DIALECTS
        is_symbol = not args and isinstance(x, symbol.Symbol)
        if is_symbol or (not plain and holds_symbol((x, *args))):
            if not is_symbol:
                check_unmixed(self, (x, *args))
            with self.name_scope():
                dialect = dialect_of_layer((x, *args))
                variables = {
                    name: symbol_in(dialect, item.var()) for name, item in self._reg_params.items()
                }
                return self.hybrid_forward(dialect.symbol_functions, x, *args, **variables)
        if self._mx_hybrid is not None and not modes.imperative:
            if self._mx_call_structure is None:
                return self._mx_call_first(x, *args)
            if not self._mx_remembers():
                return self._mx_hybrid((x, *args), self._mx_run_on_arrays)
        return self._mx_run_on_arrays(x, *args)

    def _mx_call_first(self, *args: Any) -> Any:
        """Notes how the arguments are nested, which later calls keep to."""
        with self._mx_lock:
            if self._mx_call_structure is None:
                self.__dict__["_mx_call_structure"] = structure_of(args)
                try:
                    return HybridBlock.forward(self, *args)
                except Exception:
                    self._mx_call_structure = None
                    raise
        return HybridBlock.forward(self, *args)  # the first call was another thread's

    @passes_arguments
    def _mx_run_on_arrays(self, x: Any, *args: Any) -> Any:
        """Runs `hybrid_forward` with the functions on arrays as `F`."""
        plain = not args and type(x) in ARRAY_DIALECTS
        ctx = x._ctx if plain else context_of_call(self, (x, *args))
        if modes.probing:
            params = {name: without_data(p, ctx) for name, p in self._reg_params.items()}
            probe = ShapeProbe(dialect_of_layer((x, *args)).array_functions)
            return self.hybrid_forward(probe, x, *args, **params)
        try:
            params = {name: item._data_on(ctx) for name, item in self._reg_params.items()}
        except DeferredInitializationError:
            return self._mx_run_waiting(ctx, x, *args)
        return self._mx_run_with(params, ctx, (x, *args))

    def _mx_run_waiting(self, ctx: Context, *args: Any) -> Any:
        """Runs `hybrid_forward` after the parameters have got their shapes and values."""
        with self._mx_lock:
            waiting: list[Waiting] = []
            if any(item._deferred_init for item in self._reg_params.values()):
                waiting = initialize_deferred(self, args)
            params = {name: item._data_on(ctx) for name, item in self._reg_params.items()}
            return self._mx_run_with(params, ctx, args, waiting)

    @passes_arguments
    def _mx_run_with(
        self,
        params: dict[str, NDArray],
        ctx: Context,
        args: tuple[Any, ...],
        waiting: Sequence[Waiting] = (),
    ) -> Any:
        """Runs `hybrid_forward` on values of parameters, of which some may be fresh."""
        try:
            dialect = ARRAY_DIALECTS[type(args[0])]
        except KeyError:
            dialect = dialect_of_layer(args)
        if dialect.array._is_np is not modes.np_array:
            dialect = dialect_of_layer(args)
        functions = dialect.array_functions
        try:
            if current_context() is ctx:
                return self.hybrid_forward(functions, *args, **params)
            with ctx:
                return self.hybrid_forward(functions, *args, **params)
        except MXNetError as error:
            name_block_in(error, self, args, self._reg_params.values())
            if waiting:
                raise refuse_first_data(error, waiting) from error
            raise

    def export(
        self, path: str | os.PathLike[str], epoch: int = 0, remove_amp_cast: bool = True
    ) -> tuple[str, str] | None:
        """Writes graph and parameters to `path-symbol.json` and `path-EPOCH.params`.

        The block must have been hybridized and called; `SymbolBlock.imports` reads the files.

        Args:
            path: What the names of the files start with.
            epoch: Number of the epoch, four digits in the name.
            remove_amp_cast: Whether to leave out casts that automatic mixed precision put in.

        Returns:
            None; under `set_version(2)` the paths of the two files.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> net = mx.gluon.nn.Dense(2, in_units=3)
            >>> net.initialize()
            >>> net.hybridize()
            >>> y = net(mx.nd.ones((1, 3)))
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     _ = net.export(os.path.join(folder, "net"), epoch=1)
            ...     print(sorted(os.listdir(folder)))
            ['net-0001.params', 'net-symbol.json']
        """
        paths = export(self, self._mx_call_structure, path, epoch, remove_amp_cast)
        return None if rules.version == 1 else paths

    def _mx_graph_to_export(self, structure: Sequence[Any]) -> symbol.Symbol:
        """Returns the graph of a call with arguments of a structure."""
        graph = None if self._mx_hybrid is None else self._mx_hybrid.trace_first()
        if self._mx_has_hybrid_forward() and (graph is None or self._mx_runs_on_symbols()):
            return trace(self, structure).graph
        if graph is None:
            raise MXNetError(
                f"export: the forward of {describe(self)} has not become a graph of its arguments "
                "and parameters; call it after hybridize(), or write it as hybrid_forward"
            )
        return graph

    @overridable
    def hybrid_forward(
        self,
        F: Any,  # noqa: ARG002 - subclasses have use for them
        x: Any,  # noqa: ARG002
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> Any:
        """Computes the output with the operators in `F`; subclasses define it.

        Example:
            >>> import mxnet as mx
            >>> class Scale(mx.gluon.HybridBlock):
            ...     def __init__(self, **kwargs):
            ...         super().__init__(**kwargs)
            ...         self.factor = self.params.get("factor", shape=(1,), init="ones")
            ...     def hybrid_forward(self, F, x, factor):  # F is `mx.nd`, or `mx.sym` in a graph
            ...         return F.broadcast_mul(x, 2 * factor)
            >>> net = Scale()
            >>> net.initialize()
            >>> print(net(mx.nd.array([1, 2])).asnumpy())
            [2. 4.]
        """
        raise UndefinedMethodError(f"{type(self).__name__} does not define hybrid_forward")
