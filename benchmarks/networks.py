"""Measures networks of many kinds, training and predicting, in all ways of Gluon and of torch.

    python benchmarks/networks.py [--device cuda] [--rows NAME ...] [--ways NAME ...] [--rounds N]
        [--budget SECONDS] [--row-budget SECONDS] [--at-once N] [--results FILE] [--again]
        [--table]

All ways of a row begin with the same weights and must return the same first result; what fails,
differs or gives up what it was asked for stands in the table as that. Each row runs in a process of
its own and is written to the file of results when it is done: the same command goes on with the
rows that are missing, and `--again` measures all anew. With `--at-once` rows get ready side by
side, compilers on all cores, and are measured one at a time. On a CPU it is one thread and
processor time; compilers take part when `--ways` names them. `--table` prints the file's rows
alone.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import platform
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networks_generative as generative
import networks_image as image
import networks_sparse as sparse
import networks_text as text
import torch
from gpu_harness import INDUCTOR, STATIC, read_row, run_row
from gpu_training import Replay
from harness import processor
from network_pairs import Problem, copy_weights, to_gluon, to_torch

import mxnet as mx
from mxnet import autograd, gluon

RATE = 1e-7
"""So small that networks stay what they are."""
RESULTS = Path(__file__).resolve().parents[1] / "build" / "networks.json"
NOT_ON_CPU = ("static", "torch captured by hand")
COMPILED = ("inductor", "compile", "reduce-overhead")
WIDER_ON_GPUS = 3.0
"""How much further results on a GPU may differ, where convolutions round their factors to TF32."""

SMALL = {"words": 500, "units": 64, "heads": 4, "count": 2}
LARGE = {"words": 30_000, "units": 512, "heads": 8, "count": 6}

NETWORKS: dict[str, tuple[Callable[..., Problem], dict[str, int], dict[str, int]]] = {
    "MLP": (sparse.mlp, {"batch": 64}, {"batch": 64}),
    "LeNet": (image.lenet, {"batch": 16}, {"batch": 256}),
    "ResNet-18": (image.resnet18, {"batch": 2, "side": 64}, {"batch": 64, "side": 224}),
    "MobileNetV2": (image.mobilenet_v2, {"batch": 2, "side": 64}, {"batch": 64, "side": 224}),
    "DenseNet": (image.densenet, {"batch": 4, "side": 32}, {"batch": 128, "side": 64}),
    "ViT": (
        text.vit,
        {"batch": 4, "side": 32, "units": 64, "heads": 4, "count": 2},
        {"batch": 64, "side": 128, "units": 512, "heads": 8, "count": 6},
    ),
    "SSD": (image.ssd, {"batch": 2, "side": 64}, {"batch": 32, "side": 256}),
    "U-Net": (
        image.unet,
        {"batch": 1, "side": 48, "width": 8},
        {"batch": 16, "side": 256, "width": 32},
    ),
    "DCGAN": (generative.dcgan, {"batch": 4, "width": 16}, {"batch": 128, "width": 64}),
    "triplet": (generative.triplet, {"batch": 8, "width": 8}, {"batch": 128, "width": 64}),
    "style transfer": (
        generative.style,
        {"batch": 1, "side": 48, "width": 8},
        {"batch": 8, "side": 256, "width": 32},
    ),
    "C3D": (
        image.c3d,
        {"batch": 1, "frames": 8, "side": 32, "width": 8},
        {"batch": 8, "frames": 16, "side": 112, "width": 64},
    ),
    "autoencoder": (
        generative.autoencoder,
        {"batch": 32, "hidden": 128},
        {"batch": 256, "hidden": 512},
    ),
    "normalizing flow": (
        generative.flow,
        {"batch": 64, "size": 16, "hidden": 32},
        {"batch": 512, "size": 64, "hidden": 256},
    ),
    "LSTM language model": (
        text.language_model,
        {"batch": 8, "time": 16, "words": 500, "size": 64},
        {"batch": 20, "time": 35, "words": 10_000, "size": 650},
    ),
    "GRU with attention": (
        text.translator,
        {"batch": 8, "time": 12, "words": 500, "size": 48},
        {"batch": 64, "time": 30, "words": 10_000, "size": 256},
    ),
    "WaveNet": (
        text.waves,
        {"batch": 2, "time": 256, "width": 16},
        {"batch": 16, "time": 4096, "width": 64},
    ),
    "text CNN": (
        text.reader,
        {"batch": 16, "time": 32, "words": 500, "size": 32},
        {"batch": 256, "time": 128, "words": 30_000, "size": 128},
    ),
    "GPT": (text.gpt, {"batch": 2, "time": 32, **SMALL}, {"batch": 8, "time": 512, **LARGE}),
    "BERT": (text.bert, {"batch": 4, "time": 32, **SMALL}, {"batch": 32, "time": 128, **LARGE}),
    "T5": (text.t5, {"batch": 2, "time": 32, **SMALL}, {"batch": 16, "time": 128, **LARGE}),
    "sparse recommender": (
        sparse.recommender,
        {"batch": 64, "rows": 20_000, "size": 32},
        {"batch": 4096, "rows": 1_000_000, "size": 64},
    ),
    "factorization machine": (
        sparse.machine,
        {"batch": 64, "rows": 2000, "size": 16},
        {"batch": 4096, "rows": 100_000, "size": 32},
    ),
    "matrix factorization": (
        sparse.factors,
        {"batch": 256, "rows": 1000, "size": 32},
        {"batch": 4096, "rows": 100_000, "size": 64},
    ),
    "actor-critic": (sparse.actor, {"batch": 32, "hidden": 64}, {"batch": 512, "hidden": 256}),
    "graph network": (sparse.graph, {"nodes": 300, "hidden": 32}, {"nodes": 50_000, "hidden": 128}),
}
"""Each with its sizes on a CPU and on a GPU."""

Call = Callable[[], Any]
Make = Callable[[], Call]


@dataclass(frozen=True)
class Row:
    """A network in training or in prediction, as `gpu_harness.Row` asks for it."""

    network: str
    trains: bool
    share: float = 1.0

    @property
    def name(self) -> str:
        """Name of the row."""
        return f"{self.network}, {'training' if self.trains else 'prediction'}"

    def candidates(self, device: str) -> dict[str, Make]:
        """Returns what makes the call of each way; each checks its first result."""
        make, *sizes = NETWORKS[self.network]
        problem = make(**sizes[device == "cuda"])
        ways = Ways(problem, device, self.trains)
        ours, theirs = ways.ours, ways.theirs
        found: dict[str, Make] = {
            "torch eager": theirs,
            "imperative": ours,
            "hybridize": lambda: ours({}),
            "static": lambda: ours(STATIC),
            "torch captured by hand": ways.captured,
        }
        if self.trains:
            found["TrainStep"] = lambda: ours({}, whole=True)
            found["TrainStep + inductor"] = lambda: ours(INDUCTOR, whole=True)
        found |= {
            "inductor": lambda: ours(INDUCTOR),
            "static + inductor": lambda: ours({**STATIC, **INDUCTOR}),
            "torch compile": lambda: theirs(mode="default"),
            "torch reduce-overhead": lambda: theirs(mode="reduce-overhead"),
        }
        if device == "cpu":
            found = {name: way for name, way in found.items() if not name.startswith(NOT_ON_CPU)}
        return {name: ways.checked(name, way) for name, way in found.items()}


class Ways:
    """Ways to solve a problem, all from the same weights.

    Args:
        problem: The problem.
        device: `"cuda"` or `"cpu"`.
        trains: Whether to train or to predict.
    """

    def __init__(self, problem: Problem, device: str, trains: bool) -> None:
        self._problem, self._device, self._trains = problem, device, trains
        self._ctx = mx.gpu() if device == "cuda" else mx.cpu()
        data = problem.inputs, problem.labels
        self._ours = [to_gluon(item, self._ctx) for item in data]
        self._theirs = [to_torch(item, device) for item in data]
        self._expected: torch.Tensor | None = None

    def _side(self) -> Any:
        """Returns the side of Gluon with the weights that all ways begin with."""
        mx.random.seed(0)
        inputs, labels = self._ours
        side = self._problem.gluon()
        side.net.initialize(mx.init.Xavier(), ctx=self._ctx)
        for stage in side.stages:
            stage.loss(*inputs, *labels)  # finds the shapes of the weights
        return side

    def ours(self, options: dict[str, Any] | None = None, whole: bool = False) -> Call:
        """Returns a call of Gluon.

        Args:
            options: Arguments of `hybridize`, None for an imperative network.
            whole: Whether the step is a `TrainStep`.
        """
        side = self._side()
        inputs, labels = self._ours
        if options is not None:
            for block in (side.net, *[stage.loss for stage in side.stages]):
                block.hybridize(strict=True, **options)
        if not self._trains:
            return lambda: _first(side.net(*inputs)).to_torch()
        settings = {"learning_rate": RATE, "momentum": 0.0 if self._problem.sparse else 0.9}
        stages = [
            (stage.loss, gluon.Trainer(stage.trained.collect_params(), "sgd", settings))
            for stage in side.stages
        ]
        data = [*inputs, *labels]
        if whole:
            steps = [gluon.TrainStep(loss, None, trainer, strict=True) for loss, trainer in stages]

            def step() -> torch.Tensor:
                losses = [each(data, None, 1) for each in steps]
                return losses[0].to_torch()

            return step

        def loop() -> torch.Tensor:
            losses = []
            for loss_of, trainer in stages:
                with autograd.record():
                    loss = loss_of(*data)
                loss.backward()
                trainer.step(1)
                losses.append(loss)
            return losses[0].to_torch()

        return loop

    def theirs(self, **compile_options: Any) -> Call:
        """Returns a call of torch, compiled if there are options."""
        side = self._problem.torch()
        copy_weights(self._side().net, side.net)
        side.net.to(self._device)
        prepare = (lambda part: torch.compile(part, **compile_options)) if compile_options else None
        inputs, labels = self._theirs
        if not self._trains:
            net = prepare(side.net.eval()) if prepare else side.net.eval()
            return lambda: _predict(net, inputs)
        momentum = 0.0 if self._problem.sparse else 0.9
        stages = []
        for stage in side.stages:
            update = torch.optim.SGD(stage.trained.parameters(), lr=RATE, momentum=momentum)
            stages.append((prepare(stage.loss) if prepare else stage.loss, update))
        data = [*inputs, *labels]

        def step() -> torch.Tensor:
            losses = []
            for loss_of, update in stages:
                update.zero_grad()
                loss = loss_of(*data)
                loss.backward()
                update.step()
                losses.append(loss)
            return losses[0].detach()

        return step

    def captured(self) -> Call:
        """Returns a call of torch that was captured by hand, as torch's manual shows it."""
        call = self.theirs()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(5):
                call()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = call()
        return Replay(graph, call, result)

    def checked(self, name: str, make: Make) -> Make:
        """Returns what makes a call and compares its first result with that of the first way."""

        def make_checked() -> Call:
            call = make()
            result = call().detach().float().cpu().clone()
            if self._expected is None:
                self._expected = result
            size = float(self._expected.abs().max()) + 1e-6
            if result.numel() != self._expected.numel():
                raise ArithmeticError(f"{name}: a result of another size, {tuple(result.shape)}")
            distance = float((result.flatten() - self._expected.flatten()).abs().max()) / size
            allowed = self._problem.tolerance * (WIDER_ON_GPUS if self._device == "cuda" else 1.0)
            if not distance < allowed:
                raise ArithmeticError(f"{name}: the result differs by {distance:.2g} of its size")
            return call

        return make_checked


