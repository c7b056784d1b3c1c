"""Calls of losses that run alike under the original and under this package."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Case:
    """One call of a loss: its options, and an array or None for each argument."""

    loss: str
    args: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    gradients: int = 1
    """How many of the first arguments have a gradient; 0 to record nothing."""
    dtype: str = "float32"
    note: str = ""

    def __str__(self) -> str:
        shapes = "_".join("x".join(map(str, np.shape(item))) or "-" for item in self.args)
        options = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.loss}({options})-{shapes}-{self.dtype}{self.note}"


def rand(*shape: int, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    """Random numbers that depend on the arguments alone."""
    seed = zlib.crc32(repr((shape, low, high)).encode())
    return np.random.RandomState(seed).uniform(low, high, shape)


def classes(*shape: int, count: int = 4, first: int = 0) -> np.ndarray:
    """Random whole numbers from `first`."""
    random = np.random.RandomState(zlib.crc32(repr((shape, count)).encode()))
    return random.randint(first, first + count, shape).astype("float64")


def signs(*shape: int) -> np.ndarray:
    """Random numbers 1 and -1."""
    return classes(*shape, count=2) * 2 - 1


def simplex(*shape: int) -> np.ndarray:
    """Probabilities along the last axis."""
    values = rand(*shape, low=0.1, high=1)
    return values / values.sum(-1, keepdims=True)


def elementwise(loss: str, pred: Any, label: Any, **options: Any) -> Iterator[Case]:
    """A loss of arrays `(3, 4)` and `(2, 3, 4)` with each common option."""
    yield Case(loss, (pred(3, 4), label(3, 4)), options, gradients=2)
    yield Case(loss, (pred(3, 4), label(3, 4)), {**options, "weight": 0.25})
    yield Case(loss, (pred(3, 4), label(12)), options, note="-reshaped")
    yield Case(loss, (pred(3, 4), label(3, 4), rand(3, 1, low=0, high=1)), options)
    yield Case(loss, (pred(2, 3, 4), label(2, 3, 4)), {**options, "batch_axis": 1})
    yield Case(loss, (pred(3, 4), label(3, 4)), options, dtype="float64")
    yield Case(loss, (pred(3, 4) * 100, label(3, 4)), options, note="-large")
    weights = rand(2, 3, 1, low=0, high=1)
    yield Case(loss, (pred(2, 3, 4), label(2, 3, 4), weights), {**options, "weight": 3})


def probabilities(*shape: int) -> np.ndarray:
    """Random numbers between 0 and 1."""
    return rand(*shape, low=0.05, high=0.95)


def numbers() -> Iterator[Case]:
    """Losses of numbers."""
    yield from elementwise("L2Loss", rand, lambda *shape: rand(*shape) + 0.1)
    yield from elementwise("L1Loss", rand, lambda *shape: rand(*shape, low=-1, high=3))
    for rho in (1, 0.3):
        yield from elementwise(
            "HuberLoss", rand, lambda *shape: rand(*shape, low=-1, high=3), rho=rho
        )
    counts, rates = classes(3, 4, first=1), rand(3, 4, low=0.1, high=4)
    for options in ({}, {"weight": 0.5}, {"compute_full": True}):
        # The original cannot record the full loss.
        gradients = 0 if "compute_full" in options else 2
        yield Case("PoissonNLLLoss", (rand(3, 4), counts), options, gradients)
        options = {**options, "from_logits": False}
        yield Case("PoissonNLLLoss", (rates, counts), options, gradients)
    yield Case("PoissonNLLLoss", (rand(3, 4), classes(3, 4), rand(3, 1)))
    yield Case("PoissonNLLLoss", (rand(3, 4), classes(12), None), note="-reshaped")


def two_classes() -> Iterator[Case]:
    """Losses of yes-or-no labels."""
    binary = lambda *shape: classes(*shape, count=2)  # noqa: E731
    yield from elementwise("SigmoidBinaryCrossEntropyLoss", rand, binary)
    yield from elementwise("SigmoidBCELoss", probabilities, probabilities, from_sigmoid=True)
    for weight in (None, rand(3, 1)):
        args = (rand(3, 4), binary(3, 4), weight, rand(4, low=0.5, high=3))
        yield Case("SigmoidBCELoss", args)
        args = (probabilities(3, 4), binary(3, 4), weight, rand(1, 4, low=0.5, high=3))
        yield Case("SigmoidBCELoss", args, {"from_sigmoid": True})
    for loss in ("HingeLoss", "SquaredHingeLoss"):
        yield from elementwise(loss, rand, signs)
        yield from elementwise(loss, rand, signs, margin=0.4)
    yield from elementwise("LogisticLoss", rand, signs)
    yield from elementwise("LogisticLoss", rand, binary, label_format="binary")


def many_classes() -> Iterator[Case]:
    """Losses of one class out of many."""
    loss = "SoftmaxCrossEntropyLoss"
    for dtype in ("float32", "float64"):
        yield Case(loss, (rand(3, 4), classes(3)), dtype=dtype)
    yield Case("SoftmaxCELoss", (rand(3, 4) * 200, classes(3)), note="-large")
    yield Case(loss, (rand(3, 4), classes(3)), {"weight": 2.0})
    yield Case(loss, (rand(3, 4), classes(3), rand(3, 1)))
    yield Case(loss, (rand(3, 4), np.array([0, 9, -1.0])), note="-out of range")
    yield Case(loss, (np.log(simplex(3, 4)), classes(3)), {"from_logits": True})
    yield Case(loss, (rand(2, 4, 5), classes(2, 5)), {"axis": 1})
    yield Case(loss, (rand(2, 5, 4), classes(2, 5)), {"batch_axis": 1})
    yield Case(loss, (rand(2, 5, 4), classes(2, 5), rand(2, 5, 1)))
    yield Case(loss, (rand(3, 4), simplex(3, 4)), {"sparse_label": False}, 2)
    yield Case(loss, (rand(3, 4), simplex(3, 4), rand(3, 1)), {"sparse_label": False})
    yield Case(loss, (rand(2, 4, 5), simplex(2, 4, 5)), {"sparse_label": False, "axis": 1})
    yield Case(loss, (rand(3, 4), simplex(12)), {"sparse_label": False})
    for options in ({}, {"weight": 0.5}, {"from_logits": False}):
        yield Case("KLDivLoss", (rand(3, 4), simplex(3, 4)), options, 2)
        yield Case("KLDivLoss", (rand(3, 4), simplex(3, 4), rand(3, 1)), options)
    yield Case("KLDivLoss", (rand(2, 4, 3), simplex(2, 4, 3)), {"from_logits": False, "axis": 1})
    yield Case("KLDivLoss", (rand(3, 4), np.eye(4)[:3]), {"from_logits": False}, note="-sure")


def sequences() -> Iterator[Case]:
    """The loss of alignments."""
    labels = np.array([[0, 2, 2, -1], [3, -1, -1, -1], [1, 0, 3, 2.0]])
    lengths, label_lengths = np.array([6, 5, 8.0]), np.array([3, 1, 4.0])
    scores = rand(3, 8, 5)
    turned, turned_labels = scores.swapaxes(0, 1), labels.T
    yield Case("CTCLoss", (scores, labels))
    yield Case("CTCLoss", (scores, labels), {"weight": 0.5})
    yield Case("CTCLoss", (turned, labels), {"layout": "TNC"})
    yield Case("CTCLoss", (scores, turned_labels), {"label_layout": "TN"})
    yield Case("CTCLoss", (turned, turned_labels), {"layout": "TNC", "label_layout": "TN"})
    yield Case("CTCLoss", (scores, labels, lengths))
    yield Case("CTCLoss", (scores, labels, None, label_lengths))
    yield Case("CTCLoss", (scores, labels, lengths, label_lengths))
    yield Case("CTCLoss", (scores, labels, lengths, label_lengths, rand(3)))


def embeddings() -> Iterator[Case]:
    """Losses of vectors."""
    vectors = rand(3, 4), rand(3, 4, low=-1, high=3), rand(3, 4, low=-3, high=1)
    for options in ({}, {"margin": 3.5}, {"weight": 0.5}):
        yield Case("TripletLoss", vectors, options, 3)
        yield Case("CosineEmbeddingLoss", (*vectors[:2], signs(3)), options, 2)
    yield Case("TripletLoss", (rand(2, 3, 4), rand(2, 3, 4) + 0.1, rand(24)), {"batch_axis": 1})
    for options in ({}, {"margin": 0.1}):
        yield Case(
            "CosineEmbeddingLoss", (*vectors[:2], np.array([1, -1, 0.0])), options, 2, note="-zero"
        )
        yield Case("CosineEmbeddingLoss", (*vectors[:2], signs(3, 1), rand(3, 1)), options)
    yield Case("CosineEmbeddingLoss", (rand(2, 3, 4), rand(2, 3, 4) + 0.5, signs(6)), {}, 2)
    for options in ({}, {"smoothing_parameter": 0.1}, {"weight": 2.0}):
        yield Case("SDMLLoss", vectors[:2], options, 2)


def cases() -> list[Case]:
    """Returns all cases."""
    parts = (numbers, two_classes, many_classes, sequences, embeddings)
    return [case for part in parts for case in part()]


def run(mx: Any, gluon: Any, case: Case) -> dict[str, np.ndarray]:
    """Computes values and gradients of a case."""
    loss = getattr(gluon.loss, case.loss)(**case.options)
    arrays = [None if item is None else mx.nd.array(item, dtype=case.dtype) for item in case.args]
    for array in arrays[: case.gradients]:
        array.attach_grad()
    if not case.gradients:
        return {"value": loss(*arrays).asnumpy()}
    with mx.autograd.record():
        value = loss(*arrays)
    value.backward()
    gradients = {f"grad{i}": arrays[i].grad.asnumpy() for i in range(case.gradients)}
    return {"value": value.asnumpy(), **gradients}
