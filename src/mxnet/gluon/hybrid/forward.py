"""The compiled form of a hybrid block: its graphs, one for each structure of arguments."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import fx

from mxnet._arrays.array import tie
from mxnet._arrays.errors.failed import FailedTensor, find_failed
from mxnet._frontend.array_trace import UntraceableError
from mxnet._frontend.dialect import ARRAY_DIALECTS, dialect_of_call
from mxnet._start import did_you_mean, level_of_program
from mxnet._state import changed_modes, modes, remember
from mxnet.errors import ArgumentValueError, MXNetError
from mxnet.gluon.blocks.location import describe
from mxnet.gluon.hybrid.calls import check_leaves, name_block_in
from mxnet.gluon.hybrid.compiled import CompiledGraph, HeldArray
from mxnet.gluon.hybrid.deferred import (
    initialize_by_graph,
    note_waiting,
    refuse_first_data,
    refuse_shapes,
    strip_data,
)
from mxnet.gluon.hybrid.tracing import (
    Attributes,
    Leaf,
    Trace,
    check_structure,
    leaves_of,
    replace_leaves,
    structure_of,
    trace,
    trace_if_possible,
)
from mxnet.gluon.parameters import DeferredInitializationError
from mxnet.graph import openvino
from mxnet.graph.infer import infer_storage
from mxnet.graph.run import Options, Program
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

Tracer: TypeAlias = Callable[[Any, Sequence[Any], Sequence[Any]], Trace]
"""Makes the graph of a block from the structure of its arguments, or from the arguments."""

_PACKAGES = (
    f"{Path(__file__).absolute().parents[2]}{os.sep}",
    f"{Path(torch.__file__).absolute().parent}{os.sep}",
)
"""Directories whose frames are not the user's."""

AUTO = "auto"
"""Name of the backend that captures plans on a GPU by itself."""
_BUILT_IN = (AUTO, "MKLDNN", "MKLDNN_QUANTIZE", "ONEDNN", "default")
"""Names of backends of the original whose work every plan does."""


_SWITCH = "MXNET_GPU_CAPTURE"
"""Variable that keeps plans from being captured by themselves: `0`."""


def make_options(backend: str | None, backend_options: dict[str, Any], common: Options) -> Options:
    """Checks the arguments of `hybridize`.

    Args:
        backend: Name of a compiler that `torch.compile` knows, or one that needs none.
        backend_options: Other arguments for it.
        common: The options that do not depend on the compiler.

    Raises:
        ArgumentValueError: if there is no such compiler.
        MissingLibraryError: if it is not installed.
    """
    if backend is None or backend in _BUILT_IN:
        return common
    if backend == openvino.BACKEND:
        openvino.read_config(backend_options)
    elif backend not in (known := torch.compiler.list_backends(exclude_tags=())):
        names = ", ".join(sorted({*known, *_BUILT_IN, openvino.BACKEND}))
        raise ArgumentValueError(
            f"hybridize: backend takes one of {names}, got {backend!r}"
            f"{did_you_mean(backend, known)}"
        )
    return common._replace(backend=backend, backend_options=tuple(backend_options.items()))


def captures_by_itself(backend: str | None) -> bool:
    """Returns whether plans of a backend are captured on a GPU when calls repeat themselves.

    Programs that name another backend have their plans as they asked for them.
    """
    return backend in (None, AUTO) and os.environ.get(_SWITCH) != "0"


class UntracedWarning(UserWarning):
    """A block that was hybridized runs imperatively, because it cannot become a graph."""


class Compiled(NamedTuple):
    """A graph of a block with the structure of what it gives."""

    run: CompiledGraph
    structure: Any
    """Nesting of the results, None for a single one."""


_MOST_GRAPHS = 256
"""Graphs that a block keeps; a program that gets ever new shapes or numbers needs ever new ones."""


class _OfShapes(dict[Any, Compiled]):
    """Graphs by the shapes and types of arrays, of a program that looks at these."""


_NO_GRAPH: Any = object()
"""Stands for the graph of a call that has not been made yet."""


