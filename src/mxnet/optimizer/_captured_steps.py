"""Steps of an optimizer captured as CUDA graphs.

A step on a GPU is a handful of launches, which cost more than the arithmetic of a small network.
One that repeats itself, with the same rates on the same memory, is captured and replayed. That is
so where the network is captured too, because its gradients stay where they are then. Gradients that
are new tensors in every step are not looked at further: to compare the places of hundreds of
tensors takes longer than the launches.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from torch import Tensor

from mxnet._capture import CaptureCache, suspended

_CACHES: weakref.WeakKeyDictionary[Any, CaptureCache] = weakref.WeakKeyDictionary()
"""By optimizer; not an attribute of it, because optimizers are pickled.

An entry goes with its optimizer. Each cache is bounded in itself; what invalidates a captured step,
other numbers of the optimizer or other memory, is part of its key.
"""

_CHANGING = ("num_update", "begin_num_update")
"""Numbers that change in every step, on which no captured step depends (`_repeats`)."""


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
            if name not in ("lr", *_CHANGING)
            and (value is None or isinstance(value, (int, float, str, np.generic)))
        ]
        self._values = [attributes[name] for name in self._names]

    def are_of(self, optimizer: Any) -> bool:
        """Returns whether an optimizer has the same numbers, and none that it did not have."""
        attributes = vars(optimizer)
        values = [attributes.get(name) for name in self._names]
        return values == self._values and len(attributes) == self._count


def _comes_again(gradient: Tensor) -> bool:
    """Returns whether a tensor has been the gradient of an earlier step, and notes that it is."""
    known = hasattr(gradient, "had_a_step")
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
    if suspended.active or not _comes_again(gradients[0]):
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
