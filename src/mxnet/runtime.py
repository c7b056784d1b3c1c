"""What this installation can do: `mx.runtime`.

The features have the names and the order that they have in the original. Each answer is about the
libraries that compute here: torch, the libraries that it was built with, and OpenCV.

Example:
    >>> import mxnet as mx
    >>> features = mx.runtime.Features()
    >>> features.is_enabled("INT64_TENSOR_SIZE")
    True
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections import OrderedDict
from typing import TYPE_CHECKING

import torch
import torch.distributed

from mxnet._formats import files
from mxnet._formats.opencv import has_opencv
from mxnet._start import did_you_mean, engine, public_call
from mxnet._state import rules
from mxnet._version import VERSIONS
from mxnet.errors import MXNetError

_OF_X86 = ("x86_64", "amd64", "i386", "i686")
"""Names of processors that have SSE."""


class Feature:
    """Something that the package may or may not be able to do.

    Args:
        name: Name of the feature, such as `"CUDA"`.
        enabled: Whether it is there.
    """

    def __init__(self, name: str, enabled: bool) -> None:
        self._name, self._enabled = name, bool(enabled)

    @property
    def name(self) -> str:
        """Name of the feature."""
        return self._name

    @property
    def enabled(self) -> bool:
        """Whether the feature is there."""
        return self._enabled

    def __repr__(self) -> str:
        return f"{'✔' if self.enabled else '✖'} {self.name}"


def feature_list() -> list[Feature]:
    """Returns all features that are known, those that are not there included.

    Returns:
        A list of `Feature`, in the order of the original.
    """
    answers = {**_ask_about_gpus(), **_ask_about_processor(), **_ask_about_libraries()}
    return [Feature(name, answers.get(name, False)) for name in _NAMES]


if TYPE_CHECKING:
    _Base = OrderedDict[str, Feature]
else:
    _Base = OrderedDict


def get_branch() -> str:
    """Returns the branch of the sources, which here is the release: there is none in a package.

    Example:
        >>> import mxnet as mx
        >>> mx.runtime.get_branch() == mx.__version__
        True
    """
    return VERSIONS[rules.version]


def get_commit_hash() -> str:
    """Returns the commit that the sources are from, "" if the installation does not say.

    Example:
        >>> import mxnet as mx
        >>> isinstance(mx.runtime.get_commit_hash(), str)
        True
    """
    for distribution in importlib.metadata.distributions(name="glueball"):
        for file in distribution.files or ():
            if file.name == "direct_url.json":
                origin = json.loads(files.read_foreign_text(str(file.locate())))
                return str(origin.get("vcs_info", {}).get("commit_id", ""))
    return ""


class _OfTheProcess:
    """Makes the mapping of the process when it is first read from the class."""

    def __get__(self, instance: object, owner: type[Features]) -> Features:
        return owner()


class Features(_Base):
    """All features by their names. There is one such mapping in a process.

    Example:
        >>> import mxnet as mx
        >>> mx.runtime.Features()["TENSORRT"]
        ✖ TENSORRT
    """

    instance = _OfTheProcess()
    """The mapping itself."""
    _instance: Features | None = None

    def __new__(cls) -> Features:
        """Returns the mapping of the process, which is made when it is first asked for."""
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            OrderedDict.__init__(
                cls._instance, [(feature.name, feature) for feature in feature_list()]
            )
        return cls._instance

    def __init__(self) -> None:
        """Leaves the mapping as `__new__` has filled it."""

    def __repr__(self) -> str:
        return str(list(self.values()))

    @public_call
    def is_enabled(self, feature_name: str) -> bool:
        """Returns whether a feature is there.

        Args:
            feature_name: Name of the feature, in letters of any case.

        Raises:
            MXNetError: if there is no feature of that name.
        """
        name = feature_name.upper()
        if name not in self:
            raise MXNetError(
                f"Features.is_enabled: expected the name of a feature, got {name!r}"
                f"{did_you_mean(name, self)}; "
                f"known features are {list(self)}"
            )
        return self[name].enabled


def _ask_about_gpus() -> dict[str, bool]:
    """Returns which features of GPUs torch was built with; the machine may have no GPU."""
    with_cuda: bool = torch.backends.cuda.is_built()  # type: ignore[no-untyped-call]
    return {
        "CUDA": with_cuda,
        "CUDNN": bool(torch.backends.cudnn.is_available()),  # type: ignore[no-untyped-call]
        "NCCL": torch.distributed.is_available() and torch.distributed.is_nccl_available(),
        "CUDA_RTC": with_cuda and engine.has("cuda._compile_kernel"),
    }


def _ask_about_processor() -> dict[str, bool]:
    """Returns which instructions torch's kernels use on this processor."""
    on_x86 = platform.machine().lower() in _OF_X86
    with_avx = on_x86 and torch.backends.cpu.get_cpu_capability().startswith("AVX")
    return {
        **dict.fromkeys(("CPU_SSE", "CPU_SSE2", "SSE"), on_x86),
        **dict.fromkeys(
            ("CPU_SSE3", "CPU_SSE4_1", "CPU_SSE4_2", "CPU_AVX", "CPU_AVX2", "F16C"), with_avx
        ),
    }


def _ask_about_libraries() -> dict[str, bool]:
    """Returns which libraries are there, and what follows from torch's being the engine."""
    built_with = torch.__config__.show().lower()
    return {
        "OPENMP": bool(torch.backends.openmp.is_available()),  # type: ignore[no-untyped-call]
        "BLAS_OPEN": "blas_info=open" in built_with,
        "BLAS_MKL": bool(torch.backends.mkl.is_available()),  # type: ignore[no-untyped-call]
        "BLAS_APPLE": "blas_info=accelerate" in built_with,
        "LAPACK": bool(torch._C.has_lapack),
        "MKLDNN": bool(torch.backends.mkldnn.is_available()),  # type: ignore[no-untyped-call]
        "OPENCV": has_opencv(),
        "PROFILER": True,
        "DIST_KVSTORE": torch.distributed.is_available(),
        "CXX14": True,
        "INT64_TENSOR_SIZE": True,
        "DEBUG": bool(torch.version.debug),
    }


_NAMES = (
    *("CUDA", "CUDNN", "NCCL", "CUDA_RTC", "TENSORRT"),
    *("CPU_SSE", "CPU_SSE2", "CPU_SSE3", "CPU_SSE4_1", "CPU_SSE4_2", "CPU_SSE4A"),
    *("CPU_AVX", "CPU_AVX2", "OPENMP", "SSE", "F16C", "JEMALLOC"),
    *("BLAS_OPEN", "BLAS_ATLAS", "BLAS_MKL", "BLAS_APPLE", "LAPACK", "MKLDNN", "OPENCV"),
    *("CAFFE", "PROFILER", "DIST_KVSTORE", "CXX14", "INT64_TENSOR_SIZE", "SIGNAL_HANDLER"),
    *("DEBUG", "TVM_OP"),
)
"""All features, in the original's order; those without a check are off."""