class HybridForward:
    """Runs a block by its graph, which is made in the first call with arguments of a structure.

    Args:
        block: The block.
        options: How graphs are run.
        traces: Ways to get a graph, in the order in which they are tried.
    """

    def __init__(self, block: Any, options: Options, traces: Sequence[Tracer]) -> None:
        self._block, self.options, self._traces = block, options, tuple(traces)
        self._strict = by_symbols in traces
        self._graphs: dict[Any, Compiled | _OfShapes | None] = {}
        self._has_seen_sparse = False
        self.refusals: list[str] = []
        """Why calls run imperatively, for reports."""
        self.traced: Symbol | None = None
        """Last graph of a program on arrays, for the shapes that these had."""
        self._untraced: tuple[Any, ...] | None = None
        """Arguments, without data, of a first call that ran before shapes were known."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Graphs belong to the parameters of this block: a copy makes its own.
        return type(self), (self._block, self.options, self._traces)

    def clear(self) -> None:
        """Forgets the graphs made so far."""
        self._graphs.clear()
        self.refusals.clear()

    def find_programs(self) -> list[Program]:
        """Lists the programs that run the graphs, each once."""
        graphs: list[Compiled] = []
        for known in self._graphs.values():
            if isinstance(known, dict):
                graphs += known.values()
            elif known is not None:
                graphs.append(known)
        return [*dict.fromkeys(graph.run.program for graph in graphs)]

    def __call__(self, args: tuple[Any, ...], imperative: Callable[..., Any]) -> Any:
        """Computes the outputs of a call.

        Args:
            args: Arguments of the call.
            imperative: What computes them if there is no graph.
        """
        cls = type(args[0])
        key: Any = modes.training if cls is NDArray else (modes.training, cls)
        if len(args) == 1 and cls in ARRAY_DIALECTS:
            arrays: Sequence[NDArray] = args
        elif (
            len(args) == 2
            and cls is type(args[1])  # as of a loss
            and cls in ARRAY_DIALECTS
            and args[0]._ctx is args[1]._ctx
        ):
            arrays, key = args, (modes.training, 2, cls)
        else:
            arrays = [item for item in leaves_of(args) if isinstance(item, NDArray)]
            if self._strict:
                check_leaves(self._block, args)
            if not arrays or any(type(item) not in ARRAY_DIALECTS for item in arrays):
                self._note_sparse(arrays)
                return imperative(*args)
            key = (modes.training, _hashable(structure_of(args)), type(arrays[0]))
        try:
            compiled = self._graphs[key]
        except KeyError:
            compiled = _NO_GRAPH  # outside, errors of the first run do not name this one too
        except TypeError:  # an argument that cannot be compared
            return imperative(*args)
        if type(compiled) is _OfShapes:
            compiled = compiled.get(_shapes(arrays), _NO_GRAPH)
        if compiled is _NO_GRAPH:
            return self._run_first(key, args, arrays, imperative)
        if compiled is None:
            return imperative(*args)
        return self._run(compiled, arrays)  # type: ignore[arg-type]  # all others are excluded

    def _note_sparse(self, arrays: Sequence[NDArray]) -> None:
        """Warns once that calls with sparse arrays do without a graph, if some are."""
        stypes = {item.stype for item in arrays} - {"default"}
        if not stypes:
            return
        why = f"graphs take dense arrays, got {' and '.join(sorted(stypes))}"
        if self.options.strict:
            raise MXNetError(f"{describe(self._block)} cannot become a graph: {why}")
        if not self._has_seen_sparse:
            self._has_seen_sparse = True
            self.refusals.append(why)
            warnings.warn(
                f"{describe(self._block)} runs imperatively on sparse arrays, hybridize() has no "
                f"effect on such calls: {why}",
                UntracedWarning,
                stacklevel=level_of_program(),
            )

    def _run(self, compiled: Compiled, arrays: Sequence[NDArray]) -> Any:
        try:
            results = compiled.run(arrays[0]._ctx, arrays, self._block._mx_op_hook)
        except MXNetError as error:
            name_block_in(error, self._block)
            raise
        return _regroup(compiled, results)

    def _run_first(
        self,
        key: Any,
        args: tuple[Any, ...],
        arrays: Sequence[NDArray],
        imperative: Callable[..., Any],
    ) -> Any:
        """Lets one thread make the graph, for which others wait."""
        with self._block._mx_lock:
            compiled = self._graphs.get(key, _NO_GRAPH)
            if type(compiled) is _OfShapes:
                compiled = compiled.get(_shapes(arrays), _NO_GRAPH)
            if compiled is _NO_GRAPH:
                return self._make_and_run(key, args, arrays, imperative)
        return imperative(*args) if compiled is None else self._run(compiled, arrays)

    def _make_and_run(
        self,
        key: Any,
        args: tuple[Any, ...],
        arrays: Sequence[NDArray],
        imperative: Callable[..., Any],
    ) -> Any:
        """Makes the graph and runs it, or the block imperatively if it cannot become one."""
        if self._strict:
            if self._block._mx_call_structure is None:  # the first call was another's, and failed
                return self._block._mx_call_first(*args)
            check_structure(self._block, self._block._mx_call_structure, args)
        traced: Trace | None = None
        modes.asked = False
        parameters = self._block.collect_params().values()
        waiting = any([item._deferred_init for item in parameters])
        if waiting:
            traced = trace_if_possible(self._block, args) if self._strict else None
            # Data that could not be computed have a shape, but a graph cannot run on them.
            failed = [item._data for item in arrays if type(item._data) is FailedTensor]
            if traced is None or (failed and find_failed(failed) is not None):
                return self._run_alone(imperative, args)
        compiled, of_shapes, mistake = self._compile(args, traced)
        any_mode = not modes.asked
        if waiting and (compiled is None or not self._learn_shapes(compiled, traced, arrays)):
            return self._run_alone(imperative, args)
        if compiled is not None:
            # Other threads may run the graph once it is kept: parameters have values by then.
            result = (self._run_waiting if waiting else self._run)(compiled, arrays)
            self._keep(key, compiled, arrays, of_shapes, any_mode)
            return result
        if self.options.strict:
            raise MXNetError(f"cannot become a graph: {_locate(mistake)}") from mistake
        result = imperative(*args)
        remember(self._graphs, key, None, _MOST_GRAPHS)
        reason = _locate(mistake)
        if reason not in self.refusals:
            self.refusals.append(reason)
        warnings.warn(
            f"{describe(self._block)} runs imperatively, hybridize() has no effect on it "
            f"(its children are compiled): {reason}",
            UntracedWarning,
            stacklevel=level_of_program(),
        )
        return result

    def _run_alone(self, imperative: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Runs a block without graphs, those of children included, while shapes are unknown."""
        with changed_modes(imperative=True):
            results = imperative(*args)
        if not self._strict:
            self._untraced = strip_data(args)
        if modes.recording:  # as results of one graph, which they are from the next call on
            tie([item for item in leaves_of((results,)) if isinstance(item, NDArray)])
        return results

    def trace_first(self) -> Symbol | None:
        """Returns the graph of arrays, which the first call may have been too early for."""
        if self.traced is None and self._untraced is not None:
            self._compile(self._untraced)
        return self.traced

    def _keep(
        self,
        key: Any,
        compiled: Compiled,
        arrays: Sequence[NDArray],
        of_shapes: bool,
        any_mode: bool,
    ) -> None:
        """Remembers a graph for calls that are alike."""
        if of_shapes:
            known = self._graphs.get(key)
            if type(known) is not _OfShapes:
                known = _OfShapes()
                remember(self._graphs, key, known, _MOST_GRAPHS)
            remember(known, _shapes(arrays), compiled, _MOST_GRAPHS)
            return
        remember(self._graphs, key, compiled, _MOST_GRAPHS)
        if any_mode and (other := _in_other_mode(key)) not in self._graphs:
            remember(self._graphs, other, compiled, _MOST_GRAPHS)

    def _learn_shapes(
        self, compiled: Compiled, traced: Trace | None, arrays: Sequence[NDArray]
    ) -> bool:
        """Returns whether the first run of a graph will find out shapes, or finds them out at once.

        Arrays without data, which the latter takes, are slow: torch needs seconds to prepare.
        """
        if traced is None:
            return False
        if self._block._mx_op_hook is None and compiled.run.may_run_first():
            return True
        inputs = dict(zip(traced.input_names, arrays, strict=True))
        try:
            return initialize_by_graph(self._block, traced.graph, inputs)
        except MXNetError as error:
            waiting = note_waiting(compiled.run.waiting().values())
            raise refuse_shapes(self._block, error, arrays, waiting) from error

    def _run_waiting(self, compiled: Compiled, arrays: Sequence[NDArray]) -> Any:
        """Runs a graph and gives values to parameters that wait for their shape."""
        parameters = compiled.run.waiting().values()
        if not parameters:
            return self._run(compiled, arrays)
        waiting = [(item, item._shape, item._deferred_init) for item in parameters]
        try:
            results = compiled.run.run_first(arrays[0]._ctx, arrays, parameters)
        except MXNetError as error:
            name_block_in(error, self._block)
            raise refuse_first_data(error, waiting) from error
        return _regroup(compiled, results)

    def _compile(
        self, args: tuple[Any, ...], traced: Trace | None = None
    ) -> tuple[Compiled | None, bool, Exception | None]:
        """Returns the graph and whether it is for these shapes only, or what kept it from us."""
        parameters = self._block.collect_params()
        for parameter in parameters.values():
            if parameter._stype != "default":
                return None, False, MXNetError(f"Parameter {parameter.name!r} is sparse")
        mistake: Exception | None = None
        for attempt in self._traces:
            tracing = traced
            if tracing is None:
                before = Attributes(self._block)
                try:
                    tracing = attempt(self._block, structure_of(args), args)
                    if tracing.of_shapes:
                        _check_unchanged(self._block, before)
                except Exception as error:  # noqa: BLE001 - a program of the user's, on strange arrays
                    before.restore()  # the imperative call that follows sets them again
                    mistake = mistake or error
                    continue
            sparse = _find_sparse_result(tracing.graph)
            if sparse:
                return (
                    None,
                    False,
                    MXNetError(f"a result is {sparse}, and graphs give dense arrays"),
                )
            named: dict[str, Any] = {item.name: item for item in parameters.values()}
            for name, array in tracing.held.items():
                named[name] = HeldArray(array)
            if tracing.of_shapes and not tracing.held:
                self.traced = tracing.graph
            graph = CompiledGraph(
                tracing.graph, tracing.input_names, named, self.options, tracing.cls
            )
            structure = None if tracing.structure is Leaf.ARRAY else tracing.structure
            return Compiled(graph, structure), tracing.of_shapes, None
        return None, False, mistake

    def graph_of(self, structure: Sequence[Any]) -> Trace | None:
        """Returns the graph for arguments of a structure; None if it cannot do without arrays."""
        try:
            return self._traces[0](self._block, structure, ())
        except Exception:  # noqa: BLE001 - as in `_compile`
            return None

    def lower(self, args: tuple[Any, ...], hold_parameters: bool) -> fx.GraphModule:
        """Returns the graph of a call as a module of torch.

        Args:
            args: Arguments of the call.
            hold_parameters: Whether the module holds the parameters, or they are inputs.

        Raises:
            MXNetError: if the block cannot become a graph.
        """
        try:
            compiled, _, mistake = self._compile(args)
        except DeferredInitializationError as error:
            raise MXNetError(f"{describe(self._block)}: call it once before") from error
        if compiled is None:
            where = describe(self._block)
            raise MXNetError(f"{where} cannot become a graph: {_locate(mistake)}") from mistake
        arrays = [item for item in leaves_of(args) if isinstance(item, NDArray)]
        located = self._block._collect_params_with_prefix().items()
        paths = {parameter.name: path for path, parameter in reversed(list(located))}
        return compiled.run.lower(arrays[0]._ctx, arrays, paths if hold_parameters else None)


