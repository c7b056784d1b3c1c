"""Programs about `gluon.data`: datasets, samplers, merging and loading."""

from __future__ import annotations

from functools import partial

import mxnet as mx

from .core import functions, lines, named
from .data_helpers import L, data, loaders, samplers

_DATASETS = lines(
    "data_helpers",
    """
A(nd.arange(3))[0]
A(nd.arange(3), nd.ones((3, 2)))[1]
A(X)[1]
A(X)[-1]
A(N)[2]
A(X, N)[1:3]
A(X)[10]
A(N)[10]
A(X, X[:3])
A()
A(3)
A(A(X), A(N))[1]
A([[1, 2], [3, 4]])[0]
len(A(X, N))
[type(part).__name__ for part in A(nd.arange(3), nd.ones((3, 2)))._data]
S([(1, 2)])[0]
S([1, 2, 3])[:2]
S(N)[0]
S({0: 1})[0]
data.Dataset()[0]
len(data.Dataset())
type(A(X).transform(lambda x: x)).__name__
type(A(X).transform(lambda x: x, lazy=False)).__name__
A(X).transform(lambda x: x + 1, lazy=False)._data
A(X, X).transform(lambda x, y: x + y)[1]
A(X, X).transform(lambda x: x)[0]
S([[1, 2]]).transform(lambda *a: a)[0]
S([(1, 2)]).transform(lambda *a: a)[0]
A(X, X).transform_first(lambda x: int(x.sum()))[1]
A(X).transform_first(lambda x: int(x.sum()))[1]
A(X, X).transform_first(lambda x: int(x.sum()), lazy=False)[1]
A(X, X, X).transform_first(lambda x: int(x.sum()))[1]
S([[1, 2]]).transform_first(lambda x: x)[0]
list(ten.filter(lambda x: x % 2))
len(ten.filter(lambda x: x % 2))
type(ten.filter(lambda x: x % 2)).__name__
list(A(range(5), range(5)).filter(lambda t: t[0] % 2))
list(A(range(5), range(5)).filter(lambda a, b: a % 2))
[list(ten.shard(3, i)) for i in range(3)]
[len(ten.shard(4, i)) for i in range(4)]
list(ten.shard(20, 15))
ten.shard(3, 3)
ten.shard(3, -1)
ten.shard(0, 0)
list(ten.shard(2.0, 1))
list(ten.take(3)), list(ten.take(0)), list(ten.take(100)), list(ten.take(None))
len(list(ten.take(-1)))
list(ten.sample(data.SequentialSampler(3, 2)))
len(ten.sample(data.SequentialSampler(3, 2)))
ten.sample([3, 1])
ten.sample(data.SequentialSampler(3, 2))[5]
list(ten.take(6).shard(2, 1).transform(lambda x: x * 10).filter(lambda x: x > 30))
""",
)

_SAMPLERS = lines(
    samplers,
    """
list(data.SequentialSampler(3, 2)), len(data.SequentialSampler(3, 2))
list(map(int, R(8))), list(map(int, R(8))), len(R(8))
list(R(0))
list(data.FilterSampler(lambda x: x > 3, S([1, 5, 2, 7])))
len(data.FilterSampler(lambda x: x > 3, [1, 5, 2, 7]))
data.BatchSampler(data.SequentialSampler(3), 3, "x")._last_batch
len(data.BatchSampler(data.SequentialSampler(3), 3, "x"))
list(data.BatchSampler(data.SequentialSampler(3), 3, "x"))
iter(data.Sampler())
len(data.Sampler())
list(IntervalSampler(13, 3)), len(IntervalSampler(13, 3))
list(IntervalSampler(13, 3, rollover=False)), len(IntervalSampler(13, 3, rollover=False))
list(IntervalSampler(3, 3))
IntervalSampler(3, 5)
""",
)


def _batches(last_batch, length):
    b = data.BatchSampler(data.SequentialSampler(length), 3, last_batch)
    return [(len(b), list(b)) for _ in range(4)]


_BATCHES = {
    f"{last_batch} of {length}": partial(_batches, last_batch, length)
    for last_batch in ("keep", "discard", "rollover")
    for length in (10, 9, 2, 0)
}

