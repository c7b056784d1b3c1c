"""Tasks, frames, events, counters and scopes of the user; `tests/programs/profiler.py` has more."""

from __future__ import annotations

import json
import threading

import pytest

import mxnet as mx
from mxnet import nd, profiler
from tests.profiler.profiled import counts, profiled


def test_objects_time_a_with_block():
    domain = profiler.Domain("own")
    with profiled(), domain.new_task("task"), domain.new_frame("frame"), profiler.Event("event"):
        pass
    statistics = json.loads(profiler.dumps(format="json"))["Time"]
    assert statistics["own"]["task"]["Count"] == 1
    assert statistics["own,frame"]["frame"]["Count"] == 1
    assert statistics["event"]["event"]["Count"] == 1


def test_what_was_never_started_is_not_noted():
    with profiled():
        profiler.Event("event").stop()
    assert counts("event") == {}


def test_a_counter_goes_below_zero():
    with profiled():
        profiler.Domain("own").new_counter("counter", 2).decrement(5)
    row = json.loads(profiler.dumps(format="json"))["Time"]["own"]["counter"]
    assert (row["Total"], row["Min"], row["Max"]) == (-0.003, -0.003, 0.002)


def test_threads_count_together():
    with profiled():
        counter = profiler.Domain("own").new_counter("counter")

        def work():
            for _ in range(100):
                counter.increment()

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    row = json.loads(profiler.dumps(format="json"))["Time"]["own"]["counter"]
    assert (row["Count"], row["Max"]) == (400, 0.4)


@pytest.mark.parametrize(
    "make",
    [
        lambda: profiler.Domain(3),
        lambda: profiler.Task("domain", "name"),
        lambda: profiler.Frame(profiler.Domain("d"), None),
        lambda: profiler.Counter(None, "name"),
        lambda: profiler.Marker(profiler.Domain("d"), 1),
    ],
)
def test_names_and_domains_are_checked(make):
    with pytest.raises(mx.MXNetError, match=r"takes a (str|Domain), got"):
        make()


def test_scopes_name_the_memory_of_operators():
    x = nd.ones((10, 10))
    with profiled():
        with profiler.scope("outer"):
            nd.relu(x)
            with profiler.scope("inner:"):
                nd.relu(x)
            with profiler.scope("alone", append_mode=False):
                nd.relu(x)
        nd.relu(x)
    assert counts("Operator Memory", "Memory") == {
        "outer:relu": 1,
        "outer:inner:relu": 1,
        "alone:relu": 1,
        "relu": 1,
    }


def test_a_scope_ends_with_an_error():
    with pytest.raises(KeyError), profiler.scope("failing"):
        raise KeyError
    with profiler.scope("next") as name:
        assert name == "next:"
