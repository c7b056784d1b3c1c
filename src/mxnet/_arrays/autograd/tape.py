"""Recording and differentiation on tensors: what torch's engine does not do by itself.

torch records; this module adds the original's rules. A gradient is written into (or added to) an
array that the user sees, and a graph that `backward` has gone through is gone, also where torch
would let it pass.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor

from mxnet._arrays.errors.failed import raise_failed
from mxnet._state import Lock, Tape, modes
from mxnet.errors import ExecutionError, MXNetError
from mxnet.ops.core.allocation import explain_shortage
from mxnet.ops.core.carriers import carrier_of
from mxnet.ops.core.registry import Op

_NOT_IN_GRAPH = "Cannot differentiate node because it is not in a computational graph.\n  "
_RETAIN = (
    "pass retain_graph=True there to differentiate the graph again, or compute the array anew "
    "inside of `with autograd.record():`."
)
ALREADY_IN_GRAPH = (
    "Assigning to NDArrays that are already in a computational graph will cause undefined behavior "
    "when evaluating gradients: assign outside of record(), or call backward first; "
    "+=, *=, out= and x[idx]= count as assignments."
)
IN_PLACE_WHILE_RECORDING = (
    "Inplace operations (+=, -=, x[:]=, etc) are not supported when recording with autograd: "
    "write the result to a new array."
)


@contextmanager
def explained(where: str, delayed: bool = False) -> Iterator[None]:
    """Runs a program's own forward or backward, and words what it raises as an operator's error.

    Such code may record, which torch switches off around it.

    Args:
        where: What to begin messages with.
        delayed: Whether the error is to appear where a result is read, as errors of values do.
    """
    try:
        with torch.enable_grad():
            yield
    except MXNetError as error:
        if not delayed or isinstance(error, ExecutionError):
            raise
        raise ExecutionError(str(error)) from error
    except Exception as error:
        raised = ExecutionError if delayed else MXNetError
        raise raised(f"{where}: {type(error).__name__}: {error}") from error


class _ZeroGradient(torch.autograd.Function):
    """Joins a result that has no derivative to the graph, with zero gradients for its inputs."""

    @staticmethod
    def forward(ctx: Any, result: Tensor, *inputs: Tensor) -> Tensor:
        ctx.num_inputs = len(inputs)
        if not hooks_see_absent_gradients():
            ctx.save_for_backward(*inputs)
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> tuple[Tensor | None, ...]:
        if hooks_see_absent_gradients():
            # None, not zeros: what lies before has nothing to compute then.
            num_inputs: int = ctx.num_inputs
            return (None,) * (1 + num_inputs)
        return None, *(torch.zeros_like(item) for item in ctx.saved_tensors)


class _NoGradient(torch.autograd.Function):
    """Identity without a gradient, for a trial."""

    @staticmethod
    def forward(ctx: Any, data: Tensor) -> Tensor:  # noqa: ARG004
        return data.view_as(data)

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> None:  # noqa: ARG004
        return None


class _Hooks:
    """What this release of torch does."""

    see_absent: bool | None = None
    """Whether it calls the hook of a leaf that gets no gradient; None before the trial."""


def hooks_see_absent_gradients() -> bool:
    """Returns whether torch calls the hook of a leaf that gets no gradient; releases differ.

    Where it does, the hook writes zeros into the leaf's gradient array. To find out takes a trial,
    which has to come before a compiler traces a call.
    """
    if _Hooks.see_absent is None:
        called: list[bool] = []
        with torch.enable_grad():
            leaf = torch.zeros((), requires_grad=True)
            leaf.register_post_accumulate_grad_hook(  # type: ignore[no-untyped-call]
                lambda _: called.append(True)
            )
            _NoGradient.apply(leaf).backward()  # type: ignore[no-untyped-call]
        _Hooks.see_absent = bool(called)
    return _Hooks.see_absent


def join_without_gradient(result: Tensor, inputs: Iterable[Tensor | None]) -> Tensor:
    """Joins a result without derivative to the graph.

    torch knows no history of integers: for them a tensor of floats without memory stands in.
    """
    given = [item for item in inputs if item is not None]
    recorded = [item for item in given if item.requires_grad]
    if not recorded:
        recorded = [item for item in map(carrier_of, given) if item is not None]
    if not recorded:
        return result
    if not result.is_floating_point():
        result = torch.zeros((), device=result.device).expand(result.shape)
    joined: Tensor = _ZeroGradient.apply(result, *recorded)  # type: ignore[no-untyped-call]
    return joined


def has_no_gradient(node: Tensor) -> bool:
    """Returns whether a tensor was joined to the graph without derivative."""
    return isinstance(node.grad_fn, _ZeroGradient._backward_cls)


class _WithoutEffect(torch.autograd.Function):
    """Identity on a result whose gradient with respect to some inputs is known to be zero."""

    @staticmethod
    def forward(ctx: Any, result: Tensor, *inputs: Tensor) -> Tensor:
        ctx.num_inputs = len(inputs)
        if not hooks_see_absent_gradients():
            ctx.save_for_backward(*inputs)
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        if hooks_see_absent_gradients():
            return (*gradients, *(None,) * ctx.num_inputs)  # as of `_ZeroGradient`
        return (*gradients, *(torch.zeros_like(item) for item in ctx.saved_tensors))


def join_without_effect(result: Tensor, inputs: Iterable[Tensor]) -> Tensor:
    """Makes zero, instead of none, the gradient of inputs that do not change a result."""
    given = [*inputs]
    recorded = [item for item in given if item.requires_grad]
    if not recorded:
        recorded = [item for item in map(carrier_of, given) if item is not None]
    if not (recorded and result.requires_grad):
        return result
    joined: Tensor = _WithoutEffect.apply(result, *recorded)  # type: ignore[no-untyped-call]
    return joined


def join_result(result: Tensor, inputs: Sequence[Tensor]) -> Tensor:
    """Joins tensors, for gradients of zero, to a result computed without their history."""
    if result.requires_grad:
        return join_without_effect(result, inputs)
    return join_without_gradient(result, inputs) if result.is_floating_point() else result


class _SameStorage(torch.autograd.Function):
    """Identity whose output lives where `out=` points, so that views of it see later writes."""

    @staticmethod
    def forward(ctx: Any, result: Tensor, target: Tensor) -> Tensor:  # noqa: ARG004
        return target.data

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ARG004
        return gradients[0], None


def tied_to_storage(result: Tensor, target: Tensor) -> Tensor:
    """Returns a tensor with the history of `result` and the storage of `target`."""
    tied: Tensor = _SameStorage.apply(result, target)  # type: ignore[no-untyped-call]
    return tied


def join_indices(op: Op, result: Tensor, tensors: Sequence[Tensor | None]) -> Tensor:
    """Makes zero the gradient of inputs that only tell where to read or how far, like indices."""
    if op.aux or op.variadic:
        return result
    idle = [
        tensor
        for item, tensor in zip(op.inputs, tensors, strict=False)
        if tensor is not None and tensor.requires_grad and item.name in op.any_dtype
    ]
    return join_without_effect(result, idle) if idle else result


class _OnceDifferentiable(torch.autograd.Function):
    """Identity on a gradient that cannot be differentiated again."""

    @staticmethod
    def forward(ctx: Any, gradient: Tensor, where: str) -> Tensor:
        ctx.where = where
        return gradient.view_as(gradient)

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> tuple[Tensor | None, ...]:
        raise MXNetError(f"{ctx.where}: computed in Python, cannot be differentiated twice")


def differentiable_once(gradient: Tensor, where: str) -> Tensor:
    """Makes a second derivative through a gradient raise; it would be zero, silently, otherwise.

    torch has its grad mode on inside of a backward where the gradients are to be differentiated.
    """
    raise_failed(gradient)
    if not (torch.is_grad_enabled() and gradient.is_floating_point()):
        return gradient
    marked: Tensor = _OnceDifferentiable.apply(  # type: ignore[no-untyped-call]
        gradient.detach().requires_grad_(), where
    )
    return marked


def walk(roots: Sequence[object]) -> Iterator[object]:
    """Yields every node of the graph under the roots once."""
    pending: list[Any] = list(roots)
    seen = set(pending)
    while pending:
        node = pending.pop()
        yield node
        for following, _ in node.next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                pending.append(following)


def reaches(roots: Sequence[object], targets: Container[object]) -> bool:
    """Returns whether the graph under one of the roots contains one of the target nodes."""
    return any(node in targets for node in walk(roots))


def is_leaf_of(leaf: Tensor, heads: Iterable[Tensor]) -> bool:
    """Returns whether tensors are computed from a leaf, be it without a gradient."""
    roots = [head.grad_fn for head in heads if head.grad_fn is not None]
    return any(getattr(node, "variable", None) is leaf for node in walk(roots))


def note_consumed(tape: Tape, root: object) -> None:
    """Notes that the graph under `root` is used up, also where it reaches into earlier tapes."""
    tape.consumed.append(root)
    if not tape.crossings:
        return
    reached = set(walk([root]))
    pending = [tape]
    while pending:
        for node, earlier in list(pending.pop().crossings.items()):  # its thread may go on
            if node in reached:
                reached.remove(node)
                earlier.consumed.append(node)
                pending.append(earlier)


def unrecorded_error() -> MXNetError:
    """Returns the error about an array in no graph, to raise where it is differentiated."""
    if modes.tape.records:
        reason = (
            "It was computed outside of `with autograd.record():`, or from arrays that had no "
            "gradient then: call x.attach_grad(), or net.initialize(), before record()."
        )
    else:
        reason = (
            "Nothing has been recorded, or not since the last backward: compute it inside of "
            "`with autograd.record():`."
        )
    return MXNetError(_NOT_IN_GRAPH + reason)


def used_up_error(place: tuple[str, int] | None, article: str = "The") -> MXNetError:
    """Returns the error about an array whose graph is used up.

    Args:
        place: File and line of the program that has called `backward`, None if not known.
        article: `A` if it may have been another call.
    """
    where = "" if place is None else " at {}, line {}".format(*place)
    return MXNetError(f"{_NOT_IN_GRAPH}{article} backward{where} has freed the graph: {_RETAIN}")


def as_mxnet_error(error: Exception) -> MXNetError:
    """Words what torch's engine raised."""
    if "second time" in str(error):
        return used_up_error(modes.differentiated_at, "A")
    return explain_shortage("backward", error) or MXNetError(f"backward: {error}")


