"""Reading parts of arrays, and which of them share memory with the array."""

from __future__ import annotations

from .core import lines, named
from .indexing_helpers import cube, mask, matrix

READ = lines(
    cube,
    """
    x[0]
    x[1, 2]
    x[1, 2, 3]
    x[-1]
    x[-1, -1, -1]
    x[0:1]
    x[1:]
    x[:1]
    x[:]
    x[:, 1]
    x[:, 1:3]
    x[:, :, 1]
    x[..., 1]
    x[1, ...]
    x[..., 1, :]
    x[...]
    x[0, ..., 0]
    x[..., ...]
    x[None]
    x[:, None, 1]
    x[None, None, 0]
    x[0, None]
    x[..., None].shape
    x[None, ..., None].shape
    x[np.newaxis, 0]
    x[0:2:1]
    x[::2]
    x[::-1]
    x[:, ::-1, ::2]
    x[:, ::-2]
    x[1:0]
    x[5:7]
    x[:, :, 10:12]
    x[:, 1:1]
    v[1:0]
    v[0:0]
    v[3:1]
    v[3:1:-1]
    v[::-1]
    v[::-2]
    v[4:0:-1]
    v[-2:]
    v[:-2]
    v[-3:-1]
    v[1:100]
    v[-100:2]
    v[::3]
    v[1::2]
    v[2:3]
    v[0]
    v[-1]
    v[5]
    v[-6]
    v[100:200]
    v[::0]
    x[()]
    x[5]
    x[-3]
    x[0, 3]
    x[0, 0, 4]
    x[0, 0, 0, 0]
    x[0, :, :, :]
    x[0, 0, -5]
    x['a']
    x[1.0]
    x[1.5, 0]
    x[None, 'a']
    x[object()]
    x[{}]
    x[b'a']
    x[1j]
    x[0:'a']
    x[0:1.5]
    x[True]
    x[False]
    x[True, 0]
    v[True]
    x[np.int64(1)]
    x[np.int32(1), np.int8(2)]
    x[np.uint8(1)]
    x[np.array(1)]
    x[nd.array([1])]
    x[nd.array([1])[0]]
    x[slice(None)]
    x[slice(0, 1), slice(None, None, 2)]
    x[slice(None), 0]
    x[range(2)]
    v[range(1, 4, 2)]
    x[0][0][0]
    x[0][1:3][1]
    x[1][::2][0]
    v[nd.array([0])[0]]
    v[np.int64(1):np.int64(3)]
    """,
)

ADVANCED = lines(
    cube,
    """
    x[[0, 1]]
    x[[0]]
    x[[1, 0, 1]]
    x[[]]
    x[[0, 1], [1, 2]]
    x[[0, 1], [1, 2], [3, 0]]
    x[(0, 1), (1, 2)]
    x[[0, 1], 1]
    x[0, [1, 2]]
    x[:, [0, 2]]
    x[:, [0, 2], 1]
    x[:, 1, [0, 2]]
    x[0, :, [0, 2]]
    x[[0, 1], :, [0, 2]]
    x[:, [0, 2], 1:3]
    x[..., [0, 3]]
    x[[0], ..., [0, 3]]
    x[None, [0, 1]]
    x[[0, 1], None].shape
    x[:, None, [0, 1]].shape
    x[[[0, 1], [1, 0]]]
    x[[[0, 1], [1, 0]], 1]
    x[[0, 1], [[0], [1]]]
    x[np.array([1, 0])]
    x[np.array([1, 0], dtype='int8')]
    x[np.array([1.0, 0.0])]
    x[np.array([[0, 1]])]
    x[np.array([True, False])]
    x[np.array([0, 1]), np.array([1, 1])]
    x[nd.array([0, 1])]
    x[nd.array([0, 1], dtype='int32')]
    x[nd.array([0, 1], dtype='int64')]
    x[nd.array([0, 1], dtype='uint8')]
    x[nd.array([0.5, 1.7])]
    x[nd.array([[0, 1], [1, 1]])]
    x[(nd.array([0, 1]), nd.array([0, 1]))]
    x[nd.array([0, 1]), 1]
    x[:, nd.array([0, 1]), 1:3]
    x[nd.array([0, 1]), nd.array([0, 1]), nd.array([2, 3])]
    x[0, nd.array([2, 1])]
    x[[0, 1], nd.array([0, 1])]
    x[nd.array([-1])]
    x[nd.array([-1, -2])]
    x[[-1]]
    x[[-1, 0], [-2, 0]]
    x[nd.array([5])]
    x[[5]]
    x[[-3]]
    x[:, [3]]
    x[[0, 1], [0, 1, 2]]
    x[[0, 1], [0, 5]]
    x[['a']]
    x[[0.5, 1]]
    x[[None]]
    x[[0, 1], [0, 1], [0, 1], [0, 1]]
    x[[True, False]]
    v[[True, False, True, False, False]]
    v[[0, 0, 4]]
    v[nd.array([4, 3])]
    v[[[0, 1]]]
    v[nd.array([[0], [1]])]
    v[np.array([], dtype='int64')]
    v[v > 2]
    v[nd.array([1, 0, 1, 0, 0])]
    x[x > 5].shape
    v[np.argsort(v.asnumpy())[::-1]]
    v[v.argsort()]
    x[::-1, [0, 1]]
    x[::2, [0, 1]]
    x[1:, [0, 1], ::-1]
    x[nd.array([0, 1], ctx=mx.cpu(1))]
    x[[0, 1]].context
    nd.arange(4, ctx=mx.cpu(1))[[0, 1]]
    nd.arange(4, dtype='int32')[[0, 1]]
    nd.arange(4, dtype='uint8')[[True, False]]
    x[[np.int64(0), 1]]
    x[[nd.array([0]), nd.array([1])]]
    x[tuple([0, 1])]
    x[[slice(None), 0]]
    """,
)

