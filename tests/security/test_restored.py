"""An exception in a program's own code leaves modes, scopes, tapes and locks as they were."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._arrays.autograd import tape
from mxnet._state import modes
from mxnet.attribute import AttrScope
from mxnet.gluon import nn
from mxnet.gluon.blocks import block
from mxnet.name import NameManager


class PlannedError(Exception):
    """What the programs below raise."""


def fail(*_):
    raise PlannedError("planned")


def state_of_thread():
    """All that a thread has set at the moment."""
    return {
        "recording": modes.recording,
        "training": modes.training,
        "tracer": modes.tracer,
        "probing": (modes.probing, tuple(modes.wanted)),
        "networks": (modes.imperative, modes.captures),
        "context": mx.current_context(),
        "names": NameManager._current.value,
        "attributes": AttrScope._current.value,
        "block": block._current.value,
        "differentiation": dict(tape._passes.asked),
        "torch records": torch.is_grad_enabled(),
        "pass": tape.number_of_pass(),
    }


class Failing(gluon.HybridBlock):
    """A block of one layer whose program raises as long as it is told to."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.fails = True
        with self.name_scope():
            self.dense = nn.Dense(2)

    def hybrid_forward(self, F, x):
        with mx.cpu(1), mx.AttrScope(a="1"), mx.name.Prefix("p_"):
            hidden = self.dense(x)
            if self.fails:
                fail()
        return F.relu(hidden)


class FailingOnArrays(Failing):
    """The same, as a program on arrays."""

    def forward(self, x):
        hidden = self.dense(x)
        if self.fails:
            fail()
        return hidden.relu()


class FailingOperator(mx.operator.CustomOp):
    """A custom operator whose forward or backward raises."""

    def __init__(self, where):
        super().__init__()
        self._where = where

    def forward(self, is_train, req, in_data, out_data, aux):  # noqa: ARG002 - given so
        with autograd.record():
            if self._where == "forward":
                fail()
        self.assign(out_data[0], req[0], in_data[0])

    def backward(self, *_, **__):
        with autograd.record(), mx.cpu(1):
            fail()


@mx.operator.register("test_restored")
class FailingProp(mx.operator.CustomOpProp):
    """What is known of it."""

    def __init__(self, where):
        super().__init__()
        self._where = where

    def create_operator(self, *_):
        return FailingOperator(self._where)


class FailingFunction(autograd.Function):
    """A function whose backward raises."""

    def forward(self, x):
        return x * 2

    def backward(self, *_):
        with autograd.record(), mx.cpu(1):
            fail()


class FailingDataset(gluon.data.Dataset):
    """Samples of which one raises."""

    def __len__(self):
        return 6

    def __getitem__(self, idx):
        with autograd.record(), mx.cpu(1):
            if idx == 4:
                fail()
        return np.float32(idx)


def variable():
    x = nd.ones((2, 3))
    x.attach_grad()
    return x


def in_record():
    x = variable()
    with autograd.record(), mx.cpu(1):
        y = x * 2
        fail(y)


def in_nested_modes():
    with autograd.record(train_mode=False), autograd.pause(), autograd.train_mode():
        fail()


def in_block(make, hybridized):
    net = make()
    net.initialize()
    if hybridized:
        net.hybridize()
    with autograd.record():
        net(variable())


def in_first_hook():
    net = nn.Dense(2)
    net.initialize()
    net.hybridize()
    net.register_forward_hook(fail)
    with autograd.record():
        net(variable())


def in_operator_hook():
    net = nn.Dense(2)
    net.initialize()
    net.hybridize()
    net.register_op_hook(fail)
    with autograd.record():
        net(variable())


def in_initializer():
    class Bad(mx.init.Initializer):
        def _init_weight(self, *_):
            with autograd.record():
                fail()

    net = nn.HybridSequential()
    net.add(nn.Dense(2), nn.Dense(2))
    net.initialize(Bad())
    net.hybridize()
    net(variable())


