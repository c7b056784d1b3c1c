"""Measures all-reduces of several sizes between the processes that a launcher started.

    torchrun --nproc-per-node 2 benchmarks/allreduce.py --output links.json
    python tools/predict_scaling.py --links links.json

Writes bytes and seconds (best of several) from which `tools/predict_scaling.py` takes bandwidth
and latency. On GPUs the tensors are there; otherwise gloo reduces them in memory.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import torch
from torch import distributed

from mxnet._state import processes

SIZES = tuple(4**power * 1024 for power in range(9))
"""1 KiB to 64 MiB."""


def measure(size: int, rounds: int, device: torch.device) -> float:
    """Returns the seconds of the fastest of some all-reduces, as the slowest rank sees it."""
    tensor = torch.zeros(size // 4, device=device)
    best = float("inf")
    for _ in range(rounds):
        processes.barrier("allreduce")
        begin = time.perf_counter()
        distributed.all_reduce(tensor)
        if device.type == "cuda":
            torch.cuda.synchronize(device)
        best = min(best, time.perf_counter() - begin)
    slowest = torch.tensor([best], dtype=torch.float64, device=device)
    distributed.all_reduce(slowest, distributed.ReduceOp.MAX)
    return float(slowest)


def main() -> None:
    """Measures all sizes, and writes them on the first rank."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", type=Path, default=Path("links.json"))
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    processes.join("allreduce")
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", processes.local_rank())
        torch.cuda.set_device(device)
    points = [(size, measure(size, options.rounds, device)) for size in SIZES]
    if processes.rank() == 0:
        found = {
            "ranks": processes.size(),
            "nodes": -(-processes.size() // processes.local_size()),
            "device": device.type,
            "points": points,
        }
        options.output.write_text(json.dumps(found, indent=1) + "\n")
        for size, seconds in points:
            print(f"{size:>10,} bytes {seconds * 1e6:>12,.1f} us {size / seconds / 1e9:>8.2f} GB/s")
    processes.leave()


if __name__ == "__main__":
    main()
