"""Counts the calls of Python functions that one training step of a small network takes.

    python benchmarks/python_calls.py [--list]

The network has two parameters, so that arithmetic is next to nothing and calls are what a step
costs. Counts do not depend on the machine. `--list` names the functions, in the order of calls.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


class Calls(NamedTuple):
    """Names of the functions that were called, in order."""

    python: list[str]
    """Functions with code in Python."""
    builtin: list[str]
    """Functions of C, where Python code calls them."""


def count_calls(function: Callable[[], object]) -> Calls:
    """Runs a function and returns what it calls, itself not included."""
    calls = Calls([], [])

    def note(frame: FrameType, event: str, detail: Any) -> None:
        code = frame.f_code
        if event == "call":
            calls.python.append(f"{Path(code.co_filename).name}:{code.co_name}")
        elif event == "c_call":
            calls.builtin.append(getattr(detail, "__qualname__", repr(detail)))

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return Calls(calls.python[1:], calls.builtin[:-1])  # `function` itself, and `setprofile`


def measure() -> dict[str, Calls]:
    """Returns the calls of each part of a step, after steps that fill the caches."""
    net = nn.Dense(1, in_units=2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    data = nd.ones((4, 2))
    calls: dict[str, Calls] = {}
    for _ in range(4):
        with autograd.record():
            loss = (net(data) ** 2).sum()
        calls["loss.backward()"] = count_calls(lambda loss=loss: loss.backward())
        calls["trainer.step(4)"] = count_calls(lambda: trainer.step(4))
    return calls


def main() -> None:
    """Prints the numbers of calls."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="name the functions")
    listed = parser.parse_args().list
    for part, calls in measure().items():
        print(f"{part}: {len(calls.python)} Python calls, {len(calls.builtin)} calls of builtins")
        if listed:
            print("  " + "\n  ".join(calls.python))


if __name__ == "__main__":
    main()