def _find_sparse_result(symbol: Symbol) -> str:
    """Returns the storage type of a result of a graph of dense arrays that is not dense, or ""."""
    graph = symbol._graph
    if not any(op.traits.storage.from_attrs for op in graph.nodes.ops):
        return ""
    sparse = infer_storage(graph.nodes, {})
    return next((sparse[head] for head in graph.heads if head in sparse), "")


def _regroup(compiled: Compiled, results: Sequence[NDArray]) -> Any:
    """Nests the results of a graph as those of the program are."""
    if compiled.structure is None:
        return results[0]
    following = iter(results)
    return replace_leaves(compiled.structure, lambda _: next(following))


def _check_unchanged(block: Any, before: Attributes) -> None:
    """Refuses a program on arrays that leaves something to later calls, which a graph does not."""
    changed = before.find_change()
    if changed is not None:
        code = type(block).forward.__code__
        raise UntraceableError(f"{code.co_filename}:{code.co_firstlineno}: it sets {changed}")


def by_symbols(block: Any, structure: Sequence[Any], args: Sequence[Any]) -> Trace:
    """Calls a block with symbols."""
    return trace(block, structure, dialect_of_call(args))


def _in_other_mode(key: Any) -> Any:
    """Returns the key of a call that is alike, in training if this one is not."""
    return not key if isinstance(key, bool) else (not key[0], *key[1:])


def _shapes(arrays: Sequence[NDArray]) -> Any:
    return tuple((array._plain.shape, array._plain.dtype) for array in arrays)


def _hashable(structure: Any) -> Any:
    if isinstance(structure, list):
        return tuple(map(_hashable, structure))
    # 1, 1.0 and True are equal, but a program may tell them apart.
    return structure if structure is None else (type(structure), structure)


def _locate(error: Exception | None) -> str:
    """Says where in the user's program an error came up, if it did there."""
    frames = None if error is None else traceback.extract_tb(error.__traceback__)
    if not frames:
        return str(error)
    if frames[-1].filename == trace.__code__.co_filename:  # about the result of the whole block
        return str(error)
    own = [frame for frame in frames if not frame.filename.startswith(_PACKAGES)]
    # Without a line of the user's it is a layer of ours: its last line tells most.
    frame = own[-1] if len(own) > 0 else frames[-1]
    return f"{frame.filename}:{frame.lineno}, in {frame.name}: {type(error).__name__}: {error}"
