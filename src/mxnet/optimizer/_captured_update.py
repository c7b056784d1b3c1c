"""An optimizer's update inside of a captured step.

An update has two parts. The host counts updates, asks schedules and forms groups of weights that
have their numbers in common; the device does the arithmetic. A capture contains the second part.
Numbers that change from step to step are tensors in it, which the host fills before a replay.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import RowSparseNDArray
from mxnet.optimizer._base import HALF, Optimizer
from mxnet.optimizer._captured_steps import Constants
from mxnet.optimizer._rule_optimizer import Group, RuleOptimizer, collect_tensors
from mxnet.optimizer._updater import Updater

Groups: TypeAlias = list[tuple[Group, list[int]]]


def changes_numbers(optimizer: Optimizer) -> bool:
    """Returns whether the numbers of an optimizer's kernels differ from step to step by design."""
    return optimizer.lr_scheduler is not None or not getattr(optimizer, "_repeats", False)


def find_obstacle(optimizer: Optimizer, weights: Sequence[NDArray], varying: bool) -> str | None:
    """Returns why an update cannot be part of a capture, None if it can.

    Args:
        optimizer: The optimizer.
        weights: What it updates.
        varying: Whether its numbers change from step to step.
    """
    cls, name = type(optimizer), type(optimizer).__name__
    methods = ("update", "update_multi_precision", "update_many", "_run")
    if not isinstance(optimizer, RuleOptimizer) or any(
        getattr(cls, method) is not getattr(RuleOptimizer, method) for method in methods
    ):
        return f"{name} updates one weight after the other in Python"
    if not varying:
        return None
    if not optimizer._tensor_fields:
        return f"{name} does not take its learning rate from the memory of the device"
    for weight in weights:
        if weight._plain.dtype in HALF and not optimizer._keeps_master(weight):
            return "a learning rate in half precision would be inexact; use multi_precision=True"
    return None


