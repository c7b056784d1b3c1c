"""Makes stores by the names of their types."""

from __future__ import annotations

import os
from typing import Any

from mxnet.errors import UnsupportedTypeError
from mxnet.kvstore._distributed import AllReduceKVStore, DistributedKVStore
from mxnet.kvstore.base import KVStoreBase
from mxnet.kvstore.kvstore import ALL_REDUCING, KVStore, spans_processes


def create(name: str = "local") -> Any:
    """Makes a store.

    Args:
        name: `"local"`, `"device"` or `"nccl"` for a store of this process; a name with `"dist"`
            in it, `"horovod"` or `"byteps"` for one that the processes of a job share, such as
            `"dist_sync"`; or the name of a registered store.

    Raises:
        MXNetError: if the other processes of the job do not come in time.
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
