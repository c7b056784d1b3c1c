"""Networks that are larger than half of the memory that a rank may use."""

import resource
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon
from mxnet._state import processes
from mxnet.gluon import nn
from tests.distributed._ranks import run_ranks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for memory")

BATCH = 4
MEBI = 1 << 20


def used_memory():
    """Returns the bytes that count for the limit of the system on data."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmData"))


def train(width, depth, optimizer, sharded, limit=None):
    """Trains a network of square layers, and returns the sum of the loss at each step."""
    mx.random.seed(2)
    net = nn.Sequential()
    net.add(*(nn.Dense(width, in_units=width, use_bias=False) for _ in range(depth)))
    if sharded:
        gluon.shard(net)
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (used_memory() + limit * MEBI,) * 2)
    net.initialize(mx.init.Xavier())
    # Small steps: what the order of additions changes must stay small.
    options = {"sgd": {"learning_rate": 0.01, "momentum": 0.9}, "adam": {"learning_rate": 1e-6}}
    trainer = gluon.Trainer(net.collect_params(), optimizer, options[optimizer])
    rank, size = (processes.rank(), processes.size()) if sharded else (0, 1)
    share = slice(rank * BATCH // size, (rank + 1) * BATCH // size)
    x = np.random.RandomState(0).randn(BATCH, width).astype(np.float32)[share]
    losses = []
    for _ in range(3):
        with autograd.record():
            loss = net(mx.nd.array(x)).square().sum()
        loss.backward()
        losses.append(float(loss.asscalar()))
        trainer.step(BATCH * width)
    return losses


def train_in_little_memory(width, depth, optimizer, sharded, limit):
    """Returns the losses, or the error of a rank whose memory is short."""
    train(8, 2, optimizer, sharded)  # what the first step of any network allocates
    try:
        return train(width, depth, optimizer, sharded, limit)
    except mx.MXNetError as error:
        return str(error)


@pytest.mark.parametrize(
    ("ranks", "width", "depth", "optimizer", "limit"),
    [(4, 1024, 8, "sgd", 62), pytest.param(4, 2048, 12, "adam", 380, marks=pytest.mark.slow)],
)
def test_a_large_network_trains_in_the_memory_of_small_ranks(
    tmp_path, ranks, width, depth, optimizer, limit
):
    case = (width, depth, optimizer)
    assert width * width * 4 * depth > limit * MEBI / 2
    # Memory that is freed goes back to the system, where the limit sees it.
    env = {"MALLOC_MMAP_THRESHOLD_": str(1 << 16), "MXNET_KVSTORE_TIMEOUT": "60"}
    options = {"env": env, "seconds": 400}
    (alone,) = run_ranks(train_in_little_memory, 1, tmp_path / "1", *case, False, limit, **options)
    assert "memory" in alone.result
    ended = run_ranks(train_in_little_memory, ranks, tmp_path / "n", *case, True, limit, **options)
    sums = np.sum([one.result for one in ended], axis=0)
    np.testing.assert_allclose(sums, train(*case, sharded=False), rtol=1e-5)
