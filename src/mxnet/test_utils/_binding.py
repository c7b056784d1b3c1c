"""Arrays for the arguments of symbols, and simple runs."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mxnet import ndarray as nd
from mxnet.context import Context
from mxnet.errors import ArgumentValueError
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol
from mxnet.test_utils._running import default_context, default_dtype


def as_ndarray(value: Any, ctx: Context, dtype: Any) -> NDArray:
    """Returns an array on a context; arrays of this package keep their element type."""
    if isinstance(value, NDArray):
        return value.as_in_context(ctx)
    return nd.array(value, ctx=ctx, dtype=dtype)


def _by_name(
    role: str, names: Sequence[str], given: Any, ctx: Context, dtype: Any
) -> OrderedDict[str, NDArray]:
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise ArgumentValueError(
                f"the symbol has the {role} {', '.join(names)}; given are {', '.join(given)}"
            )
        pairs: Iterable[tuple[str, Any]] = ((name, given[name]) for name in names)
    else:
        if len(given) < len(names):
            raise ArgumentValueError(
                f"the symbol has {len(names)} {role} ({', '.join(names)}); given are {len(given)}"
            )
        pairs = zip(names, given, strict=False)
    return OrderedDict((name, as_ndarray(value, ctx, dtype)) for name, value in pairs)


def _parse_location(
    sym: Symbol, location: Any, ctx: Context, dtype: Any = None
) -> OrderedDict[str, NDArray]:
    """Returns arrays for the arguments of a symbol from a list or a dictionary."""
    chosen_dtype = default_dtype() if dtype is None else dtype
    return _by_name("arguments", sym.list_arguments(), location, ctx, chosen_dtype)


def _parse_aux_states(
    sym: Symbol, aux_states: Any, ctx: Context, dtype: Any = None
) -> OrderedDict[str, NDArray] | None:
    """Returns arrays for the auxiliary states of a symbol from a list or a dictionary."""
    if aux_states is None:
        return None
    chosen_dtype = default_dtype() if dtype is None else dtype
    return _by_name("auxiliary states", sym.list_auxiliary_states(), aux_states, ctx, chosen_dtype)


def simple_forward(
    sym: Symbol, ctx: Context | None = None, is_train: bool = False, **inputs: Any
) -> Any:
    """Runs a symbol once.

    Args:
        sym: The symbol.
        ctx: Context, the current one if None.
        is_train: Whether to run as in training.
        **inputs: Arrays of the arguments.

    Returns:
        The output as NumPy's array, or a list of the outputs if there are several.
    """
    place = default_context() if ctx is None else ctx
    arrays = {name: nd.array(value, ctx=place) for name, value in inputs.items()}
    executor = sym.bind(place, args=arrays)
    executor.forward(is_train=is_train)
    outputs = [output.asnumpy() for output in executor.outputs]
    return outputs[0] if len(outputs) == 1 else outputs


def same_symbol_structure(sym1: Symbol, sym2: Symbol) -> bool:
    """Returns whether two symbols have the same operators, connected alike; names do not count."""

    def structure(sym: Symbol) -> list[tuple[str, list[Any]]]:
        nodes = json.loads(sym.tojson())["nodes"]
        return [(node["op"], [entry[:2] for entry in node["inputs"]]) for node in nodes]

    return structure(sym1) == structure(sym2)


def check_speed(
    sym: Symbol,
    location: Mapping[str, Any] | None = None,
    ctx: Context | None = None,
    N: int = 20,
    grad_req: Any = None,
    typ: str = "whole",
    **kwargs: Any,
) -> float:
    """Measures how long a symbol takes.

    Args:
        sym: The symbol.
        location: Arrays of the arguments by name, random ones if None.
        ctx: Context, the current one if None.
        N: How often to run it.
        grad_req: What to do with gradients, `"write"` if None.
        typ: `"whole"` for the way forward and back, `"forward"` for the way forward.
        **kwargs: Shapes of the arguments, if there is no `location`.

    Returns:
        Seconds per run.
    """
    if typ not in ("whole", "forward"):
        raise ArgumentValueError(f"check_speed: typ takes 'whole' or 'forward', got {typ!r}")
    place = default_context() if ctx is None else ctx
    shapes = kwargs if location is None else {k: np.shape(v) for k, v in location.items()}
    whole = typ == "whole"
    executor = sym.simple_bind(place, grad_req=(grad_req or "write") if whole else "null", **shapes)
    for name, array in executor.arg_dict.items():
        array[:] = np.random.normal(size=array.shape) if location is None else location[name]

    def run(times: int) -> None:
        for _ in range(times):
            executor.forward(is_train=whole)
            if whole:
                executor.backward(executor.outputs)
        nd.waitall()

    run(1)
    begin = time.perf_counter()
    run(N)
    return (time.perf_counter() - begin) / N
