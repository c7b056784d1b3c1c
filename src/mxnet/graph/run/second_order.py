"""Second derivatives of captured plans, such as a gradient penalty takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from mxnet._arrays.capture import states_restored
from mxnet.graph.lower import Report, Setting
from mxnet.graph.run.plan import Run


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
