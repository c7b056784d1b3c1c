"""Lists the public names of the original MXNet 1.9.1, module by module.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/api_names.json`, from which `tools/make_support_table.py` counts what is covered.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from pathlib import Path

MODULES = [
    "ndarray",
    "ndarray.NDArray",
    "ndarray.random",
    "ndarray.linalg",
    "ndarray.contrib",
    "ndarray.image",
    "ndarray.sparse",
    "autograd",
    "context",
    "random",
    "operator",
    "initializer",
    "lr_scheduler",
    "optimizer",
    "metric",
    "callback",
    "gluon",
    "gluon.nn",
    "gluon.rnn",
    "gluon.loss",
    "gluon.utils",
    "gluon.contrib.nn",
    "gluon.contrib.rnn",
    "gluon.contrib.cnn",
    "gluon.data",
    "gluon.data.vision",
    "gluon.data.vision.transforms",
    "gluon.model_zoo.vision",
    "symbol",
    "module",
    "io",
    "image",
    "recordio",
    "kvstore",
    "visualization",
    "test_utils",
    "contrib.amp",
    "profiler",
    "numpy",
    "numpy.ndarray",
    "numpy.linalg",
    "numpy.random",
    "numpy_extension",
    "numpy_extension.image",
    "numpy_extension.random",
    "symbol.numpy",
    "symbol.numpy.linalg",
    "symbol.numpy.random",
    "symbol.numpy_extension",
]

FOREIGN = {*sys.stdlib_module_names, "numpy", "requests", "graphviz", "scipy", ""}
HELPERS = {"mxnet.base", "mxnet.util"}


def is_own(value: object) -> bool:
    """Returns whether a function or class is the module's own and not a helper it imports."""
    origin = getattr(value, "__module__", None) or ""
    return origin.split(".")[0] not in FOREIGN and origin not in HELPERS


def public_names(path: str) -> list[str]:
    """Returns the names that a module or class defines for its users."""
    head, _, last = path.rpartition(".")
    try:
        owner = importlib.import_module(f"mxnet.{path}")
    except ModuleNotFoundError:  # a class
        owner = getattr(importlib.import_module(f"mxnet.{head}"), last)
    names = []
    for name in dir(owner):
        value = inspect.getattr_static(owner, name)
        if name.startswith("_") or inspect.ismodule(value):
            continue
        if isinstance(owner, type) or (callable(value) and is_own(value)):
            names.append(name)
    return sorted(names)


def main() -> None:
    """Writes the names."""
    target = Path(__file__).resolve().parent / "api_names.json"
    names = {f"mxnet.{path}": public_names(path) for path in MODULES}
    target.write_text(json.dumps(names, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{target.name}: {sum(map(len, names.values()))} names of {len(names)} modules")


if __name__ == "__main__":
    main()
