"""Key-value stores, which add up gradients of several contexts and hold shared weights."""

from mxnet._start import make_module, tracebacks
from mxnet.kvstore import base as base
from mxnet.kvstore import kvstore as kvstore
from mxnet.kvstore._distributed import create as create
from mxnet.kvstore.base import Horovod as Horovod
from mxnet.kvstore.base import KVStoreBase as KVStoreBase
from mxnet.kvstore.base import KVStoreServer as KVStoreServer
from mxnet.kvstore.kvstore import KVStore as KVStore

__all__ = ["KVStore", "KVStoreBase", "KVStoreServer", "create"]

horovod = make_module(f"{__name__}.horovod", "Has `Horovod`.", {"Horovod": Horovod})
kvstore_server = make_module(
    f"{__name__}.kvstore_server", "Has `KVStoreServer`.", {"KVStoreServer": KVStoreServer}
)
KVStoreServer.__module__ = kvstore_server.__name__  # where programs and pickles find it

tracebacks.public_functions(globals())
vars(base)["create"] = create  # which makes stores of classes that know the base
