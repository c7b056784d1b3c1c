"""Rounds of work that eight threads do at once, each with the result that one thread gets."""

from __future__ import annotations

import contextlib
import threading
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

NUM_THREADS = 8
PATIENCE = 60.0
"""Seconds after which threads that have not come back are taken to block each other."""


class ByName(mx.init.Initializer):
    """Values that depend on the name of the parameter alone, not on who initializes first."""

    def _init_weight(self, name, arr):
        numbers = np.random.RandomState(zlib.crc32(str(name).encode()))
        arr[:] = numbers.uniform(-1, 1, arr.shape)


def run_together(
    work: Callable[[int], Any], count: int = NUM_THREADS, patience: float = PATIENCE
) -> list[Any]:
    """Runs `work(0)`, `work(1)`, ... in threads that begin at once; raises what one raises."""
    start = threading.Barrier(count)
    results: list[Any] = [None] * count
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            start.wait(PATIENCE)
            results[number] = work(number)
        except BaseException as error:  # noqa: BLE001 - it is raised below
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(patience)
    if any(thread.is_alive() for thread in threads):
        raise TimeoutError(f"threads still run after {patience} s: they wait for each other")
    if errors:
        raise errors[0]
    return results


class OnArrays(gluon.HybridBlock):
    """A program on arrays, which is traced anew for each shape."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.inner, self.outer = nn.Dense(8), nn.Dense(3)

    def forward(self, x):
        hidden = self.inner(x.reshape((x.shape[0], -1)))
        return self.outer(nd.relu(hidden) * x.shape[0])


def _convolutional() -> gluon.HybridBlock:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(3, 3, activation="relu"), nn.BatchNorm(), nn.MaxPool2D())
        net.add(nn.Flatten(), nn.Dense(8, activation="relu"), nn.Dense(3))
    return net


def _hybridized() -> gluon.HybridBlock:
    net = _convolutional()
    net.hybridize()
    return net


def _static() -> gluon.HybridBlock:
    net = _convolutional()
    net.hybridize(static_alloc=True, static_shape=True)
    return net


def _on_arrays() -> gluon.HybridBlock:
    net = OnArrays(prefix="arrays_")
    net.hybridize()
    return net


def _of_symbols() -> gluon.HybridBlock:
    data = mx.sym.var("data")
    hidden = mx.sym.FullyConnected(data, num_hidden=8, name="inner")
    outer = mx.sym.FullyConnected(mx.sym.relu(hidden), num_hidden=3, name="outer")
    return gluon.SymbolBlock(outer, data)


NETWORKS: Mapping[str, Callable[[], gluon.HybridBlock]] = {
    "eager": _convolutional,
    "hybridized": _hybridized,
    "static": _static,
    "on_arrays": _on_arrays,
    "of_symbols": _of_symbols,
}


def build(kind: str) -> gluon.HybridBlock:
    net = NETWORKS[kind]()
    net.initialize(ByName())
    return net


def data_of(number: int) -> mx.nd.NDArray:
    """The data of a thread: two batch sizes, so that programs on arrays have two graphs."""
    shape = (2 + number % 2, 1, 8, 8)
    return nd.array(np.random.RandomState(number).uniform(-1, 1, shape))


def differentiate(net: gluon.HybridBlock, data: mx.nd.NDArray) -> None:
    with autograd.record():
        loss = (net(data) ** 2).sum()
    loss.backward()


def train_and_save(kind: str, number: int, folder: Path) -> dict[str, bytes]:
    """Trains a network of the thread's own, saves all there is to save, and returns the files."""
    with mx.name.NameManager():  # counts from 0, whatever the thread has done before
        return _train_and_save(kind, number, folder)


def _train_and_save(kind: str, number: int, folder: Path) -> dict[str, bytes]:
    net, data = build(kind), data_of(number)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1}, kvstore=None)
    for _ in range(2):
        differentiate(net, data)
        trainer.step(len(data))
    files = {name: folder / f"{number}.{name}" for name in ("params", "states", "arrays")}
    net.save_parameters(str(files["params"]))
    trainer.save_states(str(files["states"]))
    nd.save(str(files["arrays"]), {"output": net(data), "gradient": _gradients(net)[0]})
    if kind != "eager":
        net.export(str(folder / str(number)))
        files["graph"] = folder / f"{number}-symbol.json"
        files["exported"] = folder / f"{number}-0000.params"
    found = {name: path.read_bytes() for name, path in files.items()}
    for path in files.values():
        path.unlink()
    return found


