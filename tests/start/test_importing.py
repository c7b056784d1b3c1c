"""What `import mxnet` brings with it, and what comes later."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys

import pytest

import mxnet as mx
from mxnet._start import importing
from mxnet._start import importing as collecting

LATE = ("cv2", "graphviz", "numpy.random", "numpy.testing", "mxnet.test_utils", "pandas", "PIL")


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout


def test_the_import_brings_nothing_that_few_programs_need():
    program = (
        "import sys, torch\n"
        "before = set(sys.modules)\n"
        "import mxnet\n"
        "print(*sorted(set(sys.modules) - before), sep='\\n')\n"
    )
    brought = run(program).split()
    assert "mxnet.gluon" in brought
    assert not {name for name in brought if name.startswith("torch.")}
    assert not set(LATE) & set(brought)


def test_modules_that_come_late_are_names_of_the_package():
    program = (
        "import mxnet as mx\n"
        "assert {'viz', 'visualization', 'test_utils'} <= set(dir(mx))\n"
        "assert 'visualization' not in vars(mx)\n"
        "from mxnet import viz\n"
        "assert viz is mx.viz is mx.visualization\n"
        "assert mx.test_utils.same is not None\n"
        "print(viz.__name__)\n"
    )
    assert run(program).strip() == "mxnet.visualization"


def test_other_names_are_no_attributes():
    with pytest.raises(AttributeError, match="module 'mxnet' has no attribute 'nonsense'"):
        _ = mx.nonsense


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled):
    assert gc.isenabled()
    if not enabled:
        gc.disable()
    try:
        with pytest.raises(ZeroDivisionError), collecting.collector_paused():
            assert not gc.isenabled()
            _ = 1 / 0
        assert gc.isenabled() is enabled
    finally:
        gc.enable()


def test_a_module_that_is_not_installed_is_not_there():
    module = importing.OptionalModule("mxnet_of_nobody")
    assert not module.is_there()
    with pytest.raises(ImportError, match="mxnet_of_nobody"):
        _ = module.name


def test_an_optional_module_has_the_names_of_the_module():
    module = importing.OptionalModule("colorsys")
    sys.modules.pop("colorsys", None)
    assert module.rgb_to_hsv is sys.modules["colorsys"].rgb_to_hsv
    assert module.is_there()


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="generations are not those of before")
def test_what_stays_is_old_and_what_was_frozen_stays_frozen():
    with collecting.collector_paused(all_stays=True):
        kept = [[]]
    assert gc.get_freeze_count() == 0
    assert any(item is kept for item in gc.get_objects(generation=2))
    gc.freeze()
    try:
        with collecting.collector_paused(all_stays=True):
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_modules_of_the_numpy_dialect_are_not_imported_again_by_their_other_names():
    operators = mx.np._internal
    for name in ("mxnet.ndarray.numpy._internal", "mxnet.ndarray.numpy.random"):
        importlib.import_module(name)
    assert mx.np._internal is operators
    assert sys.modules["mxnet.ndarray.numpy.random"] is mx.np.random
