"""Details of loading data: contexts of what is staged for a device, text files, what is printed."""

from __future__ import annotations

from functools import partial

import mxnet as mx

from .core import lines
from .data_detail_helpers import array_on

_STAGED = """
    a
    a + 1
    1 - a
    -a
    a * a
    a * other
    other * a
    a == 1
    a.abs()
    a.T
    a.sum()
    a.argmax(axis=1)
    a.copy()
    a.astype('int32')
    a.as_in_context(mx.cpu())
    a.as_in_context(a.context) is a
    a.reshape((-1,))
    a.detach()
    a.zeros_like()
    a.tostype('csr').context
    a.tostype('row_sparse').context
    a[0]
    a[0:1]
    a[:, 1]
    a[[0, 1], [1, 1]]
    nd.array(a)
    nd.dot(a, a.T)
    nd.reshape(a, (-1,))
    nd.concat(a, a)
    nd.FullyConnected(a, nd.ones((2, 3)), no_bias=True, num_hidden=2)
    nd.cast(a, 'float64')
    nd.zeros((1,), ctx=a.context)
    [part.context for part in a.split(3)]
    str(a), str(a * 2)
    grown(a)
    slope(a)
"""
_CONTEXTS = {
    name: program
    for title, context in {
        "cpu_pinned(0)": mx.cpu_pinned(0),
        "cpu_pinned(1)": mx.cpu_pinned(1),
        "Context('cpu_shared', 0)": mx.Context("cpu_shared", 0),
    }.items()
    for name, program in lines(partial(array_on, context), _STAGED, f"{title}: ").items()
}

_LOADED = lines(
    "staged_helpers",
    """
    batch()
    batch()[0] * 2
    batch()[0].mean()
    mx.gluon.loss.L2Loss()(batch()[0], nd.zeros((3, 2)))
    batch(thread_pool=True)
    batch(pin_memory=True)
    batch(pin_memory=True)[0] * 2
    batch(DataLoaderV1)
    batch(DataLoaderV1, 0)
    batch(DataLoaderV1, pin_memory=True)
    batch(DataLoaderV1, shuffle=True, sampler=[1])
    batch(DataLoaderV1, timeout=1)
    len(DataLoaderV1(Own(), 2, last_batch='discard')), len(DataLoaderV1(Own(), 2))
    [label for _, label in DataLoaderV1(Own(), batch_sampler=[[4], [0, 1]], num_workers=1)]
    """,
)

_TEXT = lines(
    "text_iterator_helpers",
    r"""
    csv('1,2\n3,4')
    csv('1,2,\n3,4,\n')
    csv('1,2,\n3,4,\n', 3)
    csv('\ufeff1,2\n3,4\n')
    csv('1e-3,2E+2\n-1.5e3,.5\n')
    csv('1.000000000000000000e+00,-2.500000000000000000e-01\n0.3333333333333333,123456.789\n')
    csv(' 1, 2 \n3 ,4\r\n')
    csv('+1,-2\n\n3.,-.25\n')
    csv('1,2\n3\n')
    csv('1;2\n')
    csv('a,b\n1,2\n')
    csv('16777217,2\n-3,4\n', dtype='int32')
    csv('9007199254740993,2\n-3,4\n', dtype='int64')
    csv('1.5,2\n-3.7,4\n', dtype='int32')
    csv('nan,2\ninf,-inf\n')
    csv('123456789,0.123456789123\n-0,1e-9\n')
    svm('1 0:1 2:2.5\n-1\n')
    svm('1 0:1 # words\n')
    svm('# words\n2 1:1\n')
    svm('1 qid:3 0:1\n')
    svm('1:0.5 0:1\n')
    svm('0:1 2:3\n1:4\n')
    svm('\ufeff1 0:1\n')
    svm('  1   0:1  2:2  \n\n2\t1:1\r\n')
    svm('1e1 0:1e-2 1:-.5\n')
    svm('1 2:2 0:1\n')
    """,
)

_NAMES = lines(
    "name_helpers",
    """
    star('mxnet.image', 'imread imdecode imresize ImageIter ImageDetIter CreateAugmenter ResizeAug DetBorrowAug')
    star('mxnet.test_utils', 'np mx rnd os sys time json assert_almost_equal default_context Context OrderedDict use_np')
    star('mxnet.recordio', 'MXRecordIO MXIndexedRecordIO IRHeader pack unpack pack_img unpack_img')
    mx.recordio.IRHeader(0, 4.0, 2574, 0)
    mx.recordio.unpack(mx.recordio.pack(mx.recordio.IRHeader(0, 4.0, 2574, 0), b's'))[0]
    str(mx.recordio.IRHeader(0, 1, 2, 3)), mx.recordio.IRHeader._fields
    mx.image.det is mx.image.detection
    """,  # noqa: E501
)

PROGRAMS = {**_CONTEXTS, **_LOADED, **_TEXT, **_NAMES}
