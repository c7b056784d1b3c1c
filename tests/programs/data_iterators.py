"""Iterators over arrays and text files: `mx.io`."""

from __future__ import annotations

from .core import lines, statements
from .data_iterator_helpers import iterator

SIZES = ((10, 4), (4, 4), (3, 4), (9, 4), (8, 3), (12, 4), (1, 1))
HANDLES = ("pad", "discard", "roll_over")
_ROUNDS = "\n".join(
    f"rows(numbers({count}, {size}, '{handle}'), 3)" for count, size in SIZES for handle in HANDLES
)

PROGRAMS = {
    **lines("data_iterator_helpers", _ROUNDS),
    **lines(
        "data_iterator_helpers",
        """
        str(DataDesc('a', (2, 3)))
        repr(DataDesc('a', (2, 3), 'float16', 'NTC'))
        tuple(DataDesc('a', (2, 3)))
        DataDesc('a', (2, 3)) == ('a', (2, 3))
        hash(DataDesc('a', (2, 3))) == hash(('a', (2, 3)))
        DataDesc('a', (2, 3)).layout
        DataDesc('a', (2, 3)).dtype
        DataDesc(name='a', shape=(2, 3), dtype='int8', layout='N').dtype
        DataDesc('a', [2, 3]).shape
        DataDesc('a')
        DataDesc.get_batch_axis('TNC')
        DataDesc.get_batch_axis('NCHW')
        DataDesc.get_batch_axis(None)
        DataDesc.get_batch_axis('CHW')
        str(DataDesc.get_list([('a', (2, 3)), ('b', (1,))], [('a', 'int8'), ('b', 'int32')]))
        str(DataDesc.get_list([('a', (2, 3))], None))
        DataDesc.get_list([('a', (2, 3))], [('b', 'int8')])
        copy.copy(DataDesc('a', (2, 3), 'float16', 'NTC')).dtype
        repr(pickle.loads(pickle.dumps(DataDesc('a', (2, 3), 'float16', 'NTC'))))
        str(DataBatch([x], [x]))
        str(DataBatch([x]))
        str(DataBatch((x,), (x, x)))
        DataBatch(x)
        DataBatch([x], x)
        sorted(vars(DataBatch([x], [x])))
        DataBatch([x], None, 1, [2], 3, 4, 5).bucket_key
        DataIter().batch_size
        DataIter(7).batch_size
        DataIter().next()
        DataIter().getdata()
        DataIter().getpad()
        DataIter().reset()
        DataIter.__module__
        iter(DataIter()).batch_size
        names(NDArrayIter(a, a[:, 0], 4).provide_data)
        names(NDArrayIter(a, a[:, 0], 4).provide_label)
        names(NDArrayIter(a, None, 4).provide_label)
        names(NDArrayIter(a, [], 4).provide_label)
        names(NDArrayIter([a, a], a, 4).provide_data)
        names(NDArrayIter([a], [a, a], 4).provide_label)
        names(NDArrayIter({'y': a, 'x': a}, {'l': a}, 4).provide_data)
        names(NDArrayIter(OrderedDict([('y', a), ('x', a)]), None, 4).provide_data)
        names(NDArrayIter(a.tolist(), None, 4).provide_data)
        names(NDArrayIter(a, a, 4, data_name='q', label_name='w').provide_label)
        names(NDArrayIter([a, a], a, 4, data_name='q').provide_data)
        names(NDArrayIter(a, a, 4, layout='NC').provide_data)
        names(NDArrayIter(a.astype('float64'), a.astype('int8'), 2).provide_data)
        names(NDArrayIter(a.astype('float16'), a > 3, 2).provide_label)
        names(NDArrayIter(x.astype('int32'), x.astype('float64'), 2).provide_data)
        names(NDArrayIter(x.astype('int32'), x.astype('float64'), 2).provide_label)
        NDArrayIter((a, a), None, 4)
        NDArrayIter(None, None, 4)
        NDArrayIter([], None, 4)
        NDArrayIter('abc', None, 4)
        NDArrayIter(5, None, 4)
        NDArrayIter(a, 5, 4)
        NDArrayIter([a, 'q'], None, 4)
        NDArrayIter(a, a, 4).num_data
        NDArrayIter(a, a, 4).num_source
        NDArrayIter(a, a, 4).batch_size
        NDArrayIter(a, a, 4).idx
        NDArrayIter(a, a, 4).data[0][0]
        NDArrayIter(a, a, 4).data[0][1]
        NDArrayIter(a, a, 4).label[0][1]
        NDArrayIter(x, a, 4).data[0][1] is x
        len(NDArrayIter([a, a], a, 4).data_list)
        NDArrayIter(a, a, 4).next().data
        NDArrayIter(a, a, 4).next().label
        NDArrayIter(a, a, 4).next().index
        NDArrayIter(a, None, 4).next().label
        NDArrayIter(x.astype('int32'), a, 4).next().data
        NDArrayIter(mx.nd.array(a, ctx=mx.cpu(1)), a, 4).next().data
        NDArrayIter(np.ones((4, 2, 3)), None, 3).next().data
        NDArrayIter(a, [a, a[:, 0]], 4).next().label
        rows(NDArrayIter({'b': a, 'a': a * 2}, a[:, 1], 4), 2)
        rows(numbers(10, 4, 'roll_over'), 3, 'hard_reset')
        rows(numbers(10, 4, 'pad'), 2, 'hard_reset')
        (np.random.seed(3), rows(numbers(10, 4, 'pad', shuffle=True), 3))[1]
        (np.random.seed(3), rows(numbers(10, 4, 'discard', shuffle=True), 3))[1]
        (np.random.seed(3), rows(numbers(10, 4, 'roll_over', shuffle=True), 3))[1]
        (np.random.seed(3), rows(NDArrayIter(x, x, 4, shuffle=True), 2))[1]
        NDArrayIter(x.tostype('csr'), a, 4)
        NDArrayIter(x.tostype('csr'), a, 4, last_batch_handle='roll_over')
        NDArrayIter(x.tostype('csr'), a, 4, last_batch_handle='discard').next().data
        names(NDArrayIter(x.tostype('csr'), a, 4, last_batch_handle='discard').provide_data)
        NDArrayIter([a, a[:3]], None, 4).next().data
        NDArrayIter(a, a, 4).getdata()
        """,
    ),
    **statements(
        iterator,
        """
        r = [it.iter_next(), it.getdata(), it.getlabel(), it.getpad(), it.getindex(), it.cursor]
        r = [it.iter_next() for _ in range(5)]
        r = [[it.iter_next() for _ in range(3)], it.getpad(), it.getdata()]
        list(it); r = it.next()
        list(it); it.reset(); r = it.next().data
        next(it); it.reset(); r = it.next().data
        next(it); it.reset(); r = it.cursor
        list(it); r = it.getdata()
        b = it.next(); b.data[0][:] = 77; it.reset(); r = it.next().data
        """,
        "r",
    ),
    **lines(
        "data_iterator_helpers",
        """
        rows(ResizeIter(numbers(10, 4, 'pad'), 5), 2)
        rows(ResizeIter(numbers(10, 4, 'pad'), 2), 3)
        rows(ResizeIter(numbers(10, 4, 'pad'), 2, reset_internal=False), 3)
        names(ResizeIter(numbers(10, 4, 'pad'), 2).provide_data)
        ResizeIter(numbers(10, 4, 'pad'), 2).batch_size
        ResizeIter(Ones(2), 7).default_bucket_key
        ResizeIter(numbers(10, 4, 'pad'), 2).getdata()
        ResizeIter(5, 2)
        rows(PrefetchingIter(numbers(10, 4, 'pad')), 3)
        rows(PrefetchingIter([numbers(10, 4, 'pad'), numbers(10, 4, 'pad')]), 2)
        names(PrefetchingIter([Ones(2)]).provide_data)
        names(PrefetchingIter([Ones(2)], rename_data=[{'d': 'e'}]).provide_data)
        names(PrefetchingIter([Ones(2)] * 2, rename_label=[{'l': 'a'}, {'l': 'b'}]).provide_label)
        PrefetchingIter([Ones(2)], rename_data=[{'d': 'e'}]).batch_size
        PrefetchingIter([Ones(2), Ones(2)]).n_iter
        names(PrefetchingIter([Ones(2)]).next().provide_data)
        PrefetchingIter([])
        PrefetchingIter([Ones(2)], rename_data=[{'q': 'e'}])
        """,
    ),
    **lines(
        "csv_helpers",
        """
        csv()
        csv(batch_size=2)
        csv(batch_size=1)
        csv(batch_size=5)
        csv(round_batch=False)
        csv(label_csv=label)
        csv(label_csv=label, round_batch=0)
        csv(data_shape='(3,1)', label_csv=label, label_shape='(1,)', batch_size='3', dtype='int32')
        csv(dtype='int64')
        csv(data_shape=3, batch_size=2)
        csv(data_shape=[3], batch_size=2)
        csv(label_csv=data, label_shape=(3,))
        csv(label_csv=data, label_shape=(3, 1))
        csv(label_shape=(2,))
        csv(data_csv=label, data_shape=(1,))
        csv(data_name='D', label_name='L')
        csv(ctx='cpu', prefetch_buffer=2)
        csv(data_csv=data + ';' + data, batch_size=4)
        csv(data_csv=file('crlf.csv', '1,2,3\\r\\n4,5,6\\r\\n7,8,9'), batch_size=2)
        csv(data_csv=file('f.csv', '1.5,-2e3,.25\\n'), batch_size=1)
        csv(data_csv=file('f.csv', '1.5,2,300\\n'), batch_size=1, dtype='int32')
        indices()
        indices(round_batch=False)
        csv(dtype='float64')
        csv(data_shape=(2,))
        csv(data_shape=(4,))
        csv(batch_size=9)
        csv(batch_size='x')
        csv(round_batch='yes')
        csv(ctx='tpu')
        csv(dtype='floaty')
        csv(data_csv=os.path.join(folder, 'no.csv'))
        csv(data_csv=file('z.csv', ''))
        csv(label_csv=data)
        csv(label_csv=file('s.csv', '1\\n2\\n'))
        mx.io.CSVIter(data_csv=data, data_shape=(3,))
        mx.io.CSVIter(data_csv=data, batch_size=3)
        mx.io.CSVIter(data_csv=data, data_shape=(3,), batch_size=3).getdata()
        isinstance(mx.io.CSVIter(data_csv=data, data_shape=(3,), batch_size=3), mx.io.MXDataIter)
        """,
    ),
    **lines(
        "libsvm_helpers",
        """
        svm()
        svm(batch_size=2)
        svm(batch_size=1)
        svm(label_libsvm=label, label_shape=(3,))
        svm(data_shape=(3, 2))
        """,
    ),
    **lines(
        "mnist_helpers",
        """
        mnist(shuffle=False)
        mnist(shuffle=False, flat=True)
        mnist()
        mnist(seed=7)
        mnist(seed=7, flat='True', batch_size='5')
        mnist(shuffle=False, num_parts=3, part_index=1, batch_size=2)
        mnist(shuffle=False, num_parts=3, part_index=2, batch_size=2)
        mnist(image=image + 'no')
        """,
    ),
}
