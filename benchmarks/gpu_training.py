"""Measures training steps on a GPU: Gluon in seven ways against torch in four.

    python benchmarks/gpu_training.py [--rows NAME ...] [--rounds N] [--budget SECONDS]

Ours is float16 with master copies of the weights in float32. Torch has weights in float32 and
computes in bfloat16 by autocast, convolutions in channels-last; its MLP is all in float32, which is
faster. Every row has a process and a time of its own. Its candidates take turns, and the best time
of each counts. What gives up what it was asked for, such as a plan that fails, counts as failed;
what the time of the row does not suffice for is shown as such.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gluon_networks
import torch
import torch_networks

import mxnet as mx
from mxnet import autograd, gluon, nd

STATIC = {"static_alloc": True, "static_shape": True}
INDUCTOR = {"backend": "inductor"}
RATE = 1e-3
SAMPLE_SECONDS = 0.15
KEPT = ("name", "best", "peak_mib", "seconds", "note")
"""What a row's process tells of its candidates."""


@dataclass(frozen=True)
class Row:
    """One network with a batch.

    Attributes:
        name: Name of the row.
        gluon: Makes our network.
        torch: Makes that of torch.
        data: Shape of the data, or number of words and shape.
        labels: Number of classes and number of labels.
        target: Milliseconds that `TrainStep` may take on an H200.
        share: Share of the time of the benchmark.
        autocast: Whether torch computes in bfloat16.
        batch_axis: Axis of the samples in our data.
    """

    name: str
    gluon: Callable[[], Any]
    torch: Callable[[], torch.nn.Module]
    data: tuple[int | None, tuple[int, ...]]
    labels: tuple[int, int]
    target: float
    share: float
    autocast: bool = True
    batch_axis: int = 0


def _zoo(name: str) -> Callable[[], Any]:
    return lambda: getattr(gluon.model_zoo.vision, name)()


ROWS = [
    Row(
        "MLP b64",
        gluon_networks.mlp,
        torch_networks.mlp,
        (None, (64, 784)),
        (10, 64),
        0.10,
        0.1,
        False,
    ),
    Row(
        "ResNet-18 b32",
        _zoo("resnet18_v1"),
        torch_networks.resnet18,
        (None, (32, 3, 224, 224)),
        (1000, 32),
        2.8,
        0.2,
    ),
    Row(
        "ResNet-50 b128",
        _zoo("resnet50_v1"),
        torch_networks.resnet50,
        (None, (128, 3, 224, 224)),
        (1000, 128),
        20,
        0.34,
    ),
    Row(
        "LSTM LM b20 t35",
        gluon_networks.LanguageModel,
        torch_networks.LanguageModel,
        (10_000, (35, 20)),
        (10_000, 700),
        1.95,
        0.12,
        batch_axis=1,
    ),
    Row(
        "BERT-base b32 t128",
        gluon_networks.Bert,
        torch_networks.Bert,
        (30_522, (128, 32)),
        (2, 32),
        8.8,
        0.24,
        batch_axis=1,
    ),
]


class Ours:
    """Training steps of a row in Gluon.

    Args:
        row: The row.
        ctx: Where to run.
    """

    def __init__(self, row: Row, ctx: mx.Context) -> None:
        self._row, self._ctx = row, ctx
        words, shape = row.data
        if words is None:
            self._data = nd.random.normal(shape=shape, ctx=ctx).astype("float16")
        else:
            self._data = nd.random.randint(0, words, shape, ctx=ctx).astype("float32")
        classes, count = row.labels
        self._labels = nd.random.randint(0, classes, (count,), ctx=ctx).astype("float32")

    def make(self, options: dict[str, Any] | None, whole: bool = False) -> Callable[[], Any]:
        """Returns a step.

        Args:
            options: Arguments of `hybridize`, None for an imperative network.
            whole: Whether the step is a `TrainStep`.
        """
        mx.random.seed(0)
        net, loss_of = self._row.gluon(), gluon_networks.SingleLoss()
        net.initialize(mx.init.Xavier(), ctx=self._ctx)
        net.cast("float16")
        if options is not None:
            net.hybridize(strict=True, **options)
            loss_of.hybridize(strict=True, **options)
        settings = {"learning_rate": RATE, "momentum": 0.9, "multi_precision": True}
        trainer = gluon.Trainer(net.collect_params(), "sgd", settings)
        size = self._data.shape[self._row.batch_axis]
        if whole:
            train = gluon.TrainStep(net, loss_of, trainer, strict=True)
            return lambda: train(self._data, self._labels, size).to_torch()

        def step() -> torch.Tensor:
            with autograd.record():
                loss = loss_of(net(self._data), self._labels)
            loss.backward()
            trainer.step(size)
            return loss.to_torch()

        return step


