"""Variables of the environment that change what happens, and what they are for."""

from __future__ import annotations

from types import MappingProxyType

_PREFIXES = ("MXNET_", "DMLC_", "OMP_", "MKL_", "KMP_", "GOMP_", "HOROVOD_", "NCCL_")

KNOWN = MappingProxyType(
    {
        "CUDA_VISIBLE_DEVICES": "which GPUs there are",
        "DMLC_INTERFACE": "network interface of a distributed job",
        "DMLC_NUM_SERVER": "number of servers; none are needed here",
        "DMLC_NUM_WORKER": "number of workers of a distributed job",
        "DMLC_PS_ROOT_PORT": "port at which workers meet",
        "DMLC_PS_ROOT_URI": "address at which workers meet",
        "DMLC_PS_VAN_TYPE": "transport of the original's servers; ignored",
        "DMLC_ROLE": "what this process is in a distributed job",
        "DMLC_WORKER_ID": "number of this worker",
        "LD_LIBRARY_PATH": "where libraries are looked for",
        "MASTER_ADDR": "address at which processes of torchrun meet",
        "MASTER_PORT": "port at which processes of torchrun meet",
        "MXNET_ELIMINATE_COMMON_EXPR": "0 shows repeated operators in get_optimized_symbol",
        "MXNET_ENGINE_TYPE": "NaiveEngine raises errors of values at once",
        "MXNET_FUSE_ATTENTION": "0 computes attention operator by operator",
        "MXNET_GLUON_REPO": "where pretrained networks are downloaded from",
        "MXNET_GPU_CAPTURE": "0 keeps blocks on GPUs from being captured by themselves",
        "MXNET_GPU_LAYOUT": "order of channels in the memory of GPUs",
        "MXNET_HOME": "folder of downloaded networks and datasets",
        "MXNET_KVSTORE_BUCKET_MB": "how many gradients travel together",
        "MXNET_KVSTORE_TIMEOUT": "seconds after which a lost process is an error",
        "MXNET_JOB_TOKEN": "a secret that all processes of a job share",
        "MXNET_LAUNCHER_SERVES": "set by the launcher for its workers",
        "MXNET_NUMPY_ALIASES": "1 brings np.float, np.int and others back for old programs",
        "MXNET_PROFILER_AUTOSTART": "1 profiles from the start",
        "MXNET_SHOW_INTERNAL_FRAMES": "1 shows the lines of this package in tracebacks",
        "MXNET_UPDATE_ON_KVSTORE": "whether the store updates weights",
        "MXNET_VERSION": "2 chooses the rules of MXNet 2 where they differ",
        "OMP_NUM_THREADS": "threads of one operator on the CPU",
        "PYTHONPATH": "where modules are looked for first",
        "RANK": "number of this process of torchrun",
        "WORLD_SIZE": "number of processes of torchrun",
    }
)
"""What each variable is for. Those of the original that are not here are ignored."""

_IGNORED = "a variable of the original that is ignored here"
_OTHERS = "read by libraries of torch"


def is_relevant(name: str) -> bool:
    """Returns whether a variable may explain what happens."""
    return name in KNOWN or name.startswith(_PREFIXES)


def purpose_of(name: str) -> str:
    """Returns what a variable is for."""
    if name in KNOWN:
        return KNOWN[name]
    return _IGNORED if name.startswith(("MXNET_", "DMLC_")) else _OTHERS
