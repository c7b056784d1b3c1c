"""Options, states and files of the profiler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mxnet as mx
from mxnet import nd, profiler
from mxnet.ops.core.interposing import interposers
from mxnet.profiler._session import session
from tests.profiler.profiled import counts, events, profiled

X = nd.ones((2, 2))


def test_the_program_of_every_tutorial():
    profiler.set_config(profile_all=True, aggregate_stats=True, filename="profile_output.json")
    profiler.set_state("run")
    nd.dot(X, X)
    nd.waitall()
    profiler.set_state("stop")
    table = profiler.dumps()
    profiler.dump()
    assert "\noperator\n=================\n" in table
    assert "\ndot " in table
    assert "dot" in {event["name"] for event in events("profile_output.json")}


def test_statistics_are_kept_only_if_they_are_wanted():
    with profiled(aggregate_stats=False):
        nd.relu(X)
    assert profiler.dumps() == profiler.dumps(format="json") == ""
    with pytest.raises(mx.MXNetError, match="aggregate_stats=True"):
        profiler.dumps(reset=True)


@pytest.mark.parametrize("sort_by", ["total", "avg", "min", "max", "count"])
def test_entries_are_sorted(sort_by):
    with profiled():
        for _ in range(3):
            nd.relu(X)
        nd.dot(nd.ones((200, 200)), nd.ones((200, 200)))
    by_column = {"total": "Total", "avg": "Avg", "min": "Min", "max": "Max", "count": "Count"}
    for ascending in (True, False):
        text = profiler.dumps(format="json", sort_by=sort_by, ascending=ascending)
        rows = json.loads(text)["Time"]["operator"].values()
        values = [row[by_column[sort_by]] for row in rows]
        assert values == sorted(values, reverse=not ascending)


def test_times_add_up():
    with profiled():
        for _ in range(3):
            nd.relu(X)
    row = json.loads(profiler.dumps(format="json"))["Time"]["operator"]["relu"]
    assert row["Count"] == 3
    assert 0 < row["Min"] <= row["Avg"] <= row["Max"] < row["Total"]
    assert row["Avg"] == pytest.approx(row["Total"] / 3)


def test_statistics_can_be_read_while_the_profiler_runs():
    with profiled():
        nd.relu(X)
        assert counts() == {"relu": 1}
        nd.relu(X)
    assert counts() == {"relu": 1}


def test_options_can_change_while_the_profiler_runs():
    with profiled(profile_imperative=False):
        nd.relu(X)
        profiler.set_config(aggregate_stats=True, continuous_dump=False)
        nd.sigmoid(X)
    assert counts() == {"sigmoid": 1}


def test_starting_twice_is_starting_once():
    with profiled():
        profiler.set_state("run")
        nd.relu(X)
    nd.sigmoid(X)
    assert counts() == {"relu": 1}


def test_dump_needs_a_run():
    with pytest.raises(mx.MXNetError, match=r"set_state\('run'\)"):
        profiler.dump()
    with profiled():
        pass
    profiler.dump()
    with pytest.raises(mx.MXNetError, match=r"set_state\('run'\)"):
        profiler.dump()


def test_a_file_that_is_not_finished_grows():
    for number in range(3):
        with profiled(filename="growing.json"):
            nd.relu(X)
        profiler.dump(finished=number == 2)
        names = [event["name"] for event in events("growing.json")]
        assert names.count("relu") == number + 1
        assert names.count("process_name") == len(
            {event["pid"] for event in events("growing.json")}
        )
    with profiled(filename="growing.json"):
        nd.relu(X)
    profiler.dump()
    assert [event["name"] for event in events("growing.json")].count("relu") == 1


def test_the_file_stays_where_it_was_when_the_directory_changes(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    with profiled():
        nd.relu(X)
    profiler.dump(finished=False)
    monkeypatch.chdir(tmp_path / "elsewhere")
    with profiled():
        nd.relu(X)
    profiler.dump()
    names = [event["name"] for event in events(tmp_path / "profile.json")]
    assert names.count("relu") == 2


def test_a_file_that_cannot_be_written_is_reported(tmp_path):
    with profiled(filename=str(tmp_path / "none" / "profile.json")):
        nd.relu(X)
    with pytest.raises(mx.MXNetError, match=r"profiler\.dump"):
        profiler.dump()
    profiler.set_config(filename="elsewhere.json", continuous_dump=False)
    profiler.dump()
    assert "relu" in {event["name"] for event in events("elsewhere.json")}


def test_the_trace_is_written_while_the_program_runs():
    with profiled(continuous_dump=True, dump_period=0.01, filename="live.json"):
        nd.relu(X)
        deadline = time.monotonic() + 20
        while not os.path.exists("live.json") and time.monotonic() < deadline:
            time.sleep(0.01)
        profiler.pause()
        assert "relu" in {event["name"] for event in events("live.json")}
        profiler.resume()
        nd.sigmoid(X)
    profiler.dump()
    names = [event["name"] for event in events("live.json")]
    assert (names.count("relu"), names.count("sigmoid")) == (1, 1)


AUTOSTARTED = "import mxnet as mx; mx.nd.relu(mx.nd.ones(2))"


def test_the_environment_starts_the_profiler(tmp_path):
    environment = {**os.environ, "MXNET_PROFILER_AUTOSTART": "1"}
    source = Path(mx.__file__).parents[1]
    environment["PYTHONPATH"] = str(source)
    subprocess.run([sys.executable, "-c", AUTOSTARTED], cwd=tmp_path, env=environment, check=True)
    assert "relu" in {event["name"] for event in events(tmp_path / "profile.json")}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_is_not_profiled():
    with profiled():
        child = os.fork()
        if child == 0:
            os._exit(int(session.is_running or bool(interposers)))
        _, status = os.waitpid(child, 0)
        assert status == 0
        nd.relu(X)
    assert counts() == {"relu": 1}


@pytest.mark.parametrize(
    "call",
    [
        lambda: profiler.set_config(profile_process="server"),
        lambda: profiler.set_state("run", "server"),
        lambda: profiler.pause("server"),
        lambda: profiler.resume("server"),
        lambda: profiler.dump(profile_process="server"),
    ],
)
def test_there_is_no_server_to_profile(call):
    with pytest.raises(mx.MXNetError, match="use 'worker'"):
        call()


def test_deprecated_functions_warn_and_work():
    with pytest.warns(UserWarning, match="set_config"):
        profiler.profiler_set_config("all", "old.json")
    with pytest.warns(UserWarning, match="set_state"):
        profiler.profiler_set_state("run")
    nd.relu(X)
    with pytest.warns(UserWarning, match=r"dump\(\)"):
        profiler.dump_profile()
    assert "relu" in {event["name"] for event in events("old.json")}
    profiler.set_config(continuous_dump=False)


def test_the_handle_of_a_store_is_kept():
    profiler.set_kvstore_handle("handle")
    assert profiler.profiler_kvstore_handle == "handle"
    profiler.set_kvstore_handle(None)
