"""Modules with buckets."""

from __future__ import annotations

import mxnet as mx

from . import core
from .bucket_helpers import D, L, batch, fill, generate, m, train, train_once
from .module_log_helpers import f, lines
from .module_stages import SHAPES


def buckets_fit():
    fill()
    m.fit(train, num_epoch=2, optimizer="adam", optimizer_params={"learning_rate": 0.1})
    return m.get_params(), [line for line in lines if "Train" in line]


def buckets_on_two_contexts():
    m = mx.mod.BucketingModule(generate, 6, context=[mx.cpu(0), mx.cpu(1)])
    m.bind(D, L)
    m.init_params(mx.init.One())
    m.init_optimizer(optimizer_params={"learning_rate": 0.5, "momentum": 0.9})
    for item in train:
        m.forward_backward(item)
        m.update()
    return m.get_params(), m.get_outputs()


def buckets_loaded():
    train_once()
    m.save_checkpoint(f, 2)
    other = mx.mod.BucketingModule.load(f, 2, generate, 6)
    other.bind(D, L, for_training=False)
    other.forward(batch(4))
    return other.params_initialized, other.get_params(), other.get_outputs()


def buckets_from_a_dictionary():
    train_once()
    params = m.get_params()
    other = mx.mod.BucketingModule.load_dict({6: m.symbol}, generate, 6, *params)
    other.bind(D, L, for_training=False)
    other.forward(batch(6))
    return other.get_params(), other.get_outputs()


PROGRAMS = {
    **core.lines(
        "bucket_helpers", SHAPES + "m.switch_bucket(3, [('data', (4, 3))], L)\n", "buckets: "
    ),
    **core.lines(fill, SHAPES, "buckets bound: "),
    **core.lines(
        train_once,
        """
        m.get_params()
        m.get_outputs()
        m._curr_bucket_key
        sorted(m._buckets)
        (m.prepare(batch(4)), m._curr_bucket_key, sorted(m._buckets))
        (m.switch_bucket(6, D, L), [str(item) for item in m.data_shapes])
        (m.bind(D, L), lines)
        (m.init_optimizer(), lines)
        (m.init_params(mx.init.Zero()), m.get_params())[1]
        (m.init_params(mx.init.Zero(), force_init=True), m.get_params())[1]
        (m.set_params(*m.get_params()), m.get_params())[1]
        (m.set_params({'fc_bias': nd.ones(3)}, {}, allow_missing=True), m.get_params())[1]
        m.set_params({'fc_bias': nd.ones(3)}, {})
        [(name, float(value)) for name, value in m.score(train, 'ce')]
        m.predict(train)
        [len(item) for item in m.predict(train, merge_batches=False)]
        (m.save_params(f), sorted(nd.load(f)))[1]
        (m.save_checkpoint(f, 2), sorted(os.listdir(folder)))[1]
        (m.save_checkpoint(f, 2), nd.load(f + '.buckets'))[1]
        mx.mod.BucketingModule.load(f, 2)
        """,
        title="buckets trained: ",
    ),
    **core.functions(globals()),
}
