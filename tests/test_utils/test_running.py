"""Where and how tests run."""

from __future__ import annotations

import os
import sys
import threading

import pytest

import mxnet as mx
from mxnet import test_utils as helpers


@pytest.fixture
def context_after():
    yield
    helpers.set_default_context(mx.cpu(0))


@pytest.mark.usefixtures("context_after")
def test_the_default_context_of_a_thread():
    helpers.set_default_context(mx.cpu(1))
    assert mx.nd.ones(1).context == helpers.default_context() == mx.cpu(1)
    with mx.cpu(2):
        assert helpers.default_context() == mx.cpu(2)
        helpers.set_default_context(mx.cpu(3))
        assert mx.current_context() == mx.cpu(3)
    assert mx.current_context() == mx.cpu(1)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(mx.current_context()))
    thread.start()
    thread.join()
    assert seen == [mx.cpu(0)]


def test_retry_runs_until_the_test_passes():
    tries = []

    @helpers.retry(3)
    def unsteady(value):
        tries.append(value)
        assert len(tries) == 3
        return value

    assert unsteady(5) == 5
    assert unsteady.__name__ == "unsteady"
    with pytest.raises(AssertionError):
        unsteady(6)
    assert len(tries) == 6


def test_retry_lets_other_errors_through():
    tries = []

    @helpers.retry(3)
    def broken():
        tries.append(1)
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        broken()
    assert tries == [1]


def test_environment(monkeypatch):
    monkeypatch.setenv("GLUEBALL_A", "1")
    monkeypatch.delenv("GLUEBALL_B", raising=False)
    with helpers.environment({"GLUEBALL_A": None, "GLUEBALL_B": "2"}):
        assert "GLUEBALL_A" not in os.environ
        assert os.environ["GLUEBALL_B"] == "2"
    assert os.environ["GLUEBALL_A"] == "1"
    assert "GLUEBALL_B" not in os.environ
    with pytest.raises(KeyError), helpers.environment("GLUEBALL_A", "3"):
        raise KeyError
    assert helpers.set_env_var("GLUEBALL_A", "4") == "1"
    assert helpers.set_env_var("GLUEBALL_B", "4", "none") == "none"


def test_discarded_errors(capsys):
    with helpers.discard_stderr():
        print("hidden", file=sys.stderr)
    print("shown", file=sys.stderr)
    assert capsys.readouterr().err == "shown\n"


def test_gpus_are_counted():
    assert helpers.list_gpus() == range(mx.num_gpus())
