"""What users do with the networks of `gluon.model_zoo`: looking inside, fine tuning, files."""

from __future__ import annotations

import contextlib
import io
import os
import re

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import model_store
from mxnet.gluon.model_zoo import vision as V

from .core import functions, lines
from .zoo_helpers import init, mobile, names, refuses, small, x


def fine_tuning(folder):
    base = init(mobile(classes=5, prefix="base_"))
    base(x)
    net = mobile(classes=3, prefix="base_")
    net.features = base.features
    net.output.initialize(mx.init.Xavier())
    y1 = net(x).shape
    path = os.path.join(folder, "f.params")
    base.save_parameters(path)
    r = [y1, list(net.collect_params())[-1]]
    r.append(bool((net.features(x) == base.features(x)).min().asscalar()))
    return r


def a_new_output():
    class Tuned(gluon.HybridBlock):
        def __init__(self, features, **kw):
            super().__init__(**kw)
            with self.name_scope():
                self.features = features
                self.output = nn.Dense(4)

        def hybrid_forward(self, F, x):
            return self.output(self.features(x))

    net = Tuned(init(mobile(prefix="b_")).features, prefix="tuned_")
    net.output.initialize()
    net.hybridize()
    net.collect_params(".*conv.*").setattr("grad_req", "null")
    trainer = gluon.Trainer(net.output.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(x), nd.array([1]))
    loss.backward()
    trainer.step(1)
    known = list(net.collect_params())
    return [loss.shape, known[0], known[-2:], net.features[0].weight.grad_req]


def parameters_of_a_larger_network(folder):
    a = init(mobile(classes=5, prefix="a_"))
    a(x)
    path = os.path.join(folder, "f.params")
    a.save_parameters(path)
    b = mobile(classes=3, prefix="b_")
    c = mobile(classes=5, prefix="c_")
    r = [refuses(AssertionError, lambda: net.load_parameters(path)) for net in (b, c)]
    f = mobile(prefix="d_").features
    r.append(refuses(AssertionError, lambda: f.load_parameters(path)))
    r.append(refuses(AssertionError, lambda: f.load_parameters(path, ignore_extra=True)))
    some = dict(allow_missing=True, ignore_extra=True)
    r.append(refuses(AssertionError, lambda: f.load_parameters(path, **some)))
    return r


def parameters_by_prefix(folder):
    a = init(mobile(classes=5, prefix="a_"))
    a(x)
    path = os.path.join(folder, "f.params")
    a.collect_params().save(path, strip_prefix="a_")
    b = mobile(classes=5, prefix="b_")
    b.collect_params().load(path, mx.cpu(), restore_prefix="b_")
    c = mobile(classes=3, prefix="b_")
    read = lambda: c.collect_params().load(path, mx.cpu(), restore_prefix="b_")
    r = [b(x).asnumpy().round(4).tolist(), refuses(AssertionError, read)]
    c.features.collect_params().load(path, ignore_extra=True, restore_prefix="b_")
    r.append(c.features(x).shape)
    r.append(refuses(AssertionError, lambda: mobile(prefix="q_").collect_params().load(path)))
    return r


def export_and_import(folder):
    a = init(mobile(classes=5, prefix="a_"))
    a.hybridize()
    y = a(x)
    a.export(os.path.join(folder, "m"), epoch=3)
    path = os.path.join(folder, "m")
    b = gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0003.params")
    sym, args, aux = mx.model.load_checkpoint(path, 3)
    layers = sym.get_internals()
    close = bool((abs(b(x) - y) < 1e-4).min().asscalar())
    r = [sorted(os.listdir(folder)), close, len(args), len(aux), sym.list_outputs()]
    r.append(layers.list_outputs()[-4:])
    r += [sym.infer_shape(data=(2, 3, 32, 32))[1]]
    return r


def an_inner_output():
    net = mobile(prefix="a_")
    out = net(mx.sym.var("data"))
    inner = out.get_internals()
    r = [out.name, inner.list_outputs()[:4], inner.list_outputs()[-6:]]
    r.append(inner[inner.list_outputs()[-4]].infer_shape(data=(1, 3, 32, 32))[1])
    return r


def short_hashes():
    return [model_store.short_hash("resnet18_v1"), len(model_store._model_sha1)]


def names_of_a_second_network():
    a, b = small(), small()
    return [a.prefix != b.prefix, a.prefix[:10], re.sub("[0-9]+", "", list(b.collect_params())[0])]


def cast():
    net = init(mobile(classes=5, prefix="a_"))
    net.cast("float64")
    return [net(x.astype("float64")).dtype, net.features[0].weight.data().dtype]


def summary():
    net = init(mobile(classes=5, prefix="a_"))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        net.summary(x)
    return [line for line in out.getvalue().splitlines()[-6:]]


def hooks_on_layers():
    net = init(mobile(classes=5, prefix="a_"))
    seen = []
    note = lambda block, inputs, output: seen.append([block.name, output.shape])
    hooks = [layer.register_forward_hook(note) for layer in net.features[:3]]
    net(x)
    hooks[0].detach()
    net(x)
    return seen


def apply_and_reset():
    net = mobile(classes=5, prefix="a_")
    kinds = {}
    net.apply(lambda b: kinds.__setitem__(type(b).__name__, kinds.get(type(b).__name__, 0) + 1))
    init(net)(x)
    net.collect_params().reset_ctx(mx.cpu(1))
    return [sorted(kinds.items()), net(x.as_in_context(mx.cpu(1))).context]


