"""How a trainer brings gradients and weights of several contexts together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from mxnet import kvstore as stores
from mxnet import ndarray as nd
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.gluon.parameter import Parameter, ParameterError
from mxnet.kvstore import KVStore, KVStoreBase
from mxnet.ndarray import NDArray

_ELSEWHERE = ("dist", "horovod", "byteps")


def check_store(kvstore: Any) -> None:
    """Refuses what cannot be the store of a trainer."""
    if kvstore is None or isinstance(kvstore, KVStoreBase):
        return
    if not isinstance(kvstore, str):
        raise UnsupportedTypeError(
            "Trainer: kvstore takes a KVStore, 'device', 'local' or None, "
            f"got {type(kvstore).__name__}"
        )
    known = kvstore.lower() in KVStoreBase.kv_registry
    if not known and any(word in kvstore for word in _ELSEWHERE):
        raise MXNetError(
            f"Trainer: kvstore {kvstore!r}, which spans several processes, is not available; "
            "use 'device', 'local' or None"
        )


def choose_store(
    kvstore: Any,
    wanted: bool | None,
    parameters: Sequence[Parameter],
    num_contexts: int,
    compression_params: Mapping[str, Any] | None,
) -> tuple[Any, bool | None]:
    """Returns the store of a trainer, None if it needs none, and whether weights are updated there.

    Args:
        kvstore: A store, the name of one, or None.
        wanted: Whether weights are to be updated in the store; None leaves it to the store.
        parameters: What is trained.
        num_contexts: On how many contexts they are.
        compression_params: How gradients are rounded, if they are.
    """
    sparse = [item.name for item in parameters if item._stype != "default"]
    if sparse:
        if kvstore is None:
            raise UnsupportedTypeError(
                f"Trainer: row_sparse Parameter {sparse[0]!r} needs a kvstore, got None"
            )
        if wanted is False:
            raise ParameterError(
                f"Trainer: row_sparse Parameter {sparse[0]!r} is updated in the store, "
                "got update_on_kvstore=False"
            )
    if isinstance(kvstore, str):
        kvstore = stores.create(kvstore) if num_contexts > 1 or sparse else None
    if kvstore is None:
        return None, None
    if compression_params:
        kvstore.set_gradient_compression(compression_params)
    capable = kvstore.is_capable(KVStoreBase.OPTIMIZER)
    if wanted and not capable:
        raise ParameterError(
            f"Trainer: a store {kvstore.type!r} has no optimizer; use update_on_kvstore=False"
        )
    if wanted is None:
        rows_alone = any(item._grad_stype != "default" for item in parameters)
        wanted = capable and (bool(sparse) or not rows_alone)
    return kvstore, wanted


def is_foreign(store: Any) -> bool:
    """Returns whether a store is not of this package, so that its methods have to be called."""
    return store is not None and type(store) is not KVStore


def rounded(store: Any, index: int, gradients: Sequence[NDArray]) -> Sequence[NDArray]:
    """Returns gradients of a parameter as the store exchanges them."""
    if store is None or store._compress is None:
        return gradients
    return [store._compress((index, i), gradient) for i, gradient in enumerate(gradients)]


def add_up_in_place(store: KVStore, parameters: Sequence[tuple[int, Parameter]]) -> None:
    """Returns the gradients of each parameter their sum over contexts."""
    dense = []
    for index, parameter in parameters:
        gradients = parameter.list_grad()
        if parameter.grad_stype == "default" and store._compress is None:
            dense.append([gradient._writable() for gradient in gradients])
            continue
        total = add_up(rounded(store, index, gradients))
        for gradient in gradients:
            total.copyto(gradient)
    if not dense:
        return
    totals, *others = (list(column) for column in zip(*dense, strict=True))
    for column in others:
        torch._foreach_add_(totals, [item.to(totals[0].device) for item in column])
    for column in others:
        torch._foreach_copy_(column, totals)


def add_up(gradients: Sequence[NDArray]) -> NDArray:
    """Returns the sum of gradients, on the context of the first."""
    home = gradients[0].context
    total: NDArray = nd.add_n(*(gradient.as_in_context(home) for gradient in gradients))
    return total


def copy_to_others(values: Sequence[NDArray]) -> None:
    """Copies the first of some arrays to the rest."""
    first, *others = values
    for other in others:
        other._writable().copy_(first._plain)
