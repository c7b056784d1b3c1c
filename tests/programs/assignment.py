"""Assigning to parts of arrays: every kind of index with every kind of value."""

from __future__ import annotations

from functools import partial

from .assignment_helpers import cube, numbers, vector
from .core import statements

KEYS = (
    "0",
    "-1",
    "1, 2",
    "1, 2, 3",
    "0:1",
    ":",
    "...",
    ":, 1",
    ":, ::2",
    "::-1",
    "..., 0",
    "None",
    ":, None, 1",
    "[0, 1]",
    "[0, 1], [1, 2]",
    ":, [0, 2], 1",
    "nd.array([0])",
    "nd.array([1, 0]), 2",
    "np.array([0, 1])",
    "1:1",
    "::2, ::-1, 1:3",
    "()",
)
VALUES = (
    "7",
    "2.5",
    "True",
    "np.float64(3)",
    "nd.array([5])",
    "nd.array([1, 2, 3, 4])",
    "np.arange(4)",
    "[1, 2, 3, 4]",
    "nd.ones((1, 3, 4)) * 6",
    "nd.array([5], dtype='int32')",
    "'a'",
)
CROSS = statements(cube, "\n".join(f"x[{key}] = {value}" for key in KEYS for value in VALUES), "x")

MORE = statements(
    cube,
    """
    x[:] = nd.ones((3, 4))
    x[:, 1] = nd.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    x[..., 0] = nd.zeros((2, 3))
    x[..., 0] = nd.zeros((3,))
    x[nd.array([0])] = np.ones((1, 3, 4))
    x[::-1] = x.copy()
    x[::-1] = x
    x[0] = x[1]
    x[0:1] = x[1:2]
    x[0] = x[0].T.T
    x[0] = 1
    x[0] = (1, 2, 3, 4)
    x[0] = [[1, 2, 3, 4]] * 3
    x[0] = [nd.array([1])] * 4
    x[0] = [1, 2]
    x[0] = []
    x[0] = None
    x[:] = None
    x[0] = 1j
    x[0] = object()
    x[0] = {}
    x[0] = float('nan')
    x[0] = float('inf')
    x[0] = 10 ** 10
    x[0] = nd.ones((4,), dtype='int32')
    x[0] = nd.ones((4,), dtype='float64')
    x[0] = nd.ones((4,), ctx=mx.cpu(1))
    x[0] = nd.ones((2, 3, 4))
    x[0] = nd.ones((1, 1, 1, 4))
    x[0] = np.ones((1, 3, 4))
    x[0] = np.float16(3)
    x[0] = np.array(3)
    x[0] = np.array([True, False, True, False])
    x[0] = np.arange(4, dtype='int8')
    x[0] = np.ones((2, 2))
    x[0] = range(4)
    x[1:2] = nd.ones((2, 2))
    x[5] = 1
    x[-3] = 1
    x[0, 3] = 1
    x[0, 0, 0, 0] = 1
    x['a'] = 1
    x[1.0] = 1
    x[[0, 1], [0, 1, 2]] = 1
    x[[0, 0]] = nd.array([1, 2]).reshape((2, 1, 1))
    x[[0, 0], [0, 0]] = nd.array([[1], [2]])
    x[:, [0, 2], 1] = nd.array([[1, 2], [3, 4]])
    x[:, [0, 2], 1] = [[1, 2], [3, 4]]
    x[:, [0, 2], 1:3] = nd.ones((2, 2, 2))
    x[[0, 1], :, [0, 2]] = nd.ones((2, 3))
    x[[0, 1], :, [0, 2]] = nd.array([1, 2, 3])
    x[[[0, 1], [1, 0]], 0] = 9
    x[0:2, nd.array([0, 1])] = 1
    x[(nd.array([0, 1]), nd.array([2, 2]))] = nd.array([[1], [2]])
    x[nd.array([0.7])] = 1
    x[np.array([True, False])] = 0
    x[x > 5] = 0
    x[[True, False]] = 0
    x[True] = 0
    x[::2, ::-1, 1:3] = nd.arange(6).reshape((1, 3, 2))
    x[::2, ::-1, 1:3] = np.arange(6).reshape(1, 3, 2)
    x[::2, ::2, ::2] = nd.arange(4).reshape((1, 2, 2))
    x[:, ::-2] = nd.arange(8).reshape((2, 1, 4))
    x[::-1, [0, 1]] = nd.arange(4)
    x[None] = nd.ones((1, 2, 3, 4))
    x[None, 0] = nd.ones((3, 4))
    x[:, None] = nd.ones((2, 1, 3, 4))
    x[..., None] = nd.ones((2, 3, 4, 1))
    x[5:7] = 1
    x[5:7] = nd.ones((1,))
    x[1:0] = 3
    x[0][0] = 5
    x[0][0][0] = 5
    x[0][:, 1] = 5
    x[:, 1][0] = 5
    x[0, 1:3] = nd.array([[1], [2]])
    x[-1, -1, -1] = nd.array([5])
    x[-1, -1, -1] = nd.array([[5]])
    x[-1, -1, -1] = [5]
    x[-1, -1, -1] = nd.array([5, 6])
    x[np.int64(0)] = 1
    x[np.int64(0), 1:np.int64(2)] = 1
    x[range(2)] = 3
    x[0] = np.array(['a'])
    x[:] = np.ones((2, 3, 4), dtype='float64') * 0.1
    x.reshape((6, 4))[0] = 3
    x.reshape((4, 6))[:, 0] = 3
    x.T[0] = 3
    x[[]] = 3
    x[...] = nd.arange(4)
    x[:] = nd.arange(3)
    x[:] = nd.arange(3).reshape((3, 1))
    x[:] = np.arange(24).reshape(2, 3, 4)
    x[:] = np.arange(24).reshape(2, 3, 4).T
    x[:] = x
    x[:] = x * 2
    x[0] = True
    x[0, 0] = nd.array([True, False, True, True], dtype='bool')
    """,
    "x",
    title="cube: ",
)

