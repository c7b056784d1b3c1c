"""What captured steps read of a batch that stays in the same arrays."""

import numpy as np
import pytest

from mxnet import autograd, gluon
from tests.gluon.training.test_train_step import SOFTMAX, Run, batches, network, pair, train


def write_whole(data, labels):
    data[:] = data * 2
    labels[:] = 2 - labels


def write_part(data, labels):
    data[1] = 0.25
    labels[0:2] = 1


def write_by_view(data, labels):
    data.reshape((-1,))[3] = 7
    labels[1:][:] = 0


def write_by_torch(data, labels):
    data.to_torch().mul_(0.5)
    labels.to_torch().zero_()


def write_in_open_graph(data, labels):
    with autograd.record():
        OPEN.append(SOFTMAX(data, labels))
    data[:] = data - 1
    labels += 1
    OPEN.clear()


def write_by_numpy(data, labels):
    np.from_dlpack(data)[2] = 3
    np.from_dlpack(labels)[2] = 0


OPEN = []
WRITES = [
    write_whole,
    write_part,
    write_by_view,
    write_by_torch,
    write_in_open_graph,
    write_by_numpy,
]


@pytest.mark.parametrize("write", WRITES)
def test_a_batch_that_is_written_to_between_steps_is_read_anew(write):
    runs = pair()
    ((data, labels),) = batches(1)
    for _ in range(8):
        train(runs, [(data, labels)])
        write(data, labels)
    assert runs[1].engine.num_replays == 5


def test_a_batch_that_stays_is_not_copied_again():
    run = Run(True)
    ((data, labels),) = batches(1)
    for _ in range(5):
        run(data, labels)
    (kind,) = run.step._captures._kinds.values()
    versions = [tensor._version for tensor in kind.capture._arguments.tensors]
    run(data, labels)
    assert [tensor._version for tensor in kind.capture._arguments.tensors] == versions
    run(data.copy(), labels)
    assert [tensor._version for tensor in kind.capture._arguments.tensors] != versions


class WritesToItsInput(gluon.Block):
    def __init__(self):
        super().__init__()
        self.inner = network()

    def forward(self, x):
        x *= 0.5
        return self.inner(x)


def test_a_network_that_writes_to_its_input_gets_the_batch_in_every_step():
    run = Run(True, WritesToItsInput())
    ((data, labels),) = batches(1)
    for _ in range(8):
        kept = data.asnumpy()
        run(data, labels)
    (kind,) = run.step._captures._kinds.values()
    np.testing.assert_array_equal(kind.capture._arguments.tensors[0], kept * 0.5)