def _gradients(net: gluon.HybridBlock) -> list[mx.nd.NDArray]:
    parameters = net.collect_params().values()
    return [parameter.grad() for parameter in parameters if parameter.grad_req != "null"]


class Expected:
    """What one thread gets, for a kind of network."""

    def __init__(self, kind: str, folder: Path) -> None:
        self._kind = kind
        self.first, self.later = [], []
        for number in range(NUM_THREADS):
            net, data = build(kind), data_of(number)
            # The first run goes node by node, later ones by a plan that rounds otherwise.
            self.first.append(net(data).asnumpy())
            self.later.append(net(data).asnumpy())
        self.files = [train_and_save(kind, number, folder) for number in range(NUM_THREADS)]
        net = build(kind)
        net(data_of(0))
        self.parameters = _bytes_of(net, folder / "expected")

    def check_round(self, folder: Path) -> None:
        """Lets threads call, train and save at once, and compares what each gets."""
        net = build(self._kind)

        def work(number: int) -> tuple[Any, ...]:
            first = net(data_of(number)).asnumpy()
            later = net(data_of(number)).asnumpy()
            saved = _bytes_of(net, folder / f"{number}.shared")
            return first, later, saved, train_and_save(self._kind, number, folder)

        for number, (first, later, saved, files) in enumerate(run_together(work)):
            choices = (self.first[number], self.later[number])
            assert any(np.array_equal(first, choice) for choice in choices), (number, first)
            assert np.array_equal(later, self.later[number]), (number, later)
            assert saved == self.parameters, number
            for name, content in self.files[number].items():
                assert files[name] == content, (number, name)


def check_failures(rounds: int) -> None:
    """Lets two threads fail and compute at once; what each reads is its own error, or right.

    They exchange arrays, so that each also reads what failed in the other, before and after that
    one reads it, and now and then they wait for all arrays.
    """
    shared: dict[tuple[int, int], mx.nd.NDArray] = {}

    def work(number: int) -> None:
        good = nd.array([[4.0, 0.0], [0.0, 9.0]]) * (number + 1)
        for step in range(rounds):
            failed, expected = _fail(number, step)
            shared[number, step] = failed
            factor = nd.linalg.potrf(good)
            for reading in _readings(failed, step):
                _check_raises(reading, expected)
            root = np.sqrt(number + 1)
            np.testing.assert_allclose(factor.asnumpy(), [[2 * root, 0], [0, 3 * root]], rtol=1e-6)
            other = shared.get((1 - number, step))
            if other is not None:
                _check_raises(other.asnumpy, _message(1 - number, step))
            if step % 7 == 3:
                with contextlib.suppress(mx.MXNetError):
                    nd.waitall()
            _check_raises(failed.asnumpy, expected)
            shared.pop((number, step - 2), None)

    run_together(work, 2, patience=PATIENCE + rounds / 50)


def _fail(number: int, step: int) -> tuple[mx.nd.NDArray, str]:
    """Returns an array that could not be computed, and what no other error says."""
    failed = nd.random.normal(0, -(2 * step + number + 1), shape=(2, 2))
    return failed, _message(number, step)


def _message(number: int, step: int) -> str:
    return f"expected scale above 0, got -{2 * step + number + 1}.0"


def _readings(failed: mx.nd.NDArray, step: int) -> list[Callable[[], Any]]:
    """Ways in which a failed array is read, others in each step."""
    readings = (
        lambda: failed.asnumpy(),
        lambda: failed[0].copy().asnumpy(),
        lambda: (nd.dot(failed, nd.ones((2, 2))) + 1).sum().asscalar(),
        lambda: str(failed),
        lambda: _gradient(failed).wait_to_read(),
        lambda: failed.wait_to_read(),
    )
    return [readings[(step + shift) % len(readings)] for shift in range(3)]


def _gradient(failed: mx.nd.NDArray) -> mx.nd.NDArray:
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = x * failed
    y.backward()
    return x.grad


def _check_raises(read: Callable[[], Any], expected: str) -> None:
    try:
        found = read()
    except mx.MXNetError as error:
        if expected not in str(error):
            raise AssertionError(f"expected the error {expected!r}, got {error}") from error
    else:
        raise AssertionError(f"an array that failed ({expected}) was read as {found}")


def _bytes_of(net: gluon.HybridBlock, path: Path) -> bytes:
    net.save_parameters(str(path))
    found = path.read_bytes()
    path.unlink()
    return found
