"""Parts of a batch that are computed in threads."""

import threading

import pytest

from mxnet.errors import MXNetError
from mxnet.ops.nn import batch_parts
from mxnet.ops.nn.batch_parts import has_other_parts, meet, run_in_turns


def add_up(offers):
    return [sum(offers)] * len(offers)


def test_a_part_alone_meets_itself():
    assert not has_other_parts()
    assert meet("here", 3, add_up) == 3


def test_all_parts_get_what_all_have_offered():
    assert run_in_turns([lambda i=i: meet("here", i, add_up) for i in (1, 2, 4)]) == [7, 7, 7]


def test_each_part_gets_its_own_answer():
    def double(offers):
        return [2 * offer for offer in offers]

    assert run_in_turns([lambda i=i: meet("here", i, double) for i in range(3)]) == [0, 2, 4]


def test_parts_can_meet_again_and_again():
    def task(number):
        total = number
        for place in "abc":
            total = meet(place, total, add_up)
        return total

    assert run_in_turns([lambda: task(1), lambda: task(2)]) == [12, 12]


def test_only_one_part_runs_at_a_time_and_always_in_the_same_order():
    seen = []

    def task(number):
        for place in "ab":
            seen.append((place, number))
            meet(place, number, add_up)
        seen.append(("end", number))

    run_in_turns([lambda i=i: task(i) for i in range(3)])
    assert seen == [
        *(("a", number) for number in (0, 1, 2)),
        *(("b", number) for number in (2, 0, 1)),
        *(("end", number) for number in (1, 2, 0)),
    ]


def test_parts_need_not_meet():
    assert run_in_turns([lambda: 1, lambda: 2]) == [1, 2]


def test_a_part_that_does_not_come_is_an_error():
    with pytest.raises(MXNetError, match="here: the parts of a batch on several contexts must all"):
        run_in_turns([lambda: meet("here", 1, add_up), lambda: 2])


def test_parts_that_come_to_different_places_are_an_error():
    tasks = [lambda: meet("here", 1, add_up), lambda: meet("there", 1, add_up)]
    with pytest.raises(MXNetError, match="must all come here"):
        run_in_turns(tasks)


def test_the_error_of_a_part_is_raised_and_no_thread_stays():
    def fail():
        raise KeyError("mine")

    before = threading.active_count()
    with pytest.raises(KeyError, match="mine"):
        run_in_turns([lambda: meet("here", 1, add_up), fail])
    assert threading.active_count() == before


def test_an_error_while_combining_is_raised():
    def fail(offers):
        raise ValueError(f"{offers}")

    with pytest.raises(ValueError, match=r"\[1, 2\]"):
        run_in_turns([lambda i=i: meet("here", i, fail) for i in (1, 2)])


def test_a_part_that_waits_too_long_gives_up(monkeypatch):
    monkeypatch.setattr(batch_parts, "_LONGEST_TURN", 0.05)
    given_up = threading.Event()

    def wait_for_nobody():
        try:
            meet("here", 1, add_up)
        finally:
            given_up.set()

    with pytest.raises(MXNetError, match=r"waited 0.05 s for part 1"):
        run_in_turns([wait_for_nobody, lambda: given_up.wait(10)])
