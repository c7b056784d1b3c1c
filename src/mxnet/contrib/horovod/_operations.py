"""Joining a job, the ranks in it, and exchanging arrays between its processes, as Horovod does."""

from __future__ import annotations

import importlib.util
import pickle
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, distributed

from mxnet._formats.safe_pickle import loads
from mxnet._frontend.dialect import make_array_like
from mxnet._state import processes
from mxnet.errors import ArgumentTypeError, ArgumentValueError, CheckFailedError
from mxnet.kvstore import _exchange
from mxnet.ndarray import NDArray
from mxnet.optimizer._state_reader import find_constructor

_LONGEST_REASON = 500
"""Characters of the reason why an object cannot be sent."""


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


def allreduce(
    tensor: NDArray,
    average: bool = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> NDArray:
    """Returns the mean of an array over all processes, or the sum.

    Args:
        tensor: The array.
        average: Whether to return the mean.
        name: Name of the exchange, which must be the same everywhere.
        priority: Accepted for compatibility.
        prescale_factor: Factor of the array before it is sent.
        postscale_factor: Factor of the result.
    """
    (result,) = grouped_allreduce(
        [tensor], average, name, priority, prescale_factor, postscale_factor
    )
    return result


def allreduce_(
    tensor: NDArray,
    average: bool = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> NDArray:
    """Replaces an array by its mean over all processes, or by the sum, and returns it.

    Args:
        tensor: The array.
        average: Whether to compute the mean.
        name: Name of the exchange, which must be the same everywhere.
        priority: Accepted for compatibility.
        prescale_factor: Factor of the array before it is sent.
        postscale_factor: Factor of the result.
    """
    grouped_allreduce_([tensor], average, name, priority, prescale_factor, postscale_factor)
    return tensor


def grouped_allreduce(
    tensors: Sequence[NDArray],
    average: bool = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> list[NDArray]:
    """Does `allreduce` for several arrays at once."""
    copies = [array.copy() for array in _check("grouped_allreduce", tensors)]
    return grouped_allreduce_(copies, average, name, priority, prescale_factor, postscale_factor)


def grouped_allreduce_(
    tensors: Sequence[NDArray],
    average: bool = True,
    name: str | None = None,
    priority: int = 0,
    prescale_factor: float = 1.0,
    postscale_factor: float = 1.0,
) -> list[NDArray]:
    """Does `allreduce_` for several arrays at once."""
    del priority
    arrays = _check("allreduce", tensors)
    memories = [array._writable() for array in arrays]
    if any(memory.dtype is torch.bool for memory in memories):
        raise ArgumentTypeError("horovod.allreduce: takes arrays of numbers, got bool")
    _agree("allreduce", name, memories)
    if prescale_factor != 1:
        torch._foreach_mul_(memories, prescale_factor)
    _exchange.add_up("horovod.allreduce", memories)
    if average:
        for memory in memories:
            if memory.is_floating_point():
                memory.div_(processes.size())
            else:
                memory.floor_divide_(processes.size())
    if postscale_factor != 1:
        torch._foreach_mul_(memories, postscale_factor)
    return list(arrays)


def allgather(tensor: NDArray, name: str | None = None, priority: int = 0) -> NDArray:
    """Returns the arrays of all processes, one behind the other along the first axis.

    Args:
        tensor: The array; only the first axis may be of another length in each process.
        name: Name of the exchange, which must be the same everywhere.
        priority: Accepted for compatibility.
    """
    del priority
    (array,) = _check("allgather", [tensor])
    if not array.ndim:
        raise ArgumentValueError("horovod.allgather: takes an array with an axis, got a number")
    _agree("allgather", name, [array._plain], from_axis=1)
    return make_array_like(
        array, torch.cat(_exchange.gather_parts("horovod.allgather", array._plain))
    )


def broadcast(
    tensor: NDArray, root_rank: int, name: str | None = None, priority: int = 0
) -> NDArray:
    """Returns the array of one process.

    Args:
        tensor: The array; that of the other processes gives its shape alone.
        root_rank: Number of the process whose array counts.
        name: Name of the exchange, which must be the same everywhere.
        priority: Accepted for compatibility.
    """
    (array,) = _check("broadcast", [tensor])
    return broadcast_(array.copy(), root_rank, name, priority)


def broadcast_(
    tensor: NDArray, root_rank: int, name: str | None = None, priority: int = 0
) -> NDArray:
    """Replaces an array by that of one process, and returns it.

    Args:
        tensor: The array.
        root_rank: Number of the process whose array counts.
        name: Name of the exchange, which must be the same everywhere.
        priority: Accepted for compatibility.
    """
    del priority
    (array,) = _check("broadcast", [tensor])
    broadcast_arrays([array], root_rank, name)
    return array


def broadcast_arrays(arrays: Sequence[NDArray], root_rank: int, name: str | None) -> None:
    """Replaces arrays by those of one process."""
    memories = [array._writable() for array in _check("broadcast", arrays)]
    _check_root(root_rank)
    _agree(f"broadcast from {root_rank}", name, memories)
    _exchange.copy_from("horovod.broadcast", memories, root_rank)


def alltoall(
    tensor: NDArray, splits: Any = None, name: str | None = None, priority: int = 0
) -> NDArray:
    """Sends a part of an array to each process, and returns what this one gets.

    Args:
        tensor: The array, whose first axis is cut.
        splits: Number of rows for each process, by default equal ones.
        name: Name of the exchange, which must be the same everywhere.
        priority: Accepted for compatibility.
    """
    del priority
    (array,) = _check("alltoall", [tensor])
    size = processes.size()
    if splits is None:
        if len(array) % size:
            raise ArgumentValueError(
                f"horovod.alltoall: {len(array)} rows are not cut into {size} equal parts; give "
                "splits"
            )
        counts = [len(array) // size] * size
    else:
        counts = [int(count) for count in getattr(splits, "asnumpy", lambda: splits)()]
        if len(counts) != size or sum(counts) != len(array) or min(counts) < 0:
            raise ArgumentValueError(
                f"horovod.alltoall: splits takes {size} numbers that add up to {len(array)}, "
                f"got {counts}"
            )
    _agree("alltoall", name, [array._plain], from_axis=1)
    # Gathered rather than sent pairwise, which gloo does not do for all dtypes.
    ends = _exchange.gather("horovod.alltoall", torch.tensor(counts).cumsum(0))
    parts = _exchange.gather_parts("horovod.alltoall", array._plain)
    own = processes.rank()
    cut = [
        part[(int(end[own - 1]) if own else 0) : int(end[own])]
        for part, end in zip(parts, ends, strict=True)
    ]
    return make_array_like(array, torch.cat(cut))


_TRAVELLING = (
    "None, numbers, text, bytes, lists, tuples, sets and dicts of these, arrays of NumPy and of "
    "this package, optimizers and schedules"
)


def broadcast_object(obj: Any = None, root_rank: int = 0, name: str | None = None) -> Any:
    """Returns an object of one process.

    It travels as data: plain values, arrays, optimizers and schedules. What another process sends
    never runs here.

    Args:
        obj: The object; that of the other processes does not count.
        root_rank: Number of the process whose object counts.
        name: Name of the exchange, which must be the same everywhere.

    Raises:
        ArgumentTypeError: in all processes, if the object is of another kind.
    """
    _check_root(root_rank)
    _agree(f"broadcast_object from {root_rank}", name, [])
    where = "horovod.broadcast_object"
    is_root = processes.rank() == root_rank
    data = _exchange.bytes_from(where, _encode(obj) if is_root else b"", root_rank)
    found = _decode(where, root_rank, data)
    return obj if is_root else found


def allgather_object(obj: Any, name: str | None = None) -> list[Any]:
    """Returns a list of the objects of all processes, which travel as in `broadcast_object`.

    Args:
        obj: The object.
        name: Name of the exchange, which must be the same everywhere.

    Raises:
        ArgumentTypeError: in all processes, if an object is of another kind.
    """
    require_init("allgather_object")
    _agree("allgather_object", name, [])
    where = "horovod.allgather_object"
    found = _exchange.gather_bytes(where, _encode(obj))
    return [_decode(where, rank, data) for rank, data in enumerate(found)]


def _encode(obj: Any) -> bytes:
    """Returns an object as bytes, or why it cannot be sent, which all processes raise."""
    try:
        data = pickle.dumps(obj, protocol=4)
        loads(data, type(obj).__name__, find_constructor)
    except Exception as error:  # noqa: BLE001 - whatever it is, the others must not wait
        return b"!" + f"{type(obj).__name__}: {error}"[:_LONGEST_REASON].encode()
    return b"." + data


def _decode(where: str, rank: int, data: bytes) -> Any:
    """Returns the object that bytes of another process stand for."""
    if data[:1] == b"!":
        raise ArgumentTypeError(
            f"{where}: rank {rank} cannot send its object ({data[1:].decode(errors='replace')}); "
            f"it takes {_TRAVELLING}"
        )
    return loads(data[1:], f"{where}: object of rank {rank}", find_constructor)


def _check(where: str, tensors: Sequence[NDArray]) -> Sequence[NDArray]:
    require_init(where)
    for tensor in tensors:
        if not isinstance(tensor, NDArray) or tensor.stype != "default":
            raise ArgumentTypeError(
                f"horovod.{where}: takes dense arrays, got {type(tensor).__name__}"
            )
    return tensors


def _check_root(root_rank: int) -> None:
    require_init("broadcast")
    if not 0 <= root_rank < processes.size():
        raise ArgumentValueError(
            f"horovod.broadcast: root_rank is below the number of processes, "
            f"{processes.size()}, got {root_rank}"
        )


def _agree(where: str, name: str | None, tensors: Sequence[Tensor], from_axis: int = 0) -> None:
    """Makes sure that all processes do the same exchange with arrays of the same form."""
    forms = [f"{tuple(tensor.shape[from_axis:])} {tensor.dtype}" for tensor in tensors]
    _exchange.agree(f"horovod.{where}", f"{name or ''} {', '.join(forms)}")
