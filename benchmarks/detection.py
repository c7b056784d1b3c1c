"""Measures the operators of detectors, many boxes at a time, against torchvision where it is there.

    python benchmarks/detection.py [--device cuda] [--batch N] [--boxes N] [--top N] [--rounds N]

Milliseconds of a call, best of the rounds in which all take turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import torch
from gpu_harness import Candidate, Meter

import mxnet as mx

CLASSES = 20


def make_boxes(batch: int, count: int, ctx: mx.Context) -> mx.nd.NDArray:
    """Returns corners of boxes of many sizes, within an image of side 1."""
    center = mx.nd.random.uniform(0.1, 0.9, (batch, count, 2), ctx=ctx)
    half = mx.nd.random.uniform(0.01, 0.2, (batch, count, 2), ctx=ctx)
    return mx.nd.concat(center - half, center + half, dim=2)


def candidates(batch: int, count: int, top: int, ctx: mx.Context) -> dict[str, Callable[[], Any]]:
    """Returns the calls by name."""
    mx.random.seed(0)
    boxes = make_boxes(batch, count, ctx)
    scores = mx.nd.random.uniform(0, 1, (batch, count, 1), ctx=ctx)
    kinds = mx.nd.random.randint(0, CLASSES, (batch, count, 1), ctx=ctx).astype("float32")
    rows = mx.nd.concat(kinds, scores, boxes, dim=2)
    anchors = make_boxes(1, count, ctx)
    chances = mx.nd.softmax(mx.nd.random.normal(shape=(batch, CLASSES + 1, count), ctx=ctx), axis=1)
    moves = mx.nd.random.normal(0, 0.1, (batch, count * 4), ctx=ctx)
    few = mx.nd.random.randint(0, CLASSES, (batch, 8, 1), ctx=ctx).astype("float32")
    labels = mx.nd.concat(few, make_boxes(batch, 8, ctx), dim=2)
    contrib = mx.nd.contrib
    calls: dict[str, Callable[[], Any]] = {
        "box_nms": lambda: contrib.box_nms(
            rows, overlap_thresh=0.45, valid_thresh=0.01, topk=top, id_index=0, coord_start=2
        ),
        "MultiBoxDetection": lambda: contrib.MultiBoxDetection(
            chances, moves, anchors, nms_threshold=0.45, nms_topk=top
        ),
        "MultiBoxTarget": lambda: contrib.MultiBoxTarget(
            anchors, labels, chances, negative_mining_ratio=3.0
        )[0],
    }
    try:
        from torchvision.ops import batched_nms
    except ImportError:
        return calls
    flat, scale = boxes.to_torch().flatten(0, 1), scores.to_torch().flatten()
    group = torch.arange(batch, device=flat.device).repeat_interleave(count) * CLASSES
    group = group + kinds.to_torch().flatten().long()
    calls["torchvision.batched_nms"] = lambda: batched_nms(flat, scale, group, 0.45)
    return calls


def main() -> None:
    """Measures what the arguments ask for, and prints a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", default="cpu", choices=["cuda", "cpu"])
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--boxes", type=int, default=6104)
    parser.add_argument("--top", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    ctx = mx.gpu() if options.device == "cuda" else mx.cpu()
    meter, ready = Meter(options.device), []
    for name, call in candidates(options.batch, options.boxes, options.top, ctx).items():
        ready.append(Candidate(name))
        ready[-1].prepare(lambda call=call: lambda: _tensor(call()), meter)
    for _ in range(options.rounds):
        for candidate in ready:
            candidate.measure(meter)
    print(f"{options.batch} images of {options.boxes} boxes, the best {options.top} kept")
    for candidate in ready:
        print(f"| {candidate.name} | {candidate.note or format(candidate.best, '.3g')} |")


def _tensor(result: Any) -> torch.Tensor:
    return result.to_torch() if isinstance(result, mx.nd.NDArray) else result


if __name__ == "__main__":
    main()