class Differentiation:
    """What a differentiation was asked for; nodes of ours look at the one that runs them.

    Args:
        retains: Whether the graph can be used again afterwards.
        collects: Whether the gradients are for the caller, not for the arrays of variables.
    """

    __slots__ = ("collected", "retains")

    def __init__(self, retains: bool = False, collects: bool = False) -> None:
        self.retains = retains
        self.collected: dict[int, Tensor] | None = {} if collects else None
        """Gradients that nodes give by themselves, by the identity of the leaf."""

    def collect(self, leaf: Tensor, gradient: Tensor) -> None:
        """Takes a part of a gradient that the caller may want."""
        if self.collected is not None:
            before = self.collected.get(id(leaf))
            self.collected[id(leaf)] = gradient.clone() if before is None else before + gradient


number_of_pass: Callable[[], int] = torch._C._current_graph_task_id
"""Returns the number of the backward pass that runs the caller, -1 outside of all."""


class _Passes:
    """The backward passes of all threads.

    torch's engine runs nodes in threads of its own where tensors are on an accelerator, so what a
    pass was asked for cannot be kept with the thread that asked. It is kept by the number of the
    pass. (torch has state that follows a pass, but drops references to objects in 2.6 to 2.11.)
    """

    def __init__(self) -> None:
        self.turn = Lock()
        """Held by a pass that adds to the gradients of leaves, or is watched.

        torch adds to the gradient of a leaf under a lock of its own but calls our hook, which takes
        the gradient away, without it: another pass might be adding."""
        self.asked: dict[int, Differentiation] = {}
        self.asking: set[object] = set()
        """What stands for nodes that will ask what their pass was asked for: captured graphs."""


