"""Generators of contexts."""

from __future__ import annotations

import threading

import pytest
import torch

from mxnet._state import rng

OWN = [("cpu", 1), ("cpu", 2), ("cpu_pinned", 3)]


def draw(device_type: str, device_id: int) -> list[float]:
    return torch.rand(4, generator=rng.generator_for(device_type, device_id)).tolist()


def test_first_cpu_and_accelerators_use_the_default_generator():
    assert rng.generator_for("cpu", 0) is None
    assert rng.generator_for("gpu", 0) is None
    assert rng.generator_for("gpu", 3) is None


@pytest.mark.parametrize("context", OWN)
def test_other_cpu_contexts_have_their_own(context):
    assert rng.generator_for(*context) is rng.generator_for(*context)
    others = [rng.generator_for(*other) for other in OWN if other != context]
    assert rng.generator_for(*context) not in others


@pytest.mark.parametrize("kind", ["cpu_pinned", "cpu_shared"])
@pytest.mark.parametrize("number", [0, 1])
def test_staged_memory_has_the_generator_of_its_cpu(kind, number):
    assert rng.generator_for(kind, number) is rng.generator_for("cpu", number)
    rng.seed_one(5, kind, number)
    first = draw("cpu", number)
    rng.seed_one(5, "cpu", number)
    assert draw(kind, number) == first


def test_seeding_all_repeats_every_stream_and_keeps_them_different():
    contexts = [("cpu", 0), *OWN]
    rng.seed_all(7)
    first = [draw(*context) for context in contexts]
    rng.seed_all(7)
    assert [draw(*context) for context in contexts] == first
    assert len({tuple(numbers) for numbers in first}) == len(contexts)
    rng.seed_all(8)
    assert all(draw(*context) != old for context, old in zip(contexts, first, strict=True))


def test_a_context_first_used_after_seeding_follows_the_seed():
    rng.seed_all(7)
    first = draw("cpu", 101)
    rng.seed_all(7)
    assert draw("cpu", 101) == first


def test_seeding_one_gives_the_same_numbers_on_each_and_leaves_others_alone():
    rng.seed_all(3)
    untouched = draw("cpu", 2)
    rng.seed_all(3)
    rng.seed_one(11, "cpu", 0)
    rng.seed_one(11, "cpu", 1)
    rng.seed_one(11, "cpu_pinned", 3)
    assert draw("cpu", 0) == draw("cpu", 1) == draw("cpu_pinned", 3)
    assert draw("cpu", 2) == untouched


@pytest.mark.parametrize("seed", [0, -1, 2**31, 2**64 + 5])
def test_any_whole_number_is_a_seed(seed):
    rng.seed_all(seed)
    first = draw("cpu", 0), draw("cpu", 1)
    rng.seed_all(seed)
    assert (draw("cpu", 0), draw("cpu", 1)) == first
    rng.seed_one(seed, "cpu", 1)


def test_threads_get_one_generator_per_context():
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(rng.generator_for("cpu", 55)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(generator) for generator in found}) == 1
