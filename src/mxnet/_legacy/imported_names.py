"""What public modules show: the names of the original's modules, and none of our own machinery.

`from mxnet.gluon.rnn.rnn_cell import HybridBlock` works in the original, as the module imports that
class, and `dir()` of a module lists what it defines and imports. Modules here are divided in other
ways. A `__getattr__` of each finds such names in their own modules on the first access. `dir()`
lists the original's names with those that are added on purpose, and `from ... import *` gives what
it gives there. Of a module that the original does not have, both show what it defines.
`public_names.txt` has the names, and is read when it is first needed;
`tools/make_public_names.py` writes it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from mxnet._start import after_every_import, make_getattr

STAR = "__all__"

OPTIONAL = ("cv2", "requests", "scipy")
"""Libraries that modules of the original show, and that need not be there."""

ADDED: Mapping[str, str] = MappingProxyType(
    {
        "mxnet": "Device amp cuda current_device device errors is_np_default_dtype limits "
        "np_default_dtype num_gpus set_version use_np_default_dtype",
        "mxnet.attribute": "current",
        "mxnet.name": "current",
        "mxnet.runtime": "get_branch get_commit_hash",
        "mxnet.operator": "get_all_registered_operators_grouped",
        "mxnet.gluon.data.sampler": "IntervalSampler",
        "mxnet.gluon.utils": "split_rnn_params",
        "mxnet.initializer": "RNNFused",
        "mxnet.kvstore": "Horovod horovod",
        "mxnet.gluon.rnn.rnn_cell": "dynamic_unroll",
        "mxnet.gluon.contrib.data": "vision",
        "mxnet.contrib.quantization": "CalibrationCollector quantize_model_onednn",
        "mxnet.symbol": "fromjson",
        "mxnet.symbol.symbol": "fromjson",
        "mxnet.random": "binomial categorical",
        "mxnet.ndarray.random": "binomial categorical",
        "mxnet.symbol.random": "binomial categorical",
        "mxnet.numpy": "set_functions type_functions",
        "mxnet.numpy.fallback": "get_func",
        "mxnet.gluon": "Checkpoint TrainStep metric probability shard",
        "mxnet.gluon.contrib": "plot torch",
        "mxnet.gluon.contrib.data.sampler": "SplitSampler",
        "mxnet.gluon.contrib.estimator": "BatchesHandler MixedPrecisionProcessor "
        "ProgressBarHandler ResumeHandler RunFolder TensorBoardHandler TrainStepProcessor",
        "mxnet.gluon.contrib.nn": "Concatenate HybridConcatenate",
        "mxnet.gluon.data": "IntervalSampler batchify",
        "mxnet.gluon.nn": "Concatenate DeformableConvolution HybridConcatenate Identity "
        "ModulatedDeformableConvolution PixelShuffle1D PixelShuffle2D PixelShuffle3D SiLU "
        "SyncBatchNorm",
        "mxnet.gluon.nn.activations": "SiLU",
        "mxnet.gluon.rnn": "Conv1DGRUCell Conv1DLSTMCell Conv1DRNNCell Conv2DGRUCell "
        "Conv2DLSTMCell Conv2DRNNCell Conv3DGRUCell Conv3DLSTMCell Conv3DRNNCell LSTMPCell "
        "VariationalDropoutCell",
        "mxnet.gluon.data.vision": "ImageListDataset",
        "mxnet.gluon.data.vision.datasets": "ImageListDataset",
        "mxnet.gluon.data.vision.transforms": "HybridCompose HybridRandomApply RandomCrop "
        "RandomGray use_np",
        "mxnet.ndarray": "from_torch",
        "mxnet.numpy_extension": "Device current_device from_torch is_np_default_dtype np_array "
        "np_default_dtype np_shape savez seed set_np_default_dtype to_dlpack_for_read "
        "to_dlpack_for_write use_np use_np_array use_np_shape",
        "mxnet.numpy_extension.utils": "from_dlpack from_torch savez",
        "mxnet.onnx": "export_block get_model_metadata import_model import_to_gluon",
        "mxnet.optimizer": "AdaBelief AdamW LANS",
        "mxnet.profiler": "scope",
        "mxnet.test_utils": "compare_optimizer_noise_seeded create_2d_np_tensor current_device "
        "default_device set_default_device set_env_var use_np_default_dtype",
        "mxnet.util": "default_array dtype_from_number get_max_supported_compute_capability "
        "get_rtc_compile_opts gpu_memory_info is_np_default_dtype makedirs np_default_dtype "
        "num_gpus numpy_fallback set_flush_denorms set_np_default_dtype use_np_default_dtype "
        "wrap_ctx_to_device_func wrap_data_api_linalg_func wrap_data_api_statical_func "
        "wrap_sort_functions",
    }
)
"""Public names that the original's modules do not have, by module."""

