"""Plans captured as CUDA graphs: one launch for the forward pass and one for the backward pass.

A capture owns the memory of its activations, results and gradients. A call takes a free
capture: one whose results are gone and whose backward pass is done, or cannot come any more.
So results are as safe as those of any operator, and a network that is called several times before
`backward` has several captures. The gradients of parameters stay in the memory of the capture,
until its next backward pass.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from mxnet._arrays.array import unshare_results
from mxnet._arrays.autograd import tape
from mxnet._arrays.capture import (
    Capture,
    Place,
    StaticInputs,
    make_pool,
    place_of,
    states_restored,
    warm_up,
)
from mxnet._state import Lock, modes
from mxnet.graph.lower import Report, Setting
from mxnet.graph.run.plan import Run
from mxnet.ops.core.devices import shortcuts


class SecondOrder:
    """Computes gradients that can be differentiated themselves, which no capture can.

    The call is computed once more for that, by kernels that torch records, with the same random
    numbers. Later calls are not captured any more: they are likely to be differentiated twice, too.

    Args:
        run: The plan, without a compiler.
        states: Positions of the parameters that it updates.
        draws: Whether it draws random numbers.
        setting: What the plan was made for.
        report: Is told once that calls are no longer captured.
    """

    def __init__(
        self, run: Run, states: Sequence[int], draws: bool, setting: Setting, report: Report
    ) -> None:
        self.run, self.is_used = run, False
        self._states, self._draws = states, draws
        self._setting, self._report = setting, report

    def note_random_state(self) -> Tensor | None:
        """Returns the state of the random generator before a call; None if that draws nothing."""
        return self._generator().get_state() if self._draws else None

    def _generator(self) -> torch.Generator:
        device, own = self._setting.device, self._setting.generator
        if own is not None:
            return own
        if device.type == "cuda":
            return torch.cuda.default_generators[device.index or 0]
        return torch.default_generator

    def differentiate(
        self,
        tensors: Sequence[Tensor],
        wanted: Sequence[int],
        head_gradients: Sequence[Tensor | None],
        random_state: Tensor | None,
    ) -> list[Tensor | None]:
        """Returns the gradients of some inputs of a call, with their history.

        Args:
            tensors: The inputs of the call.
            wanted: Positions of the inputs that gradients are wanted of.
            head_gradients: Gradient of each output.
            random_state: What `note_random_state` returned before the call.
        """
        if not self.is_used:
            self.is_used = True
            self._report("is differentiated twice, and its calls are not captured from now on")
        states = [tensors[position] for position in self._states]
        with self._random_numbers_of(random_state), states_restored(states):
            outputs = self.run(tensors)
        heads = [
            (output, torch.zeros_like(output) if gradient is None else gradient)
            for output, gradient in zip(outputs, head_gradients, strict=True)
            if output.requires_grad
        ]
        return list(
            torch.autograd.grad(
                [output for output, _ in heads],
                [tensors[position] for position in wanted],
                [gradient for _, gradient in heads],
                create_graph=True,
                allow_unused=True,
            )
        )

    @contextmanager
    def _random_numbers_of(self, state: Tensor | None) -> Iterator[None]:
        if state is None:
            yield
            return
        generator = self._generator()
        now = generator.get_state()
        generator.set_state(state)
        try:
            yield
        finally:
            generator.set_state(now)


_MOST_CAPTURES = 6
"""Captures of one plan; a call that finds all of them in use runs the plan itself.

