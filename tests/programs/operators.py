"""Python's operators on arrays of every dtype with arrays and numbers on either side."""

from __future__ import annotations

from functools import partial

from .core import Program, lines, statements
from .operator_helpers import (
    arrays_of_one_element,
    floats_and_integers,
    matrix,
    matrix_with_two_names,
    negative_numbers,
    pair,
    shapes_that_broadcast,
    views,
)

DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")
SYMBOLS = ("+", "-", "*", "/", "%", "**", "==", "!=", "<", "<=", ">", ">=")
NUMBERS = ("2", "2.5", "True", "np.float32(2)")
CHANGES = ("+=", "-=", "*=", "/=", "%=", "**=")


def _arithmetic(dtype: str) -> dict[str, Program]:
    operands = partial(pair, dtype)
    expressions = []
    for symbol in SYMBOLS:
        expressions.append(f"x {symbol} y")
        for number in NUMBERS:
            expressions += [f"x {symbol} {number}", f"{number} {symbol} x"]
    changes = [f"x {symbol} {value}" for symbol in CHANGES for value in ("y", "2", "2.5")]
    unary = ("-x", "abs(x)", "abs(-x)", "x == x", "x != x")
    return {
        **lines(operands, "\n".join(expressions), f"{dtype} "),
        **statements(operands, "\n".join(changes), "(z is x, x, z)", f"{dtype} "),
        **lines(operands, "\n".join(unary), f"{dtype} "),
    }


NEGATIVE = lines(
    negative_numbers,
    """
    x % 3
    x % -3
    i % 3
    i % -3
    3 % x
    3 % i
    x / 0
    i / 2
    1 / x
    1 / i
    x ** 2
    i ** 2
    x ** 0.5
    x ** -1
    i ** -1
    (-2) ** x
    2 ** i
    x % 0
    x * float('inf')
    x + float('nan')
    x == float('nan')
    i + 0.5
    i - 0.5
    i * 0.5
    i + 2**31
    i == 7.5
    i > 6.5
    x % nd.array([3, -3, 3, -3])
    i % nd.array([3, -3, 3, -3], dtype='int32')
    x / nd.array([0, 2, 0, 0])
    -i
    abs(i)
    """,
    title="negative: ",
)

MIXED = lines(
    floats_and_integers,
    """
    x + i
    i + x
    x == i
    x < i
    x * x.astype('float64')
    x + x.astype('float16')
    i + i.astype('int64')
    i + i.astype('uint8')
    x + nd.ones((3,), ctx=mx.cpu(1))
    x + np.array([1, 2, 3])
    x * np.array([1, 2, 3], dtype='float32')
    x == np.array([1, 2, 3])
    np.float64(2) * x
    np.int32(2) + x
    np.bool_(True) + x
    x + np.bool_(True)
    x + np.int64(2)
    x + np.float16(2)
    x + np.array(2.0)
    x + [1, 2, 3]
    x + (1, 2, 3)
    x + 'a'
    'a' + x
    x + None
    x + 1j
    None == x
    x == None
    x != None
    x == 'a'
    x != 'a'
    x < None
    x == [1, 2, 3]
    x - object()
    [1, 2] + x
    x.__add__(1)
    x.__radd__(1)
    x.__truediv__(2)
    x.__rtruediv__(2)
    x.__div__(2)
    x.__rdiv__(2)
    x.__mod__(2)
    x.__rmod__(2)
    x.__pow__(2)
    x.__rpow__(2)
    x.__rsub__(2)
    x.__rmul__(2)
    x.__neg__()
    x.__eq__(1)
    x.__lt__(2)
    x + 10**400
    x + 10**30
    """,
    title="mixed: ",
)

BROADCAST = lines(
    shapes_that_broadcast,
    """
    a + b
    b + a
    a * c
    c * a
    b + c
    a - c
    a / (c + 1)
    a > b
    a == c
    a ** c
    a % (b + 1)
    a + nd.array([1, 2])
    a + nd.ones((3, 2))
    a + nd.ones((1, 1, 1))
    a + nd.ones((2, 1, 3))
    a + nd.ones((1,))
    nd.ones((1,)) * a
    a < nd.ones((4,))
    nd.ones((3, 1)) + nd.ones((1, 3))
    """,
    title="broadcast: ",
)

