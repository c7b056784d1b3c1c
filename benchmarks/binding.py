"""Measures how long it takes until a large graph can be run, and its first run.

    python benchmarks/binding.py [--against SRC] [--oracle PYTHON] [--rounds N] [--record]

Every number is taken in a process of its own, because the first question to a graph is the one
that people wait for, and is the best of several rounds in which the candidates take turns. It is
processor time of one thread, which other programs on the machine disturb least. `--against` is
the `src` of another checkout of this package, `--oracle` an interpreter with the original.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness import RESULTS, processor

STEPS = 1000
HIDDEN, WORDS = 32, 16

Workload = Callable[[Any], tuple[Any, dict[str, tuple[int, ...]]]]


def resnet152(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    """Makes the graph of a ResNet of 152 layers."""
    net = mx.gluon.model_zoo.vision.resnet152_v2()
    return net(mx.sym.var("data")), {"data": (1, 3, 224, 224)}


def lstm(mx: Any) -> tuple[Any, dict[str, tuple[int, ...]]]:
    """Makes the graph of an LSTM cell, unrolled."""
    cell = mx.rnn.LSTMCell(HIDDEN, prefix="lstm_")
    outputs, _ = cell.unroll(STEPS, mx.sym.var("data"), layout="NTC", merge_outputs=True)
    return outputs, {"data": (1, STEPS, WORDS)}


WORKLOADS: dict[str, Workload] = {"ResNet-152": resnet152, f"LSTM, {STEPS} steps": lstm}
QUESTIONS = ("infer_type", "infer_shape", "simple_bind", "bind", "first forward")


def ask(workload: str, question: str) -> float:
    """Answers one question about a graph and returns the seconds that it took."""
    import mxnet as mx

    symbol, shapes = WORKLOADS[workload](mx)
    executor = None
    if question in ("bind", "first forward"):
        executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
    answers: dict[str, Callable[[], object]] = {
        "infer_type": lambda: symbol.infer_type(data="float32"),
        "infer_shape": lambda: symbol.infer_shape(**shapes),
        "simple_bind": lambda: symbol.simple_bind(mx.cpu(), **shapes),
        "bind": lambda: symbol.bind(mx.cpu(), executor.arg_dict, aux_states=executor.aux_dict),
        "first forward": lambda: executor.forward()[0].asnumpy(),
    }
    start = time.process_time()
    answers[question]()
    return time.process_time() - start


class Candidate:
    """An interpreter and where it finds `mxnet`; None for one that it has installed."""

    def __init__(self, python: str, source: Path | None) -> None:
        self._python = python
        self._environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self._environment["OMP_NUM_THREADS"] = "1"
        if source is not None:
            self._environment["PYTHONPATH"] = str(source)

    def run(self, script: str, *question: str) -> float:
        """Takes one number in a new process, which prints it last."""
        done = subprocess.run(
            [self._python, script, "--worker", *question],
            env=self._environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return float(json.loads(done.stdout.splitlines()[-1]))


def compare(candidates: dict[str, Candidate], rounds: int) -> list[list[str]]:
    """Lets the candidates take turns and returns the rows of the table."""
    rows = []
    for workload in WORKLOADS:
        for question in QUESTIONS:
            best = dict.fromkeys(candidates, float("inf"))
            for _ in range(rounds):
                for side, candidate in candidates.items():
                    best[side] = min(best[side], candidate.run(__file__, workload, question))
            rows.append([f"{workload}: {question}", f"{best['ours']:.3f}"])
            for side in list(candidates)[1:]:
                rows[-1] += [f"{best[side]:.3f}", f"{best[side] / best['ours']:.1f}"]
    return rows


def main() -> None:
    """Measures, prints and, if asked to, records."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", metavar="SRC", type=Path, help="src of another checkout")
    parser.add_argument("--oracle", metavar="PYTHON", help="interpreter with the original")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--record", action="store_true", help="append to benchmarks/RESULTS.md")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        print(json.dumps(ask(*arguments.worker)))
        return
    here = Path(__file__).resolve().parents[1] / "src"
    candidates = {"ours": Candidate(sys.executable, here)}
    if arguments.against:
        candidates["before"] = Candidate(sys.executable, arguments.against.resolve())
    if arguments.oracle:
        candidates["original"] = Candidate(arguments.oracle, None)
    header = ["seconds", "ours"]
    for side in list(candidates)[1:]:
        header += [side, f"{side} / ours"]
    rows = [header, ["---"] * len(header), *compare(candidates, arguments.rounds)]
    lines = [f"{processor()}, one thread, best of {arguments.rounds}.", ""]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    print("\n".join(lines))
    if arguments.record:
        date = datetime.datetime.now(tz=datetime.timezone.utc).date()
        RESULTS.write_text("\n".join([RESULTS.read_text(), f"## Binding, {date}", "", *lines, ""]))


if __name__ == "__main__":
    main()
