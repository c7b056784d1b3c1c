"""Kills ranks of a training job at random moments, and checks that it ends as if undisturbed.

torchrun starts the job, and starts it again after each kill; the job goes on from its last
checkpoint. In the end the losses of all steps and the weights must equal those of a job that
was not disturbed, bit by bit.

    python tools/kill_ranks.py --kills 50 --ranks 2 --sharded
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

BATCH = 8
NUM_SAMPLES = 160
EVERY = 4
"""Number of steps between checkpoints."""
MOST_STEPS = 9
"""A rank is killed at most so many steps after a start."""


class Killer:
    """Ends this process when it is its turn.

    Args:
        folder: Folder of the job; `kills.jsonl` in it has a line for each kill.
        count: Number of kills.
        seed: Where the choice of rank, step and moment starts.
    """

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self._log = folder / "kills.jsonl"
        done = len(self._log.read_text().splitlines()) if self._log.exists() else 0
        self._is_over = done >= count
        choice = random.Random(f"{seed}/{done}")
        self._rank = choice.randrange(int(os.environ["WORLD_SIZE"]))
        self._step = choice.randint(1, MOST_STEPS)
        self._delay = choice.random() * 0.02

    def count_step(self) -> None:
        """Counts a step since the start, and maybe ends the process a moment later."""
        self._step -= 1
        if self._step or self._is_over or int(os.environ["RANK"]) != self._rank:
            return
        threading.Timer(self._delay, self._kill).start()

    def _kill(self) -> None:
        with self._log.open("a") as log:
            log.write(json.dumps({"rank": self._rank, "time": time.time()}) + "\n")
        os.kill(os.getpid(), signal.SIGKILL)


def work(folder: Path, kills: int, seed: int, sharded: bool, epochs: int) -> None:
    """Trains in one rank, from the last checkpoint on."""
    import numpy as np

    import mxnet as mx
    from mxnet import autograd, gluon
    from mxnet._state import processes
    from mxnet.gluon import nn

    processes.join("kill_ranks")
    rank, size = processes.rank(), processes.size()
    mx.random.seed(5)
    np.random.seed(5)
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="relu", in_units=6), nn.Dropout(0.2), nn.Dense(1, in_units=16))
    if sharded:
        gluon.shard(net)
    net.initialize(mx.init.Xavier())
    schedule = mx.lr_scheduler.FactorScheduler(5, 0.97, base_lr=0.02)
    trainer = gluon.Trainer(
        net.collect_params(),
        "adam",
        {"learning_rate": 0.02, "lr_scheduler": schedule},
        kvstore=None if sharded else mx.kv.create("dist_sync"),
        update_on_kvstore=False,
    )
    checkpoint = gluon.Checkpoint(folder / "checkpoints", net, trainer, every=EVERY)
    checkpoint.restore_latest()
    if checkpoint.step == 0:
        mx.random.seed(100 + rank)  # dropout differs from rank to rank
    numbers = np.random.RandomState(1)
    x = numbers.randn(NUM_SAMPLES, 6).astype(np.float32)
    data = gluon.data.ArrayDataset(x[rank::size], x[rank::size, :1] * 2 - 1)
    loader = gluon.data.DataLoader(data, BATCH, shuffle=True)
    killer = Killer(folder, kills, seed)
    with (folder / f"losses{rank}.jsonl").open("a") as log:
        log.write(json.dumps({"start": time.time(), "step": checkpoint.step}) + "\n")
        log.flush()
        for _ in checkpoint.epochs(epochs):
            for images, labels in checkpoint.batches(loader):
                with autograd.record():
                    loss = gluon.loss.L2Loss()(net(images), labels)
                loss.backward()
                trainer.step(BATCH * size)
                checkpoint.advance()
                value = float(loss.mean().asscalar())
                log.write(json.dumps({"step": checkpoint.step, "loss": value}) + "\n")
                log.flush()
                killer.count_step()
    checkpoint.wait()
    weights = [item.data().asnumpy() for item in net.collect_params().values()]
    digest = hashlib.sha256(b"".join(item.tobytes() for item in weights)).hexdigest()
    (folder / f"weights{rank}").write_text(digest)


def run_job(folder: Path, options: argparse.Namespace, kills: int) -> float:
    """Runs a job under torchrun, and returns how many seconds it took."""
    folder.mkdir(parents=True)
    begin = time.monotonic()
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc-per-node", str(options.ranks), "--max-restarts", str(kills)]
    command += ["--monitor-interval", "0.1", __file__, "--worker", str(folder)]
    command += ["--kills", str(kills), "--seed", str(options.seed), "--epochs", str(options.epochs)]
    command += ["--sharded"] if options.sharded else []
    variables = {"OMP_NUM_THREADS": "1", "MXNET_KVSTORE_TIMEOUT": str(options.limit), **os.environ}
    with (folder / "output").open("w") as output:
        ended = subprocess.run(
            command, env=variables, stdout=output, stderr=subprocess.STDOUT, check=False
        )
    if ended.returncode:
        raise SystemExit(f"the job failed:\n{(folder / 'output').read_text()[-4000:]}")
    return time.monotonic() - begin


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Returns the entries of a log; a killed rank may have left half a line."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def losses_of(folder: Path, rank: int) -> dict[int, float]:
    """Returns the last loss of each step of a rank, after all restarts."""
    entries = read_lines(folder / f"losses{rank}.jsonl")
    return {item["step"]: item["loss"] for item in entries if "loss" in item}


def waits_of(folder: Path, ranks: int) -> list[float]:
    """Returns how many seconds after each kill all ranks had started again."""
    starts = [
        [item["start"] for item in read_lines(folder / f"losses{rank}.jsonl") if "start" in item]
        for rank in range(ranks)
    ]
    waits = []
    for kill in read_lines(folder / "kills.jsonl"):
        later = [min(t for t in times if t > kill["time"]) for times in starts]
        waits.append(max(later) - kill["time"])
    return waits


def compare(calm: Path, disturbed: Path, options: argparse.Namespace) -> str:
    """Returns what was seen, and raises if the jobs differ."""
    for rank in range(options.ranks):
        expected, found = losses_of(calm, rank), losses_of(disturbed, rank)
        if expected != found:
            steps = [step for step in expected if expected[step] != found.get(step)]
            raise SystemExit(f"rank {rank}: other losses in the steps {steps}")
        if (calm / f"weights{rank}").read_text() != (disturbed / f"weights{rank}").read_text():
            raise SystemExit(f"rank {rank}: other weights")
    waits = waits_of(disturbed, options.ranks)
    if len(waits) != options.kills or max(waits, default=0) > options.limit:
        raise SystemExit(f"{len(waits)} kills of {options.kills}, waits {waits}")
    steps = len(losses_of(calm, 0))
    return (
        f"{len(waits)} kills in {steps} steps on {options.ranks} ranks: losses and weights are "
        f"equal; all ranks were back after {max(waits, default=0):.1f} s at most, "
        f"{sum(waits) / max(len(waits), 1):.1f} s on average"
    )


def main() -> None:
    """Runs a calm and a disturbed job, or one rank of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds to be back in")
    parser.add_argument("--sharded", action="store_true")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker is not None:
        work(options.worker, options.kills, options.seed, options.sharded, options.epochs)
        return
    with tempfile.TemporaryDirectory() as folder:
        calm, disturbed = Path(folder) / "calm", Path(folder) / "disturbed"
        run_job(calm, options, 0)
        run_job(disturbed, options, options.kills)
        sys.stdout.write(compare(calm, disturbed, options) + "\n")


if __name__ == "__main__":
    main()