UNSUPPORTED = lines(
    matrix,
    """
    x // 2
    2 // x
    x @ x
    ~x
    ~i
    +x
    x & x
    i & i
    x | 1
    i ^ i
    x << 1
    x >> 1
    divmod(x, 2)
    pow(x, 2)
    pow(2, x)
    pow(x, 2, 3)
    round(x)
    complex(x)
    x()
    not x
    x and 1
    x or 1
    int(x)
    float(x)
    x < x < x
    sum(x)
    max(x)
    sorted(x)
    max(x[0])
    min(x[0])
    sorted(nd.array([3, 1, 2]))
    sum(nd.array([3, 1, 2]))
    all(nd.array([3, 1, 2]))
    any(nd.array([0, 0]))
    any(nd.array([0, 1]))
    """,
    title="matrix: ",
)

IN_PLACE = statements(
    matrix_with_two_names,
    """
    x += nd.ones((2,))
    x += nd.ones((2, 1))
    x += nd.ones((1,))
    x += nd.ones((3, 2, 2))
    x += nd.ones((1, 2, 2))
    x += nd.ones((3,))
    x += nd.ones((2, 2), dtype='int32')
    x += x
    x -= x
    x *= x
    x /= x
    x %= x
    x += np.ones((2, 2))
    x += np.float32(1)
    x += np.array(1)
    x += True
    x += None
    x += 'a'
    x += [1]
    x -= 'a'
    x *= None
    x /= 'a'
    x @= x
    x //= 2
    x &= 1
    x |= 1
    x **= 2
    x **= x
    x <<= 1
    x = -x
    x[0] += 1
    x[:, 0] += 1
    x[0, 1] *= 10
    x[0:1] -= 5
    x[[1]] /= 2
    x += x[0]
    x *= x[:, 0:1]
    x[0] += x[1]
    """,
    "(x is y, x, y)",
    title="in place: ",
)

VIEWS = statements(
    views,
    """
    x += 1
    v += 1
    w *= 2
    v[:] = 9
    w[0] = 9
    c += 1
    v[1] = -1
    x[:] = 0
    v -= x[1]
    x = x + 1
    v[0:2] += w[0]
    """,
    "(x, v, w, c)",
    title="views: ",
)

PROTOCOLS = lines(
    arrays_of_one_element,
    """
    len(x)
    len(one)
    len(nd.zeros((4, 1)))
    list(x)
    list(one)
    list(x[0])
    [row.shape for row in x]
    [v.asscalar() for v in x[0]]
    list(iter(x))
    list(reversed(x))
    list(zip(x, x))
    list(enumerate(one))
    tuple(one)
    next(iter(x))
    bool(one)
    bool(zero)
    bool(x)
    bool(nd.array([[0.5]]))
    bool(x > 0)
    bool((x > 0).min())
    not zero
    1 if one else 2
    one in [one]
    x in [x]
    one in [nd.array([3])]
    3 in one
    4 in one
    3 in x
    x is x
    hash(x) == hash(x)
    len({x, x, one})
    {x: 1}[x]
    hash(x) == hash(x.copy())
    float(one)
    int(one)
    int(nd.array([3.7]))
    int(nd.array([-3.7]))
    float(nd.array([[2.5]]))
    float(nd.array([1], dtype='int64'))
    one.asscalar()
    nd.array([[5]]).asscalar()
    x.asscalar()
    nd.array([7], dtype='int64').asscalar()
    [1, 2, 3, 4][int(one)]
    range(int(one))
    '%d' % one
    '%.2f' % one
    '{:.2f}'.format(one.asscalar())
    f'{one}'
    str(one)
    format(one)
    format(one, '.2f')
    np.array([1, 2, 3])[int(nd.array([1]))]
    dir(x) == sorted(dir(x))
    callable(x)
    isinstance(x, object)
    x.__class__.__name__
    nd.array([1, 2, 3])[::-1].asnumpy().tolist()
    abs(nd.array([-1, 2]))
    x < 3
    3 > x
    (x > 1) * (x < 4)
    (x > 1).dtype
    (x.astype('int32') > 1).dtype
    (x.astype('float64') == 1).dtype
    """,
    title="protocol: ",
)

PROGRAMS = {
    **{name: program for dtype in DTYPES for name, program in _arithmetic(dtype).items()},
    **NEGATIVE,
    **MIXED,
    **BROADCAST,
    **UNSUPPORTED,
    **IN_PLACE,
    **VIEWS,
    **PROTOCOLS,
}
