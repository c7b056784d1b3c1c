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
ROOTS = {*sys.stdlib_module_names, "mxnet", "numpy"}
"""Packages that are always there."""


def import_public(path: str) -> ModuleType | None:
    """Returns a module of the original's name, None if there is none or it is another one."""
    try:
        module = importlib.import_module(path)
    except ImportError:
        return None
    return module if module.__name__ == path else None


def find_token(module: ModuleType, name: str, source: str) -> str:
    """Returns how the table says where a name comes from, "" if nothing is behind it."""
    root = source.partition(":")[0].partition(".")[0]
    if root in ROOTS and _resolves(source):
        return f"{name}={source}"
    has_it = name in vars(module) or (not name.startswith("_") and hasattr(module, name))
    return name if has_it else ""


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
