"""Which storage types results and gradients have, by operator and storage types of its inputs."""

from __future__ import annotations

from .core import lines

RESULTS = """
each(lambda a: nd.multiply(a, 2))
each(lambda a: nd.divide(a, 2))
each(lambda a: nd.add(a, 2))
each(lambda a: nd.power(a, 2))
each(lambda a: nd.maximum(a, 0))
each(lambda a: sparse.multiply(a, 2))
each(lambda a: sparse.multiply(2, a))
each(lambda a: sparse.divide(a, 2))
each(lambda a: sparse.add(a, 2))
each(lambda a: sparse.subtract(a, 2))
each(lambda a: nd.dot(a, nd.ones((3, 2)), transpose_a=True, forward_stype='default'))
each(lambda a: nd.dot(a, nd.ones((3, 2)), transpose_a=True, forward_stype='row_sparse'), ['csr', 'row_sparse'])
each(lambda a: nd.dot(nd.ones((2, 3)), a, forward_stype='csr'), ['csr', 'row_sparse'])
each(lambda a: nd.dot(nd.ones((2, 3)), a, forward_stype='default'))
each(lambda a: nd.sqrt(a * a, out=sparse.zeros('row_sparse', (3, 4))))
each(lambda a: nd.square(a, out=sparse.zeros('csr', (3, 4))))
each(lambda a: nd.elemwise_add(a, a, out=sparse.zeros('row_sparse', (3, 4))))
each(lambda a: nd.elemwise_add(a, a, out=nd.zeros((3, 4))))
pairs(lambda a, b: nd._internal._maximum(a, b))
pairs(lambda a, b: nd._internal._minimum(a, b))
pairs(lambda a, b: nd._internal._hypot(a, b))
pairs(lambda a, b: nd._internal._grad_add(a, b))
pairs(lambda a, b: nd.multiply(a, b))
pairs(lambda a, b: nd.elemwise_mul(a, b, out=sparse.zeros('csr', (3, 4))))
pairs(lambda a, b: nd.elemwise_mul(a, b, out=sparse.zeros('row_sparse', (3, 4))))
recorded(lambda a, b: a * b, 'row_sparse', 'default')
recorded(lambda a, b: nd.elemwise_mul(a, b), 'default', 'row_sparse')
recorded(lambda a, b: nd.elemwise_mul(a, b), 'default', 'csr')
recorded(lambda a, b: nd.broadcast_mul(a, b), 'csr', 'default')
recorded(lambda a, b: a * b, 'csr', 'default')
recorded(lambda a: nd.cast_storage(a, 'row_sparse'), 'row_sparse')
recorded(lambda a: a.tostype('row_sparse') * 2, 'row_sparse')
recorded(lambda a: nd.cast_storage(a, 'default') * 2, 'row_sparse')
"""

GRADIENTS_OF_ONE = """
abs
sign
round
floor
square
sqrt
cbrt
log1p
sin
arctan
tanh
degrees
relu
cos
exp
BlockGrad
make_loss
identity
zeros_like
ones_like
"""

GRADIENTS = """
gradient_storage(lambda a: a * 2)
gradient_storage(lambda a: a + 2)
gradient_storage(lambda a: a + 0)
gradient_storage(lambda a: sym.clip(a, -1, 1))
gradient_storage(lambda a: sym.slice(a, begin=(0,), end=(2,)))
gradient_storage(lambda a: sym.norm(a))
gradient_storage(lambda a: sym.cast_storage(a, stype='default'))
gradient_storage(lambda a: sym.add_n(a, a))
gradient_storage(lambda a: sym.elemwise_add(a, a))
gradient_storage(lambda a: sym.elemwise_mul(a, a))
gradient_storage(lambda a: sym.take(a, sym.ones((2,))))
gradient_storage(lambda a: sym.dot(sym.ones((2, 3)), a))
gradient_storage(lambda a: sym.concat(a, a, dim=0))
bound(lambda a: sym.cast_storage(a, stype='csr'), 'default')
bound(lambda a: sym.cast_storage(a, stype='row_sparse'), 'default')
gradient_storage_of_two(sym.elemwise_add)
gradient_storage_of_two(sym.elemwise_sub)
gradient_storage_of_two(sym.elemwise_mul)
gradient_storage_of_two(sym.elemwise_div)
gradient_storage_of_two(sym._internal._maximum)
gradient_storage_of_two(sym.broadcast_mul)
gradient_storage_of_two(sym.add_n)
gradient_storage_of_two(lambda a, b: sym.dot(a, b, transpose_a=True))
gradient_storage_of_two(lambda a, b: sym.dot(a, b, transpose_b=True))
gradient_storage_of_two(lambda a, b: sym.where(a, b, b))
gradient_storage_of_two(sym._internal._scatter_elemwise_div)
gradient_storage_of_two(sym._internal._identity_with_attr_like_rhs)
"""

