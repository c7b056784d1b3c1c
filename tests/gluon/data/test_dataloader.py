"""Batches: the same for any number of workers, and of every kind of sample."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import data, nn
from mxnet.gluon.data.dataloader import default_mp_batchify_fn

from .datasets import Computed, Drawing

ROOT = Path(__file__).parents[3]
WORKERS = pytest.mark.parametrize(
    ("workers", "thread_pool"), [(0, False), (1, False), (2, False), (4, False), (2, True)]
)


def plain(batch):
    """Returns a batch with NumPy lists in place of arrays."""
    if isinstance(batch, mx.nd.NDArray):
        return str(np.dtype(batch.dtype)), batch.asnumpy().tolist()
    if isinstance(batch, dict):
        return {key: plain(item) for key, item in batch.items()}
    return [plain(item) for item in batch] if isinstance(batch, (list, tuple)) else batch


@WORKERS
@pytest.mark.parametrize("last_batch", ["keep", "discard", "rollover"])
def test_samples_come_in_order(workers, thread_pool, last_batch):
    arguments = {"last_batch": last_batch, "num_workers": workers, "thread_pool": thread_pool}
    loader = data.DataLoader(Computed(7), 2, **arguments)
    rounds = [[label.asnumpy().tolist() for _, label in loader] for _ in range(2)]
    full = [[0, 1], [2, 3], [4, 5]]
    expected = {
        "keep": [[*full, [6]]] * 2,
        "discard": [full] * 2,
        "rollover": [full, [[6, 0], [1, 2], [3, 4], [5, 6]]],
    }
    assert rounds == expected[last_batch]


@WORKERS
def test_slow_samples_do_not_change_the_order(workers, thread_pool):
    dataset = data.SimpleDataset([0.2, 0, 0.1, 0, 0, 0]).transform(
        lambda seconds: time.sleep(seconds) or seconds
    )
    loader = data.DataLoader(dataset, 1, num_workers=workers, thread_pool=thread_pool)
    assert [batch.asscalar() for batch in loader] == [0.2, 0, 0.1, 0, 0, 0]


def seed(number):
    random.seed(number)
    np.random.seed(number)
    mx.random.seed(number)


def draw(workers, shuffle=True, epochs=2, **kinds):
    loader = data.DataLoader(Drawing(**kinds), 3, shuffle=shuffle, num_workers=workers)
    return [plain(batch) for _ in range(epochs) for batch in loader]


def test_random_samples_are_the_same_for_any_number_of_workers():
    found = []
    for workers in (1, 2, 4, 1):
        seed(5)
        found.append((draw(workers), random.random(), np.random.rand(), mx.nd.random.uniform()))
    assert found[0][0] == found[1][0] == found[2][0] == found[3][0]
    assert len({(python, numpy, float(array)) for _, python, numpy, array in found}) == 1
    assert found[0][0][:4] != found[0][0][4:]


def test_samples_of_no_worker_draw_from_the_generators_of_the_program():
    seed(5)
    expected = [random.random() for _ in range(3)], np.random.rand(3).tolist()
    seed(5)
    samples = data.SimpleDataset(range(3)).transform(
        lambda _: (random.random(), np.random.rand()), lazy=True
    )
    found = list(data.DataLoader(samples, 1, batchify_fn=lambda batch: batch[0]))
    assert found == list(zip(*expected, strict=True))


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("kind", ["python", "numpy", "arrays"])
def test_another_seed_gives_other_samples(workers, kind):
    kinds = {name: name == kind for name in ("python", "numpy", "arrays")}
    seed(5)
    first, second = draw(workers, shuffle=False, **kinds), random.random()
    seed(6)
    assert draw(workers, shuffle=False, **kinds) != first
    assert first[:4] != first[4:]
    seed(5)
    assert draw(workers, shuffle=False, **kinds) == first
    assert random.random() == second


@pytest.mark.parametrize("workers", [0, 2])
def test_samples_that_draw_nothing_leave_the_generators_alone(workers):
    seed(5)
    expected = random.random(), np.random.rand(), mx.nd.random.uniform().asscalar()
    seed(5)
    for _ in data.DataLoader(Computed(), 4, num_workers=workers):
        pass
    assert (random.random(), np.random.rand(), mx.nd.random.uniform().asscalar()) == expected


@WORKERS
def test_every_kind_of_sample(workers, thread_pool):
    samples = [
        {
            "pair": (np.full(2, number), (number, number + 0.5)),
            "array": mx.nd.full((2, 1), number, dtype="int32"),
            "flag": number > 1,
            "bytes": np.uint8(number),
        }
        for number in range(3)
    ]
    loader = data.DataLoader(samples, 2, num_workers=workers, thread_pool=thread_pool)
    assert [plain(batch) for batch in loader] == [
        {
            "pair": [("int64", [[0, 0], [1, 1]]), [("int64", [0, 1]), ("float64", [0.5, 1.5])]],
            "array": ("int32", [[[0], [0]], [[1], [1]]]),
            "flag": ("bool", [False, False]),
            "bytes": ("uint8", [0, 1]),
        },
        {
            "pair": [("int64", [[2, 2]]), [("int64", [2]), ("float64", [2.5])]],
            "array": ("int32", [[[2], [2]]]),
            "flag": ("bool", [True]),
            "bytes": ("uint8", [2]),
        },
    ]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int64", "bool"])
@pytest.mark.parametrize("length", [10, 20_000, 3_000_000])
def test_arrays_of_any_size_come_from_workers(dtype, length):
    values = mx.nd.array(np.arange(length) % 200, dtype=dtype)
    dataset = data.SimpleDataset(range(3)).transform(lambda _: (values, values.asnumpy()))
    for arrays in data.DataLoader(dataset, 1, num_workers=2):
        for array in arrays:
            assert array.dtype == values.dtype
            assert array.context == mx.Context("cpu_shared", 0)
            assert (array.asnumpy()[0] == values.asnumpy()).all()


def test_batches_that_are_kept_keep_their_values():
    batches = list(data.DataLoader(Computed(200, (10, 1000)), 2, num_workers=2))
    assert [batch[0, 0, 0].asscalar() for batch, _ in batches] == list(range(0, 200, 2))
    batches[0][0][:] = 7
    assert batches[1][0].asnumpy().max() == 3


def test_a_part_of_a_large_array_goes_alone():
    large = mx.nd.arange(4_000_000).reshape((4, -1))
    loader = data.DataLoader([large[0:2], large[2:4]], 1, batchify_fn=list, num_workers=1)
    (first,), (second,) = loader
    assert first.shape == second.shape == (2, 1_000_000)
    assert first[1, 0].asscalar() == 1_000_000
    assert second[0, 0].asscalar() == 2_000_000


def test_a_network_takes_batches_from_workers():
    net = nn.Dense(2, weight_initializer="ones")
    net.initialize()
    for pin_memory in (False, True):
        for batch, _ in data.DataLoader(Computed(4), 2, num_workers=1, pin_memory=pin_memory):
            with mx.autograd.record():
                output = net(batch)
            output.backward()
            assert (output.asnumpy() == batch.asnumpy().sum(axis=1, keepdims=True)).all()


@WORKERS
def test_two_iterators_at_once(workers, thread_pool):
    loader = data.DataLoader(Computed(6), 2, num_workers=workers, thread_pool=thread_pool)
    pairs = [
        (one[1].asnumpy().tolist(), two[1].asnumpy().tolist())
        for one, two in zip(loader, loader, strict=True)
    ]
    assert pairs == [([0, 1], [0, 1]), ([2, 3], [2, 3]), ([4, 5], [4, 5])]
    assert len(loader) == 3


def test_a_changed_dataset_is_seen_by_the_next_iteration():
    dataset = Computed(4)
    loader = data.DataLoader(dataset, 4, num_workers=1)
    assert next(iter(loader))[0].asnumpy().max() == 3
    dataset._arrays[:] = 9
    assert next(iter(loader))[0].asnumpy().max() == 9


def test_samplers_without_a_length_or_an_end():
    def endless():
        while True:
            yield [0, 1]

    loader = data.DataLoader(Computed(4), batch_sampler=endless(), num_workers=2)
    for number, (_, label) in enumerate(loader):
        assert label.asnumpy().tolist() == [0, 1]
        if number == 20:
            break


@WORKERS
def test_batches_of_indices_of_any_kind(workers, thread_pool):
    for dataset in (Computed(4), data.ArrayDataset(mx.nd.ones((4, 1)), list(range(4)))):
        batches = [np.array([0, 3]), (1, 2), (index for index in (2, 0)), range(2)]
        loader = data.DataLoader(
            dataset, batch_sampler=batches, num_workers=workers, thread_pool=thread_pool
        )
        assert [label.asnumpy().tolist() for _, label in loader] == [[0, 3], [1, 2], [2, 0], [0, 1]]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_sampler_that_raises(workers):
    def broken():
        yield [0]
        raise RuntimeError("the sampler is broken")

    with pytest.raises(RuntimeError, match="the sampler is broken"):
        list(data.DataLoader(Computed(4), batch_sampler=broken(), num_workers=workers))


def test_far_ahead():
    loader = data.DataLoader(Computed(300), 1, num_workers=2, prefetch=4000)
    assert [label.asscalar() for _, label in loader] == list(range(300))


def test_a_loader_without_batches():
    for workers in (0, 2):
        assert (
            list(data.DataLoader(Computed(1), 2, last_batch="discard", num_workers=workers)) == []
        )


def test_memory_is_written_where_batches_are_sent_from():
    samples = [mx.nd.ones(2), mx.nd.zeros(2)]
    batch = default_mp_batchify_fn(samples)
    assert batch.context == mx.Context("cpu_shared", 0)
    samples[0][:] = 5
    assert batch.asnumpy().tolist() == [[1, 1], [0, 0]]


def test_merged_numbers_are_copies():
    values = np.arange(3)
    batch = data.dataloader.default_batchify_fn(values)
    values[:] = 7
    assert batch.asnumpy().tolist() == [0, 1, 2]


SPAWN = """
import multiprocessing
import mxnet as mx
from mxnet.gluon import data
from tests.gluon.data.datasets import Computed

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    dataset = Computed(6, (100, 100)).transform_first(data.vision.transforms.Cast("float64"))
    loader = data.DataLoader(dataset, 2, num_workers=1)
    workers = []
    for _ in range(2):
        for batch, label in loader:
            print(batch.dtype.__name__, batch[:, 0, 0].asnumpy().tolist(), label.asnumpy().tolist())
        workers += multiprocessing.active_children()
    print(len(workers), workers[0] is workers[1])
    for batch, label in loader:
        print(label.asnumpy().tolist())
        break
    print(multiprocessing.active_children())
"""


def test_workers_that_are_spawned(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(SPAWN)
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    result = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert result.stdout.splitlines() == [
        "float64 [0.0, 1.0] [0, 1]",
        "float64 [2.0, 3.0] [2, 3]",
        "float64 [4.0, 5.0] [4, 5]",
        "float64 [0.0, 1.0] [0, 1]",
        "float64 [2.0, 3.0] [2, 3]",
        "float64 [4.0, 5.0] [4, 5]",
        "2 True",
        "[0, 1]",
        "[]",
    ], result.stderr
