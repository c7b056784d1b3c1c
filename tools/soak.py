"""Runs pieces of programs for a long time, and fails if memory or anything else keeps growing.

    python tools/soak.py --minutes 60
    python tools/soak.py --minutes 2 --only binds custom_operators

The first part of the time is warm-up, in which memories for what was seen before may fill. What is
counted after it must stay the same, but for a small allowance. Prints a row for every sample and a
summary in Markdown; the exit status is 1 if something grows.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import linecache
import os
import resource
import statistics
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from soak_scenes import SCENES, play, prepare
from torch.fx import graph_module


class Measure(NamedTuple):
    """Something that is counted, and how much it may grow."""

    name: str
    allowed: float
    """Growth between the beginning and the end of the time after warm-up."""
    per_hour: float = 0.0
    """Growth that is allowed beside, for an hour."""


MEASURES = (
    Measure("RSS, MiB", 8.0, per_hour=24.0),
    Measure("objects", 4000.0),
    Measure("tensors", 60.0),
    Measure("threads", 1.0),
    Measure("open files", 3.0),
    Measure("sources in linecache", 200.0),
    Measure("sources in torch.fx", 200.0),
)


def take_sample() -> list[float]:
    """Counts everything, after garbage is collected and free memory given back."""
    gc.collect()
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)
    objects = gc.get_objects()
    # `type` and not `isinstance`, which wakes lazy proxies.
    tensors = sum(issubclass(type(item), torch.Tensor) for item in objects)
    return [
        _resident_bytes() / 2**20,
        float(len(objects)),
        float(tensors),
        float(threading.active_count()),
        float(len(os.listdir("/proc/self/fd"))) if Path("/proc/self/fd").exists() else 0.0,
        float(len(linecache.cache)),
        float(len(getattr(getattr(graph_module, "_loader", None), "eval_cache", ()))),
    ]


def _resident_bytes() -> int:
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # the most so far, elsewhere


class Soak:
    """A run of scenes for some time.

    Args:
        seconds: How long it goes on.
        names: The scenes.
        interval: Seconds between two samples.
    """

    def __init__(self, seconds: float, names: Sequence[str], interval: float) -> None:
        self._seconds, self._names, self._interval = seconds, names, interval
        self.times: list[float] = []
        self.samples: list[list[float]] = []
        self.played: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()

    def run(self) -> None:
        """Plays all scenes in turn until the time is over."""
        kept, start, number = prepare(), time.monotonic(), 0
        print("| minute | round | " + " | ".join(item.name for item in MEASURES) + " |")
        print("| ---: " * (len(MEASURES) + 2) + "|")
        while (now := time.monotonic() - start) < self._seconds:
            if not self.times or now >= self.times[-1] + self._interval:
                self._sample(now, number)
            for name in self._names:
                try:
                    self.played[name] += play(name, number, kept)
                except Exception:  # noqa: BLE001 - the others go on, and the run fails
                    self.failed[name] += 1
                    if self.failed[name] <= 3:
                        traceback.print_exc()
            number += 1
        self._sample(time.monotonic() - start, number)

    def _sample(self, now: float, number: int) -> None:
        self.times.append(now)
        self.samples.append(take_sample())
        counts = " | ".join(f"{count:.1f}".removesuffix(".0") for count in self.samples[-1])
        print(f"| {now / 60:.1f} | {number} | {counts} |", flush=True)

    def summarize(self, warm_up: float) -> bool:
        """Prints the summary; tells whether nothing has grown and nothing failed."""
        later = [
            sample
            for moment, sample in zip(self.times, self.samples, strict=True)
            if moment >= warm_up * self._seconds
        ]
        part = max(1, len(later) // 4)
        hours = (1 - warm_up) * self._seconds / 3600
        print(
            f"\n{sum(self.played.values())} scenes in {self.times[-1] / 60:.1f} minutes, ", end=""
        )
        print(
            f"{len(later)} samples after a warm-up of {warm_up * self._seconds / 60:.1f} minutes\n"
        )
        print("| | after warm-up | at the end | growth | allowed | |")
        print("| --- | ---: | ---: | ---: | ---: | --- |")
        fine = not self.failed
        for position, item in enumerate(MEASURES):
            first = statistics.median(sample[position] for sample in later[:part])
            last = statistics.median(sample[position] for sample in later[-part:])
            allowed = item.allowed + item.per_hour * hours
            verdict = "flat" if last - first <= allowed else "GROWS"
            fine = fine and verdict == "flat"
            print(
                f"| {item.name} | {first:.1f} | {last:.1f} | {last - first:+.1f} "
                f"| {allowed:.1f} | {verdict} |"
            )
        print("\n| scene | played | failed |\n| --- | ---: | ---: |")
        for name in self._names:
            print(f"| {name} | {self.played[name]} | {self.failed[name]} |")
        return fine


def main() -> int:
    """Runs the soak that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long it goes on")
    parser.add_argument("--interval", type=float, default=0.0, help="seconds between two samples")
    parser.add_argument("--warm-up", type=float, default=0.25, help="share of the time")
    parser.add_argument("--only", nargs="+", choices=sorted(SCENES), help="scenes to play")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    seconds = options.minutes * 60
    names = options.only or list(SCENES)
    soak = Soak(seconds, names, options.interval or max(2.0, seconds / 120))
    soak.run()
    return 0 if soak.summarize(options.warm_up) else 1


if __name__ == "__main__":
    sys.exit(main())
