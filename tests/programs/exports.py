"""Programs that export networks and import them again: names, files, errors, warnings."""

from __future__ import annotations

from .core import of

SETUP = """\
import os, warnings
warnings.simplefilter("ignore")
from mxnet import gluon
from mxnet.gluon import nn
x, y = nd.array([[1, -2, 3], [4, 5, -6]]), nd.array([[1, 1, 2], [0, 2, 1]])
path = os.path.join(folder, "net")
def dense(hybrid=True, called=True, **flags):
    net = nn.Dense(2, in_units=3, prefix="dense_")
    net.initialize(mx.init.One())
    if hybrid:
        net.hybridize(**flags)
    if called:
        net(x)
    return net
def stack():
    net = nn.HybridSequential(prefix="stack_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize(mx.init.One())
    net.hybridize()
    net(x)
    return net
def block(function, *args, **parameters):
    class Net(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            for name, shape in parameters.items():
                setattr(self, name, self.params.get(name, shape=shape, init="ones"))
        def hybrid_forward(self, F, *inputs, **kwargs):
            return function(F, *inputs, **kwargs)
    net = Net(prefix="net_")
    net.initialize()
    net.hybridize()
    net(*args)
    return net
def cast(net, kind):
    net.cast(kind)
    net(x.astype(kind))
    return net
def inside(function, *args, **options):
    block(function, *args).export(path, **options)
    return mx.sym.load(path + "-symbol.json").get_internals().list_outputs()
def files():
    return sorted(os.listdir(folder))
def saved(number=0):
    found = mx.nd.load(f"{path}-{number:04d}.params")
    return sorted((k, str(v.dtype), v.shape) for k, v in found.items()) if found else []
def exported(net, *args, **kwargs):
    net.export(path, *args, **kwargs)
    s = mx.sym.load(path + "-symbol.json")
    return [files(), s.list_inputs(), s.list_outputs(), saved()]
def again(net, names, *args, **options):
    net.export(path)
    loaded = gluon.SymbolBlock.imports(
        path + "-symbol.json", names, path + "-0000.params", **options)
    return loaded(*args)
def imported(
    names=["data"], params=path + "-0000.params", symbols=path + "-symbol.json", **options
):
    return gluon.SymbolBlock.imports(symbols, names, params, **options)
def listed(net):
    return [(k, p.name, str(np.dtype(p.dtype)), p.grad_req)
            for k, p in sorted(net.collect_params().items())]
def warned(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    return len([w for w in caught if w.category is UserWarning])
def kept(net, *names, **more):
    net.export(path)
    found = mx.nd.load(path + "-0000.params")
    mx.nd.save(path + "-0000.params", {**{k: v for k, v in found.items() if k in names}, **more})
    return imported
"""