A critic is called with real data, with samples, and with samples that learn, and a loop may hold
the last results of each.
"""


class CapturedPlan:
    """A plan for fixed shapes that is replayed instead of run.

    Args:
        run: The plan.
        given: Positions of the tensors that differ from call to call; the others are parameters.
        states: Positions of the parameters that the plan updates.
        second_order: How to differentiate a call twice; None if gradients will not be asked for.
        exact: Whether what a capture would do in another way, such as operators that check values,
            is not captured.

    Attributes:
        plan: The plan.
        count: Captures that have been made so far.
        is_refused: Whether no capture does what the plan does.
    """

    def __init__(
        self,
        run: Run,
        given: Sequence[int],
        states: Sequence[int],
        second_order: SecondOrder | None,
        *,
        exact: bool = False,
    ) -> None:
        self.plan = run
        self._run, self._given, self._states = run, given, states
        self._second_order = second_order
        self._refresh: Callable[[Sequence[Tensor]], Any] | None = getattr(run, "refresh", None)
        self._captures: list[_CapturedRun] = []
        self.count, self.is_refused, self._exact = 0, False, exact
        self._lock = Lock()
        """Is held from the search for a free capture until its results are held."""

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs."""
        if not modes.captures:  # they are part of a larger capture
            return self._run(tensors)
        second_order = self._second_order
        if self.is_refused:
            return self._run(tensors)
        if second_order is not None and second_order.is_used:
            return second_order.run(tensors)
        with self._lock:
            if self._refresh is not None:
                self._refresh(tensors)
            capture = self._find(tensors)
            if capture is None:
                return self._run(tensors)
            if second_order is None:
                capture.replay(tensors)
                return [result.value.detach() for result in capture.results]
            results: Any = _Replay.apply(  # type: ignore[no-untyped-call]
                capture, second_order, tensors, *capture.find_places(tensors)
            )
            return list(results)

    def _find(self, tensors: Sequence[Tensor]) -> _CapturedRun | None:
        """Returns a capture that is free and has these parameters, a new one if there is none."""
        for capture in self._captures:
            if capture.is_free() and capture.fits(tensors):
                return capture
        self._captures = [item for item in self._captures if item.inputs.has_fixed(tensors)]
        if len(self._captures) == _MOST_CAPTURES:
            return None
        with_backward = self._second_order is not None
        shortcuts_before = shortcuts.count
        made = _CapturedRun(self._run, tensors, self._given, self._states, with_backward)
        if self._exact and shortcuts.count > shortcuts_before:
            self.is_refused = True
            return None
        self._captures.append(made)
        self.count += 1
        return made

    @property
    def is_left(self) -> bool:
        """Whether calls are not captured any more, because they are differentiated twice."""
        return self._second_order is not None and self._second_order.is_used


class _Result:
    """A result of a capture, in memory that stays the same.

    A capture that reads it, as a loss reads the output of a network, reads it in place and writes
    its gradient where the backward pass of this one expects it.
    """

    def __init__(self, value: Tensor, gradient: Tensor | None) -> None:
        self.value = value
        self.gradient = gradient
        self.ones = None if gradient is None else torch.ones_like(gradient)
        self.has_ones = False
        """Whether the gradient is one everywhere, as that of the head of a backward pass."""
        self.has_reader = False
        """Whether another capture writes the gradient."""
        self._own_uses = self._count_uses()
        _RESULTS[place_of(value)] = self

    def _count_uses(self) -> int:
        return torch._C._storage_Use_Count(self.value.untyped_storage()._cdata)

    def is_alive(self) -> bool:
        """Returns whether the result, or a part of it, is held elsewhere."""
        return self._count_uses() > self._own_uses

    def lend(self) -> Tensor:
        """Returns a reference that a capture keeps."""
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
        elif place_of(gradient) != place_of(self.gradient):
            self.gradient.copy_(gradient)


_RESULTS: weakref.WeakValueDictionary[Place, _Result] = weakref.WeakValueDictionary()
"""Results of all captures by their place in memory."""


