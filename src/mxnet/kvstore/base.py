"""What every key-value store can do, and the registry of stores that others write."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar, TypeVar

from mxnet.errors import AttributeValueError, UndefinedMethodError

K = TypeVar("K", bound=type["KVStoreBase"])


class KVStoreBase:
    """Base of key-value stores; those of other packages derive from it and register.

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
        """Returns the value of a key to all who take part."""
        raise self._missing("broadcast", key, value, out, priority)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Adds up values of all who take part and gives the sum to each."""
        raise self._missing("pushpull", key, value, out, priority)

    def set_optimizer(self, optimizer: Any) -> None:
        """Has the store update weights by what is pushed."""
        raise self._missing("set_optimizer", optimizer)

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
        """Kind of store."""
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
                stacklevel=2,
            )
        KVStoreBase.kv_registry[name] = klass
        return klass


def unknown_capability(capability: str) -> AttributeValueError:
    """Makes the error for a capability that nobody knows."""
    return AttributeValueError(f"is_capable: takes {KVStoreBase.OPTIMIZER!r}, got {capability!r}")
