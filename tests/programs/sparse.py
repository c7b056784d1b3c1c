"""Sparse arrays: made, converted, combined, printed and saved."""

from __future__ import annotations

from .core import lines, statements

ARRAYS = """
str(a)
repr(c)
str(a.copyto(mx.cpu(1)))
a.data
a.indices
c.data
c.indices
c.indptr
(a.shape, a.ndim, len(a), a.stype, a.dtype, a.context)
(c.shape, c.ndim, len(c), c.stype, c.dtype, c.context)
isinstance(a, nd.NDArray)
(type(a).__name__, type(c).__name__)
issubclass(sparse.CSRNDArray, sparse.BaseSparseNDArray)
a.asnumpy()
c.asnumpy()
parts(a.tostype('default'))
parts(a.tostype('row_sparse'))
parts(c.tostype('default'))
parts(c.tostype('csr'))
parts(w.tostype('row_sparse'))
parts(w.tostype('csr'))
parts(v.tostype('csr'))
parts(nd.ones((2, 2, 2)).tostype('row_sparse'))
parts(nd.array([0, 1]).tostype('row_sparse'))
parts(nd.zeros((2, 2)).tostype('row_sparse'))
parts(nd.zeros((2, 2)).tostype('csr'))
a.tostype('csr')
c.tostype('row_sparse')
nd.array([1, 2]).tostype('csr')
a.tostype('other')
parts(nd.cast_storage(w, 'row_sparse'))
parts(nd.cast_storage(nd.array([[0, 0], [1, 0]]), stype='csr'))
parts(a.copy())
parts(a.astype('float16'))
parts(c.astype('int32'))
a.astype('float32', copy=False) is a
a.as_in_context(mx.cpu(0)) is a
parts(a.as_in_context(mx.cpu(1)))
a.as_in_context(mx.cpu(1)).context
parts(a.detach())
a.copyto(w)
parts(w.copyto(a))
parts(b.copyto(a))
a.copyto(c)
a.check_format()
c.check_format(False)
a.wait_to_read()
a.asscalar()
a.reshape((2, 4))
a.T
bool(a)
parts(c[0:2])
parts(c[1])
parts(c[-1])
parts(c[1:])
parts(c[1:9])
parts(c[:])
c[::2]
c[0, 1]
c['a']
a[:] is a
a[1]
a.grad
"""

