"""Plans: what runs when a graph is computed in one setting."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter, is_
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import torch
from torch import Tensor, fx

from mxnet._arrays.array import unshare_results
from mxnet._arrays.autograd import tape
from mxnet._arrays.unseen_writes import unseen_writes
from mxnet._start import engine
from mxnet._state import Lock
from mxnet.graph import passes
from mxnet.graph.infer import Shapes
from mxnet.graph.ir import SubgraphOp
from mxnet.graph.lower import (
    Call,
    CallGraph,
    LoweredGraph,
    Report,
    Setting,
    as_module,
    compile_graph,
)

T = TypeVar("T")
Run: TypeAlias = Callable[[Sequence[Tensor]], list[Tensor]]
_version_of = attrgetter("_version")


class Kept(Generic[T]):
    """A value that depends on tensors alone, made anew after one of them has changed.

    Args:
        initial: Value to hand to the first `make`.
    """

    def __init__(self, initial: T) -> None:
        self._lock = Lock()
        self._last = _Snapshot(-1, [], None, (), initial)

    @property
    def last(self) -> T:
        """The value of the last call, which need not hold any more."""
        return self._last.value

    def get(self, tensors: Sequence[Tensor], make: Callable[[T], T]) -> T:
        """Returns the value, which one thread makes if that of the last call does not hold.

        Args:
            tensors: What the value depends on.
            make: Makes the value from the last one.
        """
        # There may be hundreds of tensors, which are looked at in each call.
        count, versions = unseen_writes.count, [*map(_version_of, tensors)]
        last = self._last
        if count == last.count and last.holds(tensors, versions):
            return last.value
        with self._lock:
            last = self._last
            if count != last.count or not last.holds(tensors, versions):
                value, writes = last.value, unseen_writes.versions(tensors)
                if writes != last.writes or not last.holds(tensors, versions):
                    value = make(last.value)
                last = self._last = _Snapshot(count, versions, writes, tensors, value)
            return last.value


class _Snapshot(Generic[T]):
    """A value with what it was made from.

    Args:
        count: Number of the last unseen write, -1 before there is a value.
        versions: Versions of the tensors.
        writes: Versions of the tensors' memory, which unseen writes change; None before that.
        tensors: The tensors, kept so that no other one gets their identity.
        value: The value.
    """

    __slots__ = ("count", "tensors", "value", "versions", "writes")

    def __init__(
        self,
        count: int,
        versions: list[int],
        writes: list[int] | None,
        tensors: Sequence[Tensor],
        value: T,
    ) -> None:
        self.count, self.versions, self.writes = count, versions, writes
        self.tensors, self.value = tensors, value

    def holds(self, tensors: Sequence[Tensor], versions: list[int]) -> bool:
        """Returns whether tensors are the same, with no write that torch has counted."""
        return versions == self.versions and all(map(is_, tensors, self.tensors))


class Compiled:
    """A graph that a compiler of torch runs.

    Args:
        module: The graph.
        backend: Name of the compiler, as `torch.compile` knows it.
        options: Other arguments of `torch.compile`.
        names: What the inputs of the graph are called in reports.
        report: Is told once if the graph is compiled again, with the reason.
    """

    def __init__(
        self,
        module: fx.GraphModule,
        backend: str,
        options: dict[str, Any],
        names: Sequence[str],
        report: Report,
    ) -> None:
        if backend == "inductor":
            from mxnet.graph.run import compiler_cache  # noqa: PLC0415 - few plans are compiled

            compiler_cache.secure()
        tape.hooks_see_absent_gradients()  # a trial that cannot be traced
        self._backend = _Backend(backend)
        compiler = self._backend if engine.has("_dynamo.lookup_backend") else backend
        self._run = torch.compile(module, backend=compiler, **options)
        self._names, self._report = names, report
        self._signature: list[Any] | None = None
        """Of the inputs that the graph was last compiled for; None before the first call."""
        self._has_run = self._has_reported = False

    def __call__(self, *tensors: Tensor) -> list[Tensor]:
        """Computes the outputs; the first call compiles."""
        results: list[Tensor] = (self._run if self._has_run else self._run_first)(*tensors)
        if self._backend.has_compiled:
            self._backend.has_compiled = False
            _allow_second_pass(results)
            self._note_compilation(tensors)
        return results

    def _run_first(self, *tensors: Tensor) -> list[Tensor]:
        """Compiles without what torch says of kernels that remember the results of a function."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Dynamo detected a call to a `functools.lru_cache`")
            results: list[Tensor] = self._run(*tensors)
        self._has_run = True
        return results

    def _note_compilation(self, tensors: Sequence[Tensor]) -> None:
        before, self._signature = self._signature, [_describe(item) for item in tensors]
        if before is None or self._has_reported:
            return
        self._has_reported = True
        changes = [
            f"{name} is {new}, was {old}"
            for name, old, new in zip(self._names, before, self._signature, strict=True)
            if old != new
        ]
        self._report(
            f"was compiled again ({'; '.join(changes[:3]) or 'for inputs that look alike'}); "
            "hybridize with dynamic=True compiles once for all lengths"
        )


