"""How arrays come to be: dtypes, contexts and shapes of the creation functions."""

from __future__ import annotations

from .core import lines, named

DTYPES = ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")

ARRAY = lines(
    "package_helpers",
    """
    nd.array([1, 2, 3])
    nd.array([1.5, 2, 3])
    nd.array([[1, 2], [3, 4]])
    nd.array((1, 2, 3))
    nd.array([(1, 2), (3, 4)])
    nd.array([[[1]]])
    nd.array([True, False])
    nd.array([True, 2])
    nd.array(range(4))
    nd.array([1])
    nd.array([[]])
    nd.array([]).shape
    nd.array([[], []]).shape
    nd.array(5).shape
    nd.array(5.5).shape
    nd.array(np.float64(2.5)).shape
    nd.array(True).dtype
    nd.array(np.array([1, 2]))
    nd.array(np.array([1, 2], dtype='int32'))
    nd.array(np.array([1, 2], dtype='uint8'))
    nd.array(np.array([1.0, 2.0]))
    nd.array(np.array([1, 2], dtype='float16'))
    nd.array(np.array([True, False]))
    nd.array(np.array([1, 2]), dtype='int64')
    nd.array(np.array([1.7, -2.7]), dtype='int32')
    nd.array(np.array([1, 2], dtype='uint16'))
    nd.array(np.array([1, 2], dtype='int16'))
    nd.array(np.array([1, 2], dtype='uint32'))
    nd.array(np.array([1, 2], dtype='>f4'))
    nd.array(np.arange(6).reshape(2, 3).T)
    nd.array(np.arange(6)[::-2])
    nd.array(np.asfortranarray(np.arange(6).reshape(2, 3)))
    nd.array(np.zeros((0, 2))).shape
    nd.array(np.array(3)).shape
    nd.array(nd.array([1, 2], dtype='int8'))
    nd.array(nd.array([1, 2], dtype='int8'), dtype='float64')
    nd.array(nd.array([1, 2], ctx=mx.cpu(1))).context
    nd.array(nd.array([1, 2]), ctx=mx.cpu(1))
    nd.array([nd.array([1]), nd.array([2])])
    nd.array([nd.array([1])[0], nd.array([2])[0], 3])
    nd.array([np.array([1, 2]), np.array([3, 4])])
    nd.array([np.float32(1), np.int8(2)])
    nd.array([1, 2], dtype=np.int32)
    nd.array([1, 2], dtype=np.dtype('int32'))
    nd.array([1, 2], dtype=int)
    nd.array([1, 2], dtype=float)
    nd.array([1, 0], dtype=bool)
    nd.array([1, 2], dtype='i4')
    nd.array([1, 2], dtype='<f8')
    nd.array([1, 2], dtype='foo')
    nd.array([1, 2], dtype='complex64')
    nd.array([1, 2], dtype='int16')
    nd.array([1, 2], dtype=None)
    nd.array([1, 2], None, 'int32')
    nd.array([1, 2], mx.cpu(2), 'int32')
    nd.array([1.9, -1.9], dtype='int32')
    nd.array([300, -1], dtype='int32').astype('uint8')
    nd.array([2**40], dtype='int64')
    nd.array([2**24 + 1])
    nd.array([1e400, -1e400])
    nd.array([float('nan'), float('inf')])
    nd.array([[1, 2], [3]])
    nd.array('abc')
    nd.array(['a', 'b'])
    nd.array([1j])
    nd.array({1, 2})
    nd.array({'a': 1})
    nd.array(None)
    nd.array()
    nd.array([None, 1])
    nd.array(object())
    nd.array([1], ctx=5)
    nd.array(source_array=[1, 2], dtype='int8')
    nd.NDArray is mx.ndarray.NDArray
    type(nd.array([1])).__name__
    mx.nd is mx.ndarray
    isinstance(nd.array([1]), nd.NDArray)
    """,
)

FILLED = lines(
    "package_helpers",
    """
    nd.zeros(3)
    nd.zeros((2, 3))
    nd.zeros([2, 2])
    nd.zeros((2,), dtype='int32')
    nd.zeros((2,), mx.cpu(1), 'int32')
    nd.zeros(shape=(2,), ctx=mx.cpu(1))
    nd.zeros((1, 1, 1, 1))
    nd.zeros(np.int64(2))
    nd.zeros((np.int32(2), 1))
    nd.zeros((2,), dtype=None)
    nd.zeros((2,), stype='default')
    nd.zeros((2,), dtype='foo')
    nd.zeros('a')
    nd.zeros(2.5)
    nd.zeros((-2, 3))
    nd.zeros((2,), foo=1)
    nd.zeros(None)
    nd.zeros()
    nd.zeros((2, 3), out=nd.ones((2, 3)))
    nd.zeros((2, 3), out=nd.ones((3, 3)))
    nd.zeros((2,), name='z')
    nd.ones(3)
    nd.ones((2, 3))
    nd.ones((2,), dtype='uint8')
    nd.ones((2,), ctx=mx.cpu(3), dtype='float64')
    nd.ones((2,), dtype=np.float16)
    nd.ones((2,), out=nd.zeros((2,)))
    nd.ones((2,), dtype='bool')
    nd.full((2, 2), 7)
    nd.full((2,), 7.5)
    nd.full(3, 1)
    nd.full((2,), 7, dtype='int32')
    nd.full((2,), 7.9, dtype='int32')
    nd.full((2,), -1, ctx=mx.cpu(1), dtype='int8')
    nd.full((2,), float('nan'))
    nd.full((2,), float('inf'))
    nd.full((2,), True)
    nd.full((2,), np.float64(2.5))
    nd.full((2,), val=3)
    nd.full((2,), 'a')
    nd.full((2,), nd.array([3]))
    nd.full((2,), 7, out=nd.zeros((2,)))
    nd.empty((2, 3)).shape
    nd.empty(4).shape
    nd.empty((2,), dtype='int32').dtype
    nd.empty((2,), ctx=mx.cpu(1)).context
    nd.empty((2, 3), mx.cpu(1), 'float64').dtype
    nd.zeros_like(nd.array([1, 2], dtype='int32'))
    nd.ones_like(nd.array([1, 2], dtype='float64', ctx=mx.cpu(1)))
    nd.full_like(nd.array([1, 2]), 3)
    nd.array([1, 2]).zeros_like()
    nd.array([1, 2]).ones_like()
    nd.zeros_like(3)
    """,
)