MAKING = """
parts(sparse.row_sparse_array((4, 2)))
parts(sparse.row_sparse_array(w))
parts(sparse.row_sparse_array(a))
parts(sparse.row_sparse_array([[0, 1], [0, 0]]))
parts(sparse.row_sparse_array(np.array([[0, 0], [1, 2.0]])))
parts(sparse.row_sparse_array(np.array([[0, 0], [1, 2.0]]), dtype='float16'))
parts(sparse.row_sparse_array(nd.array([[0, 0], [1, 2]], dtype='int32')))
parts(sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 2]), shape=(4, 2), dtype='float64'))
parts(sparse.row_sparse_array((np.ones((2, 2)), [1, 2]), shape=(4, 2)))
parts(sparse.row_sparse_array(([1, 2], [1, 3]), shape=(4,)))
parts(sparse.row_sparse_array(([[1, 2], [3, 4]], [3, 1]), shape=(4, 2)))
sparse.row_sparse_array(([[1, 2], [3, 4]], [3, 1]), shape=(4, 2)).asnumpy()
sparse.row_sparse_array(([[1, 2], [3, 4]], [3, 1]), shape=(4, 2)).check_format()
sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 1]), shape=(4, 2)).check_format()
sparse.row_sparse_array(([[1, 2]], [1]), shape=(4, 2), ctx=mx.cpu(1)).context
sparse.row_sparse_array(([[1, 2]], [1, 2]), shape=(4, 2))
sparse.row_sparse_array(([[1, 2]], [1]), shape=(4, 3))
sparse.row_sparse_array((4,))
sparse.row_sparse_array(c)
sparse.row_sparse_array(5)
parts(sparse.csr_matrix((3, 4)))
parts(sparse.csr_matrix(c))
parts(sparse.csr_matrix([[0, 1], [2, 0]]))
parts(sparse.csr_matrix(np.array([[0, 1.5], [2, 0]])))
parts(sparse.csr_matrix(nd.array([[0, 1], [2, 0]]), dtype='float64'))
parts(sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 3])))
parts(sparse.csr_matrix(([1, 2, 3], [1, 0, 2], [0, 1, 2, 3]), dtype='int32'))
sparse.csr_matrix(([1, 2], [1, 0], [0, 2, 2]), shape=(2, 2)).check_format()
sparse.csr_matrix(([1, 2], [1, 0], [0, 1, 2]), shape=(2, 2, 2))
sparse.csr_matrix(([1, 2], [0, 1]))
sparse.csr_matrix(a)
sparse.csr_matrix([1, 2])
sparse.csr_matrix(5)
parts(sparse.zeros('row_sparse', (3, 2)))
parts(sparse.zeros('csr', (3, 2)))
parts(sparse.zeros('default', (3, 2)))
parts(sparse.zeros('csr', (3, 2), dtype='int32'))
sparse.zeros('other', (2, 2))
parts(nd.zeros((3, 2), stype='row_sparse'))
parts(nd.zeros((3, 2), stype='csr'))
nd.zeros((2, 2), stype='other')
parts(nd.empty((3, 2), stype='row_sparse'))
sparse.empty('csr', (2, 2)).shape
parts(sparse.array(a))
parts(sparse.array(c, dtype='float64'))
sparse.array(c, ctx=mx.cpu(1)).context
sparse.array(w)
sparse.array([1, 2])
parts(nd.array(a))
parts(nd.array(c))
"""

COMBINED = """
parts(a + b)
parts(a - b)
parts(b - a)
parts(a * b)
a / b
a + w
w + a
w - a
w / a
w * a
parts(a * w)
parts(a * 2)
parts(2 * a)
parts(a / 2)
2 / a
a + 2
parts(a + 0)
parts(-a)
parts(abs(b))
parts(a > 1)
a < 1
a == 0
parts(a != 0)
parts(a == 1)
a == a
a ** 2
a % 2
((c + d).stype, c + d)
((c - d).stype, c - d)
parts(c * 2)
parts(c / 2)
parts(c * v)
parts(c * nd.array([[1], [2], [3]]))
c + v
v * c
parts(sparse.add(a, b))
(sparse.subtract(c, d).stype, sparse.subtract(c, d))
parts(sparse.multiply(a, w))
parts(sparse.multiply(c, 2))
sparse.divide(c, d)
parts(sparse.divide(c, nd.array([[1], [2], [4]])))
sparse.add(1, 2)
sparse.add(w, w)
sparse.add('x', a)
nd.broadcast_add(a, b)
parts(nd.elemwise_mul(w, a))
parts(nd.add_n(a, b, a))
nd.add_n(a, w, b)
parts(sparse.retain(a, nd.array([1, 2])))
parts(sparse.retain(a, nd.array([3, 1], dtype='int64')))
parts(sparse.retain(a, nd.array([0, 3, 3])))
sparse.retain(w, nd.array([1]))
nd.dot(c, w)
sparse.dot(c, w)
parts(nd.dot(c, nd.ones((3, 2)), transpose_a=True))
nd.dot(c, nd.ones((3, 2)), transpose_a=True, forward_stype='default')
parts(nd.dot(c, w, forward_stype='row_sparse'))
parts(nd.dot(c, w, forward_stype='csr'))
nd.dot(c, nd.ones((2, 4)), transpose_b=True)
nd.dot(c, a)
parts(nd.dot(nd.ones((2, 3)), c))
nd.dot(nd.ones((2, 3)), c, forward_stype='default')
nd.dot(a, nd.ones((2, 4)))
nd.dot(c, nd.ones((3, 2)))
nd.dot(c, nd.ones(4))
nd.dot(c, w.astype('float64'))
nd.sum(c)
nd.sum(c, axis=0)
nd.sum(c, axis=1)
c.sum(axis=0, keepdims=True)
nd.sum(a, axis=0)
nd.mean(c)
nd.mean(c, axis=0)
nd.mean(c, axis=1)
nd.norm(c)
nd.norm(a)
nd.norm(c, ord=1)
nd.norm(c, axis=1)
parts(nd.concat(c, d, dim=0))
nd.concat(c, d, dim=1)
nd.concat(a, b, dim=0)
parts(nd.slice(c, begin=1, end=3))
parts(nd.slice(c, begin=(1, 1), end=(3, 3)))
parts(nd.slice(c, begin=(1,), end=(3,), step=(1,)))
parts(nd.slice(c, begin=(1, 1), end=(3, 3), step=(1, 1)))
nd.slice(c, begin=(0,), end=(3,), step=(2,))
nd.slice(c, begin=(0,), end=(3,), step=(1, 1))
parts(b.clip(-1, 1))
nd.Embedding(nd.array([1, 2]), a, input_dim=4, output_dim=2)
nd.sparse.Embedding(nd.array([1, 3]), w, input_dim=4, output_dim=2, sparse_grad=True)
nd.FullyConnected(c, nd.ones((2, 4)), no_bias=True, num_hidden=2)
nd.where(c, v, -v)
parts(a.zeros_like())
parts(nd.sparse.zeros_like(c))
a.ones_like()
a.broadcast_to((4, 2))
a.expand_dims(0)
"""

