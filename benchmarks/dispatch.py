"""Measures what a small operator costs: this package, torch and, if it is at hand, the original.

    python benchmarks/dispatch.py [--oracle PYTHON] [--record] [--check]

On arrays of 8x8 the arithmetic is next to nothing, so the time is that of the way to it. Every
number is the best of several rounds in which the candidates take turns, on one thread. `--oracle`
names an interpreter with MXNet 1.9.1, which runs this file as a worker. Torch against
itself gave ratios of 0.97 to 1.02 this way.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
SECONDS_PER_SAMPLE = 0.02
ROUNDS = 15

# case: (at most so many times torch's time, at least so many times faster than the original)
TARGETS = {
    "a + b": (1.6, 4.0),
    "relu(a)": (1.6, 4.0),
    "dot(a, b)": (1.6, 4.0),
    "a[1:3]": (1.6, 1.5),
    "record 3 ops, backward": (1.25, 2.5),
}

Case = Callable[[], object]


def mxnet_cases() -> tuple[dict[str, Case], Case]:
    """Gives the cases on `mxnet`, ours or the original, and the function that waits for results."""
    from mxnet import autograd, nd

    a, b = nd.random.uniform(shape=(8, 8)), nd.random.uniform(shape=(8, 8))
    x = nd.random.uniform(shape=(8, 8))
    x.attach_grad()
    relu, dot, record = nd.relu, nd.dot, autograd.record

    def step() -> None:
        with record():
            y = x * b
            total = relu(y) + y
        total.backward()

    calls = (lambda: a + b, lambda: relu(a), lambda: dot(a, b), lambda: a[1:3], step)
    return dict(zip(TARGETS, calls, strict=True)), nd.waitall


def torch_cases() -> tuple[dict[str, Case], Case]:
    """Gives the same cases on tensors, through torch's public functions.

    `Tensor.backward` checks its arguments in Python, for about a third of the recorded case. We
    call the engine below it, so a ratio near one there hides what recording itself costs.
    """
    import torch

    torch.set_num_threads(1)
    a, b = torch.rand(8, 8), torch.rand(8, 8)
    x = torch.rand(8, 8, requires_grad=True)
    relu, dot, ones_like = torch.relu, torch.mm, torch.ones_like

    def step() -> None:
        y = x * b
        total = relu(y) + y
        x.grad = None
        total.backward(ones_like(total))

    calls = (lambda: a + b, lambda: relu(a), lambda: dot(a, b), lambda: a[1:3], step)
    return dict(zip(TARGETS, calls, strict=True)), lambda: None


class Candidate:
    """Cases that are measured in this process, in microseconds a call."""

    def __init__(self, make: Callable[[], tuple[dict[str, Case], Case]]) -> None:
        self.cases, self.wait = make()
        self.numbers = {}
        for name, case in self.cases.items():
            once = self.sample(case, 200)
            self.numbers[name] = max(200, int(SECONDS_PER_SAMPLE * 1e6 / once))

    def sample(self, case: Case, number: int) -> float:
        """Times `number` calls up to their results."""

        def run() -> None:
            for _ in range(number):
                case()
            self.wait()

        return timeit.timeit(run, number=1) / number * 1e6

    def measure(self, name: str) -> float:
        """Takes one sample of a case, after a few calls that are not counted."""
        self.sample(self.cases[name], 100)
        return self.sample(self.cases[name], self.numbers[name])


class Worker:
    """The original, measured by this file under its own interpreter, one case at a time."""

    def __init__(self, python: str) -> None:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self.process = subprocess.Popen(
            [python, str(Path(__file__).resolve()), "--worker", "original"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.version = self.ask("version")

    def ask(self, question: str) -> str | float:
        """Sends a line and reads the answer, one line of JSON."""
        print(question, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit("the original's worker ended; see its message above")
        return json.loads(answer)

    measure = ask


def serve() -> None:
    """Answers the questions of `Worker` until its input ends."""
    import mxnet

    candidate = Candidate(mxnet_cases)
    for line in sys.stdin:
        name = line.strip()
        answer = mxnet.__version__ if name == "version" else candidate.measure(name)
        print(json.dumps(answer), flush=True)


def compare(candidates: dict[str, Candidate | Worker], rounds: int) -> dict[str, dict[str, float]]:
    """Lets the candidates take turns and keeps the best time of each, by case."""
    best = {name: dict.fromkeys(candidates, float("inf")) for name in TARGETS}
    order = list(candidates)
    for _ in range(rounds):
        for name, times in best.items():
            for who in order:
                times[who] = min(times[who], candidates[who].measure(name))
        order.append(order.pop(0))  # whoever goes first finds cold caches and looks slower
    return best


def table(best: dict[str, dict[str, float]]) -> tuple[list[str], bool]:
    """Gives the lines of the result, as a markdown table, and whether every target is met."""
    with_original = all("original" in times for times in best.values())
    header = ["8x8 float32, microseconds", "ours", "torch", "ours / torch", "target"]
    header += ["original", "original / ours", "target"] if with_original else []
    rows, met = [], True
    for name, times in best.items():
        most, least = TARGETS[name]
        ratio = times["ours"] / times["torch"]
        row = [name, f"{times['ours']:.2f}", f"{times['torch']:.2f}"]
        row += [f"{ratio:.2f}", verdict(f"<= {most}", ratio <= most)]
        met = met and ratio <= most
        if with_original:
            gain = times["original"] / times["ours"]
            row += [f"{times['original']:.2f}", f"{gain:.1f}"]
            row += [verdict(f">= {least}", gain >= least)]
            met = met and gain >= least
        rows.append(row)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = ["-" * width for width in widths]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [header, rule, *rows]
    ]
    return lines, met


def verdict(target: str, met: bool) -> str:
    """Words a target and whether it is met."""
    return f"{target} {'met' if met else 'MISSED'}"


def processor() -> str:
    """Names the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def describe(candidates: dict[str, Candidate | Worker], arguments: argparse.Namespace) -> list[str]:
    """Tells what was measured, where and how."""
    import torch

    import mxnet

    original = candidates.get("original")
    versions = [f"mxnet {mxnet.__version__}", f"torch {torch.__version__}"]
    versions += [f"original {original.version}"] if original else []
    versions += [f"Python {platform.python_version()}", processor()]
    command = f"python benchmarks/dispatch.py --rounds {arguments.rounds}"
    command += " --oracle PYTHON" if original else ""
    return [", ".join(versions) + ".", f"`{command}`"]


def main() -> int:
    """Measures, prints and, if asked to, records."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--oracle", metavar="PYTHON", help="interpreter with the original")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--record", action="store_true", help="append to benchmarks/RESULTS.md")
    parser.add_argument("--check", action="store_true", help="fail if a target is missed")
    parser.add_argument("--worker", choices=["original"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        serve()
        return 0
    candidates = {"ours": Candidate(mxnet_cases), "torch": Candidate(torch_cases)}
    if arguments.oracle:
        candidates["original"] = Worker(arguments.oracle)
    lines, met = table(compare(candidates, arguments.rounds))
    notes = describe(candidates, arguments)
    print("\n".join([*notes, "", *lines]))
    if arguments.record:
        start = RESULTS.read_text() if RESULTS.exists() else "# Results of the benchmarks\n"
        date = datetime.datetime.now(tz=datetime.timezone.utc).date()
        RESULTS.write_text("\n".join([start, f"## Dispatch, {date}", "", *notes, "", *lines, ""]))
    return 1 if arguments.check and not met else 0


if __name__ == "__main__":
    raise SystemExit(main())
