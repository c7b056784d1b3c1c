"""How arrays print."""

from .core import of

SHAPES = ((1,), (3,), (2, 3), (1, 1), (2, 1, 3), (1, 1, 1, 1), (2, 2, 2, 2), (12,), (40,), (3, 30))
DTYPES = ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")
VALUES = {
    "small": "[1, 2, 3]",
    "fractions": "[0.1, 0.25, 1 / 3]",
    "magnitudes": "[1e10, 1e-5, 3]",
    "large": "[123456789, 2, 3]",
    "tiny": "[1e-10, 1e-12]",
    "negative": "[-1, 2.5, -3]",
    "special": "[float('nan'), float('inf'), -float('inf')]",
    "half": "[0.5]",
    "zeros": "[0, -0.0]",
    "digits": "[3.14159265358979, 2.718281828]",
}

PROGRAMS = {
    **{
        f"shape {shape}": f"n = int(np.prod({shape}))\nr = str(nd.arange(n).reshape({shape}))"
        for shape in SHAPES
    },
    **{
        f"{dtype} {shape}": f"r = repr(nd.ones({shape}, dtype='{dtype}'))"
        for dtype in DTYPES
        for shape in ((1,), (2, 2))
    },
    **{
        f"{dtype} {name}": f"r = repr(nd.array({values}, dtype='{dtype}'))"
        for dtype in ("float16", "float32", "float64")
        for name, values in VALUES.items()
    },
    **of(
        "x = nd.array([[1, 2], [3, 4]])",
        """
        str(x)
        repr(x)
        str(x) == repr(x)
        f'{x}'
        '%s' % x
        '{}'.format(x)
        repr([x])
        repr((x, x))
        repr({'a': x})
        str(x.copyto(mx.cpu(1)))
        str(x.copyto(mx.cpu_pinned()))
        str(x[0])
        str(x[0, 0])
        str(x > 1)
        str(x.astype('bool'))
        str(x.T)
        str(x.grad)
        str(nd.zeros((1000,)))
        str(nd.zeros((1001,)))
        str(nd.zeros((2000, 2)))
        str(nd.zeros((1, 3000)))
        str(nd.array([1.0]))
        str(nd.array([100000.5]))
        str(nd.array([1e8]))
        str(nd.array([123456.789, 0.001]))
        str(nd.array([1, 2], dtype='int64'))
        str(nd.array([-1, 200], dtype='int32'))
        str(nd.array([]))
        str(nd.array([[]]))
        str(nd.array([1, 2]) == 1)
        str(x.sum())
        str(x.mean(axis=0))
        str(nd.array(3))
        """,
    ),
    "print": (
        "import contextlib, io\nb = io.StringIO()\n"
        "with contextlib.redirect_stdout(b):\n    print(nd.array([1, 2]), nd.ones((1, 1)))\n"
        "r = b.getvalue()"
    ),
    "print options": (
        "with np.printoptions(precision=2, suppress=True):\n    r = str(nd.array([1 / 3, 1e-5]))"
    ),
    "print with gradient": "x = nd.array([1])\nx.attach_grad()\nr = str(x), str(x.grad)",
    "print while recording": (
        "x = nd.array([1])\nx.attach_grad()\nwith autograd.record():\n    r = str(x * 2)"
    ),
}
