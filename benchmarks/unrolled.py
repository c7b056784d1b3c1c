"""Measures training of a large unrolled graph of tiny operators, as DeepAR of GluonTS has it.

    python benchmarks/unrolled.py [--against SRC] [--oracle PYTHON] [--rounds N]

Two LSTM cells with zoneout are unrolled to 48 steps, and a Student's t-distribution is fitted to
what they say; `hybridize` makes one graph of it. Every number is the best of several processes in
which the candidates take turns, and is processor time.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

from binding import Candidate

STEPS, BATCH, CELLS, FEATURES = 48, 32, 40, 10
BATCHES = 30
QUESTIONS = ("first batch, s", "batches/s")


def make_network(mx: Any) -> Any:
    """Makes the network, whose result is the loss of each row."""

    class Network(mx.gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            with self.name_scope():
                self.cells = mx.gluon.rnn.HybridSequentialRNNCell()
                for _ in range(2):
                    cell = mx.gluon.rnn.LSTMCell(CELLS)
                    self.cells.add(
                        mx.gluon.rnn.ZoneoutCell(cell, zoneout_outputs=0.1, zoneout_states=0.1)
                    )
                self.parameters = mx.gluon.nn.Dense(3, flatten=False)

        def hybrid_forward(self, F: Any, data: Any, target: Any) -> Any:
            outputs, _ = self.cells.unroll(STEPS, data, layout="NTC", merge_outputs=True)
            mu, sigma, nu = F.split(self.parameters(outputs), 3, axis=2, squeeze_axis=True)
            sigma = F.Activation(sigma, act_type="softrelu")
            nu = 2 + F.Activation(nu, act_type="softrelu")
            half = (nu + 1) / 2
            distance = F.square((target - mu) / sigma)
            likelihood = (
                F.gammaln(half)
                - F.gammaln(nu / 2)
                - 0.5 * F.log(math.pi * nu)
                - F.log(sigma)
                - half * F.log1p(distance / nu)
            )
            return F.mean(-likelihood, axis=1)

    return Network()


def work(question: str) -> float:
    """Trains, and returns one number."""
    import numpy as np

    import mxnet as mx

    generator = np.random.RandomState(1)
    data = mx.nd.array(generator.normal(size=(BATCH, STEPS, FEATURES)))
    target = mx.nd.array(generator.normal(size=(BATCH, STEPS)))
    net = make_network(mx)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 1e-3})

    def step() -> None:
        with mx.autograd.record():
            loss = net(data, target)
        loss.backward()
        trainer.step(BATCH)
        loss.asnumpy()

    start = time.process_time()
    step()
    if question == QUESTIONS[0]:
        return time.process_time() - start
    best = math.inf
    for _ in range(BATCHES):
        start = time.process_time()
        step()
        best = min(best, time.process_time() - start)
    return 1 / best


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", metavar="SRC", type=Path, help="src of another checkout")
    parser.add_argument("--oracle", metavar="PYTHON", help="interpreter with the original")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        print(json.dumps(work(arguments.worker)))
        return
    candidates = {"ours": Candidate(sys.executable, Path(__file__).resolve().parents[1] / "src")}
    if arguments.against:
        candidates["before"] = Candidate(sys.executable, arguments.against.resolve())
    if arguments.oracle:
        candidates["original"] = Candidate(arguments.oracle, None)
    print("| | " + " | ".join(candidates) + " |\n| --- |" + " --- |" * len(candidates))
    for question in QUESTIONS:
        choose = min if question == QUESTIONS[0] else max
        numbers: dict[str, list[float]] = {side: [] for side in candidates}
        for _ in range(arguments.rounds):
            for side, candidate in candidates.items():
                numbers[side].append(candidate.run(__file__, question))
        print(f"| {question} | " + " | ".join(f"{choose(n):.3g}" for n in numbers.values()) + " |")


if __name__ == "__main__":
    main()
