"""What users do with `gluon.data` and with iterators of their own in `Module.fit`."""

from __future__ import annotations

from .core import lines

_LOADING = lines(
    "data_use_helpers",
    """
every(L(Own(), 3))
every(L(Own(), 3, last_batch='discard', num_workers=2))
every(L(Own(), 3, last_batch='rollover', num_workers=2))
every(L(Named(), 3))
every(L(Single(), 4, num_workers=2))
every(L(Arrays(), 4))
every(L(Arrays(), 4, num_workers=2))
every(L(Arrays(), 4, num_workers=2, thread_pool=True))
every(L(NoLen(), 4))
every(L(NoLen(), batch_sampler=bs(seq(4), 2)))
every(L(Plain(), 2))
every(L(Plain(), 2, num_workers=2, thread_pool=True))
every(L(Ragged(), 2))
every(L(Ragged(), 3, batchify_fn=pad))
every(L(Nested(), 3))
every(L(Nested(), 3, batchify_fn=lambda s: len(s)))
(np.random.seed(7), every(L(Own(), 3, shuffle=True)))[1]
(np.random.seed(7), every(L(Own(), 3, shuffle=True, num_workers=2)))[1]
(np.random.seed(7), [every(L(A(X), 3, True)) for _ in range(2)])[1]
(mx.random.seed(7), np.random.seed(1), every(L(A(Y), 3, shuffle=True, last_batch='discard')))[2]
(random.seed(7), np.random.seed(1), every(L(A(Y), 3, sampler=data.RandomSampler(8), last_batch='rollover')))[2]
len(L(Own(), 3)), len(L(Own(), 3, last_batch='discard')), len(L(Own(), 3, last_batch='rollover'))
len(L(Own(0), 3)), every(L(Own(0), 3))
len(L(Own(), batch_sampler=[[0, 1], [2]])), every(L(Own(), batch_sampler=[[0, 1], [2]]))
every(L(Own(), batch_sampler=iter([[0, 1], [2]])))
every(L(Own(), batch_sampler=[(0, 1), [2], range(2)]))
every(L(Own(), batch_sampler=[[]]))
every(L(Own(), 3, sampler=iter([3, 1])))
every(L(Own(), 3, sampler=np.array([3, 1, 0, 2])))
every(L(A(X, Y), 3, sampler=[7, -1]))
every(L(A(X, Y), 3, sampler=[8]))
every(L(A(nd.array(X), Y), 3, sampler=[8]))
every(L(A(X, Y).transform_first(lambda x: x * 2), 5))
every(L(A(X, Y).transform_first(lambda x: nd.array(x)), 5))
every(L(A(X, Y).transform(lambda x, y: (x.sum(), y, str(y))), 5))
every(L(A(X, Y).transform(lambda x, y: (x.sum(), y)), 5))
every(L(A(X, Y).transform(lambda x, y: [x, (y, x)]).transform(lambda x, y: x), 5))
A(X, Y).transform(lambda x, y: [x, y]).transform_first(lambda x: x + 1)[2]
A(X, Y).transform_first(lambda x: x + 1).transform_first(lambda x: x * 2)[2]
A(X).transform(lambda x: (x, 1)).transform_first(lambda x: x * 2)[2]
A(X).transform(lambda x: (x, 1), lazy=False).transform_first(lambda x: x * 2, lazy=False)[2]
len(A(X, Y).transform(lambda x, y: 3)), A(X, Y).transform(lambda x, y: 3)[100 - 98]
A(X, Y).transform(None)[0]
A(X, Y).transform(lambda x, y: None)[0]
[len(b) for b in L(A(X, Y, X), 5)]
every(L(X.tolist(), 3))
every(L(list(zip(X, Y)), 3))
every(L(tuple(zip(X, Y)), 3, num_workers=1))
every(L(range(5), 2))
every(L({0: 1, 1: 2, 2: 3}, 2))
every(L('abc', 2))
[type(b).__name__ for b in L(Own(), 3)], type(L(Own(), 3)).__name__
hasattr(L(Own(), 3), '__iter__'), hasattr(L(Own(), 3), '__next__')
(lambda l: [[float(b[1].sum().asscalar()) for b in l] for _ in range(3)])(L(Own(), 3, num_workers=2))
(lambda l: list(zip([b[1].asnumpy().tolist() for b in l], [b[1].asnumpy().tolist() for b in l])))(L(Own(), 3))
(lambda l: [[b[1].asnumpy().tolist() for b, _ in zip(l, range(1))] for _ in range(3)])(L(Own(), 3, last_batch='rollover'))
next(iter(L(Own(), 3)))[0].context
next(iter(L(Own(), 3, pin_memory=True)))[0].context
next(iter(L(Own(), 3, num_workers=1)))[0].context
next(iter(L(Own(), 3, num_workers=1, thread_pool=True)))[0].context
next(iter(L(Arrays(), 3)))[0].context
L(Own(), 3)[0]
L(Own(), batch_size=3, foo=1)
every(L(Own(), 3, batchify_fn=5))
L()
L(None, 3)
len(L(Own(), -1))
every(L(Own(), 2.0))
every(L(Own(), None, batch_sampler=bs(seq(5), 2, 'rollover')))
every(L(Own(), 3, prefetch=-1, num_workers=1))
every(L(Own(), 3, num_workers='2'))
every(L(Own(), 3, num_workers=None))
every(L(Own(), 3, timeout=5, num_workers=1))
every(L(A(X.astype('float16'), Y.astype('uint8')), 4, num_workers=1))
every(L(A(X.astype('float64')), 4)), every(L(A(X.astype('float64')), 4, num_workers=1))
every(L(A([np.ones(2), np.zeros(2)]), 2))
every(L(A([nd.ones(2), nd.zeros(2)]), 2))
every(L(A(nd.array(X)[:2] + 1, [1, 2]), 2))
every(L(A(X, Y).filter(lambda t: t[1] % 2), 3))
every(L(A(X, Y).shard(3, 1), 3))
every(L(A(X, Y).take(3), 2))
every(L(A(X, Y).sample(data.FilterSampler(lambda t: t[1] > 5, A(X, Y))), 2))
every(L(A(X, Y).sample(seq(2)), 2))
A(X, Y).shard(3, 1)[0]
len(A(X, Y).filter(lambda t: False)), every(L(A(X, Y).filter(lambda t: False), 3))
[i[1] for i in A(X, Y)]
list(zip(A(Y), A(Y)))[:2]
next(iter(A(Y)))
A(X, Y)[nd.array([1])]
A(X, Y)[np.int64(1)]
A(X, Y)[[1, 2]]
A(X, Y)['a']
A(X, Y)[1.0]
A(X, [1])
A(X, Y)._length
data.SimpleDataset(X)[1], len(data.SimpleDataset(X))
data.SimpleDataset(5)[0]
pickle.loads(pickle.dumps(A(X, Y)))[1]
len(bs(seq(10), 3)), len(bs(seq(10), 3, 'discard')), len(bs(seq(10), 3, 'rollover'))
[len(b) for b in bs(data.RandomSampler(10), 4)]
list(bs(bs(seq(10), 3), 2))
list(bs(bs(seq(10), 3), 2, 'discard'))
list(bs([5, 6, 7], 2))
list(bs('abc', 2))
list(bs(seq(4), 2, None))
list(seq(-1)), len(seq(-1))
list(seq(2.5))
list(seq(3, start=-2))
list(data.RandomSampler(-3))
len(data.RandomSampler(4)), sorted(int(i) for i in data.RandomSampler(4)), [type(i).__name__ for i in data.RandomSampler(2)]
list(data.FilterSampler(lambda t: t > 1, [1, 2, 3])), len(data.FilterSampler(lambda t: t > 1, [1, 2, 3]))
sorted(n for n in dir(data) if n[0] != '_' and n[0].isupper())
""",  # noqa: E501
)

