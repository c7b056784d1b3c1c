"""Modules: what they are at each stage, what they refuse, and what `fit` tells its callbacks."""

from __future__ import annotations

import os

import mxnet as mx
from mxnet import nd

from . import core
from .module_helpers import (
    D,
    L,
    X,
    Y,
    batch,
    bind,
    data,
    f,
    fill,
    lines,
    log,
    m,
    net,
    numbers,
    texts,
    train,
    train_once,
    two,
    x,
    y,
)

STAGES = """
    (m.binded, m.params_initialized, m.optimizer_initialized, m.for_training, m.inputs_need_grad)
    (m.data_names, m.label_names, m.output_names)
    texts(m.data_shapes)
    texts(m.label_shapes)
    m.output_shapes
    m.symbol is net
    names(m)
    m.get_params()
    m.get_outputs()
    m.get_outputs(merge_multi_context=False)
    m.get_input_grads()
    m.get_states(merge_multi_context=False)
    m.get_states()
    m.set_states(value=1)
    m.init_params(mx.init.One())
    m.init_optimizer()
    m.forward(batch)
    m.backward()
    m.update()
    m.forward_backward(batch)
    m.install_monitor(None)
    m.prepare(batch)
    m.reshape([('data', (2, 5))], [('softmax_label', (2,))])
    m.save_params(f)
    m.save_optimizer_states(f)
    m.load_optimizer_states(f)
    m.borrow_optimizer(mx.mod.Module(net))
    m.predict(x)
    m.score(None, 'acc')
    m.fit(None)
    list(m.iter_predict(None))
"""


def two_contexts():
    m = mx.mod.Module(net, context=two)
    m.bind(D, L, inputs_need_grad=True)
    m.init_params(mx.init.One())
    m.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5, "momentum": 0.9})
    for _ in range(3):
        m.forward_backward(batch)
        m.update()
    return (
        m.get_params(),
        m.get_outputs(),
        m.get_outputs(merge_multi_context=False),
        m.get_input_grads(),
        m.get_input_grads(merge_multi_context=False),
        m.output_shapes,
        m._update_on_kvstore,
        m._optimizer.idx2name,
        [str(s) for s in m._exec_group.slices],
    )


def batches_of_each_context():
    m = mx.mod.Module(net, context=two)
    m.bind(D, L)
    m.init_params(mx.init.One())
    parts = [mx.io.DataBatch([x[:2]], [y[:2]]), mx.io.DataBatch([x[2:]], [y[2:]])]
    m.forward(parts)
    m.backward()
    metric = mx.metric.create("acc")
    m.update_metric(metric, [part.label for part in parts], pre_sliced=True)
    return m.get_outputs(), numbers(metric.get_name_value())


def states():
    state = mx.sym.var("state")
    total = mx.sym.Group([mx.sym.MakeLoss(data + state), mx.sym.BlockGrad(data + state)])
    m = mx.mod.Module(total, label_names=None, state_names=["state"], context=two)
    m.bind(D)
    m.init_params()
    m.set_states(value=2)
    outputs = []
    for _ in range(2):
        m.forward(mx.io.DataBatch([x]), is_train=True)
        outputs += [item.copy() for item in m.get_outputs()]
        m.set_states(states=[m.get_outputs(merge_multi_context=False)[1]])
    return outputs, m.get_states(merge_multi_context=False), m.get_params()


def states_of_neither_kind():
    fill()
    m.set_states()


def states_of_both_kinds():
    fill()
    m.set_states(states=[], value=1)


def head_gradients():
    m = mx.mod.Module(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), label_names=None)
    m.bind(D, inputs_need_grad=True)
    m.init_params(mx.init.One())
    m.forward(mx.io.DataBatch([x]))
    m.backward([nd.arange(8).reshape((4, 2))])
    return m.get_input_grads(), [[a.copy() for a in part] for part in m._exec_group.grad_arrays]


def head_gradients_are_missing():
    m = mx.mod.Module(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), label_names=None)
    m.bind(D)
    m.init_params(mx.init.One())
    m.forward(mx.io.DataBatch([x]))
    m.backward()
    m.get_outputs()[0].wait_to_read()
    return m._exec_group.grad_arrays[0][0].asnumpy()


def initializers_of_variables():
    w = mx.sym.var("w", init=mx.init.Constant(3))
    net = mx.sym.FullyConnected(data, w, num_hidden=2, name="fc")
    m = mx.mod.Module(net, label_names=None)
    m.bind(D)
    m.init_params(mx.init.One())
    return m.get_params()