class _Backend:
    """Calls the compiler and notes that it has.

    Args:
        name: Name of the compiler.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.has_compiled = False

    def __call__(
        self, module: fx.GraphModule, inputs: list[Tensor], **settings: Any
    ) -> Callable[..., Any]:
        """Compiles a graph of torch's; settings are the `mode` and the `options` of the user."""
        self.has_compiled = True
        compiler = torch._dynamo.lookup_backend(self._name)
        if self._name == "inductor":  # which knows no modes, only what they stand for
            mode, options = settings.get("mode"), settings.get("options") or {}
            patches = torch._inductor.list_mode_options(mode) if mode else {}
            settings = {"config_patches": {**patches, **options}}
        with _without_donation():
            compiled: Callable[..., Any] = compiler(module, inputs, **settings)
        return compiled


@contextmanager
def _without_donation() -> Iterator[None]:
    """Makes compilations of this thread leave buffers that are kept for a backward pass alone."""
    if not engine.has("_functorch.config.donated_buffer"):
        yield
        return
    with torch._functorch.config.patch(donated_buffer=False):
        yield


def _allow_second_pass(results: Sequence[Tensor]) -> None:
    """Marks the backward passes of compiled graphs as such that write to nothing they read."""
    roots = {item.grad_fn for item in results if item.grad_fn is not None}
    for node in tape.walk([*roots]):
        metadata: Any = getattr(getattr(node, "_forward_cls", None), "metadata", None)
        if hasattr(metadata, "bw_donated_idxs") and metadata.bw_donated_idxs is None:
            metadata.bw_donated_idxs = []


