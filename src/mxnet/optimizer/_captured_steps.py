"""Steps of an optimizer captured as CUDA graphs.

A step on a GPU is a handful of launches, which cost more than the arithmetic of a small network.
One that repeats itself, with the same rates on the same memory, is captured and replayed. That is
so where the network is captured too, because its gradients stay where they are then. Gradients that
are new tensors in every step are not looked at further: to compare the places of hundreds of
tensors takes longer than the launches. But where a step needs them in single precision, they are
copied to memory that stays (`KeptCopies`), and what follows is captured.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Sequence
from operator import is_
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.capture import CaptureCache
from mxnet._state import modes

_CACHES: weakref.WeakKeyDictionary[Any, CaptureCache] = weakref.WeakKeyDictionary()
"""By optimizer; not an attribute of it, because optimizers are pickled.

An entry goes with its optimizer. Each cache is bounded in itself; what invalidates a captured step,
other numbers of the optimizer or other memory, is part of its key.
"""

_CHANGING = ("num_update", "begin_num_update")
"""Numbers that change in every step, on which no captured step depends (`_repeats`)."""


_MOST_COPIES = 8
"""Groups of weights of one optimizer that have copies of their gradients at a time."""

_FIRST_STEPS = 4
"""Steps of a group before memory is kept: a network that is captured has new gradients at first."""


class KeptCopies:
    """Memory for gradients in single precision, which stays from step to step.

    Args:
        most_elements: Elements that a group may have, so that the memory is small.
    """

    def __init__(self, most_elements: int) -> None:
        self._most_elements = most_elements
        self._known: weakref.WeakKeyDictionary[Any, dict[int, _Copies]] = (
            weakref.WeakKeyDictionary()
        )

    def find(self, optimizer: Any, masters: Sequence[Tensor]) -> list[Tensor] | None:
        """Returns memory for the gradients of a group of weights.

        Args:
            optimizer: The optimizer, with which the memory goes.
            masters: The weights in single precision.

        Returns:
            Tensors like the weights; None in the first steps, and if the weights are too large.
        """
        known = self._known.get(optimizer)
        if known is None:
            known = self._known[optimizer] = {}
        copies = known.get(id(masters[0]))
        if copies is None or not copies.are_for(masters):
            if len(known) == _MOST_COPIES:
                known.clear()
            copies = known[id(masters[0])] = _Copies(masters)
        copies.num_steps += 1
        if copies.num_steps == _FIRST_STEPS:
            copies.allocate(self._most_elements)
        return copies.tensors


class _Copies:
    """Memory for the gradients of a group; it keeps the weights alive that it is found by."""

    def __init__(self, masters: Sequence[Tensor]) -> None:
        self.tensors: list[Tensor] | None = None
        self.num_steps = 0
        self._masters = masters

    def allocate(self, most_elements: int) -> None:
        """Allocates the memory, unless it is too much."""
        if sum(map(Tensor.numel, self._masters)) <= most_elements:
            self.tensors = [torch.empty_like(master) for master in self._masters]

    def are_for(self, masters: Sequence[Tensor]) -> bool:
        """Returns whether these are the weights."""
        return len(masters) == len(self._masters) and all(map(is_, masters, self._masters))


def constants_of(optimizer: Any) -> tuple[Hashable, ...]:
    """Returns the numbers of an optimizer that a captured step contains."""
    constants = [  # a list is made faster than a tuple, and this is done in every step
        value
        for name, value in vars(optimizer).items()
        if isinstance(value, (int, float, str)) and name not in _CHANGING
    ]
    return tuple(constants)


class Constants:
    """The numbers of an optimizer that a captured step contains, but for its learning rate.

    Args:
        optimizer: The optimizer.
    """

    def __init__(self, optimizer: Any) -> None:
        attributes = vars(optimizer)
        self._count = len(attributes)
        self._names = [
            name
            for name, value in attributes.items()
            if name not in ("lr", *_CHANGING, *optimizer._history)
            and (value is None or isinstance(value, (int, float, str, np.generic)))
        ]
        self._values = [attributes[name] for name in self._names]

    def are_of(self, optimizer: Any) -> bool:
        """Returns whether an optimizer has the same numbers, and none that it did not have."""
        attributes = vars(optimizer)
        values = [attributes.get(name) for name in self._names]
        return values == self._values and len(attributes) == self._count


def had_a_step(gradient: Tensor) -> bool:
    """Returns whether a tensor has been the gradient of an earlier step."""
    return hasattr(gradient, "had_a_step")


def _comes_again(gradient: Tensor) -> bool:
    """Returns whether a tensor has been the gradient of an earlier step, and notes that it is."""
    known = had_a_step(gradient)
    if not known:
        gradient.had_a_step = True  # type: ignore[attr-defined]  # kept with the tensor alone
    return known


def run_step(
    optimizer: Any,
    group: Hashable,
    gradients: Sequence[Tensor],
    others: Sequence[Sequence[Tensor]],
    step: Callable[[], None],
) -> None:
    """Makes a step that depends on nothing but the numbers of the optimizer and a group.

    Args:
        optimizer: The optimizer.
        group: What else the step depends on.
        gradients: The gradients.
        others: All other tensors that the step reads or writes.
        step: Makes it.
    """
    if not modes.captures or not _comes_again(gradients[0]):
        step()
        return
    cache = _CACHES.get(optimizer)
    if cache is None:
        cache = _CACHES[optimizer] = CaptureCache()
    if cache.gives_up:
        step()
        return
    cache.run(
        (group, constants_of(optimizer)),
        [item for column in (gradients, *others) for item in column],
        step,
    )
