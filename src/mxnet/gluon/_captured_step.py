"""A whole training step captured as one CUDA graph.

The first steps of a kind run in the loop; they warm libraries up and are real steps. Then a step is
captured: its arguments are copied into memory of the capture, its results out of it. Parameters,
gradients and states stay where they are. What a capture holds for is compared before each replay,
and what cannot be captured runs in the loop.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from operator import attrgetter
from typing import Any

import torch
from torch import Tensor

from mxnet._bounded import remember
from mxnet._capture import CudaEngine, captures_suspended
from mxnet._modes import modes
from mxnet.context import torch_device
from mxnet.errors import MXNetError
from mxnet.gluon._block import Block
from mxnet.gluon._step_body import Batch, Results, StepBody
from mxnet.gluon.hybrid.tracing import Leaf, leaves_of, replace_leaves, structure_of
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.ops.interposing import interposers, sight_of_graphs
from mxnet.optimizer._captured_update import (
    ColumnUpdate,
    Numbers,
    Progress,
    changes_numbers,
    find_obstacle,
)

_LOOP_STEPS = 3
"""Steps of one kind that run in the loop before one is captured."""

_MOST_KINDS = 64
"""Kinds of batches that are known at a time; a program with ever new shapes has ever new ones."""


_MOST_CAPTURES = 8
"""Captures of one step; each has gradients of its own."""


class UncapturedStepWarning(UserWarning):
    """A step on a GPU is not captured, or not as a whole."""


class StepCaptures:
    """The captures of a step, one for each kind of batch.

    Args:
        body: What a step does.
        engine: Makes the captures.
        strict: Whether a step that cannot be captured as a whole raises.
    """

    def __init__(self, body: StepBody, engine: CudaEngine, strict: bool) -> None:
        self._body, self._engine, self._strict = body, engine, strict
        self._kinds: dict[Hashable, _Kind] = {}
        self._pool: Any = None
        self._num_steps = 0
        self._varying = False
        """Whether the learning rate has changed between steps."""
        self._failure: str | None = None
        """What made a capture fail; none is tried after that."""
        self._told: set[str] = set()

    def run(self, batch: Batch, size: float) -> Results:
        """Makes a step, by replaying it if one of its kind has been captured."""
        kind = None if self._failure is not None else self._find_kind(batch, size)
        if kind is None:
            return self._body.run([batch], size)[0]
        trainer = self._body.trainer
        trainer._optimizer.rescale_grad = trainer._scale / size  # a capture contains it
        if kind.capture is not None and not kind.capture.is_current():
            kind.capture, kind.count = None, 0
        if kind.capture is None and kind.count < _LOOP_STEPS:
            kind.count += 1
            device = torch_device(batch.arrays()[0]._ctx)
            with self._engine.warming_up(device), captures_suspended():
                return self._body.run([batch], size)[0]
        return self._replay(kind, batch, size)

    def _find_kind(self, batch: Batch, size: float) -> _Kind | None:
        """Returns what is known of steps like this one, None if it cannot be one of a kind."""
        if modes.recording or (interposers and sight_of_graphs()):
            return None
        arrays = batch.arrays()
        if any(isinstance(item, BaseSparseNDArray) for item in arrays):
            self._refuse("an argument is a sparse array")
            return None
        shapes = tuple((type(item), item._plain.shape, item._plain.dtype) for item in arrays)
        structure: Hashable = len(batch.inputs)
        if len(batch.inputs) + len(batch.labels) != len(arrays):
            structure = repr(structure_of(tuple(batch)))
        key = (structure, shapes, arrays[0]._ctx, size)
        kind = self._kinds.get(key)
        if kind is None:
            kind = _Kind()
            remember(self._kinds, key, kind, _MOST_KINDS)
        self._num_steps += 1
        kind.last_step = self._num_steps
        return kind

    def _refuse(self, reason: str) -> None:
        """Says, once, why a step runs in the loop.

        Raises:
            MXNetError: if the step is strict.
        """
        text = f"TrainStep: the step is not captured as a whole: {reason}"
        if self._strict:
            raise MXNetError(text)
        if reason not in self._told:
            self._told.add(reason)
            warnings.warn(text, UncapturedStepWarning, stacklevel=6)

    def _replay(self, kind: _Kind, batch: Batch, size: float) -> Results:
        if kind.capture is not None:
            results = kind.capture.replay(batch)
            if results is not None:
                return results
            self._varying = True  # the learning rate is another one
        reason = find_hook(self._body.blocks()) or _find_sparse(self._body)
        if reason is not None:
            self._refuse(reason)
            return self._body.run([batch], size)[0]
        kind.capture = self._capture(batch, size)
        self._limit()
        results = None if kind.capture is None else kind.capture.replay(batch)
        return self._body.run([batch], size)[0] if results is None else results

    def _limit(self) -> None:
        """Drops the capture that was not used for the longest time if there are too many."""
        captured = [kind for kind in self._kinds.values() if kind.capture is not None]
        if len(captured) > _MOST_CAPTURES:
            oldest = min(captured, key=attrgetter("last_step"))
            oldest.capture = None

    def _capture(self, batch: Batch, size: float) -> CapturedStep | None:
        trainer = self._body.trainer
        trainer._prepare()
        optimizer = trainer._optimizer
        varying = self._varying or changes_numbers(optimizer)
        obstacle = find_obstacle(optimizer, self._body.column().weights, varying)
        if trainer._update_on_kvstore:
            obstacle = "its weights are updated by a store"
        if obstacle is not None:
            self._refuse(obstacle)
        if self._pool is None:
            self._pool = self._engine.make_pool()
        step = CapturedStep(self._body, batch, size, update=obstacle is None, varying=varying)
        try:
            step.capture(self._engine, self._pool)
        except (RuntimeError, MXNetError) as error:
            self._failure = str(error).partition("\n")[0]
            self._refuse(self._failure)
            return None
        return step


class _Kind:
    """What is known of steps with one kind of batch."""

    def __init__(self) -> None:
        self.count = 0
        """Steps that ran in the loop."""
        self.last_step = 0
        self.capture: CapturedStep | None = None


def find_hook(blocks: Sequence[Block]) -> str | None:
    """Returns which block has a hook, which a replay would not call; None if none has."""
    for block in blocks:
        if block._forward_hooks or block._forward_pre_hooks:
            return f"{type(block).__name__} {block.name!r} has a hook"
        if getattr(block, "_op_hook", None) is not None:
            return f"{type(block).__name__} {block.name!r} has a hook on its operators"
        reason = find_hook(list(block._children.values()))
        if reason is not None:
            return reason
    return None


def _find_sparse(body: StepBody) -> str | None:
    for parameter in body.parameters():
        if (parameter._stype, parameter._grad_stype) != ("default", "default"):
            return f"Parameter {parameter.name!r} or its gradient is sparse"
    return None


def _describe(blocks: Sequence[Block], found: list[Any]) -> list[Any]:
    """Returns all blocks with what decides how they run; objects compare by identity."""
    for block in blocks:
        hooks = len(block._forward_hooks) + len(block._forward_pre_hooks)
        found += (block, hooks, getattr(block, "_hybrid", None), getattr(block, "_op_hook", None))
        if block._children:
            _describe(list(block._children.values()), found)
    return found


class _Memory:
    """The arrays of the parameters, with the tensors that a capture has found in them."""

    def __init__(self, body: StepBody) -> None:
        self._sources = [(item, item._data, item._grad) for item in body.parameters()]
        arrays = [array for _, data, _ in self._sources for array in data or ()]
        self._values = [(array, array._data, array._node) for array in arrays]
        self.gradients = [array for _, _, grad in self._sources for array in grad or ()]
        self._in_place = [
            array._data if item.grad_req == "add" or array._aliased else None
            for item, _, grad in self._sources
            for array in grad or ()
        ]
        """Where a backward pass writes to a gradient that it does not replace."""
        self._places: list[Tensor] = []
        """Where the capture has put the gradients."""

    def note_gradients(self) -> None:
        """Remembers where the capture has put the gradients."""
        self._places = [array._plain for array in self.gradients]

    def is_current(self) -> bool:
        """Returns whether the parameters have the arrays, and these the memory, of the capture."""
        for parameter, data, gradients in self._sources:
            if parameter._data is not data or parameter._grad is not gradients:
                return False
        for array, tensor, node in self._values:
            if array._data is not tensor or array._node is not node:
                return False
        for array, place in zip(self.gradients, self._in_place, strict=True):
            if place is not None and array._data is not place:
                return False
        return True

    def show_gradients(self, fresh: bool) -> None:
        """Lets the gradient arrays show what a replay has computed.

        Args:
            fresh: Whether an update is still to come.
        """
        for array, place in zip(self.gradients, self._places, strict=True):
            if array._data is not place:
                if array._aliased:
                    array._plain.copy_(place)
                else:
                    array._data, array._node = place, None
            array._fresh = fresh

    def written(self) -> list[Tensor]:
        """Returns the values of all parameters; running statistics are among them."""
        return [array._plain for array, _, _ in self._values]


class CapturedStep:
    """A step for one kind of batch.

    Args:
        body: What a step does.
        batch: Arguments of a step.
        size: Size of the batch, by which the trainer divides.
        update: Whether the update is part of the capture; else it runs after each replay.
        varying: Whether the optimizer's numbers are to be tensors.
    """

    def __init__(
        self, body: StepBody, batch: Batch, size: float, *, update: bool, varying: bool
    ) -> None:
        self._body, self._size, self._varying = body, size, varying
        arrays = batch.arrays()
        self._ctx = arrays[0]._ctx
        self._memory = _Memory(body)
        self._blocks = _describe(body.blocks(), [])
        self._settings = self._read_settings()
        self._inputs = [item._plain.clone() for item in arrays]
        pairs = zip(arrays, self._inputs, strict=True)
        self._batch = batch.with_arrays(type(item)._wrap(t, self._ctx) for item, t in pairs)
        """The batch with the memory of the capture in the place of its arrays."""
        self._update: ColumnUpdate | None = None
        self._numbers: Numbers | None = None
        if update:
            self._update = ColumnUpdate(body.trainer._updaters[0], *body.column())
        self._written: list[Tensor] = []

    def _read_settings(self) -> tuple[Any, ...]:
        trainer = self._body.trainer
        return (trainer._kvstore, trainer._update_on_kvstore, trainer._scale, modes.dialect)

    def capture(self, engine: CudaEngine, pool: Any) -> None:
        """Captures the step, which is not done by that.

        Raises:
            RuntimeError: if it contains what cannot be captured. Nothing has changed then but
                gradients, which the loop computes anew.
        """
        progress = Progress(self._body.trainer._optimizer)
        try:
            if self._update is not None:
                self._numbers = Numbers(self._update, self._update.advance(), self._varying)
            with captures_suspended():
                self._capture = engine.capture(self._work, torch_device(self._ctx), pool)
        finally:
            progress.restore()
        self._results, self._structure = self._capture.result
        self._memory.note_gradients()
        self._written = self._memory.written()
        if self._update is not None:
            self._written += self._update.written()

    def _work(self) -> tuple[list[Tensor], Any]:
        for gradient in self._memory.gradients:
            gradient._fresh = False
        (results,) = self._body.run_passes([self._batch])
        if self._update is not None and self._numbers is not None:
            self._check_fresh()
            self._body.reduce()
            self._body.clip(self._body.column())
            self._update.run(self._numbers.groups)
        arrays = [item for item in leaves_of(tuple(results)) if isinstance(item, NDArray)]
        self._classes = [type(item) for item in arrays]
        return [item._plain for item in arrays], structure_of(tuple(results))

    def _check_fresh(self) -> None:
        column = self._body.column()
        if not self._body.ignores_stale:
            self._body.trainer._current().check_fresh()
        elif not all(gradient._fresh for gradient in column.gradients):
            raise MXNetError("the parameters that get a gradient differ from step to step")

    def is_current(self) -> bool:
        """Returns whether a replay would do what the loop does, but for the optimizer's numbers."""
        if self._read_settings() != self._settings or not self._memory.is_current():
            return False
        if self._update is None:
            return _describe(self._body.blocks(), []) == self._blocks
        if self._body.ignores_stale and any(item._fresh for item in self._memory.gradients):
            return False  # gradients of another pass wait for this step
        return self._update.is_current() and _describe(self._body.blocks(), []) == self._blocks

    def replay(self, batch: Batch) -> Results | None:
        """Makes a step; returns None, with nothing changed, if the optimizer's numbers forbid."""
        if self._update is not None and self._numbers is not None:
            progress = Progress(self._update.optimizer)
            if not self._numbers.load(self._update.advance()):
                progress.restore()
                return None
        for tensor, array in zip(self._inputs, batch.arrays(), strict=True):
            tensor.copy_(array._plain)
        self._capture.replay()
        torch.autograd.graph.increment_version(self._written)
        self._memory.show_gradients(fresh=self._update is None)
        if self._update is None:
            self._body.update(self._size)
        arrays = iter(
            [
                cls._wrap(tensor.clone(), self._ctx)
                for cls, tensor in zip(self._classes, self._results, strict=True)
            ]
        )
        return Results(
            *replace_leaves(
                self._structure, lambda leaf: next(arrays) if leaf is Leaf.ARRAY else leaf
            )
        )
