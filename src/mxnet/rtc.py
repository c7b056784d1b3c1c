"""Kernels that are written in CUDA and compiled while the program runs: `mx.rtc`.

torch's NVRTC compiles them, and CUDA's driver launches them in torch's stream, so that they are in
order with the operators before and after them.

Example:
    .. code-block:: python

        source = '''
        extern "C" __global__ void blend(const float *a, float *b, float share) {
            b[threadIdx.x] = share * a[threadIdx.x] + (1 - share) * b[threadIdx.x];
        }'''
        module = mx.rtc.CudaModule(source)
        blend = module.get_kernel("blend", "const float *a, float *b, float share")
        a, b = mx.nd.ones(10, ctx=mx.gpu()), mx.nd.zeros(10, ctx=mx.gpu())
        blend.launch([a, b, 0.25], mx.gpu(), (1, 1, 1), (10, 1, 1))
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from mxnet import autograd
from mxnet._formats.type_codes import TYPE_CODES
from mxnet._start import engine
from mxnet.context import Context
from mxnet.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    InvalidArgumentError,
    MXNetError,
    UnsupportedTypeError,
)
from mxnet.ndarray import NDArray

_DTYPE_CPP_TO_NP: dict[str, type[np.generic]] = {
    "float": np.float32, "double": np.float64, "__half": np.float16, "uint8_t": np.uint8,
    "int": np.int32, "int32_t": np.int32, "int8_t": np.int8, "char": np.int8, "int64_t": np.int64,
}  # fmt: skip
_CODES = {row.numpy.type: row.code for row in TYPE_CODES}
_NUMPY_TYPES = {row.code: row.numpy.type for row in TYPE_CODES}

_ARGUMENT = re.compile(r" ?(const )?(\w+)(?: ?(\*) ?\w*| \w+)? ?")
_COMMENT = re.compile(r"//[^\n]*|/\*(?:.*?\*/|.*)", re.DOTALL)
_KERNEL_NAME = re.compile(r'extern\s+"C"\s+__global__\s+void\s+(\w+)\s*\(')
_DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def supported_architectures() -> list[int]:
    """Returns the architectures of GPUs that NVRTC compiles for, ascending, such as 75, 80 and 90.

    Raises:
        MXNetError: if torch has no NVRTC.
    """
    _check_compiler("cuda._utils._get_gpu_rtc_library")
    library = torch.cuda._utils._get_gpu_rtc_library()
    count = ctypes.c_int()
    library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    found = (ctypes.c_int * count.value)()
    library.nvrtcGetSupportedArchs(found)
    return sorted(found)


class _Parameter(NamedTuple):
    """What a signature says of one argument of a kernel."""

    is_array: bool
    is_written: bool
    dtype: type[np.generic]


class _Compiled:
    """A kernel in the source of a module, compiled for each GPU that it is launched on.

    Args:
        module: The module.
        name: Name of the kernel.
        is_written: For each argument whether the kernel may write to it.
    """

    def __init__(self, module: CudaModule, name: str, is_written: Sequence[bool]) -> None:
        self._module, self._name, self.is_written = module, name, tuple(is_written)

    def get_function(self, device_id: int) -> Any:
        """Returns the driver's handle of the kernel on a GPU."""
        return self._module._compile(self._name, device_id).func