_passes = _Passes()
_UNKNOWN = Differentiation()
_run_engine = torch.autograd.Variable._execution_engine.run_backward


def begin_asking(node: object) -> None:
    """Has passes that begin from now on note what they are asked for, until `end_asking`.

    Args:
        node: Stands for a node that will ask for it (`current_differentiation`).
    """
    _passes.asking.add(node)


def end_asking(node: object) -> None:
    """Notes that no pass will run a node again, if it is known to ask."""
    _passes.asking.discard(node)


def current_differentiation() -> Differentiation:
    """Returns what the pass that runs the caller was asked for."""
    return _passes.asked.get(number_of_pass(), _UNKNOWN)


_STAND_INS: dict[torch.device, Tensor] = {}


def stand_in(device: torch.device) -> Tensor:
    """Returns the leaf that stands for all parameters of a captured graph.

    Such a graph gives the gradients of its parameters to their arrays, or to `Differentiation`. To
    pass the parameters through torch's engine would take some microseconds for each.
    """
    leaf = _STAND_INS.get(device)
    if leaf is None:
        leaf = _STAND_INS[device] = torch.zeros((), device=device, requires_grad=True)
    return leaf


def _start_of(head: Tensor) -> Tensor:
    """Returns the gradient to start from; a captured graph has it at hand."""
    kept = getattr(head.grad_fn, "ones", None)
    return torch.ones_like(head) if kept is None else kept[head.output_nr]


