"""Programs of books and tutorials on symbols, their attributes and modules."""

from __future__ import annotations

import os

import mxnet as mx
import numpy as np
from mxnet import nd

from .core import functions
from .symbolic_helpers import S, Waves, digits, mlp, near, short, wave


def symbol_tutorial_composition_of_a_multi_layer_net():
    data = S.Variable("data")
    net = data
    for i in range(3):
        net = S.FullyConnected(data=net, name="fc%d" % i, num_hidden=10)
        net = S.Activation(data=net, name="act%d" % i, act_type="relu")
    net = S.SoftmaxOutput(data=net, name="softmax")
    arg, out, aux = net.infer_shape(data=(5, 20))
    return dict(zip(net.list_arguments(), arg)), out, aux, net.list_outputs(), net.name


def symbol_tutorial_inception_factory():
    def conv_factory(data, num_filter, kernel, stride=(1, 1), pad=(0, 0), name=None, suffix=""):
        conv = S.Convolution(
            data=data,
            num_filter=num_filter,
            kernel=kernel,
            stride=stride,
            pad=pad,
            name="conv_%s%s" % (name, suffix),
        )
        bn = S.BatchNorm(data=conv, name="bn_%s%s" % (name, suffix))
        return S.Activation(data=bn, act_type="relu", name="relu_%s%s" % (name, suffix))

    def inception(data, a, b, c, pool, name):
        c1 = conv_factory(data, a, (1, 1), name="%s_1x1" % name)
        c3r = conv_factory(data, b, (1, 1), name="%s_3x3" % name, suffix="_reduce")
        c3 = conv_factory(c3r, b, (3, 3), pad=(1, 1), name="%s_3x3" % name)
        pooling = S.Pooling(
            data=data,
            kernel=(3, 3),
            stride=(1, 1),
            pad=(1, 1),
            pool_type=pool,
            name="%s_pool_%s_pool" % (pool, name),
        )
        proj = conv_factory(pooling, c, (1, 1), name="%s_proj" % name)
        return S.Concat(c1, c3, proj, name="ch_concat_%s_chconcat" % name)

    net = inception(S.Variable("Previous_Output"), 4, 8, 2, "avg", "3a")
    shape = {"Previous_Output": (2, 3, 8, 8)}
    return (
        net.list_arguments(),
        net.list_auxiliary_states(),
        net.infer_shape(**shape)[1],
        net.get_internals().infer_shape(**shape)[1][-3:],
    )


def symbol_tutorial_group_of_losses_with_a_shared_body():
    net = S.Variable("data")
    net = S.FullyConnected(data=net, name="fc1", num_hidden=128)
    net = S.Activation(data=net, name="relu1", act_type="relu")
    out1 = S.SoftmaxOutput(data=net, name="softmax")
    out2 = S.LinearRegressionOutput(data=net, name="regression")
    group = S.Group([out1, out2])
    return group.list_outputs(), group.list_arguments(), group.infer_shape(data=(3, 7))


def symbol_tutorial_new_symbol_from_a_part():
    data = S.var("data")
    net1 = S.FullyConnected(data=data, name="fc1", num_hidden=10)
    net2 = S.Variable("data2")
    net2 = S.FullyConnected(data=net2, name="fc2", num_hidden=10)
    composed = net2(data2=net1, name="composed")
    return composed.list_arguments(), composed.name, net2.list_arguments(), composed.list_outputs()


def symbol_tutorial_flexible_composition():
    a, b = S.Variable("a"), S.Variable("b")
    c = a + b
    d = S.Variable("d")
    e = d * S.FullyConnected(data=S.Variable("f"), num_hidden=2, name="fc")
    joined = e(d=c)
    again = joined(f=S.Variable("g") + 1)
    return joined.list_arguments(), again.list_arguments(), again.infer_shape(a=(3, 2), g=(3, 4))


def symbol_tutorial_bind_with_numbers():
    a, b = S.Variable("a"), S.Variable("b")
    c = a * b + 2
    ex = c.bind(ctx=mx.cpu(), args={"a": nd.ones([2, 3]), "b": nd.ones([2, 3]) * 3})
    ex.forward()
    return len(ex.outputs), ex.outputs[0], ex.outputs[0].asnumpy().dtype


def symbol_tutorial_evaluation_of_a_gpu_less_group():
    a, b = S.Variable("a"), S.Variable("b")
    return (a + b).eval(ctx=mx.cpu(), a=nd.ones([2, 3]), b=nd.ones([2, 3]))


