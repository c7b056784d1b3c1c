"""Modules with gradients of reduced variance."""

from __future__ import annotations

import os

import mxnet as mx

from . import core
from .svrg_helpers import (
    data,
    full_gradients,
    gradients,
    logger,
    make,
    optimizer,
    parameters,
    start,
    values,
)


def _steps(**options):
    m, batches = start(**options)
    m.update_full_grads(batches)
    found = [full_gradients(m), parameters(m._mod_aux)]
    batches.reset()
    for batch in batches:
        m.forward(batch, is_train=True)
        m.backward()
        found.append([gradients(m), gradients(m._mod_aux)])
        m.update()
        found.append([gradients(m), parameters(m)])
    return found


def steps():
    return _steps()


def steps_on_two_contexts_with_a_store():
    return _steps(size=4, kvstore="local", context=[mx.cpu(0), mx.cpu(1)])


def steps_on_two_contexts_without_a_store():
    return _steps(size=4, context=[mx.cpu(0), mx.cpu(1)])


def full_gradients_twice():
    m, batches = start()
    m.update_full_grads(batches)
    m.update_full_grads(batches)
    return full_gradients(m)


def the_data_end_with_the_full_gradients():
    m, batches = start()
    m.update_full_grads(batches)
    return next(batches)


def training_before_the_first_full_gradient():
    m, batches = start()
    batch = next(batches)
    m.forward(batch, is_train=False)
    outputs = m.get_outputs()[0]
    m.forward(batch, is_train=None)
    try:
        m.forward(batch, is_train=True)
    except AssertionError:
        return outputs
    return None


def callbacks_and_logs():
    seen = []
    m = make()
    m.fit(
        data(),
        eval_data=data(),
        eval_metric="mse",
        validation_metric="mae",
        num_epoch=3,
        arg_params=values(),
        optimizer_params={"learning_rate": 0.1},
        batch_end_callback=[
            mx.callback.Speedometer(3, 1),
            lambda p: seen.append((p.epoch, p.nbatch)),
        ],
        epoch_end_callback=lambda epoch, net, a, b: seen.append(
            (epoch, net.list_outputs(), sorted(a), sorted(b))
        ),
        eval_end_callback=lambda p: seen.append(("evaluated", p.epoch, p.nbatch)),
    )
    named = [(line.split("=")[0], round(float(line.split("=")[1]), 4)) for line in lines()]
    return seen, named


def lines():
    return logger.handlers[0].lines


def fitted_twice():
    m = make()
    for epochs in ((0, 2), (2, 4)):
        m.fit(
            data(),
            eval_metric="mse",
            begin_epoch=epochs[0],
            num_epoch=epochs[1],
            arg_params=values(),
            optimizer_params={"learning_rate": 0.1},
            force_rebind=True,
        )
    return parameters(m), full_gradients(m)


def checkpoint(folder):
    m = make()
    m.fit(
        data(),
        eval_metric="mse",
        num_epoch=2,
        arg_params=values(),
        optimizer_params={"learning_rate": 0.1, "momentum": 0.9},
    )
    m.save_checkpoint(os.path.join(folder, "net"), 2, save_optimizer_states=True)
    m.load_optimizer_states(os.path.join(folder, "net-0002.states"))
    again = mx.mod.Module.load(os.path.join(folder, "net"), 2, label_names=["lin_label"])
    again.bind(data().provide_data, data().provide_label)
    return sorted(os.listdir(folder)), again.score(data(), "mse")[0][0], parameters(again)


def bound_again_and_reshaped():
    m, _ = start()
    m.reshape([("data", (2, 3))], [("lin_label", (2,))])
    shapes = [tuple(item.shape) for item in (*m.data_shapes, *m._mod_aux.data_shapes)]
    m._reset_bind()
    return shapes, m.binded, m._mod_aux.binded


def bound_for_prediction():
    m = make()
    m.bind(data().provide_data, data().provide_label, for_training=False)
    m.init_params(arg_params=values())
    m.forward(next(data()))
    return m._mod_aux.binded, m.get_outputs()[0]


def optimizers():
    made = optimizer(momentum=0.9)
    found = []
    for index in (0, 1, "a", "a_full"):
        weight = mx.nd.ones(2)
        state = made.create_state(index, weight)
        made.update(index, weight, mx.nd.array([3, 4]), state)
        found.append((made._check_index(index), weight.asnumpy(), state is None))
    counts = made.num_update, made.default_opt.num_update
    names = type(made.default_opt).__name__, type(made.aux_opt).__name__
    return found, counts, names, made.lr, made.default_opt.lr, made.rescale_grad


PROGRAMS = {
    name: program for name, program in core.functions(globals()).items() if name != "lines"
} | core.lines(
    "svrg_helpers",
    """
    fit()
    fit(kvstore=None)
    fit(kvstore='device')
    fit(kvstore='a store')
    fit(size=4, context=TWO)
    fit(size=4, context=TWO, kvstore=None)
    fit(size=4, context=TWO, kvstore='device')
    fit(update_freq=1)
    fit(update_freq=3)
    fit(num_epoch=1)
    fit(optimizer='adam')
    fit(optimizer=mx.optimizer.SGD(learning_rate=0.1, rescale_grad=0.5))
    fit(params={'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.1})
    fit(params={'learning_rate': 0.1, 'rescale_grad': 1.0})
    fit(params={'learning_rate': 0.1, 'clip_gradient': 0.2})
    make(None)
    make(0)
    make(-1)
    make(1.5)
    make('2')
    make(True).update_freq
    Optimizer._check_params(learning_rate=0.1, momentum=0.9, wd=1)
    Optimizer("adam", learning_rate=0.2).default_opt.lr
    optimizer()._check_index(7)
    """,
)
