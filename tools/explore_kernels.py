"""Calls every operator with wild values and notes what no caller may ever see.

    python tools/explore_kernels.py [-o REPORT] [--bound] [name of an operator ...]

The calls are those of `tests/ops/samples`, changed one thing at a time: an input is filled with
the extremes of its dtype, cast to another dtype or emptied along an axis; an attribute becomes
0, -1, huge or not a number. Each runs forward and backward in a forked process, on arrays or, with
`--bound`, in a graph. Reported are signals, hangs, errors that are no `MXNetError`, and results
that depend on what was in memory before: every call is made twice, with different bytes in fresh
memory.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import math
import os
import resource
import select
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import mxnet as mx
from mxnet._invoke import invoke
from mxnet.ops.core.registry import get_op
from tests.ops.samples import custom
from tests.ops.samples.core import Sample
from tests.ops.samples.table import families

Way: TypeAlias = Callable[[Sample, list[Any], dict[str, Any]], Iterator[mx.nd.NDArray]]

GIB = 1 << 30
M_PERTURB = -6
"""Parameter of glibc's `mallopt`: the byte that fresh memory is filled with."""
DTYPES = ("uint8", "int8", "int32", "int64", "bool", "float16", "float32", "float64")
NUMBERS = (0, -1, 2, 7, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 2**64)
FRACTIONS = (0.0, -1.0, 0.5, 1e-320, 1e38, 1e308, math.inf, -math.inf, math.nan)
SPACES = (
    ("", mx.sym.op),
    ("", mx.sym._internal),
    ("_contrib_", mx.sym.contrib),
    ("_linalg_", mx.sym.linalg),
    ("_image_", mx.sym.image),
    ("_random_", mx.sym.random),
)
LENGTHS = (0, -1, 2, 1000, 2**31 - 1, -(2**31), 2**40, 2**63 - 1)


