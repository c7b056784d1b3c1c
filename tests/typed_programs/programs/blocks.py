"""Blocks of one's own: with `forward`, with `hybrid_forward`, nested, with parameters."""

from typing_extensions import assert_type

from mxnet import gluon, nd
from mxnet.gluon import nn


class MLP(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8, activation="relu")
        self.output = nn.Dense(3)

    def forward(self, x):
        return self.output(self.hidden(x))


class MySequential(nn.Block):
    def add(self, block):
        self._children[block.name] = block

    def forward(self, x):
        for block in self._children.values():
            x = block(x)
        return x


class Scaled(gluon.HybridBlock):
    def __init__(self, units, in_units=0, weight_initializer=None, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=(units, in_units), init=weight_initializer, allow_deferred_init=True
            )
            self.scale = self.params.get_constant("scale", nd.array([2.0]))
        self._units = units

    def hybrid_forward(self, F, x, weight, scale):
        out = F.FullyConnected(x, weight, num_hidden=self._units, no_bias=True)
        return F.broadcast_mul(out, scale)


class Branches(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        self.left = nn.Dense(4)
        self.right = nn.Dense(4)

    def hybrid_forward(self, F, data, mask=None):
        merged = F.concat(self.left(data), self.right(data), dim=1)
        return merged if mask is None else merged * mask


class TwoHeads(nn.Block):
    def __init__(self):
        super().__init__()
        self.classes, self.boxes = nn.Dense(3), nn.Dense(4)

    def forward(self, x, scale=1.0):
        return self.classes(x) * scale, self.boxes(x)


class Annotated(nn.Block):
    def __init__(self, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        self.dense = nn.Dense(2)

    def forward(self, x: nd.NDArray, mask: nd.NDArray | None = None) -> tuple[nd.NDArray, int]:
        out = self.dense(x)
        return (out if mask is None else out * mask), 1


class ByName(gluon.HybridBlock):
    def forward(self, inputs, *states):
        return super().forward(inputs, *states)

    def hybrid_forward(self, F, inputs, *states, **parameters):
        return inputs * 2


x = nd.random.uniform(shape=(2, 20))
net = MLP()
net.initialize()
assert_type(net(x), nd.NDArray)
print(net(x).shape, net.hidden.weight.data().shape, net.output.bias)
stack = MySequential()
stack.add(MLP())
stack.add(nn.Dense(2))
stack.initialize()
assert_type(stack(x), nd.NDArray)
scaled = Scaled(3)
scaled.initialize()
scaled.hybridize()
assert_type(scaled(x), nd.NDArray)
branches = Branches()
branches.initialize()
assert_type(branches(x), nd.NDArray)
assert_type(branches(x, nd.ones((2, 8))), nd.NDArray)
heads = TwoHeads()
heads.initialize()
classes, boxes = heads(x, 2.0)
print(classes.shape, boxes.shape)
annotated = Annotated()
annotated.initialize()
out, count = annotated(x)
assert_type(out, nd.NDArray)
assert_type(count, int)
assert_type(ByName()(x), nd.NDArray)
whole = nn.Sequential()
whole.add(MLP(), nn.Dense(5), nn.Lambda("tanh"), nn.HybridLambda(lambda F, x: F.relu(x)))
whole.initialize()
assert_type(whole(x), nd.NDArray)
for block in whole:
    print(block.name, block(x).shape)
    break
assert_type(whole.collect_params(), gluon.ParameterDict)


def count_dense(block):
    if isinstance(block, nn.Dense):
        print(block.name, block.weight.shape)


whole.apply(count_dense)
