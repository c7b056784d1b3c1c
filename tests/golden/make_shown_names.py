"""Lists what the original's classes and objects show: their attributes without an underscore.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/shown_names.json`: names of attributes by the path of a class, and by what an object
of `tests/legacy/shown_objects.py` is.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import mxnet as mx  # noqa: E402 - see above
from tests.legacy.shown_objects import OBJECTS, list_shown  # noqa: E402


def classes() -> dict[str, str]:
    """Returns the names that each class shows, by the shortest path under which it is public."""
    paths: dict[type, str] = {}
    modules = json.loads((HERE / "imported_names.json").read_text("utf-8"))
    for path, names in modules.items():
        module = importlib.import_module(path)
        for name in names:
            value = getattr(module, name, None)
            if name[0] != "_" and inspect.isclass(value) and value.__module__.startswith("mxnet"):
                found = f"{path}.{name}"
                paths[value] = min(paths.get(value, found), found, key=len)
    return {path: " ".join(list_shown(cls)) for cls, path in sorted(paths.items(), key=_path)}


def _path(item: tuple[type, str]) -> str:
    return item[1]


def main() -> None:
    """Writes the file."""
    objects = {kind: " ".join(list_shown(make(mx))) for kind, make in OBJECTS.items()}
    content = {"classes": classes(), "objects": objects}
    text = json.dumps(content, indent=1, sort_keys=True) + "\n"
    (HERE / "shown_names.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
