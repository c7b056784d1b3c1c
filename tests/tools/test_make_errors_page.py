"""The page of errors shows what its programs print."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mxnet as mx

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other releases print marks elsewhere")
@pytest.mark.skipif(mx.num_gpus() > 0, reason="the page is that of a machine without a GPU")
def test_page_is_current():
    environment = os.environ | {"MXNET_SHOW_INTERNAL_FRAMES": "0", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "tools" / "make_errors_page.py"), "--check"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
