"""Traces are what Perfetto expects."""

from __future__ import annotations

import json
import os
from collections import defaultdict

import pytest

import mxnet as mx
from mxnet import autograd, nd, profiler
from mxnet.gluon import nn
from mxnet.profiler._reports import Events, TraceFile
from mxnet.profiler._spans import Kernel, ThreadLog
from tests.profiler.profiled import events, profiled


def make_trace():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 3), nn.BatchNorm(), nn.Dense(3))
    net.initialize()
    net.hybridize()
    domain = profiler.Domain("own")
    with profiled(profile_all=True), domain.new_task("all"), domain.new_task("same"):
        for _ in range(3):
            with autograd.record():
                y = net(nd.ones((2, 1, 5, 5)))
            y.backward()
            domain.new_marker("step").mark()
            domain.new_counter("count", 3)
        with profiler.Event("event"), domain.new_frame("frame"):
            nd.waitall()
    profiler.dump()
    return events()


def test_every_event_has_the_fields_of_its_phase():
    needed = {
        "M": {"args"},
        "X": {"ts", "dur", "cat"},
        "C": {"ts", "args", "cat"},
        "i": {"ts", "s", "cat"},
        "b": {"ts", "id", "cat"},
        "e": {"ts", "id", "cat"},
    }
    phases = set()
    for event in make_trace():
        assert {"name", "ph", "pid", "tid", *needed[event["ph"]]} <= {*event}
        phases.add(event["ph"])
    assert phases == {*needed}


def test_events_are_in_the_order_of_time_and_named_before():
    named, last = set(), 0.0
    for event in make_trace():
        if event["ph"] == "M":
            named.add((event["name"], event["pid"], event["tid"]))
            continue
        assert ("process_name", event["pid"], 0) in named
        assert ("thread_name", event["pid"], event["tid"]) in named
        assert event["ts"] >= last
        last = event["ts"]


def test_spans_of_a_thread_do_not_overlap_unless_one_is_in_the_other():
    rows = defaultdict(list)
    for event in make_trace():
        if event["ph"] == "X":
            rows[event["pid"], event["tid"]].append(event)
    assert rows
    for spans in rows.values():
        around = []
        for span in spans:
            while around and around[-1] <= span["ts"]:
                around.pop()
            end = span["ts"] + span["dur"]
            assert not around or end <= around[-1] + 0.002, span  # times are rounded
            around.append(end)


def test_what_the_user_marks_begins_and_ends_under_one_number():
    begun, ended = {}, {}
    for event in make_trace():
        if event["ph"] in "be":
            (begun if event["ph"] == "b" else ended)[event["id"]] = event
    assert {event["name"] for event in begun.values()} == {"all", "same", "event", "frame"}
    for number, event in begun.items():
        assert event["cat"] == ended[number]["cat"]
        assert event["ts"] <= ended[number]["ts"]


def test_kernels_have_a_process_for_each_gpu():
    kernels = [Kernel("gemm", 1, 7, 10_000, 30_000), Kernel("relu", 0, 7, 20_000, 25_000)]
    made = Events().make([(ThreadLog(), kernels)])
    names = {
        event["pid"]: event["args"]["name"] for event in made if event["name"] == "process_name"
    }
    spans = [event for event in made if event["ph"] == "X"]
    assert [(names[span["pid"]], span["tid"], span["dur"]) for span in spans] == [
        ("gpu/1", 7, 20.0),
        ("gpu/0", 7, 5.0),
    ]


def test_a_file_is_complete_after_every_addition(tmp_path):
    file = TraceFile(str(tmp_path / "trace.json"))
    for added in (
        [],
        [{"name": "\N{GREEK SMALL LETTER BETA}"}],
        [],
        [{"name": "b"}, {"name": "c"}],
    ):
        file.append(added)
        complete = events(tmp_path / "trace.json")
    assert [event["name"] for event in complete] == ["β", "b", "c"]


def test_names_of_any_kind_are_written():
    name = 'a "name" \\ of\nlines'
    with profiled():
        mx.profiler.Domain(name).new_counter(name, 1)
    profiler.dump()
    assert name in {event["name"] for event in events()}


def some_events(count):
    return [{"name": f"event {number}", "ph": "i", "ts": number} for number in range(count)]


@pytest.fixture
def own(tmp_path):
    """A folder without the files of other profilers."""
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


def events_of(path):
    return len(json.loads(path.read_text())["traceEvents"])


def test_a_trace_is_whole_after_every_part(own):
    path = own / "trace.json"
    path.write_text("old")
    trace = TraceFile(str(path))
    for count, total in ((0, 0), (2, 2), (0, 2), (3, 5)):
        trace.append(some_events(count))
        assert events_of(path) == total
    assert list(own.iterdir()) == [path]


@pytest.mark.parametrize("count", [0, 2])
def test_a_full_disk_leaves_the_trace_as_it_was(own, monkeypatch, count):
    path = own / "trace.json"
    path.write_text("old")
    trace = TraceFile(str(path))
    if count:
        trace.append(some_events(count))
    before = path.read_text()

    def fail(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(mx.MXNetError, match="No space left"):
            trace.append(some_events(3))
    assert [item.read_text() for item in own.iterdir()] == [before]
    trace.append(some_events(3))
    assert events_of(path) == count + 3


def test_a_trace_that_is_gone_is_not_begun_anew(own):
    path = own / "trace.json"
    trace = TraceFile(str(path))
    trace.append(some_events(1))
    path.write_text("shorter")
    with pytest.raises(mx.MXNetError, match=r"lacks .* bytes"):
        trace.append(some_events(1))
    assert path.read_text() == "shorter"


def test_a_large_trace_rests_between_its_parts(own):
    trace = TraceFile(str(own / "trace.json"))
    assert trace.is_due()
    trace.append(some_events(1))
    trace._rests_until += 60
    assert not trace.is_due()
