"""Measures operators on the CPU in sizes at which the original is fast.

    python benchmarks/cpu_operators.py [--oracle PYTHON] [--rounds N] [--record]

Recurrent layers of small sizes, 3-D convolutions of one sample, detection. Torch has no suppression
of boxes of its own; its cases are what a program in torch would write. All candidates take turns in
one run; the best time of each counts, because machines are shared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from harness import Benchmark, main

RECURRENT = ("LSTM", "GRU", "RNN")
SIZES = {"t10 b1 h16": (10, 1, 16), "t20 b8 h32": (20, 8, 32), "t35 b20 h100": (35, 20, 100)}
"""Lengths, batches and hidden sizes, which are the sizes of the data too."""
VOLUMES = {
    "3->16 8x56x56": ((1, 3, 8, 56, 56), 16, 3),
    "16->32 8x28x28": ((1, 16, 8, 28, 28), 32, 3),
    "64->64 4x14x14": ((1, 64, 4, 14, 14), 64, 3),
    "32->64 4x14x14, 1x1x1": ((1, 32, 4, 14, 14), 64, 1),
}
MODES = ("prediction", "training")
DETECTIONS = {
    "2000 boxes": (1, 2000, 21),
    "8732 boxes": (1, 8732, 21),
    "b8 1917 boxes": (8, 1917, 21),
}
"""Batches, numbers of default boxes and of classes with the background."""
SUPPRESSIONS = {
    "1x1000 topk 100": (1, 1000, 100),
    "1x6000 topk 400": (1, 6000, 400),
    "8x2000 topk 200": (8, 2000, 200),
    "1x2000 all": (1, 2000, -1),
}
"""Batches, numbers of boxes, and how many of them count."""

RECURRENT_ROWS = {
    f"{kind} {size}, {mode}": (kind, SIZES[size], mode == "training")
    for kind, size, mode in itertools.product(RECURRENT, SIZES, MODES)
}
VOLUME_ROWS = {
    f"Conv3D {volume}, {mode}": (*VOLUMES[volume], mode == "training")
    for volume, mode in itertools.product(VOLUMES, MODES)
}
TARGETS = dict.fromkeys(
    [
        *RECURRENT_ROWS,
        *VOLUME_ROWS,
        *(f"MultiBoxDetection {name}" for name in DETECTIONS),
        *(f"box_nms {name}" for name in SUPPRESSIONS),
    ],
    (1 / 0.95, 1.0),
)


def detection_arrays(batch: int, count: int, classes: int) -> tuple[object, object, object]:
    """Returns probabilities, offsets and default boxes of a detector, as NumPy arrays."""
    import numpy

    draw = numpy.random.RandomState(0)
    scores = draw.normal(size=(batch, classes, count))
    scores[:, 0] += 4  # most boxes show background
    chances = numpy.exp(scores)
    chances /= chances.sum(1, keepdims=True)
    centre, size = draw.uniform(0.1, 0.9, (count, 2)), draw.uniform(0.05, 0.3, (count, 2))
    boxes = numpy.concatenate([centre - size / 2, centre + size / 2], 1)[None]
    offsets = draw.normal(0, 0.5, (batch, 4 * count))
    return tuple(array.astype("float32") for array in (chances, offsets, boxes))


def scored_boxes(batch: int, count: int) -> object:
    """Returns rows of a class, a score and four corners, as a NumPy array."""
    import numpy

    draw = numpy.random.RandomState(1)
    centre, size = draw.uniform(0, 1, (batch, count, 2)), draw.uniform(0.05, 0.3, (batch, count, 2))
    score, label = draw.uniform(size=(batch, count, 1)), draw.randint(0, 20, (batch, count, 1))
    rows = (label, score, centre - size / 2, centre + size / 2)
    return numpy.concatenate(rows, 2).astype("float32")


def mxnet_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the cases on `mxnet`, ours or the original."""
    from mxnet import autograd, nd
    from mxnet.gluon import nn, rnn

    def make(net: object, data: object, train: bool) -> Callable[[], None]:
        net.initialize()
        net(data)

        def predict() -> None:
            net(data).wait_to_read()

        def learn() -> None:
            with autograd.record():
                result = net(data)
            result.backward()
            nd.waitall()

        return learn if train else predict

    cases: dict[str, Callable[[], None]] = {}
    for name, (kind, (length, batch, size), train) in RECURRENT_ROWS.items():
        layer = getattr(rnn, kind)(size, input_size=size)
        cases[name] = make(layer, nd.random.uniform(shape=(length, batch, size)), train)
    for name, (shape, filters, kernel, train) in VOLUME_ROWS.items():
        layer = nn.Conv3D(filters, kernel, padding=kernel // 2, in_channels=shape[1])
        cases[name] = make(layer, nd.random.uniform(shape=shape), train)

    def detect(sizes: tuple[int, int, int]) -> Callable[[], None]:
        arrays = [nd.array(array) for array in detection_arrays(*sizes)]
        return lambda: nd.contrib.MultiBoxDetection(
            *arrays, nms_threshold=0.45, nms_topk=400
        ).wait_to_read()

    def suppress(batch: int, count: int, topk: int) -> Callable[[], None]:
        rows = nd.array(scored_boxes(batch, count))
        return lambda: nd.contrib.box_nms(
            rows, overlap_thresh=0.45, valid_thresh=0.01, topk=topk, id_index=0
        ).wait_to_read()

    for name, sizes in DETECTIONS.items():
        cases[f"MultiBoxDetection {name}"] = detect(sizes)
    for name, numbers in SUPPRESSIONS.items():
        cases[f"box_nms {name}"] = suppress(*numbers)
    return cases, nd.waitall


def torch_cases() -> tuple[dict[str, Callable[[], None]], Callable[[], None]]:
    """Returns the same cases in torch eager."""
    import torch
    from torch import nn

    def make(net: nn.Module, data: torch.Tensor, train: bool) -> Callable[[], None]:
        def predict() -> None:
            with torch.no_grad():
                net(data)

        def learn() -> None:
            net.zero_grad()
            result = net(data)
            result = result[0] if isinstance(result, tuple) else result
            result.backward(torch.ones_like(result))

        return learn if train else predict

    cases: dict[str, Callable[[], None]] = {}
    for name, (kind, (length, batch, size), train) in RECURRENT_ROWS.items():
        layer = getattr(nn, kind)(size, size)
        cases[name] = make(layer, torch.rand(length, batch, size), train)
    for name, (shape, filters, kernel, train) in VOLUME_ROWS.items():
        layer = nn.Conv3d(shape[1], filters, kernel, padding=kernel // 2)
        cases[name] = make(layer, torch.rand(shape), train)
    for name, sizes in DETECTIONS.items():
        cases[f"MultiBoxDetection {name}"] = torch_detection(*sizes)
    for name, numbers in SUPPRESSIONS.items():
        cases[f"box_nms {name}"] = torch_suppression(*numbers)
    return cases, lambda: None


def torch_suppression(batch: int, count: int, topk: int) -> Callable[[], None]:
    """Returns a case of `box_nms`, as a program in torch would write it."""
    import torch

    images = torch.from_numpy(scored_boxes(batch, count))
    most = topk if topk > 0 else count

    def run() -> None:
        result = torch.full_like(images, -1)
        for image, rows in zip(result, images, strict=True):
            valid = rows[rows[:, 1] > 0.01]
            best = valid[valid[:, 1].sort(descending=True).indices[:most]]
            left = best[keep_best(best[:, 2:], best[:, 0])]
            image[: len(left)] = left

    return run


def torch_detection(batch: int, count: int, classes: int) -> Callable[[], None]:
    """Returns a case of `MultiBoxDetection`, as a program in torch would write it."""
    import torch

    chances, offsets, anchors = map(torch.from_numpy, detection_arrays(batch, count, classes))

    def run() -> None:
        result = torch.full((batch, count, 6), -1.0)
        size = anchors[0, :, 2:] - anchors[0, :, :2]
        centre = (anchors[0, :, 2:] + anchors[0, :, :2]) / 2
        moved = offsets.view(batch, count, 4)
        middle = moved[..., :2] * 0.1 * size + centre
        half = (moved[..., 2:] * 0.2).exp() * size / 2
        boxes = torch.cat((middle - half, middle + half), 2).clamp(0, 1)
        score, label = chances[:, 1:].max(1)
        rows = torch.cat((label[..., None], score[..., None], boxes), 2)
        for image, found in zip(result, rows, strict=True):
            valid = found[found[:, 1] > 0.01]
            best = valid[valid[:, 1].sort(descending=True).indices[:400]]
            best[~keep_best(best[:, 2:], best[:, 0]), 0] = -1
            image[: len(best)] = best

    return run


def keep_best(boxes: object, labels: object) -> object:
    """Returns which boxes no better box of their class suppresses, the best being first."""
    import torch

    low = torch.maximum(boxes[:, None, :2], boxes[:, :2])
    high = torch.minimum(boxes[:, None, 2:], boxes[:, 2:])
    shared = (high - low).clamp(min=0).prod(2)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    overlap = shared / (areas[:, None] + areas - shared)
    worse = ((overlap > 0.45) & (labels[:, None] == labels)).triu(1).numpy()
    kept = torch.ones(len(boxes), dtype=torch.bool)
    alive = kept.numpy()
    for place, row in enumerate(worse):
        if alive[place]:
            alive &= ~row
    return kept


if __name__ == "__main__":
    benchmark = Benchmark(
        "Operators on the CPU",
        "microseconds",
        "cpu_operators",
        mxnet_cases,
        torch_cases,
        TARGETS,
        seconds=0.02,
        rounds=8,
    )
    raise SystemExit(main(benchmark))