FUNCTIONS = (
    "abs",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "cbrt",
    "ceil",
    "cos",
    "degrees",
    "exp",
    "expm1",
    "fix",
    "floor",
    "log1p",
    "make_loss",
    "negative",
    "radians",
    "relu",
    "rint",
    "round",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "stop_gradient",
    "tan",
    "tanh",
    "trunc",
)

FILES = """
parts(pickle.loads(pickle.dumps(a)))
parts(pickle.loads(pickle.dumps(c)))
parts(copy.deepcopy(a))
(nd.save(f, a), [parts(x) for x in nd.load(f)])[1]
(nd.save(f, [a, w, c]), [parts(x) for x in nd.load(f)])[1]
(nd.save(f, {'c': c}), parts(nd.load(f)['c']))[1]
(nd.save(f, a), pathlib.Path(f).read_bytes().hex())[1]
(nd.save(f, c), pathlib.Path(f).read_bytes().hex())[1]
(nd.save(f, sparse.zeros('row_sparse', (3, 2))), parts(nd.load(f)[0]))[1]
"""

CHANGES = {
    "a[:] = 0": "a",
    "a[:] = 3": "a",
    "a[:] = b": "a",
    "a[:] = w": "a",
    "a[1] = 3": "a",
    "c[:] = 0": "c",
    "c[:] = d": "c",
    "a += b": "a",
    "a -= b": "a",
    "a *= 2": "a",
    "a /= 2": "a",
    "a += w": "a",
    "a += 1": "a",
    "w += a": "w",
    "a.data[:] = 5": "a",
    "a.indices[:] = 0": "a",
    "nd.elemwise_add(a, b, out=w)": "w",
    "nd.broadcast_add(a, b, out=a)": "a",
    "nd.zeros_like(a, out=a)": "a",
    "x = a.copy(); x *= 2": "a",
}

PROGRAMS = {
    **lines("sparse_helpers", ARRAYS),
    **lines("sparse_helpers", MAKING),
    **lines("sparse_helpers", COMBINED),
    **lines("sparse_helpers", FILES),
    **lines("sparse_helpers", "\n".join(f"parts(nd.{name}(a * 0.1))" for name in FUNCTIONS)),
    **lines("sparse_helpers", "\n".join(f"parts(nd.{name}(c * 0.1))" for name in FUNCTIONS)),
    **{
        line: program
        for statement, name in CHANGES.items()
        for line, program in statements("sparse_helpers", statement, f"parts({name})").items()
    },
}