def all_rows() -> list[Row]:
    """Returns all rows, training first."""
    return [Row(name, trains) for trains in (True, False) for name in NETWORKS]


def _first(results: Any) -> Any:
    return results[0] if isinstance(results, (list, tuple)) else results


@torch.no_grad()
def _predict(net: Any, inputs: list[torch.Tensor]) -> torch.Tensor:
    return _first(net(*inputs))


def print_table(found: dict[str, Any]) -> None:
    """Prints the rows of a file of results, with their ratios to torch."""
    names = dict.fromkeys(item["name"] for row in found["rows"].values() for item in row)
    print(f"{found['where']}.\n")
    print(f"| ms | {' | '.join(names)} | best / best of torch |")
    print("| --- " * (len(names) + 2) + "|")
    ratios: dict[str, list[float]] = {name: [] for name in names}
    failures = []
    order = [row.name for row in all_rows()]
    for title, row in sorted(found["rows"].items(), key=lambda item: order.index(item[0])):
        items = {item["name"]: item for item in row}
        times = {name: item["best"] for name, item in items.items() if not item["note"]}
        eager = times.get("torch eager", math.nan)
        cells = []
        for name in names:
            note = items.get(name, {"note": "-"})["note"]
            if note:
                cells.append(note.partition(":")[0])
                failures += [f"- {title}, {name}: {note}"] if note.startswith("failed") else []
                continue
            ratios[name].append(times[name] / eager)
            cells.append(f"{times[name]:.3g} ({times[name] / eager:.2f})")
        theirs = min(
            (value for name, value in times.items() if name.startswith("torch")), default=0
        )
        best = min(
            (item for name, item in times.items() if not name.startswith("torch")), default=0
        )
        cells.append(f"{best / theirs:.2f}" if best and theirs else "")
        print(f"| {title} | {' | '.join(cells)} |")
    means = [f"{statistics.geometric_mean(item):.2f}" if item else "" for item in ratios.values()]
    print(f"| geometric mean, / torch eager | {' | '.join(means)} | |")
    print("\n".join(["", *failures]) if failures else "\nNothing failed.")


