"""What processes do together to test the reduction of gradients; see `test_reducer.py`."""

from __future__ import annotations

from typing import Any

import torch
from torch import distributed

import mxnet as mx
from mxnet._state import processes
from mxnet.kvstore._reducer import Gradient, Reducer
from mxnet.kvstore._replicas import TwoBitCompression

LENGTHS = (5, 3, 4)


def first_element(array) -> float:
    return float(array.astype("float64").asnumpy()[0, 0])


class Setup:
    """Three variables, whose gradients this process computes, and what adds these up."""

    def __init__(self, group: Any, dtype="float32", grad_req="write", stype=None, **options):
        self.weights = [mx.nd.ones((length, 2), dtype=dtype) for length in LENGTHS]
        for weight in self.weights:
            weight.attach_grad(grad_req, stype)
        self.reducer = Reducer(
            [Gradient([weight.grad], [weight], grad_req == "add") for weight in self.weights],
            [2, 1, 0],
            group,
            **options,
        )

    def backward(self, factor: float, used=(0, 1, 2)) -> None:
        with mx.autograd.record():
            total = sum((self.weights[place].sum() * factor * (place + 1)) for place in used)
        total.backward()

    def num_sent(self) -> int:
        return self.reducer._next

    def reduce(self):
        """Returns an element of each sum, of each gradient, and on how many ranks it is new."""
        sums = self.reducer.reduce("test")
        totals = list(map(first_element, sums.totals))
        local = [first_element(weight.grad) for weight in self.weights]
        self.reducer.write_back(sums)
        for weight in self.weights:
            weight.grad._fresh = False
        assert [first_element(weight.grad) for weight in self.weights] == totals
        return totals, local, sums.num_fresh


def several_steps(group, rank):
    setup, found = Setup(group), []
    for step in range(3):
        setup.backward((rank + 1) * (step + 1))
        sent = setup.num_sent()
        found.append((sent, setup.reduce()))
    return found, setup.reducer.num_bytes


def without_overlap(group, rank):
    setup = Setup(group, overlap=False)
    setup.backward(rank + 1)
    return setup.num_sent(), setup.reduce()


def changed_on_the_last_rank(group, rank):
    setup, found = Setup(group), []
    for _ in range(2):
        setup.backward(rank + 1)
        if rank == processes.size() - 1:
            setup.weights[2].grad[:] = 100
        found.append(setup.reduce()[0])
    return found, setup.reducer.overlaps


def changed_while_a_graph_is_open(group, rank):
    setup = Setup(group)
    with mx.autograd.record():
        kept = setup.weights[2] * 2
    setup.backward(rank + 1)
    setup.weights[2].grad[:] = 100
    del kept
    return setup.reduce()[0]


def a_pass_more_on_the_first_rank(group, rank):
    setup = Setup(group)
    if rank == 0:
        setup.backward(50)
    setup.backward(rank + 1)
    return setup.reduce()[0]


def missing_on_the_first_rank(group, rank):
    setup, found = Setup(group), []
    for step in range(2):
        setup.backward(rank + 1, used=(0, 2) if rank == 0 and step == 1 else (0, 1, 2))
        found.append(setup.reduce())
    return found


def written_by_hand(group, rank):
    setup = Setup(group)
    setup.backward(1)
    setup.reduce()
    setup.weights[1].grad[:] = rank + 10
    return setup.reduce()


def accumulated(group, rank):
    setup, found = Setup(group, grad_req="add"), []
    for _ in range(2):
        for weight in setup.weights:
            weight.grad[:] = 0
        setup.backward(rank + 1)
        setup.backward(1)
        sent = setup.num_sent()
        found.append((sent, setup.reduce()))
    return found