ELEMENTS = """
unsorted.asnumpy()
parts(unsorted.tostype('default'))
unsorted[0:1].asnumpy()
unsorted[2].asnumpy()
[unsorted.indices, unsorted.data]
nd.dot(unsorted, nd.arange(8).reshape((4, 2)))
nd.dot(unsorted, nd.arange(6).reshape((3, 2)), transpose_a=True).asnumpy()
[(unsorted * 2).indices, (unsorted * 2).data]
unsorted.check_format()
unsorted.check_format(False)
nd.sum(unsorted, axis=1)
repeated.asnumpy()
repeated[2].asnumpy()
nd.dot(repeated, nd.arange(8).reshape((4, 2)))
nd.dot(repeated, nd.arange(6).reshape((3, 2)), transpose_a=True).asnumpy()
nd.square(repeated).data
repeated.check_format()
nd.sum(repeated, axis=1)
nd.norm(repeated)
nd.concat(unsorted, repeated, dim=0).asnumpy()
sparse.csr_matrix(unsorted).indices
csr([1, 2, 3, 4], [3, 1, 2, 0], [0, 2, 5, 4]).check_format()
csr([1, 2, 3, 4], [1, 3, 0, 2], [0, 2, 2, 3]).check_format()
csr([1, 2, 3], [1, 3, 0, 2], [0, 2, 2, 4]).check_format()
sparse.row_sparse_array((np.ones((2, 3)), [2, 2]), shape=(4, 3)).check_format()
sparse.row_sparse_array((np.ones((2, 3)), [0, 1]), shape=(4, 3)).check_format(False)
looked_up([1, 4, 1], sparse_grad=True)
looked_up([1.6, 4.2], sparse_grad=True)
looked_up([1, 4, 9], sparse_grad=True)
looked_up([-1, 4], sparse_grad=True)
nd.Embedding(nd.array([1, 9]), nd.array(W), input_dim=6, output_dim=3, sparse_grad=True)
nd.Embedding(nd.array([1, 9]), nd.array(W).tostype('row_sparse'), input_dim=6, output_dim=3).asnumpy()
"""

_OPTIMIZERS = {
    "sgd": {},
    "sgd momentum": {"momentum": 0.9, "wd": 0.1},
    "sgd not lazy": {"momentum": 0.9, "wd": 0.1, "lazy_update": False},
    "adam": {"wd": 0.1, "clip_gradient": 0.2},
    "adam not lazy": {"wd": 0.1, "lazy_update": False},
    "ftrl": {},
    "rmsprop": {"centered": True},
    "nag": {"momentum": 0.9},
    "signum": {},
}
_KINDS = ("default row_sparse", "row_sparse row_sparse", "default csr", "csr default", "csr csr")
UPDATES = "\n".join(
    f"{{k: updated({name.split()[0]!r}, *k.split(), **{options!r}) for k in {_KINDS!r}}}"
    for name, options in _OPTIMIZERS.items()
)
HALVES = """
updated('sgd', 'csr', 'csr', dtype='float16', multi_precision=True, momentum=0.9)
updated('adam', 'csr', 'row_sparse', dtype='float16', multi_precision=True)
updated('sgd', 'default', 'row_sparse', dtype='float16', multi_precision=True, momentum=0.9)
"""
_UNARY = "\n".join(f"gradient_storage(sym.{name})" for name in GRADIENTS_OF_ONE.split())

PROGRAMS = lines(
    "sparse_storage_helpers", "\n".join((RESULTS, _UNARY, GRADIENTS, ELEMENTS, UPDATES, HALVES))
)