def load(path: Path, device: str) -> dict[str, Any]:
    """Returns the results of a file, or none."""
    if path.exists():
        return json.loads(path.read_text())
    name = torch.cuda.get_device_name() if device == "cuda" else f"{processor()}, one thread"
    versions = f"mxnet {mx.__version__}, torch {torch.__version__}"
    return {"where": f"{versions}, Python {platform.python_version()}, {name}", "rows": {}}


def measure(options: argparse.Namespace, rows: list[Row]) -> None:
    """Measures the rows that are missing, and writes each when it is done."""
    end = time.monotonic() + options.budget
    path: Path = options.results
    if options.again:
        path.unlink(missing_ok=True)
    found = load(path, options.device)
    missing = [row for row in rows if row.name not in found["rows"]]
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.with_suffix(".lock")

    def measure_one(row: Row) -> None:
        command = [sys.executable, "-X", "faulthandler", __file__, "--alone", row.name]
        command += ["--rounds", str(options.rounds), "--device", options.device]
        command += ["--row-budget", str(options.row_budget)]
        command += ["--ways", *options.ways] if options.ways else []
        command += ["--lock", str(lock)] if options.at_once > 1 else []
        results, ending = read_row(command, (2 + options.at_once) * options.row_budget)
        note = f"failed: its process {ending}"
        found["rows"][row.name] = results or [{"name": "torch eager", "note": note}]
        path.write_text(json.dumps(found, indent=1))
        print(f"{row.name}: done", file=sys.stderr, flush=True)

    count = math.ceil(len(missing) / options.at_once)
    for first in range(count):
        group = missing[first::count]  # rows of a kind, which need most memory, lie side by side
        if time.monotonic() + options.row_budget > end:
            print(f"no time left for {group[0].name}; the same command goes on", file=sys.stderr)
            break
        with ThreadPoolExecutor(len(group)) as pool:
            list(pool.map(measure_one, group))
    lock.unlink(missing_ok=True)