RANGES = lines(
    "package_helpers",
    """
    nd.arange(5)
    nd.arange(0)
    nd.arange(2, 5)
    nd.arange(2, 5, 2)
    nd.arange(5, 2, -1)
    nd.arange(5, 2)
    nd.arange(2, None)
    nd.arange(0, 1, 0.25)
    nd.arange(0.5, 3)
    nd.arange(3, repeat=2)
    nd.arange(1, 3, repeat=3)
    nd.arange(0, 3, 1, 2)
    nd.arange(3, dtype='int32')
    nd.arange(0.5, 3.5, dtype='int32')
    nd.arange(3, dtype='float64', ctx=mx.cpu(1))
    nd.arange(3, dtype='float16')
    nd.arange(3, dtype='uint8')
    nd.arange(3, dtype='int64')
    nd.arange(start=1, stop=3)
    nd.arange(3, step=0)
    nd.arange('a')
    nd.arange(-3, 0)
    nd.arange(1e3, 1e3 + 3)
    nd.arange(3, ctx=mx.cpu(1)).context
    nd.arange(2.5)
    nd.linspace(0, 1, 5)
    nd.linspace(0, 1, 5, endpoint=False)
    nd.linspace(1, 0, 3)
    nd.linspace(0, 10, 3, dtype='int32')
    nd.linspace(0, 1, 1)
    nd.linspace(0, 1, 2, True, mx.cpu(1), 'float64')
    nd.linspace(0, 1, 0)
    nd.linspace(0, 1, -1)
    nd.linspace(-1, 1, num=3)
    nd.eye(2)
    nd.eye(2, 3)
    nd.eye(3, 2)
    nd.eye(3, k=1)
    nd.eye(3, k=-1)
    nd.eye(2, 3, 1)
    nd.eye(2, dtype='int32')
    nd.eye(2, ctx=mx.cpu(1))
    nd.eye(N=2, M=0)
    nd.eye(2, out=nd.zeros((2, 2)))
    nd.eye(2, 3, 5)
    nd.eye(0)
    nd.eye(-1)
    """,
)

EVERY_DTYPE = named(
    "package_helpers",
    {
        f"{function} {dtype}": expression.format(dtype=dtype)
        for dtype in DTYPES
        for function, expression in {
            "array": "nd.array([0, 1, 2.5], dtype='{dtype}')",
            "zeros": "nd.zeros((2,), dtype='{dtype}')",
            "ones": "nd.ones((2,), dtype='{dtype}')",
            "full": "nd.full((2,), 3, dtype='{dtype}')",
            "from numpy": "nd.array(np.array([0, 1, 2], dtype='{dtype}'))",
            "copy of array": "nd.array(nd.array([0, 1, 2], dtype='{dtype}'))",
            "dtype": "nd.zeros((1,), dtype='{dtype}').dtype",
            "asnumpy": "nd.array([1, 0], dtype='{dtype}').asnumpy()",
            "asscalar": "nd.array([1], dtype='{dtype}').asscalar()",
            "to float32": "nd.array([0, 1, 2], dtype='{dtype}').astype('float32')",
            "to int32": "nd.array([0, 1.7, 2], dtype='{dtype}').astype('int32')",
            "to int8": "nd.array([0, 1.7, 2], dtype='{dtype}').astype(np.int8)",
            "to float64": "nd.array([0, 1.7, 2], dtype='{dtype}').astype('float64')",
            "to bool": "nd.array([0, 1.7, 2], dtype='{dtype}').astype('bool')",
            "copy": "nd.array([0, 1], dtype='{dtype}').copy()",
            "slice": "nd.array([0, 1, 2], dtype='{dtype}')[1:]",
            "element": "nd.array([0, 1, 2], dtype='{dtype}')[1]",
            "reshape": "nd.array([0, 1, 2, 3], dtype='{dtype}').reshape((2, 2))",
            "sum": "nd.array([1, 1, 0], dtype='{dtype}').sum()",
            "max": "nd.array([1, 1, 0], dtype='{dtype}').max()",
            "bool()": "bool(nd.array([1], dtype='{dtype}'))",
        }.items()
    },
)

PROGRAMS = {**ARRAY, **FILLED, **RANGES, **EVERY_DTYPE}
