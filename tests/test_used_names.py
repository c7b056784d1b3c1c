"""Every name that public repositories use, and that MXNet 1.9.1 has, is here."""

import importlib
import json
from pathlib import Path

import pytest

USED = json.loads((Path(__file__).parent / "golden" / "used_names.json").read_text("utf-8"))

MODULES_TO_COME = ("mxnet.contrib.quant", "mxnet.contrib.quantization")
"""Modules that are not here yet."""

QUANTIZED = ("calibrate_entropy", "dequantize", "quantize", "quantized_", "requantize")


def _is_expected(owner, name):
    path = f"{owner}.{name}"
    return not path.startswith(MODULES_TO_COME) and not name.startswith(QUANTIZED)


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
@pytest.mark.parametrize("owner", sorted(USED))
def test_used_names_are_here(owner):
    missing = []
    for name in USED[owner].split():
        try:
            _find(f"{owner}.{name}")
        except (AttributeError, ImportError):
            if _is_expected(owner, name):
                missing.append(name)
    assert missing == []
