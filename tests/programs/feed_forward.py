"""The old `FeedForward`, and the functions of `mx.model` below it."""

from __future__ import annotations

import mxnet as mx
from mxnet import nd

from . import core
from .feed_forward_helpers import X, Y, data, m, make, params
from .module_log_helpers import lines, log


def feed_forward_on_two_contexts():
    m = make(ctx=[mx.cpu(0), mx.cpu(1)], momentum=0.9, wd=0.1)
    m.fit(data)
    return params(m)


def feed_forward_optimizer():
    m = make(optimizer=mx.optimizer.Adam(learning_rate=0.1, rescale_grad=0.25))
    m.fit(data)
    return params(m)


def feed_forward_calls_back():
    calls = []
    m.fit(
        data,
        eval_data=mx.io.NDArrayIter(X, Y, 4),
        batch_end_callback=lambda p: calls.append(("batch", p.epoch, p.nbatch)),
        epoch_end_callback=lambda e, s, a, x: calls.append(("epoch", e, sorted(a))),
        eval_batch_end_callback=lambda p: calls.append(("eval", p.epoch, p.nbatch)),
        eval_end_callback=lambda p: calls.append(("end", p.epoch, p.nbatch)),
    )
    return calls


def feed_forward_size_of_an_epoch():
    calls = []
    m = make(epoch_size=2, num_epoch=4, begin_epoch=1)
    m.fit(data, logger=log, batch_end_callback=lambda p: calls.append((p.epoch, p.nbatch)))
    return calls, [line.split("=")[0] for line in lines], params(m)


def update_on_a_store():
    store, in_store = mx.model._create_kvstore("local", 2, {"w": nd.ones(2)})
    weights, gradients = [[nd.ones(2), nd.ones(2)]], [[nd.ones(2), nd.ones(2) * 2]]
    store.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
    mx.model._initialize_kvstore(store, weights, {"w": nd.ones(2) * 3}, ["w"], in_store)
    before = [weights[0][0].copy(), weights[0][1].copy()]
    mx.model._update_params_on_kvstore(weights, gradients, store, ["w"])
    return in_store, before, weights


def update_without_a_store():
    store, in_store = mx.model._create_kvstore("local", 1, {"w": nd.ones(2)})
    weights, gradients = [[nd.ones(2)], [nd.ones(1)]], [[nd.ones(2) * 2], [None]]
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))
    mx.model._update_params(weights, gradients, updater, 1, kvstore=store)
    return store, in_store, weights


def store_of_a_wrong_type():
    return mx.model._create_kvstore(5, 2, {})


def no_store():
    return mx.model._create_kvstore(None, 2, {})


PROGRAMS = {
    **core.lines(
        "feed_forward_helpers",
        """
        sorted(m.kwargs)
        m.ctx
        m.fit(X)
        m.fit(X, Y[:5])
        m.fit('x', Y)
        m.fit(X, Y, eval_data=5)
        m.fit(X, Y, eval_data=(X, Y, Y))
        m.fit(X, Y.reshape((5, 2)))
        (make().fit(data, logger=log), [line.split('=')[0] for line in lines])[1]
        (m.fit(data), params(m))[1]
        (m.fit(data, kvstore=None), m.predict(X))[1]
        (m.fit(data), m.predict(data, return_data=True))[1]
        m.predict(X).shape
        m.predict(nd.array(X)).shape
        m.predict(list(X))
        m.predict(X, num_batch=1).shape
        m.predict(mx.io.NDArrayIter(X, batch_size=4)).shape
        float(m.score(data))
        float(m.score(data, 'ce', num_batch=1))
        [float(value) for value in m.score(data, ['acc', 'ce'])]
        (m.save(f), sorted(os.listdir(folder)))[1]
        (m.save(f, 7), sorted(os.listdir(folder)))[1]
        (list(data), m.fit(data), params(m))[2]
        (next(data), m.fit(data), params(m))[2]
        (list(data), make(epoch_size=4).fit(data))
        (m.save(f, 7), mx.model.FeedForward.load(f, 7).begin_epoch)[1]
        (m.save(f, 7), params(mx.model.FeedForward.load(f, 7)))[1]
        make(num_epoch=None).save(f)
        params(mx.model.FeedForward.create(net, data, num_epoch=1, arg_params=start, aux_params={}))
        """,
        title="feed forward: ",
    ),
    **core.functions(globals()),
    **core.lines(
        "split_helpers",
        """
        [str(part) for part in split(10, [1, 1])]
        [str(part) for part in split(13, [1, 2, 3])]
        [str(part) for part in split(5, [1, 1, 1])]
        split(2, [1, 1, 1])
        split(6, [1, 1, 1, 1])
        """,
    ),
}
