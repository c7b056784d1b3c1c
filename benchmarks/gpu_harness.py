"""What the benchmarks of GPUs share: candidates that take turns, one process for each row.

The candidates of a row take turns, and the best time of each counts. What gives up what it was
asked for, such as a plan that fails, counts as failed; what the time of the row does not suffice
for is shown as such.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import math
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch

import mxnet as mx

SAMPLE_SECONDS = {"cuda": 0.15, "cpu": 0.01}
"""Short ones find moments in which nothing else runs on the processor."""
STATIC = {"static_alloc": True, "static_shape": True}
INDUCTOR = {"backend": "inductor"}
KEPT = ("name", "best", "peak_mib", "seconds", "note")
"""What a row's process tells of its candidates."""


class Row(Protocol):
    """One network with a batch.

    Attributes:
        name: Name of the row.
        share: Share of the time of the benchmark.
    """

    name: str
    share: float

    def candidates(self, device: str) -> dict[str, Callable[[], Callable[[], Any]]]:
        """Returns what makes the call of each candidate; those that matter most come first."""


@contextlib.contextmanager
def given_up_is_failed() -> Iterator[None]:
    """Raises where the package would warn that it does not do what it was asked for."""
    with warnings.catch_warnings():
        for text in ("graph: ", "TrainStep: ", ".*runs imperatively"):
            warnings.filterwarnings("error", message=text)
        yield


class Meter:
    """Times calls on a device; on a CPU, which others may use, it is the time of the processor."""

    def __init__(self, device: str) -> None:
        self.device, self._is_cuda = device, device == "cuda"
        self.sample = SAMPLE_SECONDS[device]
        self._now = time.perf_counter if self._is_cuda else time.process_time

    def wait(self) -> None:
        """Waits for the device."""
        if self._is_cuda:
            torch.cuda.synchronize()

    def measure(self, call: Callable[[], Any], count: int) -> float:
        """Returns the milliseconds of one call."""
        self.wait()
        start = self._now()
        for _ in range(count):
            call()
        self.wait()
        return (self._now() - start) / count * 1e3

    def allocated(self) -> int:
        """Returns the bytes that are in use, and starts to look for the peak."""
        if not self._is_cuda:
            return 0
        torch.cuda.reset_peak_memory_stats()
        return torch.cuda.memory_allocated()

    def release(self) -> None:
        """Gives free memory back to the device, for rows that get ready side by side."""
        if self._is_cuda:
            torch.cuda.empty_cache()

    def peak(self) -> int:
        """Returns the largest number of bytes in use since then."""
        return torch.cuda.max_memory_allocated() if self._is_cuda else 0


@dataclass
class Candidate:
    """One way to compute, with what was measured of it."""

    name: str
    call: Callable[[], Any] | None = None
    count: int = 1
    best: float = math.inf
    peak_mib: float = 0.0
    seconds: float = 0.0
    note: str = ""

    def fail(self, error: Exception) -> None:
        """Notes that it failed; the other candidates go on."""
        sentence = str(error).partition("\n")[0][:150]
        self.note, self.call = f"failed: {type(error).__name__}: {sentence}", None

    def prepare(self, make: Callable[[], Callable[[], Any]], meter: Meter) -> None:
        """Makes the call and runs it until it is warm."""
        start, before = time.perf_counter(), meter.allocated()
        try:
            with given_up_is_failed():
                self.call = call = make()
                for _ in range(6):  # compilers and captures are ready after these
                    result = call()
                if not bool(torch.isfinite(result).all()):
                    raise FloatingPointError("a result is not finite")  # noqa: TRY301
                once = min(meter.measure(call, 2) for _ in range(2))
        except Exception as error:  # noqa: BLE001 - of any candidate
            self.fail(error)
            return
        self.peak_mib = (meter.peak() - before) / 2**20
        meter.release()
        self.count = max(1 if meter.sample < 0.1 else 2, int(meter.sample * 1e3 / once))
        self.seconds = time.perf_counter() - start

    def measure(self, meter: Meter) -> None:
        """Measures it once more."""
        if self.call is None:
            return
        try:
            with given_up_is_failed():
                self.best = min(self.best, meter.measure(self.call, self.count))
        except Exception as error:  # noqa: BLE001 - of any candidate
            self.fail(error)


@contextlib.contextmanager
def locked(path: Path | None, kind: int) -> Iterator[None]:
    """Holds a lock on a file, shared or not, if there is a file."""
    if path is None:
        yield
        return
    with path.open("w") as file:
        fcntl.flock(file, kind)
        yield