def initializer_of_an_unknown_name():
    m = mx.mod.Module(data * mx.sym.var("other"), label_names=None)
    m.bind(D)
    return m.init_params(mx.init.One())


def shared_module():
    train_once()
    other = mx.mod.Module(net)
    other.bind([("data", (2, 5))], [("softmax_label", (2,))], shared_module=m)
    other.forward_backward(mx.io.DataBatch([x[:2]], [y[:2]]))
    other.update()
    return other.optimizer_initialized, m.get_params(), other.get_params()


def time_is_the_first_axis():
    m = mx.mod.Module(mx.sym.sum(data, axis=0), label_names=None, context=two)
    m.bind([mx.io.DataDesc("data", (3, 4, 5), layout="TNC")], for_training=False)
    m.init_params()
    m.forward(mx.io.DataBatch([nd.arange(60).reshape((3, 4, 5))]))
    return m.get_outputs(), m.output_shapes


def fit_logs():
    fill()
    m.fit(train, eval_data=mx.io.NDArrayIter(X, Y, 4), num_epoch=2, eval_metric=["acc", "ce"])
    return [line.split("=")[0] for line in lines]


def fit_learns():
    fill()
    m.fit(train, num_epoch=3, optimizer_params={"learning_rate": 1.0, "momentum": 0.5})
    return m.get_params(), [line for line in lines if "Train" in line]


def fit_calls_back():
    fill()
    calls = []

    def values(p):
        return numbers(p.eval_metric.get_name_value())

    m.fit(
        train,
        eval_data=mx.io.NDArrayIter(X, Y, 5),
        num_epoch=3,
        begin_epoch=1,
        batch_end_callback=[lambda p: calls.append(("batch", p.epoch, p.nbatch, values(p)))],
        epoch_end_callback=lambda e, s, a, x: calls.append(("epoch", e, s is net, sorted(a), x)),
        eval_batch_end_callback=lambda p: calls.append(("eval", p.epoch, p.nbatch)),
        eval_end_callback=[lambda p: calls.append(("end", p.epoch, p.nbatch, values(p)))],
        validation_metric="ce",
    )
    return calls


def fit_tells_locals():
    fill()
    seen = []

    def look(p):
        seen.append(
            (
                p.locals["self"] is m,
                p.locals["train_data"] is train,
                p.locals["epoch"],
                p.locals["nbatch"],
                p.locals["data_batch"].data[0].shape,
            )
        )

    m.fit(train, num_epoch=1, batch_end_callback=look)
    return seen


def fit_from_given_parameters():
    fill()
    m = mx.mod.Module(net, logger=log)
    m.fit(
        train,
        num_epoch=1,
        arg_params={"fc_weight": nd.ones((3, 5))},
        allow_missing=True,
        initializer=mx.init.Zero(),
    )
    return m.get_params()


def fit_from_too_few_parameters():
    fill()
    m = mx.mod.Module(net, logger=log)
    return m.fit(train, num_epoch=1, arg_params={"fc_weight": nd.ones((3, 5))})


def fit_with_an_optimizer():
    fill()
    m.fit(train, num_epoch=2, optimizer=mx.optimizer.Adam(learning_rate=0.1))
    return m.get_params()


def fit_with_a_schedule():
    fill()
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5)
    m.fit(train, num_epoch=2, optimizer_params={"learning_rate": 1.0, "lr_scheduler": schedule})
    return m.get_params(), m._optimizer.num_update, m._optimizer.learning_rate


def fit_saves(folder):
    fill()
    m.fit(
        train,
        num_epoch=2,
        epoch_end_callback=[
            mx.callback.do_checkpoint(f),
            mx.callback.module_checkpoint(m, f + "m", 2, True),
        ],
    )
    return sorted(os.listdir(folder))


def fit_goes_on():
    fill()
    m.fit(train, num_epoch=2, optimizer_params={"learning_rate": 1.0, "momentum": 0.9})
    m.save_checkpoint(f, 2, save_optimizer_states=True)
    again = mx.mod.Module.load(f, 2, load_optimizer_states=True)
    again.fit(
        train, num_epoch=4, begin_epoch=2, optimizer_params={"learning_rate": 1.0, "momentum": 0.9}
    )
    return again.get_params()


def fit_with_a_last_batch_that_is_short():
    fill()

    class Short(mx.io.DataIter):
        provide_data, provide_label = D, L
        number = 0

        def reset(self):
            self.number = 0

        def next(self):
            self.number += 1
            if self.number > 3:
                raise StopIteration
            size = 4 if self.number < 3 else 2
            part = slice(4 * (self.number - 1), 4 * (self.number - 1) + size)
            return mx.io.DataBatch([nd.array(X[part])], [nd.array(Y[part])])

    m.fit(Short(4), num_epoch=2)
    return m.get_params(), texts(m.data_shapes)


