from __future__ import annotations

import asyncio
import contextvars
import os
import pickle
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import limits
from mxnet.errors import AttributeValueError, LimitExceededError, UnknownNameError


def test_check_names_who_asks_how_much_and_the_limit():
    with limits.scope(array_bytes=1000):
        limits.check("array_bytes", 1000, "zeros")
        with pytest.raises(LimitExceededError, match=r"zeros: asks for 1,001 bytes.*is 1,000"):
            limits.check("array_bytes", 1001, "zeros")


def test_scope_gives_back_what_was_there():
    before = limits.get("array_bytes")
    with pytest.raises(ZeroDivisionError), limits.scope(array_bytes=7):
        assert limits.get("array_bytes") == 7
        raise ZeroDivisionError
    assert limits.get("array_bytes") == before


def in_thread(work):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def read():
    return limits.get("array_bytes")


def test_scopes_that_overlap_in_two_threads_leave_nothing_behind():
    before, entered, left = read(), threading.Event(), threading.Event()

    def hold():
        with limits.scope(array_bytes=1):
            entered.set()
            assert left.wait(10)
            return read()

    with ThreadPoolExecutor(1) as pool:
        with limits.scope(array_bytes=10**15):
            held = pool.submit(hold)
            assert entered.wait(10)
            assert read() == 10**15
        left.set()
        assert held.result() == 1
        assert pool.submit(read).result() == before
    assert read() == before


def test_a_scope_of_another_thread_is_not_checked_here():
    with limits.scope(array_bytes=1):
        in_thread(lambda: limits.check("array_bytes", 100, "zeros"))
        with pytest.raises(LimitExceededError):
            limits.check("array_bytes", 100, "zeros")


def test_scopes_nest_and_end_in_any_order():
    before = read()
    with limits.scope(array_bytes=5, graph_nodes=6):
        with limits.scope(array_bytes=7):
            assert (read(), limits.get("graph_nodes")) == (7, 6)
        assert read() == 5
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(limits.scope(array_bytes=8))
        second.enter_context(limits.scope(array_bytes=9))
        first.close()
        assert read() == 9
        second.close()
        assert read() == before


def test_interleaved_generators_leave_nothing_behind():
    def steps(value):
        with limits.scope(array_bytes=value):
            yield
            yield

    before, one, two = read(), steps(11), steps(12)
    next(one), next(two)
    one.close()
    assert read() == 12
    in_thread(two.close)  # whose context has no such block
    assert read() == before


def test_set_inside_of_a_scope_holds_after_it():
    before = read()
    try:
        with limits.scope(array_bytes=5):
            assert limits.set("array_bytes", 6) == before
            assert read() == 5
            assert in_thread(read) == 6
        assert read() == 6
    finally:
        limits.set("array_bytes", before)


@pytest.mark.parametrize("values", [{"array_bytes": -1}, {"graph_nodes": 5, "array_bytes": "1"}])
def test_a_scope_of_wrong_values_changes_nothing(values):
    before = (read(), limits.get("graph_nodes"))
    with pytest.raises(AttributeValueError, match="array_bytes"), limits.scope(**values):
        pass
    with pytest.raises(UnknownNameError), limits.scope(graph_nodes=1, arraybytes=1):
        pass
    assert (read(), limits.get("graph_nodes")) == before


def test_tasks_and_copied_contexts_have_the_limits_of_where_they_were_made():
    async def hold(value, seen):
        with limits.scope(array_bytes=value):
            await asyncio.sleep(0)
            seen.append((value, read()))

    async def run():
        seen = []
        await asyncio.gather(*(hold(value, seen) for value in range(20)))
        with limits.scope(array_bytes=30):
            task = asyncio.ensure_future(asyncio.sleep(0, read))
            copied = contextvars.copy_context()
        return seen, (await task), copied

    before = read()
    seen, _, copied = asyncio.run(run())
    assert all(value == found for value, found in seen)
    assert copied.run(read) == 30
    assert read() == before


def test_carry_gives_a_thread_the_limits_of_the_code_that_starts_it():
    with limits.scope(array_bytes=77):
        take = limits.carry()
    before = read()
    with ThreadPoolExecutor(1, initializer=take) as pool:
        assert pool.submit(read).result() == 77
    assert read() == before


class Asking(mx.gluon.data.Dataset):
    """A dataset whose samples are the limit where they are read."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return np.int64(read())


@pytest.mark.parametrize("options", [{}, {"num_workers": 1}, {"num_workers": 1, "thread_pool": 1}])
def test_workers_of_a_loader_have_the_limits_of_where_it_is_iterated(options):
    loader = mx.gluon.data.DataLoader(Asking(), 2, **options)
    with limits.scope(array_bytes=10**6):
        assert [batch.asnumpy().tolist() for batch in loader] == [[10**6] * 2] * 2
    assert in_thread(lambda: next(iter(loader)).asnumpy()[0]) == read()


def test_threads_of_a_prefetching_iterator_have_the_limits_of_where_it_was_made():
    class Iterator(mx.io.NDArrayIter):
        def next(self):
            seen.append(read())
            return super().next()

    seen = []
    with limits.scope(array_bytes=10**6):
        iterator = mx.io.PrefetchingIter(Iterator(np.zeros((4, 1)), batch_size=2))
    list(iterator)
    assert set(seen) == {10**6}


def test_a_spawned_process_can_be_given_limits():
    program = (
        "import pickle, sys; import mxnet as mx; pickle.load(sys.stdin.buffer)(); "
        "print(mx.limits.get('array_bytes'), mx.limits.get('graph_nodes'))"
    )
    before = limits.set("graph_nodes", 123)
    try:
        with limits.scope(array_bytes=456):
            carried = pickle.dumps(limits.carry())
    finally:
        limits.set("graph_nodes", before)
    run = subprocess.run([sys.executable, "-c", program], input=carried, stdout=-1, check=True)
    assert run.stdout == b"456 123\n"


def test_a_generator_that_another_task_closes_leaves_nothing_behind():
    before = limits.get("array_bytes")

    async def steps():
        with limits.scope(array_bytes=10**15):
            yield

    async def main():
        generator = steps()
        await anext(generator)
        await asyncio.create_task(generator.aclose())
        return limits.get("array_bytes")

    assert asyncio.run(main()) == before


def test_blocks_inside_of_a_long_one_are_forgotten():
    with limits.scope(array_bytes=10**9):
        for _ in range(1000):
            with limits.scope(graph_nodes=5):
                pass
        (outer,) = limits._blocks()
        assert len(outer.holders) < 20


def test_set_returns_what_was_there():
    before = limits.set("array_bytes", 10)
    assert limits.set("array_bytes", before) == 10


@pytest.mark.parametrize("value", [-1, 1.5, "1", None, True])
def test_a_limit_is_a_whole_number(value):
    with pytest.raises(AttributeValueError, match="array_bytes"):
        mx.limits.set("array_bytes", value)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match=r"there are .*array_bytes"):
        limits.get("arraybytes")


def test_environment_sets_a_limit():
    program = "import mxnet as mx; print(mx.limits.get('array_bytes'))"
    environment = os.environ | {"MXNET_LIMIT_ARRAY_BYTES": "12345"}
    run = [sys.executable, "-c", program]
    assert subprocess.check_output(run, env=environment, text=True) == "12345\n"


def test_the_documentation_lists_every_limit_with_its_default():
    text = (Path(__file__).parents[1] / "docs" / "security.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", text, re.MULTILINE))
    expected = {name: f"{limit.default:,}" for name, limit in limits._LIMITS.items()}
    assert rows == expected | {"array_bytes": "memory of the machine or container"}
