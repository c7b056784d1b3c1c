"""Constraints: what values parameters and samples may have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from numbers import Number
from operator import and_
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.probability._utils import Values, constraint_check, np

_TOLERANCE = 1e-6
"""By how much the sum of probabilities in float32 may differ from one."""
_ASYMMETRY = 1e-5
"""By how much elements of a symmetric matrix may differ."""


class Constraint:
    """A set of values.

    Example:
        >>> import mxnet as mx
        >>> constraint = mx.gluon.probability.constraint.Interval(0, 1)
        >>> constraint.check(0.5)
        0.5
        >>> constraint.check(1.5)
        Traceback (most recent call last):
            ...
        mxnet.errors.ArgumentValueError: expected numbers of at least 0 and of at most 1, got 1.5
    """

    expected = "other values"
    """What values it has, for messages."""

    def check(self, value: Values) -> Values:
        """Returns values that the constraint has.

        A number that it does not have raises at once. An array with such elements gives one that
        raises when it, or what is computed from it, is read.

        Args:
            value: A number or an array.

        Raises:
            ValueError: if some are not as the constraint says.
        """
        return self.check_named(value, "")

    def check_named(self, value: Values, name: str) -> Values:
        """Checks values as `check` does, whose error begins with a name."""
        start = f"{name}: " if name else ""
        found = f", got {value}" if isinstance(value, Number) else ""
        message = f"{start}expected {self.expected}{found}"
        return constraint_check()(self._holds(value), message) * value

    def _holds(self, value: Values) -> Values:
        """Returns where values are as the constraint says."""
        raise NotImplementedError(f"{type(self).__name__} does not define `check`")


def check_parameter(constraint: Constraint, value: Values, name: str) -> Values:
    """Checks values by a constraint, which may be a program's own, with a name for the error."""
    if type(constraint).check is Constraint.check:
        return constraint.check_named(value, name)
    return constraint.check(value)


class _Dependent(Constraint):
    """What values there are depends on other values."""

    def check(self, value: Values) -> Values:
        """Raises, because only a distribution knows its constraint."""
        del value
        raise ArgumentValueError(
            "expected a constraint of a distribution, got one that depends on its parameters"
        )


class dependent_property(property, _Dependent):  # noqa: N801 - the original's name
    """A property that is a constraint; as an attribute of a class it stands for any.

    Example:
        >>> from mxnet.gluon.probability.distributions import constraint
        >>> class Above:
        ...     lower = 2
        ...     @constraint.dependent_property
        ...     def support(self):
        ...         return constraint.GreaterThan(self.lower)
        >>> constraint.is_dependent(Above.support), constraint.is_dependent(Above().support)
        (True, False)
    """


def is_dependent(constraint: Any) -> bool:
    """Returns whether a constraint depends on what a distribution is made with.

    Example:
        >>> from mxnet.gluon.probability.distributions import constraint
        >>> constraint.is_dependent(constraint.Real())
        False
    """
    return isinstance(constraint, _Dependent)


class Real(Constraint):
    """All numbers."""

    expected = "numbers, not NaN"

    def _holds(self, value: Values) -> Values:
        return value == value


class Boolean(Constraint):
    """Zero and one."""

    expected = "zeros and ones"

    def _holds(self, value: Values) -> Values:
        return (value == 0) | (value == 1)


class _Range(Constraint):
    """Numbers between bounds, either of which may be missing."""

    is_integer = False
    is_open_below = False
    is_open_above = False

    def __init__(self, lower_bound: Values = None, upper_bound: Values = None) -> None:
        super().__init__()
        self._lower_bound = lower_bound
        self._upper_bound = upper_bound

    @property
    def expected(self) -> str:  # type: ignore[override]
        """What values it has, for messages."""
        parts = []
        if self._lower_bound is not None:
            word = "above" if self.is_open_below else "of at least"
            parts.append(f"{word} {_show(self._lower_bound, 'lower')}")
        if self._upper_bound is not None:
            word = "below" if self.is_open_above else "of at most"
            parts.append(f"{word} {_show(self._upper_bound, 'upper')}")
        kind = "whole numbers" if self.is_integer else "numbers"
        return f"{kind} {' and '.join(parts)}"

    def _holds(self, value: Values) -> Values:
        lower, upper = self._lower_bound, self._upper_bound
        conditions = [value % 1 == 0] if self.is_integer else []
        if lower is not None:
            conditions.append(value > lower if self.is_open_below else value >= lower)
        if upper is not None:
            conditions.append(value < upper if self.is_open_above else value <= upper)
        return reduce(and_, conditions)


def _show(bound: Values, side: str) -> str:
    return str(bound) if isinstance(bound, Number) else f"the {side} bound"


class _Between(_Range):
    """Numbers between two bounds.

    Args:
        lower_bound: The lower one.
        upper_bound: The upper one.
    """

    def __init__(self, lower_bound: Values, upper_bound: Values) -> None:
        super().__init__(lower_bound, upper_bound)


class _Above(_Range):
    """Numbers above a bound.

    Args:
        lower_bound: The bound.
    """

    def __init__(self, lower_bound: Values) -> None:
        super().__init__(lower_bound)


class _Below(_Range):
    """Numbers below a bound.

    Args:
        upper_bound: The bound.
    """

    def __init__(self, upper_bound: Values) -> None:
        super().__init__(None, upper_bound)


class Interval(_Between):
    """Numbers in `[lower_bound, upper_bound]`."""


class OpenInterval(_Between):
    """Numbers in `(lower_bound, upper_bound)`."""

    is_open_below = is_open_above = True


class HalfOpenInterval(_Between):
    """Numbers in `[lower_bound, upper_bound)`."""

    is_open_above = True


