"""Transformations of variables, with the logarithms of their derivatives, and domain maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any, TypeAlias

from mxnet.errors import UnsupportedTypeError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._constraints import (
    Constraint,
    GreaterThan,
    GreaterThanEq,
    HalfOpenInterval,
    Interval,
    LessThan,
    LessThanEq,
    OpenInterval,
    Positive,
    Real,
    Simplex,
)
from mxnet.gluon.probability._utils import Values, np, npx, sum_right_most


class Transformation:
    """A function of a variable, which most often has an inverse.

    A subclass defines `_forward_compute(x)`, `_inverse_compute(y)` and `log_det_jacobian(x, y)`.

    Attributes:
        bijective: Whether it has an inverse.
        event_dim: The number of last axes that it transforms together; 0 for one of elements.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> class Double(mgp.Transformation):
        ...     bijective = True
        ...     sign = 1
        ...     def _forward_compute(self, x):
        ...         return 2 * x
        ...     def _inverse_compute(self, y):
        ...         return y / 2
        ...     def log_det_jacobian(self, x, y):
        ...         return mx.np.full_like(x, 0.6931472)
        >>> double = Double()
        >>> print(double(mx.np.ones(2)), double.inv(mx.np.ones(2)))
        [2. 2.] [0.5 0.5]
    """

    bijective: Any = False
    event_dim: Any = 0

    @property
    def sign(self) -> Values:
        """The sign of the derivative."""
        raise NotImplementedError(f"{type(self).__name__} has no sign")

    @property
    def inv(self) -> Transformation:
        """The inverse, whose own inverse is this transformation."""
        return _InverseTransformation(self)

    def __call__(self, x: Values) -> Values:
        return self._forward_compute(x)

    def _forward_compute(self, x: Values) -> Values:
        raise NotImplementedError(f"{type(self).__name__} does not define `_forward_compute`")

    def _inverse_compute(self, y: Values) -> Values:
        raise NotImplementedError(f"{type(self).__name__} has no inverse")

    def log_det_jacobian(self, x: Values, y: Values) -> Values:
        """Returns the logarithm of the absolute determinant of the derivative.

        Args:
            x: What is transformed.
            y: What becomes of it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no log_det_jacobian")


class _InverseTransformation(Transformation):
    """The inverse of a transformation."""

    def __init__(self, forward: Transformation) -> None:
        super().__init__()
        self._forward = forward
        self.bijective = forward.bijective
        self.event_dim = forward.event_dim

    @property
    def sign(self) -> Values:
        return self._forward.sign

    @property
    def inv(self) -> Transformation:
        return self._forward

    def _forward_compute(self, x: Values) -> Values:
        return self._forward._inverse_compute(x)

    def _inverse_compute(self, y: Values) -> Values:
        return self._forward(y)

    def log_det_jacobian(self, x: Values, y: Values) -> Values:
        return -self._forward.log_det_jacobian(y, x)


