"""Layers of `gluon.nn` and networks of the model zoo."""

from .core import layer, values

_ROWS = [
    ("nn.Dense(3)", (2, 4)),
    ("nn.Dense(3)", (2, 2, 2)),
    ("nn.Dense(3, flatten=False, use_bias=False)", (2, 2, 4)),
    ("nn.Dense(3, activation='tanh', in_units=4)", (2, 4)),
    *[(f"nn.Activation('{kind}')", (2, 3)) for kind in ("relu", "sigmoid", "tanh", "softrelu")],
    ("nn.LeakyReLU(0.2)", (2, 3)),
    ("nn.PReLU()", (2, 3)),
    ("nn.ELU(0.7)", (2, 3)),
    ("nn.GELU()", (2, 3)),
    ("nn.Swish(1.5)", (2, 3)),
    ("nn.Dropout(0)", (2, 3)),
    ("nn.Flatten()", (2, 2, 2)),
    ("nn.Embedding(4, 3)",),
    ("nn.BatchNorm()", (3, 2, 2)),
    ("nn.BatchNorm(center=False, use_global_stats=True)", (3, 2, 2)),
    ("nn.LayerNorm()", (2, 5)),
    ("nn.InstanceNorm()", (2, 3, 4)),
    ("nn.GroupNorm(2)", (2, 4, 3)),
    ("nn.ReflectionPad2D(1)", (1, 2, 3, 3)),
    ("nn.Conv1D(2, 3)", (2, 3, 5)),
    ("nn.Conv2D(2, (2, 3), strides=2, padding=1)", (1, 3, 5, 5)),
    ("nn.Conv2D(4, 3, groups=2, activation='relu', use_bias=False)", (1, 2, 4, 4)),
    ("nn.Conv3D(2, 2)", (1, 2, 3, 3, 3)),
    ("nn.Conv1DTranspose(2, 3)", (1, 2, 4)),
    ("nn.Conv2DTranspose(2, 3, strides=2, output_padding=1)", (1, 2, 3, 3)),
    ("nn.Conv3DTranspose(2, 2)", (1, 1, 2, 2, 2)),
    *[
        (f"nn.{kind}Pool{dimensions}D()", (1, 2) + (4,) * dimensions)
        for kind in ("Max", "Avg", "GlobalMax", "GlobalAvg")
        for dimensions in (1, 2, 3)
    ],
    ("nn.AvgPool2D(3, 2, 1, ceil_mode=True, count_include_pad=False)", (1, 2, 4, 4)),
    ("nn.HybridLambda('tanh')", (2, 3)),
    ("nn.Lambda(lambda x: mx.npx.relu(x) + mx.np.exp(x))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.relu(x) + F.np.exp(x))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.softmax(F.np.dot(x, x.T)))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.np.concatenate([x, x.sum(1, keepdims=True)], 1))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: x[:, 1:].reshape(-1, 1) - x.mean())", (2, 3)),
    ("nn.HybridLambda(lambda F, x: x[0] * x[:, -1:])", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.reshape(x, (-2, -1, 1)))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.np.where(x > 0, x, -2 * x))", (2, 3)),
    ("nn.HybridLambda(lambda F, x, y: F.np.maximum(x, y) / (2 + F.np.abs(y)))", (2, 3), (1, 3)),
    ("nn.HybridLambda(lambda F, x: list(F.np.split(x, 3, axis=1)))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.np.zeros_like(x) + F.np.ones((2, 1)) + x)", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.np.expand_dims(x, 0).transpose(2, 1, 0).squeeze())", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.pick(x, F.np.argmax(x, axis=1)))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.one_hot(F.np.argmax(x, axis=1), 3) * x)", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.batch_dot(x, x, transpose_b=True))", (2, 3, 2)),
    ("nn.HybridLambda(lambda F, x: F.np.einsum('ij,kj->ik', x, x) ** 2)", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.np.tensordot(x, x, axes=([1], [1])))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.np.stack([x, x * 2], axis=-1).swapaxes(0, 1))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.layer_norm(x, F.np.ones(3), F.np.zeros(3)))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.topk(x, k=2, ret_typ='value'))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.leaky_relu(x, act_type='gelu'))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.npx.activation(x, act_type='softsign'))", (2, 3)),
    ("nn.HybridLambda(lambda F, x: F.softmax(x))", (2, 3)),
    ("mx.gluon.contrib.nn.PixelShuffle2D(2)", (1, 4, 2, 2)),
    ("mx.gluon.contrib.nn.SyncBatchNorm(in_channels=3)", (3, 3, 2)),
]


def sequential(mx):
    """Containers: names, slices, and layers with several uses."""
    nn = mx.gluon.nn
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dropout(0.5), nn.Dense(2))
    net.initialize(mx.init.Constant(0.25))
    data = mx.np.array(values(3, 5))
    results = [net(data), net[:1](data), len(net), net[-1](net[0](data)), net[0].weight.data()]
    net.hybridize()
    return [*results, net(data), net[0].weight.data().T, net[0].weight.shape]


def concurrent(mx):
    """Layers of gluon.contrib which run next to each other."""
    contrib = mx.gluon.contrib.nn
    results = []
    for make in (contrib.Concurrent, contrib.HybridConcurrent):
        net = make(axis=-1)
        net.add(mx.gluon.nn.Dense(2), contrib.Identity())
        net.initialize(mx.init.One())
        results.append(net(mx.np.array(values(2, 3))))
    return results


class _Scores:
    """Functions which make a decorated block."""

    @staticmethod
    def make(mx):
        @mx.util.use_np
        class Scores(mx.gluon.HybridBlock):
            def __init__(self, **kwargs):
                super().__init__(**kwargs)
                self.scale = self.params.get("scale", shape=(3,), init=mx.init.Constant(2))
                self.offset = self.params.get_constant("offset", mx.np.array([1.0, 2.0, 3.0]))

            def hybrid_forward(self, F, x, scale, offset):
                return F.npx.log_softmax(x * scale + offset, axis=-1), F.np.sum(x)

        return Scores


def decorated(mx):
    """A class with @use_np outside the scope of the program."""
    mx.npx.reset_np()
    net = _Scores.make(mx)()
    net.initialize()
    results = list(net(mx.np.array(values(2, 3))))
    net.hybridize()
    results += list(net(mx.np.array(values(2, 3))))
    return [
        *results,
        net.scale.data().asnumpy(),
        net.offset.data().asnumpy(),
        mx.util.is_np_array(),
    ]


def zoo(name, size):
    """Makes a case of a network of the model zoo."""

    def case(mx):
        net = getattr(mx.gluon.model_zoo.vision, name)(classes=3)
        net.initialize(mx.init.Constant(0.01))
        results = []
        for _ in range(2):
            output = net(mx.np.array(values(1, 3, size, size)))
            results += [type(output).__name__, output.shape]
            results += [float(f"{float(number):.3g}") for number in output[0]]
            net.hybridize()
        return results

    return case


CASES = {f"{text} {shapes}": layer(text, *shapes) for text, *shapes in _ROWS}
CASES |= {case.__name__: case for case in (sequential, concurrent, decorated)}
CASES |= {
    f"zoo {name}": zoo(name, size)
    for name, size in [("resnet18_v1", 32), ("resnet18_v2", 32), ("mobilenet_v2_0_25", 32)]
}