_SAMPLES = """
[np.ones(3), np.zeros(3)]
[np.ones(3, "float32")] * 2
[np.ones(3, "float16")] * 2
[np.ones((2, 1), "int64")] * 2
[np.ones(3, "uint8")] * 2
[np.ones(3, "int8")] * 2
[np.ones(3, "bool")] * 2
[1, 2]
[1, 2.5]
[True, False]
[np.int32(1), np.int32(2)]
[np.float64(1)]
[(1, 2.0), (3, 4.0)]
((1, 2), (3, 4))
[[1, 2.0], [3, 4.0]]
[((1, 2.0), 3), ((4, 5.0), 6)]
[nd.ones(3), nd.zeros(3)]
[nd.ones((2, 2), dtype="int32")] * 2
[nd.ones(1)] * 3
[(nd.ones(3), 1), (nd.zeros(3), 2)]
[]
["a", "b"]
[None, None]
[np.ones(3), np.ones(4)]
"""

_MERGED = named(
    "data_helpers",
    {
        f"{name}({line})": f"data.dataloader.{name}({line})"
        for name in ("default_batchify_fn", "default_mp_batchify_fn")
        for line in _SAMPLES.strip().splitlines()
    },
)

_LOADERS = lines(
    loaders,
    """
every(L(D, 4))
every(L(D, 4, shuffle=True))
every(L(D, 4, False, data.SequentialSampler(3, 2)))
every(L(D, batch_size=4, last_batch="keep"))
every(L(D, batch_size=4, last_batch="discard"))
every(L(D, batch_size=4, last_batch="rollover"), 3)
every(L(D, batch_sampler=data.BatchSampler(seq, 4)))
every(L(D, batch_sampler=[[1, 2], [5]]))
every(L(D, 2, sampler=[5, 1, 2]))
every(L(D, 4, num_workers=2))
every(L(D, 4, shuffle=True, num_workers=2))
every(L(D, 4, num_workers=2, thread_pool=True))
every(L(D, 4, num_workers=1, prefetch=0))
every(L(D, 4, num_workers=2, prefetch=9, auto_reload=True))
every(L(D, 4, pin_memory=True))
every(L(D, 4, num_workers=2, pin_memory=True))
every(L(D, 4, num_workers=-2))
every(L(D.transform_first(lambda x: x * 2), 4))
every(L(D.transform(lambda x, y: (x * 2, y, y + 0.5)), 4, num_workers=2, thread_pool=True))
every(L(D, 20))
every(L(D, 20, last_batch="discard"))
every(L([1, 2, 3, 4], 3))
every(L(X, 4))
every(L(N, 4))
every(L([], 4))
every(L(X, 4, num_workers=1))
every(L(ten.take(5), 4))
every(L(D, 4, batchify_fn=list), 1)
every(L(D, 4, batchify_fn=list, num_workers=1), 1)
every(L(["a", "b"], 1, batchify_fn=tuple, pin_memory=True), 1)
L(D)
L(5, 3)
L(D, 4, shuffle=True, sampler=seq)
L(D, 4, batch_sampler=data.BatchSampler(seq, 4))
L(D, shuffle=True, batch_sampler=data.BatchSampler(seq, 4))
L(D, sampler=seq, batch_sampler=data.BatchSampler(seq, 4))
L(D, last_batch="keep", batch_sampler=data.BatchSampler(seq, 4))
len(L(D, 4, last_batch="other"))
len(L(D, 0))
len(L(D, "4"))
L(D, 4, timeout=0)
L(D, 4, timeout=-1)
list(L(["a", "b"], 1))
[L(D, 4).clean(), L(D, 4).refresh()]
next(iter(L(D, 4)))
data.dataloader._as_in_context([nd.ones(1), (nd.ones(1), 3)], mx.cpu(1))
""",
)


def records_of_a_file(folder):
    with_index = mx.recordio.MXIndexedRecordIO(folder + "/a.idx", folder + "/a.rec", "w")
    for i in range(5):
        with_index.write_idx(i, b"record %d" % i)
    with_index.close()
    records = data.RecordFileDataset(folder + "/a.rec")
    text = records.transform(lambda record: record.decode())
    r = [len(records), list(text), text[-1]]
    r += [list(L(text, 2, batchify_fn=list, num_workers=n, thread_pool=True)) for n in (0, 2)]
    return r


def a_record_that_is_not_there(folder):
    with_index = mx.recordio.MXIndexedRecordIO(folder + "/a.idx", folder + "/a.rec", "w")
    with_index.write_idx(0, b"record")
    with_index.close()
    return data.RecordFileDataset(folder + "/a.rec")[1]


def no_record_file(folder):
    return data.RecordFileDataset(folder + "/none.rec")


PROGRAMS = _DATASETS | _SAMPLERS | _BATCHES | _MERGED | _LOADERS | functions(globals())
