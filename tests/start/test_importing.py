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

MODULES, MODULES_TO_TRAIN = 286, 322
"""Modules of the package that its import loads, and that a trainer needs: to be lowered, not
raised. What most programs never use belongs behind a door that loads it when it is asked for."""
CALLS = 105_000
"""Functions of Python that the import calls, with compiled modules and some more for other torch
releases."""


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


def count_modules(statement: str) -> int:
    """Returns how many modules of the package are there after a statement in a new process."""
    program = f"import sys\n{statement}\n"
    program += "print(len([name for name in sys.modules if name.split('.')[0] == 'mxnet']))\n"
    return int(run(program))


def count_calls(before: str, statement: str) -> int:
    """Returns how many functions of Python a statement calls in a new process."""
    program = (
        f"{before}\n"
        "import sys\n"
        "calls = 0\n"
        "def count(frame, event, argument):\n"
        "    global calls\n"
        "    calls += event == 'call'\n"
        "sys.setprofile(count)\n"
        f"{statement}\n"
        "sys.setprofile(None)\n"
        "print(calls)\n"
    )
    return int(run(program))


def test_the_import_stays_as_small_as_it_has_become():
    assert count_modules("import mxnet") <= MODULES


def test_training_needs_few_further_modules():
    assert count_modules("import mxnet as mx; mx.gluon.Trainer({}, 'sgd')") <= MODULES_TO_TRAIN


def test_the_import_calls_few_functions():
    run("import mxnet")  # has the modules compiled where Python may write that down
    assert count_calls("import torch", "import mxnet") <= CALLS


def test_operators_are_declared_without_reading_signatures():
    program = (
        "import inspect, torch\n"
        "read, calls = inspect.Signature.from_callable, []\n"
        "def count(*args, **kwargs):\n"
        "    calls.append(args)\n"
        "    return read(*args, **kwargs)\n"
        "inspect.Signature.from_callable = count\n"
        "import mxnet\n"
        "print(len(calls))\n"
    )
    assert int(run(program)) <= 1  # what help() shows of all methods


@pytest.mark.parametrize(
    "statement",
    [
        "from mxnet.symbol import numpy",
        "from mxnet.symbol import npx",
        "import mxnet.symbol.numpy_extension",
        "import mxnet; mxnet.sym.np",
        "import mxnet; mxnet.sym.var('x').as_np_ndarray()",
    ],
)
def test_graphs_of_the_numpy_dialect_come_when_they_are_asked_for(statement: str):
    program = (
        "import sys, mxnet as mx\n"
        "assert 'mxnet.symbol.numpy' not in sys.modules\n"
        "assert {'np', 'npx', 'numpy', 'numpy_extension'} <= set(dir(mx.sym))\n"
        f"{statement}\n"
        "symbol = mx.sym.np.sin(mx.sym.var('x').as_np_ndarray())\n"
        "assert isinstance(mx.sym.npx.relu(symbol), mx.sym.np._Symbol)\n"
        "with mx.util.np_array(True):\n"
        "    net = mx.gluon.nn.Dense(2)\n"
        "    print(type(net(mx.sym.np.ones_like(symbol))).__name__)\n"
    )
    assert run(program).strip() == "_Symbol"


def test_rooms_that_few_graphs_enter_come_late():
    program = (
        "import sys, mxnet as mx\n"
        "late = 'mxnet.graph.fused.op', 'mxnet.graph.openvino.config', 'mxnet.optimizer'\n"
        "assert not {*late} & {*sys.modules}\n"
        "net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2)\n"
        "print(net.get_backend_symbol('MKLDNN').name)\n"
    )
    assert run(program).strip() == "sg_mkldnn_fully_connected_0"


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


def test_modules_of_mxnet2_are_made_when_they_are_asked_for():
    program = (
        "import sys, mxnet as mx\n"
        "late = 'mxnet.optimizer.adam', 'mxnet.optimizer.updater', 'mxnet.numpy.io'\n"
        "mx.optimizer\n"
        "assert not {*late} & {*sys.modules}\n"
        "from mxnet.optimizer import adam\n"
        "from mxnet.numpy.io import *\n"
        "import mxnet.optimizer.updater\n"
        "assert {*late} <= {*sys.modules}\n"
        "assert mx.optimizer.adam is adam is sys.modules[late[0]]\n"
        "assert adam.Adam is mx.optimizer.Adam and genfromtxt is mx.np.genfromtxt\n"
        "print(mx.optimizer.updater.__doc__)\n"
    )
    expected = "Has `mx.optimizer.Updater`, `mx.optimizer.get_updater`."
    assert run(program).strip() == expected


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