_FITTING = lines(
    "data_fit_helpers",  # noqa: E501
    """
fit(Simple())
fit(Simple(desc=False))
fit(Simple(('x', 'y')), names=('x', 'y'))
fit(Simple(('x', 'y')))
fit(Simple(pad=2))
fit(Parts())
fit(Generator())
fit(N(X, Y, 5))
fit(N(X, Y, 4))
fit(N(X, Y, 4, last_batch_handle='discard'))
fit(N(X, Y, 4, last_batch_handle='roll_over'))
fit(N({'x': X}, {'y': Y}, 5), names=('x', 'y'))
fit(N(X, Y, 5, label_name='softmax_label'), eval_data=N(X, Y, 5), eval_metric='ce')
fit(mx.io.ResizeIter(N(X, Y, 5), 5))
fit(mx.io.PrefetchingIter(N(X, Y, 5)))
fit(mx.io.PrefetchingIter(Simple()))
fit(mx.io.PrefetchingIter(N(X, Y, 5, data_name='a', label_name='b'), rename_data=[{'a': 'data'}], rename_label=[{'b': 'softmax_label'}]))
fit(mx.io.ResizeIter(Simple(), 3))
fit(N(nd.array(X), nd.array(Y), 5))
fit(N([X], [Y], 5))
fit(N(X, Y, 20))
N(X, Y, '5')
len(list(N(X, Y)))
len(list(N(np.zeros((0, 3)), None, 2)))
[b.data[0].dtype for b in N(X.astype('float64'), Y, 5)]
[b.label[0].shape for b in N(X, np.zeros((10, 2, 2)), 5)]
N(data=X, batch_size=3, shuffle=False).getpad()
(lambda it: [it.next().pad for _ in range(4)])(N(X, Y, 3))
(lambda it: [b.pad for b in it] + [it.getpad()])(N(X, Y, 3))
mx.io.DataDesc('a', (1, 2)).__class__.__bases__[0].__name__ != '', tuple(DataDesc('a', (1, 2), np.float16))
list(mx.io.NDArrayIter(X, Y, 5).provide_data[0]), N(X, Y, 5).provide_data[0].layout, N(X, Y, 5).provide_data[0].dtype
(lambda it: [it.iter_next(), it.current_batch is None])(mx.io.ResizeIter(N(X, Y, 5), 1))
next(N(X, Y, 5)).provide_data
next(iter(mx.io.PrefetchingIter(N(X, Y, 5)))).pad
mx.io.LibSVMIter(data_libsvm=folder + '/none', data_shape=(3,), batch_size=2)
mx.io.CSVIter(data_csv=folder + '/none', data_shape=(3,), batch_size=2)
mx.io.MNISTIter(image=folder + '/none', label=folder + '/none', batch_size=2)
mx.io.MXDataIter
""",  # noqa: E501
)

PROGRAMS = {**_LOADING, **_FITTING}
