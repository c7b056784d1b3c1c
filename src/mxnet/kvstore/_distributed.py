"""The stores of several processes, which add gradients up over all of them."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from mxnet import optimizer as opt
from mxnet._frontend.dialect import make_array_like
from mxnet._state import processes
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.kvstore import _exchange, _replicas
from mxnet.kvstore.base import KVStoreBase, unknown_capability
from mxnet.kvstore.kvstore import ALL_REDUCING, Key, KVStore, spans_processes
from mxnet.ndarray import NDArray
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray.sparse import RowSparseNDArray

Sums = dict[Key, NDArray]


class DistributedKVStore(KVStore):
    """A store that several processes share, each of which holds all values.

    There are no servers. What the processes push for a key is added up over all of them, and each
    updates its own copy of the value by the same sum, so that the copies stay equal. All of them
    make the same calls in the same order; `pull` alone needs no other process.

    Args:
        name: Name of the type. With `"async"` in it, what the processes push is not added up:
            each value is updated by one gradient after the other, in the order of the ranks.

    Example:
        >>> import mxnet as mx
        >>> store = mx.kvstore.create("dist_sync")
        >>> store.rank, store.num_workers  # in a process that no launcher has started
        (0, 1)
    """

    def __init__(self, name: str = "dist_sync") -> None:
        super().__init__(name)
        processes.join(f"kvstore.create({name!r})")
        self._is_async = "async" in name

    def init(self, key: Any, value: Any) -> None:
        """Stores the first value of a key, or of each key in a list: that of rank 0.

        Raises:
            MXNetError: if a key has a value already.
        """
        names = [name for name, _ in self._entries("init", key, value)]
        super().init(key, value)
        self._copy_values_from_first("init", names)

    def _copy_values_from_first(self, where: str, names: Sequence[Key]) -> None:
        values = {name: self._values[name] for name in names}
        self._agree(where, values)
        dense = [array._writable() for array in values.values() if array.stype == "default"]
        _exchange.copy_from(_where(where), dense, 0)
        for array in values.values():
            if isinstance(array, RowSparseNDArray):
                rows = _exchange.gather_rows(_where(where), array._rows())[0]
                if array._parts[0].shape == rows[0].shape:
                    # In place, since the leaf of a parameter is an alias of its memory.
                    for mine, first in zip(array._parts, rows, strict=True):
                        mine.detach().copy_(first)
                else:
                    array._parts = tuple(part.clone() for part in rows)

    def push(self, key: Any, value: Any, priority: int = 0) -> None:
        """Adds up arrays over contexts and processes and updates the value of the key by the sum.

        Args:
            key: A key or a list of keys.
            value: An array, or a list with one of each context; a list of those for keys.
            priority: Accepted for compatibility; work is done in the order of the calls.
        """
        del priority
        sums = self._local_sums(key, value)
        self._agree("push", sums)
        if self._is_async:
            self._apply_in_turn(sums)
        else:
            self._add_up_over_processes("push", sums)
            self._apply(sums)

    def _apply(self, sums: Sums) -> None:
        """Updates values by sums; without an updater, rows replace only the rows that they are."""
        if self._updater is None:
            for name, total in sums.items():
                value = self._values[name]
                if isinstance(total, RowSparseNDArray) and isinstance(value, RowSparseNDArray):
                    sums[name] = _replace_rows(value, total)
        super()._apply(sums)
        updater = self._updater
        if isinstance(updater, opt.Updater) and updater.optimizer._is_random:
            self._copy_values_from_first("push", list(sums))

    def _apply_in_turn(self, sums: Sums) -> None:
        """Updates values by the gradients of each process, one after the other."""
        if self._updater is None:
            raise MXNetError(
                f"KVStore.push: a store {self._type!r} updates values one gradient after the "
                "other and needs an updater; see set_optimizer"
            )
        if self._compress is not None:
            sums = {name: self._compress(name, array) for name, array in sums.items()}
        parts: dict[Key, list[NDArray]] = {}
        for name, array in sums.items():
            if isinstance(array, RowSparseNDArray):
                parts[name] = [
                    RowSparseNDArray._of_parts(rows, array.shape, array.context)
                    for rows in _exchange.gather_rows(_where("push"), array._rows())
                ]
            else:
                gathered = _exchange.gather(_where("push"), array._plain)
                parts[name] = [make_array_like(array, part) for part in gathered]
        for rank in range(self.num_workers):
            self._apply({name: arrays[rank] for name, arrays in parts.items()})

    def _add_up_over_processes(self, where: str, sums: Sums) -> None:
        """Replaces what this process has for each key by the sum over all processes."""
        dense = {name: array for name, array in sums.items() if array.stype == "default"}
        if self._compress is None:
            _exchange.add_up(_where(where), [array._plain for array in dense.values()])
        else:
            self._add_up_codes(where, dense, self._compress)
        for name, array in sums.items():
            if isinstance(array, RowSparseNDArray):
                rows = _exchange.gather_rows(_where(where), array._rows())
                array._parts = kernels.merge_rows(rows)
            elif name not in dense:
                raise MXNetError(f"KVStore.{where}: {name!r} is {array.stype}, which is not added")

    def _add_up_codes(self, where: str, dense: Sums, compress: _replicas.Compression) -> None:
        """Adds up gradients that are sent as codes."""
        codes = {}
        for name, array in dense.items():
            dtype = compress.code_dtype(array._plain.dtype, self.num_workers)
            codes[name] = compress.encode(name, array._plain).to(dtype)
        _exchange.add_up(_where(where), list(codes.values()))
        compress.settle()
        for name, array in dense.items():
            array._plain.copy_(compress.decode(codes[name]))

    def _add_up(self, name: Key, arrays: Sequence[NDArray]) -> NDArray:
        """Returns the sum over contexts in memory of its own; rounding comes after it."""
        home = self._values[name].context
        if len(arrays) == 1:
            return arrays[0].copyto(home)  # type: ignore[return-value]  # a new array
        return _replicas.add_together(arrays, home)

    def broadcast_all(self, keys: Sequence[Key], replicas: Sequence[Sequence[NDArray]]) -> None:
        """Copies the first arrays of rank 0 to all others of all processes."""
        for key, arrays in zip(keys, replicas, strict=True):
            self._values[key] = arrays[0]
            self._in_place.add(key)
        self._copy_values_from_first("broadcast", keys)
        for arrays in replicas:
            _replicas.copy_to_all(arrays[0], arrays)

    def pushpull_all(
        self,
        keys: Sequence[Key],
        values: Sequence[Sequence[NDArray]],
        outs: Sequence[Sequence[NDArray]] | None = None,
    ) -> None:
        """Adds up gradients in place, or updates values by them and copies these to `outs`."""
        if outs is not None:
            self._pushpull_into(keys, values, outs)
            return
        if self._is_async:
            raise MXNetError(
                f"KVStore.pushpull: a store {self._type!r} does not add gradients up; use "
                "update_on_kvstore=True"
            )
        sums = {
            key: arrays[0]
            if len(arrays) == 1
            else _replicas.add_together(arrays, arrays[0].context)
            for key, arrays in zip(keys, values, strict=True)
        }
        self._agree("pushpull", sums)
        self._add_up_over_processes("pushpull", sums)
        for key, arrays in zip(keys, values, strict=True):
            for array in arrays:
                if array is not sums[key]:
                    sums[key].copyto(array)

    def is_capable(self, capability: str) -> bool:
        """Returns whether the store has a capability; in jobs of P3 workers update weights."""
        capable = super().is_capable(capability)
        return capable and os.environ.get("DMLC_PS_VAN_TYPE") != "p3"

    def share_updater(self, updater: opt.Updater) -> bool:
        """Has values updated by an updater, which keeps its states, unlike users' classes."""
        self._set_updater(updater)
        return True

    def set_gradient_compression(self, compression_params: Mapping[str, Any]) -> None:
        """Has what each process sends rounded; what is lost is added to its next gradient.

        Args:
            compression_params: `type`, which must be `"2bit"`, and `threshold`, by default 0.5.
        """
        self._compress = _replicas.TwoBitCompression(compression_params)

    @property
    def rank(self) -> int:
        """Number of this process."""
        return processes.rank()

    @property
    def num_workers(self) -> int:
        """Number of processes."""
        return processes.size()

    def barrier(self) -> None:
        """Waits until all processes have come here."""
        _exchange.agree("KVStore.barrier", "")

    def _barrier(self) -> None:
        self.barrier()

    def get_num_dead_node(self, node_id: int = 0, timeout: int = 60) -> int:
        """Returns how many processes are known to be lost: 1 after a call that failed, else 0.

        Args:
            node_id: Accepted for compatibility: there are no servers to ask for.
            timeout: Accepted for compatibility; see `MXNET_KVSTORE_TIMEOUT`.
        """
        del node_id, timeout
        return int(processes.has_failed())

    def send_command_to_servers(self, head: int, body: str) -> None:
        """Does nothing but say so, because there are no servers.

        Args:
            head: Number of the command.
            body: Its text.
        """
        del body
        logging.warning(
            "KVStore.send_command_to_servers: command %d is ignored, because every process "
            "updates its own copy of the values and there are no servers",
            head,
        )

    _send_command_to_servers = send_command_to_servers

    def _agree(self, where: str, arrays: Sums) -> None:
        """Makes sure that all processes are at the same call with arrays of the same form."""
        forms = []
        for name, array in arrays.items():
            dtype = array._memory.dtype
            if dtype is torch.bool:
                raise MXNetError(f"KVStore.{where}: {name!r} takes numbers, got bool")
            forms.append(f"{name!r} {array.shape} {dtype} {array.stype}")
        _exchange.agree(_where(where), ", ".join(forms))


