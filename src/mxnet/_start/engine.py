"""Checks that torch and NumPy are of releases that this package has been tested with."""

from __future__ import annotations

import re
import warnings
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import torch


class Releases(NamedTuple):
    """Releases of a package that were tested, by their first two numbers."""

    oldest: tuple[int, int]
    newest: tuple[int, int]

    def __str__(self) -> str:
        return " to ".join(f"{first}.{second}" for first, second in self)


TESTED = {"numpy": Releases((1, 26), (2, 5)), "torch": Releases((2, 6), (2, 15))}
"""What `make test-matrix` passed with; `pyproject.toml` admits the same."""

PRIVATE = (
    *(
        f"_foreach_{name}"
        for name in (
            *("abs", "add", "add_", "addcdiv_", "addcmul", "addcmul_", "clamp_max_", "clamp_min_"),
            *("copy_", "div", "div_", "maximum_", "mul", "mul_", "neg_", "norm", "sign", "sqrt"),
            *("sqrt_", "sub", "sub_", "zero_"),
        )
    ),
    "Tensor._is_zerotensor",
    "Tensor._version",
    "UntypedStorage._cdata",
    "UntypedStorage._new_shared",
    "_C._current_graph_task_id",
    "_C._storage_Use_Count",
    "_fused_adam_",
    "_fused_sgd_",
    "_int_mm",
    "_standard_gamma",
    "_unique2",
    "autograd.Variable._execution_engine",
    "ops.aten.alias.default",
    "ops.aten.detach.default",
    "utils._python_dispatch.TorchDispatchMode",
    "utils._python_dispatch._disable_current_modes",
    "utils._python_dispatch._pop_mode",
    "utils._python_dispatch._push_mode",
    "utils._pytree.tree_leaves",
    "utils.data._utils.signal_handling._remove_worker_pids",
)
"""Names which torch does not promise to keep, and without which there is no way to go on."""

PRIVATE_ON_GPUS = ("_C._cuda_clearCublasWorkspaces", "_cudnn_init_dropout_state", "_cudnn_rnn")
"""Those that only builds of torch for GPUs have."""


def has(*names: str) -> bool:
    """Returns whether this torch has names, given without `torch.` in front of them."""
    try:
        for name in names:
            attrgetter(name)(torch)
    except (AttributeError, RuntimeError):  # the latter for operators
        return False
    return True


def check() -> None:
    """Looks at the releases of NumPy and torch and at the private names of torch.

    Raises:
        ImportError: if one of them is older than what was tested, or torch lacks a name.
    """
    check_release("numpy", np.__version__)
    check_release("torch", torch.__version__)
    has_gpus = torch.version.cuda is not None or torch.version.hip is not None
    needed = PRIVATE + PRIVATE_ON_GPUS if has_gpus else PRIVATE
    missing = [name for name in needed if not has(name)]
    if missing:
        raise ImportError(
            f"torch {torch.__version__} lacks {', '.join(missing)}, which mxnet (Glueball) needs; "
            f"install one of torch {TESTED['torch']}"
        )


def check_release(package: str, version: str) -> None:
    """Warns of a release that is newer than those tested.

    Args:
        package: Name of a package in `TESTED`.
        version: The version that is installed.

    Raises:
        ImportError: if the release is older than those tested.
    """
    tested = TESTED[package]
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers is None:
        return
    release = int(numbers[1]), int(numbers[2])
    if release < tested.oldest:
        raise ImportError(
            f"mxnet (Glueball) needs {package} {tested}, got {package} {version}; "
            f"run `pip install --upgrade {package}`"
        )
    if release > tested.newest:
        warnings.warn(
            f"mxnet (Glueball) has been tested with {package} {tested}, not with "
            f"{package} {version}: results may differ",
            stacklevel=4,
        )
