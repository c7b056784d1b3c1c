"""What every key-value store can do, the registry of stores that others write, and their server."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from mxnet._start import OptionalModule, level_of_program
from mxnet.errors import AttributeValueError, MXNetError, UndefinedMethodError

K = TypeVar("K", bound=type["KVStoreBase"])


class KVStoreBase:
    """Base of key-value stores; those of other packages derive from it and register.

    A store defines `broadcast` and `pushpull`. Trainers call `broadcast_all` and `pushpull_all`,
    which hand these one key after the other; a store that can do better with all keys at hand,
    such as to exchange them in few large pieces, defines them, too.

    Example:
        >>> import mxnet as mx
        >>> @mx.kvstore.KVStoreBase.register
        ... class Alone(mx.kvstore.KVStoreBase):
        ...     def broadcast(self, key, value, out, priority=0):
        ...         value.copyto(out)
        >>> out = mx.nd.zeros(2)
        >>> mx.kvstore.create("alone").broadcast(0, mx.nd.ones(2), out)
        >>> print(out.asnumpy())
        [1. 1.]
    """

    OPTIMIZER: ClassVar[str] = "optimizer"
    """Name of the capability to update weights in the store."""
    kv_registry: ClassVar[dict[str, type[KVStoreBase]]] = {}

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copies the first value of a key to all contexts and processes.

        Args:
            key: An int or a str.
            value: The array.
            out: An array, or a list with one of each context.
            priority: How urgent it is; larger comes first.
        """
        raise self._missing("broadcast", key, value, out, priority)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Adds up the values of a key on all contexts and processes, and copies the sum to each.

        Args:
            key: An int or a str.
            value: An array, or a list with one of each context.
            out: Where the sum goes, by default `value`. If the store has an optimizer, it gets the
                weight that was updated by the sum.
            priority: How urgent it is; larger comes first.
        """
        raise self._missing("pushpull", key, value, out, priority)

    def broadcast_all(self, keys: Sequence[Any], replicas: Sequence[Sequence[Any]]) -> None:
        """Copies, for several keys, the first array of a list to the others.

        Args:
            keys: The keys.
            replicas: For each key a list of arrays, one of each context.
        """
        for key, arrays in zip(keys, replicas, strict=True):
            self.broadcast(key, arrays[0], list(arrays))

    def pushpull_all(
        self,
        keys: Sequence[Any],
        values: Sequence[Sequence[Any]],
        outs: Sequence[Sequence[Any]] | None = None,
    ) -> None:
        """Does `pushpull` for several keys, of which the first is the most urgent.

        Args:
            keys: The keys.
            values: For each key a list of arrays, usually gradients, one of each context.
            outs: For each key where the result goes, usually weights; by default `values`.
        """
        if outs is None:
            for position, (key, value) in enumerate(zip(keys, values, strict=True)):
                self.pushpull(key, list(value), priority=-position)
            return
        for position, (key, value, out) in enumerate(zip(keys, values, outs, strict=True)):
            self.pushpull(key, list(value), out=list(out), priority=-position)

    def set_optimizer(self, optimizer: Any) -> None:
        """Has the store update weights by what is pushed."""
        raise self._missing("set_optimizer", optimizer)

    def share_updater(self, updater: Any) -> bool:
        """Has the store update weights by the optimizer of an updater.

        Returns:
            Whether it uses the updater itself, which then has the states. Otherwise the store has
            them, and is asked to save and load them.
        """
        self.set_optimizer(updater.optimizer)
        return False

    def is_capable(self, capability: str) -> bool:
        """Returns whether the store has a capability such as `OPTIMIZER`."""
        raise self._missing("is_capable", capability)

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Writes the states of the optimizer to a file."""
        raise self._missing("save_optimizer_states", fname, dump_optimizer)

    def load_optimizer_states(self, fname: str) -> None:
        """Reads the states of the optimizer from a file."""
        raise self._missing("load_optimizer_states", fname)

    @property
    def type(self) -> str:
        """Name of the type of store."""
        raise self._missing("type")

    @property
    def rank(self) -> int:
        """Number of this process among those that take part."""
        raise self._missing("rank")

    @property
    def num_workers(self) -> int:
        """Number of processes that take part."""
        raise self._missing("num_workers")

    def _missing(self, name: str, *_: Any) -> UndefinedMethodError:
        return UndefinedMethodError(f"{type(self).__name__}: {name} is not defined")

    @staticmethod
    def register(klass: K) -> K:
        """Registers a class under its name in lower case; can be used as a decorator."""
        name = klass.__name__.lower()
        if name in KVStoreBase.kv_registry:
            warnings.warn(
                f"kvstore {klass.__module__}.{klass.__name__} takes the name of another one",
                stacklevel=level_of_program(),
            )
        KVStoreBase.kv_registry[name] = klass
        return klass


