"""The version whose rules hold is chosen for the process, by the program or the environment."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Thread

import pytest

import mxnet as mx


def test_the_version_is_chosen_and_given_back():
    assert mx.__version__.startswith("1.9.1+")
    assert mx.set_version(2) == 1
    try:
        assert mx.__version__.startswith("2.0.0b1+")
        assert mx.libinfo.__version__ == mx.__version__
        found = []
        thread = Thread(target=lambda: found.append(mx.npx.is_np_array()))
        thread.start()
        thread.join()
        assert found == [True]
    finally:
        assert mx.set_version(1) == 2
    assert mx.__version__.startswith("1.9.1+")
    assert not mx.npx.is_np_array()


@pytest.mark.parametrize("version", [3, "2", None])
def test_others_are_refused(version):
    with pytest.raises(ValueError, match="takes 1 or 2"):
        mx.set_version(version)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("2", "2.0.0b1 True"), ("2.0.0", "2.0.0b1 True"), ("1.9.1", "1.9.1 False")],
)
def test_the_environment_decides(value, expected):
    program = "import mxnet as mx; print(mx.__version__.split('+')[0], mx.npx.is_np_shape())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"MXNET_VERSION": value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected
