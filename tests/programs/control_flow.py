"""Loops and conditions on arrays and symbols: results, nesting, gradients, what is refused."""

from .core import of

SETUP = """
F = nd.contrib
D, S = nd.arange(6).reshape((3, 2)), nd.array([1, 2])
I, X, A, B = nd.array([0]), nd.array([1.]), nd.array([1.]), nd.array([2.])
def grads(run, *arrays):
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        found = run()
        total = sum((leaf * leaf).sum() for leaf in flat(found))
    total.backward()
    return [array.grad for array in arrays]
def flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat(value)]
    return [values]
def step(body):
    calls = []
    def counted(*args):
        calls.append(1)
        return body(calls, *args)
    return counted
"""

_FOREACH = """
F.foreach(lambda d, s: (d + s[0], [s[0] * 2]), D, [S])
F.foreach(lambda d, s: (d + s, s * 2), D, S)
F.foreach(lambda d, s: ((d[0],), (s[0],)), (D,), (S,))
F.foreach(lambda d, s: ([d, [d * 2, s]], s * 2), D, S)
F.foreach(lambda d, s: (d, [s[0], [s[1][0] + d]]), D, [S, [S]])
F.foreach(lambda d, s: (d[0] + d[1], s), [D, D * 2], [])
F.foreach(lambda d, s: (d, s), D, [])
F.foreach(lambda d, s: ([], s), D, [S])
F.foreach(lambda d, s: (s[0], s), D, [S])
F.foreach(lambda d, s: (nd.ones((1,)), [nd.zeros((3,))]), D, [S])
F.foreach(lambda d, s: (d, [nd.concat(s[0], d, dim=0)]), D, [S])
F.foreach(lambda d, s: (s[0], [nd.concat(s[0], d, dim=0)]), D, [S])
F.foreach(lambda d, s: (d[0] + d[1].sum(), s), [D, nd.ones((4, 2))], [S])
F.foreach(lambda d, s: (d[0] + d[1].sum(), s), [D, nd.ones((2, 2))], [S])
F.foreach(lambda d, s: (d + s, d + s), nd.arange(4), nd.zeros((1,)))
F.foreach(lambda d, s: (d, [s[0] + d]), D.astype("int32"), [S.astype("int32")])
F.foreach(lambda d, s: (d, []), D, [S])
F.foreach(lambda d, s: (d, [d, d]), D, [S])
F.foreach(lambda d, s: (d, s), 3, [S])
F.foreach(lambda d, s: (d, s), D, 3)
F.foreach(lambda d, s: (d, s), D, None)
F.foreach(lambda d, s: (3, s), D, [S])
F.foreach(lambda d, s: (None, s), D, [S])
F.foreach(lambda d, s: (d, s, 1), D, [S])
F.foreach(lambda d, s: (d, s), [], [S])
F.foreach(lambda d, s: (d, s), np.ones((2, 2)), [S])
F.foreach(lambda d, s: (d, s), D, [S], name="x")
grads(lambda: F.foreach(lambda d, s: (d * B + s, s * d), D, S), D, S, B)
grads(lambda: F.foreach(lambda d, s: (d * d, s), D, S)[0], D)
"""