class _CapturedRun:
    """The captures of both passes, with the memory that they read and write."""

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
        sources = {position: _RESULTS.get(place_of(tensors[position])) for position in given}
        copied = [position for position, source in sources.items() if source is None]
        self._sources = {i: source for i, source in sources.items() if source is not None}
        own = [self._own_input(i, item, i in copied) for i, item in enumerate(tensors)]
        self.inputs = StaticInputs(own, copied, self._sources, tensors)
        self._wanted = [i for i, item in enumerate(own) if item.requires_grad]
        self._learns = {i: own[i].requires_grad for i in given}
        # Parameters get their gradients without the way through torch's engine.
        takers = {i: getattr(tensors[i], "take_gradient", None) for i in self._wanted}
        self._takers = {i: take for i, take in takers.items() if take and i in self.inputs.fixed}
        self._passed = [position for position in self._wanted if position not in self._takers]
        warm_up(lambda: self._run_once(run), own[0].device, [own[i] for i in states])
        self._capture(run)

    def _own_input(self, position: int, given: Tensor, is_copied: bool) -> Tensor:
        """Returns the tensor that the capture reads in the place of a given one."""
        source = self._sources.get(position)
        if source is not None:
            own = source.lend()
        elif is_copied:
            own = given.detach().clone()
        elif self._with_backward:  # an alias, so that nothing accumulates in the parameter
            own = given.detach()
        else:
            return given
        return own.requires_grad_(given.requires_grad and self._with_backward)

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Returns whether all that is read in place is there, and the same gradients are wanted.

        A result of another capture may come with its history, or without it by `detach`.
        """
        return self.inputs.fit(tensors) and not (
            self._with_backward
            and any(tensors[i].requires_grad != self._learns[i] for i in self._learns)
        )

    def is_free(self) -> bool:
        """Returns whether what the last replay has computed cannot be asked for any more."""
        return self.user is None and not any(result.is_alive() for result in self.results)

    def _run_once(self, run: Run) -> None:
        outputs = run(self.inputs.tensors)
        self._differentiate(outputs, [torch.zeros_like(item) for item in outputs])

    def _capture(self, run: Run) -> None:
        inputs, pool = self.inputs.tensors, make_pool()
        forward = Capture(lambda: unshare_results(run(inputs), inputs), pool)
        outputs = forward.result
        heads = [torch.ones_like(item) for item in outputs]  # as a backward pass starts
        self._gradients: list[Tensor | None] = []
        self._backward: Capture[Any] | None = None
        if self._wanted:
            self._backward = Capture(lambda: self._find_gradients(outputs, heads), pool)
            self._gradients = self._backward.result
        values = [
            (item.detach(), head if item.requires_grad else None)
            for item, head in zip(outputs, heads, strict=True)
        ]
        # They hold the graph of torch, and that holds the results.
        outputs.clear()
        self._forward = forward
        self.results = [_Result(value, head) for value, head in values]

    def _find_gradients(
        self, outputs: Sequence[Tensor], heads: Sequence[Tensor]
    ) -> list[Tensor | None]:
        gradients = self._differentiate(outputs, heads, retain_graph=True)
        return [
            None
            if gradient is None
            else self._hand_over(position, _in_order_of(self.inputs.tensors[position], gradient))
            for position, gradient in zip(self._wanted, gradients, strict=False)
        ]

    def _hand_over(self, position: int, gradient: Tensor) -> Tensor:
        """Writes the gradient of another capture's result to where that one reads it."""
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

        In a capture the graph must be retained: memory of activations that is free during the
        capture would serve for gradients, and be written to by the first backward pass.
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
                [self.inputs.tensors[position] for position in self._wanted],
                [gradient for _, gradient in heads],
                retain_graph=retain_graph,
                allow_unused=True,
            )
        )

    @property
    def takers(self) -> list[Callable[[Tensor], None]]:
        """What takes the gradients of parameters."""
        return [*self._takers.values()]

    def replay(self, tensors: Sequence[Tensor]) -> None:
        """Computes the results."""
        self.inputs.load(tensors)
        self._forward.replay()

    def find_places(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Returns what ties the results to torch's graph: a stand-in, and all but parameters."""
        if not self._wanted:
            return []
        places = [tensors[position] for position in self._passed]
        return [tape.stand_in(self.inputs.tensors[0].device), *places] if self._takers else places

    def replay_backward(self, head_gradients: Sequence[Tensor | None]) -> list[Tensor | None]:
        """Computes gradients, gives parameters theirs, and returns those of the places."""
        for result, gradient in zip(self.results, head_gradients, strict=True):
            result.take_gradient(gradient)
        if self._backward is not None:
            self._backward.replay()
        return self._deliver(self._gradients)

    def differentiate_again(
        self,
        second_order: SecondOrder,
        tensors: Sequence[Tensor],
        head_gradients: Sequence[Tensor | None],
        random_state: Tensor | None,
    ) -> list[Tensor | None]:
        """Does what `replay_backward` does, with gradients that have a history."""
        return self._deliver(
            second_order.differentiate(tensors, self._wanted, head_gradients, random_state)
        )

    def _deliver(self, gradients: Sequence[Tensor | None]) -> list[Tensor | None]:
        """Hands gradients to their parameters, and returns those of the places."""
        places: list[Tensor | None] = [None] if self._takers else []
        asked = tape.current_differentiation()
        for position, gradient in zip(self._wanted, gradients, strict=False):
            take = self._takers.get(position)
            if take is None:
                # What autograd.grad gives belongs to the user.
                owned = asked.collected is not None and gradient is not None
                places.append(gradient.clone() if owned and gradient is not None else gradient)
            elif gradient is None:
                continue
            elif asked.collected is None:
                take(gradient)
            else:
                asked.collect(self.inputs.fixed[position], gradient)
        return places


def _in_order_of(leaf: Tensor, gradient: Tensor) -> Tensor:
    """Returns a gradient with the strides of its leaf, as torch's engine does.

    That of a filter of one pixel is contiguous in either order of axes, with strides that differ.
    One in torch's sparse form has none.
    """
    if gradient.is_sparse:
        return gradient
    strides = zip(leaf.shape, leaf.stride(), gradient.stride(), strict=True)
    if all(size == 1 or wanted == given for size, wanted, given in strides):
        return gradient.as_strided(leaf.shape, leaf.stride(), gradient.storage_offset())
    return torch.empty_like(leaf).copy_(gradient)


class _Use:
    """Holds a capture, and what it was called with, as long as a backward pass is possible."""

    def __init__(self, capture: _CapturedRun, tensors: Sequence[Tensor]) -> None:
        self.capture = capture
        self.tensors = [*tensors]
        self._token = capture.user = object()
        tape.begin_asking(self._token)

    def end(self) -> None:
        """Releases the capture, unless another use has it by now."""
        tape.end_asking(self._token)
        self.tensors.clear()
        if self.capture.user is self._token:
            self.capture.user = None

    def __del__(self) -> None:
        self.end()


class _Replay(torch.autograd.Function):
    """Both passes by replaying."""

    @staticmethod
    def forward(
        ctx: Any,
        capture: _CapturedRun,
        second_order: SecondOrder,
        tensors: Sequence[Tensor],
        *places: Tensor,  # noqa: ARG004 - they tie the results to torch's graph
    ) -> tuple[Tensor, ...]:
        ctx.use = _Use(capture, tensors)
        ctx.second_order = second_order
        ctx.random_state = second_order.note_random_state()
        ctx.ones = [result.ones for result in capture.results]
        ctx.takers = capture.takers
        ctx.set_materialize_grads(False)
        capture.replay(tensors)
        outputs = tuple(result.value.detach() for result in capture.results)
        constant = [
            output
            for output, result in zip(outputs, capture.results, strict=True)
            if result.gradient is None
        ]
        if constant:
            ctx.mark_non_differentiable(*constant)
        return outputs

    @staticmethod
    def backward(ctx: Any, *head_gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        use = ctx.use
        if torch.is_grad_enabled():  # the gradients are to be differentiated themselves
            gradients = use.capture.differentiate_again(
                ctx.second_order, use.tensors, head_gradients, ctx.random_state
            )
        else:
            gradients = use.capture.replay_backward(head_gradients)
        if not tape.current_differentiation().retains:
            use.end()
        return (None, None, None, *gradients)