def _describe(tensor: Tensor) -> str:
    """Returns what a compiled graph depends on."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    shape = "x".join(map(str, tensor.shape)) or "a number"
    layout = "" if tensor.is_contiguous() else f" with strides {tensor.stride()}"
    return f"{dtype} {shape}{layout}{' with gradient' if tensor.requires_grad else ''}"


class Plan:
    """A lowered graph, simplified for one setting.

    What depends on parameters alone is computed in the first call, and again after a parameter has
    been written to or replaced.

    Args:
        module: The lowered graph.
        constants: Positions of the inputs that are parameters, with their types.
        setting: What the graph was lowered for.
        fuses: Whether a library may run convolutions together with what follows, where it can.
        layout: Which convolutions run with the channels last in memory, None for none of them.
        watched: Whether each call goes through what is interposed.
        tensors: Inputs of the first run, None if they are not known.
        infer_shapes: Returns the shapes in the graph for these inputs.
    """

    def __init__(
        self,
        module: LoweredGraph,
        constants: Mapping[int, torch.dtype],
        setting: Setting,
        *,
        fuses: bool = True,
        layout: passes.Layout | None = None,
        watched: bool = False,
        tensors: Sequence[Tensor] | None = None,
        infer_shapes: Callable[[], Shapes] = dict,
    ) -> None:
        graph = module.graph
        layout = layout or passes.Layout.CHANNELS_FIRST
        conditions = passes.find_conditions(setting, layout, fuses and bool(constants))
        if tensors is not None:
            conditions.add("measured")
        fixed: dict[Call, torch.dtype] = {}
        if "predicts" in conditions and constants:
            inputs = [node for node in graph.nodes if node.op == "placeholder"]
            fixed = {inputs[position]: dtype for position, dtype in constants.items()}
        wanted = frozenset(conditions)
        passes.run_passes(
            passes.Job(module, graph, setting, fixed, wanted, tensors or (), infer_shapes)
        )
        prepared = passes.split_constant(graph, fixed)
        if watched:
            passes.watch_calls(graph)
        self.module = module
        self.compiler = ""
        """Name of the compiler of torch that the graph goes through, if it does."""
        self._forward: Callable[..., Any] = compile_graph(graph, module)
        self._uncompiled = self._forward
        self._prepare = None if prepared is None else _Prepared(module, prepared)

    def compile(
        self, backend: str, options: dict[str, Any], names: Sequence[str], report: Report
    ) -> None:
        """Lets a compiler of torch take the graph over.

        Args:
            backend: Name of the compiler, as `torch.compile` knows it.
            options: Other arguments of `torch.compile`.
            names: What the inputs are called.
            report: Is told, once, that and why the graph was compiled again.
        """
        self.compiler = backend
        graph = self.module.graph
        inputs = [node for node in graph.nodes if node.op == "placeholder"]
        labels = dict(zip(inputs, names, strict=False))

        def make(members: passes.Members) -> Compiled:
            module = as_module(self.module, members.graph)
            known = [
                labels.get(node, f"an array inside, {i}") for i, node in enumerate(members.inputs)
            ]
            return Compiled(module, backend, options, known, report)

        opaque = [node for node in graph.nodes if _is_opaque(node)]
        self._forward = compile_graph(passes.join_stages(graph, opaque, make), self.module)

    @property
    def num_prepared(self) -> int:
        """Number of values that are computed once, until a parameter changes."""
        return 0 if self._prepare is None else self._prepare.count

    def refresh(self, tensors: Sequence[Tensor]) -> None:
        """Brings what depends on parameters up to date, in the same memory."""
        if self._prepare is not None:
            self._prepare(tensors, in_place=True)

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs."""
        if self._prepare is None:
            results: list[Tensor] = self._forward(*tensors)
            return results
        values = self._prepare(tensors)
        results = self._forward(*tensors, *values)
        return unshare_results(results, [item for item in values if not item.is_mkldnn])

    def run_uncompiled(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs of a plan for recording so that they can be differentiated twice.

        What a compiler of torch makes of a graph is differentiable once.
        """
        values = [] if self._prepare is None else self._prepare(tensors)
        return unshare_results(self._uncompiled(*tensors, *values), values)


class GivenUpPlan:
    """A lowered graph that runs as it is, because its plan failed.

    Args:
        module: The lowered graph.
        reason: How the plan failed.
    """

    def __init__(self, module: LoweredGraph, reason: str) -> None:
        self.module, self.reason = module, reason
        self._forward: Callable[..., list[Tensor]] = compile_graph(module.graph, module)

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs."""
        return self._forward(*tensors)


def _is_opaque(node: Call) -> bool:
    """Returns whether compilers are to leave a call alone."""
    op = node.operator
    # A loop runs plans of its own.
    return op is not None and (op.traits.fusion.opaque or isinstance(op, SubgraphOp))


class _Prepared:
    """Values that depend on parameters alone, kept until one of these changes.

    Args:
        root: Module with the attributes that the graph reads.
        graph: Computes the values.
    """

    def __init__(self, root: LoweredGraph, graph: CallGraph) -> None:
        inputs = [node for node in graph.nodes if node.op == "placeholder"]
        self.count = len(graph.nodes[-1].args[0])
        self._used = [position for position, node in enumerate(inputs) if node.users]
        self._forward = compile_graph(graph, root)
        self._kept: Kept[list[Tensor]] = Kept([])

    def __call__(self, tensors: Sequence[Tensor], in_place: bool = False) -> list[Tensor]:
        """Computes the values, unless those of the last call still hold.

        Args:
            tensors: Inputs of the graph.
            in_place: Whether new values go where the last ones are, which a capture reads.
                Otherwise they do not: another thread may be using the last ones.
        """
        used = [tensors[position] for position in self._used]
        return self._kept.get(used, lambda last: self._compute(tensors, last if in_place else []))

    def _compute(self, tensors: Sequence[Tensor], place: list[Tensor]) -> list[Tensor]:
        """Computes the values, in the memory of earlier ones if there are any in `place`."""
        with torch.no_grad():
            values: list[Tensor] = self._forward(*tensors)
        if not place or any(item.is_mkldnn for item in values):
            return values
        for old, new in zip(place, values, strict=True):
            old.copy_(new)
        return place


class PlanFacts(NamedTuple):
    """What is known of a plan."""

    mode: str
    """What it is for: `prediction`, `training`, or either of them `recorded` unlike usual."""
    device: str
    way: str
    """How it runs: `graph`, `captured`, `graph, to be captured`, `given up`, or by a compiler."""
    num_operators: int
    """Operators of the graph that was traced."""
    num_calls: int
    """Calls of kernels in a run."""
    num_prepared: int
    """Values that are computed from parameters alone, and kept."""
    layout: str
    """Order of images in memory: `channels first` or `channels last`; empty without images."""
    num_conversions: int
    """Calls that bring images or filters from one order to the other."""
    fused: dict[str, int]
    """What one call computes, by the names of the operators: how often."""
    captures: int
    """CUDA graphs that have been captured."""
    reason: str
    """Why it does not run as it was meant to; empty if it does."""