def symbol_tutorial_save_load_and_compare(folder):
    a, b = S.Variable("a"), S.Variable("b")
    c = a + b
    c.save(folder + "/symbol-c.json")
    c2 = S.load(folder + "/symbol-c.json")
    return c.tojson() == c2.tojson(), c2.name


def symbol_tutorial_cast_in_a_mixed_net():
    a = S.Variable("data")
    b = S.Cast(data=a, dtype="float16")
    c = S.Variable("data2")
    arg, out, aux = S.Group([b, c]).infer_type(data="float32", data2="int32")
    net = S.FullyConnected(S.Cast(a, dtype="float64"), num_hidden=2, name="f")
    return (
        arg,
        out,
        aux,
        net.infer_type(data="uint8"),
        net.simple_bind(mx.cpu(), data=(2, 3), type_dict={"data": "uint8"}).forward()[0].dtype,
    )


def symbol_tutorial_shared_weights():
    a = S.Variable("a")
    b = S.Variable("b")
    b = a * 2
    c = S.Variable("w")
    net = S.FullyConnected(
        S.FullyConnected(a, c, num_hidden=3, no_bias=True, name="one"),
        c,
        num_hidden=3,
        no_bias=True,
        name="two",
    )
    ex = net.bind(
        mx.cpu(),
        {"a": nd.ones((1, 3)), "w": nd.array(wave((3, 3)))},
        args_grad={"w": nd.zeros((3, 3))},
        grad_req={"a": "null", "w": "write"},
    )
    ex.forward(is_train=True)
    ex.backward(nd.ones((1, 3)))
    return ex.outputs, ex.grad_dict


def ndarray_of_attributes_in_a_tutorial():
    data = S.Variable("data")
    with mx.AttrScope(group="4", data="great"):
        op = S.Activation(data, act_type="tanh", name="act", attr={"mood": "happy"})
    return op.attr("group"), op.attr("data"), op.attr("mood")


def attribute_scopes_nest():
    with mx.AttrScope(__group__="4", __data__="great"):
        data = S.Variable("data", attr={"dtype": "data", "__group__": "1"})
        with mx.AttrScope(__data__="worse", __more__="x"):
            gdata = S.Variable("data2")
            op = S.Activation(data, act_type="tanh", name="act")
        last = S.Variable("last")
    return (
        data.attr("__group__"),
        data.attr("dtype"),
        gdata.attr("__group__"),
        gdata.attr("__data__"),
        gdata.attr("__more__"),
        op.attr("__data__"),
        last.attr("__data__"),
        last.attr("__more__"),
    )


def attributes_through_pickle():
    import pickle

    data = S.Variable("data", attr={"mood": "angry"})
    op = S.Convolution(
        data=data, name="conv", kernel=(1, 1), num_filter=1, attr={"__mood__": "so so"}
    )
    op2 = pickle.loads(pickle.dumps(op))
    return (
        op2.attr("__mood__"),
        op2.tojson() == op.tojson(),
        sorted(op2.attr_dict()["data"].items()),
        op2.attr_dict()["conv"] == op.attr_dict()["conv"],
        sorted(op2.attr_dict()["conv_weight"].items()),
    )


def an_attribute_on_an_operator_without_underscores():
    return S.Convolution(
        data=S.var("d"), name="conv", kernel=(1, 1), num_filter=1, attr={"mood": "so so"}
    )


def learning_rates_by_operator_arguments():
    net = S.FullyConnected(S.var("data"), num_hidden=3, name="fc1", lr_mult=2)
    net = S.Convolution(
        net, kernel=(1, 1), num_filter=3, name="c", wd_mult=0.5, ctx_group="g", force_mirroring=True
    )
    return {k: sorted(v.items()) for k, v in sorted(net.attr_dict().items())}


def learning_rates_of_one_input_by_name():
    net = S.FullyConnected(
        S.var("data"), num_hidden=3, name="fc1", weight_lr_mult=2, bias_wd_mult=0
    )
    return {k: sorted(v.items()) for k, v in sorted(net.attr_dict().items())}


def learning_rates_of_one_input_by_attr():
    net = S.FullyConnected(
        S.var("data"),
        num_hidden=3,
        name="fc1",
        attr={"weight_lr_mult": "2", "__bias_wd_mult__": "0"},
    )
    return {k: sorted(v.items()) for k, v in sorted(net.attr_dict().items())}


