"""Polynomials, differences of neighbours, and what NumPy had for interest.

A polynomial is the vector of its coefficients, that of the highest power first. Most of the
functions are no operators: NumPy computes them.
"""

from __future__ import annotations

from typing import Any

from mxnet._np_functions.table import Operators, by_numpy, np_function
from mxnet.errors import ArgumentValueError, UnsupportedTypeError


@np_function()
def diff(
    F: Operators, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    """Subtracts from each element the one before it along an axis.

    Args:
        F: Operators of the frontend.
        a: The array.
        n: How many times that is done.
        axis: The axis.
        prepend: Not supported.
        append: Not supported.

    Example:
        >>> import mxnet as mx
        >>> mx.np.diff(mx.np.array([1, 4, 9, 16]))
        array([3., 5., 7.])
        >>> mx.np.diff(mx.np.array([1, 4, 9, 16]), n=2)
        array([2., 2.])
    """
    if prepend is not None or append is not None:
        raise ArgumentValueError(
            "diff: prepend and append are not supported; join the arrays first"
        )
    return F._npi_diff(a, n=n, axis=axis)


@np_function()
def ediff1d(F: Operators, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Subtracts from each element of the flattened array the one before it.

    Args:
        F: Operators of the frontend.
        ary: The array.
        to_end: Array or number that stands behind the differences.
        to_begin: Array or number that stands before the differences.

    Example:
        >>> import mxnet as mx
        >>> mx.np.ediff1d(mx.np.array([1, 4, 9]), to_begin=mx.np.array([0]))
        array([0., 3., 5.])
    """
    ends = (to_begin, to_end)
    given = [isinstance(end, F.operand) for end in ends]
    arrays = [end for end, is_array in zip(ends, given, strict=True) if is_array]
    numbers = [None if is_array else end for end, is_array in zip(ends, given, strict=True)]
    return F._npi_ediff1d(
        ary,
        *arrays,
        to_begin_arr_given=given[0],
        to_end_arr_given=given[1],
        to_begin_scalar=numbers[0],
        to_end_scalar=numbers[1],
    )


@np_function()
def polyval(F: Operators, p: Any, x: Any) -> Any:
    """Computes a polynomial at each element of an array.

    Args:
        F: Operators of the frontend.
        p: Vector of coefficients, that of the highest power first.
        x: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.np.polyval(mx.np.array([1, 0, -2]), mx.np.array([0, 1, 2]))
        array([-2., -1.,  2.])
    """
    if not isinstance(p, F.operand) or not isinstance(x, F.operand):
        raise UnsupportedTypeError(
            f"polyval: expected two arrays, got {type(p).__name__} and {type(x).__name__}"
        )
    return F._npi_polyval(p, x)


@by_numpy()
def poly(seq_of_zeros: Any) -> Any:
    """Returns the coefficients of the polynomial that has given zeros.

    Args:
        seq_of_zeros: The zeros, or a square matrix for its characteristic polynomial.

    Returns:
        Vector of coefficients, that of the highest power, which is 1, first.

    Example:
        >>> import mxnet as mx
        >>> mx.np.poly(mx.np.array([1, 2]))
        array([ 1., -3.,  2.])
    """


@by_numpy()
def roots(p: Any) -> Any:
    """Returns the zeros of a polynomial; arrays hold them if all of them are real.

    Args:
        p: Vector of coefficients, that of the highest power first.

    Example:
        >>> import mxnet as mx
        >>> mx.np.sort(mx.np.roots(mx.np.array([1, -3, 2]))).round(3)
        array([1., 2.])
    """


@by_numpy()
def polyadd(a1: Any, a2: Any) -> Any:
    """Returns the coefficients of the sum of two polynomials.

    Args:
        a1: Coefficients of one, that of the highest power first.
        a2: Coefficients of the other one.

    Example:
        >>> import mxnet as mx
        >>> mx.np.polyadd(mx.np.array([1, 2]), mx.np.array([3, 0, 5]))
        array([3., 1., 7.])
    """


@by_numpy()
def polysub(a1: Any, a2: Any) -> Any:
    """Returns the coefficients of the difference of two polynomials.

    Args:
        a1: Coefficients of the first, that of the highest power first.
        a2: Coefficients of the one that is subtracted.

    Example:
        >>> import mxnet as mx
        >>> mx.np.polysub(mx.np.array([3, 0, 5]), mx.np.array([1, 2]))
        array([ 3., -1.,  3.])
    """


@by_numpy()
def polymul(a1: Any, a2: Any) -> Any:
    """Returns the coefficients of the product of two polynomials.

    Args:
        a1: Coefficients of one, that of the highest power first.
        a2: Coefficients of the other one.

    Example:
        >>> import mxnet as mx
        >>> mx.np.polymul(mx.np.array([1, -1]), mx.np.array([1, 1]))
        array([ 1.,  0., -1.])
    """


@by_numpy()
def polydiv(u: Any, v: Any) -> Any:
    """Divides polynomials and returns the coefficients of the quotient and of the remainder.

    Args:
        u: Coefficients of the dividend, that of the highest power first.
        v: Coefficients of the divisor.

    Example:
        >>> import mxnet as mx
        >>> quotient, remainder = mx.np.polydiv(mx.np.array([1, 0, 1]), mx.np.array([1, 1]))
        >>> quotient, remainder
        (array([ 1., -1.]), array([2.]))
    """


@by_numpy()
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """Returns the coefficients of the integral of a polynomial.

    Args:
        p: Coefficients, that of the highest power first.
        m: How many times to integrate.
        k: Constants of integration, zeros if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.np.polyint(mx.np.array([3, 2, 1]))
        array([1., 1., 1., 0.], dtype=float64)
    """


@by_numpy()
def polyfit(
    x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """Finds the polynomial that comes closest to points, by the least sum of squares.

    Args:
        x: First coordinates of the points.
        y: Second coordinates, or several columns of them.
        deg: Degree of the polynomial.
        rcond: Singular values below this share of the largest one count as zero.
        full: Whether to return what `linalg.lstsq` returns, too.
        w: How much each point counts.
        cov: Whether to return the covariances of the coefficients, too.

    Returns:
        Vector of `deg + 1` coefficients, that of the highest power first.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.array([0, 1, 2, 3])
        >>> mx.np.polyfit(x, 2 * x + 1, 1).round(3)
        array([2., 1.], dtype=float64)
    """


@by_numpy()
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Returns a matrix with the powers of a number in each row.

    Args:
        x: The numbers.
        N: Number of powers, by default as many as there are numbers.
        increasing: Whether powers begin at 0 instead of ending there.

    Example:
        >>> import mxnet as mx
        >>> mx.np.vander(mx.np.array([2, 3]), 3)
        array([[4., 2., 1.],
               [9., 3., 1.]], dtype=float64)
    """


@by_numpy()
def trim_zeros(filt: Any, trim: str = "fb") -> Any:
    """Removes zeros from the ends of a vector, such as one of coefficients.

    Args:
        filt: The vector.
        trim: Where: `"f"` in front, `"b"` at the back, or both.

    Example:
        >>> import mxnet as mx
        >>> mx.np.trim_zeros(mx.np.array([0, 0, 1, 0, 2, 0]))
        array([1., 0., 2.])
    """


@by_numpy()
def unwrap(p: Any, discont: Any = None, axis: int = -1) -> Any:
    """Adds whole turns to angles so that neighbours differ by at most half a turn.

    Args:
        p: Angles in radians.
        discont: Larger differences alone are changed, if it is more than half a turn.
        axis: The axis.

    Example:
        >>> import mxnet as mx
        >>> angles = mx.np.array([3, -3])
        >>> mx.np.unwrap(angles).round(2)
        array([3.  , 3.28])
    """


@by_numpy()
def npv(rate: Any, values: Any) -> Any:
    """Raises an error: NumPy has removed the net present value, and `numpy_financial` has it.

    Args:
        rate: Interest for a period.
        values: Payments at the beginning of each period.

    Example:
        >>> import mxnet as mx
        >>> payments = mx.np.array([-100, 60, 60])
        >>> (payments / 1.1 ** mx.np.arange(3)).sum().round(2)
        array(4.13)
    """


@by_numpy()
def pv(rate: Any, nper: Any, pmt: Any, fv: Any = 0, when: Any = "end") -> Any:
    """Raises an error: NumPy has removed the present value, and `numpy_financial` has it.

    Args:
        rate: Interest for a period.
        nper: Number of periods.
        pmt: Payment at the end of each.
        fv: What is left at the end.
        when: Whether payments are at the end or at the beginning of a period.

    Example:
        >>> import mxnet as mx
        >>> periods = mx.np.arange(1, 3)  # the present value of 110 and 121 at 10 percent
        >>> (mx.np.array([110, 121]) / 1.1**periods).sum().round(2)
        array(200.)
    """


@by_numpy()
def ppmt(rate: Any, per: Any, nper: Any, pv: Any, fv: Any = 0, when: Any = "end") -> Any:
    """Raises an error: NumPy has removed the payment of principal, and `numpy_financial` has it.

    Args:
        rate: Interest for a period.
        per: The period.
        nper: Number of periods.
        pv: The loan.
        fv: What is left at the end.
        when: Whether payments are at the end or at the beginning of a period.

    Example:
        >>> import mxnet as mx
        >>> rate, periods, loan = 0.1, 2, 210
        >>> payment = loan * rate / (1 - (1 + rate) ** -periods)
        >>> paid_back = mx.np.array([payment - loan * rate, (payment - loan * rate) * (1 + rate)])
        >>> paid_back.round(1)
        array([100., 110.])
    """


@by_numpy()
def rate(
    nper: Any, pmt: Any, pv: Any, fv: Any, when: Any = "end", guess: Any = None, tol: Any = None
) -> Any:
    """Raises an error: NumPy has removed the rate of interest, and `numpy_financial` has it.

    Args:
        nper: Number of periods.
        pmt: Payment in each.
        pv: Value at the beginning.
        fv: Value at the end.
        when: Whether payments are at the end or at the beginning of a period.
        guess: Where to start from.
        tol: How exact to be.

    Example:
        >>> import mxnet as mx
        >>> periods, first, last = 2, 100, 121
        >>> mx.np.array((last / first) ** (1 / periods) - 1).round(3)
        array(0.1)
    """


@by_numpy()
def mirr(values: Any, finance_rate: Any, reinvest_rate: Any) -> Any:
    """Raises an error: NumPy has removed the rate of return, and `numpy_financial` has it.

    Args:
        values: Payments, at least one of them negative and one positive.
        finance_rate: Interest on what is paid.
        reinvest_rate: Interest on what is received.

    Example:
        >>> import mxnet as mx
        >>> received = mx.np.array([60, 60]) * 1.1 ** mx.np.array([1, 0])
        >>> ((received.sum() / 100) ** (1 / 2) - 1).round(3)
        array(0.122)
    """
