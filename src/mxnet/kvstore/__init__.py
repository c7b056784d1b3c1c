"""Key-value stores, which add up gradients of several contexts and hold shared weights."""

from mxnet._start import tracebacks
from mxnet.kvstore import base as base
from mxnet.kvstore import kvstore as kvstore
from mxnet.kvstore import kvstore_server as kvstore_server
from mxnet.kvstore._distributed import create as create
from mxnet.kvstore.base import KVStoreBase as KVStoreBase
from mxnet.kvstore.kvstore import KVStore as KVStore
from mxnet.kvstore.kvstore_server import KVStoreServer as KVStoreServer

__all__ = ["KVStore", "KVStoreBase", "KVStoreServer", "create"]

tracebacks.public_functions(globals())
vars(base)["create"] = create  # which makes stores of classes that know the base