def scaled_learning_rates_in_an_optimizer():
    data = S.var("data")
    net = S.FullyConnected(data, S.var("w1", lr_mult=0.5, wd_mult=2), num_hidden=2, name="fc1")
    net = S.FullyConnected(net, num_hidden=2, name="fc2", attr={"__lr_mult__": "0.1"})
    opt = mx.optimizer.create(
        "sgd", learning_rate=1.0, sym=net, param_idx2name=dict(enumerate(net.list_arguments()))
    )
    return (
        sorted(opt.lr_mult.items()),
        sorted(opt.wd_mult.items()),
        [opt._get_lr(i) for i in range(5)],
        [opt._get_wd(i) for i in range(5)],
    )


def module_tutorial_step_by_step():
    x, y = digits()
    train = mx.io.NDArrayIter(x, y, 16, shuffle=False, label_name="softmax_label")
    mod = mx.mod.Module(mlp(), context=mx.cpu(), data_names=["data"], label_names=["softmax_label"])
    mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
    mod.init_params(initializer=Waves())
    mod.init_optimizer(optimizer="sgd", optimizer_params=(("learning_rate", 0.1),))
    metric = mx.metric.create("acc")
    found = []
    for epoch in range(3):
        train.reset()
        metric.reset()
        for batch in train:
            mod.forward(batch, is_train=True)
            mod.update_metric(metric, batch.label)
            mod.backward()
            mod.update()
        found.append(np.float16(metric.get()[1]))
    return found, near(mod.get_params()[0])


def module_tutorial_fit_predict_score():
    x, y = digits()
    train = mx.io.NDArrayIter(x, y, 16)
    val = mx.io.NDArrayIter(x[:20], y[:20], 8)
    mod = mx.mod.Module(mlp())
    mod.fit(
        train,
        eval_data=val,
        optimizer="sgd",
        optimizer_params={"learning_rate": 0.5},
        eval_metric="acc",
        num_epoch=4,
        initializer=Waves(),
    )
    p = mod.predict(val)
    s = mod.score(val, ["mse", "acc", "ce"])
    return p.shape, short(p.asnumpy())[:12], [(k, np.float16(v)) for k, v in s]


def module_tutorial_checkpoint_and_resume(folder):
    x, y = digits()
    train = mx.io.NDArrayIter(x, y, 16)

    def fit(mod, first, last, **more):
        mod.fit(
            train,
            optimizer_params={"learning_rate": 0.1, "momentum": 0.9},
            num_epoch=last,
            begin_epoch=first,
            **more,
        )
        return mod

    first = fit(
        mx.mod.Module(mlp()),
        0,
        2,
        initializer=Waves(),
        epoch_end_callback=mx.callback.do_checkpoint(folder + "/m"),
    )
    net, args, aux = mx.model.load_checkpoint(folder + "/m", 2)
    same = all((args[k].asnumpy() == v.asnumpy()).all() for k, v in first.get_params()[0].items())
    second = fit(mx.mod.Module(net), 2, 4, arg_params=args, aux_params=aux)
    return same, net.list_arguments(), sorted(os.listdir(folder)), near(second.get_params()[0])


def checkpoint_with_optimizer_states(folder):
    x, y = digits()
    train = mx.io.NDArrayIter(x, y, 16)
    opt = dict(optimizer="adam", optimizer_params={"learning_rate": 0.05})
    mod = mx.mod.Module(mlp())
    mod.fit(train, num_epoch=2, initializer=Waves(), **opt)
    mod.save_checkpoint(folder + "/m", 2, save_optimizer_states=True)
    again = mx.mod.Module.load(folder + "/m", 2, load_optimizer_states=True)
    train.reset()
    again.bind(train.provide_data, train.provide_label)
    again.init_optimizer(**opt)
    for m in (mod, again):
        train.reset()
        for batch in train:
            m.forward_backward(batch)
            m.update()
    a, b = mod.get_params()[0], again.get_params()[0]
    return (
        all(np.allclose(a[k].asnumpy(), b[k].asnumpy()) for k in a),
        near(b),
        sorted(os.listdir(folder)),
    )


