"""A profiler that has noted nothing, and a directory for its files."""

from __future__ import annotations

import pytest

from mxnet import profiler


@pytest.fixture(autouse=True)
def fresh_profiler(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _forget()
    yield
    _forget()


def _forget():
    profiler.set_state("run")
    profiler.set_config(aggregate_stats=True, continuous_dump=False, filename="forgotten.json")
    profiler.dump()
    profiler.dumps(reset=True)
    profiler.set_config(continuous_dump=False)
