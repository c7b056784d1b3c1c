"""Steps of an optimizer recorded as CUDA graphs.

A step on a GPU is a handful of launches, which cost more than the arithmetic of a small network.
One that repeats itself, with the same rates on the same memory, is recorded and replayed. That is
so where the network is recorded too, because its gradients stay where they are then.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import torch
from torch import Tensor

_RECORD_AT = 3
"""Which of equal steps is recorded; by then libraries have set themselves up."""

_MOST_STEPS = 8
"""Steps that are remembered; an optimizer that makes more different ones is left alone."""


class _Steps:
    """The steps that an optimizer has made: how often, then the graph."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, int | torch.cuda.CUDAGraph] = {}
        self._given_up = False

    def run(self, key: Hashable, step: Callable[[], None]) -> None:
        """Makes a step, by its graph if there is one."""
        known = self._seen.get(key, 0)
        if not isinstance(known, int):
            known.replay()
            return
        if known + 1 < _RECORD_AT:
            self._seen[key] = known + 1
            step()
            self._limit()
            return
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        self._seen[key] = graph
        graph.replay()

    def _limit(self) -> None:
        if len(self._seen) > _MOST_STEPS:
            self._seen = {k: v for k, v in self._seen.items() if not isinstance(v, int)}
            self._given_up = not self._seen

    @property
    def given_up(self) -> bool:
        """Whether no two steps were alike."""
        return self._given_up


_STEPS: weakref.WeakKeyDictionary[Any, _Steps] = weakref.WeakKeyDictionary()
"""By optimizer; not an attribute of it, because optimizers are pickled."""

_CHANGING = ("num_update", "begin_num_update")


def run_step(
    optimizer: Any, group: Hashable, tensors: Sequence[Sequence[Tensor]], step: Callable[[], None]
) -> None:
    """Makes a step that depends on nothing but the numbers of the optimizer and a group.

    Args:
        optimizer: The optimizer.
        group: What else the step depends on.
        tensors: All tensors that the step reads or writes.
        step: Makes it.
    """
    steps = _STEPS.get(optimizer)
    if steps is None:
        steps = _STEPS[optimizer] = _Steps()
    if steps.given_up:
        step()
        return
    numbers = tuple(
        value
        for name, value in vars(optimizer).items()
        if name not in _CHANGING and isinstance(value, (int, float, str))
    )
    places = tuple(item.data_ptr() for column in tensors for item in column)
    steps.run((group, numbers, places), step)