def seen_by_others(group, rank):
    """Takes views of gradients, which must go on showing what the arrays hold."""
    setup, found = Setup(group), []
    views = [weight.grad[0:1] for weight in setup.weights]
    for step in range(3):
        if step == 1:
            views += [weight.grad[0:1] for weight in setup.weights]
        setup.backward((rank + 1) * (step + 1))
        local = [float(view[0, 0].asscalar()) for view in views]
        totals = setup.reduce()[0]
        found.append((local, totals, [float(view[0, 0].asscalar()) for view in views]))
    return found


def half(group, rank, dtype):
    setup = Setup(group, dtype=dtype)
    setup.backward(rank + 1)
    return setup.reduce()[0]


def rows(group, rank):
    weight = mx.nd.ones((6, 2))
    weight.attach_grad(stype="row_sparse")
    reducer = Reducer([Gradient([weight.grad], [weight], False)], [0], group)
    places = mx.nd.array([[0, 2], [2, 5]][rank % 2])
    with mx.autograd.record():
        looked_up = mx.nd.Embedding(places, weight, input_dim=6, output_dim=2, sparse_grad=True)
    looked_up.backward(mx.nd.ones_like(looked_up) * (rank + 1))
    sums = reducer.reduce("test")
    reducer.write_back(sums)
    first = weight.grad.indices.asnumpy().tolist(), weight.grad.data.asnumpy()[:, 0].tolist()
    weight.grad._fresh = False
    nothing = reducer.reduce("test").totals[0].indices.shape
    return first, nothing, reducer.num_bytes


def compressed(group, rank):
    setup = Setup(group, compress=TwoBitCompression({"type": "2bit", "threshold": 2.0}))
    found = []
    for _ in range(3):
        setup.backward(rank + 1)
        sent = setup.num_sent()
        found.append((sent, setup.reduce()[0]))
    return found


def compressed_and_changed(group, rank):
    setup = Setup(group, compress=TwoBitCompression({"type": "2bit", "threshold": 2.0}))
    found = []
    for step in range(3):
        setup.backward(rank + 1)
        if rank == 1 and step == 1:
            setup.weights[2].grad[:] = -3
        found.append(setup.reduce()[0])
    return found


def different_parameters(group, rank):
    weight = mx.nd.ones((rank + 1,))
    weight.attach_grad()
    try:
        Reducer([Gradient([weight.grad], [weight], False)], [0], group)
    except mx.MXNetError as error:
        return str(error)
    return None


def filters(group, rank, last_on_ranks):
    """Rank r has the gradient (r + 1) * (0, 1, 2, ...), with its channels last on some ranks."""
    shape = (2, 3, 2, 2)
    weight = mx.nd.ones(shape)
    weight.attach_grad()
    order = torch.channels_last if rank in last_on_ranks else torch.contiguous_format
    memory = (rank + 1) * torch.arange(24.0).reshape(shape)
    weight.grad._data = memory.contiguous(memory_format=order)
    reducer = Reducer([Gradient([weight.grad], [weight], False)], [0], group, overlap=False)
    weight.grad._fresh = True
    total = reducer.reduce("test").totals[0]
    return total._plain.stride(), total.asnumpy().ravel().tolist()


CASES = {
    case.__name__: case
    for case in (
        several_steps,
        without_overlap,
        changed_on_the_last_rank,
        changed_while_a_graph_is_open,
        a_pass_more_on_the_first_rank,
        missing_on_the_first_rank,
        written_by_hand,
        accumulated,
        seen_by_others,
        rows,
        compressed,
        compressed_and_changed,
        different_parameters,
    )
}


def run_all():
    """Runs every case in this process, and returns what each of them found."""
    processes.join("test")
    rank, group = processes.rank(), distributed.new_group()
    found: dict[str, Any] = {name: case(group, rank) for name, case in CASES.items()}
    for dtype in ("float16", "bfloat16", "float64"):
        found[dtype] = half(group, rank, dtype)
    for last_on_ranks in ((), (0,), (0, 1)):
        found[f"filters {last_on_ranks}"] = filters(group, rank, last_on_ranks)
    return found
