"""Operators and blocks are noted by MXNet's names, however a network runs."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd, profiler
from mxnet.gluon import nn
from mxnet.graph.run.plan import Plan
from mxnet.ops.core.interposing import interposers
from mxnet.profiler._spans import ThreadLog
from tests.profiler.profiled import counts, events, profiled


def network(ctx=None):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(5, activation="relu", in_units=4), nn.Dropout(0.5))
        net.add(nn.Dense(3, in_units=5))
    net.initialize(ctx=ctx)
    return net


def step(net, ctx=None):
    x = nd.ones((2, 4), ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "adam", kvstore=None)
    with autograd.record():
        y = net(x)
    y.backward()
    trainer.step(2)


OPERATORS = {
    "Activation": 1,
    "Dropout": 1,
    "FullyConnected": 2,
    "_backward_Activation": 1,
    "_backward_Dropout": 1,
    "_backward_FullyConnected": 2,
    "_ones": 1,
    "adam_update": 1,
}
BLOCKS = ("net", "net_dense0", "net_dense0_relu", "net_dropout0", "net_dense1")
FLAGS = [None, {}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_operators_and_blocks_of_a_training_step(flags):
    net = network()
    if flags is not None:
        net.hybridize(**flags)
    step(net)
    with profiled(filename="step.json"):
        step(net)
    assert counts() == OPERATORS
    profiler.dump()
    spans = [event for event in events("step.json") if event["ph"] == "X"]
    blocks = [event["name"] for event in spans if event["cat"] == "block"]
    assert sorted(blocks) == sorted([*BLOCKS, *(f"_backward_{name}" for name in BLOCKS)])
    assert {event["name"] for event in spans if event["cat"] == "operator"} == {*OPERATORS}


@pytest.mark.gpu
@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_operators_and_blocks_of_a_training_step_on_a_gpu(flags):
    net = network(mx.gpu())
    if flags is not None:
        net.hybridize(**flags)
    step(net, mx.gpu())
    with profiled(filename="step.json"):
        step(net, mx.gpu())
        nd.waitall()
    names = counts()
    assert {name: names[name] for name in OPERATORS} == OPERATORS
    profiler.dump()
    kernels = [event for event in events("step.json") if event.get("cat") == "kernel"]
    assert kernels
    spans = [event for event in events("step.json") if event.get("cat") == "operator"]
    timed = {event["name"] for event in spans if "device time (us)" in event.get("args", {})}
    assert timed >= {"FullyConnected", "_backward_FullyConnected", "adam_update"}


@pytest.mark.parametrize("hybridized", [False, True])
def test_parts_lie_inside_of_the_whole(hybridized):
    net = network()
    if hybridized:
        net.hybridize()
    step(net)
    with profiled():
        step(net)
    profiler.dump()
    spans = {event["name"]: event for event in events() if event["ph"] == "X"}
    for inner, outer in (
        ("Activation", "net_dense0_relu"),
        ("net_dense0_relu", "net_dense0"),
        ("net_dense0", "net"),
        ("_backward_Dropout", "_backward_net_dropout0"),
        ("_backward_net_dense1", "_backward_net"),
        ("_backward_net", "NDArray.backward"),
        ("adam_update", "Trainer.step"),
    ):
        assert spans[outer]["ts"] <= spans[inner]["ts"]
        end = spans[outer]["ts"] + spans[outer]["dur"]
        assert spans[inner]["ts"] + spans[inner]["dur"] <= end + 0.001


def test_the_profiler_does_not_change_results():
    results = []
    for is_profiled in (False, True):
        mx.random.seed(1)
        net = network()
        net.hybridize()
        if is_profiled:
            with profiled(profile_all=True):
                step(net)
        else:
            step(net)
        values = [parameter.data().asnumpy() for parameter in net.collect_params().values()]
        results.append(values)
    assert all(map(np.array_equal, *results))


def test_prediction_shows_what_passes_have_merged():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(2, 3, in_channels=1), nn.BatchNorm(in_channels=2), nn.Dropout(0.5))
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 1, 5, 5)))
    with profiled():
        net(nd.ones((1, 1, 5, 5)))
    assert counts() == {"_ones": 1, "Convolution,BatchNorm": 1}


@pytest.mark.parametrize("hybridized", [False, True])
def test_blocks_without_a_prefix_are_called_after_their_place(hybridized):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        for _ in range(2):
            part = nn.HybridSequential(prefix="")
            with part.name_scope():
                part.add(nn.Dense(2, in_units=2))
            net.add(part)
    net.initialize()
    if hybridized:
        net.hybridize()
    x = nd.ones((1, 2))
    net(x)
    with profiled():
        with autograd.record():
            y = net(x)
        y.backward()
    names = ["net", "net.0", "net.1", "net_dense0", "net_dense1"]
    assert counts("block") == dict.fromkeys([*names, *(f"_backward_{n}" for n in names)], 1)


def test_attention_in_one_call_names_its_steps():
    class Attention(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            scores = F.contrib.interleaved_matmul_selfatt_qk(x, heads=2)
            weights = F.softmax(scores, axis=-1)
            return F.contrib.interleaved_matmul_selfatt_valatt(x, weights, heads=2)

    net = Attention(prefix="attention_")
    net.hybridize()
    x = nd.random.uniform(shape=(3, 2, 24))
    net(x)
    with profiled():
        net(x)
    (name,) = counts()
    assert name.split(",") == [
        "_contrib_interleaved_matmul_selfatt_qk",
        "softmax",
        "_contrib_interleaved_matmul_selfatt_valatt",
    ]


def test_a_whole_step_is_seen():
    net, loss_of = network(), gluon.loss.L2Loss()
    trainer = gluon.Trainer(net.collect_params(), "adam", kvstore=None)
    whole = gluon.TrainStep(net, loss_of, trainer)
    x, y = nd.ones((2, 4)), nd.ones((2, 3))
    whole(x, y)
    with profiled():
        whole(x, y)
    names = json.loads(profiler.dumps(format="json"))["Time"]
    assert names["MXNET_API"]["TrainStep"]["Count"] == 1
    assert {*OPERATORS} - {"_ones"} <= {*names["operator"]}
    assert {*BLOCKS} <= {*names["block"]}


def test_a_module_is_seen():
    data = mx.sym.var("data")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=3, name="fc"), name="softmax")
    module = mx.mod.Module(net)
    module.bind([("data", (2, 4))], [("softmax_label", (2,))])
    module.init_params()
    module.init_optimizer()
    batch = mx.io.DataBatch([nd.ones((2, 4))], [nd.zeros(2)])
    with profiled():
        module.forward_backward(batch)
        module.update()
    profiler.dump()
    spans = [event for event in events() if event.get("cat") == "operator"]
    assert {"fc", "softmax"} <= {span.get("args", {}).get("nodes") for span in spans}
    assert counts() == {
        "FullyConnected": 1,
        "SoftmaxOutput": 1,
        "_backward_FullyConnected": 1,
        "_backward_SoftmaxOutput": 1,
        "sgd_update": 1,
    }


def test_a_loop_and_its_body_are_seen():
    data, state = mx.sym.var("data"), mx.sym.var("state")
    outputs, _ = mx.sym.contrib.foreach(lambda x, s: (x * s, s), data, state)
    loop = outputs.bind(mx.cpu(), {"data": nd.ones((3, 2)), "state": nd.ones(2)})
    with profiled():
        loop.forward()[0].wait_to_read()
    names = counts()
    assert names["_foreach"] == 1
    assert sum(count for name, count in names.items() if name != "_foreach") >= 3


def test_a_forward_written_on_arrays_is_seen():
    class Net(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.dense = nn.Dense(3, in_units=2)

        def forward(self, x):
            return nd.relu(self.dense(x)) * 2

    net = Net(prefix="own_")
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 2)))
    with profiled():
        net(nd.ones((1, 2)))
    noted = json.loads(profiler.dumps(format="json"))["Time"]
    assert {*noted["block"]} == {"own", "own_dense0"}
    assert {*noted["operator"]} == {"_ones", "FullyConnected", "relu", "_mul_scalar"}


def test_a_network_for_a_compiler_is_not_compiled_to_be_seen(monkeypatch):
    monkeypatch.setattr(Plan, "compile", lambda *_: pytest.fail("compiled"))
    net = network()
    net.hybridize(backend="eager")
    with profiled():
        net(nd.ones((2, 4)))
    assert counts() == {"_ones": 1, "FullyConnected": 2, "Activation": 1}


def test_the_program_of_an_operator_does_not_count_the_operators_that_it_calls():
    log = ThreadLog()
    program = log.begin_operator("Custom", "own")
    inside = log.begin_operator("relu", "")
    log.end(inside)
    log.end(program)
    assert (program.name, inside.name) == ("own::pure_python", "own::relu")
    assert program.duration == program.end - program.start - inside.duration
    assert log.begin_operator("relu", "").name == "relu"


def test_a_backward_pass_that_fails_leaves_the_next_run_alone():
    class Failing(mx.operator.CustomOp):
        def forward(self, req, in_data, out_data, **_):
            self.assign(out_data[0], req[0], in_data[0])

        def backward(self, **_):
            raise ValueError

    @mx.operator.register("failing_in_a_profile")
    class FailingProp(mx.operator.CustomOpProp):
        def create_operator(self, *_):
            return Failing()

    net, x = network(), nd.ones((2, 4))
    net.hybridize()
    x.attach_grad()
    with profiled(profile_api=False):
        with autograd.record():
            y = nd.Custom(net(x), op_type="failing_in_a_profile")
        y.backward()
        with pytest.raises((ValueError, mx.MXNetError)):
            x.grad.asnumpy()
    counts()
    with profiled(profile_api=False):
        with autograd.record():
            y = net(x)
        y.backward()
    assert {f"_backward_{name}" for name in BLOCKS} <= {*counts("block")}


def test_a_graph_that_is_retained_is_noted_in_every_pass():
    x = nd.ones(3)
    x.attach_grad()
    with profiled():
        with autograd.record():
            y = nd.relu(x)
        y.backward(retain_graph=True)
        y.backward()
    assert counts() == {"relu": 1, "_backward_relu": 2}


def test_an_operator_that_fails_ends():
    with profiled(), pytest.raises(mx.MXNetError):
        nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
    with profiled():
        nd.relu(nd.ones(2))
    profiler.dump()
    spans = [event for event in events() if event.get("cat") == "operator"]
    assert [span["name"] for span in spans] == ["_ones", "_ones", "dot", "_ones", "relu"]
    assert spans[0]["ts"] + spans[0]["dur"] <= spans[1]["ts"]


def test_options_choose_what_is_noted():
    net, x = network(), nd.ones((2, 4))
    net.hybridize()
    net(x)
    with profiled(profile_imperative=False):
        net(x).relu()
    assert counts() == {"FullyConnected": 2, "Activation": 1}
    with profiled(profile_symbolic=False):
        net(x).relu()
    assert counts() == {"relu": 1}
    with profiled(profile_symbolic=False):
        net(x)
    assert counts("block") == {"net": 1}
    with profiled(profile_api=False):
        x.asnumpy()
    assert counts("MXNET_API") == {}
    with profiled():
        x.asnumpy()
    assert counts("MXNET_API") == {"NDArray.asnumpy": 1}
    off = dict.fromkeys(
        ("profile_symbolic", "profile_imperative", "profile_memory", "profile_api"), False
    )
    with profiled(**off):
        net(x).relu().asnumpy()
    assert counts() == counts("block") == {}
    with profiled(**off, profile_all=True):
        net(x).relu().asnumpy()
    assert counts()["relu"] == 1


def test_nothing_is_left_when_the_profiler_stops():
    def methods():
        places = (gluon.Block, nd.NDArray, gluon.Trainer, mx.mod.Module, mx.kv.KVStore, nd)
        return [dict(vars(place)) for place in places]

    before = methods()
    with profiled():
        assert interposers
        assert methods() != before
    assert methods() == before
    assert not interposers


def test_threads_have_rows_of_their_own():
    barrier = threading.Barrier(3)

    def work():
        barrier.wait()
        for _ in range(5):
            nd.relu(nd.ones(2))

    threads = [threading.Thread(target=work, name=f"worker {i}") for i in range(3)]
    with profiled():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    profiler.dump()
    spans = [event for event in events() if event["name"] == "relu"]
    assert len(spans) == 15
    named = {
        event["tid"]: event["args"]["name"] for event in events() if event["name"] == "thread_name"
    }
    assert sorted(named[tid] for tid in {span["tid"] for span in spans}) == [
        "worker 0",
        "worker 1",
        "worker 2",
    ]
