"""Programs on arrays: what executors, cached operators and hybridized blocks run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from torch import Tensor

from mxnet._arrays.array import (
    NO_ATTRS,
    A,
    OwnedResults,
    finish,
    note_origin,
    read_on,
    shares_base,
    tie,
)
from mxnet._arrays.errors.delayed import find_failure, make_failed
from mxnet._arrays.errors.failed import Failure
from mxnet._start import expand
from mxnet._state import modes, rng
from mxnet.context import Context, resolve, torch_device
from mxnet.errors import ArgumentTypeError, MXNetError, UnsupportedTypeError
from mxnet.graph.infer import infer_shapes, infer_types
from mxnet.graph.ir import Graph
from mxnet.graph.lower import NodeError, Setting
from mxnet.graph.run import Options, Program, Reach, inputs_of_heads
from mxnet.ndarray._ndarray import NDArray
from mxnet.ops.core.attrs import NUMPY_SHAPES


class BoundProgram:
    """A program that is run on arrays.

    It reads the tensors of arrays, knows the settings of a context, and makes arrays of results
    that have memory of their own.

    Args:
        graph: What to compute.
        names: Names of the variables in the order in which their arrays are given.
        constants: Names of parameters: variables that keep their values for many calls.
        options: How plans are made.
        cls: Class of the results, that of the first array's dialect if not given.

    Attributes:
        program: Runs on tensors.
    """

    def __init__(
        self,
        graph: Graph,
        names: Sequence[str],
        constants: Collection[str] = (),
        options: Options = Options(),  # noqa: B008 - it does not change
        cls: type[NDArray] | None = None,
    ) -> None:
        self.program = Program(graph, names, constants, options)
        self._class = cls
        states = frozenset(graph.state_names)
        self._is_state = list(map(states.__contains__, names))
        self._is_static = options.static
        self._reads: list[list[int]] | None = None
        """By position the inputs that count for each result, once a call has been recorded."""
        self._reach: Reach | None = None
        self._settings: dict[Context, _Settings] = {}
        self._last: _Settings | None = None
        """Settings of the last call, which is mostly on the context of the next."""

    def __call__(self, ctx: Context, arrays: Sequence[NDArray]) -> list[NDArray]:
        """Computes the outputs in the modes of this thread.

        Args:
            ctx: Context to run on.
            arrays: Values of the variables.

        Raises:
            MXNetError: if an operator fails; it names the node.
        """
        tensors = self.read(arrays)
        cls = self._class or self.class_for(arrays)
        try:
            results = self.program.run(tensors, self.choose_setting(ctx))
        except NodeError as error:
            return self.delay(error, tensors, cls, ctx)
        outputs = self.wrap(results, tensors, ctx, cls)
        if modes.recording:
            note_origin(outputs, self, arrays, NO_ATTRS)
        return outputs

    def class_for(self, arrays: Sequence[NDArray]) -> type[NDArray]:
        """Returns the class of the results of a call with these arrays."""
        cls: type[NDArray] = arrays[0]._dialect_class if arrays else NDArray
        return self._class or cls

    def delay(
        self, error: Exception, tensors: Sequence[Tensor], cls: type[A], ctx: Context
    ) -> list[A]:
        """Returns results that raise when they are read, if an error is about values.

        Args:
            error: What a run has raised.
            tensors: What it has read.
            cls: Class of the results.
            ctx: Context of the results.
        """
        if find_failure(error) is None:
            raise error
        nodes, names = self.program.graph.nodes, self.program.names
        types = infer_types(nodes, {n: x.dtype for n, x in zip(names, tensors, strict=True)})
        given = {name: tuple(x.shape) for name, x in zip(names, tensors, strict=True)}
        shapes = infer_shapes(nodes, given, types, NUMPY_SHAPES)
        heads = [(shapes.get(head), types.get(head)) for head in self.program.graph.heads]
        outputs = [(shape, dtype) for shape, dtype in heads if shape is not None and dtype]
        if len(outputs) < len(heads):
            raise error
        return make_failed(Failure(error), outputs, cls, ctx, tensors)

    def choose_setting(self, ctx: Context) -> Setting:
        """Returns the setting of a call on a context, in the modes of this thread."""
        last = self._last
        if last is None or last.ctx is not ctx:
            last = self._settings_on(ctx)
        return last.of_modes[modes.training][modes.recording]

    def setting(self, ctx: Context, *, training: bool, recording: bool) -> Setting:
        """Returns the setting of a call on a context, in given modes."""
        return self._settings_on(ctx).of_modes[training][recording]

    def _settings_on(self, ctx: Context) -> _Settings:
        settings = self._settings.get(ctx)
        if settings is None:
            settings = self._settings[ctx] = _Settings(ctx)
        self._last = settings
        return settings

    @expand
    def read(self, arrays: Sequence[NDArray]) -> list[Tensor]:
        """Returns the tensors to compute with; auxiliary states have no history."""
        tape, tensors = modes.tape if modes.recording else None, []
        for array, is_state in zip(arrays, self._is_state, strict=True):
            tensor = read_on(array, None if is_state else tape)
            tensors.append(tensor)
        return tensors

    def wrap(
        self, results: Sequence[Tensor], tensors: Sequence[Tensor], ctx: Context, cls: type[NDArray]
    ) -> list[NDArray]:
        """Makes arrays of results, each with memory of its own.

        Args:
            results: What the program has computed.
            tensors: What it has read.
            ctx: Context of the results.
            cls: Class of the results; see `class_for`.
        """
        if type(results) is OwnedResults:
            tensors = ()  # to compare with hundreds of parameters takes a share of a small call
        elif modes.recording and not all([result.requires_grad for result in results]):
            return self._wrap_constants(results, tensors, ctx, cls)
        if len(results) == 1:
            return [finish(results[0], tensors, cls, ctx)]
        if modes.recording:
            results = self._join(results, tensors)
        # A result that is a view of another one is a copy too, so that each can be written to.
        outputs = [
            finish(result, [*tensors, *results[:position]], cls, ctx)
            for position, result in enumerate(results)
        ]
        if modes.recording and not self.program.is_inline:
            tie(outputs)
        return outputs

    def _wrap_constants(
        self, results: Sequence[Tensor], tensors: Sequence[Tensor], ctx: Context, cls: type[NDArray]
    ) -> list[NDArray]:
        """Makes arrays of results of which some depend on no variable.

        A graph that is one node has all of them recorded if it reads a variable; operators that
        count as recorded one by one, those that read one themselves.
        """
        inline = self.program.is_inline
        if self._reads is None:
            self._reads = inputs_of_heads(self.program.graph, self.program.names)
            if not inline:
                used = sorted({place for reads in self._reads for place in reads})
                self._reads = [used] * len(results)
        results = self._join(results, tensors)
        outputs: list[NDArray] = []
        for position, (result, reads) in enumerate(zip(results, self._reads, strict=True)):
            read = [tensors[place] for place in reads]
            earlier = results[:position]
            if not inline or shares_base(result, earlier):
                read = [*read, *earlier]
            outputs.append(finish(result, read, cls, ctx))
        if not inline:
            tie(outputs)
        return outputs

    def _join(self, results: Sequence[Tensor], tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        """Makes one node of several results; a captured graph is one by itself."""
        if len(results) == 1 or (self._is_static and results[0].is_cuda and modes.captures):
            return results
        if self._reach is None:
            self._reach = Reach(self.program.graph, self.program.names)
        return self._reach.join(results, tensors)


class _Settings:
    """The settings of calls on a context, by whether they are for training and recorded."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        device = torch_device(ctx)
        generator = rng.generator_for(ctx.device_type, ctx.device_id)
        self.of_modes = (
            (Setting(False, False, device, generator), Setting(False, True, device, generator)),
            (Setting(True, False, device, generator), Setting(True, True, device, generator)),
        )


