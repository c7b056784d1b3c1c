"""The loss of alignments (CTC), computed forwards step by step in a `Scan`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.loops import placeholder, write_body
from mxnet.onnx._export.table import NotExportableError, converts

_NEVER = -1e30
"""Logarithm of no chance, with which one can calculate further."""


@converts("CTCLoss")
def _ctc_loss(
    b: Builder,
    data: Value,
    label: Value,
    *lengths: Value | None,
    use_data_lengths: bool,
    use_label_lengths: bool,
    blank_label: str,
) -> Value:
    num_labels, num_classes = label.length(1), data.length(2)
    if num_labels == 0:
        raise NotExportableError("there are no labels")
    blank = 0 if blank_label == "first" else num_classes - 1
    given = [item for item in lengths if item is not None]
    steps = given.pop(0) if use_data_lengths else None
    classes = b.cast(b.op("Round", label) if label.is_float else label, "int64")
    counts = given.pop(0) if use_label_lengths else None
    if counts is None:
        counts = _count(b, classes, 0 if blank_label == "first" else -1)
    last = b.unsqueeze(b.cast(counts, "int64"), [1])
    known = b.op("Clip", classes, b.ints(0), b.ints(num_classes - 1))
    states = _with_blanks(b, known, blank)
    scores = b.op("LogSoftmax", b.cast(data, "float32"), axis=2)
    places = b.op("Expand", b.unsqueeze(states, [0]), b.ints([data.length(0), 1, 1]))
    chances = b.op("GatherElements", scores, places, axis=2)
    skipping = _where_skipped(b, states, blank, 2 * num_labels + 1)
    numbers = b.constant(np.arange(data.length(0)), "int64")
    ends = _go_through(b, chances, skipping, numbers, steps)
    final = b.op("GatherElements", ends, last * 2, axis=1)
    before = b.op("GatherElements", ends, b.op("Max", last * 2 - 1, b.ints(0)), axis=1)
    before = b.where(b.compare("Greater", last, 0), before, _NEVER, "float32")
    loss = -b.squeeze(_add_chances(b, [final, before]), [1])
    # A sequence that is too short for its labels has no alignment.
    return b.cast(b.where(b.compare("Less", loss, -_NEVER / 2), loss, 0.0, "float32"), data.dtype)


def _count(b: Builder, classes: Value, padding: int) -> Value:
    """Counts the labels before the first padding."""
    is_padding = b.cast(b.compare("Equal", classes, padding), "int64")
    seen = b.op("CumSum", is_padding, b.ints(1))
    is_label = b.cast(b.compare("Equal", seen, 0), "int64")
    return b.reduce("ReduceSum", is_label, [1], keepdims=False)


def _with_blanks(b: Builder, classes: Value, blank: int) -> Value:
    """Returns the states of an alignment: a blank before, between and after labels."""
    blanks = classes * 0 + blank
    pairs = b.concat([b.unsqueeze(blanks, [2]), b.unsqueeze(classes, [2])], 2)
    return b.concat([b.reshape(pairs, (0, -1)), b.slice(blanks, [0], [1], [1])], 1)


def _where_skipped(b: Builder, states: Value, blank: int, count: int) -> Value:
    """Returns 0 for states that may follow the one two before: a label after another label."""
    two_before = b.concat([b.slice(states, [0], [2], [1]), b.slice(states, [0], [-2], [1])], 1)
    may_skip = b.op("Not", b.op("Equal", states, two_before, dtype="bool"))
    may_skip = b.op("And", may_skip, b.op("Not", b.compare("Equal", states, blank)))
    far = b.constant(np.arange(count) >= 2, "bool")
    return b.where(b.op("And", may_skip, far), 0.0, _NEVER, "float32")


def _go_through(
    b: Builder, chances: Value, skipping: Value, numbers: Value, steps: Value | None
) -> Value:
    """Returns the chance of ending in each state, of shape `(batch, states)`."""
    first = b.slice(skipping, [0], [1], [1])  # a column of chances that there are none
    rest = b.op("Min", b.slice(skipping, [1], [2**62], [1]), first)
    start = b.concat([first * 0.0, rest], 1)
    held = placeholder(b, "ends", "float32", None)
    row = placeholder(b, "chances", "float32", None)
    number = placeholder(b, "number", "int64", ())

    def step() -> Sequence[Value]:
        moved = b.concat([first, b.slice(held, [0], [-1], [1])], 1)
        skipped = b.concat([first, first, b.slice(held, [0], [-2], [1])], 1) + skipping
        new = _add_chances(b, [held, moved, skipped]) + row
        if steps is None:
            return [new]
        is_over = b.op("LessOrEqual", b.cast(steps, "int64"), number, dtype="bool")
        return [b.where(b.unsqueeze(is_over, [1]), held, new, "float32")]

    body = write_body(b, [held, row, number], step)
    (ends,) = b.ops(
        "Scan", start, chances, numbers, dtypes=["float32"], body=body, num_scan_inputs=2
    )
    return ends


def _add_chances(b: Builder, values: Sequence[Value]) -> Value:
    """Adds chances that are given by their logarithms."""
    largest = b.op("Max", *values)
    total = b.op("Exp", values[0] - largest)
    for value in values[1:]:
        total = total + b.op("Exp", value - largest)
    return largest + b.op("Log", total)
