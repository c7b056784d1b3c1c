"""What the benchmarks share: candidates that take turns, the original as a worker, tables.

Every number is the best of several rounds in which the candidates take turns, because machines
are shared and noisy. Torch against itself gave ratios of 0.97 to 1.02 this way.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import timeit
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
SOURCE = Path(__file__).resolve().parents[1] / "src"

TIMER = time.process_time if os.environ.get("OMP_NUM_THREADS") == "1" else time.perf_counter
"""With one thread it is the time of the processor, which other programs change less."""

Case = Callable[[], object]
MakeCases = Callable[[], tuple[dict[str, Case], Case]]


@dataclass(frozen=True)
class Benchmark:
    """One benchmark: what is measured, how, and what is wanted.

    Attributes:
        title: Heading in the results.
        unit: Heading of the column of cases, with the unit of time.
        script: Name of the file, without its ending.
        mxnet_cases: Makes the cases on `mxnet`, ours or the original, and the function that waits.
        torch_cases: Makes the same on torch.
        targets: By case, at most so many times torch's time, and at least so many times faster than
            the original (None for no target).
        seconds: How long one sample takes.
        rounds: Default number of rounds.
    """

    title: str
    unit: str
    script: str
    mxnet_cases: MakeCases
    torch_cases: MakeCases
    targets: dict[str, tuple[float | None, float | None]]
    seconds: float = 0.02
    rounds: int = 15


class Candidate:
    """Cases that are measured in this process, in microseconds a call."""

    def __init__(self, make: MakeCases, seconds: float) -> None:
        self.cases, self.wait = make()
        self.numbers = {}
        for name, case in self.cases.items():
            first = self.sample(case, 3)
            most = max(3, int(seconds * 1e6 / first))  # a slow network is not called 500 times
            once = self.sample(case, min(most, max(3, int(seconds * 1000))))
            self.numbers[name] = max(3, int(seconds * 1e6 / once))

    def sample(self, case: Case, number: int) -> float:
        """Times `number` calls up to their results."""

        def run() -> None:
            for _ in range(number):
                case()
            self.wait()

        return timeit.timeit(run, timer=TIMER, number=1) / number * 1e6

    def measure(self, name: str) -> float:
        """Takes one sample of a case, after a few calls that are not counted."""
        self.sample(self.cases[name], max(1, self.numbers[name] // 20))
        return self.sample(self.cases[name], self.numbers[name])


class Worker:
    """A package that is measured by the script in a process of its own, one case at a time.

    Args:
        python: Interpreter.
        script: Name of the benchmark.
        source: Where `mxnet` is imported from; None for the one that the interpreter has.
    """

    def __init__(self, python: str, script: str, source: Path | None = None) -> None:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        if source is not None:
            environment["PYTHONPATH"] = str(source)
        self.process = subprocess.Popen(
            [python, str(Path(__file__).with_name(f"{script}.py")), "--worker"],
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
            raise SystemExit("a worker ended; see its message above")
        return json.loads(answer)

    measure = ask


def serve(benchmark: Benchmark) -> None:
    """Answers the questions of `Worker` until its input ends."""
    import mxnet

    candidate = Candidate(benchmark.mxnet_cases, benchmark.seconds)
    for line in sys.stdin:
        name = line.strip()
        answer = mxnet.__version__ if name == "version" else candidate.measure(name)
        print(json.dumps(answer), flush=True)


def compare(
    candidates: dict[str, Candidate | Worker], names: list[str], rounds: int
) -> dict[str, dict[str, float]]:
    """Lets the candidates take turns and keeps the best time of each, by case."""
    best = {name: dict.fromkeys(candidates, float("inf")) for name in names}
    order = list(candidates)
    for _ in range(rounds):
        for name, times in best.items():
            for side in order:
                times[side] = min(times[side], candidates[side].measure(name))
        order.append(order.pop(0))  # whoever goes first finds cold caches and looks slower
    return best


def table(benchmark: Benchmark, best: dict[str, dict[str, float]]) -> tuple[list[str], bool]:
    """Returns the lines of the result, as a markdown table, and whether every target is met."""
    with_original = all("original" in times for times in best.values())
    with_before = all("before" in times for times in best.values())
    header = [benchmark.unit, "ours", "torch", "ours / torch", "target"]
    header += ["original", "original / ours", "target"] if with_original else []
    header += ["before", "ours / before"] if with_before else []
    rows, met = [], True
    for name, times in best.items():
        most, least = benchmark.targets[name]
        ratio = times["ours"] / times["torch"]
        row = [name, f"{times['ours']:.2f}", f"{times['torch']:.2f}"]
        row += [f"{ratio:.2f}", verdict("<=", most, most is None or ratio <= most)]
        met = met and (most is None or ratio <= most)
        if with_original:
            gain = times["original"] / times["ours"]
            row += [f"{times['original']:.2f}", f"{gain:.1f}"]
            row += [verdict(">=", least, least is None or gain >= least)]
            met = met and (least is None or gain >= least)
        if with_before:
            row += [f"{times['before']:.2f}", f"{times['ours'] / times['before']:.2f}"]
        rows.append(row)
    rows.append(_means(best, with_original, with_before))
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = ["-" * width for width in widths]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [header, rule, *rows]
    ]
    return lines, met


def _means(best: dict[str, dict[str, float]], with_original: bool, with_before: bool) -> list[str]:
    """Returns the last row of a table: geometric means of the ratios."""

    def mean(one: str, two: str) -> float:
        return statistics.geometric_mean(times[one] / times[two] for times in best.values())

    row = ["geometric mean", "", "", f"{mean('ours', 'torch'):.2f}", ""]
    row += ["", f"{mean('original', 'ours'):.1f}", ""] if with_original else []
    row += ["", f"{mean('ours', 'before'):.2f}"] if with_before else []
    return row


def verdict(relation: str, target: float | None, met: bool) -> str:
    """Words a target and whether it is met."""
    return "" if target is None else f"{relation} {target:.3g} {'met' if met else 'MISSED'}"


def processor() -> str:
    """Names the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def describe(
    benchmark: Benchmark, candidates: dict[str, Candidate | Worker], rounds: int
) -> list[str]:
    """Returns what was measured, where and how."""
    import torch

    import mxnet

    original = candidates.get("original")
    versions = [f"mxnet {mxnet.__version__}", f"torch {torch.__version__}"]
    versions += [f"original {original.version}"] if original else []
    versions += [f"Python {platform.python_version()}", processor()]
    versions += [f"threads {torch.get_num_threads()}"]
    command = f"python benchmarks/{benchmark.script}.py --rounds {rounds}"
    command += " --oracle PYTHON" if original else ""
    command += " --against SRC" if "before" in candidates else ""
    return [", ".join(versions) + ".", f"`{command}`"]