BOOLEAN = lines(
    mask,
    """
    x[m]
    nd.contrib.boolean_mask(x, nd.array([1, 0, 1]))
    x[x > 1]
    x[(x > 1).astype('bool')]
    nd.array([[1, 2], [3, 4]])[nd.array([True, False], dtype='bool')]
    nd.array([[1, 2], [3, 4]])[nd.array([[True, False], [False, True]], dtype='bool')]
    """,
)

SHARING_KEYS = """
0
-1
0:1
1:2
0, 1
0, 1, 2
1:2, :
1, 0:2
1, 0:3:2
:, 1
:, 1:3
..., 1
1, ...
None
0, None
None, 0
:
::2
::-1
0:2:1
[0]
:, :, :
...
1:2, 0:3, 0:4
0:1, 1:2
0:1, 1:2, 1:3
0:2, 0:3, 0:4
0:2, 0:2
1, 1, 1:3
1, 1, 0:4:2
()
:, 0:1
:, None
0:1, 0, 0
np.int64(1)
nd.array([1])
"""
SHARING = named(
    cube,
    {
        **{
            f"written through x[{key}]": f"written(x[{key}], x)"
            for key in SHARING_KEYS.strip().splitlines()
        },
        **{
            f"seen in x[{key}]": f"written(x, x[{key}])"
            for key in ("0", "0:1", ":, 1", "None", "[0]", "...", "::2", "1, 1, 1:3")
        },
    },
)

METHODS_SHARING = named(
    matrix,
    {
        f"written through {source}": f"shapes_written(x, {source})"
        for source in (
            "x.reshape((3, 2))",
            "x.reshape(-1)",
            "x.reshape((0, 0))",
            "x.T",
            "nd.array([1, 2]).T",
            "x.flatten()",
            "x.expand_dims(0)",
            "x.expand_dims(0, inplace=True)",
            "x.flatten(inplace=True)",
            "x[0:1].squeeze()",
            "x[0:1].squeeze(inplace=True)",
            "x[0:1].squeeze(axis=0, inplace=True)",
            "x.copy()",
            "x.astype('float32')",
            "x.astype('float32', copy=False)",
            "x.astype('float64', copy=False)",
            "x.as_in_context(mx.cpu())",
            "x.as_in_context(mx.cpu(1))",
            "x.copyto(mx.cpu())",
            "x.detach()",
            "x.as_nd_ndarray()",
            "x.swapaxes(0, 1)",
            "x.broadcast_to((2, 3))",
            "x.slice_axis(0, 0, 1)",
            "x.slice(begin=(0,), end=(1,))",
            "x.reshape_like(nd.zeros((3, 2)))",
            "nd.identity(x)",
            "nd.stop_gradient(x)",
            "nd.concat(x, dim=0)",
            "nd.concatenate([x])",
            "nd.concatenate([x], always_copy=False)",
            "nd.split(x, 1)",
            "nd.array(x)",
            "nd.reshape(x, shape=(3, 2))",
            "nd.Flatten(x)",
            "x[0][1]",
            "x[0].reshape((3, 1))",
            "x.reshape((3, 2))[0]",
            "x.tostype('default')",
            "x.asnumpy()",
            "nd.from_dlpack(x.to_dlpack_for_write())",
            "nd.from_dlpack(x.to_dlpack_for_read())",
        )
    },
)

PROGRAMS = {**READ, **ADVANCED, **BOOLEAN, **SHARING, **METHODS_SHARING}