class AllReduceKVStore(DistributedKVStore):
    """A store of several processes that adds gradients up and does not update weights.

    It has the names of Horovod and BytePS, whose stores keep no values and have no optimizer.
    """

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copies the arrays of rank 0 to arrays of all processes."""
        del priority
        first = {name: arrays[0].copy() for name, arrays in self._entries("broadcast", key, value)}
        self._agree("broadcast", first)
        _exchange.copy_from(_where("broadcast"), [item._plain for item in first.values()], 0)
        for name, arrays in self._entries("broadcast", key, out):
            _replicas.copy_to_all(first[name], arrays)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Adds arrays up over contexts and processes into `out`, or in place."""
        del priority
        entries = self._entries("pushpull", key, value)
        names = [name for name, _ in entries]
        if out is None:
            self.pushpull_all(names, [arrays for _, arrays in entries])
            return
        targets = [arrays for _, arrays in self._entries("pushpull", key, out)]
        for (_, arrays), outs in zip(entries, targets, strict=True):
            total = (
                arrays[0] if len(arrays) == 1 else _replicas.add_together(arrays, arrays[0].context)
            )
            total.copyto(outs[0])
        self.pushpull_all(names, [outs[:1] for outs in targets])
        for outs in targets:
            _replicas.copy_to_all(outs[0], outs)

    def is_capable(self, capability: str) -> bool:
        """Returns whether the store has a capability such as `OPTIMIZER`, which it has not."""
        if capability.lower() != KVStoreBase.OPTIMIZER:
            raise unknown_capability(capability)
        return False

    def send_in_half_precision(self, divisor: float = 1.0) -> None:
        """Has gradients added up in half precision, as Horovod's `Compression.fp16` does.

        Args:
            divisor: What gradients are divided by on their way, so that sums do not overflow.
        """
        self._compress = _replicas.HalfCompression(divisor)

    @property
    def local_rank(self) -> int:
        """Number of this process on its machine."""
        return processes.local_rank()


