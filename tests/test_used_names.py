"""Every name that public repositories and libraries use, and that MXNet 1.9.1 has, is here.

`library_names.json` has those of libraries that are published as packages, such as GluonCV,
GluonNLP, GluonTS, AutoGluon, Sockeye, DGL, MXBoard, TensorLy, d2l, InsightFace and keras-mxnet:
what they import and the attributes that they read from it.
"""

import importlib
import json
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
FILES = {
    name: json.loads((GOLDEN / f"{name}_names.json").read_text("utf-8"))
    for name in ("used", "library")
}
CASES = [(file, owner) for file, owners in FILES.items() for owner in sorted(owners)]


def _find(path):
    """Returns what a dotted name leads to: a module, or attributes after one."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for name in parts[count:]:
            found = getattr(found, name)
        return found
    raise ImportError(path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("file", "owner"), CASES)
def test_used_names_are_here(file, owner):
    missing = []
    for name in FILES[file][owner].split():
        try:
            _find(f"{owner}.{name}")
        except (AttributeError, ImportError):
            missing.append(name)
    assert missing == []
