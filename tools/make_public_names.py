"""Writes the names that public modules show: `src/mxnet/_legacy/public_names.txt`.

They are those of the original's modules (`tests/golden/imported_names.json`), as far as there is
something behind them here.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

from mxnet._legacy import imported_names

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "imported_names.json"
TARGET = ROOT / "src" / "mxnet" / "_legacy" / "public_names.txt"
ROOTS = {*sys.stdlib_module_names, *imported_names.OPTIONAL, "mxnet", "numpy"}
"""Packages that names may come from."""
_C_INTERFACE = "mxnet._legacy.c_interface"
HOMES = {
    "mxnet.base": "mxnet.error",
    "mxnet.contrib.quantization": "mxnet.contrib.quantization._arguments "
    "mxnet.contrib.quantization._calibration mxnet.contrib.quantization._models "
    "mxnet.contrib.quantization._rewriting",
    "mxnet.gluon.block": "mxnet.gluon.blocks.block",
    "mxnet.gluon.data.dataloader": "mxnet.gluon.data._pool",
    "mxnet.io": "mxnet.io.utils",
    "mxnet.model": "mxnet.module._optimizing",
    "mxnet.module.executor_group": "mxnet.module._data_parallel",
    "mxnet.ndarray": f"{_C_INTERFACE} mxnet.ndarray.ndarray mxnet.ndarray.sparse",
    "mxnet.ndarray.ndarray": f"{_C_INTERFACE} mxnet.ndarray._private_methods",
    "mxnet.ndarray.sparse": _C_INTERFACE,
    "mxnet.operator": _C_INTERFACE,
    "mxnet.test_utils": "mxnet.test_utils._compare mxnet.test_utils._running",
    "mxnet.util": "mxnet._np_functions.table mxnet._state",
}
"""Modules in which parts of the original's modules are here, with or without an underscore."""


def import_public(path: str) -> ModuleType | None:
    """Returns a module of the original's name, None if there is none or it is another one."""
    try:
        module = importlib.import_module(path)
    except ImportError:
        return None
    return module if module.__name__ == path else None


def find_token(module: ModuleType, name: str, source: str) -> str:
    """Returns how the table says where a name comes from, "" if nothing is behind it."""
    path, _, member = source.partition(":")
    if path.partition(".")[0] in ROOTS:
        found = source if _resolves(source) else _find_home(path, member)
        if found:
            return f"{name}={found}"
    if name in vars(module) or (not name.startswith("_") and hasattr(module, name)):
        return name
    found = _find_home(module.__name__, name)
    return f"{name}={found}" if found else ""


def _find_home(path: str, name: str) -> str:
    """Returns where a part of a module of the original is here, "" if it is nowhere."""
    for home in HOMES.get(path, "").split():
        for source in (f"{home}:{name}", f"{home}:{name.removeprefix('_')}"):
            if _resolves(source):
                return source
    return ""


def _resolves(source: str) -> bool:
    try:
        imported_names.resolve(source)
    except (ImportError, AttributeError):
        return False
    return True


def make_table() -> str:
    """Returns the text of the table."""
    original = json.loads(GOLDEN.read_text("utf-8"))
    modules = {path: module for path in original if (module := import_public(path)) is not None}
    imported_names.read_names = dict  # type: ignore[assignment]  # what is there without the table
    lines = []
    for path, module in modules.items():
        names = dict(original[path])
        star = names.pop(imported_names.STAR, None)
        tokens = [find_token(module, name, source) for name, source in names.items()]
        kept = [token for token in tokens if token]
        lines.append(f"{path}: {' '.join(kept)}")
        if star is not None:
            known = {token.partition("=")[0] for token in kept}
            shown = [name for name in star.split() if name in known]
            if {*shown} != {name for name in known if not name.startswith("_")}:
                lines.append(f"{path}.{imported_names.STAR}: {' '.join(shown)}")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    TARGET.write_text(make_table(), encoding="utf-8")
