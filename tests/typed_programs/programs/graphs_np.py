"""Graphs of the NumPy dialect: hybridized blocks and symbols."""

import os
import tempfile

from typing_extensions import assert_type

import mxnet as mx
from mxnet import gluon, np, npx
from mxnet.gluon import nn

npx.set_np()


class Attention(gluon.HybridBlock):
    def __init__(self, units, heads, **kwargs):
        super().__init__(**kwargs)
        self._units, self._heads = units, heads
        self.query = nn.Dense(units, flatten=False, use_bias=False)
        self.values = nn.Dense(units, flatten=False)
        self.temperature = self.params.get("temperature", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, temperature):
        query = self.query(x)
        scores = F.npx.batch_dot(query, x, transpose_b=True) * temperature
        return F.npx.batch_dot(F.npx.softmax(scores / self._units**0.5), self.values(x))


class Positions(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x + F.np.sin(F.npx.arange_like(x, axis=1))


net = Attention(4, 2)
net.initialize()
net.hybridize()
x = np.random.normal(size=(2, 3, 4))
assert_type(net(x), np.ndarray)
stack = nn.HybridSequential()
stack.add(nn.Embedding(10, 4), net, nn.LayerNorm(), nn.Dense(2, flatten=False))
stack[0].initialize()
stack[2].initialize()
stack[3].initialize()
tokens = np.array([[1, 2, 3], [4, 5, 6]])
assert_type(stack(tokens), np.ndarray)
print(Positions()(np.zeros((2, 3))).shape)
with tempfile.TemporaryDirectory() as folder:
    stack.hybridize()
    stack(tokens)
    stack.export(os.path.join(folder, "net"))
    again = gluon.SymbolBlock.imports(
        os.path.join(folder, "net-symbol.json"), "data", os.path.join(folder, "net-0000.params")
    )
    assert_type(again(tokens), np.ndarray)
    npx.save(os.path.join(folder, "x"), {"x": x})
    print(npx.load(os.path.join(folder, "x"))["x"].shape)
data = mx.sym.var("data").as_np_ndarray()
assert_type(data, mx.sym.np._Symbol)
graph = mx.sym.np.tanh(data * 2 + 1).reshape(-1)
assert_type(graph, mx.sym.np._Symbol)
assert_type(mx.sym.npx.relu(graph), mx.sym.np._Symbol)
assert_type(mx.sym.np.concatenate([graph, graph]).sum(), mx.sym.np._Symbol)
npx.reset_np()