def wild_numbers(dtype: np.dtype) -> tuple[Any, ...]:
    """The extremes of an element type."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return limits.min, -1 if limits.min else limits.max, 0, 1, limits.max, limits.max - 1
    if dtype.kind == "f":
        top = float(np.finfo(dtype).max)
        return math.nan, math.inf, -math.inf, 0.0, -1.0, top, -top, 3e9, -1e19, 1e-41, 7.5
    return False, True


def wild_arrays(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yields an input with other values, other dtypes and axes of no length."""
    numbers = wild_numbers(array.dtype)
    for number in numbers:
        yield f"all {number}", np.full_like(array, number)
    if array.size > 1:
        mixed = array.copy()
        places = mixed.reshape(-1)[:: max(1, array.size // len(numbers))]
        places[:] = np.resize(np.array(numbers, dtype=array.dtype), places.shape)
        yield "mixed", mixed
    for dtype in DTYPES:
        if np.dtype(dtype) != array.dtype:
            yield f"as {dtype}", array.astype(dtype)
    for axis in range(array.ndim):
        yield f"axis {axis} empty", array.take([], axis=axis)
    yield "scalar", array.reshape(-1)[:1].reshape(()) if array.size else np.zeros((), array.dtype)


def wild_attributes(value: Any) -> Iterator[Any]:
    """Yields other values for an attribute."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from NUMBERS
        yield from (0.5, math.nan)
    elif isinstance(value, float):
        yield from FRACTIONS
    elif isinstance(value, (tuple, list)):
        for position in range(len(value)):
            for length in FRACTIONS if isinstance(value[position], float) else LENGTHS:
                yield (*value[:position], length, *value[position + 1 :])
        yield ()
        yield (*value, 1)
        yield value[:-1]
    elif isinstance(value, str) and value in DTYPES:
        yield from DTYPES


def wild_inputs(inputs: list[np.ndarray | None]) -> Iterator[tuple[str, list[Any]]]:
    """Yields the inputs of a call with one of them changed, or all alike."""
    for position, array in enumerate(inputs):
        if array is not None:
            for words, changed in wild_arrays(array):
                yield f"input {position} {words}", _replace(inputs, position, changed)
    for dtype in DTYPES:
        yield f"all as {dtype}", [None if a is None else a.astype(dtype) for a in inputs]
        low, *_ = wild_numbers(np.dtype(dtype))
        for number in (low, 0):
            yield f"all {number} of {dtype}", _fill(inputs, dtype, number)
        if dtype.startswith("int") and len(inputs) > 1:
            minus = _fill(inputs, dtype, -1)
            yield f"{low}, then -1 of {dtype}", [*_fill(inputs[:1], dtype, low), *minus[1:]]


def _fill(inputs: list[np.ndarray | None], dtype: str, number: Any) -> list[np.ndarray | None]:
    return [None if array is None else np.full(array.shape, number, dtype) for array in inputs]


def mutants(sample: Sample) -> Iterator[tuple[str, list[np.ndarray | None], dict[str, Any]]]:
    """Yields the changed calls of a sample, each with a description."""
    inputs = sample.make_inputs()
    yield "as it is", inputs, sample.attrs
    with np.errstate(invalid="ignore", over="ignore"):
        for words, changed in wild_inputs(inputs):
            yield words, changed, sample.attrs
    for name, attr in get_op(sample.op).attrs.items():
        value = "float32" if name == "dtype" else sample.attrs.get(name, attr.default)
        for other in wild_attributes(value):
            yield f"{name}={other!r}", inputs, {**sample.attrs, name: other}


def _replace(items: list[Any], position: int, item: Any) -> list[Any]:
    return [*items[:position], item, *items[position + 1 :]]


def run_eager(sample: Sample, inputs: list[Any], attrs: dict[str, Any]) -> Iterator[mx.nd.NDArray]:
    """Runs a call on arrays; yields results and gradients."""
    op = get_op(sample.op)
    arrays = [None if a is None else mx.nd.from_numpy(a.copy()) for a in inputs]
    variables = [a for a in arrays if a is not None and is_float(a) and sample.gradient]
    for array in variables:
        array.attach_grad()
    ctx = None if any(array is not None for array in arrays) else mx.cpu()
    with mx.autograd.record(train_mode=sample.train):
        results = invoke(op, arrays, op.parse_attrs(attrs), mx.nd.NDArray, ctx=ctx)
    results = results if isinstance(results, list) else [results]
    yield from results
    heads = [item for item in results if is_float(item)]
    if variables and heads and op.differentiable:
        mx.autograd.backward(heads)
        yield from (array.grad for array in variables)


def run_bound(sample: Sample, inputs: list[Any], attrs: dict[str, Any]) -> Iterator[mx.nd.NDArray]:
    """Runs a call in a graph; yields results and gradients."""
    function = next(
        vars(space)[sample.op.removeprefix(prefix)]
        for prefix, space in SPACES
        if sample.op.startswith(prefix) and sample.op.removeprefix(prefix) in vars(space)
    )
    given = [(f"in{i}", a) for i, a in enumerate(inputs) if a is not None]
    symbol = function(*(mx.sym.var(name) for name, _ in given), **attrs)
    arrays = {name: mx.nd.from_numpy(a.copy()) for name, a in given}
    names = [name for name in symbol.list_arguments() if name in arrays]
    gradients = {name: mx.nd.zeros_like(arrays[name]) for name in names if is_float(arrays[name])}
    executor = symbol.bind(
        mx.cpu(),
        {name: arrays[name] for name in names},
        args_grad=gradients,
        aux_states={name: arrays[name] for name in symbol.list_auxiliary_states()},
    )
    results = executor.forward(is_train=sample.train)
    yield from results
    if sample.gradient and sample.train:
        executor.backward([mx.nd.ones_like(item) for item in results])
        yield from gradients.values()


def is_float(array: mx.nd.NDArray) -> bool:
    """Returns whether an array may have a gradient."""
    return np.dtype(array.dtype).kind == "f"


def run(way: Way, sample: Sample, inputs: list[Any], attrs: dict[str, Any]) -> str:
    """Runs a call; returns a digest of its results or the kind of the error."""
    mx.random.seed(7)
    digest = hashlib.sha256()
    variadic = get_op(sample.op).variadic
    given = {k: v for k, v in attrs.items() if not (variadic and k == "num_args")}
    try:
        for array in way(sample, inputs, given):
            digest.update(array.asnumpy().tobytes())
    except mx.MXNetError:
        return "MXNetError"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        return f"RAW {type(error).__name__}: {str(error)[:150]}"
    return digest.hexdigest()[:16]


def serve(way: Way, samples: list[Sample], first: int, sink: int) -> None:
    """Runs all calls from a number on, and writes a line before and after each."""
    room = GIB + _virtual_size()
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    warnings.simplefilter("ignore")
    libc = ctypes.CDLL(None)
    for number, (sample, words, inputs, attrs) in enumerate(calls(samples)):
        if number < first:
            continue
        os.write(sink, (json.dumps(["start", number, f"{sample.id} {words}"]) + "\n").encode())
        found = []
        for byte in (0x11, 0xEE):
            libc.mallopt(M_PERTURB, byte)
            found.append(run(way, sample, inputs, attrs))
        os.write(sink, (json.dumps(["end", number, *found]) + "\n").encode())


def calls(samples: list[Sample]) -> Iterator[tuple[Sample, str, list[Any], dict[str, Any]]]:
    """Yields every call of an operator."""
    for sample in samples:
        for words, inputs, attrs in mutants(sample):
            yield sample, words, inputs, attrs


def _virtual_size() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def explore(way: Way, samples: list[Sample], limit: float) -> Iterator[str]:
    """Runs all calls of an operator in children; yields what is wrong."""
    first = 0
    while True:
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(source)
            serve(way, samples, first, sink)
            os._exit(0)
        os.close(sink)
        last, words, problems = yield_lines(source, limit)
        os.close(source)
        if words is not None and problems and problems[-1].startswith("HANG"):
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        yield from problems
        if words is None:
            return
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
            yield f"SIGNAL {os.WTERMSIG(status)}: {words}"
        elif not (problems and problems[-1].startswith("HANG")):
            yield f"EXIT {status}: {words}"
        first = last + 1


def yield_lines(source: int, limit: float) -> tuple[int, str | None, list[str]]:
    """Reads a child's lines; returns the call in progress when it ended, None if it was done."""
    number, words, problems, rest = -1, None, [], b""
    while True:
        if not select.select([source], [], [], limit)[0]:
            return number, words, [*problems, f"HANG: {words}"]
        data = os.read(source, 1 << 16)
        if not data:
            return number, words, problems
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            kind, number, *told = json.loads(line)
            if kind == "start":
                words = told[0]
                continue
            problems += [f"{result}: {words}" for result in told[:1] if result.startswith("RAW")]
            if told[0] != told[1]:
                problems.append(f"MEMORY {told}: {words}")
            words = None


def main() -> None:
    """Explores the operators that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for one call")
    parser.add_argument("--samples", type=int, default=4, help="samples of each operator")
    parser.add_argument("--bound", action="store_true", help="in graphs instead of on arrays")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    custom.prepare(mx)
    way = run_bound if options.bound else run_eager
    # What graphs import late, the children need not import each time.
    mx.sym.relu(mx.sym.var("x")).bind(mx.cpu(), {"x": mx.nd.ones(1)}).forward()
    by_op: dict[str, list[Sample]] = {}
    for samples in families().values():
        for sample in samples:
            by_op.setdefault(sample.op, []).append(sample)
    out = options.output.open("w") if options.output else sys.stdout
    for name, samples in by_op.items():
        if options.names and name not in options.names:
            continue
        good = [sample for sample in samples if not sample.raises]
        step = max(1, len(good) // options.samples)
        for problem in explore(way, good[::step][: options.samples + 1], options.limit):
            print(problem, file=out, flush=True)


if __name__ == "__main__":
    main()
