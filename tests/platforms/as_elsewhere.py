"""Uses the package as on a system that lacks what Linux has.

    python as_elsewhere.py windows|macos FOLDER

Takes away the modules and functions that Windows or macOS do not have, then imports every module of
the package, saves and loads, and runs processes. Torch and the standard library are imported first,
since those here are built for Linux.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import pkgutil
import signal
import sys
import sysconfig
from pathlib import Path

import numpy as np

IMPORTED_BEFORE = (
    *("torch.distributed.elastic.multiprocessing", "torch.distributed.run", "torch.utils.data"),
    "torch.multiprocessing",
)
MISSING_MODULES = {"windows": ("fcntl", "grp", "pwd", "resource", "termios"), "macos": ()}
MISSING_NAMES = {
    "windows": [
        *((os, name) for name in ("fork", "register_at_fork", "waitid", "killpg", "geteuid")),
        *((os, name) for name in ("sched_getaffinity", "fdatasync", "O_NOFOLLOW", "O_NONBLOCK")),
        *((signal, name) for name in ("SIGHUP", "SIGKILL", "SIGALRM")),
    ],
    "macos": [(os, name) for name in ("waitid", "sched_getaffinity", "fdatasync")],
}
PLATFORMS = {"windows": "win32", "macos": "darwin"}
OPTIONAL = ("mxnet.graph.openvino", "mxnet.contrib.onnx", "mxnet.onnx")


def pretend(system: str) -> None:
    """Takes away what another system does not have."""
    for name in IMPORTED_BEFORE:
        importlib.import_module(name)
    sysconfig.get_config_vars()  # reads a file that is named after the system
    for name in MISSING_MODULES[system]:
        sys.modules[name] = None
    for owner, name in MISSING_NAMES[system]:
        delattr(owner, name)
    multiprocessing.set_start_method("spawn")
    sys.platform = PLATFORMS[system]


def import_all() -> int:
    """Imports all modules of the package; returns how many they are."""
    import mxnet as mx

    names = [module.name for module in pkgutil.walk_packages(mx.__path__, "mxnet.")]
    needed = [name for name in names if not name.startswith(OPTIONAL) and "__main__" not in name]
    for name in needed:
        importlib.import_module(name)
    return len(needed)


def save_and_load(folder: Path) -> None:
    """Replaces files, one alone and two together."""
    import mxnet as mx

    net = mx.gluon.nn.Dense(3, in_units=2)
    net.initialize()
    net.hybridize()
    expected = net(mx.nd.ones((1, 2))).asnumpy()
    for _ in range(2):
        net.save_parameters(str(folder / "net.params"))
        net.export(str(folder / "net"))
    again = mx.gluon.SymbolBlock.imports(
        str(folder / "net-symbol.json"), "data", str(folder / "net-0000.params")
    )
    np.testing.assert_array_equal(again(mx.nd.ones((1, 2))).asnumpy(), expected)
    assert not list(folder.glob(".*.saving")), "temporary files were left"


def run_processes() -> None:
    """Runs programs of a job: one that ends well, and one that fails beside one that waits."""
    from mxnet.tools.launch import Command, run_workers

    def command(code: str) -> Command:
        return Command([sys.executable, "-c", code], dict(os.environ))

    assert run_workers([command("pass")]) == 0
    waits = "import time; time.sleep(60)"
    assert run_workers([command("raise SystemExit(3)"), command(waits)]) == 3


def main() -> None:
    """Does all of it."""
    system, folder = sys.argv[1], Path(sys.argv[2])
    pretend(system)
    count = import_all()
    save_and_load(folder)
    sys.platform = "linux"  # subprocess and torch look at it when they are called
    run_processes()
    print(f"{count} modules imported")


if __name__ == "__main__":
    main()