def run_row(
    row: Row,
    device: str,
    rounds: int,
    budget: float,
    wanted: Sequence[str],
    lock: Path | None = None,
) -> None:
    """Measures the candidates of a row in turns, and prints what is known after each turn.

    Args:
        row: The row.
        device: `"cuda"` or `"cpu"`.
        rounds: Number of turns, fewer if the time does not suffice.
        budget: Seconds for all of it.
        wanted: Names of the candidates, all if there is none.
        lock: A file that rows share: several get ready at a time, one is measured at a time, while
            none gets ready.
    """
    meter = Meter(device)
    with locked(lock, fcntl.LOCK_SH):
        ready = _get_ready(row, meter, budget, wanted)
    with locked(lock, fcntl.LOCK_EX):
        _take_turns(ready, meter, rounds, 0.25 * budget)


def _get_ready(row: Row, meter: Meter, budget: float, wanted: Sequence[str]) -> list[Candidate]:
    """Returns the candidates, warm; three quarters of the time are for this."""
    start = time.perf_counter()
    ready: list[Candidate] = []
    for name, make in row.candidates(meter.device).items():
        if wanted and name not in wanted:
            continue
        candidate = Candidate(name)
        ready.append(candidate)
        if time.perf_counter() - start > 0.75 * budget:
            candidate.note = "no time left"
        else:
            candidate.prepare(make, meter)
        print(f"{row.name}: {name}: {candidate.note or 'ready'}", file=sys.stderr, flush=True)
    return ready


def _take_turns(ready: list[Candidate], meter: Meter, rounds: int, budget: float) -> None:
    """Measures candidates in turns while there is time, twice at least."""
    start, order = time.perf_counter(), [*ready]
    for turn in range(rounds):
        if turn > 1 and time.perf_counter() - start > budget:
            break
        for candidate in order:
            candidate.measure(meter)
        order.append(order.pop(0))  # whoever comes behind the same one each time may look slower
        print(json.dumps([{key: getattr(item, key) for key in KEPT} for item in ready]), flush=True)


def print_row(row: Row, results: list[dict[str, Any]]) -> float | None:
    """Prints the table of a row; returns how much faster our best is than the best of torch."""
    times = {item["name"]: item["best"] for item in results if not item["note"]}
    theirs = [value for name, value in times.items() if name.startswith("torch")]
    ours = [value for name, value in times.items() if not name.startswith("torch")]
    best = min(theirs, default=math.nan)
    print(f"\n{row.name}")
    print("| candidate | ms | / best of torch | peak, MiB | ready after, s | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for item in results:
        shown = f"| {item['name']} | "
        if item["note"]:
            print(f"{shown} | | | | {item['note']} |")
        else:
            print(
                f"{shown}{item['best']:.3f} | {item['best'] / best:.2f} | {item['peak_mib']:.0f} "
                f"| {item['seconds']:.0f} | |"
            )
    sys.stdout.flush()
    return best / min(ours) if theirs and ours else None


def read_row(command: list[str], limit: float) -> tuple[list[dict[str, Any]], str]:
    """Returns what the process of a row has measured, also if it ended early, and how it ended."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=False, timeout=limit
        )
        text, end = done.stdout, f"ended with code {done.returncode}"
    except subprocess.TimeoutExpired as error:
        output = error.stdout or b""
        text = output.decode() if isinstance(output, bytes) else output
        end = f"took more than {limit:.0f} s"
    lines = [line for line in text.splitlines() if line.startswith("[{")]
    return json.loads(lines[-1]) if lines else [], end


def main(script: str, description: str | None, rows: Sequence[Row], budget: float) -> None:
    """Runs each row in a process of its own and prints tables.

    Args:
        script: Path of the benchmark.
        description: What it says of itself.
        rows: Its rows.
        budget: Seconds for all of them.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rows", nargs="+", default=[""], help="beginnings of names of rows")
    parser.add_argument("--candidates", nargs="+", default=[], help="names of candidates")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--budget", type=float, default=budget, help="seconds for all rows")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--alone", help="measure this row in this process, and print JSON")
    options = parser.parse_args()
    if options.alone:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        (row,) = [item for item in rows if item.name == options.alone]
        seconds = options.budget * row.share
        run_row(row, options.device, options.rounds, seconds, options.candidates)
        return
    where = torch.cuda.get_device_name() if options.device == "cuda" else "CPU"
    print(f"torch {torch.__version__}, mxnet {mx.__version__}, {where}")
    ratios = []
    for row in rows:
        if not row.name.startswith(tuple(options.rows)):
            continue
        command = [sys.executable, "-X", "faulthandler", script, "--alone", row.name]
        command += ["--rounds", str(options.rounds), "--budget", str(options.budget)]
        command += ["--device", options.device]
        if options.candidates:
            command += ["--candidates", *options.candidates]
        results, end = read_row(command, 2 * options.budget * row.share + 30)
        if not results:
            print(f"\n{row.name}: failed, its process {end}", flush=True)
            continue
        ratio = print_row(row, results)
        if ratio is not None:
            ratios.append(ratio)
    if ratios:
        print(f"\nbest of torch / our best, mean: {statistics.geometric_mean(ratios):.2f}")