class Torchs:
    """Training steps of a row in torch.

    Args:
        row: The row.
        device: Where to run.
    """

    def __init__(self, row: Row, device: str) -> None:
        self._row, self._device = row, device
        words, shape = row.data
        if words is None:
            self._data = torch.randn(shape, device=device)
        else:
            self._data = torch.randint(words, shape, device=device)
            if row.torch is torch_networks.Bert:
                self._data = self._data.t().contiguous()
        classes, count = row.labels
        self._labels = torch.randint(classes, (count,), device=device)

    def make(self, **compile_options: Any) -> Callable[[], Any]:
        """Returns a step of a network, compiled if there are options."""
        torch.manual_seed(0)
        net, data = self._row.torch().to(self._device), self._data
        if data.dim() == 4:
            net = net.to(memory_format=torch.channels_last)
            data = data.to(memory_format=torch.channels_last)
        optimizer = torch.optim.SGD(net.parameters(), lr=RATE, momentum=0.9, foreach=True)
        forward = torch.compile(net, **compile_options) if compile_options else net

        def step() -> torch.Tensor:
            optimizer.zero_grad()
            with torch.autocast(self._device, torch.bfloat16, enabled=self._row.autocast):
                loss = torch.nn.functional.cross_entropy(forward(data), self._labels)
            loss.backward()
            optimizer.step()
            return loss.detach()

        return step

    def capture(self) -> Callable[[], Any]:
        """Returns a step that was captured by hand, as torch's manual shows it."""
        step = self.make()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(5):
                step()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            loss = step()

        def replay() -> torch.Tensor:
            graph.replay()
            return loss

        return replay


def candidates(row: Row, device: str) -> dict[str, Callable[[], Callable[[], Any]]]:
    """Returns what makes the step of each candidate; those that matter most come first."""
    ours = Ours(row, mx.gpu() if device == "cuda" else mx.cpu())
    theirs = Torchs(row, device)
    return {
        "torch eager": theirs.make,
        "torch captured by hand": theirs.capture,
        "imperative": lambda: ours.make(None),
        "hybridize": lambda: ours.make({}),
        "static": lambda: ours.make(STATIC),
        "TrainStep": lambda: ours.make({}, whole=True),
        "TrainStep + inductor": lambda: ours.make(INDUCTOR, whole=True),
        "torch reduce-overhead": lambda: theirs.make(mode="reduce-overhead"),
        "static + inductor": lambda: ours.make({**STATIC, **INDUCTOR}),
        "inductor": lambda: ours.make(INDUCTOR),
        "torch compile": lambda: theirs.make(mode="default"),
    }


@contextlib.contextmanager
def given_up_is_failed() -> Iterator[None]:
    """Raises where the package would warn that it does not do what it was asked for."""
    with warnings.catch_warnings():
        for text in ("graph: ", "TrainStep: ", ".*runs imperatively"):
            warnings.filterwarnings("error", message=text)
        yield


class Meter:
    """Times steps on a device."""

    def __init__(self, device: str) -> None:
        self._is_cuda = device == "cuda"

    def wait(self) -> None:
        """Waits for the device."""
        if self._is_cuda:
            torch.cuda.synchronize()

    def measure(self, step: Callable[[], Any], count: int) -> float:
        """Returns the milliseconds of one step."""
        self.wait()
        start = time.perf_counter()
        for _ in range(count):
            step()
        self.wait()
        return (time.perf_counter() - start) / count * 1e3

    def allocated(self) -> int:
        """Returns the bytes that are in use, and starts to look for the peak."""
        if not self._is_cuda:
            return 0
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.memory_allocated()

    def peak(self) -> int:
        """Returns the largest number of bytes in use since then."""
        return torch.cuda.max_memory_allocated() if self._is_cuda else 0


@dataclass
class Candidate:
    """One way to make a step, with what was measured of it."""

    name: str
    step: Callable[[], Any] | None = None
    count: int = 1
    best: float = math.inf
    peak_mib: float = 0.0
    seconds: float = 0.0
    note: str = ""


