"""Programs that try to get around limits, or to have elements that were never computed.

A program on arrays of a stranger's may fail anywhere, in any thread, and in any order. Whatever is
read must be what was computed, or raise.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import copy
import gc
import os
import pickle
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import mxnet as mx
from mxnet import limits, nd
from tests.security.attack import Attacks

TABLE = Attacks()

LEAST = 1000


def in_thread(work: Callable[[], Any]) -> Any:
    """Runs a function in a thread and returns its result."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    thread.join(5)
    return results[0]


def ask() -> None:
    """Asks for more than `LEAST` bytes."""
    nd.zeros((LEAST,))


def raise_limit() -> contextlib.AbstractContextManager[None]:
    return limits.scope(array_bytes=10**15)


def steps() -> Iterator[None]:
    with raise_limit():
        yield
        yield


def overlap_in_threads() -> None:
    entered, left = threading.Event(), threading.Event()

    def hold() -> None:
        with raise_limit():
            entered.set()
            left.wait(5)

    thread = threading.Thread(target=hold)
    with raise_limit():
        thread.start()
        entered.wait(5)
    left.set()
    thread.join(5)


def interleave_generators() -> None:
    one, two = steps(), steps()
    next(one), next(two)
    one.close()
    two.close()


def close_elsewhere() -> None:
    generator = steps()
    next(generator)
    in_thread(generator.close)


def drop_generator() -> None:
    generator = steps()
    next(generator)
    del generator
    gc.collect()


def end_in_wrong_order() -> None:
    first, second = raise_limit(), raise_limit()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    second.__exit__(None, None, None)


def raise_in_task() -> None:
    async def raised() -> None:
        raise_limit().__enter__()

    asyncio.run(raised())


def raise_in_copy() -> None:
    contextvars.copy_context().run(raise_limit().__enter__)


def raise_in_thread() -> None:
    in_thread(raise_limit().__enter__)


def raise_and_fail() -> None:
    with contextlib.suppress(ZeroDivisionError), raise_limit():
        raise ZeroDivisionError


def give_wrong_values() -> None:
    for value in (-1, 1.5, "10**15", None, True, float("inf"), [10**15]):
        with contextlib.suppress(mx.MXNetError), limits.scope(array_bytes=value):
            raise AssertionError(f"{value!r} was taken")


def give_unknown_names() -> None:
    with contextlib.suppress(mx.MXNetError), limits.scope(array_bytes=10**15, no_limit=1):
        raise AssertionError("an unknown name was taken")


def nest_deeply() -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(500):
            stack.enter_context(raise_limit())


def carry_away() -> None:
    with raise_limit():
        take = limits.carry()
    in_thread(take)


def _attack_limit(_folder: Path, attempt: Any) -> None:
    """Attempts to leave a limit raised, and then asks for too much."""
    with limits.scope(array_bytes=LEAST):
        attempt()
        ask()


LIMITS = (overlap_in_threads, interleave_generators, close_elsewhere, drop_generator)
LIMITS += (end_in_wrong_order, raise_in_task, raise_in_copy, raise_in_thread, raise_and_fail)
LIMITS += (give_wrong_values, give_unknown_names, nest_deeply, carry_away)
TABLE.add_each(
    "limit", [(item.__name__, item) for item in LIMITS], _attack_limit, names="array_bytes"
)


@TABLE.add(names="takes a whole number")
def limit_in_the_environment(_folder: Path) -> None:
    with contextlib.ExitStack() as stack:
        stack.callback(os.environ.pop, "MXNET_LIMIT_ARRAY_BYTES")
        os.environ["MXNET_LIMIT_ARRAY_BYTES"] = "1e30"
        limits._read_environment("array_bytes", LEAST)


def failed() -> mx.nd.NDArray:
    return nd.linalg.potrf(nd.array([[1.0, 2.0], [2.0, 1.0]]))


def known() -> mx.nd.NDArray:
    """Returns a failed array whose error the program knows of."""
    array = failed()
    with contextlib.suppress(mx.MXNetError):
        array.asnumpy()
    return array


def after_another() -> Any:
    array = failed()
    known()
    return array.asnumpy()


def after_all() -> Any:
    array = failed()
    with contextlib.suppress(mx.MXNetError):
        nd.waitall()
    return array.asnumpy()


def after_many() -> Any:
    arrays = [failed() for _ in range(100)]
    return [known() for _ in range(100)] and arrays[0].asnumpy()


def after_a_thread() -> Any:
    array = failed()

    def read() -> None:
        with contextlib.suppress(mx.MXNetError):
            array.asnumpy()

    in_thread(read)
    return array.asnumpy()


def by_gradient() -> Any:
    x = nd.ones((2, 2))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.dot(x, known())
    y.backward()
    with contextlib.suppress(mx.MXNetError):
        y.asnumpy()
    return x.grad.asnumpy()


def by_head_gradient() -> Any:
    x = nd.ones((2, 2))
    x.attach_grad()
    with mx.autograd.record():
        y = x * 2
    y.backward(known())
    return x.grad.asnumpy()


def by_executor() -> Any:
    executor = (mx.sym.var("x") * 2).bind(mx.cpu(), {"x": known()})
    return executor.forward()[0].asnumpy()


def by_network() -> Any:
    net = mx.gluon.nn.Dense(2)
    net.initialize()
    net.hybridize()
    net(nd.ones((2, 2)))
    return net(known()).asnumpy()


def by_out() -> Any:
    out = nd.ones((2, 2))
    nd.broadcast_add(known(), nd.ones((2, 2)), out=out)
    with contextlib.suppress(mx.MXNetError):
        out.wait_to_read()
    return out.asnumpy()


def by_half_a_write() -> Any:
    array = known()
    array[0] = 1
    return array.asnumpy()


def by_adding() -> Any:
    array = known()
    array += 1
    return array.asnumpy()


def by_writing_a_row() -> Any:
    array = known()
    row = array[0]
    row[:] = 1
    return array.asnumpy()


def by_assigning() -> Any:
    array = nd.ones((2, 2))
    array[:] = known()
    return array.asnumpy()


FAILED: dict[str, Callable[[], Any]] = {
    "twice": lambda: known().asnumpy(),
    "copy": lambda: copy.deepcopy(known()).asnumpy(),
    "view": lambda: known()[0:1].reshape((2,)).asnumpy(),
    "scalar": lambda: known()[0, 0].asscalar(),
    "text": lambda: str(known()),
    "numpy": lambda: np.asarray(known()),
    "torch": lambda: known().to_torch().numpy(),
    "dlpack": lambda: known().to_dlpack_for_read(),
    "pickle": lambda: pickle.dumps(known()),
    "np_dialect": lambda: known().as_np_ndarray().tolist(),
    "metric": lambda: mx.metric.create("mse").update([nd.ones((2, 2))], [known()]),
    "iterator": lambda: [b.data[0].asnumpy() for b in mx.io.NDArrayIter(known(), batch_size=2)],
}
for function in (after_another, after_all, after_many, after_a_thread, by_gradient, by_executor):
    FAILED[function.__name__] = function
for function in (by_head_gradient, by_network, by_out, by_half_a_write, by_adding, by_assigning):
    FAILED[function.__name__] = function
FAILED[by_writing_a_row.__name__] = by_writing_a_row

TABLE.add_each("failed", FAILED.items(), lambda _folder, read: read(), names="positive-definite")


@TABLE.add(names="positive-definite")
def failed_in_a_file(folder: Path) -> None:
    nd.save(str(folder / "array"), known())
