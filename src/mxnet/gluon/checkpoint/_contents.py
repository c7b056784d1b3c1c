"""What a checkpoint holds of a network and its trainer, as tensors by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Shard

from mxnet._state import processes
from mxnet.errors import FileFormatError, MXNetError, shown
from mxnet.gluon.blocks.block import Block
from mxnet.gluon.checkpoint._storage import Index
from mxnet.gluon.parameters import Parameter, ParameterError
from mxnet.gluon.sharding import ShardedParameter
from mxnet.gluon.trainer import Trainer
from mxnet.ndarray import NDArray
from mxnet.optimizer import Updater

_SCALER = ("_loss_scale", "_next_loss_scale", "_unskipped")
"""What moves in the loss scaler of mixed precision."""


class Place(NamedTuple):
    """Arrays with the same content, of which the first is saved and all are loaded."""

    arrays: list[NDArray]
    whole: tuple[int, ...]
    is_part: bool
    """Whether this rank holds some rows of it."""

    def tensor(self, copy: bool) -> Tensor:
        """Returns the content on the CPU; of rows a DTensor, which knows the place of the rows.

        Args:
            copy: Whether later changes of the array must not be seen.
        """
        held = self.arrays[0]._plain
        local = held.cpu() if not copy or held.device.type != "cpu" else held.clone()
        if not self.is_part:
            return local
        whole = torch.empty(self.whole, device="meta")
        mesh = DeviceMesh("cpu", range(processes.size()))
        made: Tensor = DTensor.from_local(
            local, mesh, [Shard(0)], run_check=False, shape=whole.shape, stride=whole.stride()
        )
        return made

    def fill(self, tensor: Tensor) -> None:
        """Writes what was loaded to all arrays."""
        local = tensor.to_local() if isinstance(tensor, DTensor) else tensor
        for array in self.arrays:
            array._writable().copy_(local)


class Contents:
    """The parameters of a network and the states of its trainer.

    Args:
        net: The network.
        trainer: The trainer, None if there is none.
    """

    def __init__(self, net: Block, trainer: Trainer | None) -> None:
        self._net, self._trainer = net, trainer

    def tensors(self) -> dict[str, Tensor]:
        """Returns copies of all tensors on the CPU.

        Raises:
            MXNetError: if a parameter has no value yet.
        """
        places = {**self._parameter_places(), **self._state_places()}
        return {name: place.tensor(copy=True) for name, place in places.items()}

    def optimizer(self) -> bytes:
        """Returns the optimizer with its counts and schedule, in the format of `save_states`."""
        if self._trainer is None:
            return b""
        return Updater(self._trainer.optimizer).get_states(dump_optimizer=True)

    def scaler(self) -> list[float] | None:
        """Returns the numbers of mixed precision, None without it."""
        scaler = getattr(self._trainer, "_amp_loss_scaler", None)
        return None if scaler is None else [getattr(scaler, name) for name in _SCALER]

    def prepare(
        self, index: Index, optimizer: bytes, where: str, where_optimizer: str
    ) -> dict[str, Place]:
        """Makes ready to load a checkpoint, and returns what is to be filled, by name.

        Parameters whose shape is not known yet get it, and the optimizer its counts.

        Args:
            index: What the checkpoint holds.
            optimizer: Content of the file of the optimizer.
            where: The index, for messages.
            where_optimizer: The file of the optimizer, for messages.

        Raises:
            MXNetError: naming all that does not fit; parameters have not changed then.
        """
        for name, parameter in self._parameters().items():
            stored = index.tensors.get(name)
            if parameter._deferred_init and stored is not None:
                parameter.shape = stored.shape
                parameter._finish_deferred_init()
        places = self._parameter_places()
        _check_fit(places, index, where)
        if self._trainer is not None and optimizer:
            self._take_optimizer(optimizer, where_optimizer)
            self._make_states(index)
            states = self._state_places()
            _check_fit(states, index, where)
            places |= states
        return places

    def take_scaler(self, numbers: Any, where: str) -> None:
        """Sets the numbers of mixed precision.

        Args:
            numbers: What `scaler` returned, maybe from a file.
            where: The file, for messages.
        """
        scaler = getattr(self._trainer, "_amp_loss_scaler", None)
        if scaler is None or not isinstance(numbers, list) or len(numbers) != len(_SCALER):
            return
        if not all(type(item) in (int, float) and 0 <= item < 1 << 62 for item in numbers):
            raise FileFormatError(f"{where}: the numbers of mixed precision are {shown(numbers)}")
        for name, number in zip(_SCALER, numbers, strict=True):
            setattr(scaler, name, type(getattr(scaler, name))(number))

    def _parameters(self) -> dict[str, Parameter]:
        """Returns each parameter once, by the first path that leads to it."""
        named: dict[int, tuple[str, Parameter]] = {}
        for name, parameter in self._net._collect_params_with_prefix().items():
            named.setdefault(id(parameter), (f"net/{name}", parameter))
        for parameter in self._net.collect_params().values():
            named.setdefault(id(parameter), (f"net//{parameter.name}", parameter))
        return dict(named.values())

    def _parameter_places(self) -> dict[str, Place]:
        places = {}
        for name, parameter in self._parameters().items():
            if parameter._stype != "default":
                raise ParameterError(
                    f"Checkpoint: Parameter {parameter.name!r} has storage type {parameter._stype}"
                )
            places[name] = _place_of(parameter, parameter._values())
        return places

    def _updaters(self) -> list[Updater]:
        """Returns the updaters that hold the states, one for each context."""
        trainer = self._trainer
        if trainer is None:
            return []
        if not trainer._kv_initialized:
            trainer._init_kvstore()
        if not trainer._states_in_store:
            return trainer._updaters
        updater = getattr(trainer._kvstore, "_updater", None)
        if updater is None:
            raise MXNetError(
                f"Checkpoint: the store {trainer._kvstore.type!r} keeps the states of the "
                "optimizer; make the trainer with update_on_kvstore=False"
            )
        return [updater]

    def _trained(self) -> Iterator[tuple[int, str, Parameter]]:
        """Yields key, name and parameter of all that the optimizer may have a state of."""
        names = {id(item): name for name, item in self._parameters().items()}
        for key, parameter in enumerate(self._trainer._params if self._trainer else ()):
            if parameter.grad_req != "null":
                name = names.get(id(parameter), f"net//{parameter.name}")
                yield key, f"states/{name}", parameter

    def _state_places(self) -> dict[str, Place]:
        updaters = self._updaters()
        places = {}
        for key, name, parameter in self._trained():
            states = [updater.states[key] for updater in updaters if key in updater.states]
            columns = zip(*(_flatten(state) for state in states), strict=True)
            for parts in columns:
                place = f"{name}/{parts[0][0]}"
                places[place] = _place_of(parameter, [array for _, array in parts])
        return places

    def _take_optimizer(self, content: bytes, where: str) -> None:
        trainer = self._trainer
        if trainer is None:
            return
        for updater in self._updaters():
            _, optimizer = updater._read(content, where, {})
            updater._take({}, optimizer)
        trainer._optimizer = self._updaters()[0].optimizer
        for updater in (*self._updaters(), *trainer._updaters):
            updater.optimizer = trainer._optimizer
        trainer._optimizer.param_dict = dict(enumerate(trainer._params))

    def _make_states(self, index: Index) -> None:
        """Makes states, to be filled, of the parameters that the checkpoint has states of."""
        having = {name.rpartition("/")[0] for name in index.tensors}
        for key, name, parameter in self._trained():
            if name in having:
                for updater, weight in zip(self._updaters(), parameter._values(), strict=False):
                    updater._state(key, weight)


def _place_of(parameter: Parameter, arrays: list[NDArray]) -> Place:
    """Returns the place of a parameter or of a state of it, which has the same rows or none."""
    shape = tuple(arrays[0].shape)
    if isinstance(parameter, ShardedParameter):
        piece = parameter.piece
        rows = piece.shape[0] if piece.shape else 1
        if shape[:1] == piece.local_shape[:1]:
            return Place(arrays, (rows, *shape[1:]), True)
    return Place(arrays, shape, False)


def _flatten(state: Any, path: str = "state") -> list[tuple[str, NDArray]]:
    """Returns the arrays of a state with their paths."""
    if isinstance(state, NDArray):
        return [(path, state)]
    if isinstance(state, (list, tuple)):
        parts = [_flatten(part, f"{path}.{i}") for i, part in enumerate(state)]
        return [pair for part in parts for pair in part]
    return []


def _check_fit(places: Mapping[str, Place], index: Index, where: str) -> None:
    """Raises if a checkpoint lacks tensors or has other shapes or dtypes."""
    problems = []
    for name, place in places.items():
        stored = index.tensors.get(name)
        dtype = place.arrays[0]._plain.dtype
        if stored is None:
            problems.append(f"{name} is missing")
        elif stored.shape != place.whole or stored.dtype != dtype:
            expected, saved = f"{dtype} {place.whole}", f"{stored.dtype} {stored.shape}"
            problems.append(f"{name} is {saved}, expected {expected}".replace("torch.", ""))
    if problems:
        raise ParameterError(f"{where}: does not fit the network: {'; '.join(problems)}")
