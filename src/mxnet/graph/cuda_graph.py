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

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs."""
        if self._refresh is not None:
            self._refresh(tensors)
        recording = self._find(tensors)
        if recording is None:
            return self._run(tensors)
        if not self._with_backward:
            recording.replay(tensors)
            return [result.value.detach() for result in recording.results]
        found: Any = _Replay.apply(recording, *tensors)  # type: ignore[no-untyped-call]
        return list(found)

    def _find(self, tensors: Sequence[Tensor]) -> _Recording | None:
        """Gives a recording that is free and has these parameters, a new one if there is none."""
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

    def __init__(self, value: Tensor, with_gradient: bool) -> None:
        self.value = value
        self.gradient = torch.zeros_like(value) if with_gradient else None
        self.ones = torch.ones_like(value) if with_gradient else None
        self.has_ones = False
        """Whether the gradient is one everywhere, as that of the head of a backward pass."""
        self.has_reader = False
        """Whether another recording writes the gradient."""
        self._own_uses = self._count_uses()
        _RESULTS[value.data_ptr()] = self

    def _count_uses(self) -> int:
        return torch._C._storage_Use_Count(self.value.untyped_storage()._cdata)

    def is_alive(self) -> bool:
        """Tells whether somebody else holds the result, or a part of it."""
        return self._count_uses() > self._own_uses

    def lend(self) -> Tensor:
        """Gives a reference that a recording keeps."""
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
        copied = {*self._copied}
        self._fixed = [position for position in range(len(tensors)) if position not in copied]
        self._parameters = [position for position in self._fixed if position not in self._sources]
        self._pointers = [item.data_ptr() for item in tensors]
        # Parameters are the same tensors in each call; what was given is not kept alive.
        self._tensors = [
            None if position in self._sources else item for position, item in enumerate(tensors)
        ]
        self._inputs = [
            self._own_input(position, item, position in copied)
            for position, item in enumerate(tensors)
        ]
        self._wanted = [i for i, item in enumerate(self._inputs) if item.requires_grad]
        # Parameters get their gradients without the way through torch's engine.
        self._takers = [
            None if i in self._sources else getattr(item, "take_gradient", None)
            for i, item in enumerate(tensors)
        ]
        self._prepare(run, states)
        self._capture(run)

    def _own_input(self, position: int, given: Tensor, is_copied: bool) -> Tensor:
        """Gives the tensor that the graph reads in the place of a given one."""
        source = self._sources.get(position)
        if source is not None:
            found = source.lend()
        elif is_copied:
            found = given.detach().clone()
        elif self._with_backward:  # an alias, so that nothing accumulates in the parameter
            found = given.detach()
        else:
            return given
        return found.requires_grad_(given.requires_grad and self._with_backward)

    def is_free(self) -> bool:
        """Tells whether nobody can ask for what the last replay has computed."""
        return self.user is None and not any(result.is_alive() for result in self.results)

    def has_parameters(self, tensors: Sequence[Tensor]) -> bool:
        """Tells whether the parameters still are where the graph reads them."""
        return self._are_same(self._parameters, tensors)

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Tells whether all that the graph reads in place is there."""
        return self._are_same(self._fixed, tensors)

    def _are_same(self, positions: Sequence[int], tensors: Sequence[Tensor]) -> bool:
        known = self._tensors
        return all(
            tensors[i] is known[i] or tensors[i].data_ptr() == self._pointers[i] for i in positions
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
            # A result may be a view of another one or of an input, which others can write to.
            outputs = [_own(item, self._inputs) for item in run(self._inputs)]
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
        differentiable = [item.requires_grad for item in outputs]
        values = [item.detach() for item in outputs]
        del outputs
        self.results = [
            _Result(value, known) for value, known in zip(values, differentiable, strict=True)
        ]
        for result, head in zip(self.results, heads, strict=True):
            if result.gradient is not None:
                result.gradient = head

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
        """Gives the gradients of the inputs.

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

    def replay_backward(self, head_gradients: Sequence[Tensor | None]) -> list[Tensor | None]:
        """Gives the gradient of each input; the next replay overwrites them."""
        for result, gradient in zip(self.results, head_gradients, strict=True):
            result.take_gradient(gradient)
        self._backward.replay()
        found: list[Tensor | None] = [None] * len(self._inputs)
        accumulates = _tape.engine.accumulates
        for position, gradient in zip(self._wanted, self._gradients, strict=False):
            if gradient is None:
                continue
            if not accumulates:  # what autograd.grad gives belongs to the user
                found[position] = gradient.clone()
                continue
            take = self._takers[position]
            if take is None:
                found[position] = gradient.detach()
            else:
                take(gradient)
        return found

    def keep(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Gives the tensors that the backward pass reads in place, to be kept until then."""
        return [tensors[i] for i, source in self._sources.items() if source is not None]


def _find_result(tensor: Tensor) -> _Result | None:
    """Finds the result of a recording that a tensor is, as a whole."""
    found = _RESULTS.get(tensor.data_ptr())
    if found is None or found.value.shape != tensor.shape or found.value.dtype != tensor.dtype:
        return None
    return found if found.value.stride() == tensor.stride() else None


def _own(result: Tensor, inputs: Sequence[Tensor]) -> Tensor:
    """Gives a result memory of its own if it has an input's."""
    place = result.untyped_storage().data_ptr()
    if any(item.untyped_storage().data_ptr() == place for item in inputs):
        return result.clone()
    return result


class _Use:
    """Holds a recording as long as a backward pass through it is possible."""

    def __init__(self, recording: _Recording, tensors: Sequence[Tensor]) -> None:
        self.recording = recording
        self.kept = recording.keep(tensors)
        self._token = recording.user = object()

    def end(self) -> None:
        """Gives the recording back, unless somebody else has it by now."""
        self.kept.clear()
        if self.recording.user is self._token:
            self.recording.user = None

    def __del__(self) -> None:
        self.end()


class _Replay(torch.autograd.Function):
    """Both passes by replaying."""

    @staticmethod
    def forward(ctx: Any, recording: _Recording, *tensors: Tensor) -> tuple[Tensor, ...]:
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
        if not _tape.engine.retains:
            ctx.use.end()
        return (None, *found)