class GreaterThan(_Above):
    """Numbers above `lower_bound`."""

    is_open_below = True


class GreaterThanEq(_Above):
    """Numbers of at least `lower_bound`."""


class LessThan(_Below):
    """Numbers below `upper_bound`."""

    is_open_above = True


class LessThanEq(_Below):
    """Numbers of at most `upper_bound`."""


class IntegerInterval(_Between):
    """Whole numbers in `[lower_bound, upper_bound]`."""

    is_integer = True


class IntegerOpenInterval(_Between):
    """Whole numbers in `(lower_bound, upper_bound)`."""

    is_integer = True
    is_open_below = is_open_above = True


class IntegerHalfOpenInterval(_Between):
    """Whole numbers in `[lower_bound, upper_bound)`."""

    is_integer = True
    is_open_above = True


class IntegerGreaterThan(_Above):
    """Whole numbers above `lower_bound`."""

    is_integer = True
    is_open_below = True


class IntegerGreaterThanEq(_Above):
    """Whole numbers of at least `lower_bound`."""

    is_integer = True


class IntegerLessThan(_Below):
    """Whole numbers below `upper_bound`."""

    is_integer = True
    is_open_above = True


class IntegerLessThanEq(_Below):
    """Whole numbers of at most `upper_bound`."""

    is_integer = True


class UnitInterval(Interval):
    """Numbers in `[0, 1]`."""

    def __init__(self) -> None:
        super().__init__(0, 1)


class Positive(GreaterThan):
    """Numbers above zero."""

    def __init__(self) -> None:
        super().__init__(0)


class NonNegative(GreaterThanEq):
    """Numbers of at least zero."""

    def __init__(self) -> None:
        super().__init__(0)


class PositiveInteger(IntegerGreaterThan):
    """Whole numbers above zero."""

    def __init__(self) -> None:
        super().__init__(0)


class NonNegativeInteger(IntegerGreaterThanEq):
    """Whole numbers of at least zero."""

    def __init__(self) -> None:
        super().__init__(0)


class Simplex(Constraint):
    """Numbers of at least zero that add up to one along the last axis."""

    expected = "numbers of at least 0 that add up to 1 along the last axis"

    def _holds(self, value: Values) -> Values:
        return np.all(value >= 0, axis=-1) & (np.abs(value.sum(-1) - 1) < _TOLERANCE)


class LowerTriangular(Constraint):
    """Matrices with zeros above the diagonal."""

    expected = "lower triangular matrices"

    def _holds(self, value: Values) -> Values:
        return np.tril(value) == value


class LowerCholesky(LowerTriangular):
    """Lower triangular matrices with numbers above zero on the diagonal."""

    expected = "lower triangular matrices with positive diagonals"

    def _holds(self, value: Values) -> Values:
        diagonal = np.diagonal(value, axis1=-2, axis2=-1)
        return np.all(super()._holds(value), axis=-1) & (diagonal > 0)


class PositiveDefinite(Constraint):
    """Symmetric matrices whose eigenvalues are above zero."""

    expected = "symmetric, positive definite matrices"

    def _holds(self, value: Values) -> Values:
        is_symmetric = np.all(np.abs(value - value.mT) < _ASYMMETRY, axis=-1)
        return is_symmetric & (np.linalg.eigvalsh(value) > 0)


class _Sequence(Constraint):
    """Constraints for the parts of an array along an axis."""

    def __init__(self, constraint_seq: Sequence[Constraint], axis: int) -> None:
        if not all(isinstance(item, Constraint) for item in constraint_seq):
            raise ArgumentValueError(
                f"{type(self).__name__}: expected constraints, got {list(constraint_seq)}"
            )
        self._constraint_seq = list(constraint_seq)
        self._axis = axis


class Cat(_Sequence):
    """Parts of an array, as `np.concatenate` joins them, each with its constraint.

    Args:
        constraint_seq: A constraint for each part.
        axis: The axis along which they are joined.
        lengths: How long each is; one by default.
    """

    def __init__(
        self,
        constraint_seq: Sequence[Constraint],
        axis: int = 0,
        lengths: Sequence[int] | None = None,
    ) -> None:
        super().__init__(constraint_seq, axis)
        self._lengths = [1] * len(self._constraint_seq) if lengths is None else list(lengths)
        if len(self._lengths) != len(self._constraint_seq):
            raise ArgumentValueError(
                f"Cat: expected a length for each of {len(self._constraint_seq)} constraints, "
                f"got {self._lengths}"
            )

    def check(self, value: Values) -> Values:
        """Returns the parts, checked and joined; see `Constraint.check`."""
        ends = [sum(self._lengths[: i + 1]) for i in range(len(self._lengths))]
        parts = np.split(value, ends, axis=self._axis)
        pairs = zip(self._constraint_seq, parts, strict=False)  # what is behind the last end
        return np.concatenate([item.check(part) for item, part in pairs], self._axis)


class Stack(_Sequence):
    """Elements of an array along an axis, as `np.stack` joins them, each with its constraint.

    Args:
        constraint_seq: A constraint for each element.
        axis: The axis.
    """

    def __init__(self, constraint_seq: Sequence[Constraint], axis: int = 0) -> None:
        super().__init__(constraint_seq, axis)

    def check(self, value: Values) -> Values:
        """Returns the elements, checked and joined; see `Constraint.check`."""
        parts = np.split(value, len(self._constraint_seq), axis=self._axis)
        checked = [
            item.check(np.squeeze(part, axis=self._axis))
            for item, part in zip(self._constraint_seq, parts, strict=True)
        ]
        return np.stack(checked, self._axis)
