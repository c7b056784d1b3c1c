"""A training step captured as one CUDA graph.

Its arguments are copied into memory of the capture, its results out of it. Parameters, gradients
and states stay where they are. What the capture holds for is compared before each replay.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import ReferenceType, ref

import torch
from torch import Tensor

from mxnet._arrays.capture import CudaEngine, LateFlag, captures_suspended
from mxnet._arrays.unseen_writes import unseen_writes
from mxnet._state import modes
from mxnet.context import torch_device
from mxnet.errors import MXNetError
from mxnet.gluon.blocks.block import Block
from mxnet.gluon.hybrid.tracing import Leaf, leaves_of, replace_leaves, structure_of
from mxnet.gluon.parameters import ArraysOf
from mxnet.gluon.training.step_body import Batch, Results, StepBody
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import RowSparseNDArray
from mxnet.ops.core.precision import are_finite, in_force
from mxnet.optimizer._captured_update import ColumnUpdate, Guard, Numbers, Progress, changes_numbers

_ONE_LOSS = [Leaf.ARRAY, None]
"""Structure of the results of most steps."""


def find_hook(blocks: Sequence[Block]) -> str | None:
    """Returns which block has a hook, which a replay would not call; None if none has."""
    for block in blocks:
        if block._forward_hooks or block._forward_pre_hooks:
            return f"{type(block).__name__} {block.name!r} has a hook"
        if getattr(block, "_mx_op_hook", None) is not None:
            return f"{type(block).__name__} {block.name!r} has a hook on its operators"
        reason = find_hook(list(block._children.values()))
        if reason is not None:
            return reason
    return None


def find_sparse(body: StepBody) -> str | None:
    """Says which parameter, or gradient, is stored in memory that grows; None if none is."""
    for parameter in body.parameters():
        if parameter._stype != "default" or parameter._grad_stype == "csr":
            return f"Parameter {parameter.name!r} or its gradient is sparse"
        if parameter._grad_stype != "default" and parameter.grad_req == "add":
            return f"rows are added to the row_sparse gradient of Parameter {parameter.name!r}"
    return None


class _Blocks:
    """The blocks that a step calls, with what decides how they run.

    Args:
        blocks: The outermost ones, which have no hooks (`find_hook`).
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._known: list[tuple[Block, Any, list[Block]]] = []
        self._add(blocks)

    def _add(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            children = list(block._children.values())
            self._known.append((block, getattr(block, "_mx_hybrid", None), children))
            self._add(children)

    def are_current(self) -> bool:
        """Returns whether they run as they did; blocks compare by identity."""
        for block, hybrid, children in self._known:
            if block._forward_hooks or block._forward_pre_hooks:
                return False
            if getattr(block, "_mx_hybrid", None) is not hybrid or getattr(
                block, "_mx_op_hook", None
            ):
                return False
            if list(block._children.values()) != children:
                return False
        return True


class _Arguments:
    """Memory of a capture for the arrays that a step is called with.

    Args:
        arrays: The arrays of the first call.
    """

    def __init__(self, arrays: Sequence[NDArray]) -> None:
        self.tensors = [array._plain.clone() for array in arrays]
        self._sources: list[ReferenceType[Tensor] | None] = [None] * len(arrays)
        """The tensors whose elements are here."""
        self._versions = [0] * len(arrays)
        self._unseen = -1
        self._are_kept = True

    def note_writes(self) -> None:
        """Notes whether the work, captured since this was made, writes to its arguments."""
        self._are_kept = not any(tensor._version for tensor in self.tensors)

    def load(self, arrays: Sequence[NDArray]) -> None:
        """Copies arrays here, but for those that were not written to since the last call."""
        unseen, self._unseen = self._unseen, unseen_writes.count
        for place, array in enumerate(arrays):
            tensor, source = array._plain, self._sources[place]
            version = tensor._version
            if (
                source is not None
                and source() is tensor
                and self._versions[place] == version
                and unseen == self._unseen
                and not array._aliased  # writes through an alias may not be counted
                and self._are_kept
            ):
                continue
            self.tensors[place].copy_(tensor)
            self._versions[place] = version
            self._sources[place] = ref(tensor)


class _Memory:
    """The arrays of the parameters, with the tensors that a capture has found in them."""

    def __init__(self, body: StepBody) -> None:
        parameters = body.parameters()
        self._arrays = ArraysOf(parameters)
        values = [array for item in parameters for array in item._arrays or ()]
        self._values = [(array, array._data, array._node) for array in values]
        gradients = [(item, array) for item in parameters for array in item._gradient_arrays or ()]
        dense = [pair for pair in gradients if not isinstance(pair[1], RowSparseNDArray)]
        self.gradients = [array for _, array in gradients]
        self.sparse = [item for item in self.gradients if isinstance(item, RowSparseNDArray)]
        self._dense = [array for _, array in dense]
        self._in_place = [
            array._data if item.grad_req == "add" or array._aliased else None
            for item, array in dense
        ]
        """Where a backward pass writes to a gradient that it does not replace."""
        self._places: list[Tensor] = []
        """Where the capture has put the gradients."""
        self._rows: list[tuple[Tensor, ...]] = []
        """Where it has put those that are row_sparse."""

    @contextmanager
    def capturing(self) -> Iterator[None]:
        """Keeps the number of rows of row_sparse gradients, whatever their indices are."""
        for array in self.sparse:
            array._is_captured = True
        try:
            yield
        finally:
            for array in self.sparse:
                array._is_captured = False

    def note_gradients(self) -> None:
        """Remembers where the capture has put the gradients."""
        self._places = [array._plain for array in self._dense]
        self._rows = [array._stored for array in self.sparse]

    def is_current(self) -> bool:
        """Returns whether the parameters have the arrays, and these the memory, of the capture."""
        if not self._arrays.are_current():
            return False
        for array, tensor, node in self._values:
            if array._data is not tensor or array._node is not node:
                return False
        for array, place in zip(self._dense, self._in_place, strict=True):
            if place is not None and array._data is not place:
                return False
        return True

    def show_gradients(self, fresh: bool) -> None:
        """Lets the gradient arrays show what a replay has computed.

        Args:
            fresh: Whether an update is still to come.
        """
        for array, place in zip(self._dense, self._places, strict=True):
            if array._data is not place:
                if array._aliased:
                    array._plain.copy_(place)
                else:
                    array._data, array._node = place, None
            array._fresh = fresh
        for rows, parts in zip(self.sparse, self._rows, strict=True):
            rows._show_padded(parts)
            rows._fresh = fresh

    def written(self) -> list[Tensor]:
        """Returns the values of all parameters; running statistics are among them."""
        return [array._plain for array, _, _ in self._values]


class CapturedStep:
    """A step for one kind of batch.

    Args:
        body: What a step does.
        batch: Arguments of a step.
        size: Size of the batch, by which the trainer divides.
        scale: Loss scale of mixed precision, None without.
        update: Whether the update is part of the capture; else it runs after each replay.
        varying: Whether the optimizer's numbers are to be tensors.
    """

    def __init__(
        self,
        body: StepBody,
        batch: Batch,
        size: float,
        scale: LossScale | None,
        *,
        update: bool,
        varying: bool,
    ) -> None:
        self._scale = scale
        self._finite: Tensor | None = None
        self._body, self._size, self._varying = body, size, varying
        arrays = batch.arrays
        self._ctx = arrays[0]._ctx
        self._memory = _Memory(body)
        self._blocks = _Blocks(body.blocks())
        self._settings = self._read_settings()
        self._arguments = _Arguments(arrays)
        pairs = zip(arrays, self._arguments.tensors, strict=True)
        self._batch = batch.with_arrays(type(item)._wrap(t, self._ctx) for item, t in pairs)
        """The batch with the memory of the capture in the place of its arrays."""
        self._update: ColumnUpdate | None = None
        self._numbers: Numbers | None = None
        if update:
            self._update = ColumnUpdate(body.trainer._updaters[0], *body.column())
        self._written: list[Tensor] = []

    def _read_settings(self) -> tuple[Any, ...]:
        trainer = self._body.trainer
        scaler = trainer._amp_loss_scaler
        scale = trainer._scale if scaler is None else trainer._amp_original_scale
        store = trainer._kvstore, trainer._update_on_kvstore
        return (*store, scale, scaler, modes.dialect, *in_force)

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
            exchange_paused = self._body.trainer._exchange_paused()
            with captures_suspended(), exchange_paused, self._memory.capturing():
                self._capture = engine.capture(self._work, torch_device(self._ctx), pool)
        finally:
            progress.restore()
        self._arguments.note_writes()
        self._results, self._structure = self._capture.result
        self._memory.note_gradients()
        self._written = self._memory.written()
        if self._update is not None:
            self._written += self._update.written()

    def _work(self) -> tuple[list[Tensor], Any]:
        for gradient in self._memory.gradients:
            gradient._fresh = False
        scale = None if self._scale is None else self._scale.state.scale
        (results,) = self._body.run_passes([self._batch], scale)
        if self._update is not None and self._numbers is not None:
            self._check_fresh()
            self._body.reduce()
            self._body.clip(self._body.column(), 1.0 if scale is None else scale)
            self._update.run(self._numbers.groups, self._judge())
        arrays = [item for item in leaves_of(tuple(results)) if isinstance(item, NDArray)]
        self._classes = [type(item) for item in arrays]
        return [item._plain for item in arrays], structure_of(tuple(results))

    def _judge(self) -> Guard | None:
        """Tests the gradients for overflow where that matters."""
        if self._scale is None:
            return None
        parameters = self._body.trainer._params
        gradients = [array for item in parameters for array in item._grad or ()]
        guard = self._scale.judge([array._memory for array in gradients])
        self._finite = guard.finite
        return guard

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
        if not self._blocks.are_current():
            return False
        if self._update is None:
            return True
        if self._body.ignores_stale and any(item._fresh for item in self._memory.gradients):
            return False  # gradients of another pass wait for this step
        return self._update.is_current()

    def _update_in_loop(self) -> None:
        if self._scale is not None:
            trainer = self._body.trainer
            self._scale.leave_to_loop()
            trainer._scale = trainer._amp_original_scale / self._scale.scaler.loss_scale
        self._body.update(self._size)

    def replay(self, batch: Batch) -> Results | None:
        """Makes a step; returns None, with nothing changed, if the optimizer's numbers forbid."""
        if self._scale is not None:
            self._scale.settle(wait=self._varying)  # the next numbers may depend on the last step
            self._scale.load()
        if self._update is not None and self._numbers is not None:
            update = self._update
            progress = Progress(update.optimizer) if changes_numbers(update.optimizer) else None
            if not self._numbers.load(update.advance()):
                if progress is None:
                    update.take_back()
                else:
                    progress.restore()
                return None
        self._arguments.load(batch.arrays)
        self._capture.replay()
        torch.autograd.graph.increment_version(self._written)
        if self._finite is not None and self._scale is not None and self._update is not None:
            self._scale.note(self._finite, self._update)
        self._memory.show_gradients(fresh=self._update is None)
        if self._update is None:
            self._update_in_loop()
        return self._take_results()

    def _take_results(self) -> Results:
        """Returns copies of the results, which the next replay overwrites."""
        arrays = [
            cls._wrap(tensor.clone(), self._ctx)
            for cls, tensor in zip(self._classes, self._results, strict=True)
        ]
        if self._structure == _ONE_LOSS:
            return Results(arrays[0], None)
        following = iter(arrays)
        return Results(
            *replace_leaves(
                self._structure, lambda leaf: next(following) if leaf is Leaf.ARRAY else leaf
            )
        )


# A captured step cannot ask whether gradients overflowed. It keeps the state of the scale on the
# device, where it also decides whether its update counts. The host learns of overflows afterwards:
# at once where the next numbers of the optimizer depend on it, otherwise when the device is done.


class LossScale:
    """A loss scale that captured steps move.

    Args:
        scaler: The scaler of a trainer, which has the numbers on the host.
        engine: Reads truth values of the device.
        device: Where the steps run.
    """

    def __init__(self, scaler: Any, engine: CudaEngine, device: torch.device) -> None:
        self.scaler = scaler
        self._engine = engine
        self.state = scaler.state_on(device)
        self._late: deque[tuple[LateFlag, ColumnUpdate]] = deque()
        self._is_moved = False

    def leave_to_loop(self) -> None:
        """Brings the host up to date before a step that moves the scale there."""
        self.settle(wait=True)
        self._is_moved = True

    def load(self) -> None:
        """Brings the device up to date if the host has moved the scale."""
        if self._is_moved:
            for tensor, value in zip(self.state, self.scaler.state_on("cpu"), strict=True):
                tensor.fill_(value.item())
            self._is_moved = False

    def judge(self, gradients: Sequence[Tensor]) -> Guard:
        """Returns what an update needs to know, and moves the scale; part of a capture."""
        scale = self.state.scale.clone()
        guard = Guard(scale, are_finite(gradients))
        following = self.scaler.advance(self.state, ~guard.finite)
        for tensor, value in zip(self.state, following, strict=True):
            tensor.copy_(value)
        return guard

    def note(self, finite: Tensor, update: ColumnUpdate) -> None:
        """Takes the result of a replay, which the host reads later."""
        self._late.append((self._engine.read_later(finite), update))

    def settle(self, wait: bool) -> None:
        """Does on the host what steps did on the device.

        Args:
            wait: Whether to wait for steps that are not done yet.
        """
        while self._late and (wait or self._late[0][0].is_ready()):
            flag, update = self._late.popleft()
            overflow = not flag.read()
            self.scaler._move(overflow)
            if overflow:
                update.take_back()