def zoo_in_a_module():
    out = mx.sym.SoftmaxOutput(mobile(classes=5, prefix="a_")(mx.sym.var("data")), name="softmax")
    mod = mx.mod.Module(out)
    mod.bind([("data", (2, 3, 32, 32))], [("softmax_label", (2,))])
    mod.init_params(mx.init.Constant(0.01))
    mod.forward(mx.io.DataBatch([nd.ones((2, 3, 32, 32))], [nd.zeros((2,))]))
    return [mod.get_outputs()[0].shape, len(mod.get_params()[0]), len(mod.get_params()[1])]


def units_of_ones_own():
    net = V.ResNetV1(V.BasicBlockV1, [1, 1], [8, 8, 16], classes=3, thumbnail=True, prefix="r_")
    other = V.MobileNet(0.25, 4, prefix="m_")
    vgg = V.VGG([1, 1, 1, 1, 1], [4, 4, 4, 4, 4], classes=3, prefix="v_")
    dense = V.DenseNet(8, 4, [1, 1], classes=3, prefix="d_")
    squeeze = V.SqueezeNet("1.1", classes=3, prefix="s_")
    return [init(net)(x).shape, init(other)(x).shape, names(vgg), names(dense), names(squeeze)]


FAMILIES = (
    "resnet18_v1",
    "resnet34_v2",
    "resnet50_v1",
    "resnet50_v2",
    "vgg11",
    "vgg16_bn",
    "alexnet",
    "densenet121",
    "squeezenet1.0",
    "squeezenet1.1",
    "inceptionv3",
    "mobilenet1.0",
    "mobilenet0.25",
    "mobilenetv2_1.0",
    "mobilenetv2_0.5",
)

PROGRAMS = {
    **lines(
        "zoo_helpers",
        "\n".join(f"describe({name!r})" for name in FAMILIES)
        + """
told(lambda: V.get_model('resnet19_v1')), told(lambda: V.get_model('')), told(lambda: V.get_model(5)), told(lambda: V.get_model('resnet18_v1', foo=1))
V.get_model('ResNet18_V1', prefix='a_').name, V.get_model('SqueezeNet1.0', prefix='a_').name
V.get_resnet(1, 18, prefix='q_').name, V.get_vgg(11, prefix='q_').name, V.get_mobilenet(0.5, prefix='q_').name
names(V.resnet18_v1(thumbnail=True, classes=10, prefix='t_'))
names(V.resnet18_v2(thumbnail=True, classes=10, prefix='t_'))
names(V.vgg11(batch_norm=True, prefix='t_')), names(V.get_vgg(11, batch_norm=True, prefix='t_'))
init(V.resnet18_v1(thumbnail=True, classes=10, prefix='t_'))(x).shape
init(small(classes=5, prefix='s_'))(nd.ones((1, 3, 64, 64)) * 0.5)
init(mobile(classes=5, prefix='s_'))(x).shape
init(V.mobilenet_v2_0_25(classes=5, prefix='s_'))(x).shape
init(small(classes=5, prefix='s_')).features(nd.ones((1, 3, 64, 64))).shape
init(mobile(classes=5, prefix='s_')).features[:4](x).shape
init(mobile(classes=5, prefix='s_')).features[:-1](x).shape
type(mobile().features[:-1]).__name__, len(mobile().features[:-1]), type(mobile().features[2]).__name__
mobile().features[100]
mobile(prefix='m_').features[1].name, mobile(prefix='m_').features[-1].name, mobile(prefix='m_').output.name
V.resnet18_v1(prefix='m_').features[4][0].name, V.resnet18_v1(prefix='m_').features[4][0].body[0].name, V.resnet18_v1(prefix='m_').features[5][0].downsample[0].name
V.densenet121(prefix='m_').features[3].name, V.vgg11(prefix='m_').features[-2].name, V.alexnet(prefix='m_').features[0].name, V.inception_v3(prefix='m_').features[0][0].name
mobile(ctx=mx.cpu(1)).name.split('_')[0][:9], mobile(root='/nowhere').prefix[:9]
mobile(pretrained=False, ctx=[mx.cpu(0), mx.cpu(1)]).prefix[:9]
str(mobile(prefix='m_').output), str(mobile(prefix='m_', classes=3).features[0]), str(V.alexnet(prefix='m_').features[-2])
str(small(prefix='m_').features[3])
str(V.resnet18_v1(prefix='m_').features[4]).splitlines()[:4]
str(V.resnet50_v2(prefix='m_').features[5][0])
repr(mobile(classes=5, prefix='m_')).count(chr(10))
list(mobile(prefix='m_').features.collect_params('.*conv1_weight'))
list(mobile(prefix='m_').collect_params('nothing'))
list(mobile(prefix='m_')._collect_params_with_prefix())[:3], list(mobile(prefix='m_')._collect_params_with_prefix())[-2:]
list(V.resnet18_v1(prefix='m_')._collect_params_with_prefix())[5:8], list(V.densenet121(prefix='m_')._collect_params_with_prefix())[5:8]
V.get_model('resnet19_v1')
V.get_model('')
V.get_model('resnet18_v1', foo=1)
V.get_resnet(3, 18)
V.get_resnet(1, 19)
V.get_vgg(12)
V.SqueezeNet('1.2')
V.ResNetV1(V.BasicBlockV1, [1, 1], [8, 8])
V.VGG([1], [4, 4])
model_store.short_hash('resnet')
list(mobile(prefix='m_').collect_params('.*gamma'))[:3], list(mobile(prefix='m_').collect_params('.*conv0.*|.*dense.*'))
""",
    ),
    **functions(globals()),
}