_EXPORT = """
dense().export(path)
[dense().export(path, 12), files()]
[dense().export(path, epoch=12345), files()]
[dense().export(path=path, epoch=7, remove_amp_cast=False), files()]
dense().export(path, epoch="7")
dense().export(path, epoch=1.5)
dense().export(os.path.join(folder, "missing", "net"))
dense(hybrid=False).export(path)
dense(called=False).export(path)
dense(hybrid=False, called=False).export(path)
dense(called=False, static_alloc=True).export(path)
nn.Dense(2).export(path)
(lambda net: (net.hybridize(), net.export(path)))(dense())
(lambda net: (net.hybridize(False), net.export(path)))(dense())
(lambda net: (net.cast("float64"), net.export(path)))(dense())
exported(dense(static_alloc=True))
exported(dense(static_alloc=True, static_shape=True))
exported(dense())
exported(stack())
exported(block(lambda F, x, y: x + y, x, y))
exported(block(lambda F, x, y: [x + y, (x * y, x - y)], x, y))
exported(block(lambda F, x, y: x + y[0] * y[1], x, [y, y]))
exported(block(lambda F, x, y=None, z=None: x * 2 if y is None else x + y, x, None, y))
exported(block(lambda F, x, y=None, z=None: x + z, x, None, y))
exported(block(lambda F, x, y=None: x * 2, x, None))
exported(block(lambda F, x: F.split(x, num_outputs=3), x))
exported(block(lambda F, x, w: F.broadcast_mul(x, w), x, w=(1, 3)))
exported(block(lambda F, x, w, v: F.broadcast_mul(x, w), x, w=(1, 3), v=(2, 2)))
exported(block(lambda F, x, y: x * 2, x, y))
exported(block(lambda F, x: x, x))
warned(lambda: block(lambda F, x, w, v: F.broadcast_mul(x, w), x, w=(1, 3), v=(2, 2)).export(path))
warned(lambda: block(lambda F, x, w: x * 2, x, w=(1, 3)).export(path))
warned(lambda: dense().export(path))
exported(gluon.loss.L2Loss(prefix="loss_"))
exported(block(lambda F, x: F.amp_cast(x, dtype="float32") * 2, x))
exported(block(lambda F, x: F.amp_cast(x, dtype="float32") * 2, x), remove_amp_cast=False)
exported(block(lambda F, x, y: F.amp_multicast(x, y, num_outputs=2), x, y))
exported(block(lambda F, x, y: F.concat(*F.amp_multicast(x * 2, y, num_outputs=2)), x, y))
exported(block(lambda F, x: F.amp_cast(x, dtype="float32"), x))
exported(block(lambda F, x: F.amp_cast(x * 2, dtype="float32"), x))
exported(block(lambda F, x: F.amp_cast(x * 2, dtype="float32"), x), remove_amp_cast=False)
inside(lambda F, x, y: F.concat(*F.amp_multicast(x * 2, y, num_outputs=2)), x, y)
inside(lambda F, x: F.amp_cast(x, dtype="float32") * 2, x)
inside(lambda F, x: F.amp_cast(x, dtype="float32") * 2, x, remove_amp_cast=False)
(lambda n: (n.hybridize(clear=False), exported(n)))(dense())
(lambda n: (setattr(n, "other", nn.Dense(2)), n.export(path)))(dense())
(lambda n: (n.add(nn.Dense(2)), n.export(path)))(stack())
(lambda n: (n.load_parameters((n.save_parameters(path), path)[1]), exported(n)))(dense())
(lambda n: (n.initialize(force_reinit=True), exported(n)))(dense())
(lambda n: (n(nd.ones((5, 3))), exported(n)))(dense())
(lambda n: (n[0](x), n[0].export(path), files()))(stack())
"""

_AGAIN = """
again(dense(), ["data"], x)
again(dense(), "data", x)
again(stack(), ["data"], x)
again(block(lambda F, x, y: x - y, x, y), ["data0", "data1"], x, y)
again(block(lambda F, x, y: x - y, x, y), ["data1", "data0"], x, y)
again(block(lambda F, x, y: [x + y, (x * y, x - y)], x, y), ["data0", "data1"], x, y)
again(block(lambda F, x: F.split(x, num_outputs=3), x), ["data"], x)
again(block(lambda F, x, y=None, z=None: x + z, x, None, y), ["data0", "data1"], x, y)
again(block(lambda F, x, w: F.broadcast_mul(x, w), x, w=(1, 3)), ["data"], x)
again(block(lambda F, x: x, x), ["data"], x)
again(dense(), ["data"], x, ctx=mx.cpu())
again(dense(), ["data"], x, ctx=[mx.cpu(0), mx.cpu(1)])
again(dense(), ["data"])
again(dense(), ["data"], x, y)
again(dense(), ["data"], nd.ones((2, 4)))
"""

_IMPORT = """
(dense().export(path), str(imported()))[1]
(stack().export(path), str(imported()))[1]
(dense().export(path), listed(imported()))[1]
(stack().export(path), listed(imported()))[1]
(dense().export(path), listed(imported(params=None)))[1]
(dense().export(path), imported(params=None)(x))[1]
(dense().export(path), imported(params=None).collect_params().initialize())[1]
(dense().export(path), imported(["other"]))[1]
(dense().export(path), imported().export(path, 1), files())[2]
(dense().export(path), imported().hybridize(), imported().export(path, 1), files())[3]
(dense().export(path), cast(imported(), "float64").export(path), saved())[2]
(dense().export(path), (lambda n: (n(x), exported(n)))(imported()))[1]
(block(lambda F, x, y: x - y, x, y).export(path), exported(imported(["data0", "data1"])))[1]
(dense().export(path), imported(["data", "other"])(x, y))[1]
(dense().export(path), imported(["dense_weight"]))[1]
(dense().export(path), imported([]))[1]
(dense().export(path), imported(params="missing.params"))[1]
(dense().export(path), imported(symbols="missing.json"))[1]
(dense().export(path), imported(symbols=path + "-0000.params"))[1]
(dense().export(path), imported(params=path + "-symbol.json"))[1]
kept(dense(), "arg:dense_weight")()
kept(dense(), "arg:dense_weight")(allow_missing=True)(x)
listed(kept(dense(), "arg:dense_weight")(allow_missing=True))
kept(dense(), "arg:dense_weight", "arg:dense_bias", extra=x)()
kept(dense(), "arg:dense_weight", "arg:dense_bias", extra=x)(ignore_extra=True)(x)
kept(dense(), "arg:dense_weight", **{"arg:dense_bias": nd.ones((5,))})()(x)
kept(dense(), "arg:dense_weight", **{"dense_bias": nd.ones((2,))})()(x)
kept(dense(), "arg:dense_weight", **{"aux:dense_bias": nd.ones((2,))})()(x)
kept(dense(), "arg:dense_weight", **{"arg:dense_bias": nd.ones((2,), dtype="float64")})()(x)
listed(kept(dense(), "arg:dense_weight", **{"arg:dense_bias": nd.ones((2,), dtype="float64")})())
(stack().export(path), (lambda n: (n.hybridize(), n(x), n.export(path + "2")))(imported()), files())
"""

