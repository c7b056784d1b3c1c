"""Contexts: their values, scopes, and how arrays move between them."""

from __future__ import annotations

import threading

import mxnet as mx
from mxnet import nd

from .context_helpers import arrays_of_two_contexts
from .core import functions, lines

VALUES = lines(
    "package_helpers",
    """
    mx.cpu()
    mx.cpu(1)
    mx.cpu(device_id=2)
    mx.gpu()
    mx.gpu(3)
    mx.cpu_pinned()
    mx.cpu_pinned(1)
    mx.Context('cpu', 1)
    mx.Context('gpu')
    mx.Context('cpu_shared', 0)
    mx.Context(mx.cpu(2))
    mx.Context(mx.gpu(1), 5)
    mx.Context('foo')
    mx.Context('')
    mx.Context(None)
    mx.Context(1)
    mx.Context()
    mx.Context('cpu', 'a')
    str(mx.cpu(1))
    repr(mx.cpu(1))
    str(mx.gpu(0))
    str(mx.cpu_pinned())
    f'{mx.cpu(1)}'
    mx.cpu(1).device_type
    mx.cpu(1).device_id
    mx.cpu(1).device_typeid
    mx.gpu(1).device_typeid
    mx.cpu_pinned().device_typeid
    mx.Context('cpu_shared').device_typeid
    mx.cpu() == mx.cpu(0)
    mx.cpu() == mx.cpu(1)
    mx.cpu() != mx.cpu(1)
    mx.cpu() == mx.gpu()
    mx.cpu() == mx.cpu_pinned()
    mx.cpu() == 'cpu(0)'
    mx.cpu() == None
    mx.Context('cpu', 1) == mx.cpu(1)
    mx.cpu() < mx.cpu(1)
    hash(mx.cpu(1)) == hash(mx.cpu(1))
    hash(mx.cpu(1)) == hash(mx.cpu(2))
    len({mx.cpu(), mx.cpu(0), mx.cpu(1)})
    {mx.cpu(1): 5}[mx.Context('cpu', 1)]
    mx.cpu(1) in [mx.cpu(0), mx.cpu(1)]
    mx.Context.devtype2str
    mx.Context.devstr2type
    mx.Context.default_ctx
    mx.current_context()
    mx.context.current_context()
    mx.context.num_gpus()
    mx.context.Context is mx.Context
    mx.context.cpu is mx.cpu
    list(mx.test_utils.list_gpus())
    mx.context.gpu_memory_info(0)
    mx.context.gpu_memory_info(7)
    mx.cpu().empty_cache()
    isinstance(mx.cpu(), mx.Context)
    __import__('pickle').loads(__import__('pickle').dumps(mx.cpu(1)))
    __import__('copy').copy(mx.cpu(1))
    __import__('copy').deepcopy(mx.cpu(1)) == mx.cpu(1)
    """,
)


def a_scope():
    with mx.cpu(1):
        r = mx.current_context()
    return r


def after_a_scope():
    with mx.cpu(1):
        pass
    return mx.current_context()


def scopes_in_scopes():
    r = []
    with mx.cpu(1):
        with mx.cpu(2):
            r.append(mx.current_context())
        r.append(mx.current_context())
    r.append(mx.current_context())
    return r


def left_by_an_error():
    try:
        with mx.cpu(1):
            raise ValueError
    except ValueError:
        r = mx.current_context()
    return r


def the_scope_is_the_context():
    c = mx.cpu(1)
    with c as d:
        r = d is c
    return r


def creation_in_a_scope():
    with mx.cpu(1):
        r = [
            nd.zeros(2),
            nd.array([1]),
            nd.arange(2),
            nd.eye(1),
            nd.full(1, 2),
            nd.linspace(0, 1, 2),
            nd.random.uniform(shape=(2,)).context,
        ]
    return r


def creation_elsewhere_in_a_scope():
    with mx.cpu(1):
        r = nd.zeros(2, ctx=mx.cpu(3))
    return r


def operators_keep_the_context_in_a_scope():
    x = nd.zeros(2)
    with mx.cpu(1):
        r = x + 1
    return r


def array_of_an_array_in_a_scope():
    x = nd.zeros(2)
    with mx.cpu(1):
        r = nd.array(x)
    return r


def zeros_like_in_a_scope():
    x = nd.zeros(2)
    with mx.cpu(1):
        r = nd.zeros_like(x)
    return r


def copyto_in_a_scope():
    x = nd.zeros(2)
    with mx.cpu(1):
        r = x.copy()
    return r


def default_in_a_scope():
    with mx.cpu(1):
        r = mx.Context.default_ctx
    return r


def a_thread_of_its_own():
    r = []
    with mx.cpu(1):
        t = threading.Thread(target=lambda: r.append(mx.current_context()))
        t.start()
        t.join()
    return r


def assigning_in_a_scope():
    x = nd.zeros(2)
    with mx.cpu(1):
        x[:] = 3
    return x


def indexing_in_a_scope():
    x = nd.zeros(2)
    with mx.cpu(1):
        r = (x[0], x[[0]], x.reshape((2, 1)))
    return r


MOVING = lines(
    arrays_of_two_contexts,
    """
    x.context
    x.ctx
    y.context
    x.context == mx.cpu(0)
    x.as_in_context(mx.cpu()) is x
    x.as_in_context(mx.cpu(0)) is x
    x.as_in_context(mx.cpu(1))
    x.as_in_context(mx.cpu_pinned())
    x.as_in_context('cpu')
    x.as_in_context(None)
    x.as_in_context(context=mx.cpu(1))
    x.as_in_ctx(mx.cpu(1))
    x.copyto(mx.cpu(1))
    x.copyto(mx.cpu())
    x.copyto(mx.cpu()) is x
    x.copyto(y)
    x.copyto(y) is y
    (x.copyto(y), y)
    x.copyto(5)
    x.copyto(None)
    x.copyto(nd.zeros((3,)))
    x.copyto(nd.zeros((1, 2)))
    x.copyto(nd.zeros((2, 1)))
    x.copyto(nd.zeros((2,), dtype='int32'))
    x.copyto(nd.zeros((2,), dtype='float16'))
    (x + 0.7).copyto(nd.zeros((2,), dtype='int32'))
    x + y
    y + x
    x * nd.zeros((2,), ctx=mx.cpu_pinned())
    nd.dot(x, y)
    nd.concat(x, y, dim=0)
    nd.stack(x, y)
    nd.elemwise_add(x, y)
    y + 1
    y[0]
    y.copy()
    y.astype('int32')
    y.reshape((2, 1))
    y.sum()
    y.asnumpy()
    y.T
    y.grad
    x.copyto(mx.gpu(0))
    x.as_in_context(mx.gpu(0))
    nd.zeros((2,), ctx=mx.gpu(0))
    nd.array([1], ctx=mx.gpu(0))
    nd.zeros((2,), ctx='cpu')
    nd.zeros((2,), ctx=1)
    nd._internal._zeros(shape=(2,), ctx='cpu(1)')
    nd._internal._ones(shape=(2,), ctx=mx.cpu(1))
    nd.random.uniform(shape=(1,), ctx=mx.cpu(1)).context
    nd.random.normal(shape=(1,), ctx=mx.cpu(1)).context
    nd.relu(y)
    nd.add(x, y)
    """,
)

PROGRAMS = {**VALUES, **functions(globals()), **MOVING}
