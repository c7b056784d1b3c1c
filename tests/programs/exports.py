"""Programs that export networks and import them again: names, files, errors, warnings."""

from __future__ import annotations

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn

from .core import functions, lines
from .export_helpers import again, exported, files, imported, listed, path, stack, x


def layer_of_a_sequence_without_states():
    net = gluon.rnn.LSTM(2, prefix="rnn_", input_size=3)
    net.initialize(mx.init.One())
    net.hybridize()
    net(x.reshape((2, 1, 3)))
    return exported(net)


def layer_of_a_sequence_that_was_not_called():
    net = gluon.rnn.GRU(2, prefix="rnn_", input_size=3)
    net.initialize()
    net.hybridize()
    return exported(net)


def layer_of_a_sequence_within_a_network():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(gluon.rnn.LSTM(2, input_size=3), nn.Dense(2, in_units=2, flatten=False))
    net.initialize(mx.init.One())
    net.hybridize()
    data = x.reshape((2, 1, 3))
    net(data)
    net.export(path)
    return [exported(net), net(data), imported()(data)]


def shared_parameters():
    one = nn.Dense(3, in_units=3, prefix="one_")
    net = nn.HybridSequential(prefix="net_")
    net.add(one, nn.Dense(3, in_units=3, prefix="two_", params=one.params))
    net.initialize(mx.init.One())
    net.hybridize()
    net(x)
    return [exported(net), again(net, ["data"], x)]


def checkpoint_of_an_exported_network():
    stack().export(path, epoch=3)
    symbols, arguments, states = mx.model.load_checkpoint(path, 3)
    return [symbols.list_outputs(), sorted(arguments), sorted(states)]


def an_exported_network_in_a_module():
    stack().export(path, epoch=3)
    module = mx.mod.Module.load(path, 3, label_names=None)
    module.bind([("data", (2, 3))], for_training=False)
    module.forward(mx.io.DataBatch([x]))
    return module.get_outputs()


def a_module_as_a_block():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    module = mx.mod.Module(net)
    module.bind([("data", (2, 3))], [("softmax_label", (2,))])
    module.init_params(mx.init.One())
    module.save_checkpoint(path, 0)
    return [imported(["data", "softmax_label"])(x, nd.zeros((2,))), listed(imported())]


def a_block_that_has_been_imported_is_exported():
    stack().export(path)
    net = imported()
    net.hybridize()
    first = net(x)
    net.export(path, 1)
    return [first, imported(params=path + "-0001.params")(x), files()]


def notes():
    stack().export(path=path, epoch=5)
    sym, arg_params, aux_params = mx.model.load_checkpoint(prefix=path, epoch=5)
    net = gluon.nn.SymbolBlock(outputs=sym, inputs=mx.sym.var("data"))
    net_params = net.collect_params()
    for param in arg_params:
        if param in net_params:
            net_params[param]._load_init(arg_params[param], ctx=mx.cpu())
    for param in aux_params:
        if param in net_params:
            net_params[param]._load_init(aux_params[param], ctx=mx.cpu())
    return [net(x), stack()(x)]


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
    **lines("export_helpers", _EXPORT),
    **lines("export_helpers", _AGAIN),
    **lines("export_helpers", _IMPORT),
    **lines("export_helpers", _KINDS),
    **functions(globals()),
}