class Progress:
    """What an optimizer's host part changes, to be put back if a step turns out to be another.

    Args:
        optimizer: The optimizer.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer
        self._numbers = {
            name: value
            for name, value in vars(optimizer).items()
            if value is None or isinstance(value, (int, float))
        }
        self._counts = {key: dict(item) for key, item in optimizer._all_index_update_counts.items()}

    def restore(self) -> None:
        """Makes the optimizer what it was."""
        vars(self._optimizer).update(self._numbers)
        counts = self._optimizer._all_index_update_counts
        for device_id, before in self._counts.items():
            counts[device_id].clear()
            counts[device_id].update(before)


class Guard(NamedTuple):
    """What mixed precision tells an update, on the device."""

    scale: Tensor
    """What the gradients are too large by."""
    finite: Tensor
    """Whether all gradients are finite; otherwise nothing is updated."""


class ColumnUpdate:
    """The update of the weights on one context.

    Args:
        updater: Has the optimizer and the states.
        keys: Numbers of the weights.
        gradients: Their gradients.
        weights: The weights.
    """

    def __init__(
        self,
        updater: Updater,
        keys: Sequence[int],
        gradients: Sequence[NDArray],
        weights: Sequence[NDArray],
    ) -> None:
        self.optimizer: Any = updater.optimizer
        self._updater, self._keys = updater, list(keys)
        self._gradients, self._weights = list(gradients), list(weights)
        self._states = self._find_states()
        self._constants = Constants(self.optimizer)
        self._rates: Any = None
        self._groups: Groups = []
        """The groups of the last update, and the rates that they were formed by."""
        self._history: dict[str, Any] = {}
        """Attributes of the optimizer before the last update."""

    def _find_states(self) -> list[Any]:
        return [
            self._updater._state(key, weight)
            for key, weight in zip(self._keys, self._weights, strict=True)
        ]

    def is_current(self) -> bool:
        """Returns whether optimizer and states are those that the update was made for."""
        updater = self._updater
        if updater.optimizer is not self.optimizer:
            return False
        if not self._constants.are_of(self.optimizer):
            return False
        known, synced = updater.states, updater.states_synced
        for key, state in zip(self._keys, self._states, strict=True):
            if known.get(key) is not state or not synced[key]:
                return False
        return True

    def advance(self) -> Groups:
        """Does the host's part of one update and returns its groups.

        They are the same object as before where the optimizer's rates are, and nothing else counts.
        """
        optimizer = self.optimizer
        optimizer._set_current_context(self._weights[0]._ctx.device_id)
        self._history = {name: getattr(optimizer, name) for name in optimizer._history}
        if changes_numbers(optimizer):
            return self._form_groups()
        rates = optimizer._rates(self._keys)
        if rates == self._rates:
            optimizer._update_count(self._keys)
        else:
            self._rates, self._groups = rates, self._form_groups()
        return self._groups

    def _form_groups(self) -> Groups:
        optimizer = self.optimizer
        groups: Groups = optimizer._form_groups(
            self._keys, self._weights, optimizer.multi_precision
        )
        return groups

    def take_back(self) -> None:
        """Forgets one update, which overflowed gradients made void."""
        optimizer = self.optimizer
        vars(optimizer).update(self._history)
        counts = optimizer._all_index_update_counts[self._weights[0]._ctx.device_id]
        for key in self._keys:
            counts[key] -= 1
        every = (
            max(item.values(), default=0) for item in optimizer._all_index_update_counts.values()
        )
        optimizer.num_update = max(optimizer.begin_num_update, *every)

    def run(self, groups: Groups, guard: Guard | None = None) -> None:
        """Does the device's part.

        Args:
            groups: Groups of weights, with their numbers.
            guard: What the gradients are scaled by, and whether they count.
        """
        optimizer, weights, states = self.optimizer, self._weights, self._states
        tensors = optimizer._read(self._keys, weights, self._gradients)
        if guard is None:
            optimizer._update_groups(groups, tensors, weights, self._gradients, states)
            return
        lazy = self._find_lazy(groups)
        written = [
            item
            for place in range(len(weights))
            if place not in lazy
            for item in self._written_at(place)
        ]
        before = [tensor.clone() for tensor in written]
        rows = [
            (tensor, indices, tensor.index_select(0, indices))
            for place, indices in lazy.items()
            for tensor in self._written_at(place)
        ]
        tensors, gradients = _unscale(groups, tensors, self._gradients, guard)
        optimizer._update_groups(groups, tensors, weights, gradients, states)
        _keep_where(guard.finite, written, before)
        for tensor, indices, old in rows:
            new = tensor.index_select(0, indices)
            tensor.index_copy_(0, indices, torch.where(guard.finite, new, old))

    def _find_lazy(self, groups: Groups) -> dict[int, Tensor]:
        """Returns the positions of weights of which the update changes some rows, with these."""
        lazy = {}
        for group, places in groups:
            for place in places:
                gradient = self._gradients[place]
                if isinstance(gradient, RowSparseNDArray) and self.optimizer._is_lazy(
                    self._weights[place], group.wd
                ):
                    lazy[place] = gradient._rows()[1]
        return lazy

    def _written_at(self, place: int) -> list[Tensor]:
        """Returns a weight with its states."""
        tensors = [self._weights[place]._plain]
        collect_tensors(self._states[place], tensors)
        return tensors

    def written(self) -> list[Tensor]:
        """Returns the tensors that the update writes to."""
        return [item for place in range(len(self._weights)) for item in self._written_at(place)]

    def compute_dtypes(self, groups: Groups) -> list[torch.dtype]:
        """Returns the dtype in which each group is computed."""
        return [
            torch.float32 if group.mixed else self._weights[positions[0]]._plain.dtype
            for group, positions in groups
        ]


class Numbers:
    """The numbers of all groups of an update, as constants of a capture or as tensors.

    Args:
        update: The update.
        groups: Groups of the first step.
        varying: Whether the numbers can change from replay to replay.
    """

    def __init__(self, update: ColumnUpdate, groups: Groups, varying: bool) -> None:
        self._varying = varying
        self._structure = _structure_of(groups)
        self._values = _values_of(groups)
        self._slots: list[Tensor] = []
        self._loaded: Groups | None = None
        """The last groups that a replay with constant numbers could have."""
        self.groups = groups
        """What the device's part is run with."""
        if varying:
            device = update.written()[0].device
            dtypes = update.compute_dtypes(groups)
            self.groups = [
                (self._replace(group, device, dtype, update.optimizer._tensor_fields), positions)
                for (group, positions), dtype in zip(groups, dtypes, strict=True)
            ]

    def _replace(
        self, group: Group, device: torch.device, dtype: torch.dtype, fields: Sequence[str]
    ) -> Group:
        # Powers of a rate near 1 need double precision.
        lr = torch.full((), group.lr, dtype=dtype, device=device)
        number = torch.full((), group.number, dtype=torch.float64, device=device)
        factors = [torch.full((), item, dtype=dtype, device=device) for item in group.factors]
        self._slots += [lr, number, *factors]
        taken = number if "number" in fields else 0
        return group._replace(lr=lr, number=taken, factors=tuple(factors))

    def load(self, groups: Groups) -> bool:
        """Takes the numbers of another step, if a replay can have them.

        Returns:
            Whether it can: the groups are the same, and so are constant numbers.
        """
        if groups is self._loaded:
            return True
        if _structure_of(groups) != self._structure:
            return False
        values = _values_of(groups)
        if not self._varying:
            is_same = [rate for rate, *_ in values] == [rate for rate, *_ in self._values]
            self._loaded = groups if is_same else None
            return is_same
        flat = [number for numbers in values for number in numbers]
        before = [number for numbers in self._values for number in numbers]
        for slot, value, old in zip(self._slots, flat, before, strict=True):
            if value != old:
                slot.fill_(value)
        self._values = values
        return True


