"""The writer of torch takes arrays whichever of both is imported first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
PROGRAM = """
import numpy
from torch.utils.tensorboard import _convert_np, summary, writer
for module in (_convert_np, summary, writer):
    print(module.make_np(mxnet.nd.array([1, 2])).tolist(), module.make_np(3).tolist())
"""


@pytest.mark.parametrize("imports", ["torch.utils.tensorboard, mxnet", "mxnet"])
def test_in_either_order(imports):
    pytest.importorskip("tensorboard")
    program = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import {imports}\n{PROGRAM}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines() == ["[1.0, 2.0] [3]"] * 3