_WHILE = """
F.while_loop(lambda i, x: i < 3, lambda i, x: ([i + x], [i + 1, x * 2]), [I, X], max_iterations=3)
F.while_loop(lambda i, x: i < 3, lambda i, x: (i, (i + 1, x)), (I, X), max_iterations=2)
F.while_loop(lambda i: i < 3, lambda i: (i * 2, i + 1), I, max_iterations=3)
F.while_loop(lambda i: i < 3, lambda i: (i * 2, [i + 1]), I, max_iterations=3)
F.while_loop(lambda i, x: i < 3, lambda i, x: ([i, [x[0]]], [i + 1, [x[0] + x[1], x[1]]]), [I, [X, X]], max_iterations=3)
F.while_loop(lambda i, x: i < 3, lambda i, x: (i, [i + 1, x[0], x[1]]), [I, [X, X]], max_iterations=3)
F.while_loop(lambda i, x: i < 0, lambda i, x: ([i + x], [i + 1, x * 2]), [I, X], max_iterations=2)
F.while_loop(lambda i, x: i < 3, lambda i, x: ([], [i + 1, x * 2]), [I, X], max_iterations=5)
F.while_loop(lambda i, x: i < 3, lambda i, x: (None, [i + 1, x * 2]), [I, X], max_iterations=5)
F.while_loop(lambda i, x: i < 3, lambda i, x: (i, None), [I, X], max_iterations=5)
F.while_loop(lambda i: i < 3, lambda i: (i, [i + 1]), [I])
F.while_loop(lambda i: i < 3, lambda i: (i, [i + 1]), [I], max_iterations=0)
F.while_loop(lambda i: i < 3, lambda i: (i, [i + 1]), [I], max_iterations=-1)
F.while_loop(lambda i: i < 3, lambda i: (i, [i + 1]), [I], max_iterations=2.5)
F.while_loop(lambda i: i < 3, lambda i: (i, [i + 1]), [I], max_iterations="q")
F.while_loop(lambda: 1, lambda: ([], []), [], max_iterations=2)
F.while_loop(lambda i: 1, lambda i: ([], []), 3, max_iterations=2)
F.while_loop(lambda i: 1, lambda i: (i, [i + 1]), [I], max_iterations=2)
F.while_loop(lambda i: False, lambda i: (i, [i + 1]), [I], max_iterations=2)
F.while_loop(lambda i: None, lambda i: (i, [i + 1]), [I], max_iterations=2)
F.while_loop(lambda i: np.array([1]), lambda i: (i, [i + 1]), [I], max_iterations=2)
F.while_loop(lambda i: nd.ones((2,)), lambda i: (i, [i + 1]), [I], max_iterations=2)
F.while_loop(lambda i: nd.ones((1, 1)), lambda i: (i, [i + 1]), [I], max_iterations=2)
F.while_loop(lambda i: i < 3, lambda i: i, [I], max_iterations=2)
F.while_loop(lambda i: i < 3, lambda i: (i, i, i), [I], max_iterations=2)
F.while_loop(lambda i: i < 3, lambda i: [i, [i]], [I], max_iterations=2)
F.while_loop(lambda i: i < 3, lambda i: (i, [i, i]), [I], max_iterations=2)
F.while_loop(lambda i: i < 3, lambda i: (3, [i]), [I], max_iterations=2)
F.while_loop(lambda i: i < 3, step(lambda calls, i: ([i] * len(calls), [i + 1])), [I], max_iterations=4)
F.while_loop(lambda i: i < 3, step(lambda calls, i: (nd.ones((len(calls),)), [i + 1])), [I], max_iterations=4)
F.while_loop(lambda i: i < 3, lambda i: (i * 2, [i + 1]), [I.astype("int64")], max_iterations=3)
grads(lambda: F.while_loop(lambda i, x: i < 3, lambda i, x: (x * B, [i + 1, x * B]), [I, X], max_iterations=3), X, B)
"""  # noqa: E501

_COND = """
F.cond(A * B < 5, lambda: (A + 5) * (B + 5), lambda: (A - 5) * (B - 5))
F.cond(A * B > 5, lambda: (A + 5) * (B + 5), lambda: (A - 5) * (B - 5))
F.cond(A, lambda: [A, [B]], lambda: B)
F.cond(A, lambda: (A, B), lambda: B)
F.cond(0, lambda: A, lambda: B)
F.cond(True, lambda: A, lambda: B)
F.cond(np.array([0.0]), lambda: A, lambda: B)
F.cond(nd.ones((2,)), lambda: A, lambda: B)
F.cond(A, lambda: None, lambda: B)
grads(lambda: F.cond(A < 2, lambda: A * B, lambda: A + B), A, B)
grads(lambda: F.cond(A > 2, lambda: A * B, lambda: A + B), A, B)
"""

