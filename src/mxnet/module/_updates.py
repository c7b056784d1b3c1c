"""How weights on several contexts are updated: by a key-value store, or on each context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from mxnet import kvstore as kvs
from mxnet.errors import UnsupportedTypeError
from mxnet.kvstore import KVStore, KVStoreBase
from mxnet.kvstore._distributed import may_update_weights
from mxnet.kvstore.kvstore import spans_processes
from mxnet.ndarray import NDArray

Replicas = Sequence[Sequence[NDArray]]
"""Arrays of parameters, one of each context."""
Gradients = Sequence[Sequence[NDArray | None]]

_LARGE = 16 * 1024 * 1024
"""Number of elements from which weights are updated where they are, not in a local store."""


def create_kvstore(
    kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]
) -> tuple[Any, bool]:
    """Makes the store that a training asks for.

    Args:
        kvstore: A store, its name, or None.
        num_device: Number of contexts; a single one needs no store in this process.
        arg_params: Parameters by name.

    Returns:
        The store, None if none is needed, and whether it is to update the weights.
    """
    in_store = may_update_weights()
    if kvstore is None:
        return None, False
    if isinstance(kvstore, KVStoreBase):
        return kvstore, in_store and kvstore.is_capable(KVStoreBase.OPTIMIZER)
    if not isinstance(kvstore, str):
        raise UnsupportedTypeError(
            f"kvstore: takes a KVStore, a name or None, got {type(kvstore).__name__}"
        )
    if num_device == 1 and not spans_processes(kvstore):
        return None, False
    made = kvs.create(kvstore)
    if kvstore == "local":
        largest = max((prod(array.shape) for array in arg_params.values()), default=0)
        in_store = in_store and largest <= _LARGE
    return made, in_store and made.is_capable(KVStoreBase.OPTIMIZER)


def create_sparse_kvstore(kvstore: Any) -> tuple[Any, bool]:
    """Makes the store for row_sparse weights, which are always updated in it."""
    if isinstance(kvstore, str):
        kvstore = kvs.create(kvstore)
    if not isinstance(kvstore, KVStoreBase):
        raise UnsupportedTypeError(
            f"kvstore: row_sparse weights need a KVStore or its name, got {kvstore!r}"
        )
    return kvstore, True


def initialize_kvstore(
    kvstore: Any,
    param_arrays: Replicas,
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Puts the parameters into a store, and from there on all contexts if it updates them.

    Several processes begin with the parameters of rank 0, wherever these are updated.
    """
    spreads = update_on_kvstore or (isinstance(kvstore, KVStore) and kvstore.num_workers > 1)
    for name, replicas in zip(param_names, param_arrays, strict=True):
        value = arg_params[name]
        if spreads and value.stype == "default":
            kvstore.broadcast(name, value, out=list(replicas))
        else:
            kvstore.init(name, value)


def update_params_on_kvstore(
    param_arrays: Replicas,
    grad_arrays: Gradients,
    kvstore: Any,
    param_names: Sequence[str],
) -> None:
    """Updates weights in a store and copies them to all contexts."""
    trained = _trained(param_arrays, grad_arrays, param_names)
    dense = [item for item in trained if item[1][0].stype == "default"]
    if dense:
        keys, weights, gradients = zip(*dense, strict=True)
        kvstore.pushpull_all(keys, gradients, weights)
    for key, replicas, gradients in trained:
        if replicas[0].stype != "default":  # a program pulls the rows that it is going to use
            kvstore.push(key, gradients)


def update_params(
    param_arrays: Replicas,
    grad_arrays: Gradients,
    updater: Any,
    num_device: int,
    kvstore: Any = None,
    param_names: Sequence[str] | None = None,
    numbers: Sequence[int] | None = None,
) -> None:
    """Updates the weights of each context by gradients that a store has added up.

    Args:
        param_arrays: Weights.
        grad_arrays: Gradients, None for weights that are not trained.
        updater: Function of indices, gradients and weights.
        num_device: Number of contexts.
        kvstore: The store, None for a single context.
        param_names: Names of the weights, the keys of the store; their numbers if not given.
        numbers: Number of each weight in the optimizer, by default its place.
    """
    places = list(range(len(param_arrays)))
    trained = _trained(param_arrays, grad_arrays, places)
    if not trained:
        return
    if kvstore is not None:
        keys = [index if param_names is None else param_names[index] for index, *_ in trained]
        kvstore.pushpull_all(keys, [gradients for *_, gradients in trained])
    for device in range(num_device):
        updater(
            [
                (index if numbers is None else numbers[index]) * num_device + device
                for index, *_ in trained
            ],
            [gradients[device] for *_, gradients in trained],
            [weights[device] for _, weights, _ in trained],
        )


def _trained(
    param_arrays: Replicas, grad_arrays: Gradients, keys: Sequence[Any]
) -> list[tuple[Any, Any, Any]]:
    """Lists key, weights and gradients of what has a gradient."""
    return [
        (key, list(weights), list(gradients))
        for key, weights, gradients in zip(keys, param_arrays, grad_arrays, strict=True)
        if gradients and gradients[0] is not None
    ]
