"""Networks whose parameters are split over processes (ADR 0033)."""

from mxnet.gluon.sharding._parameter import ShardedParameter as ShardedParameter
from mxnet.gluon.sharding._parameter import ShardedUpdater as ShardedUpdater
from mxnet.gluon.sharding._parameter import is_sharded as is_sharded
from mxnet.gluon.sharding._parameter import refuse_alone as refuse_alone
from mxnet.gluon.sharding._parameter import shard as shard
