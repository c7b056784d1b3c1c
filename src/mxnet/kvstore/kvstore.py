"""The store of one process: values by key, added up over contexts."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from mxnet import ndarray as nd
from mxnet import optimizer as opt
from mxnet._start import public_call, public_methods
from mxnet.context import Context
from mxnet.errors import ArgumentTypeError, MXNetError
from mxnet.kvstore import _replicas
from mxnet.kvstore.base import KVStoreBase, unknown_capability
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import RowSparseNDArray
from mxnet.optimizer._updater import Weight, load_states, save_states

Key = int | str
Entries = list[tuple[Key, list[NDArray]]]

ALL_REDUCING = ("horovod", "byteps")
"""Names of stores that span several processes and have no optimizer."""


@public_methods(
    "set_optimizer",
    "set_gradient_compression",
    "save_optimizer_states",
    "load_optimizer_states",
    "is_capable",
    "broadcast",
)
class KVStore(KVStoreBase):
    """A store in this process.

    What is pushed for a key, one array or one of each context, is added up. The sum takes the
    place of the value, or is handed to the updater, which changes the value by it.

    Args:
        name: Name of the type: `"local"` adds up where the first value was, `"device"` and
            `"nccl"` where the first array that is pushed is.

    Example:
        >>> import mxnet as mx
        >>> store = mx.kvstore.create("local")
        >>> store.init("w", mx.nd.ones(2))
        >>> store.push("w", [mx.nd.ones(2), mx.nd.ones(2) * 3])
        >>> out = mx.nd.zeros(2)
        >>> store.pull("w", out=out)
        >>> print(out.asnumpy())
        [4. 4.]
    """

    def __init__(self, name: str = "local") -> None:
        self._type = name
        self._is_on_devices = "device" in name or "nccl" in name
        self._values: dict[Key, NDArray] = {}
        self._updater: Callable[[Any, Any, Any], object] | None = None
        self._compress: _replicas.Compression | None = None
        self._in_place: set[Key] = set()
        """Keys whose value is the first of the arrays that are pulled into."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Hands a class that users derive every key by itself, as the original does."""
        super().__init_subclass__(**options)
        for name in ("broadcast_all", "pushpull_all", "share_updater"):
            if getattr(cls, name) is getattr(KVStore, name):
                setattr(cls, name, getattr(KVStoreBase, name))

    @public_call
    def init(self, key: Any, value: Any) -> None:
        """Stores the first value of a key, or of each key in a list.

        Raises:
            MXNetError: if a key has a value already.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> store.init(["weight", "bias"], [mx.nd.ones(2), mx.nd.zeros(1)])
            >>> out = mx.nd.empty(2)
            >>> store.pull("weight", out=out)
            >>> print(out.asnumpy())
            [1. 1.]
        """
        for name, arrays in self._entries("init", key, value):
            if name in self._values:
                raise MXNetError(f"KVStore.init: the key {name!r} has a value already")
            self._values[name] = arrays[0].copy()

    @public_call
    def push(self, key: Any, value: Any, priority: int = 0) -> None:
        """Adds up arrays and updates the value of the key by the sum.

        Args:
            key: A key or a list of keys.
            value: An array, or a list with one of each context; a list of those for keys.
            priority: Accepted for compatibility; work is done in the order of the calls.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> store.init(3, mx.nd.zeros(2))
            >>> store.push(3, [mx.nd.array([1, 2]), mx.nd.array([10, 20])])  # are added up
            >>> out = mx.nd.empty(2)
            >>> store.pull(3, out=out)
            >>> print(out.asnumpy())
            [11. 22.]
        """
        del priority
        self._apply(self._local_sums(key, value))

    def _local_sums(self, key: Any, value: Any) -> dict[Key, NDArray]:
        """Returns what is pushed for each key, added up over the contexts of this process."""
        gathered: dict[Key, list[NDArray]] = {}
        for name, arrays in self._entries("push", key, value):
            self._settle(name, self._known("push", name), arrays[0])
            gathered.setdefault(name, []).extend(arrays)
        return {name: self._add_up(name, arrays) for name, arrays in gathered.items()}

    def _apply(self, sums: dict[Key, NDArray]) -> None:
        """Updates values by sums, which replace them if there is no updater."""
        if self._updater is None:
            self._values.update(sums)
        elif isinstance(self._updater, opt.Updater):
            names = list(sums)
            values = [self._values[name] for name in names]
            self._updater(names, list(sums.values()), values)
        else:
            for name, total in sums.items():
                self._updater(name, total, self._values[name])

    def _settle(self, name: Key, value: NDArray, pushed: NDArray) -> None:
        """Brings the value of a store of devices from the CPU to where its gradients are."""
        if self._is_on_devices and value.context.device_type != pushed.context.device_type:
            self._values[name] = value.as_in_context(pushed.context)

    def _add_up(self, name: Key, arrays: Sequence[NDArray]) -> NDArray:
        """Returns the sum of arrays in memory of its own, on the context of the value."""
        home = self._values[name].context
        if self._compress is not None:
            arrays = [self._compress((name, i), array) for i, array in enumerate(arrays)]
        if len(arrays) == 1:
            return arrays[0].copyto(home)  # type: ignore[return-value]  # a new array
        return _replicas.add_together(arrays, home)

    @public_call
    def pull(
        self, key: Any, out: Any = None, priority: int = 0, ignore_sparse: bool = True
    ) -> None:
        """Copies the value of a key to an array, or to several.

        Args:
            key: A key or a list of keys.
            out: An array, or a list of arrays; a list of those for keys.
            priority: Accepted for compatibility.
            ignore_sparse: Whether row_sparse arrays in `out` are passed over, because a program
                pulls their rows one by one with `row_sparse_pull`.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> store.init(3, mx.nd.array([1, 2]))
            >>> out = [mx.nd.empty(2, ctx=mx.cpu(0)), mx.nd.empty(2, ctx=mx.cpu(1))]
            >>> store.pull(3, out=out)
            >>> print(out[1].asnumpy())
            [1. 2.]
        """
        del priority
        if out is None:
            raise ArgumentTypeError("KVStore.pull: out takes an array or a list, got None")
        for name, arrays in self._entries("pull", key, out):
            value = self._known("pull", name)
            for array in arrays:
                if ignore_sparse and array.stype != "default":
                    logging.warning(
                        "KVStore.pull: out for %r is %s and was passed over; use row_sparse_pull",
                        name,
                        array.stype,
                    )
                else:
                    value.copyto(array)

    @public_call
    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Pushes arrays and pulls the new value into `out`, or into the same arrays.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> store.init(3, mx.nd.zeros(2))
            >>> gradients = [mx.nd.array([1, 2]), mx.nd.array([10, 20])]
            >>> store.pushpull(3, gradients)  # each gets the sum
            >>> print(gradients[0].asnumpy(), gradients[1].asnumpy())
            [11. 22.] [11. 22.]
        """
        self.push(key, value, priority)
        self.pull(key, value if out is None else out, priority)

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Stores the first value of a key and copies it to arrays.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> out = mx.nd.empty(2)
            >>> store.broadcast(3, mx.nd.array([1, 2]), out=out)
            >>> print(out.asnumpy())
            [1. 2.]
        """
        self.init(key, value)
        self.pull(key, out, priority)

    def broadcast_all(self, keys: Sequence[Key], replicas: Sequence[Sequence[NDArray]]) -> None:
        """Copies first arrays to the others; the first one itself is the value from now on."""
        for key, arrays in zip(keys, replicas, strict=True):
            self._values[key] = arrays[0]
            self._in_place.add(key)
            _replicas.copy_to_all(arrays[0], arrays)

    def pushpull_all(
        self,
        keys: Sequence[Key],
        values: Sequence[Sequence[NDArray]],
        outs: Sequence[Sequence[NDArray]] | None = None,
    ) -> None:
        """Adds up gradients in place, or updates values by them and copies these to `outs`."""
        if outs is None:
            _replicas.add_up_in_place(keys, values, self._compress)
        else:
            self._pushpull_into(keys, values, outs)

    def _pushpull_into(
        self,
        keys: Sequence[Key],
        values: Sequence[Sequence[NDArray]],
        outs: Sequence[Sequence[NDArray]],
    ) -> None:
        """Updates values by gradients and copies them to `outs`."""
        for key, arrays in zip(keys, outs, strict=True):
            if key in self._in_place:
                self._values[key] = arrays[0]  # a parameter may have got other arrays since
        self.push(keys, values)
        for key, arrays in zip(keys, outs, strict=True):
            _replicas.copy_to_all(self._values[key], arrays)

    @public_call
    def row_sparse_pull(
        self, key: Any, out: Any = None, priority: int = 0, row_ids: Any = None
    ) -> None:
        """Copies some rows of a row_sparse value to row_sparse arrays.

        Args:
            key: A key or a list of keys.
            out: An array, or a list of arrays.
            priority: Accepted for compatibility.
            row_ids: Numbers of the rows, in any order and any number of times, an array for all
                of `out` or one for each.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> store.init("table", mx.nd.array([[1, 1], [2, 2], [3, 3]]).tostype("row_sparse"))
            >>> rows = mx.nd.sparse.zeros("row_sparse", (3, 2))
            >>> store.row_sparse_pull("table", out=rows, row_ids=mx.nd.array([2, 0]))
            >>> print(rows.asnumpy())
            [[1. 1.]
             [0. 0.]
             [3. 3.]]
        """
        del priority
        if out is None or row_ids is None:
            raise ArgumentTypeError("KVStore.row_sparse_pull: takes out and row_ids")
        entries = self._entries("row_sparse_pull", key, out)
        for position, (name, arrays) in enumerate(entries):
            value = self._known("row_sparse_pull", name)
            chosen = row_ids
            if isinstance(key, (list, tuple)) and isinstance(row_ids, (list, tuple)):
                chosen = row_ids[position]
            for array, ids in zip(arrays, _rows_of_each(chosen, len(arrays)), strict=True):
                if not isinstance(value, RowSparseNDArray) or not isinstance(
                    array, RowSparseNDArray
                ):
                    raise MXNetError(
                        f"KVStore.row_sparse_pull: {name!r} and out must be row_sparse, got "
                        f"{value.stype} and {array.stype}"
                    )
                nd.sparse.retain(value, _distinct(ids, value.context)).copyto(array)

    def set_optimizer(self, optimizer: opt.Optimizer) -> None:
        """Has values updated by an optimizer, for which what is pushed are gradients.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> store.init(3, mx.nd.zeros(2))
            >>> store.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
            >>> store.push(3, mx.nd.array([2, 4]))  # what is pushed is a gradient now
            >>> out = mx.nd.empty(2)
            >>> store.pull(3, out=out)
            >>> print(out.asnumpy())
            [-1. -2.]
        """
        if not isinstance(optimizer, opt.Optimizer):
            raise NotAnOptimizerError(
                f"KVStore.set_optimizer: takes an Optimizer, got {type(optimizer).__name__}"
            )
        self._set_updater(opt.get_updater(optimizer))

    def share_updater(self, updater: opt.Updater) -> bool:
        """Has values updated by an updater, which keeps its states."""
        self._set_updater(updater)
        return True

    def _set_updater(self, updater: Callable[[Any, Any, Any], object]) -> None:
        """Has values updated by a function of key, sum and value."""
        self._updater = updater

    def set_gradient_compression(self, compression_params: Mapping[str, Any]) -> None:
        """Has gradients rounded before they are added up, as between machines.

        Args:
            compression_params: `type`, which must be `"2bit"`, and `threshold`, by default 0.5.

        Raises:
            MXNetError: if this type of store does not compress, or not in this way.

        Example:
            >>> import mxnet as mx
            >>> store = mx.kv.create("device")
            >>> store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
            >>> store.init(3, mx.nd.zeros(2))
            >>> store.push(3, [mx.nd.array([0.7, 0.2]), mx.nd.array([0.6, -0.9])])
            >>> out = mx.nd.empty(2)
            >>> store.pull(3, out=out)
            >>> print(out.asnumpy())
            [ 1.  -0.5]
        """
        if not self._is_on_devices:
            raise MXNetError(
                f"KVStore.set_gradient_compression: a store {self._type!r} does not compress"
            )
        self._compress = _replicas.TwoBitCompression(compression_params)

    def is_capable(self, capability: str) -> bool:
        """Returns whether the store has a capability such as `OPTIMIZER`.

        Example:
            >>> import mxnet as mx
            >>> mx.kv.create("local").is_capable("optimizer")
            True
        """
        if capability.lower() != KVStoreBase.OPTIMIZER:
            raise unknown_capability(capability)
        return True

    @property
    def type(self) -> str:
        """Name of the type of store."""
        return self._type

    @property
    def rank(self) -> int:
        """Number of this process, which is the only one."""
        return 0

    @property
    def num_workers(self) -> int:
        """Number of processes."""
        return 1

    def _barrier(self) -> None:
        """Waits for the other processes, of which there are none."""

    def save_optimizer_states(
        self, fname: str | os.PathLike[str], dump_optimizer: bool = False
    ) -> None:
        """Writes the states of the optimizer to a file.

        Args:
            fname: Path of the file.
            dump_optimizer: Whether to write the optimizer, too.

        Example:
            >>> import os, tempfile
            >>> import mxnet as mx
            >>> store = mx.kv.create("local")
            >>> store.set_optimizer(mx.optimizer.Adam())
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     path = os.path.join(folder, "adam.states")
            ...     store.save_optimizer_states(path)
            ...     store.load_optimizer_states(path)
            ...     print(os.listdir(folder))
            ['adam.states']
        """
        save_states(self._optimizing("save"), fname, dump_optimizer=dump_optimizer)

    def load_optimizer_states(self, fname: str | os.PathLike[str]) -> None:
        """Reads the states of the optimizer from a file of this or the original package.

        Raises:
            MXNetError: if the file is damaged, or its states do not fit the values; nothing has
                changed then.
        """
        weights = {key: Weight.of(value, key) for key, value in self._values.items()}
        load_states([self._optimizing("load")], fname, weights)

    def _optimizing(self, what: str) -> opt.Updater:
        if not isinstance(self._updater, opt.Updater):
            raise NotAnOptimizerError(
                f"KVStore.{what}_optimizer_states: no optimizer is set; see set_optimizer"
            )
        return self._updater

    def _known(self, where: str, key: Key) -> NDArray:
        if key not in self._values:
            raise MXNetError(f"KVStore.{where}: the key {key!r} has no value yet; see init")
        return self._values[key]

    def _entries(self, where: str, key: Any, value: Any) -> Entries:
        """Pairs every key with the list of its arrays."""
        if isinstance(key, (list, tuple)):
            if not isinstance(value, (list, tuple)) or len(value) != len(key):
                raise ArgumentTypeError(
                    f"KVStore.{where}: takes as many values as keys, which are {len(key)}"
                )
            pairs = list(zip(key, value, strict=True))
        else:
            pairs = [(key, value)]
        entries: Entries = []
        for name, arrays in pairs:
            if not isinstance(name, (int, str)):
                raise ArgumentTypeError(f"KVStore.{where}: a key is an int or a str, got {name!r}")
            listed = list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]
            for array in listed:
                if not isinstance(array, NDArray):
                    raise ArgumentTypeError(
                        f"KVStore.{where}: {name!r} takes arrays, got {type(array).__name__}"
                    )
            entries.append((name, listed))
        self._check_key_types(where, [name for name, _ in entries])
        return entries

    def _check_key_types(self, where: str, names: Sequence[Key]) -> None:
        are_strings = {isinstance(name, str) for name in (*names, *list(self._values)[:1])}
        if len(are_strings) > 1:
            raise ArgumentTypeError(f"KVStore.{where}: all keys are ints, or all are strings")


