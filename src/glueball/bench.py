"""`glueball bench MODEL`: how long a call takes, in each way in which a network can be run."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

import numpy as np
import torch

import mxnet as mx
from glueball.console import (
    CommandError,
    first_sentence,
    plural,
    printable,
    size,
    table,
    write,
    write_json,
)
from glueball.examples import make_block, make_data, with_batch
from glueball.installation import is_importable
from glueball.models import Model, open_model
from glueball.progress import progress
from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray
from mxnet.ops.core.interposing import interpose

_PERCENTILES = (50, 90, 99)
_FEWEST, _MOST = 5, 10_000
"""Calls that are measured, however long or short they are."""
_KIB = 1024


class Mode(NamedTuple):
    """A way to run a network.

    Attributes:
        options: What `hybridize` is called with, None for the network operator by operator.
        needs: Package that it needs, empty if none.
    """

    options: dict[str, Any] | None
    needs: str = ""


MODES = {
    "eager": Mode(None),
    "hybridized": Mode({}),
    "static": Mode({"static_alloc": True, "static_shape": True}),
    "inductor": Mode({"backend": "inductor"}),
    "openvino": Mode({"backend": "openvino"}, "openvino"),
}
DEFAULT_MODES = ("eager", "hybridized", "static", "openvino")


class Row(NamedTuple):
    """What was measured in one mode with one size of the batch.

    Attributes:
        mode: The mode.
        batch: Samples of a call.
        calls: Calls that were measured.
        milliseconds: Percentiles of the time of a call, by percent.
        throughput: Samples per second, by the median.
        first_call: Milliseconds of the first call, in which plans are made.
        memory: Bytes by which the peak of memory grew.
        note: Warnings of the first call, such as that of a plan that is given up.
        problem: Why nothing was measured, empty if it was.
    """

    mode: str
    batch: int
    calls: int = 0
    milliseconds: dict[str, float] | None = None
    throughput: float = 0.0
    first_call: float = 0.0
    memory: int = 0
    note: str = ""
    problem: str = ""


def run(options: argparse.Namespace) -> int:
    """Prints what was measured; the status is 1 if nothing could be."""
    model = open_model(options.model, options.shape)
    model.need_parameters()
    modes = _choose_modes(options.modes)
    ctx = _read_context(options.ctx)
    if options.threads:
        torch.set_num_threads(options.threads)
    work = [(mode, batch) for batch in options.batch for mode in modes]
    rows = [
        _measure_safely(model, mode, batch, ctx, options)
        for mode, batch in progress(work, "measuring")
    ]
    if options.json:
        write_json([row._asdict() for row in rows])
    else:
        _print(model, ctx, rows)
    return 0 if any(row.calls for row in rows) else 1


def _choose_modes(text: str | None) -> list[str]:
    if text is None:
        return [mode for mode in DEFAULT_MODES if _is_there(mode)]
    modes = [mode.strip() for mode in text.split(",")]
    for mode in modes:
        if mode not in MODES:
            raise CommandError(f"--modes: takes some of {', '.join(MODES)}, got {mode!r}")
        if not _is_there(mode):
            raise CommandError(
                f"--modes: {mode} needs {MODES[mode].needs}: run `pip install 'glueball[{mode}]'`"
            )
    return modes


def _is_there(mode: str) -> bool:
    return not MODES[mode].needs or is_importable(MODES[mode].needs)


def _read_context(text: str) -> mx.Context:
    device, _, number = text.partition(":")
    if device not in ("cpu", "gpu") or not (number or "0").isdigit():
        raise CommandError(f"--ctx: takes cpu, gpu or gpu:1, got {text!r}")
    if device == "gpu" and int(number or 0) >= mx.num_gpus():
        raise CommandError(f"--ctx: {text}: there are {plural(mx.num_gpus(), 'GPU')} here")
    return mx.Context(device, int(number or 0))


def _measure_safely(
    model: Model, mode: str, batch: int, ctx: mx.Context, options: argparse.Namespace
) -> Row:
    """Measures; a mode that cannot run the network does not keep the others from being measured."""
    try:
        return _measure(model, mode, batch, ctx, options)
    except (MXNetError, RuntimeError, ValueError, ImportError) as error:
        return Row(mode, batch, problem=first_sentence(error))


def _measure(
    model: Model, mode: str, batch: int, ctx: mx.Context, options: argparse.Namespace
) -> Row:
    block = make_block(model)
    block.collect_params().reset_ctx(ctx)
    chosen = MODES[mode].options
    if chosen is not None:
        block.hybridize(**chosen)
    data = [
        array.as_in_context(ctx)
        for array in make_data(model, with_batch(model, batch, options.batch_axis))
    ]
    call = _make_call(block, data, ctx)
    with _operator_by_operator() if chosen is None else nullcontext(), _peak(ctx) as peak:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            first = _time(call)
        _repeat(call, options.seconds / 10, fewest=2)
        times = _repeat(call, options.seconds, _FEWEST)
    milliseconds = {f"p{percent}": float(np.percentile(times, percent)) for percent in _PERCENTILES}
    return Row(
        mode=mode,
        batch=batch,
        calls=len(times),
        milliseconds=milliseconds,
        throughput=1000 * batch / milliseconds["p50"],
        first_call=first,
        memory=peak[0],
        note="; ".join(dict.fromkeys(str(warning.message).split("\n")[0] for warning in seen)),
    )


def _make_call(
    block: mx.gluon.SymbolBlock, data: Sequence[NDArray], ctx: mx.Context
) -> Callable[[], None]:
    def call() -> None:
        block(*data)
        if ctx.device_type == "gpu":
            torch.cuda.synchronize(ctx.device_id)

    return call


@contextmanager
def _operator_by_operator() -> Iterator[None]:
    """Runs each operator of a graph by itself, as a network that is not hybridized does."""
    with interpose(lambda _, kernel, tensors, attrs: kernel(*tensors, **attrs)):
        yield


def _time(call: Callable[[], None]) -> float:
    start = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - start)


def _repeat(call: Callable[[], None], seconds: float, fewest: int) -> list[float]:
    """Returns the milliseconds of calls that together take some seconds."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < _MOST and (len(times) < fewest or time.perf_counter() < end):
        times.append(_time(call))
    return times


