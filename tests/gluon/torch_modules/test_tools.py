"""Modules of blocks in the hands of torch: its compiler, its export and its processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import distributed

import mxnet as mx
from mxnet import nd
from mxnet.gluon import nn, rnn
from mxnet.gluon.contrib.torch import TorchBlock
from mxnet.gluon.model_zoo import vision
from tests.gluon.contrib.torch.resnet import SmallResNet

COMPILER_WARNINGS = [
    pytest.mark.filterwarnings(r"ignore::DeprecationWarning:torch(\..*)?"),
    pytest.mark.filterwarnings(r"ignore::UserWarning:torch(\..*)?"),
    pytest.mark.filterwarnings(r"ignore::FutureWarning:torch(\..*)?"),
]
"""What torch says of its own parts is not ours to mend."""


def make_net():
    mx.random.seed(2)
    net = nn.HybridSequential()
    net.add(vision.BasicBlockV1(4, 2, downsample=True, in_channels=1))
    net.add(TorchBlock(torch.nn.Conv2d(4, 2, 1)), nn.Dropout(0.5), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    return net


X = np.random.RandomState(0).normal(size=(4, 1, 8, 8)).astype("float32")


def marked(function):
    for mark in COMPILER_WARNINGS:
        function = mark(function)
    return function


@marked
def test_export():
    net = make_net()
    module = net.to_torch(nd.array(X)).eval()
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(module, (torch.tensor(X),), dynamic_shapes=({0: batch},))
    targets = {str(node.target) for node in program.graph.nodes if node.op == "call_function"}
    assert {"aten.conv2d.default", "aten.linear.default"} <= targets
    assert program.state_dict.keys() == module.state_dict().keys()
    for data in (X, np.concatenate([X, X])):
        result = program.module()(torch.tensor(data)).detach().numpy()
        assert result == pytest.approx(net(nd.array(data)).asnumpy(), rel=1e-4, abs=1e-5)


@marked
def test_export_of_a_recurrent_layer_with_its_states():
    layer = rnn.LSTM(4)
    layer.initialize()
    x, states = nd.array(X.reshape(4, 8, 8)), layer.begin_state(8)
    module = layer.to_torch(x, states).eval()
    given = x.to_torch(), [state.to_torch() for state in states]
    result, _ = torch.export.export(module, given).module()(*given)
    assert result.detach().numpy() == pytest.approx(layer(x).asnumpy(), abs=1e-5)


@marked
@pytest.mark.parametrize("is_inside", [False, True])
def test_export_of_a_recurrent_network_from_a_file(is_inside, tmp_path):
    net = nn.HybridSequential()
    net.add(rnn.LSTM(4, num_layers=2, layout="NTC", input_size=3), nn.Dense(2))
    net.initialize()
    net.hybridize()
    x, y = (mx.nd.random.normal(shape=(batch, 5, 3)) for batch in (2, 7))
    wanted = net(x).to_torch(), net(y).to_torch()
    net.export(str(tmp_path / "net"))
    again = mx.gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params")
    )
    if is_inside:
        inner, again = again, nn.HybridSequential()
        again.add(inner)
    module = again.to_torch(x)
    torch.testing.assert_close(module(x.to_torch()), wanted[0])
    torch.testing.assert_close(module(y.to_torch()), wanted[1])
    batch = torch.export.Dim("batch", max=100)
    exported = torch.export.export(module, (x.to_torch(),), dynamic_shapes=[{0: batch}])
    torch.testing.assert_close(exported.module()(y.to_torch()), wanted[1])


def test_export_of_what_has_no_graph_says_so():
    class OnArrays(nn.Block):
        def forward(self, x):
            return x * 2

    with pytest.raises(mx.MXNetError, match=r"OnArrays .* cannot be exported.*hybrid_forward"):
        torch.export.export(OnArrays().to_torch(), (torch.ones(2),))


@marked
def test_compile_in_one_graph():
    net = make_net()
    module = net.to_torch(nd.array(X)).eval()
    compiled = torch.compile(module, backend="eager", fullgraph=True)
    expected = net(nd.array(X)).asnumpy()
    assert compiled(torch.tensor(X)).detach().numpy() == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.mark.slow
@marked
@pytest.mark.parametrize("training", [False, True])
def test_the_default_compiler(training):
    net = nn.HybridSequential()
    net.add(vision.BasicBlockV1(4, 2, downsample=True, in_channels=1), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    module = net.to_torch(nd.array(X)).train(training)
    other = net.to_torch().train(training)
    compiled = torch.compile(module, fullgraph=True)
    results = compiled(torch.tensor(X))
    results.square().sum().backward()
    expected = other(torch.tensor(X))
    expected.square().sum().backward()
    assert torch.allclose(results, expected, rtol=1e-3, atol=1e-4)
    for one, two in zip(module.parameters(), other.parameters(), strict=True):
        assert torch.allclose(one.grad, two.grad, rtol=1e-2, atol=1e-3)


@pytest.mark.slow
@marked
@pytest.mark.parametrize("name", ["resnet18_v1", "mobilenet_v2_0_25"])
def test_networks_of_the_zoo_are_exported(name):
    net = getattr(vision, name)()
    net.initialize()
    x = nd.array(np.random.RandomState(0).normal(size=(2, 3, 64, 64)))
    module = net.to_torch(x).eval()
    program = torch.export.export(module, (x.to_torch(),))
    result = program.module()(x.to_torch()).detach().numpy()
    assert result == pytest.approx(net(x).asnumpy(), rel=1e-4, abs=1e-5)


@pytest.fixture
def process_group(tmp_path):
    if distributed.is_initialized():  # by a store that another test made in this process
        yield
        return
    distributed.init_process_group(
        "gloo", init_method=f"file://{tmp_path / 'group'}", rank=0, world_size=1
    )
    yield
    distributed.destroy_process_group()


@marked
def test_distributed_data_parallel_in_one_process(process_group):  # noqa: ARG001
    net, other = make_net(), make_net()
    for each in (net, other):
        each(nd.array(X))
    model = torch.nn.parallel.DistributedDataParallel(net.to_torch())
    plain = other.to_torch()
    plain.load_state_dict(model.module.state_dict())
    for each in (model, plain):
        optimizer = torch.optim.SGD(each.parameters(), lr=0.1)
        torch.manual_seed(0)
        each(torch.tensor(X)).square().sum().backward()
        optimizer.step()
    for one, two in zip(model.parameters(), plain.parameters(), strict=True):
        assert torch.allclose(one, two, atol=1e-6)


WORKER = """
import sys
import torch
from torch import distributed
import mxnet as mx
from mxnet.gluon import nn, rnn