def module_checkpoint_callback(folder):
    x, y = digits()
    train = mx.io.NDArrayIter(x, y, 16)
    mod = mx.mod.Module(mlp())
    mod.fit(
        train,
        num_epoch=4,
        initializer=Waves(),
        epoch_end_callback=mx.callback.module_checkpoint(
            mod, folder + "/m", period=2, save_optimizer_states=True
        ),
    )
    return sorted(os.listdir(folder))


def fine_tuning_by_internals(folder):
    x, y = digits()
    mod = mx.mod.Module(mlp())
    mod.fit(
        mx.io.NDArrayIter(x, y, 16),
        num_epoch=2,
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.2},
    )
    mod.save_checkpoint(folder + "/base", 2)
    sym, args, aux = mx.model.load_checkpoint(folder + "/base", 2)
    net = sym.get_internals()["relu1_output"]
    net = S.FullyConnected(net, num_hidden=2, name="fc_new")
    net = S.SoftmaxOutput(net, name="softmax")
    new = {k: v for k, v in args.items() if "fc2" not in k}
    tuned = mx.mod.Module(net, fixed_param_names=["fc1_weight", "fc1_bias"])
    tuned.fit(
        mx.io.NDArrayIter(x, y % 2, 16),
        num_epoch=2,
        arg_params=new,
        aux_params=aux,
        allow_missing=True,
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.2},
    )
    got = tuned.get_params()[0]
    return (got["fc1_weight"].asnumpy() == args["fc1_weight"].asnumpy()).all().item(), near(
        {k: got[k] for k in ("fc_new_weight", "fc_new_bias")}
    )


def feature_extraction_by_internals_and_a_module():
    net = mlp()
    internals = net.get_internals()
    print_last = internals.list_outputs()[-4:]
    features = mx.mod.Module(internals["relu1_output"], label_names=None)
    features.bind(for_training=False, data_shapes=[("data", (2, 8))])
    features.init_params(Waves())
    features.forward(mx.io.DataBatch([nd.array(wave((2, 8)))]))
    return print_last, features.get_outputs()[0], features.output_shapes, features.output_names


def feature_extraction_by_several_internals():
    net = mlp()
    inner = net.get_internals()
    group = S.Group([inner["fc1_output"], inner["relu1_output"], inner["softmax_output"]])
    mod = mx.mod.Module(group, label_names=["softmax_label"])
    mod.bind([("data", (2, 8))], [("softmax_label", (2,))], for_training=False)
    mod.init_params(Waves())
    mod.forward(mx.io.DataBatch([nd.array(wave((2, 8)))], [nd.zeros(2)]))
    return (
        [o.shape for o in mod.get_outputs()],
        mod.output_names,
        [
            p.shape
            for p in mod.predict(
                mx.io.NDArrayIter(
                    wave((4, 8)), batch_size=2, label=np.zeros(4), label_name="softmax_label"
                )
            )
        ],
    )


def feature_extraction_by_feedforward():
    x, y = digits()
    model = mx.model.FeedForward(
        mlp(), num_epoch=2, initializer=Waves(), learning_rate=0.2, numpy_batch_size=16
    )
    np.random.seed(0)
    model.fit(mx.io.NDArrayIter(x, y, 16))
    inner = model.symbol.get_internals()
    ext = mx.model.FeedForward(
        symbol=inner["fc1_output"],
        numpy_batch_size=16,
        arg_params=model.arg_params,
        aux_params=model.aux_params,
        allow_extra_params=True,
    )
    got = ext.predict(mx.io.NDArrayIter(x, batch_size=16))
    prob, data, label = model.predict(mx.io.NDArrayIter(x, y, 16), return_data=True)
    return (
        got.shape,
        short(got[:2]),
        prob.shape,
        data.shape,
        label.shape,
        np.float16(model.score(mx.io.NDArrayIter(x, y, 16))),
    )


def feedforward_saved_and_loaded(folder):
    x, y = digits()
    model = mx.model.FeedForward.create(
        mlp(), X=mx.io.NDArrayIter(x, y, 16), num_epoch=2, initializer=Waves(), learning_rate=0.2
    )
    model.save(folder + "/ff", 7)
    again = mx.model.FeedForward.load(folder + "/ff", 7)
    return (
        sorted(os.listdir(folder)),
        bool(
            np.allclose(
                again.predict(mx.io.NDArrayIter(x, batch_size=16)),
                model.predict(mx.io.NDArrayIter(x, batch_size=16)),
                atol=1e-5,
            )
        ),
        again.begin_epoch,
        near(again.arg_params),
    )


PROGRAMS = functions(globals())
