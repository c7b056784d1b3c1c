"""Measures the ways that small programs go most, of two checkouts of this package.

    python benchmarks/small_ways.py --against SRC [--rounds N]

`SRC` is the `src` of another checkout, such as the one before a change. Both take turns, each in a
process of its own whose bytecode is compiled; numbers are processor time of one thread, the best of
all rounds. `import` is what `import mxnet` takes after torch has been imported, beside torch.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[1] / "src"


def measure_import() -> dict[str, float]:
    """Returns processor time of the imports of torch and of this package, in microseconds."""
    start = time.process_time()
    import torch

    between = time.process_time()
    import mxnet

    end = time.process_time()
    del torch, mxnet
    return {"import torch": (between - start) * 1e6, "import mxnet": (end - between) * 1e6}


def make_calls(mx: Any) -> dict[str, Callable[[], object]]:
    """Returns single calls of operators, by name."""
    nd, np = mx.nd, mx.np
    a, b, x = nd.ones((8, 8)), nd.ones((8, 8)), np.ones((8, 8))
    return {
        "nd.relu(a)": lambda: nd.relu(a),
        "a + b": lambda: a + b,
        "a * 2": lambda: a * 2,
        "a[1:3]": lambda: a[1:3],
        "a[:] = b": lambda: a.__setitem__(slice(None), b),
        "nd.sum(a, axis=1)": lambda: nd.sum(a, axis=1),
        "nd.concat(a, b, dim=1)": lambda: nd.concat(a, b, dim=1),
        "np.add(x, x)": lambda: np.add(x, x),
        "np.sum(x, axis=1)": lambda: np.sum(x, axis=1),
    }


def make_cases(mx: Any, folder: str) -> dict[str, Callable[[], object]]:
    """Returns what is measured, by name."""
    nd, nn = mx.nd, mx.gluon.nn
    a, b, v = nd.ones((8, 8)), nd.ones((8, 8)), nd.ones((8, 8))
    v.attach_grad()

    def recorded() -> None:
        with mx.autograd.record():
            y = (v * 2 + b).sum()
        y.backward()

    def record_only() -> None:
        with mx.autograd.record():
            nd.relu(v * 2 + b)

    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dense(2))
    net.initialize()
    net(a)
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})

    def train() -> None:
        with mx.autograd.record():
            loss = (net(a) ** 2).sum()
        loss.backward()
        trainer.step(8)

    compiled = nn.HybridSequential()
    compiled.add(nn.Dense(8, activation="relu"), nn.Dense(2))
    compiled.initialize()
    compiled.hybridize()
    compiled(a)
    compiled.export(f"{folder}/net")
    files = f"{folder}/net-symbol.json", ["data"], f"{folder}/net-0000.params"

    def first_call() -> None:
        fresh = nn.HybridSequential()
        fresh.add(nn.Dense(8, activation="relu"), nn.Dense(2))
        fresh.initialize()
        fresh.hybridize()
        fresh(a)

    graph = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    arguments = {"data": a, "fc_weight": nd.ones((2, 8)), "fc_bias": nd.ones(2)}
    return make_calls(mx) | {
        "three recorded operators": record_only,
        "recorded, with backward": recorded,
        "training step of two Dense": train,
        "hybridized call": lambda: compiled(a),
        "first hybridized call": first_call,
        "bind and forward": lambda: graph.bind(mx.cpu(), arguments).forward(),
        "SymbolBlock.imports": lambda: mx.gluon.SymbolBlock.imports(*files),
    }


def work() -> None:
    """Measures in this process, and prints the times as JSON."""
    times = measure_import()
    import mxnet as mx

    with tempfile.TemporaryDirectory() as folder:
        for name, case in make_cases(mx, folder).items():
            timer = timeit.Timer(case, timer=time.process_time)
            case()
            number = 1
            while timer.timeit(number) < 0.02:
                number *= 2
            times[name] = min(timer.repeat(5, number)) / number * 1e6
    print(json.dumps(times))


def run(source: Path, cache: str) -> dict[str, float]:
    """Measures one checkout in a process of its own."""
    environment = os.environ | {
        "PYTHONPATH": str(source),
        "PYTHONPYCACHEPREFIX": cache,
        "OMP_NUM_THREADS": "1",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, __file__, "--worker"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    """Prints a table of both checkouts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--against", type=Path, help="`src` of another checkout")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work()
        return
    sources = {"before": options.against, "now": SOURCE}
    best: dict[str, dict[str, float]] = {name: {} for name in sources}
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(options.rounds):
            for name, source in sources.items():
                for case, value in run(source, cache).items():
                    best[name][case] = min(value, best[name].get(case, value))
    print("| microseconds | before | now | ratio |\n| --- | --- | --- | --- |")
    for case, value in best["before"].items():
        now = best["now"][case]
        print(f"| {case} | {value:,.2f} | {now:,.2f} | {now / value:.3f} |")


if __name__ == "__main__":
    main()