VALUES_OF_DTYPES = (
    ("0", "7"),
    ("0", "2.7"),
    ("0", "-2.7"),
    (":", "2.7"),
    (":", "nd.array([1.5, 2.5, -3.5])"),
    (":", "np.array([1.5, 2.5, -3.5])"),
    ("[0, 2]", "2.7"),
    ("[0, 2]", "nd.array([1.5, -2.5])"),
    ("::-1", "[1.5, 2.5, 3.5]"),
    ("1:", "nd.array([5, 6], dtype='int64')"),
    ("0", "300"),
    ("0", "True"),
)
DTYPES = {
    name: program
    for dtype in ("float16", "float64", "int32", "int64", "int8", "uint8", "bool")
    for name, program in statements(
        partial(numbers, dtype),
        "\n".join(f"x[{key}] = {value}" for key, value in VALUES_OF_DTYPES),
        "x",
        f"{dtype} ",
    ).items()
}

SMALL = statements(
    vector,
    """
    x[2] = 9
    x[1:3] = 9
    x[1:3] = [7, 8]
    x[1:3] = nd.array([7, 8])
    x[1:3] = [7, 8, 9]
    x[::2] = nd.array([7, 8, 9])
    x[::-1] = nd.arange(5)
    x[::-2] = [7, 8, 9]
    x[4:1:-1] = [7, 8, 9]
    x[[0, 4]] = [7, 8]
    x[[0, 0]] = [7, 8]
    x[nd.array([0, 4])] = nd.array([7, 8])
    x[nd.array([[0, 1], [2, 3]])] = nd.array([[5, 6], [7, 8]])
    x[:] = x[::-1]
    x[1:] = x[:-1]
    x[:-1] = x[1:]
    x[x > 2] = 0
    x[nd.array([True, False, True, False, True], dtype='bool')] = 0
    x[-1] = 9
    x[5] = 9
    x[-6] = 9
    x[10:] = 9
    x[None] = 9
    x[None, 1:3] = nd.array([[7, 8]])
    x.slice_assign(nd.array([7, 8]), (1,), (3,), (1,))
    x.slice_assign(nd.array([7, 8]), (1,), (5,), (2,))
    x.slice_assign(nd.array([7, 8]), (0,), (2,), (None,))
    x.slice_assign_scalar(7, (1,), (3,), (1,))
    x.slice_assign_scalar(7, (None,), (None,), (2,))
    x.__setitem__(0, 5)
    x[0], x[1] = x[1], x[0]
    x[0], x[1] = x[1].copy(), x[0].copy()
    del x[0]
    """,
    "(x, y)",
    title="vector: ",
)

PROGRAMS = {**CROSS, **MORE, **DTYPES, **SMALL}