_KINDS = """
again(cast(dense(), "float64"), ["data"], x.astype("float64"))
again(cast(dense(), "float64"), ["data"], x)
exported(cast(nn.Activation("relu", prefix="a_"), "float16"))
(cast(stack(), "float64").export(path), listed(imported()))[1]
"""

PROGRAMS = {
    **of(SETUP, _EXPORT),
    **of(SETUP, _AGAIN),
    **of(SETUP, _IMPORT),
    **of(SETUP, _KINDS),
    "layer of a sequence without states": SETUP
    + """
net = gluon.rnn.LSTM(2, prefix="rnn_", input_size=3)
net.initialize(mx.init.One())
net.hybridize()
net(x.reshape((2, 1, 3)))
r = exported(net)
""",
    "layer of a sequence that was not called": SETUP
    + """
net = gluon.rnn.GRU(2, prefix="rnn_", input_size=3)
net.initialize()
net.hybridize()
r = exported(net)
""",
    "layer of a sequence within a network": SETUP
    + """
net = nn.HybridSequential(prefix="net_")
with net.name_scope():
    net.add(gluon.rnn.LSTM(2, input_size=3), nn.Dense(2, in_units=2, flatten=False))
net.initialize(mx.init.One())
net.hybridize()
data = x.reshape((2, 1, 3))
net(data)
net.export(path)
r = [exported(net), net(data), imported()(data)]
""",
    "shared parameters": SETUP
    + """
one = nn.Dense(3, in_units=3, prefix="one_")
net = nn.HybridSequential(prefix="net_")
net.add(one, nn.Dense(3, in_units=3, prefix="two_", params=one.params))
net.initialize(mx.init.One())
net.hybridize()
net(x)
r = [exported(net), again(net, ["data"], x)]
""",
    "checkpoint of an exported network": SETUP
    + """
stack().export(path, epoch=3)
symbols, arguments, states = mx.model.load_checkpoint(path, 3)
r = [symbols.list_outputs(), sorted(arguments), sorted(states)]
""",
    "an exported network in a module": SETUP
    + """
stack().export(path, epoch=3)
module = mx.mod.Module.load(path, 3, label_names=None)
module.bind([("data", (2, 3))], for_training=False)
module.forward(mx.io.DataBatch([x]))
r = module.get_outputs()
""",
    "a module as a block": SETUP
    + """
net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
net = mx.sym.SoftmaxOutput(net, name="softmax")
module = mx.mod.Module(net)
module.bind([("data", (2, 3))], [("softmax_label", (2,))])
module.init_params(mx.init.One())
module.save_checkpoint(path, 0)
r = [imported(["data", "softmax_label"])(x, nd.zeros((2,))), listed(imported())]
""",
    "a block that has been imported is exported": SETUP
    + """
stack().export(path)
net = imported()
net.hybridize()
first = net(x)
net.export(path, 1)
r = [first, imported(params=path + "-0001.params")(x), files()]
""",
    "notes": SETUP
    + """
stack().export(path=path, epoch=5)
sym, arg_params, aux_params = mx.model.load_checkpoint(prefix=path, epoch=5)
net = gluon.nn.SymbolBlock(outputs=sym, inputs=mx.sym.var('data'))
net_params = net.collect_params()
for param in arg_params:
    if param in net_params:
        net_params[param]._load_init(arg_params[param], ctx=mx.cpu())
for param in aux_params:
    if param in net_params:
        net_params[param]._load_init(aux_params[param], ctx=mx.cpu())
r = [net(x), stack()(x)]
""",
}