def _rows_of_each(row_ids: Any, count: int) -> list[NDArray]:
    """Lists the numbers of rows for each of the arrays that are pulled into."""
    rows = list(row_ids) if isinstance(row_ids, (list, tuple)) else [row_ids]
    if not all(isinstance(ids, NDArray) for ids in rows):
        raise ArgumentTypeError("KVStore.row_sparse_pull: row_ids takes arrays, or lists of them")
    if len(rows) == 1:
        return rows * count
    if len(rows) != count:
        raise ArgumentTypeError(
            f"KVStore.row_sparse_pull: row_ids takes one array, or {count} of them as out, "
            f"got {len(rows)}"
        )
    return rows


def _distinct(rows: NDArray, ctx: Context) -> NDArray:
    """Returns the numbers of rows in ascending order, each once."""
    numbers = torch.unique(rows._plain.to(torch.int64))
    return NDArray._wrap(numbers, rows.context).as_in_context(ctx)


class NotAnOptimizerError(MXNetError, AttributeError, AssertionError):
    """An optimizer is needed where there is none."""


def spans_processes(name: str) -> bool:
    """Returns whether a store of this name is built in and has several processes."""
    name = name.lower()
    return name not in KVStoreBase.kv_registry and ("dist" in name or name in ALL_REDUCING)
