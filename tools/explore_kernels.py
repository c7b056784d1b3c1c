"""Calls every operator with wild values and notes what no caller may ever see.

    python tools/explore_kernels.py [-o REPORT] [--limit SECONDS] [name of an operator ...]

The calls are those of `tests/ops/samples`, changed one thing at a time: an input is filled with
the extremes of its dtype, cast to another dtype or emptied along an axis; an attribute becomes
0, -1, huge or not a number. Each runs forward and backward in a forked process. Reported are
signals, hangs, errors that are no `MXNetError`, and results that depend on what was in memory
before: every call is made twice, with different bytes in fresh memory.
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import mxnet as mx
from mxnet._array import invoke
from mxnet.ops.registry import get_op
from tests.ops.samples import custom
from tests.ops.samples.core import Sample
from tests.ops.samples.table import families

GIB = 1 << 30
M_PERTURB = -6
"""Parameter of glibc's `mallopt`: the byte that fresh memory is filled with."""
DTYPES = ("uint8", "int8", "int32", "int64", "bool", "float16", "float32", "float64")
NUMBERS = (0, -1, 2, 7, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 2**64)
FRACTIONS = (0.0, -1.0, 0.5, 1e-320, 1e38, 1e308, math.inf, -math.inf, math.nan)
LENGTHS = (0, -1, 2, 1000, 2**31 - 1, -(2**31), 2**40, 2**63 - 1)


def wild_arrays(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yields an input with other values, other dtypes and axes of no length."""
    fills: tuple[Any, ...] = (0, 1, True)
    if array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        fills = (limits.min, -1 if limits.min else limits.max, 0, 1, limits.max, limits.max - 1)
    elif array.dtype.kind == "f":
        top = float(np.finfo(array.dtype).max)
        fills = (math.nan, math.inf, -math.inf, 0.0, -1.0, top, -top, 3e9, -1e19, 1e-41, 7.5)
    for fill in fills:
        with np.errstate(over="ignore"):
            yield f"all {fill}", np.full_like(array, fill)
    if array.size > 1:
        mixed = array.copy()
        with np.errstate(over="ignore"):
            mixed.flat[:: max(1, array.size // len(fills))] = np.resize(
                np.array(fills, dtype=array.dtype),
                mixed.flat[:: max(1, array.size // len(fills))].shape,
            )
        yield "mixed", mixed
    for dtype in DTYPES:
        if np.dtype(dtype) != array.dtype:
            with np.errstate(invalid="ignore", over="ignore"):
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


def mutants(sample: Sample) -> Iterator[tuple[str, list[np.ndarray | None], dict[str, Any]]]:
    """Yields the changed calls of a sample, each with a description."""
    inputs = sample.make_inputs()
    yield "as it is", inputs, sample.attrs
    for position, array in enumerate(inputs):
        if array is not None:
            for words, changed in wild_arrays(array):
                yield f"input {position} {words}", _replace(inputs, position, changed), sample.attrs
    for dtype in DTYPES:
        with np.errstate(invalid="ignore", over="ignore"):
            cast = [None if array is None else array.astype(dtype) for array in inputs]
        yield f"all inputs as {dtype}", cast, sample.attrs
        if dtype.startswith(("int", "float")):
            limits = np.iinfo(dtype) if dtype.startswith("int") else None
            low = limits.min if limits else -math.inf
            for fill in (low, -1, 0):
                wild = [None if a is None else np.full(a.shape, fill, dtype) for a in inputs]
                yield f"all inputs {fill} of {dtype}", wild, sample.attrs
                if fill == low and len(wild) > 1:
                    others = [None if a is None else np.full_like(a, -1) for a in wild[1:]]
                    yield f"{low} and then -1 of {dtype}", [wild[0], *others], sample.attrs
    op = get_op(sample.op)
    for name, attr in op.attrs.items():
        value = sample.attrs.get(name, attr.default)
        if name == "dtype":
            value = "float32"
        for other in wild_attributes(value):
            yield f"{name}={other!r}", inputs, {**sample.attrs, name: other}


def _replace(items: list[Any], position: int, item: Any) -> list[Any]:
    return [*items[:position], item, *items[position + 1 :]]


def run(sample: Sample, inputs: list[np.ndarray | None], attrs: dict[str, Any]) -> str:
    """Runs a call forward and backward; returns a digest of its results or the error's kind."""
    mx.random.seed(7)
    digest = hashlib.sha256()
    try:
        op = get_op(sample.op)
        given = {k: v for k, v in attrs.items() if not (op.variadic and k == "num_args")}
        arrays = [None if a is None else mx.nd.from_numpy(a.copy()) for a in inputs]
        for array in arrays:
            if array is not None and np.dtype(array.dtype).kind == "f" and sample.gradient:
                array.attach_grad()
        ctx = None if any(array is not None for array in arrays) else mx.cpu()
        with mx.autograd.record(train_mode=sample.train):
            results = invoke(op, arrays, op.parse_attrs(given), mx.nd.NDArray, ctx=ctx)
        results = results if isinstance(results, list) else [results]
        heads = [item for item in results if np.dtype(item.dtype).kind == "f"]
        for item in results:
            digest.update(item.asnumpy().tobytes())
        if sample.gradient and heads and op.differentiable:
            try:
                mx.autograd.backward(heads)
            except mx.MXNetError as error:
                return f"ok then {type(error).__name__}"
            for array in arrays:
                if array is not None and array.grad is not None:
                    digest.update(array.grad.asnumpy().tobytes())
    except mx.MXNetError as error:
        return "MXNetError" + (" memory" if "alloc" in str(error) or "memory" in str(error) else "")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        return f"RAW {type(error).__name__}: {str(error)[:150]}"
    return digest.hexdigest()[:16]


def serve(samples: list[Sample], first: int, sink: int) -> None:
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
            found.append(run(sample, inputs, attrs))
        os.write(sink, (json.dumps(["end", number, *found]) + "\n").encode())


def calls(samples: list[Sample]) -> Iterator[tuple[Sample, str, list[Any], dict[str, Any]]]:
    """Yields every call of an operator."""
    for sample in samples:
        for words, inputs, attrs in mutants(sample):
            yield sample, words, inputs, attrs


def _virtual_size() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def explore(samples: list[Sample], limit: float) -> Iterator[str]:
    """Runs all calls of an operator in children; yields what is wrong."""
    first = 0
    while True:
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(source)
            serve(samples, first, sink)
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
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    custom.prepare(mx)
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
        for problem in explore(good[::step][: options.samples + 1], options.limit):
            print(problem, file=out, flush=True)


if __name__ == "__main__":
    main()