@contextmanager
def _peak(ctx: mx.Context) -> Iterator[list[int]]:
    """Yields a list that gets the growth of the peak of memory: of a GPU, or of this process."""
    grown = [0]
    if ctx.device_type == "gpu":
        torch.cuda.reset_peak_memory_stats(ctx.device_id)
        before = torch.cuda.memory_allocated(ctx.device_id)
        yield grown
        grown[0] = torch.cuda.max_memory_allocated(ctx.device_id) - before
    else:
        before = _resident()
        yield grown
        grown[0] = _resident() - before


def _resident() -> int:
    """Returns the largest memory that this process has had, in bytes; 0 if nothing tells it."""
    try:
        resource = importlib.import_module("resource")
    except ImportError:  # on Windows
        return 0
    peak = int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return peak if sys.platform == "darwin" else peak * _KIB


def _shown(value: float) -> str:
    """Returns a number with three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _print(model: Model, ctx: mx.Context, rows: Sequence[Row]) -> None:
    shapes = " ".join(
        f"{printable(name)}={','.join(map(str, shape))}" for name, shape in model.shapes.items()
    )
    guessed = " (guessed; --shape changes it)" if model.guessed else ""
    threads = f", {plural(torch.get_num_threads(), 'thread')}" if ctx.device_type == "cpu" else ""
    write(f"{printable(model.name)} on {ctx}{threads}, {shapes}{guessed}")
    measured = [row for row in rows if row.milliseconds is not None]
    headings = ["mode", "batch", "p50 ms", "p90 ms", "p99 ms", "samples/s", "first ms", "memory"]
    fields = [
        (
            row.mode,
            row.batch,
            *map(_shown, (row.milliseconds or {}).values()),
            _shown(row.throughput),
            _shown(row.first_call),
            f"+{size(row.memory)}",
        )
        for row in measured
    ]
    for line in table(headings, fields, "<>>>>>>>"):
        write(line)
    for row in rows:
        if row.note or row.problem:
            write(f"{row.mode}, batch {row.batch}: {row.problem or row.note}")
