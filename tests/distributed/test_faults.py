"""What ranks see when another one dies, hangs, or has fewer batches than they have."""

import os
import signal
import time

import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._state import processes
from mxnet.gluon import nn
from tests.distributed._ranks import run_ranks, wait_for_all

SECONDS = 4
"""How long others are waited for here."""


def train_with_a_fault(fault, sharded, folder):
    """Trains until an error, and returns it with the seconds since the fault."""
    wait_for_all(folder)
    rank = int(os.environ["RANK"])
    net = nn.Dense(4, in_units=4)
    if sharded:
        gluon.shard(net)
    net.initialize()
    store = None if sharded else mx.kv.create("dist_sync")
    trainer = gluon.Trainer(net.collect_params(), "sgd", kvstore=store, update_on_kvstore=False)
    begin = time.monotonic()
    try:
        for step in range(6):
            if step == 3:
                begin = time.monotonic()
                if rank == 1 and fault == "dies":
                    os.kill(os.getpid(), signal.SIGKILL)
                if rank == 1 and fault == "hangs":
                    time.sleep(2 * SECONDS)
                if rank == 1 and fault == "has fewer batches":
                    break
            with autograd.record():
                loss = net(mx.nd.ones((2, 4))).sum()
            loss.backward()
            trainer.step(2)
        mx.nd.waitall()
        if fault == "has fewer batches":  # as at the end of an epoch
            processes.barrier("epoch")
    except mx.MXNetError as error:
        return str(error), time.monotonic() - begin
    return None, time.monotonic() - begin


@pytest.mark.parametrize(
    ("fault", "sharded"),
    [
        ("dies", True),
        ("hangs", False),
        ("has fewer batches", True),
        pytest.param("dies", False, marks=pytest.mark.slow),
        pytest.param("hangs", True, marks=pytest.mark.slow),
        pytest.param("has fewer batches", False, marks=pytest.mark.slow),
    ],
)
def test_a_lost_rank_is_an_error_on_the_others_in_time(tmp_path, fault, sharded):
    variables = {"MXNET_KVSTORE_TIMEOUT": str(SECONDS)}
    started = tmp_path / "started"
    started.mkdir()
    ended = run_ranks(
        *(train_with_a_fault, 3, tmp_path, fault, sharded, started), env=variables, check=False
    )
    assert ended[1].code == (-signal.SIGKILL if fault == "dies" else 0), ended[1].output
    for rank in (0, 2) if fault == "dies" else (0, 1, 2):
        assert ended[rank].code == 0, ended[rank].output
        message, seconds = ended[rank].result
        assert f"rank {rank} of 3 lost the others" in message
        assert "MXNET_KVSTORE_TIMEOUT changes" in message
        assert seconds < 4 * SECONDS
