"""Contexts: their values, scopes, and how arrays move between them."""

from .core import of

VALUES = of(
    "",
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

SCOPES = {
    "a scope": "with mx.cpu(1):\n    r = mx.current_context()",
    "after a scope": "with mx.cpu(1):\n    pass\nr = mx.current_context()",
    "scopes in scopes": (
        "r = []\nwith mx.cpu(1):\n    with mx.cpu(2):\n        r.append(mx.current_context())\n"
        "    r.append(mx.current_context())\nr.append(mx.current_context())"
    ),
    "left by an error": (
        "try:\n    with mx.cpu(1):\n        raise ValueError\nexcept ValueError:\n"
        "    r = mx.current_context()"
    ),
    "the scope is the context": "c = mx.cpu(1)\nwith c as d:\n    r = d is c",
    "creation in a scope": (
        "with mx.cpu(1):\n    r = [nd.zeros(2), nd.array([1]), nd.arange(2), nd.eye(1),"
        " nd.full(1, 2), nd.linspace(0, 1, 2), nd.random.uniform(shape=(2,)).context]"
    ),
    "creation elsewhere in a scope": "with mx.cpu(1):\n    r = nd.zeros(2, ctx=mx.cpu(3))",
    "operators keep the context in a scope": "x = nd.zeros(2)\nwith mx.cpu(1):\n    r = x + 1",
    "array of an array in a scope": "x = nd.zeros(2)\nwith mx.cpu(1):\n    r = nd.array(x)",
    "zeros_like in a scope": "x = nd.zeros(2)\nwith mx.cpu(1):\n    r = nd.zeros_like(x)",
    "copyto in a scope": "x = nd.zeros(2)\nwith mx.cpu(1):\n    r = x.copy()",
    "default in a scope": "with mx.cpu(1):\n    r = mx.Context.default_ctx",
    "a thread of its own": (
        "import threading\nr = []\nwith mx.cpu(1):\n"
        "    t = threading.Thread(target=lambda: r.append(mx.current_context()))\n"
        "    t.start()\n    t.join()"
    ),
    "assigning in a scope": "x = nd.zeros(2)\nwith mx.cpu(1):\n    x[:] = 3\nr = x",
    "indexing in a scope": (
        "x = nd.zeros(2)\nwith mx.cpu(1):\n    r = (x[0], x[[0]], x.reshape((2, 1)))"
    ),
}

MOVING = of(
    "x = nd.array([1, 2]); y = nd.zeros((2,), ctx=mx.cpu(1))",
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

PROGRAMS = {**VALUES, **SCOPES, **MOVING}