def _unscale(
    groups: Groups,
    tensors: Sequence[tuple[Tensor, Tensor] | None],
    gradients: Sequence[NDArray],
    guard: Guard,
) -> tuple[list[tuple[Tensor, Tensor] | None], list[NDArray]]:
    """Returns weights with gradients in their true size, zeros if one is not finite.

    Args:
        groups: Groups of weights.
        tensors: Weights and gradients, None where the gradient is sparse.
        gradients: The arrays of the gradients.
        guard: What the gradients are scaled by, and whether they count.
    """
    with_master = {place for group, places in groups if group.mixed for place in places}
    stored = [gradient._memory for gradient in gradients]
    # In half precision small gradients would vanish, which the scale is to prevent.
    filled = [
        (item.float() if place in with_master else item).masked_fill(~guard.finite, 0)
        for place, item in enumerate(stored)
    ]
    scaled = torch._foreach_mul(filled, guard.scale.reciprocal())
    pairs: list[tuple[Tensor, Tensor] | None] = []
    arrays: list[NDArray] = []
    for pair, gradient, item in zip(tensors, gradients, scaled, strict=True):
        pairs.append(None if pair is None else (pair[0], item))
        if isinstance(gradient, RowSparseNDArray):
            gradient = gradient._with_data(item)
        arrays.append(gradient)
    return pairs, arrays


def _keep_where(condition: Tensor, tensors: Sequence[Tensor], before: Sequence[Tensor]) -> None:
    """Undoes what was written to tensors unless a condition holds; all elements are finite."""
    by_dtype: dict[torch.dtype, tuple[list[Tensor], list[Tensor]]] = {}
    for tensor, old in zip(tensors, before, strict=True):
        columns = by_dtype.setdefault(tensor.dtype, ([], []))
        columns[0].append(tensor)
        columns[1].append(old)
    for dtype, (written, kept) in by_dtype.items():
        torch._foreach_mul_(written, condition.to(dtype))
        torch._foreach_mul_(kept, (~condition).to(dtype))
        torch._foreach_add_(written, kept)


def _structure_of(groups: Groups) -> list[Hashable]:
    """Returns all that makes one captured update different from another."""
    return [(group.wd, group.mixed, group.common, tuple(places)) for group, places in groups]


def _values_of(groups: Groups) -> list[tuple[float, ...]]:
    return [(group.lr, group.number, *group.factors) for group, _ in groups]