def run_backward(
    heads: Sequence[Tensor],
    head_gradients: Sequence[Tensor | None],
    *,
    retain_graph: bool,
    create_graph: bool = False,
    leaves: Sequence[Tensor] = (),
) -> Sequence[Tensor | None]:
    """Differentiates the heads, of which one without a gradient starts from ones.

    Args:
        heads: Tensors to differentiate.
        head_gradients: Gradient of each head.
        retain_graph: Whether the graph can be used again.
        create_graph: Whether the gradients have a history themselves.
        leaves: Tensors whose gradients are wanted; without any, gradients accumulate in all leaves.

    Returns:
        The gradient of each leaf that was asked for, None for one that was not reached.

    Raises:
        MXNetError: if part of the graph has been used up before.
    """
    starts: list[Tensor] = []
    for head, given in zip(heads, head_gradients, strict=True):
        if given is None:
            given = _start_of(head) if head.is_cuda else torch.ones_like(head)
        else:
            raise_failed(given)
        starts.append(given)
    wanted = (*leaves, *_STAND_INS.values()) if leaves else ()
    # torch.autograd would check these arguments, which costs as much as a node and, the first
    # time, the import of sympy.
    arguments = tuple(heads), tuple(starts), retain_graph, create_graph, wanted
    try:
        if _passes.asking:
            return _run_watched(arguments, leaves)
        if leaves or number_of_pass() != -1:  # then the pass around this one has the turn
            results = _run_engine(*arguments, allow_unreachable=True, accumulate_grad=not wanted)
            return (results or ())[: len(leaves)]
        with _passes.turn:
            _run_engine(*arguments, allow_unreachable=True, accumulate_grad=True)
            return ()
    except MXNetError:
        raise
    except (RuntimeError, MemoryError) as error:
        raise as_mxnet_error(error) from error


def _run_watched(arguments: tuple[Any, ...], leaves: Sequence[Tensor]) -> Sequence[Tensor | None]:
    """Runs torch's engine and notes what is asked for under the number of the pass.

    The number is known when the first node runs, which is that of a head. A pass that runs a node
    of the same head at the same time would take it for its own, so watched passes take turns.
    """
    heads, _, retain_graph, create_graph, wanted = arguments
    asked = Differentiation(retain_graph or create_graph, bool(leaves))
    numbers: list[int] = []

    def note(gradients: tuple[Tensor, ...]) -> None:
        del gradients  # they stay as they are
        numbers.append(number_of_pass())
        _passes.asked[numbers[-1]] = asked

    with _passes.turn if number_of_pass() == -1 else nullcontext():
        nodes = [head.grad_fn for head in heads if head.grad_fn is not None]
        handles = [node.register_prehook(note) for node in nodes]
        try:
            # The result is None in a pass that another one waits for.
            results = _run_engine(*arguments, allow_unreachable=True, accumulate_grad=not wanted)
        finally:
            for handle in handles:
                handle.remove()
            for number in numbers:
                _passes.asked.pop(number, None)
    collected = asked.collected or {}
    return [
        _join(collected.get(id(leaf)), part)
        for leaf, part in zip(leaves, results or (), strict=False)
    ]


def in_memory(gradient: Tensor) -> Tensor:
    """Returns a gradient in dense form; torch may know one to be zero and keep no elements."""
    if gradient.is_sparse:
        return gradient.to_dense()
    return gradient.clone() if gradient._is_zerotensor() else gradient


def _join(collected: Tensor | None, part: Tensor | None) -> Tensor | None:
    """Adds up what captured graphs and torch's engine have computed for a leaf."""
    if part is None or collected is None:
        return collected if part is None else part
    return part + collected
