"""Chooses the store of a trainer, and whether weights are updated in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet import kvstore as stores
from mxnet.errors import UnsupportedTypeError
from mxnet.gluon.parameter import Parameter, ParameterError
from mxnet.gluon.sharding import is_sharded
from mxnet.kvstore import KVStoreBase
from mxnet.kvstore._creation import may_update_weights
from mxnet.kvstore.kvstore import spans_processes


def check_store(kvstore: Any) -> None:
    """Raises for values that cannot be the store of a trainer."""
    if kvstore is None or isinstance(kvstore, KVStoreBase):
        return
    if not isinstance(kvstore, str):
        raise UnsupportedTypeError(
            "Trainer: kvstore takes a KVStore, the name of one or None, "
            f"got {type(kvstore).__name__}"
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
        wanted: Whether weights are to be updated in the store; None lets the store decide.
        parameters: Parameters that are trained.
        num_contexts: On how many contexts they are.
        compression_params: Options of gradient compression, if it is used.
    """
    if is_sharded(parameters):  # gradients are added up when they are computed
        return None, None
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
        is_needed = num_contexts > 1 or sparse or spans_processes(kvstore)
        kvstore = stores.create(kvstore) if is_needed else None
    if kvstore is None:
        return None, None
    if compression_params:
        kvstore.set_gradient_compression(compression_params)
    return kvstore, _updates_weights(kvstore, wanted, parameters)


def _updates_weights(store: Any, wanted: bool | None, parameters: Sequence[Parameter]) -> bool:
    """Returns whether weights are updated in a store, if that is possible and not unwanted."""
    capable: bool = store.is_capable(KVStoreBase.OPTIMIZER)
    if wanted and not capable:
        raise ParameterError(
            f"Trainer: a store {store.type!r} has no optimizer; use update_on_kvstore=False"
        )
    if wanted is False and "async" in store.type:
        raise ParameterError(
            f"Trainer: a store {store.type!r} updates weights by the gradients of one process "
            "after the other, got update_on_kvstore=False"
        )
    if wanted is not None:
        return wanted
    is_dense = all(item._stype == "default" for item in parameters)
    if is_dense and not may_update_weights() and "async" not in store.type:
        return False
    has_rows = any(item._grad_stype != "default" for item in parameters)
    return capable and ("dist" in store.type or not (has_rows and is_dense))