def in_custom_operator(where):
    x = variable()
    with autograd.record():
        y = nd.Custom(x, op_type="test_restored", where=where)
    y.backward()


def in_function():
    x = variable()
    with autograd.record():
        y = FailingFunction()(x)
    y.backward()


def in_second_differentiation():
    x = variable()
    with autograd.record():
        y = FailingFunction()(x)
        autograd.grad(y, x, create_graph=True)


def in_metric():
    metric = mx.metric.CustomMetric(fail)
    with autograd.record():
        metric.update([nd.ones(2)], [variable()])


def in_loader(**options):
    for _ in gluon.data.DataLoader(FailingDataset(), 2, **options):
        pass


def in_loop():
    with autograd.record():
        nd.contrib.foreach(fail, variable(), [])


def in_monitor():
    graph = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2)
    executor = graph.simple_bind(mx.cpu(), data=(2, 3))
    executor.set_monitor_callback(fail)
    executor.forward(is_train=True)


PLACES = {
    "record": in_record,
    "nested modes": in_nested_modes,
    "hybrid_forward": lambda: in_block(Failing, hybridized=False),
    "hybrid_forward, traced": lambda: in_block(Failing, hybridized=True),
    "forward": lambda: in_block(FailingOnArrays, hybridized=False),
    "forward, traced": lambda: in_block(FailingOnArrays, hybridized=True),
    "hook": in_first_hook,
    "operator hook": in_operator_hook,
    "initializer": in_initializer,
    "custom forward": lambda: in_custom_operator("forward"),
    "custom backward": lambda: in_custom_operator("backward"),
    "function": in_function,
    "grad": in_second_differentiation,
    "metric": in_metric,
    "loader": in_loader,
    "loader, process": lambda: in_loader(num_workers=1),
    "loader, thread": lambda: in_loader(num_workers=1, thread_pool=True),
    "foreach": in_loop,
    "monitor": in_monitor,
}


@pytest.mark.filterwarnings("ignore::mxnet.gluon.hybrid.forward.UntracedWarning")
@pytest.mark.parametrize("place", PLACES)
def test_state_of_the_thread_is_restored(place):
    before = state_of_thread()
    with pytest.raises((PlannedError, mx.base.MXNetError), match="planned"):
        PLACES[place]()
        mx.nd.waitall()  # for errors that appear where results are read
    assert state_of_thread() == before
    x = variable()
    with autograd.record():
        y = x * 3
    y.backward()
    assert x.grad.asnumpy().tolist() == [[3.0] * 3] * 2


@pytest.mark.filterwarnings("ignore::mxnet.gluon.hybrid.forward.UntracedWarning")
@pytest.mark.parametrize("make", [Failing, FailingOnArrays])
@pytest.mark.parametrize("hybridized", [False, True])
def test_locks_are_free_and_the_block_works_afterwards(make, hybridized):
    net = make()
    net.initialize(mx.init.One())
    if hybridized:
        net.hybridize()
    with pytest.raises(PlannedError):
        net(nd.ones((2, 3)))
    net.fails = False
    found = []
    thread = threading.Thread(target=lambda: found.append(net(nd.ones((2, 3)))), daemon=True)
    thread.start()
    thread.join(30)
    assert [array.asnumpy().tolist() for array in found] == [[[3.0, 3.0]] * 2]


def test_an_executor_works_after_an_error_in_its_monitor():
    graph = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, no_bias=True, name="fc")
    executor = graph.simple_bind(mx.cpu(), data=(2, 3))
    executor.set_monitor_callback(fail)
    with pytest.raises(PlannedError):
        executor.forward()
    executor.set_monitor_callback(lambda *_: None)
    executor.arg_dict["fc_weight"][:] = 1
    thread = threading.Thread(target=executor.forward, kwargs={"data": nd.ones((2, 3))})
    thread.start()
    thread.join(30)
    assert executor.outputs[0].asnumpy().tolist() == [[3.0, 3.0]] * 2
