"""Objects whose attributes are compared with the original's, each made of a package `mx`."""


def _network(mx):
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    net(mx.nd.ones((1, 3)))
    return net


def _stack(mx):
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(2))
    return net


def _iterator(mx):
    return mx.io.NDArrayIter(mx.nd.ones((4, 2)), mx.nd.ones((4,)), 2)


def _module(mx):
    return mx.mod.Module(mx.sym.var("data") + 1, label_names=None)


def _loader(mx):
    return mx.gluon.data.DataLoader(mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2))), 2)


OBJECTS = {
    "array": lambda mx: mx.nd.array([1]),
    "numpy array": lambda mx: mx.np.array([1]),
    "csr array": lambda mx: mx.nd.sparse.zeros("csr", (2, 2)),
    "row_sparse array": lambda mx: mx.nd.sparse.zeros("row_sparse", (2, 2)),
    "symbol": lambda mx: mx.sym.var("x"),
    "numpy symbol": lambda mx: mx.sym.var("x").as_np_ndarray(),
    "context": lambda mx: mx.cpu(),
    "recording": lambda mx: mx.autograd.record(),
    "block": lambda mx: mx.gluon.Block(),
    "hybrid block": lambda mx: mx.gluon.HybridBlock(),
    "layer": _network,
    "stack": _stack,
    "network of the zoo": lambda mx: mx.gluon.model_zoo.vision.resnet18_v1(),
    "recurrent layer": lambda mx: mx.gluon.rnn.LSTM(3),
    "cell": lambda mx: mx.gluon.rnn.LSTMCell(3),
    "loss": lambda mx: mx.gluon.loss.L2Loss(),
    "parameter": lambda mx: _network(mx).weight,
    "constant": lambda mx: mx.gluon.Constant("x", mx.nd.ones((1,))),
    "parameters": lambda mx: _network(mx).collect_params(),
    "trainer": lambda mx: mx.gluon.Trainer(_network(mx).collect_params(), "sgd"),
    "dataset": lambda mx: mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2))),
    "loader": _loader,
    "transform": lambda mx: mx.gluon.data.vision.transforms.ToTensor(),
    "metric": lambda mx: mx.metric.Accuracy(),
    "composite metric": lambda mx: mx.metric.CompositeEvalMetric(),
    "optimizer": lambda mx: mx.optimizer.Adam(),
    "updater": lambda mx: mx.optimizer.get_updater(mx.optimizer.SGD()),
    "schedule": lambda mx: mx.lr_scheduler.FactorScheduler(1),
    "initializer": lambda mx: mx.init.Xavier(),
    "iterator": _iterator,
    "batch": lambda mx: next(_iterator(mx)),
    "store": lambda mx: mx.kv.create("local"),
    "module": _module,
    "executor": lambda mx: (mx.sym.var("a") + 1).bind(mx.cpu(), {"a": mx.nd.ones((1,))}),
    "callback": lambda mx: mx.callback.Speedometer(1),
    "monitor": lambda mx: mx.mon.Monitor(1),
}
"""What makes each of them, by what it is."""


def list_shown(value):
    """Lists the attributes that completion shows."""
    return sorted(name for name in dir(value) if not name.startswith("_"))