@KVStoreBase.register
class TestStore(KVStoreBase):
    """A store of one process without an optimizer, which shows what a store must define."""

    __test__ = False
    """It is no test."""

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copies a value to one or several arrays."""
        del key, priority
        for target in out if isinstance(out, (list, tuple)) else [out]:
            target[:] = value

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Adds arrays up, and copies the sum to `out`, or back to them."""
        del key, priority
        values = value if isinstance(value, (list, tuple)) else [value]
        context = values[0].context
        total = sum(array.as_in_context(context) for array in values)
        targets = values if out is None else out
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            target[:] = total

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Returns whether the store has a capability, which it has not."""
        if capability.lower() != KVStoreBase.OPTIMIZER:
            raise unknown_capability(capability)
        return False

    @property
    def type(self) -> str:
        """Name of the type of store."""
        return "teststore"

    @property
    def rank(self) -> int:
        """Number of this process, which is alone."""
        return 0

    @property
    def num_workers(self) -> int:
        """Number of processes."""
        return 1


def unknown_capability(capability: str) -> AttributeValueError:
    """Makes the error for an unknown capability."""
    return AttributeValueError(f"is_capable: takes {KVStoreBase.OPTIMIZER!r}, got {capability!r}")


class KVStoreServer:
    """A process that holds weights for others; the stores of this package need none.

    Args:
        kvstore: The store that the process serves.

    Example:
        >>> import mxnet as mx
        >>> server = mx.kv.KVStoreServer(mx.kv.create("local"))
        >>> try:
        ...     server.run()
        ... except mx.MXNetError as error:
        ...     print("needs no server" in str(error))
        True
    """

    def __init__(self, kvstore: Any) -> None:
        self.kvstore = kvstore

    def run(self) -> None:
        """Raises, because every process holds all values itself.

        Raises:
            MXNetError: always.
        """
        raise MXNetError(
            f"KVStoreServer: a store of type {self.kvstore.type!r} needs no server, because every "
            "process holds all values"
        )


def _listed(arrays: Any) -> list[Any]:
    return list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]


class Horovod(KVStoreBase):
    """Adds up arrays of all processes by `mx.contrib.horovod`, which it initializes.

    It has one context in each process, as in MXNet 2. `mx.kvstore.create("horovod")` gives the
    store of this package by that name, which adds up over contexts, too.

    Example:
        >>> import mxnet as mx
        >>> store = mx.kvstore.Horovod()
        >>> x = mx.nd.ones(2)
        >>> store.pushpull("x", x)
        >>> store.rank, store.num_workers, x.asnumpy().tolist()
        (0, 1, [1.0, 1.0])
        >>> mx.contrib.horovod.shutdown()
    """

    def __init__(self) -> None:
        # By name: it is built above stores.
        self._exchange = OptionalModule("mxnet.contrib.horovod")
        self._exchange.init()

    @property
    def type(self) -> str:
        """`"horovod"`."""
        return "horovod"

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copies the value of the first process to all; see `KVStoreBase.broadcast`."""
        (first, *_) = _listed(value)
        sent = self._exchange.broadcast(first, root_rank=0, name=str(key), priority=priority)
        for array in _listed(out):
            array[:] = sent.as_in_context(array.context)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Adds up the values of all processes; see `KVStoreBase.pushpull`."""
        options = {"average": False, "name": str(key), "priority": priority}
        if out is None:
            for array in _listed(value):
                self._exchange.allreduce_(array, **options)
            return
        for target, array in zip(_listed(out), _listed(value), strict=False):
            target[:] = self._exchange.allreduce(array, **options)

    def set_optimizer(self, optimizer: Any) -> None:
        """Leaves weights to the trainer."""

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Returns False: the store exchanges arrays, and nothing else."""
        del capability
        return False

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Saves nothing: there is no optimizer in the store."""

    def load_optimizer_states(self, fname: str) -> None:
        """Loads nothing: there is no optimizer in the store."""

    @property
    def rank(self) -> int:
        """Number of this process."""
        return int(self._exchange.rank())

    @property
    def local_rank(self) -> int:
        """Number of this process on its machine."""
        return int(self._exchange.local_rank())

    @property
    def num_workers(self) -> int:
        """Number of processes."""
        return int(self._exchange.size())