class CudaModule:
    """Compiles source of CUDA, the kernels of which `get_kernel` returns.

    Args:
        source: The source: one or more functions that are `__global__`.
        options: Options of NVRTC, such as `"--fmad=false"`; one, or several of them.
        exports: Names of kernels that are templates or not `extern "C"`; one, or several of them.
            All kernels are found by their names here, so that none need be listed.

    Raises:
        MXNetError: if there is no GPU, torch has no compiler, or the source has a mistake.
    """

    def __init__(
        self, source: str, options: str | Sequence[str] = (), exports: str | Sequence[str] = ()
    ) -> None:
        _check_compiler()
        self._source = source
        self._options = [options] if isinstance(options, str) else list(options)
        names = [exports] if isinstance(exports, str) else list(exports)
        self._kernels: dict[tuple[str, int], Any] = {}
        # NVRTC is asked for a kernel; mistakes anywhere in the source are found with the first.
        # Templates are none that could be asked for before their arguments are known.
        for name in names or _find_kernels(source)[:1]:
            self._compile(name, torch.cuda.current_device())

    def get_kernel(self, name: str, signature: str) -> CudaKernel:
        r"""Returns a kernel of the module.

        Args:
            name: Name of the kernel.
            signature: Its arguments as the source declares them, such as
                `"const float *x, float *y, int count"`.

        Raises:
            ValueError: if the signature cannot be read.
            TypeError: if an argument has a type that kernels here do not take.
            MXNetError: if the module has no such kernel; the others are MXNetErrors, too.
        """
        parameters = _parse_signature(signature)
        self._compile(name, torch.cuda.current_device())
        return CudaKernel(
            _Compiled(self, name, [parameter.is_written for parameter in parameters]),
            name,
            [parameter.is_array for parameter in parameters],
            [_CODES[parameter.dtype] for parameter in parameters],
        )

    def _compile(self, name: str, device_id: int) -> Any:
        """Returns torch's kernel of a name on a GPU, compiled when it is first asked for."""
        kernel = self._kernels.get((name, device_id))
        if kernel is None:
            try:
                with torch.cuda.device(device_id):
                    kernel = torch.cuda._compile_kernel(
                        self._source, name, nvcc_options=self._options
                    )
            except RuntimeError as error:
                raise MXNetError(f"CudaModule: cannot compile kernel {name!r}: {error}") from error
            self._kernels[name, device_id] = kernel
        return kernel


class CudaKernel:
    """A kernel that can be launched; `CudaModule.get_kernel` makes it.

    Args:
        handle: The compiled kernel.
        name: Its name.
        is_ndarray: For each argument whether it is an array; the others are numbers.
        dtypes: Element types of the arguments, as numbers of the original.
    """

    def __init__(
        self, handle: _Compiled, name: str, is_ndarray: Sequence[bool], dtypes: Sequence[int]
    ) -> None:
        self.handle, self._name, self._is_ndarray = handle, name, is_ndarray
        self._dtypes = [_NUMPY_TYPES[code] for code in dtypes]

    def launch(
        self,
        args: Sequence[Any],
        ctx: Context,
        grid_dims: tuple[int, int, int],
        block_dims: tuple[int, int, int],
        shared_mem: int = 0,
    ) -> None:
        """Launches the kernel.

        Args:
            args: Arrays on the GPU and numbers, as the signature declares them.
            ctx: The GPU.
            grid_dims: Numbers of blocks along three axes.
            block_dims: Numbers of threads in a block along three axes.
            shared_mem: Bytes of shared memory that a block gets when it starts.

        Raises:
            AssertionError: if the context is no GPU, or there are not three numbers of blocks or
                threads, or the arguments are not those of the signature.
            MXNetError: if an array is elsewhere or of another dtype, or the launch fails; the
                others are MXNetErrors, too.
        """
        if ctx.device_type != "gpu":
            raise InvalidArgumentError(f"CudaKernel({self._name}): expected a GPU, got {ctx}")
        for what, sizes in (("grid_dims", grid_dims), ("block_dims", block_dims)):
            if len(sizes) != 3:
                raise InvalidArgumentError(
                    f"CudaKernel({self._name}): expected {what} to be 3 integers, got {sizes}"
                )
        self._check_types(args)
        self._check_places(args, ctx)
        with autograd.pause(), torch.cuda.device(ctx.device_id):
            tensors = {
                place: arg.to_torch().detach()
                for place, arg in enumerate(args)
                if self._is_ndarray[place]
            }
            staged = {place: tensor.contiguous() for place, tensor in tensors.items()}
            values = _pack(args, self._dtypes, staged)
            _launch(
                self.handle.get_function(ctx.device_id),
                (*grid_dims, *block_dims, shared_mem),
                values,
            )
            for place, tensor in tensors.items():
                if self.handle.is_written[place]:
                    _finish_write(tensor, staged[place])

    def _check_types(self, args: Sequence[Any]) -> None:
        """Checks that there are as many arrays and numbers as the signature has, in its order."""
        where = f"CudaKernel({self._name})"
        if len(args) != len(self._dtypes):
            raise InvalidArgumentError(
                f"{where}: expected {len(self._dtypes)} arguments, got {len(args)}"
            )
        for place, (arg, is_array) in enumerate(zip(args, self._is_ndarray, strict=True)):
            wanted: tuple[type, ...] = (NDArray,) if is_array else (int, float, np.generic)
            if not isinstance(arg, wanted):
                expected = "an NDArray" if is_array else "a number"
                raise ArgumentTypeError(
                    f"{where}: expected argument {place} to be {expected}, got {type(arg)}"
                )

    def _check_places(self, args: Sequence[Any], ctx: Context) -> None:
        """Checks that arrays are on the GPU and have the dtypes of the signature."""
        for place, (arg, dtype) in enumerate(zip(args, self._dtypes, strict=True)):
            if not self._is_ndarray[place]:
                continue
            if arg.context != ctx or np.dtype(arg.dtype) != dtype:
                raise MXNetError(
                    f"CudaKernel({self._name}): expected argument {place} to be {dtype.__name__} "
                    f"on {ctx}, got {np.dtype(arg.dtype).name} on {arg.context}"
                )