def _where(call: str) -> str:
    return f"KVStore.{call}"


def _replace_rows(value: RowSparseNDArray, rows: RowSparseNDArray) -> NDArray:
    """Returns a row_sparse array with some of its rows replaced."""
    data, places = value._rows()
    kept = ~torch.isin(places, rows._rows()[1])
    parts = kernels.merge_rows([(data[kept], places[kept]), rows._rows()])
    return RowSparseNDArray._of_parts(parts, value.shape, value.context)


def create(name: str = "local") -> Any:
    """Makes a store.

    Args:
        name: `"local"`, `"device"` or `"nccl"` for a store of this process; a name with `"dist"`
            in it, `"horovod"` or `"byteps"` for one that the processes of a job share, such as
            `"dist_sync"`; or the name of a registered store.

    Raises:
        MXNetError: if the other processes of the job do not come in time.

    Example:
        >>> import mxnet as mx
        >>> store = mx.kv.create("local")
        >>> store.init("weight", mx.nd.zeros(2))
        >>> store.push("weight", [mx.nd.ones(2), mx.nd.ones(2)])  # one array of each device
        >>> out = mx.nd.empty(2)
        >>> store.pull("weight", out=out)
        >>> print(out.asnumpy())
        [2. 2.]
    """
    if not isinstance(name, str):
        raise UnsupportedTypeError(f"kvstore.create: takes a name, got {name!r}")
    name = name.lower()
    if name in KVStoreBase.kv_registry:
        return KVStoreBase.kv_registry[name]()
    if name in ALL_REDUCING:
        return AllReduceKVStore(name)
    if spans_processes(name):
        return DistributedKVStore(name)
    return KVStore(name)


def may_update_weights() -> bool:
    """Returns whether stores update weights by default; see docs/environment.md."""
    return os.environ.get("MXNET_UPDATE_ON_KVSTORE", "1") not in ("0", "")
