"""Plans recorded as CUDA graphs: one launch for the forward pass and one for the backward pass.

A recording owns the memory of its activations, results and gradients. A call takes a recording
that nobody uses: one whose results are gone and whose backward pass is done, or cannot come any
more. So results are as safe as those of any operator, and a network that is called several times
before `backward` has several recordings. The gradients of parameters stay in the memory of the
recording, until its next backward pass.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch
from torch import Tensor

from mxnet import _tape
from mxnet._locks import Lock
from mxnet.errors import MXNetError

Run: TypeAlias = Callable[[Sequence[Tensor]], list[Tensor]]

_WARM_UP = 3
"""Runs before the recording, in which libraries choose their algorithms and allocate."""

_MOST_RECORDINGS = 4
"""Recordings of one plan; a call that finds all of them in use runs the plan itself."""


class GraphedPlan:
    """A plan for fixed shapes that is replayed instead of run.

    Args:
        run: The plan.
        given: Positions of the tensors that differ from call to call; the others are parameters.
        states: Positions of the parameters that the plan updates.
        recording: Whether gradients will be asked for.
    """

    def __init__(
        self, run: Run, given: Sequence[int], states: Sequence[int], recording: bool
    ) -> None:
        self._run, self._given, self._states = run, given, states
        self._with_backward = recording
        self._refresh: Callable[[Sequence[Tensor]], Any] | None = getattr(run, "refresh", None)
        self._recordings: list[_Recording] = []
        _tape.watch_passes()
        self._lock = Lock()
        """Is held from the search for a free recording until somebody holds its results."""

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs."""
        with self._lock:
            if self._refresh is not None:
                self._refresh(tensors)
            recording = self._find(tensors)
            if recording is None:
                return self._run(tensors)
            if not self._with_backward:
                recording.replay(tensors)
                return [result.value.detach() for result in recording.results]
            found: Any = _Replay.apply(  # type: ignore[no-untyped-call]
                recording, tensors, *recording.find_places(tensors)
            )
            return list(found)

    def _find(self, tensors: Sequence[Tensor]) -> _Recording | None:
        """Returns a recording that is free and has these parameters, a new one if there is none."""
        for recording in self._recordings:
            if recording.is_free() and recording.fits(tensors):
                return recording
        self._recordings = [item for item in self._recordings if item.has_parameters(tensors)]
        if len(self._recordings) == _MOST_RECORDINGS:
            return None
        made = _Recording(self._run, tensors, self._given, self._states, self._with_backward)
        self._recordings.append(made)
        return made


class _Result:
    """A result of a recording, in memory that stays the same.

    A recording that reads it, as a loss reads the output of a network, reads it in place and
    writes its gradient where the backward pass of this one expects it.
    """

    def __init__(self, value: Tensor, gradient: Tensor | None) -> None:
        self.value = value
        self.gradient = gradient
        self.ones = None if gradient is None else torch.ones_like(gradient)
        self.has_ones = False
        """Whether the gradient is one everywhere, as that of the head of a backward pass."""
        self.has_reader = False
        """Whether another recording writes the gradient."""
        self._own_uses = self._count_uses()
        _RESULTS[value.data_ptr()] = self

    def _count_uses(self) -> int:
        return torch._C._storage_Use_Count(self.value.untyped_storage()._cdata)

    def is_alive(self) -> bool:
        """Returns whether somebody else holds the result, or a part of it."""
        return self._count_uses() > self._own_uses

    def lend(self) -> Tensor:
        """Returns a reference that a recording keeps."""
        self._own_uses += 1
        return self.value.detach()

    def take_gradient(self, gradient: Tensor | None) -> None:
        """Puts the gradient where the backward pass reads it."""
        if self.gradient is None:
            return
        if gradient is self.ones and not self.has_reader:
            if not self.has_ones:
                self.gradient.fill_(1)
                self.has_ones = True
            return
        self.has_ones = False
        if gradient is None:
            self.gradient.zero_()
        elif gradient.data_ptr() != self.gradient.data_ptr():
            self.gradient.copy_(gradient)


_RESULTS: weakref.WeakValueDictionary[int, _Result] = weakref.WeakValueDictionary()
"""Results of all recordings by their place in memory."""


