"""Counts the calls of Python functions of this package on the ways that programs go most.

    python benchmarks/python_calls.py [--list]

Networks are tiny, so that arithmetic is next to nothing and calls are what a way costs. Counts do
not depend on the machine, but a little on the version of Python: up to 3.11 a list comprehension
is a call. Each way is gone once before it is counted, with objects of its own where it makes some
(another executor of the same symbol, another network of the same layers, the same files), so that
caches of the process are filled and those of the objects are not. Beside the calls stand the
source files that they are in. `--list` names the functions, in the order of calls.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

_PACKAGE = str(Path(mx.__file__).parent)


class Calls(NamedTuple):
    """Names of the functions that were called, in order."""

    python: list[str]
    """Functions with code in Python."""
    own: list[str]
    """Those of this package, each after the path of its file."""
    builtin: list[str]
    """Functions of C, where Python code calls them."""

    @property
    def files(self) -> set[str]:
        """Files of this package that are entered."""
        return {name.partition(":")[0] for name in self.own}


def count_calls(function: Callable[[], object]) -> Calls:
    """Runs a function and returns what it calls, itself not included."""
    calls = Calls([], [], [])

    def note(frame: FrameType, event: str, detail: Any) -> None:
        code = frame.f_code
        if event == "call":
            calls.python.append(f"{Path(code.co_filename).name}:{code.co_name}")
            if code.co_filename.startswith(_PACKAGE):
                calls.own.append(f"{code.co_filename[len(_PACKAGE) + 1 :]}:{code.co_name}")
        elif event == "c_call":
            calls.builtin.append(getattr(detail, "__qualname__", repr(detail)))

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    # Without `function` itself and `setprofile`.
    return Calls(calls.python[1:], calls.own, calls.builtin[:-1])


def count_second(make: Callable[[], Callable[[], object]]) -> Calls:
    """Returns what the second of two functions calls, the first of which has been run."""
    make()()
    return count_calls(make())


def measure() -> dict[str, Calls]:
    """Returns the calls on each way."""
    return dict([*_measure_single_calls(), *_measure_graphs(), *_measure_step()])


def _measure_single_calls() -> Iterator[tuple[str, Calls]]:
    a, b = nd.ones((2, 3)), nd.ones((2, 3))
    x = mx.np.ones((2, 3))
    yield "a + b", count_second(lambda: lambda: a + b)
    yield "nd.relu(a)", count_second(lambda: lambda: nd.relu(a))
    yield "np.sum(x)", count_second(lambda: lambda: mx.np.sum(x))


def _measure_graphs() -> Iterator[tuple[str, Calls]]:
    data = nd.ones((2, 4))
    output = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    args = {"data": data, "fc_weight": nd.ones((3, 4)), "fc_bias": nd.ones((3,))}
    yield (
        "bind and forward of a FullyConnected",
        count_second(lambda: lambda: output.bind(mx.cpu(), args).forward()),
    )

    def make_call() -> Callable[[], object]:
        net = _make_network(nn.Dense(8, activation="relu"), nn.Dense(2))
        return lambda: net(data)

    yield "first hybridized call of two Dense", count_second(make_call)
    call = make_call()
    for _ in range(2):
        call()
    yield "hybridized call, repeated", count_second(lambda: call)
    yield "SymbolBlock.imports of one Dense", _count_imports(data, nn.Dense(8))
    yield "SymbolBlock.imports of two Dense", _count_imports(data, nn.Dense(8), nn.Dense(2))


def _make_network(*layers: gluon.HybridBlock) -> gluon.HybridBlock:
    net = nn.HybridSequential()
    net.add(*layers)
    net.initialize()
    net.hybridize()
    return net


def _count_imports(data: nd.NDArray, *layers: gluon.HybridBlock) -> Calls:
    net = _make_network(*layers)
    net(data)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "net")
        net.export(path)
        files = (f"{path}-symbol.json", ["data"], f"{path}-0000.params")
        return count_second(lambda: lambda: gluon.SymbolBlock.imports(*files))


def _measure_step() -> Iterator[tuple[str, Calls]]:
    net = nn.Dense(1, in_units=2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    data = nd.ones((4, 2))

    def compute() -> nd.NDArray:
        with autograd.record():
            return (net(data) ** 2).sum()

    def step() -> None:
        compute().backward()
        trainer.step(4)

    for _ in range(3):
        step()
    loss = compute()
    yield "loss.backward()", count_calls(lambda: loss.backward())
    yield "trainer.step(4)", count_calls(lambda: trainer.step(4))
    yield "recorded step", count_calls(step)


def main() -> None:
    """Prints the numbers of calls."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="name the functions")
    listed = parser.parse_args().list
    for way, calls in measure().items():
        count, files, builtin = len(calls.own), len(calls.files), len(calls.builtin)
        print(f"{way}: {count} Python calls in {files} files, {builtin} calls of builtins")
        if listed:
            print("  " + "\n  ".join(calls.own))


if __name__ == "__main__":
    main()