def main(benchmark: Benchmark) -> int:
    """Measures, prints and, if asked to, records."""
    parser = argparse.ArgumentParser(description=benchmark.title)
    parser.add_argument("--oracle", metavar="PYTHON", help="interpreter with the original")
    parser.add_argument("--against", metavar="SRC", type=Path, help="src of another checkout")
    parser.add_argument("--rounds", type=int, default=benchmark.rounds)
    parser.add_argument("--record", action="store_true", help="append to benchmarks/RESULTS.md")
    parser.add_argument("--check", action="store_true", help="fail if a target is missed")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    # A plan that was given up, or a block that is no graph, is not what is to be measured.
    warnings.filterwarnings("error", "graph: the plan of|.* runs imperatively")
    if arguments.worker:
        serve(benchmark)
        return 0
    candidates: dict[str, Candidate | Worker] = {}
    if arguments.against:  # both in processes of their own, so that they differ in nothing else
        for side, source in (("ours", SOURCE), ("before", arguments.against)):
            candidates[side] = Worker(sys.executable, benchmark.script, source)
    else:
        candidates["ours"] = Candidate(benchmark.mxnet_cases, benchmark.seconds)
    candidates["torch"] = Candidate(benchmark.torch_cases, benchmark.seconds)
    if arguments.oracle:
        candidates["original"] = Worker(arguments.oracle, benchmark.script)
    best = compare(candidates, list(benchmark.targets), arguments.rounds)
    lines, met = table(benchmark, best)
    notes = describe(benchmark, candidates, arguments.rounds)
    print("\n".join([*notes, "", *lines]))
    if arguments.record:
        start = RESULTS.read_text() if RESULTS.exists() else "# Results of the benchmarks\n"
        date = datetime.datetime.now(tz=datetime.timezone.utc).date()
        heading = f"## {benchmark.title}, {date}"
        RESULTS.write_text("\n".join([start, heading, "", *notes, "", *lines, ""]))
    return 1 if arguments.check and not met else 0
