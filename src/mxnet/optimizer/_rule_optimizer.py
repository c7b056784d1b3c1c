"""Optimizers whose update is one rule on lists of tensors.

Weights that share their learning rate, weight decay and number of updates are one group, and a
group is one step. So `update` of one weight and `update_many` of a whole network do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

import torch
from torch import Tensor

from mxnet._arrays.array import Array, Variable
from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet._start import public_call
from mxnet._state import modes
from mxnet.errors import ArgumentTypeError, MXNetError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import CSRNDArray, RowSparseNDArray
from mxnet.ops.optimizer.rules import Tensors, rescaled
from mxnet.optimizer._base import HALF, Optimizer, as_lists, zeros_like
from mxnet.optimizer._captured_steps import KeptCopies, had_a_step, run_step

_MOST_ELEMENTS = 2**24
"""Elements of weights that are updated at a time, unless one weight alone has more.

A kernel of torch for many tensors takes about as many in one launch, so that parts of this size
cost no time, and a rule needs temporary memory of several times the size of a part.
"""

_COPIES = KeptCopies(_MOST_ELEMENTS)
"""Gradients in single precision of imperative networks on GPUs."""

_find_updates = attrgetter("update", "update_multi_precision", "step", "fused_step")
"""Methods of a class by which one weight is updated."""


class Group(NamedTuple):
    """What the weights of one step have in common."""

    lr: Any
    """A number, or a tensor in a captured step that takes one (`_tensor_fields`)."""
    wd: float
    number: Any
    """Number of this update, from 1; or a tensor, as the rate."""
    mixed: bool
    """Whether the step is made on master copies."""
    common: Hashable
    """What else the optimizer wants to be in common, see `RuleOptimizer._common`."""
    ready: bool = False
    """Whether gradients are already scaled and clipped, and have the weight decay in them."""
    factors: tuple[Any, ...] = ()
    """Other numbers of this update, which `RuleOptimizer._correct` computes; or tensors."""


class Rule:
    """A rule of updates, and what an optimizer passes to it.

    Args:
        run: Changes lists of weights and of states by gradients.
        hyperparameters: Arguments of the rule that are attributes of the optimizer, separated by
            spaces; `epsilon=eps` is one that has another name there.
        group: Arguments of the rule that are fields of a group, written likewise.
        num_states: Number of the states of a weight, which begin as zeros.
        zero_clips: Whether `clip_gradient=0` sets all gradients to zero; else it is no limit.
    """

    __slots__ = ("group", "hyperparameters", "num_states", "run", "zero_clips")

    def __init__(
        self,
        run: Callable[..., None],
        hyperparameters: str = "",
        group: str = "lr wd",
        num_states: int = 0,
        zero_clips: bool = False,
    ) -> None:
        self.run, self.num_states, self.zero_clips = run, num_states, zero_clips
        self.hyperparameters = _read_arguments(hyperparameters)
        self.group = _read_arguments(group)


def _read_arguments(text: str) -> tuple[tuple[str, str], ...]:
    """Returns arguments with the names of the attributes that they are read from."""
    pairs = (word.partition("=") for word in text.split())
    return tuple((name, attribute or name) for name, _, attribute in pairs)


class RuleOptimizer(Optimizer):
    """Base of the optimizers that have a `_rule`, or define `_step`.

    Args:
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.
    """

    _rule: ClassVar[Rule]

    _repeats: ClassVar[bool] = False
    """Whether a step does not depend on the number of the update."""

    _decays_first: ClassVar[tuple[bool, ...]] = ()
    """Values of `use_fused_step` with which gradients are clipped, then get the weight decay.

    Then follows the formula without either.
    """

    _tensor_fields: ClassVar[tuple[str, ...]] = ()
    """Fields of a group of which `_step` also takes tensors.

    Where these are all the numbers that change from step to step, a step can be captured once and
    replayed with other numbers.
    """

    _history: ClassVar[tuple[str, ...]] = ()
    """Attributes that each update changes, on which a step depends by `Group.factors` alone."""

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        """Changes the weights of a group and their states, one list for each part."""
        self._rule.run(weights, grads, *states, **self._rule_options(group))

    def _step_group(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        """Makes a step by one of the formulas, see `_decays_first`."""
        if self.use_fused_step in self._decays_first:
            limit = self._limit(zero_clips=True)
            grads = rescaled(grads, self.rescale_grad, limit, weights, group.wd)
            group = group._replace(wd=0.0, ready=True)
        self._step(group, weights, grads, states)

    def _rule_options(self, group: Group) -> dict[str, Any]:
        """Returns the arguments of the rule beside weights, gradients and states."""
        rule = self._rule
        options = {name: getattr(self, attribute) for name, attribute in rule.hyperparameters}
        options.update({name: getattr(group, field) for name, field in rule.group})
        options["rescale_grad"] = 1.0 if group.ready else self.rescale_grad
        options["clip_gradient"] = -1.0 if group.ready else self._limit(rule.zero_clips)
        return options

    def _common_options(self, group: Group, *, zero_clips: bool = False) -> dict[str, Any]:
        """Returns the arguments that almost all rules take."""
        return {
            "lr": group.lr,
            "wd": group.wd,
            "rescale_grad": 1.0 if group.ready else self.rescale_grad,
            "clip_gradient": -1.0 if group.ready else self._limit(zero_clips),
        }

    def _limit(self, zero_clips: bool = False) -> float:
        """Returns the limit of the gradient, below 0 for none."""
        limit = self.clip_gradient
        return -1.0 if limit is None or not (limit or zero_clips) else limit

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the states that the rule keeps of a weight, which begin as zeros."""
        states = tuple(zeros_like(weight) for _ in range(self._rule.num_states))
        return states if len(states) > 1 else states[0] if states else None

    def _correct(self, group: Group) -> Group:
        """Returns a group with what the number of the update does to its numbers."""
        return group

    def _common(self, indices: Sequence[Any]) -> Sequence[Hashable]:
        """Returns for each weight what must be equal for two of them to be in one step."""
        return [None] * len(indices)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - for subclasses
        """Returns whether a row_sparse gradient changes the rows that it has and no others."""
        return False

    @public_call
    def step(self, indices: Any, weights: Any, grads: Any, states: Any) -> None:
        """Changes weights and states by the formula that MXNet 2 has without kernels."""
        self._run_by(False, indices, weights, grads, states)

    @public_call
    def fused_step(self, indices: Any, weights: Any, grads: Any, states: Any) -> None:
        """Changes weights and states by the formula of the kernels of MXNet 2."""
        self._run_by(True, indices, weights, grads, states)

    def _run_by(self, fused: bool, *lists: Any) -> None:
        before, self.use_fused_step = self.use_fused_step, fused
        try:
            self._run(*lists, masters=False)
        finally:
            self.use_fused_step = before

    def _defines_step(self) -> bool:
        cls = type(self)
        own = RuleOptimizer.step, RuleOptimizer.fused_step
        return cls.step is not own[0] or cls.fused_step is not own[1]

    @public_call
    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Changes a weight and its state by the gradient; or lists of them."""
        lists = as_lists(index, weight, grad, state)
        if self._defines_step():
            super().update(*lists)
        else:
            self._run(*lists, masters=False)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Updates a weight, or a list, by way of the master copy where there is one."""
        if type(self).update is not RuleOptimizer.update or self._defines_step():
            super().update_multi_precision(index, weight, grad, state)
            return
        self._run(*as_lists(index, weight, grad, state), masters=self.multi_precision)

    def update_many(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[Any],
    ) -> None:
        """Updates several weights at once."""
        if _find_updates(type(self)) != _find_updates(RuleOptimizer):  # a user's class sees each
            super().update_many(indices, weights, grads, states)
            return
        self._run(indices, weights, grads, states, masters=self.multi_precision)

    def _run(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[Any],
        *,
        masters: bool,
    ) -> None:
        tensors = self._read(indices, weights, grads)
        groups = self._form_groups(indices, weights, masters)
        self._update_groups(groups, tensors, weights, grads, states)

    def _form_groups(
        self, indices: Sequence[Any], weights: Sequence[NDArray], masters: bool
    ) -> list[tuple[Group, list[int]]]:
        """Counts an update of each weight, and returns groups with the positions of their weights.

        This is all that a step does on the host; the rest, in `_update_groups`, can be captured.
        """
        self._update_count(indices)
        lrs, wds = self._rates(indices)
        counts = map(self._index_update_count.__getitem__, indices)
        keeps = [False] * len(weights)
        if masters and self.multi_precision:  # as `_keeps_master` says
            keeps = [tensor.dtype in HALF for tensor in _tensors_of(weights)]
        groups: dict[tuple[Any, ...], list[int]] = {}
        rows = zip(lrs, wds, counts, keeps, self._common(indices), strict=True)
        for position, key in enumerate(rows):
            if key in groups:
                groups[key].append(position)
            else:
                groups[key] = [position]
        formed = []
        for key, positions in groups.items():
            formed.append((self._correct(Group(*key)), positions))
        return formed

    def _update_groups(
        self,
        groups: Sequence[tuple[Group, list[int]]],
        tensors: Sequence[tuple[Tensor, Tensor] | None],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[Any],
    ) -> None:
        """Changes the weights of all groups."""
        for group, positions in groups:
            whole = len(positions) == len(tensors)  # the only group, as of most networks
            pairs = tensors if whole else [tensors[position] for position in positions]
            if None not in pairs:
                own_states = states if whole else [states[position] for position in positions]
                targets, gradients = map(list, zip(*pairs, strict=True))
                self._run_group(group, targets, gradients, own_states)
                continue
            columns: tuple[list[Tensor], list[Tensor], list[Any]] = ([], [], [])
            compressed: list[tuple[NDArray, Tensor]] = []
            for position in positions:
                weight, grad, state = weights[position], grads[position], states[position]
                pair = tensors[position]
                if pair is None and isinstance(weight, CSRNDArray):
                    pair = weight._plain, grad._plain  # a copy: it has no place for new elements
                    compressed.append((weight, pair[0]))
                elif pair is None:
                    if isinstance(grad, RowSparseNDArray) and self._is_lazy(weight, group.wd):
                        self._run_rows(group, weight, grad, state)
                        continue
                    pair = weight._writable(), grad._plain
                columns[0].append(pair[0])
                columns[1].append(pair[1])
                columns[2].append(state)
            self._run_group(group, *columns)
            for weight, dense in compressed:
                weight._data = dense

    def _read(
        self, indices: Sequence[Any], weights: Sequence[Any], grads: Sequence[Any]
    ) -> list[tuple[Tensor, Tensor] | None]:
        """Returns the tensors of weights and gradients, None where one of them may be sparse.

        Raises:
            MXNetError: if a gradient does not fit its weight; nothing has changed then.
        """
        pairs: list[tuple[Tensor, Tensor] | None] = []
        recording = modes.recording
        for index, weight, grad in zip(indices, weights, grads, strict=True):
            if type(weight) is type(grad) and type(weight) in ARRAY_DIALECTS:
                target = weight._data
                is_leaf = type(weight._role) is Variable and weight._node is not None
                if recording or weight._aliased or not is_leaf:  # else `_writable` returns it, too
                    target = weight._writable()
                gradient = grad._plain if grad._data is None else grad._data
                if target.shape == gradient.shape and target.dtype is gradient.dtype:
                    pairs.append((target, gradient))
                    continue
            self._check(index, weight, grad)
            pairs.append(None)
        return pairs

    def _rates(self, indices: Sequence[Any]) -> tuple[list[float], list[float]]:
        """Returns learning rates and weight decays; a subclass may define them for one index."""
        cls = type(self)
        one_by_one = cls._get_lr is not Optimizer._get_lr
        lrs = [self._get_lr(index) for index in indices] if one_by_one else self._get_lrs(indices)
        one_by_one = cls._get_wd is not Optimizer._get_wd
        wds = [self._get_wd(index) for index in indices] if one_by_one else self._get_wds(indices)
        return lrs, wds

    def _run_rows(self, group: Group, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Makes a step with the rows that a gradient has; the others stay as they are."""
        if self._add_rows(group, weight, grad):
            return
        data, rows = grad._rows_to_update()  # type: ignore[attr-defined]  # a row_sparse array
        master, inner = self._split_master(state) if group.mixed else (weight, state)
        whole = [master._writable()]
        collect_tensors(inner, whole)
        parts = [tensor.index_select(0, rows) for tensor in whole]
        self._step_group(
            group, parts[:1], [data.to(parts[0].dtype)], [[part] for part in parts[1:]]
        )
        for tensor, part in zip(whole, parts, strict=True):
            tensor.index_copy_(0, rows, part)
        if group.mixed:
            half = weight._writable()
            half.index_copy_(0, rows, parts[0].to(half.dtype))

    def _add_rows(self, group: Group, weight: NDArray, grad: NDArray) -> bool:  # noqa: ARG002 - for subclasses
        """Adds the rows of a gradient to those of a weight, if that is all of a step.

        Args:
            group: What the weight has in common with others.
            weight: The weight.
            grad: Its gradient, a row_sparse array.
        """
        return False

    def _run_group(
        self, group: Group, weights: list[Tensor], grads: list[Tensor], states: Sequence[Any]
    ) -> None:
        if not weights:
            return
        masters: list[Tensor] = []
        if group.mixed:
            copies_of_weights, states = self._split_masters(states)
            masters = _tensors_of(copies_of_weights)
        columns = _columns(states)
        is_cuda = weights[0].is_cuda
        if is_cuda:
            grads = _stride_alike(grads, weights)
        if not (is_cuda and self._repeats):
            self._step_in_parts(group, weights, grads, masters, columns)
            return
        copies = None
        if masters and modes.captures and not had_a_step(grads[0]):
            copies = _COPIES.find(self, masters)
        if copies is None:
            run_step(
                self,
                group._replace(number=0),
                grads,
                (weights, masters, *columns),
                lambda: self._step_in_parts(group, weights, grads, masters, columns),
            )
            return
        torch._foreach_copy_(copies, grads)
        run_step(
            self,
            group._replace(number=-1),  # another step than that on gradients in half precision
            copies,
            (weights, masters, *columns),
            lambda: self._step_singles(group, weights, copies, masters, columns),
        )

    def _split_masters(self, states: Sequence[Any]) -> tuple[list[NDArray], list[Any]]:
        """Returns the master copies and the states of weights; see `_split_master`."""
        pairs = [self._split_master(state) for state in states]
        return [master for master, _ in pairs], [inner for _, inner in pairs]

    def _step_in_parts(
        self,
        group: Group,
        weights: list[Tensor],
        grads: list[Tensor],
        masters: list[Tensor],
        states: Sequence[list[Tensor]],
    ) -> None:
        """Makes a step with some weights after the other, so that its temporary memory is small."""
        if sum(map(Tensor.numel, weights)) <= _MOST_ELEMENTS:
            self._step_masters(group, weights, grads, masters, states)
            return
        for part in _parts(weights):
            own_states = [column[part] for column in states]
            self._step_masters(group, weights[part], grads[part], masters[part], own_states)

    def _step_masters(
        self,
        group: Group,
        weights: list[Tensor],
        grads: list[Tensor],
        masters: list[Tensor],
        states: Sequence[list[Tensor]],
    ) -> None:
        """Makes a step, by way of master copies in single precision if there are some."""
        if not masters:
            step = self._step_group if self._decays_first else self._step
            step(group, weights, grads, states)
            return
        singles = [torch.empty_like(master) for master in masters]
        torch._foreach_copy_(singles, grads)
        self._step_singles(group, weights, singles, masters, states)

    def _step_singles(
        self,
        group: Group,
        weights: list[Tensor],
        singles: list[Tensor],
        masters: list[Tensor],
        states: Sequence[list[Tensor]],
    ) -> None:
        """Makes a step on master copies, with gradients in single precision that it may change."""
        self._step_group(group, masters, singles, states)
        torch._foreach_copy_(weights, masters)

    def _check(self, index: Any, weight: Any, grad: Any) -> None:
        for name, item in (("weight", weight), ("grad", grad)):
            if not isinstance(item, Array):
                raise ArgumentTypeError(
                    f"{type(self).__name__}.update: {name} must be an NDArray, "
                    f"got {type(item).__name__}"
                )
        ours = weight._plain
        if isinstance(grad, RowSparseNDArray):  # which is not to become dense for this
            shape, dtype = grad.shape, grad._element_type
        else:
            shape, dtype = tuple(grad._plain.shape), grad._plain.dtype
        if tuple(ours.shape) != shape or ours.dtype is not dtype:
            raise MXNetError(
                f"{type(self).__name__}.update: parameter {self.idx2name.get(index, index)}: "
                f"expected a gradient like the weight, {tuple(ours.shape)} {ours.dtype}, "
                f"got {shape} {dtype}"
            )


def _stride_alike(grads: Sequence[Tensor], weights: Sequence[Tensor]) -> list[Tensor]:
    """Returns gradients with the strides of their weights where both are in the order of the shape.

    A GPU computes the gradient of a filter of one pixel with strides of its own for axes of length
    1. torch would then change all weights one by one, because strides differ.
    """
    alike = []
    for grad, weight in zip(grads, weights, strict=True):
        differ = grad.dim() == 4 and grad.stride() != weight.stride()
        if differ and grad.is_contiguous() and weight.is_contiguous():
            grad = grad.as_strided(grad.shape, weight.stride())
        alike.append(grad)
    return alike


def _parts(weights: Sequence[Tensor]) -> list[slice]:
    """Divides weights into neighbours that have not more elements together than a part may have."""
    parts, start, count = [], 0, 0
    for position, size in enumerate(map(Tensor.numel, weights)):
        if count + size > _MOST_ELEMENTS and position > start:
            parts.append(slice(start, position))
            start, count = position, 0
        count += size
    return [*parts, slice(start, None)]


def _tensors_of(arrays: Sequence[Any]) -> list[Tensor]:
    """Returns the tensors of arrays, without history and without the call that a property takes."""
    return [array._plain if array._data is None else array._data for array in arrays]


def _columns(states: Sequence[Any]) -> list[list[Tensor]]:
    """Turns the states of weights into lists of tensors, one for each part of a state."""
    if type(states[0]) in ARRAY_DIALECTS:
        return [_tensors_of(states)]
    rows: list[list[Tensor]] = []
    for state in states:
        rows.append([])
        collect_tensors(state, rows[-1])
    return list(map(list, zip(*rows, strict=True)))


def collect_tensors(state: Any, tensors: list[Tensor]) -> None:
    """Adds the tensors of a state to a list."""
    if isinstance(state, Array):
        tensors.append(state._plain)
    elif state is not None:
        for part in state:
            collect_tensors(part, tensors)