SYMBOLS = """
import json
F, S = mx.sym.contrib, mx.sym
x, s, w, i, a, b = (S.var(name) for name in ("x", "s", "w", "i", "a", "b"))
def flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat(value)]
    return [values]
def plain(graph):
    # What counts the loops of the whole program is left out.
    for node in graph["nodes"]:
        node.get("attrs", {}).pop("__subgraph_name__", None)
        if not node.get("attrs", 1):
            del node["attrs"]
        for inner in node.get("subgraphs", []):
            plain(inner)
    return graph
def show(build):
    with mx.name.NameManager():
        values = build()
    group = S.Group(flat(values))
    graph = plain(json.loads(group.tojson()))
    return graph, group.list_arguments(), group.list_outputs(), nesting(values)
def nesting(values):
    return [nesting(value) for value in values] if isinstance(values, (list, tuple)) else 1
def chained():
    out, states = F.foreach(lambda d, t: (d + t[0], [t[0]]), x, [s])
    return F.foreach(lambda d, t: (d + t[0], [t[0]]), out, states)
def nested():
    e = w * 2
    def outer(d, t):
        f = d * 3
        return F.foreach(lambda p, q: (p + q * e + f.sum(), q + w), d, t)
    return F.foreach(outer, x, s)
"""

_GRAPHS = """
show(lambda: F.foreach(lambda d, t: (d * 2, [t[0]]), x, [s]))
show(lambda: F.foreach(lambda d, t: (d + t, t * 2), x, s))
show(lambda: F.foreach(lambda d, t: ([d[0] + d[1], [t[0]]], [t[0] * 2, [t[1][0] + d[1]]]), [x, a], [s, [b]]))
show(lambda: F.foreach(lambda d, t: (d + 1, []), x, []))
show(lambda: F.foreach(lambda d, t: ([], [t[0] + d]), x, [s]))
show(lambda: F.foreach(lambda d, t, e=w * 3: (d + e, [t[0] + e]), x, [s]))
show(lambda: F.foreach(lambda d, t, e=S.split(w, num_outputs=2, name="two"): (d + e[1], [t[0] + e[0]]), x, [s]))
show(lambda: F.foreach(lambda d, t: (S.dot(d, x), [t[0] + s]), x, [s]))
show(lambda: F.foreach(lambda d, t: (d, [t[0] + d]), x * 2, [s + 1]))
show(lambda: F.foreach(lambda d, t: (S.FullyConnected(d, num_hidden=3, name="fc"), [t[0] + d]), x, [s], name="loop"))
show(lambda: F.foreach(lambda d, t: (d, (t[0],)), (x,), (s,)))
show(lambda: F.foreach(lambda d, t, e=w * 2: ([e, d, w], [e + t[0]]), x, [s]))
show(lambda: F.foreach(lambda d, t, o=S.var("o", shape=(2,)): (d * o, t), x, s))
show(chained)
show(nested)
show(lambda: F.while_loop(lambda i, x: i < 5, lambda i, x: ([x * 2], [i + 1, x + w]), [i, x], max_iterations=4))
show(lambda: F.while_loop(lambda i: i < 5, lambda i: (i * 2, i + 1), i, max_iterations=4))
show(lambda: F.while_loop(lambda i: i < 5, lambda i: (i * 2, [i + 1]), i, max_iterations=4))
show(lambda: F.while_loop(lambda i, x: i < 5, lambda i, x: (None, (i + 1, x + w)), (i, x), max_iterations=4))
show(lambda: F.while_loop(lambda i, x: w, lambda i, x: ([i], [i, x]), [i, x], max_iterations=4))
show(lambda: F.while_loop(lambda i, x, e=a * b: i < e, lambda i, x, e=a * b: ([i + e], [i + 1, x * e]), [i * 1, x], max_iterations=4))
show(lambda: F.cond(a < b, lambda: a, lambda: b))
show(lambda: F.cond(a, lambda: [a * 2, [b]], lambda: [b * 2, a], name="choice"))
show(lambda: F.cond(a, lambda: a * 2, lambda: [b * 2]))
show(lambda: F.cond(a, lambda: S.ones((2,)), lambda: S.zeros((2,))))
show(lambda: F.cond(a, lambda: F.cond(b, lambda: a + 1, lambda: w + 2), lambda: w))
show(lambda: F.foreach(lambda d, t: (F.cond(d.sum() < 3, lambda: d + t, lambda: d * w), t + 1), a, b))
F.foreach(lambda d, t: (t[0], [t[0] * 2]), x, [s])
F.foreach(lambda d, t: (d, [w]), x, [s])
F.foreach(lambda d, t: d, x, [s])
F.foreach(lambda d, t: (d, []), x, [s])
F.foreach(lambda d, t: (d, t[0]), x, [s])
F.foreach(lambda d, t: (d, t), 3, [s])
F.foreach(lambda d, t: (d, t), x, 3)
F.foreach(lambda d, t: (3, t), x, [s])
F.foreach(lambda d, t: (d, [3]), x, [s])
F.foreach(lambda d, t: ([], []), x, [])
F.foreach(lambda d, t: (d, t), S.Group([x, w]), [s])
F.while_loop(lambda i, x: i < 5, lambda i, x: ([i], [i + 1, w]), [i, x], max_iterations=4)
F.while_loop(lambda i: i < 5, lambda i: (i, i), i)
F.while_loop(lambda i: i < 5, lambda i: (i, i), i, max_iterations=0)
F.while_loop(lambda i: i < 5, lambda i: (i, i), i, max_iterations="q")
F.while_loop(lambda: w < 5, lambda: ([w], []), [], max_iterations=3)
F.while_loop(lambda i: i < 5, lambda i: ([i], [i]), 3, max_iterations=3)
F.while_loop(lambda i: 1, lambda i: ([i], [i]), [i], max_iterations=3)
F.while_loop(lambda i: [i < 3], lambda i: ([i], [i]), [i], max_iterations=3)
F.while_loop(lambda i: i < 3, lambda i: i, [i], max_iterations=3)
F.while_loop(lambda i: i < 3, lambda i: (i, [i, i]), [i], max_iterations=3)
F.while_loop(lambda i: i < 3, lambda i: (i, [3]), [i], max_iterations=3)
F.while_loop(lambda i: i < 3, lambda i: (3, [i]), [i], max_iterations=3)
F.cond(a, lambda: [a, b], lambda: [b])
F.cond(1, lambda: a, lambda: b)
F.cond(lambda: a < b, lambda: a, lambda: b)
F.cond(a, lambda: 3, lambda: b)
F.cond(a, lambda: a, lambda: "x")
F.cond(a, lambda: [], lambda: [])
S.Group(flat(F.foreach(lambda d, t: (d * w, [t[0] + w]), x, [s]))).infer_shape(x=(3, 2))
S.Group(flat(F.foreach(lambda d, t: (S.FullyConnected(d, num_hidden=2), [t[0] + d]), x, [s]))).infer_shape(x=(3, 4, 5))
S.Group(flat(F.foreach(lambda d, t: (S.FullyConnected(d, num_hidden=2), [t[0] + d]), x, [s]))).infer_shape_partial(x=(3, 0, 5))
S.Group(flat(F.foreach(lambda d, t: (d * 2, t), x, s))).infer_shape(x=(3,), s=(2, 3))
S.Group(flat(F.foreach(lambda d, t: (d * w, t + d), x, s))).infer_type(x="float64")
S.Group(flat(F.foreach(lambda d, t: (S.cast(d, dtype="float16"), t), x, s))).infer_type(x="float32", s="int32")
S.Group(flat(F.while_loop(lambda i, x: i < 3, lambda i, x: (x * w, [i + 1, x * w]), [i, x], max_iterations=5))).infer_type(i="int32", x="float64")
sorted(F.foreach(lambda d, t: (d * w, [t[0] + w]), x, [s])[0].list_attr().items())
S.Group(F.foreach(lambda d, t: (d * w, [t[0] + w]), x, [s])[1]).get_internals().list_arguments()
"""  # noqa: E501

PROGRAMS = of(SETUP, _FOREACH + _WHILE + _COND) | of(SYMBOLS, _GRAPHS)