def predict_goes_on_where_it_is():
    fill()
    train.next()
    return m.predict(train, reset=False).shape, m.predict(train).shape


def group2ctxs():
    m = mx.mod.Module(net, group2ctxs={"one": mx.cpu(1)})
    m.bind(D, L)
    m.init_params(mx.init.One())
    m.forward(batch)
    return m.get_outputs()


PROGRAMS = {
    **core.lines("module_helpers", STAGES, "made: "),
    **core.lines(bind, STAGES, "bound: "),
    **core.lines(
        train_once,
        """
        m.get_params()
        m.get_outputs()
        m.get_outputs(merge_multi_context=False)
        m.get_input_grads()
        (m.save_optimizer_states(f), m.load_optimizer_states(f))
        (m.save_params(f), m.load_params(f), m.get_params())[2]
        (m.save_checkpoint(f, 3), sorted(os.listdir(folder)))[1]
        (m.save_checkpoint(f, 3, True), sorted(os.listdir(folder)))[1]
        (m.save_checkpoint(f, 3), mx.mod.Module.load(f, 3).params_initialized)[1]
        (m.save_checkpoint(f, 3), mx.mod.Module.load(f, 3).get_params())[1]
        (m.save_checkpoint(f, 3), mx.mod.Module.load(f, 4))[1]
        nd.load((m.save_params(f), f)[1])
        m.predict(mx.io.NDArrayIter(x, y, 2))
        m.predict(mx.io.NDArrayIter(x, y, 3))
        m.predict(mx.io.NDArrayIter(x, y, 3), num_batch=1)
        m.predict(mx.io.NDArrayIter(x, y, 3), always_output_list=True)
        m.predict(mx.io.NDArrayIter(x, y, 3), merge_batches=False)
        m.predict(x.asnumpy())
        m.predict(5)
        numbers(m.score(mx.io.NDArrayIter(x, y, 2), 'acc'))
        numbers(m.score(mx.io.NDArrayIter(x, y, 2), ['acc', 'ce']))
        numbers(m.score(mx.io.NDArrayIter(x, y, 2), mx.metric.CrossEntropy(), num_batch=1))
        [(o[0].shape, i, b.pad) for o, i, b in m.iter_predict(mx.io.NDArrayIter(x, y, 3))]
        (m.bind(D, L), lines)
        (m.init_optimizer(), lines)
        m._optimizer.rescale_grad
        m._optimizer.idx2name
        m._optimizer.wd_mult
        (m.init_optimizer(optimizer='nag', force_init=True), type(m._optimizer).__name__)[1]
        m.init_optimizer(optimizer='nothing', force_init=True)
        m.init_optimizer(optimizer=5, force_init=True)
        m.init_optimizer(kvstore=5, force_init=True)
        m.init_optimizer(kvstore=None, force_init=True)
        m.init_optimizer(kvstore='device', force_init=True)
        (m.init_optimizer(kvstore=mx.kv.create(), force_init=True), m._update_on_kvstore)[1]
        (m.init_optimizer(optimizer=mx.optimizer.SGD(), force_init=True), m._optimizer.idx2name)[1]
        """,
        title="trained: ",
    ),
    **core.statements(
        train_once,
        """
        m.forward(batch, is_train=False)
        m.forward(batch)
        m.forward_backward(batch)
        m.forward(mx.io.DataBatch([x[:2]], [y[:2]]))
        m.forward_backward(mx.io.DataBatch([x[:2]], [y[:2]])); m.update()
        m.forward(mx.io.DataBatch([x, x], [y]))
        m.forward(mx.io.DataBatch([x.astype('float64')], [y.astype('int32')]))
        m.forward([batch])
        m.forward(mx.io.DataBatch([nd.ones((4, 6))], [y]))
        m.forward(mx.io.DataBatch([x.reshape((4, 5, 1))], [y]))
        m.reshape([('other', (2, 5))])
        m.set_params({}, {})
        m.set_params({}, {}, allow_missing=True)
        m.set_params({'no': x}, {}, allow_missing=True)
        m.set_params({'no': x}, {}, allow_missing=True, allow_extra=True)
        m.set_params({'fc_bias': nd.ones(3)}, {})
        m.set_params({'fc_bias': nd.ones(3) * 7}, {}, allow_missing=True)
        m.set_params({'fc_bias': nd.ones(2)}, {}, allow_missing=True)
        m.set_params({'fc_bias': nd.ones(3), 'fc_weight': nd.ones((3, 5))}, {})
        m.set_params({'fc_bias': nd.ones(3), 'fc_weight': nd.ones((3, 5)), 'no': x}, {})
        m.set_params({'fc_bias': nd.ones(3) * 7}, {}, allow_missing=True, force_init=False)
        m.init_params(mx.init.Zero())
        m.init_params(mx.init.Zero(), force_init=True)
        m.init_params(mx.init.Zero(), {'fc_bias': nd.ones(3)}, force_init=True)
        m.init_params(mx.init.Zero(), {'fc_bias': nd.ones(3)}, {}, True, True)
        m.init_params(mx.init.Zero(), {'fc_bias': nd.ones(2)}, {}, True, True)
        m.init_params(None, {'fc_bias': nd.ones(3)}, {}, True, True)
        m.get_params()[0]['fc_bias'][:] = 9
        m.set_params(*m.get_params())
        m.get_params(); m.bind(D, L, force_rebind=True); m.forward(batch)
        m.get_params(); m.bind(D, L, for_training=False, force_rebind=True); m.forward(batch)
        m.bind(D, L, for_training=False, force_rebind=True); m.forward(batch); m.backward()
        m.get_params(); m.bind([('data', (2, 5))], force_rebind=True); m.forward(half)
        """,
        "(m.get_params(), m.get_outputs(), texts(m.data_shapes))",
    ),
    **core.lines(
        "module_helpers",
        """
        mx.mod.Module(net, data_names=['x'])
        type(mx.mod.Module(net, label_names=['x'])).__name__
        mx.mod.Module(net, label_names=None).label_names
        mx.mod.Module(net, data_names=['data', 'softmax_label'], label_names=None).data_names
        mx.mod.Module(net, fixed_param_names=['x'])
        mx.mod.Module(net, state_names=['x'])
        mx.mod.Module(net, context=two, work_load_list=[1])
        m.bind([('x', (4, 5))])
        m.bind(D, [('x', (4,))])
        m.bind(D, [('softmax_label', (5,))])
        m.bind(5)
        m.bind(D, inputs_need_grad=True, for_training=False)
        m.bind(D, L, grad_req='no')
        m.bind(D, L, grad_req=5)
        m.bind(D, L, grad_req=['write'])
        (m.bind(D), m.output_shapes, m.label_shapes)
        (m.bind([mx.io.DataDesc('data', (4, 5), 'float64')], L), m.init_params(mx.init.One()))
        (mx.mod.Module(net, context=[mx.cpu(i) for i in range(5)]).bind(D, L))
        issubclass(mx.mod.Module, mx.mod.BaseModule)
        mx.mod.Module is mx.module.module.Module
        mx.mod.BaseModule is mx.module.base_module.BaseModule
        mx.module.base_module._as_list(3)
        mx.module.base_module._as_list((3, 4))
        mx.module.base_module._check_input_names(net, ['data'], 'data', True)
        mx.module.base_module._check_input_names(net, ['no'], 'data', True)
        texts(mx.module.base_module._parse_data_desc(['data'], ['softmax_label'], D, L))
        texts(mx.module.base_module._parse_data_desc(['data'], [], D, None))
        mx.module.base_module._parse_data_desc(['no'], ['softmax_label'], D, L)
        mx.mod.BaseModule().symbol
        mx.mod.BaseModule().data_names
        mx.mod.BaseModule().data_shapes
        mx.mod.BaseModule().get_params()
        mx.mod.BaseModule().bind(D)
        mx.mod.BaseModule().forward(batch)
        mx.mod.BaseModule().get_states()
        mx.mod.BaseModule().prepare(batch)
        mx.mod.BaseModule().fit(None)
        mx.mod.PythonModule(['data'], None, ['out']).bind(D)
        mx.mod.PythonModule(['data'], None, ['out']).get_params()
        mx.mod.PythonModule(['data'], None, ['out']).update()
        mx.mod.PythonModule(['data'], None, ['out']).forward(batch)
        mx.mod.PythonModule(['data'], None, ['out']).output_names
        mx.mod.PythonLossModule().output_names
        mx.mod.PythonLossModule(data_names=['a', 'b'])
        mx.mod.PythonLossModule().bind([('x', (2,))])
        mx.mod.SequentialModule().bind(D)
        mx.mod.SequentialModule().add(m, no=True)
        mx.mod.SequentialModule().data_names
        mx.mod.BucketingModule(lambda key: (net, ['data'], ['softmax_label']))
        """,
    ),
    **core.functions(globals()),
}
