"""Chooses how a training step runs: in the loop, or by replaying a capture of it.

The first steps of a kind run in the loop; they warm libraries up and are real steps. Then a step is
captured. What cannot be captured runs in the loop.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from operator import attrgetter
from typing import Any

from mxnet._arrays.capture import CudaEngine, captures_suspended
from mxnet._start import level_of_program
from mxnet._state import modes, remember
from mxnet.context import torch_device
from mxnet.errors import MXNetError
from mxnet.gluon.hybrid.tracing import structure_of
from mxnet.gluon.training.captured_step import CapturedStep, LossScale, find_hook, find_sparse
from mxnet.gluon.training.step_body import Batch, Results, StepBody
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.ops.core.interposing import interposers, sight_of_graphs
from mxnet.optimizer._captured_update import changes_numbers, find_obstacle

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
        self._scale: LossScale | None = None

    def run(self, batch: Batch, size: float) -> Results:
        """Makes a step, by replaying it if one of its kind has been captured."""
        kind = None if self._failure is not None else self._find_kind(batch, size)
        if kind is None:
            return self._run_loop(batch, size)
        self._body.rescale(size)  # a capture contains it
        self._find_scale(batch)
        if kind.capture is not None and not kind.capture.is_current():
            kind.capture, kind.count = None, 0
        if kind.capture is None and kind.count < _LOOP_STEPS:
            kind.count += 1
            device = torch_device(batch.arrays[0]._ctx)
            with self._engine.warming_up(device), captures_suspended():
                return self._run_loop(batch, size)
        return self._replay(kind, batch, size)

    def _run_loop(self, batch: Batch, size: float) -> Results:
        if self._scale is not None:
            self._scale.leave_to_loop()
        return self._body.run([batch], size)[0]

    def _find_scale(self, batch: Batch) -> None:
        """Makes the loss scale of captured steps, where the trainer has one."""
        scaler = self._body.trainer._amp_loss_scaler
        if self._scale is not None and self._scale.scaler is not scaler:
            self.settle()
            self._scale = None
        if scaler is not None and self._scale is None:
            device = torch_device(batch.arrays[0]._ctx)
            self._scale = LossScale(scaler, self._engine, device)

    def settle(self) -> None:
        """Lets the host know all that steps have done."""
        if self._scale is not None:
            self._scale.settle(wait=True)

    def _find_kind(self, batch: Batch, size: float) -> _Kind | None:
        """Returns what is known of steps like this one, None if it cannot be one of a kind."""
        if modes.recording or (interposers and sight_of_graphs()):
            return None
        arrays = batch.arrays
        structure: Hashable = len(batch.inputs)
        if not batch.is_flat:
            structure = repr(structure_of((batch.inputs, batch.labels)))
        key: list[Any] = [structure, arrays[0]._ctx, size]
        for item in arrays:
            if isinstance(item, BaseSparseNDArray):
                self._refuse("an argument is a sparse array")
                return None
            tensor = item._plain
            key += (type(item), tensor.shape, tensor.dtype)
        kind = self._kinds.get(tuple(key))
        if kind is None:
            kind = _Kind()
            remember(self._kinds, tuple(key), kind, _MOST_KINDS)
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
            warnings.warn(text, UncapturedStepWarning, stacklevel=level_of_program())

    def _replay(self, kind: _Kind, batch: Batch, size: float) -> Results:
        if kind.capture is not None:
            results = kind.capture.replay(batch)
            if results is not None:
                return results
            self._varying = True  # the learning rate is another one
        reason = find_hook(self._body.blocks()) or find_sparse(self._body)
        if reason is not None:
            self._refuse(reason)
            return self._run_loop(batch, size)
        kind.capture = self._capture(batch, size)
        self._limit()
        results = None if kind.capture is None else kind.capture.replay(batch)
        return self._run_loop(batch, size) if results is None else results

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
        elif trainer._shared is not None:
            obstacle = "its gradients are added up over processes"
        if obstacle is not None:
            self._refuse(obstacle)
        if self._pool is None:
            self._pool = self._engine.make_pool()
        step = CapturedStep(
            self._body, batch, size, self._scale, update=obstacle is None, varying=varying
        )
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