def _check_compiler(*names: str) -> None:
    """Checks that there is a GPU, and that torch can compile for it and has further names."""
    if not torch.cuda.is_available():
        raise MXNetError(
            "CudaModule: expected a GPU to compile for, found none; "
            "install a build of torch with CUDA on a machine that has one"
        )
    if not engine.has("cuda._compile_kernel", *names):
        raise MXNetError(
            f"CudaModule: torch {torch.__version__} has no compiler of kernels; install a newer one"
        )


def _find_kernels(source: str) -> list[str]:
    """Returns the names of kernels in a source that are declared `extern "C"` one by one."""
    return _KERNEL_NAME.findall(_COMMENT.sub(" ", source))


def _parse_signature(signature: str) -> list[_Parameter]:
    """Returns what a signature says of each argument."""
    parameters = []
    for text in re.sub(r"\s+", " ", signature).split(","):
        parts = _ARGUMENT.fullmatch(text)
        if parts is None or parts[2] == "const":
            raise ArgumentValueError(
                f"get_kernel: cannot read the argument {text.strip()!r}; "
                'expected "(const) type (*) (name)"'
            )
        if parts[2] not in _DTYPE_CPP_TO_NP:
            raise UnsupportedTypeError(
                f"get_kernel: the argument {text.strip()!r} has a type that is not supported; "
                f"those supported are {', '.join(_DTYPE_CPP_TO_NP)}"
            )
        is_array = parts[3] is not None
        dtype = _DTYPE_CPP_TO_NP[parts[2]]
        parameters.append(_Parameter(is_array, is_array and parts[1] is None, dtype))
    return parameters


def _pack(
    args: Sequence[Any], dtypes: Sequence[type[np.generic]], tensors: dict[int, Tensor]
) -> list[np.ndarray[Any, Any]]:
    """Returns the bytes of each argument as an array: of a number, or of an address on the GPU."""
    return [
        np.array([tensors[place].data_ptr()], np.uint64)
        if place in tensors
        else np.array([args[place]]).astype(dtype)
        for place, dtype in enumerate(dtypes)
    ]


def _launch(function: Any, sizes: Sequence[int], values: list[np.ndarray[Any, Any]]) -> None:
    """Has the driver launch a kernel in torch's stream on the current GPU."""
    pointers = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    counts = [ctypes.c_uint(int(size)) for size in sizes]
    status = ctypes.CDLL(_DRIVER).cuLaunchKernel(function, *counts, stream, pointers, None)
    if status:
        raise MXNetError(
            f"CudaKernel.launch: CUDA's driver refused with error {status}; "
            f"blocks, threads and bytes of shared memory were {tuple(sizes)}"
        )


def _finish_write(tensor: Tensor, staged: Tensor) -> None:
    """Makes known that a kernel wrote to a tensor, by way of a contiguous copy where it had one."""
    if staged.data_ptr() == tensor.data_ptr():
        torch.autograd.graph.increment_version(tensor)
    else:
        tensor.copy_(staged)
