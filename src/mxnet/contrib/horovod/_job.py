"""Joining and leaving a job, and the ranks in it, as Horovod has them."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType
from typing import Any

import torch
from torch import distributed

from mxnet._state import processes
from mxnet.errors import ArgumentValueError, CheckFailedError


def init(comm: Any = None, process_sets: Any = None) -> None:
    """Meets the other processes of the job.

    Args:
        comm: Takes None: all processes take part.
        process_sets: Takes None.

    Raises:
        MXNetError: if they do not come in time.
    """
    if comm is not None or process_sets is not None:
        raise ArgumentValueError(
            "horovod.init: comm and process_sets take None, because all processes take part"
        )
    processes.join("horovod.init")


def shutdown() -> None:
    """Parts from the other processes."""
    processes.leave()


def is_initialized() -> bool:
    """Returns whether this process has met the others."""
    return processes.is_joined()


def require_init(where: str) -> None:
    """Raises if `init` has not been called.

    Raises:
        CheckFailedError: if it has not.
    """
    if not processes.is_joined():
        raise CheckFailedError(f"horovod.{where}: Horovod has not been initialized; use hvd.init()")


def rank() -> int:
    """Returns the number of this process."""
    require_init("rank")
    return processes.rank()


def size() -> int:
    """Returns the number of processes."""
    require_init("size")
    return processes.size()


def local_rank() -> int:
    """Returns the number of this process on its machine, usually that of its GPU."""
    require_init("local_rank")
    return processes.local_rank()


def local_size() -> int:
    """Returns the number of processes on this machine."""
    require_init("local_size")
    return processes.local_size()


def cross_rank() -> int:
    """Returns the number of this machine, if all machines run as many processes."""
    require_init("cross_rank")
    return processes.rank() // processes.local_size()


def cross_size() -> int:
    """Returns the number of machines, if all run as many processes."""
    require_init("cross_size")
    return -(-processes.size() // processes.local_size())


def gloo_built() -> bool:
    """Returns whether torch has gloo, which exchanges arrays of CPUs."""
    return distributed.is_gloo_available()


def gloo_enabled() -> bool:
    """Returns whether gloo is used."""
    return gloo_built()


def nccl_built() -> int:
    """Returns 1 if torch has NCCL, which exchanges arrays of GPUs, else 0."""
    return int(distributed.is_nccl_available())


def cuda_built() -> bool:
    """Returns whether torch can use GPUs with CUDA."""
    return torch.version.cuda is not None


def rocm_built() -> bool:
    """Returns whether torch can use GPUs with ROCm."""
    return torch.version.hip is not None


def mpi_built() -> bool:
    """Returns False, because processes do not meet by MPI."""
    return False


def mpi_enabled() -> bool:
    """Returns False, because processes do not meet by MPI."""
    return False


def mpi_threads_supported() -> bool:
    """Returns False, because processes do not meet by MPI."""
    return False


def ddl_built() -> bool:
    """Returns False: DDL is not used."""
    return False


def ccl_built() -> bool:
    """Returns False: oneCCL is not used."""
    return False


_OWN = "mxnet.contrib.horovod"


def install() -> bool:
    """Lets programs `import horovod.mxnet`, unless Horovod itself is installed.

    Returns:
        Whether `horovod.mxnet` is this package's.
    """
    present = sys.modules.get("horovod.mxnet")
    if present is not None:
        return present is sys.modules[_OWN]
    if "horovod" in sys.modules or importlib.util.find_spec("horovod") is not None:
        return False
    package = ModuleType(
        "horovod", "Stands for Horovod, of which only the part for MXNet is there."
    )
    package.__path__ = []
    vars(package)["mxnet"] = sys.modules[_OWN]
    sys.modules["horovod"] = package
    sys.modules["horovod.mxnet"] = sys.modules[_OWN]
    return True
