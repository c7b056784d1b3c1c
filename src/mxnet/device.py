"""Devices as MXNet 2 calls them: `mx.device` has the functions and the class of `mx.context`.

A `Device` is a `Context`. Whatever takes a context as `ctx=` takes it as `device=`, too, and arrays
have it as `x.device`.
"""

from __future__ import annotations

from mxnet.context import Context, cpu, cpu_pinned, gpu, gpu_memory_info, num_gpus
from mxnet.context import current_context as current_device

Device = Context

__all__ = ["Device", "cpu", "cpu_pinned", "current_device", "gpu", "gpu_memory_info", "num_gpus"]
