"""`gluon.Checkpoint`: saves the state of training, its place in the data too, and resumes it."""

from __future__ import annotations

import base64
import itertools
import json
import os
import random
import threading
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import distributed
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.default_planner import DefaultLoadPlanner, DefaultSavePlanner
from torch.distributed.checkpoint.state_dict_loader import load
from torch.distributed.checkpoint.state_dict_saver import save

from mxnet._formats.files import read_foreign
from mxnet._state import processes, rng
from mxnet.errors import FileFormatError, InvalidArgumentError, MXNetError, shown
from mxnet.gluon.blocks.block import Block
from mxnet.gluon.checkpoint import _storage
from mxnet.gluon.checkpoint._contents import Contents
from mxnet.gluon.data import DataLoader
from mxnet.gluon.trainer import Trainer

_MOST_BATCHES = 1 << 40


class Checkpoint:
    """Saves the state of training, and goes on from it after a restart.

    Saved are the parameters, the states of the optimizer with its counts and schedule, the position
    in the data, and the random states of this package, of NumPy and of Python. Files are written by
    a thread while training goes on, beside their place, which they take when they are complete. A
    checkpoint of several ranks, sharded or not, can be read by any other number of them.

    All ranks must save and restore together.

    Args:
        folder: Folder of the checkpoints, which all ranks see.
        net: The network.
        trainer: Its trainer, if the states of the optimizer are to be saved.
        every: After how many calls of `advance` to save; None leaves that to calls of `save`.
        keep: How many checkpoints are kept; older ones are removed.

    Attributes:
        step: Number of calls of `advance`.
        epoch: Number of the present epoch.
        extra: What else to save: a dictionary that JSON can express.

    Example:
        >>> import tempfile
        >>> import mxnet as mx
        >>> from mxnet.gluon import Checkpoint, Trainer, nn
        >>> net = nn.Dense(1, in_units=2)
        >>> net.initialize()
        >>> trainer = Trainer(net.collect_params(), "adam")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     checkpoint = Checkpoint(folder, net, trainer, every=2)
        ...     checkpoint.restore_latest()
        ...     for epoch in checkpoint.epochs(1):
        ...         for x in checkpoint.batches([mx.nd.ones((4, 2))] * 3):
        ...             with mx.autograd.record():
        ...                 loss = net(x).sum()
        ...             loss.backward()
        ...             trainer.step(4)
        ...             checkpoint.advance()
        ...     checkpoint.wait()
        ...     checkpoint.steps()
        [2]
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        net: Block,
        trainer: Trainer | None = None,
        every: int | None = None,
        keep: int = 3,
    ) -> None:
        if keep < 1 or (every is not None and every < 1):
            raise InvalidArgumentError(
                f"Checkpoint: keep and every take 1 or more, got keep={keep} and every={every}"
            )
        self._folder = Path(folder)
        self._contents = Contents(net, trainer)
        self._every, self._keep = every, keep
        self.step = 0
        self.extra: dict[str, Any] = {}
        self._position = Position()
        self._writing: threading.Thread | None = None
        self._failure: BaseException | None = None
        processes.join("Checkpoint")
        with processes.guard("Checkpoint"):
            # Of its own, as its messages must not come between those of training.
            self._group = distributed.new_group(
                backend="gloo", timeout=timedelta(seconds=processes.timeout("Checkpoint"))
            )

    @property
    def epoch(self) -> int:
        """Number of the present epoch, from 0."""
        return self._position.epoch

    def epochs(self, count: int) -> Iterator[int]:
        """Yields the numbers of epochs that are still to be done.

        Args:
            count: Number of all epochs.
        """
        return self._position.epochs(count)

    def batches(self, loader: Iterable[Any]) -> Iterator[Any]:
        """Yields the batches of an epoch that are still to be done.

        Those before are not loaded again if the loader is a `DataLoader`; of other iterables they
        are passed over. The order of samples must come from the random states of NumPy, Python or
        `mx.random`, or be the same each time; `last_batch="rollover"` cannot go on in mid-epoch.

        Args:
            loader: Yields batches.
        """
        return self._position.batches(loader)

    def advance(self) -> None:
        """Counts a step, and begins to save if it is time to; to be called after the step."""
        self.step += 1
        if self._every is not None and self.step % self._every == 0:
            self.save_async()

    def steps(self) -> list[int]:
        """Returns the steps of all complete checkpoints in the folder, ascending."""
        if not self._folder.is_dir():
            return []
        names = (item.name for item in self._folder.iterdir() if item.is_dir())
        found = {int(match[1]) for name in names if (match := _storage.PLACE.fullmatch(name))}
        return sorted(step for step in found if _storage.present(self._place(step)).is_dir())

    def save(self) -> None:
        """Saves, and waits until everything is on disk."""
        self.save_async()
        self.wait()

    def save_async(self) -> None:
        """Copies the state and has a thread write it; waits for an earlier one to be done.

        Raises:
            MXNetError: if the earlier one failed.
        """
        self.wait()
        rank, size = processes.rank(), processes.size()
        states = {"random": read_states(), "random_of_epoch": self._position.random_of_epoch}
        notes = {
            "step": self.step,
            **self._position.notes(),
            "scaler": self._contents.scaler(),
            "extra": self.extra,
        }
        writer = _storage.FolderWriter(
            self._place(self.step),
            rank,
            size,
            {_storage.rank_file(rank): json.dumps(states).encode()},
            {_storage.OPTIMIZER: self._contents.optimizer()},
            json.loads(json.dumps(notes)),  # a copy, and an error now if JSON cannot express it
        )
        tensors = self._contents.tensors()
        self._writing = threading.Thread(
            target=self._write, args=(tensors, writer), name="mxnet-checkpoint"
        )
        self._writing.start()

    def wait(self) -> None:
        """Waits until what was saved is on disk.

        Raises:
            MXNetError: if that failed; earlier checkpoints are as they were.
        """
        thread, self._writing = self._writing, None
        if thread is not None:
            thread.join()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise _as_error("Checkpoint.save", failure) from failure

    def _write(self, tensors: dict[str, torch.Tensor], writer: _storage.FolderWriter) -> None:
        try:
            save(
                tensors,
                storage_writer=writer,
                planner=DefaultSavePlanner(
                    flatten_state_dict=False, dedup_save_to_lowest_rank=True
                ),
                process_group=self._group,
            )
            if processes.rank() == 0:
                self._remove_old()
        except (Exception, CheckpointException) as error:  # noqa: BLE001 - raised by `wait`
            self._failure = error
            writer.abandon()

    def _remove_old(self) -> None:
        for step in self.steps()[: -self._keep]:
            _storage.settle(self._place(step))
            _storage.discard(self._place(step))

    def _place(self, step: int) -> Path:
        return _storage.place_of(self._folder, step)

    def restore_latest(self) -> int | None:
        """Restores the latest complete checkpoint.

        Returns:
            Its step; None if there is no checkpoint, and nothing has changed.
        """
        self.wait()
        steps = self.steps()
        latest = torch.tensor([steps[-1] if steps else -1])
        with processes.guard("Checkpoint.restore_latest"):  # the first rank decides for all
            distributed.broadcast(latest, 0, group=self._group)
        step = int(latest.item())
        if step < 0:
            return None
        self.restore(step)
        return step

    def restore(self, step: int) -> None:
        """Restores the checkpoint of a step.

        Raises:
            FileFormatError: if it is damaged.
            MXNetError: if it does not fit the network; parameters have not changed then.
        """
        self.wait()
        place = _storage.present(self._place(step))
        where = f"Checkpoint: {os.fspath(place)!r}"
        if not place.is_dir():
            raise InvalidArgumentError(f"{where}: does not exist; there are {self.steps()}")
        index = _storage.read_index(place)
        files = [_storage.NAME, _storage.rank_file(processes.rank() % index.num_ranks)]
        of_index, of_states, of_optimizer = (
            f"Checkpoint: {os.fspath(place / name)!r}" for name in (*files, _storage.OPTIMIZER)
        )
        states = _storage.read_json(place / files[1])
        epoch_states = states.get("random_of_epoch")
        if epoch_states is not None and not isinstance(epoch_states, dict):
            raise FileFormatError(f"{of_states}: has no random states of its epoch")
        position = Position.of_notes(index.notes, epoch_states, index.num_ranks, of_index)
        optimizer = place / _storage.OPTIMIZER
        places = self._contents.prepare(
            index, read_foreign(optimizer) if optimizer.is_file() else b"", of_index, of_optimizer
        )
        tensors = {name: item.tensor(copy=True) for name, item in places.items()}
        self._read(tensors, _storage.FolderReader(place, index))
        for name, item in places.items():
            item.fill(tensors[name])
        self._contents.take_scaler(index.notes.get("scaler"), of_index)
        write_states(states.get("random"), of_states)
        extra = index.notes.get("extra")
        self.extra = extra if isinstance(extra, dict) else {}
        self.step, self._position = step, position

    def _read(self, tensors: dict[str, torch.Tensor], reader: _storage.FolderReader) -> None:
        try:
            with processes.guard("Checkpoint.restore"):
                load(
                    tensors,
                    storage_reader=reader,
                    planner=DefaultLoadPlanner(flatten_state_dict=False),
                    process_group=self._group,
                )
        except CheckpointException as error:
            raise _as_error("Checkpoint.restore", error) from error


def _as_error(where: str, failure: BaseException) -> MXNetError:
    """Words what failed in this rank or in another one."""
    if isinstance(failure, MXNetError):
        return failure
    if isinstance(failure, CheckpointException):
        causes = dict(failure.failures.items())
        for rank, (cause, _) in causes.items():
            if isinstance(cause, FileFormatError):
                return FileFormatError(f"{cause} (rank {rank})")
        said = "; ".join(f"rank {rank}: {cause}" for rank, (cause, _) in causes.items())
        return MXNetError(f"{where}: failed in {said}")
    return MXNetError(f"{where}: {failure}")


class Position:
    """The epoch, the number of its batches that are done, and how its order was drawn.

    Args:
        epoch: Number of the epoch.
        done: Number of batches that are done.
        random_of_epoch: Random states before the epoch; None if it has not begun.
    """

    def __init__(
        self, epoch: int = 0, done: int = 0, random_of_epoch: dict[str, Any] | None = None
    ) -> None:
        self.epoch, self.random_of_epoch = epoch, random_of_epoch
        self._done = done
        self._is_restored = random_of_epoch is not None

    @classmethod
    def of_notes(
        cls,
        notes: dict[str, Any],
        random_of_epoch: dict[str, Any] | None,
        num_ranks: int,
        where: str,
    ) -> Position:
        """Makes the position that a checkpoint has noted.

        Args:
            notes: What `notes` returned.
            random_of_epoch: Random states before the epoch.
            num_ranks: Number of ranks that shared each batch then.
            where: The file, for messages.
        """
        epoch: Any = notes.get("epoch")
        done: Any = notes.get("batches")
        if not all(type(item) is int and 0 <= item < _MOST_BATCHES for item in (epoch, done)):
            raise FileFormatError(f"{where}: has the position {shown([epoch, done])}")
        return cls(epoch, done * num_ranks // processes.size(), random_of_epoch)

    def notes(self) -> dict[str, int]:
        """Returns the position as a checkpoint notes it."""
        return {"epoch": self.epoch, "batches": self._done}

    def epochs(self, count: int) -> Iterator[int]:
        """Yields the numbers of epochs from the present one on."""
        while self.epoch < count:
            yield self.epoch
            self.epoch += 1
            self._done, self.random_of_epoch = 0, None

    def batches(self, loader: Iterable[Any]) -> Iterator[Any]:
        """Yields the batches of the epoch that are not done, and counts them."""
        if self._is_restored and self.random_of_epoch is not None:
            batches = self._go_on(loader, self.random_of_epoch)
        else:
            self._done, self.random_of_epoch = 0, read_states()
            batches = iter(loader)
        self._is_restored = False
        for batch in batches:
            self._done += 1
            yield batch

    def _go_on(self, loader: Iterable[Any], states: dict[str, Any]) -> Iterator[Any]:
        """Returns the rest of an epoch, drawn as it was when the epoch began.

        The last batch that is done is loaded again, so that the loader learns whether samples draw
        random numbers, which it takes into account at the end.
        """
        after = read_states()
        write_states(states, "Checkpoint")
        first = max(self._done - 1, 0)
        if isinstance(loader, DataLoader):
            batches = loader._iterate_from(first)
        else:
            batches = itertools.islice(loader, first, None)
        if self._done:
            next(batches, None)
        write_states(after, "Checkpoint")
        return batches


_WORDS = 624
"""Length of the state of a Mersenne twister, which NumPy and Python have."""


def read_states() -> dict[str, Any]:
    """Returns the states of all generators."""
    _, words, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, python, python_gauss = random.getstate()
    return {
        "mxnet": {name: _encode(state) for name, state in rng.read_states().items()},
        "numpy": [_encode(np.asarray(words)), int(position), int(has_gauss), float(gauss)],
        "python": [version, _encode(np.array(python, dtype=np.uint32)), python_gauss],
    }


def write_states(states: Any, where: str) -> None:
    """Sets the states of all generators that are in this process.

    Args:
        states: What `read_states` returned, maybe from a file.
        where: The file, for messages.

    Raises:
        FileFormatError: if they are damaged; Python's generator may have changed then.
    """
    try:
        version, python, python_gauss = states["python"]
        if python_gauss is not None and not isinstance(python_gauss, float):
            raise FileFormatError(f"{where}: the state of Python's generator is damaged")
        random.setstate((version, tuple(map(int, _decode(python, np.uint32))), python_gauss))
        encoded, position, has_gauss, gauss = states["numpy"]
        words = _decode(encoded, np.uint32)
        if len(words) != _WORDS or not 0 <= position <= _WORDS:
            raise FileFormatError(f"{where}: the state of NumPy's generator is damaged")
        np.random.set_state(("MT19937", words, int(position), int(bool(has_gauss)), float(gauss)))
        ours = {str(name): _decode(item, np.uint8) for name, item in states["mxnet"].items()}
        rng.write_states(ours)
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        if isinstance(error, MXNetError):
            raise
        raise FileFormatError(f"{where}: random states are damaged: {error}") from error


def _encode(array: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(array.tobytes()).decode()


def _decode(text: str, dtype: type[np.generic]) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = np.frombuffer(bytearray(base64.b64decode(text)), dtype=dtype)
    return array