kind = sys.argv[1]
distributed.init_process_group("gloo")
rank = distributed.get_rank()
mx.random.seed(rank)
net = nn.HybridSequential()
net.add(nn.Dense(8, activation="tanh", in_units=4), nn.Dense(2, in_units=8))
net.initialize(mx.init.Xavier())
module = net.to_torch()
if kind == "ddp":
    model = torch.nn.parallel.DistributedDataParallel(module)
else:
    for tensor in module.state_dict().values():
        distributed.broadcast(tensor, 0)
    from torch.distributed.fsdp import fully_shard
    fully_shard(module)
    model = module
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
torch.manual_seed(rank)
x = torch.randn(16, 4)
y = (x.sum(1) > 0).long()
for _ in range(30):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weights = [p.full_tensor() if hasattr(p, "full_tensor") else p for p in model.parameters()]
total = torch.stack([w.detach().sum() for w in weights]).sum()
gathered = [torch.zeros(()) for _ in range(2)]
distributed.all_gather(gathered, total)
assert torch.equal(*gathered), gathered
assert loss.item() < 0.2, loss
print("done")
distributed.destroy_process_group()
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ddp", "fsdp"])
def test_two_processes(kind, tmp_path):
    (tmp_path / "worker.py").write_text(WORKER, encoding="utf-8")
    source = Path(__file__).resolve().parents[3] / "src"
    env = {**os.environ, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    done = subprocess.run(
        [*command, str(tmp_path / "worker.py"), kind],
        capture_output=True,
        text=True,
        env=env,
        check=False,
        timeout=300,
    )
    assert done.stdout.count("done") == 2, done.stderr[-3000:]


@marked
def test_a_residual_network_of_torch_and_back():
    torch.manual_seed(0)
    original = SmallResNet().eval()
    block = TorchBlock(original)
    block.initialize()
    module = block.to_torch()
    x = torch.tensor(X)
    assert module is not original
    assert torch.allclose(module.eval()(x), original(x))
