"""A process that is forked while other threads draw random numbers can draw itself."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest
import torch

from mxnet import autograd, nd
from mxnet._state.rng import DRAWS

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning"),
]

PATIENCE = 30.0


def fork_and_draw():
    """Forks a process that seeds and draws; returns how it ended, a signal's number if it hung."""
    child = os.fork()
    if not child:
        np.random.seed(1)
        np.random.rand()
        torch.manual_seed(1)
        torch.rand(())
        os._exit(7)
    end = time.monotonic() + PATIENCE
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            ended = os.waitpid(child, 0)
            break
        time.sleep(0.001)
    return os.waitstatus_to_exitcode(ended[1])


def draw_dropout():
    nd.Dropout(nd.ones((1000, 100)), mode="always")


def draw_recurrent():
    data, state = nd.ones((20, 16, 64)), nd.zeros((2, 16, 64))
    parameters = nd.zeros((2 * (64 * 64 * 2 + 2 * 64),))
    with autograd.train_mode():
        nd.RNN(data, parameters, state, state_size=64, num_layers=2, mode="rnn_tanh", p=0.5)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: np.random.rand(100_000),
        lambda: nd.random.uniform(shape=(100_000,)),
        lambda: nd.shuffle(nd.ones((10_000,))),
        draw_dropout,
        draw_recurrent,
    ],
    ids=["numpy", "uniform", "shuffle", "dropout", "rnn"],
)
def test_while_threads_draw(draw):
    stop = threading.Event()

    def repeat():
        while not stop.is_set():
            draw()

    threads = [threading.Thread(target=repeat) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert [fork_and_draw() for _ in range(5)] == [7] * 5
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_the_parent_draws_on():
    assert fork_and_draw() == 7
    drawn = []
    thread = threading.Thread(
        target=lambda: drawn.append((np.random.rand(), nd.random.uniform().asscalar())), daemon=True
    )
    thread.start()
    thread.join(PATIENCE)
    assert drawn


def test_waits_for_a_thread_that_draws():
    held, is_done = threading.Event(), []

    def hold():
        with DRAWS:
            held.set()
            time.sleep(0.1)
            is_done.append(True)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(PATIENCE)
    assert fork_and_draw() == 7
    assert is_done
    thread.join()