DECLARED: dict[str, list[str]] = {}
"""What modules declare as their `__all__`, which type checkers read."""


@cache  # a file of the package, which does not change
def read_names() -> Mapping[str, Mapping[str, str]]:
    """Returns, by module, the original's names with where they come from.

    That is empty for a module's own names, the name of a module, or `module:name`. Under `__all__`
    are the names that `from ... import *` gives, where those are not all that have no underscore.
    """
    text = Path(__file__).with_name("public_names.txt").read_text("utf-8")
    names: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        module, _, rest = line.partition(": ")
        if module.endswith(STAR):
            names[module.removesuffix(f".{STAR}")][STAR] = rest
        else:
            pairs = (token.partition("=") for token in rest.split())
            names[module] = {name: source for name, _, source in pairs}
    return names


def install() -> None:
    """Makes public modules show these names, now or once they are imported."""
    after_every_import("mxnet", _extend)


def _extend(module: ModuleType) -> None:
    namespace = module.__dict__
    if "._" in module.__name__ or "__dir__" in namespace:
        return  # it is private, or has been extended under another name
    found: Callable[[str], Any] | None = namespace.get("__getattr__")
    find_otherwise = found or make_getattr(module.__name__, namespace)
    if STAR in namespace:
        # A star import asks `__getattr__` then, and what the original gives may be imported late.
        DECLARED[module.__name__] = namespace.pop(STAR)

    def __getattr__(name: str) -> Any:  # noqa: N807 - it becomes the function of the module
        try:
            return find_otherwise(name)
        except AttributeError as error:
            if name == STAR:
                return list_star(module)
            source = "" if name.startswith("__") else _find_source(module, name)
            if not source:
                error.__traceback__ = None  # a bare `raise` adds no frame: it ends in the program
                raise
        value = resolve(source)
        setattr(module, name, value)
        return value

    def __dir__() -> list[str]:  # noqa: N807 - as above
        return list_names(module)

    namespace["__getattr__"], namespace["__dir__"] = __getattr__, __dir__


def _find_source(module: ModuleType, name: str) -> str:
    return read_names().get(module.__name__, {}).get(name, "")


def resolve(source: str) -> Any:
    """Returns a module, or something in one; see `read_names`. A library may be missing: None."""
    path, _, member = source.partition(":")
    try:
        module = sys.modules.get(path) or importlib.import_module(path)
    except ImportError:
        if path.partition(".")[0] in OPTIONAL:
            return None
        raise
    return getattr(module, member) if member else module


def list_names(module: ModuleType) -> list[str]:
    """Lists what `dir()` of a public module shows."""
    names = read_names().get(module.__name__)
    hidden = [name for name in vars(module) if name.startswith("__") and name.endswith("__")]
    if names is None:
        return sorted({*_list_defined(module), *hidden})
    added = ADDED.get(module.__name__, "").split()
    return sorted({*names, *added, *hidden} - {STAR})


def list_star(module: ModuleType) -> list[str]:
    """Lists what `from ... import *` gives."""
    names = read_names().get(module.__name__)
    if names is None:
        return [name for name in _list_defined(module) if not name.startswith("_")]
    if STAR in names:
        public = names[STAR].split()
    else:
        public = [name for name in names if not name.startswith("_")]
    return list(dict.fromkeys([*public, *ADDED.get(module.__name__, "").split()]))


def _list_defined(module: ModuleType) -> list[str]:
    """Lists what a module declares, or defines in itself or in private modules under it."""
    name = module.__name__
    if name in DECLARED:
        return DECLARED[name]
    homes = (name, f"{name}._")
    return [
        own
        for own, value in vars(module).items()
        if (value.__name__ if isinstance(value, ModuleType) else _home_of(value, name)).startswith(
            homes
        )
    ]


def _home_of(value: Any, otherwise: str) -> str:
    """Returns the module in which a class or a function was defined; constants do not say."""
    home = getattr(value, "__module__", None)
    return home if isinstance(home, str) else otherwise