def main() -> None:
    """Measures or prints what the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", nargs="+", default=[""], help="beginnings of names of rows")
    parser.add_argument("--ways", nargs="+", default=[], help="names of ways")
    parser.add_argument("--rounds", type=int, help="on a CPU 100 short ones")
    parser.add_argument("--budget", type=float, default=1800, help="seconds for all rows")
    parser.add_argument("--row-budget", type=float, default=45, help="seconds for one row")
    parser.add_argument("--at-once", type=int, default=1, help="rows that get ready side by side")
    parser.add_argument("--lock", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--device", default="cpu", choices=["cuda", "cpu"])
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of results")
    parser.add_argument("--again", action="store_true", help="forget the results of before")
    parser.add_argument("--table", action="store_true", help="measure nothing")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.rounds = options.rounds or (100 if options.device == "cpu" else 6)
    rows = all_rows()
    if options.alone:
        torch.set_num_threads(1)
        (row,) = [item for item in rows if item.name == options.alone]
        names = options.ways
        if not names and options.device == "cpu":  # where compilers take most of the time
            names = [item for item in row.candidates("cpu") if not item.endswith(COMPILED)]
        seconds, lock = options.row_budget, options.lock
        run_row(row, options.device, options.rounds, seconds, names, lock)
        return
    if not options.table:
        measure(options, [row for row in rows if row.name.startswith(tuple(options.rows))])
    print_table(load(options.results, options.device))


if __name__ == "__main__":
    main()
