"""How arrays print."""

from __future__ import annotations

import contextlib
import io

import numpy as np
from mxnet import autograd, nd

from .core import functions, lines, named
from .printing_helpers import matrix

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


def printed():
    b = io.StringIO()
    with contextlib.redirect_stdout(b):
        print(nd.array([1, 2]), nd.ones((1, 1)))
    return b.getvalue()


def print_options():
    with np.printoptions(precision=2, suppress=True):
        r = str(nd.array([1 / 3, 1e-05]))
    return r


def print_with_gradient():
    x = nd.array([1])
    x.attach_grad()
    return (str(x), str(x.grad))


def print_while_recording():
    x = nd.array([1])
    x.attach_grad()
    with autograd.record():
        r = str(x * 2)
    return r


PROGRAMS = {
    **named(
        "package_helpers",
        {
            **{
                f"shape {shape}": f"str(nd.arange(int(np.prod({shape}))).reshape({shape}))"
                for shape in SHAPES
            },
            **{
                f"{dtype} {shape}": f"repr(nd.ones({shape}, dtype='{dtype}'))"
                for dtype in DTYPES
                for shape in ((1,), (2, 2))
            },
            **{
                f"{dtype} {name}": f"repr(nd.array({values}, dtype='{dtype}'))"
                for dtype in ("float16", "float32", "float64")
                for name, values in VALUES.items()
            },
        },
    ),
    **lines(
        matrix,
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
    **functions(globals()),
}
