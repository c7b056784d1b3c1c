"""`glueball convert MODEL --to FORMAT`: writes a model for others, and compares the outputs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from glueball.console import CommandError, plural, printable, size, write, write_json
from glueball.convert.formats import FORMATS, Converted
from glueball.examples import as_numpy, make_block, make_data
from glueball.models import Model, open_model

_TOLERANCES = {"float16": 1e-2, "bfloat16": 5e-2}
_TOLERANCE = 1e-4
"""Largest difference of outputs, relative to the largest output."""


class Comparison(NamedTuple):
    """How far the outputs of a file are from those of the model.

    Attributes:
        program: What ran the file.
        difference: Largest difference, relative to the largest output.
        tolerance: Difference up to which they agree.
        outputs: Shapes of the outputs.
    """

    program: str
    difference: float
    tolerance: float
    outputs: list[list[int]]

    @property
    def agrees(self) -> bool:
        """Whether the outputs are those of the model."""
        return self.difference <= self.tolerance


def run(options: argparse.Namespace) -> int:
    """Converts, compares and says so; the status is 1 if outputs differ."""
    model = open_model(options.model, options.shape)
    ending = FORMATS[options.to].ending
    target = Path(options.output or f"{model.name}{ending}")
    if target.suffix != ending:
        raise CommandError(f"--output: files for {options.to} end with {ending}, got {target}")
    converted = FORMATS[options.to].write(model, target, options)
    comparison = None if options.no_compare else _compare(model, converted, options.tolerance)
    if options.json:
        write_json(_as_json(model, converted, comparison))
    else:
        _print(model, converted, comparison)
    return 0 if comparison is None or comparison.agrees else 1


def _compare(model: Model, converted: Converted, tolerance: float | None) -> Comparison | None:
    """Runs both on the same data; None if nothing can run the file."""
    if converted.run is None:
        return None
    data = [] if converted.takes_no_data else make_data(model)
    found = converted.run([array.asnumpy() for array in data])
    expected = (
        [value.asnumpy() for value in model.parameters.values()]
        if converted.takes_no_data
        else as_numpy(make_block(model)(*data))
    )
    if len(found) != len(expected):
        raise CommandError(
            f"{converted.path} has {plural(len(found), 'output')}, the model {len(expected)}"
        )
    pairs = list(zip(expected, found, strict=True))
    difference = max((_distance(*pair) for pair in pairs), default=0.0)
    allowed = _TOLERANCES.get(str(expected[0].dtype), _TOLERANCE) if expected else _TOLERANCE
    return Comparison(
        converted.program,
        difference,
        allowed if tolerance is None else tolerance,
        [list(array.shape) for array in found],
    )


def _distance(expected: np.ndarray, found: np.ndarray) -> float:
    """Returns the largest difference, relative to the largest element."""
    if expected.shape != found.shape:
        return float("inf")
    if not expected.size:
        return 0.0
    one, other = expected.astype(np.float64), found.astype(np.float64)
    if not np.array_equal(np.isnan(one), np.isnan(other)):
        return float("inf")
    with np.errstate(invalid="ignore"):  # infinities that are equal
        apart = np.where(one == other, 0.0, np.abs(one - other))
    finite = np.abs(one[np.isfinite(one)])
    scale = max(float(finite.max(initial=0.0)), np.finfo(np.float32).tiny)
    return float(np.nanmax(apart, initial=0.0) / scale)


def _as_json(model: Model, converted: Converted, comparison: Comparison | None) -> dict[str, Any]:
    return {
        "model": [str(path) for path in model.files],
        "inputs": {name: list(shape) for name, shape in model.shapes.items()},
        "guessed": list(model.guessed),
        "files": [str(path) for path in converted.files],
        "comparison": None
        if comparison is None
        else comparison._asdict() | {"agrees": comparison.agrees},
    }


def _print(model: Model, converted: Converted, comparison: Comparison | None) -> None:
    for path in converted.files:
        write(f"written to {path} ({size(path.stat().st_size)})")
    for note in converted.notes:
        write(note)
    if comparison is None:
        write("not compared" if converted.run else f"not compared: {converted.program}")
        return
    if not converted.takes_no_data:
        write(f"compared on {_describe(model)} by {comparison.program}:")
    else:
        write(f"compared by {comparison.program}:")
    verdict = "agree" if comparison.agrees else "differ"
    noun = "parameter" if converted.takes_no_data else "output"
    verb = f"{verdict}s" if len(comparison.outputs) == 1 else verdict
    write(
        f"{plural(len(comparison.outputs), noun)} {verb}: largest difference "
        f"{comparison.difference:.2g} of the largest value, {comparison.tolerance:.2g} allowed"
    )


def _describe(model: Model) -> str:
    shapes: Sequence[str] = [
        f"{printable(name)}={','.join(map(str, shape))}"
        + (" (guessed)" if name in model.guessed else "")
        for name, shape in model.shapes.items()
    ]
    return " ".join(shapes)
