"""Symbols, and networks written to files and read again."""

import tempfile

from .core import values
from .training import make_net, state_of, steps

NETWORKS = {
    "dense": "nn.Dense(3, activation='relu')",
    "layer_norm": "nn.LayerNorm()",
    "functions": "nn.HybridLambda(lambda F, x: F.np.exp(x) + F.np.sum(x, axis=1, keepdims=True))",
    "indexing": "nn.HybridLambda(lambda F, x: x[:, 1:] * 2 - x[:, 0:1])",
    "first_row": "nn.HybridLambda(lambda F, x: x[0] + x[1])",
    "shapes": "nn.HybridLambda(lambda F, x: F.npx.reshape(x, (-1, 1)).transpose().reshape(2, 3))",
    "joining": "nn.HybridLambda(lambda F, x: F.np.concatenate([x, x * 2], axis=0).mean())",
    "splitting": "nn.HybridLambda(lambda F, x: F.np.split(x, 3, axis=1)[1] / 3)",
    "neural": "nn.HybridLambda(lambda F, x: F.npx.softmax(F.npx.relu(x), axis=0) ** 2)",
    "comparing": "nn.HybridLambda(lambda F, x: F.np.where(x >= 0.1, x, F.np.zeros_like(x)))",
    "picking": "nn.HybridLambda(lambda F, x: F.npx.pick(x, F.np.argmax(x, axis=1)))",
    "products": "nn.HybridLambda(lambda F, x: F.np.dot(x, x.T) + F.np.tensordot(x, x, 2))",
    "numbers": "nn.HybridLambda(lambda F, x: 1 - 2 / (3 + F.np.abs(x)) + x % 2 - (-x))",
    "minimum": "nn.HybridLambda(lambda F, x: F.np.minimum(F.np.maximum(x, -0.5), 0.5).std())",
    "stacking": "nn.HybridLambda(lambda F, x: F.np.stack([x, x], 1).squeeze().max(axis=(0, 2)))",
}


def make_network(text, mx):
    """Returns a network of one row of the table, called once and hybridized."""
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(eval(text, {"nn": mx.gluon.nn}))  # noqa: S307
    net.initialize(mx.init.Constant(0.25))
    net.hybridize()
    net(mx.np.array(values(2, 3)))
    return net


def read(graph, weights, mx):
    """Returns the results of a network in files."""
    block = mx.gluon.SymbolBlock.imports(graph, ["data"], weights)
    return block(mx.np.array(values(2, 3)))


def export(name, folder, mx):
    """Writes a network of the table, and returns the paths of its graph and its parameters."""
    net = make_network(NETWORKS[name], mx)
    net.export(f"{folder}/{name}")
    weights = f"{folder}/{name}-0000.params" if net.collect_params() else None
    return f"{folder}/{name}-symbol.json", weights


def exported(name):
    """Makes a case: results after export and import."""

    def case(mx):
        with tempfile.TemporaryDirectory() as folder:
            return read(*export(name, folder, mx), mx)

    return case


def trained_again(mx):
    """A network is trained, exported, imported and trained further."""
    net = make_net(mx)
    net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    losses = steps(net, mx, trainer, 2)
    with tempfile.TemporaryDirectory() as folder:
        net.export(f"{folder}/net", epoch=3)
        files = f"{folder}/net-symbol.json", f"{folder}/net-0003.params"
        block = mx.gluon.SymbolBlock.imports(files[0], ["data"], files[1])
    trainer = mx.gluon.Trainer(block.collect_params(), "sgd", {"learning_rate": 0.1})
    return [losses, steps(block, mx, trainer, 10), state_of(block)]


def symbols(mx):
    """mx.sym.np, and symbols of both dialects."""
    x, y = mx.sym.var("x"), mx.sym.var("y").as_np_ndarray()
    z = mx.sym.np.add(x.as_np_ndarray(), y) * 2
    classic = z.as_nd_ndarray()
    return [
        type(x).__name__,
        type(y).__name__,
        type(z).__name__,
        type(classic).__name__,
        z.list_arguments(),
        [str(shape) for shape in z.infer_shape(x=(2, 1), y=(3,))[1]],
        type(mx.sym.np.sum(y)).__name__,
        type(mx.sym.npx.relu(y)).__name__,
        type(y[0]).__name__,
        type(y.reshape(-1)).__name__,
    ]


def bound(mx):
    """A symbol that is bound and run."""
    x = mx.sym.var("x").as_np_ndarray()
    z = mx.sym.np.exp(x).sum(axis=0) + mx.sym.npx.relu(x)
    block = mx.gluon.SymbolBlock(z, x)
    return [block(mx.np.array(values(2, 3)))]


def symbol_call(mx):
    """A block called with a symbol."""
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="d_")
    z = net(mx.sym.var("data").as_np_ndarray())
    return [type(z).__name__, z.list_arguments()]


CASES = {name: exported(name) for name in NETWORKS}
CASES |= {case.__name__: case for case in (trained_again, symbols, bound, symbol_call)}