class CachedOp:
    """A graph as a function of the arrays that its variables stand for.

    Args:
        sym: The graph, a Symbol.
        flags: Pairs of names and values: `inline_limit` is the number of operators up to which
            `autograd.get_symbol` shows them, not a node for the whole graph, as it always does with
            `static_alloc`. Others are options of the original's memory planner.
        thread_safe: Accepted for compatibility with MXNet 2: any of them can be called by several
            threads at once.

    Example:
        >>> import mxnet as mx
        >>> product = mx.nd.CachedOp(mx.sym.var("a") * mx.sym.var("b"))
        >>> print(product(mx.nd.array([1, 2]), mx.nd.array([3, 4])).asnumpy())
        [3. 8.]
    """

    def __init__(
        self, sym: Any, flags: Sequence[tuple[str, Any]] = (), thread_safe: bool = False
    ) -> None:
        del thread_safe  # any call can be one of several threads
        self._symbol = sym
        self.flags = tuple(flags)
        self._is_np: bool = sym._is_np
        self._names = tuple(sym.list_inputs())
        self._program = BoundProgram(sym._graph, self._names, options=_read_flags(dict(flags)))

    @property
    def is_np_sym(self) -> bool:
        """Whether the graph is one of `mx.np`."""
        return self._is_np

    def get_optimized_symbol(self) -> Any:
        """Returns the graph, to which plans add what makes them fast.

        Example:
            >>> import mxnet as mx
            >>> mx.nd.CachedOp(mx.sym.var("a") + 1).get_optimized_symbol().list_inputs()
            ['a']
        """
        return self._symbol

    @property
    def handle(self) -> int:
        """Identity of the graph; there is no C handle behind it."""
        return id(self._program)

    def __call__(self, *args: NDArray, **kwargs: Any) -> NDArray | list[NDArray]:
        """Computes the outputs.

        Args:
            args: An array for each variable, in the order of `sym.list_inputs()`.
            kwargs: `out`: array or arrays to write the result into; `default_device` or
                `default_ctx`: where a graph without variables is computed.
        """
        out = kwargs.pop("out", None)
        ctx = kwargs.pop("default_device", kwargs.pop("default_ctx", None))
        if kwargs:
            raise UnsupportedTypeError(
                f"CachedOp: takes arrays by position, and `out`; got {', '.join(kwargs)}"
            )
        if not self._names and all(item is None for item in args):
            outputs = self._program(resolve(ctx), ())
        else:
            self._check(args)
            outputs = self._program(args[0]._ctx, args)
        if out is not None:
            targets = [out] if isinstance(out, NDArray) else list(out)
            for output, target in zip(outputs, targets, strict=True):
                output.copyto(target)
            return out  # type: ignore[no-any-return]
        return outputs[0] if len(outputs) == 1 else outputs

    def _check(self, args: Sequence[Any]) -> None:
        if not args or len(args) != len(self._names):
            raise MXNetError(
                f"CachedOp: expects {len(self._names)} arrays ({', '.join(self._names)}), "
                f"got {len(args)}"
            )
        for name, array in zip(self._names, args, strict=True):
            if not isinstance(array, NDArray):
                raise ArgumentTypeError(
                    f"CachedOp: {name} takes an NDArray, got {type(array).__name__}"
                )


def _read_flags(flags: dict[str, Any]) -> Options:
    options = Options()
    if str(flags.get("static_alloc")).lower() in ("true", "1"):
        return options._replace(inline_limit=-1)
    return options._replace(inline_limit=int(flags.get("inline_limit", options.inline_limit)))