class _Recording:
    """The two graphs, with the memory that they read and write."""

    def __init__(
        self,
        run: Run,
        tensors: Sequence[Tensor],
        given: Sequence[int],
        states: Sequence[int],
        with_backward: bool,
    ) -> None:
        self.user: object | None = None
        self._with_backward = with_backward
        self._sources = {position: _find_result(tensors[position]) for position in given}
        self._copied = [position for position in given if self._sources[position] is None]
        self._parameters = {i: item for i, item in enumerate(tensors) if i not in self._sources}
        self._inputs = [self._own_input(position, item) for position, item in enumerate(tensors)]
        self._wanted = [i for i, item in enumerate(self._inputs) if item.requires_grad]
        # Parameters get their gradients without the way through torch's engine.
        takers = {i: getattr(tensors[i], "take_gradient", None) for i in self._wanted}
        self._takers = {i: take for i, take in takers.items() if take and i in self._parameters}
        self._passed = [position for position in self._wanted if position not in self._takers]
        self._prepare(run, states)
        self._capture(run)

    def _own_input(self, position: int, given: Tensor) -> Tensor:
        """Returns the tensor that the graph reads in the place of a given one."""
        source = self._sources.get(position)
        if source is not None:
            found = source.lend()
        elif position in self._sources:
            found = given.detach().clone()
        elif self._with_backward:  # an alias, so that nothing accumulates in the parameter
            found = given.detach()
        else:
            return given
        return found.requires_grad_(given.requires_grad and self._with_backward)

    def is_free(self) -> bool:
        """Returns whether nobody can ask for what the last replay has computed."""
        return self.user is None and not any(result.is_alive() for result in self.results)

    def has_parameters(self, tensors: Sequence[Tensor]) -> bool:
        """Returns whether the parameters are those of the recording, gradients included."""
        return all(tensors[i] is parameter for i, parameter in self._parameters.items())

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Returns whether all that the graph reads in place is there."""
        return self.has_parameters(tensors) and all(
            tensors[i].data_ptr() == source.value.data_ptr()
            for i, source in self._sources.items()
            if source is not None
        )

    def _prepare(self, run: Run, states: Sequence[int]) -> None:
        """Runs the plan without leaving a trace in states.

        Random numbers are drawn: to set their generator back would make cuDNN prepare its dropout
        anew, which it cannot while a graph is recorded.
        """
        device = self._inputs[0].device
        saved = [self._inputs[position].clone() for position in states]
        stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(stream):
            for _ in range(_WARM_UP):
                outputs = run(self._inputs)
                self._differentiate(outputs, [torch.zeros_like(item) for item in outputs])
        torch.cuda.current_stream(device).wait_stream(stream)
        for position, before in zip(states, saved, strict=True):
            self._inputs[position].copy_(before)

    def _capture(self, run: Run) -> None:
        pool = torch.cuda.graph_pool_handle()
        self._forward = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._forward, pool=pool):
            outputs: list[Tensor] = []
            for item in run(self._inputs):
                outputs.append(_own(item, (*self._inputs, *outputs)))
        self._backward = torch.cuda.CUDAGraph()
        self._gradients: list[Tensor | None] = []
        heads = [torch.zeros_like(item) for item in outputs]
        if self._wanted:
            with torch.cuda.graph(self._backward, pool=pool):
                found = self._differentiate(outputs, heads, retain_graph=True)
                self._gradients = [
                    None if gradient is None else self._hand_over(position, gradient)
                    for position, gradient in zip(self._wanted, found, strict=False)
                ]
        values = [
            (item.detach(), head if item.requires_grad else None)
            for item, head in zip(outputs, heads, strict=True)
        ]
        del outputs, item  # they hold the graph of torch, and that holds the results
        self.results = [_Result(value, head) for value, head in values]

    def _hand_over(self, position: int, gradient: Tensor) -> Tensor:
        """Writes the gradient of another recording's result to where that one reads it."""
        source = self._sources.get(position)
        if source is None or source.gradient is None or source.has_reader:
            return gradient
        source.has_reader = True
        return source.gradient.copy_(gradient)

    def _differentiate(
        self,
        outputs: Sequence[Tensor],
        head_gradients: Sequence[Tensor],
        retain_graph: bool = False,
    ) -> list[Tensor | None]:
        """Returns the gradients of the inputs.

        In a recording the graph must be retained: memory of activations that is free during the
        recording would serve for gradients, and be written to by the first backward pass.
        """
        heads = [
            (output, gradient)
            for output, gradient in zip(outputs, head_gradients, strict=True)
            if output.requires_grad
        ]
        if not (self._wanted and heads):
            return []
        return list(
            torch.autograd.grad(
                [output for output, _ in heads],
                [self._inputs[position] for position in self._wanted],
                [gradient for _, gradient in heads],
                retain_graph=retain_graph,
                allow_unused=True,
            )
        )

    def replay(self, tensors: Sequence[Tensor]) -> None:
        """Computes the results."""
        for position in self._copied:
            self._inputs[position].copy_(tensors[position])
        self._forward.replay()

    def find_places(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Returns what ties the results to torch's graph: a stand-in, and all but parameters."""
        if not self._wanted:
            return []
        places = [tensors[position] for position in self._passed]
        return [_tape.stand_in(self._inputs[0].device), *places] if self._takers else places

    def replay_backward(self, head_gradients: Sequence[Tensor | None]) -> list[Tensor | None]:
        """Computes gradients, gives parameters theirs, and returns those of the places."""
        for result, gradient in zip(self.results, head_gradients, strict=True):
            result.take_gradient(gradient)
        self._backward.replay()
        found: list[Tensor | None] = [None] if self._takers else []
        asked = _tape.current_differentiation()
        for position, gradient in zip(self._wanted, self._gradients, strict=False):
            take = self._takers.get(position)
            if take is None:
                # What autograd.grad gives belongs to the user.
                owned = asked.collected is not None and gradient is not None
                found.append(gradient.clone() if owned and gradient is not None else gradient)
            elif gradient is None:
                continue
            elif asked.collected is None:
                take(gradient)
            else:
                asked.collect(self._parameters[position], gradient)
        return found

    def keep(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Returns the tensors that the backward pass reads in place, to be kept until then."""
        return [tensors[i] for i, source in self._sources.items() if source is not None]


def _find_result(tensor: Tensor) -> _Result | None:
    """Finds the result of a recording that a tensor is, as a whole."""
    found = _RESULTS.get(tensor.data_ptr())
    if found is None or found.value.shape != tensor.shape or found.value.dtype != tensor.dtype:
        return None
    return found if found.value.stride() == tensor.stride() else None


def _own(result: Tensor, others: Sequence[Tensor]) -> Tensor:
    """Copies a result that shares memory with others, which a user may write to."""
    place = result.untyped_storage().data_ptr()
    if any(item.untyped_storage().data_ptr() == place for item in others):
        return result.clone()
    return result


class _Use:
    """Holds a recording as long as a backward pass through it is possible."""

    def __init__(self, recording: _Recording, tensors: Sequence[Tensor]) -> None:
        self.recording = recording
        self.kept = recording.keep(tensors)
        self._token = recording.user = object()

    def end(self) -> None:
        """Releases the recording, unless somebody else has it by now."""
        self.kept.clear()
        if self.recording.user is self._token:
            self.recording.user = None

    def __del__(self) -> None:
        self.end()


class _Replay(torch.autograd.Function):
    """Both passes by replaying."""

    @staticmethod
    def forward(
        ctx: Any,
        recording: _Recording,
        tensors: Sequence[Tensor],
        *places: Tensor,  # noqa: ARG004 - they tie the results to torch's graph
    ) -> tuple[Tensor, ...]:
        ctx.use = _Use(recording, tensors)
        ctx.ones = [result.ones for result in recording.results]
        ctx.set_materialize_grads(False)
        recording.replay(tensors)
        outputs = tuple(result.value.detach() for result in recording.results)
        constant = [
            output
            for output, result in zip(outputs, recording.results, strict=True)
            if result.gradient is None
        ]
        if constant:
            ctx.mark_non_differentiable(*constant)
        return outputs

    @staticmethod
    def backward(ctx: Any, *head_gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        if torch.is_grad_enabled():
            raise MXNetError(
                "backward: a network that was hybridized with static_alloc and static_shape cannot "
                "be differentiated twice; hybridize it without them for create_graph=True"
            )
        found = ctx.use.recording.replay_backward(head_gradients)
        if not _tape.current_differentiation().retains:
            ctx.use.end()
        return (None, None, *found)