def prepare(name: str, make: Callable[[], Any], meter: Meter) -> Candidate:
    """Makes a step and runs it until it is warm."""
    candidate, start = Candidate(name), time.perf_counter()
    torch._dynamo.reset()
    before = meter.allocated()
    try:
        with given_up_is_failed():
            step = make()
            for _ in range(6):  # compilers and captures are ready after these
                loss = step()
            if not bool(torch.isfinite(loss).all()):
                raise FloatingPointError("the loss is not finite")  # noqa: TRY301
            once = min(meter.measure(step, 2) for _ in range(2))
    except Exception as error:  # noqa: BLE001 - of any candidate; the others go on
        candidate.note = f"failed: {type(error).__name__}: {str(error).partition(chr(10))[0][:150]}"
        return candidate
    candidate.peak_mib = (meter.peak() - before) / 2**20
    candidate.step, candidate.count = step, max(2, int(SAMPLE_SECONDS * 1e3 / once))
    candidate.seconds = time.perf_counter() - start
    return candidate


def run_row(row: Row, device: str, rounds: int, budget: float) -> None:
    """Measures the candidates of a row in turns, and prints what is known after each turn.

    Args:
        row: The row.
        device: `"cuda"` or `"cpu"`.
        rounds: Number of turns, fewer if the time does not suffice.
        budget: Seconds for all of it.
    """
    meter, start = Meter(device), time.perf_counter()
    reserve = 0.25 * budget
    ready: list[Candidate] = []
    for name, make in candidates(row, device).items():
        if time.perf_counter() - start > budget - reserve:
            ready.append(Candidate(name, note="no time left"))
            continue
        ready.append(prepare(name, make, meter))
        print(f"{row.name}: {name}: {ready[-1].note or 'ready'}", file=sys.stderr, flush=True)
    for turn in range(rounds):
        if turn > 1 and time.perf_counter() - start > budget:
            break
        for candidate in ready:
            if candidate.step is not None:
                duration = meter.measure(candidate.step, candidate.count)
                candidate.best = min(candidate.best, duration)
        print(json.dumps([{key: getattr(item, key) for key in KEPT} for item in ready]), flush=True)


def print_row(row: Row, results: list[dict[str, Any]]) -> None:
    """Prints the table of a row."""
    times = {item["name"]: item["best"] for item in results if not item["note"]}
    torchs = [value for name, value in times.items() if name.startswith("torch")]
    best = min(torchs, default=math.nan)
    print(f"\n{row.name}; TrainStep at most {row.target} ms on an H200")
    print("| candidate | ms | / best of torch | peak, MiB | ready after, s | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for item in results:
        shown = f"| {item['name']} | "
        if item["note"]:
            print(f"{shown} | | | | {item['note']} |")
        else:
            ratio = item["best"] / best
            print(
                f"{shown}{item['best']:.3f} | {ratio:.2f} | {item['peak_mib']:.0f} "
                f"| {item['seconds']:.0f} | |"
            )


def read_row(command: list[str], limit: float) -> list[dict[str, Any]]:
    """Returns what the process of a row has measured, also if it ended early."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=False, timeout=limit
        )
        text = done.stdout
    except subprocess.TimeoutExpired as error:
        output = error.stdout or b""
        text = output.decode() if isinstance(output, bytes) else output
    lines = [line for line in text.splitlines() if line.startswith("[{")]
    return json.loads(lines[-1]) if lines else []


def main() -> None:
    """Runs each row in a process of its own and prints tables."""
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", nargs="+", default=names, help="beginnings of names of rows")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--budget", type=float, default=320, help="seconds for all rows")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--alone", help="measure this row in this process, and print JSON")
    options = parser.parse_args()
    if options.alone:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        (row,) = [item for item in ROWS if item.name == options.alone]
        run_row(row, options.device, options.rounds, options.budget * row.share)
        return
    where = torch.cuda.get_device_name() if options.device == "cuda" else "CPU"
    print(f"torch {torch.__version__}, mxnet {mx.__version__}, {where}")
    ratios = []
    for row in ROWS:
        if not row.name.startswith(tuple(options.rows)):
            continue
        command = [sys.executable, str(Path(__file__)), "--alone", row.name]
        command += ["--rounds", str(options.rounds), "--budget", str(options.budget)]
        command += ["--device", options.device]
        results = read_row(command, 2 * options.budget * row.share + 30)
        if not results:
            print(f"\n{row.name}: failed", flush=True)
            continue
        print_row(row, results)
        times = {item["name"]: item["best"] for item in results if not item["note"]}
        torchs = [value for name, value in times.items() if name.startswith("torch")]
        whole = [value for name, value in times.items() if name.startswith("TrainStep")]
        if torchs and whole:
            ratios.append(min(torchs) / min(whole))
    if ratios:
        print(f"\nbest of torch / best TrainStep, mean: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    main()
