"""Libraries that refuse a torch of today import beside it, in whatever order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
CHECK = """
def _require_pytorch_version(least, below):
    import torch
    if int(torch.__version__.split(".")[0]) >= int(below.split(".")[0]):
        raise RuntimeError(f"knows no torch {torch.__version__}")
"""
LIBRARY = """
from .check import _require_pytorch_version
import mxnet
torch_found = True
try:
    _require_pytorch_version("1.4.0", LIMIT)
except ImportError:
    torch_found = False
"""


@pytest.mark.parametrize("imports", ["import gluoncv, mxnet", "import mxnet, gluoncv"])
@pytest.mark.parametrize(("limit", "found"), [("2.0.0", False), ("99.0.0", True)])
def test_an_unknown_torch_counts_as_none(imports, limit, found, tmp_path):
    package = tmp_path / "gluoncv"
    package.mkdir()
    (package / "check.py").write_text(CHECK, encoding="utf-8")
    (package / "__init__.py").write_text(LIBRARY.replace("LIMIT", repr(limit)), encoding="utf-8")
    program = f"import sys; sys.path[:0] = {[str(tmp_path), str(SOURCE)]}; {imports}\n"
    program += "print(gluoncv.torch_found, *(getattr(f, 'name', '') for f in sys.meta_path))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split()[0] == str(found)
    assert "gluoncv.check" not in done.stdout.split()
