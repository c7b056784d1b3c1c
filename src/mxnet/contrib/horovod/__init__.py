"""Horovod's interface for MXNet, on the processes of this package.

Programs that `import horovod.mxnet as hvd` find it here. Where Horovod is not installed,
`install()` makes this module importable by that name; an unchanged program is run by

    torchrun --nproc-per-node 4 -m mxnet.contrib.horovod train.py

Processes meet as those of a store of the type `dist_sync` do.

Example:
    >>> import mxnet as mx
    >>> from mxnet.contrib import horovod as hvd
    >>> hvd.init()
    >>> hvd.rank(), hvd.size()  # in a process that no launcher has started
    (0, 1)
    >>> print(hvd.allreduce(mx.nd.array([1, 2])).asnumpy())
    [1. 2.]
    >>> hvd.shutdown()
"""

from mxnet.contrib.horovod._operations import allgather as allgather
from mxnet.contrib.horovod._operations import allgather_object as allgather_object
from mxnet.contrib.horovod._operations import allreduce as allreduce
from mxnet.contrib.horovod._operations import allreduce_ as allreduce_
from mxnet.contrib.horovod._operations import alltoall as alltoall
from mxnet.contrib.horovod._operations import broadcast as broadcast
from mxnet.contrib.horovod._operations import broadcast_ as broadcast_
from mxnet.contrib.horovod._operations import broadcast_object as broadcast_object
from mxnet.contrib.horovod._operations import ccl_built as ccl_built
from mxnet.contrib.horovod._operations import cross_rank as cross_rank
from mxnet.contrib.horovod._operations import cross_size as cross_size
from mxnet.contrib.horovod._operations import cuda_built as cuda_built
from mxnet.contrib.horovod._operations import ddl_built as ddl_built
from mxnet.contrib.horovod._operations import gloo_built as gloo_built
from mxnet.contrib.horovod._operations import gloo_enabled as gloo_enabled
from mxnet.contrib.horovod._operations import grouped_allreduce as grouped_allreduce
from mxnet.contrib.horovod._operations import grouped_allreduce_ as grouped_allreduce_
from mxnet.contrib.horovod._operations import init as init
from mxnet.contrib.horovod._operations import install as install
from mxnet.contrib.horovod._operations import is_initialized as is_initialized
from mxnet.contrib.horovod._operations import local_rank as local_rank
from mxnet.contrib.horovod._operations import local_size as local_size
from mxnet.contrib.horovod._operations import mpi_built as mpi_built
from mxnet.contrib.horovod._operations import mpi_enabled as mpi_enabled
from mxnet.contrib.horovod._operations import mpi_threads_supported as mpi_threads_supported
from mxnet.contrib.horovod._operations import nccl_built as nccl_built
from mxnet.contrib.horovod._operations import rank as rank
from mxnet.contrib.horovod._operations import rocm_built as rocm_built
from mxnet.contrib.horovod._operations import shutdown as shutdown
from mxnet.contrib.horovod._operations import size as size
from mxnet.contrib.horovod._training import Compression as Compression
from mxnet.contrib.horovod._training import DistributedOptimizer as DistributedOptimizer
from mxnet.contrib.horovod._training import DistributedTrainer as DistributedTrainer
from mxnet.contrib.horovod._training import broadcast_parameters as broadcast_parameters