class TransformBlock(Transformation, HybridBlock):
    """A transformation with parameters that are learned, as normalizing flows have them.

    It is a block whose call transforms. Networks that it is set on as an attribute, or registered
    with, have its parameters.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> from mxnet.gluon import probability as mgp
        >>> class Scale(mgp.TransformBlock):
        ...     bijective = True
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.log_scale = gluon.Parameter(shape=(1,), init="zeros")
        ...     def _forward_compute(self, x):
        ...         return x * mx.np.exp(self.log_scale.data())
        >>> with mx.np_array(True):
        ...     scale = Scale()
        ...     scale.initialize()
        ...     print(scale(mx.np.ones(2)))
        [1. 1.]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        HybridBlock.__init__(self, *args, **kwargs)

    __call__ = HybridBlock.__call__

    def forward(self, x: Values) -> Values:
        """Transforms a variable."""
        return self._forward_compute(x)


class ComposeTransform(Transformation):
    """Transformations one after the other.

    Args:
        parts: The transformations, the first of which is applied first.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> composed = mgp.ComposeTransform([mgp.ExpTransform(), mgp.AffineTransform(1, 2)])
        >>> print(composed(mx.np.zeros(1)))
        [3.]
    """

    def __init__(self, parts: Sequence[Transformation]) -> None:
        super().__init__()
        self._parts = parts
        self.bijective = all(part.bijective for part in parts)
        self.event_dim = max((part.event_dim for part in parts), default=0)

    @property
    def sign(self) -> Values:
        """The product of the signs."""
        sign: Values = 1
        for part in self._parts:
            sign = sign * part.sign
        return sign

    def _forward_compute(self, x: Values) -> Values:
        for part in self._parts:
            x = part(x)
        return x

    def _inverse_compute(self, y: Values) -> Values:
        for part in reversed(self._parts):
            y = part.inv(y)
        return y

    def log_det_jacobian(self, x: Values, y: Values) -> Values:
        """Returns the sum of the logarithms; see `Transformation.log_det_jacobian`."""
        if not self._parts:
            return np.zeros_like(x)
        total: Values = 0
        for number, part in enumerate(self._parts, 1):
            result = y if number == len(self._parts) else part(x)
            logs = part.log_det_jacobian(x, result)
            total = total + sum_right_most(logs, self.event_dim - part.event_dim)
            x = result
        return total


class ExpTransform(Transformation):
    """`y = exp(x)`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.ExpTransform().inv(mx.np.ones(2)))
        [0. 0.]
    """

    bijective = True
    sign = 1

    def _forward_compute(self, x: Values) -> Values:
        return utils.exp(x)

    def _inverse_compute(self, y: Values) -> Values:
        return utils.log(y)

    def log_det_jacobian(self, x: Values, y: Values) -> Values:
        """Returns `x`."""
        del y
        return x


class AffineTransform(Transformation):
    """`y = loc + scale * x`, element by element.

    Args:
        loc: What is added.
        scale: What is multiplied with.
        event_dim: The number of last axes over which logarithms of derivatives are added up.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.AffineTransform(1, -2)(mx.np.ones(2)))
        [-1. -1.]
    """

    bijective = True

    def __init__(self, loc: Values, scale: Values, event_dim: int = 0) -> None:
        super().__init__()
        self._loc = loc
        self._scale = scale
        self.event_dim = event_dim

    @property
    def sign(self) -> Values:
        """The sign of the scale."""
        return utils.sign(self._scale)

    def _forward_compute(self, x: Values) -> Values:
        return self._loc + self._scale * x

    def _inverse_compute(self, y: Values) -> Values:
        return (y - self._loc) / self._scale

    def log_det_jacobian(self, x: Values, y: Values) -> Values:
        """Returns the logarithm of the absolute scale; see `Transformation.log_det_jacobian`."""
        del y
        logs = np.zeros_like(x) + utils.log(utils.absolute(self._scale))
        return sum_right_most(logs, self.event_dim)


class PowerTransform(Transformation):
    """`y = x ** exponent`, of positive elements.

    Args:
        exponent: The exponent.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.PowerTransform(2).inv(mx.np.array([4.0, 9.0])))
        [2. 3.]
    """

    bijective = True
    sign = 1

    def __init__(self, exponent: Values) -> None:
        super().__init__()
        self._exponent = exponent

    def _forward_compute(self, x: Values) -> Values:
        return x**self._exponent

    def _inverse_compute(self, y: Values) -> Values:
        return y ** (1 / self._exponent)

    def log_det_jacobian(self, x: Values, y: Values) -> Values:
        """Returns `log(exponent * y / x)`; see `Transformation.log_det_jacobian`."""
        return utils.log(utils.absolute(self._exponent * y / x))


class SigmoidTransform(Transformation):
    """`y = 1 / (1 + exp(-x))`; results keep a little away from zero and one.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.SigmoidTransform()(mx.np.zeros(2)))
        [0.5 0.5]
    """

    bijective = True
    sign = 1

    def _forward_compute(self, x: Values) -> Values:
        return utils.clip_probability(utils.logit2prob(x))

    def _inverse_compute(self, y: Values) -> Values:
        return utils.prob2logit(y)

    def log_det_jacobian(self, x: Values, y: Values) -> Values:
        """Returns `log(y * (1 - y))`; see `Transformation.log_det_jacobian`."""
        del y
        return -utils.softplus(-x) - utils.softplus(x)


class SoftmaxTransform(Transformation):
    """Softmax along the last axis; it has no inverse, but `inv` finds what leads to a result.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.SoftmaxTransform()(mx.np.zeros(4)))
        [0.25 0.25 0.25 0.25]
    """

    event_dim = 1

    def _forward_compute(self, x: Values) -> Values:
        return npx.softmax(x, axis=-1)

    def _inverse_compute(self, y: Values) -> Values:
        return utils.log(y)


class AbsTransform(Transformation):
    """`y = |x|`; it has no inverse, but `inv` finds what leads to a result.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.AbsTransform()(mx.np.array([-2.0, 3.0])))
        [2. 3.]
    """

    def _forward_compute(self, x: Values) -> Values:
        return utils.absolute(x)

    def _inverse_compute(self, y: Values) -> Values:
        return y


Factory: TypeAlias = Callable[[Any], Transformation]
"""Makes the transformation of a constraint."""


class domain_map:  # noqa: N801 - the original's name
    """Finds transformations that lead from all numbers to those of a constraint.

    Calls with a constraint return a transformation; `biject_to` and `transform_to` are such maps.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> transformation = mgp.biject_to(mgp.constraint.GreaterThan(2))
        >>> print(transformation(mx.np.zeros(2)))
        [3. 3.]
    """

    def __init__(self) -> None:
        self._factories: dict[type[Constraint], Factory] = {}

    def register(
        self, constraint: type[Constraint] | Constraint, factory: Factory | None = None
    ) -> Any:
        """Registers what makes the transformation of a kind of constraint.

        Args:
            constraint: A class of constraints, or an instance of it.
            factory: Takes a constraint and returns a transformation. Without one, `register` is a
                decorator.

        Raises:
            TypeError: if it is not a constraint.
        """
        if factory is None:
            return lambda function: self.register(constraint, function)
        kind = constraint if isinstance(constraint, type) else type(constraint)
        if not issubclass(kind, Constraint):
            raise UnsupportedTypeError(
                f"expected a constraint or a class of constraints, got {constraint!r}"
            )
        self._factories[kind] = factory
        return factory

    def __call__(self, constraint: Constraint) -> Transformation:
        for kind in type(constraint).__mro__:
            if kind in self._factories:
                return self._factories[kind](constraint)
        raise NotImplementedError(
            f"no transformation leads to {type(constraint).__name__}; `register` adds one"
        )


biject_to = domain_map()
transform_to = domain_map()


def _to_real(_: Real) -> Transformation:
    return ComposeTransform([])


def _to_positive(_: Positive) -> Transformation:
    return ExpTransform()


def _to_greater(constraint: GreaterThanEq) -> Transformation:
    return ComposeTransform([ExpTransform(), AffineTransform(constraint._lower_bound, 1)])


def _to_less(constraint: LessThanEq) -> Transformation:
    return ComposeTransform([ExpTransform(), AffineTransform(constraint._upper_bound, -1)])


def _to_interval(constraint: Interval) -> Transformation:
    lower, upper = constraint._lower_bound, constraint._upper_bound
    are_numbers = isinstance(lower, Number) and isinstance(upper, Number)
    if are_numbers and (lower, upper) == (0, 1):
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(lower, upper - lower)])


def _to_simplex(_: Simplex) -> Transformation:
    return SoftmaxTransform()


_FACTORIES: dict[type[Constraint], Factory] = {
    Real: _to_real,
    Positive: _to_positive,
    GreaterThan: _to_greater,
    GreaterThanEq: _to_greater,
    LessThan: _to_less,
    LessThanEq: _to_less,
    Interval: _to_interval,
    OpenInterval: _to_interval,
    HalfOpenInterval: _to_interval,
}
for _kind, _factory in _FACTORIES.items():
    biject_to.register(_kind, _factory)
    transform_to.register(_kind, _factory)
transform_to.register(Simplex, _to_simplex)
