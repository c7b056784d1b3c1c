"""Random numbers on arrays of the NumPy dialect, and the seed of both dialects: `mx.npx.random`."""

from __future__ import annotations

from numbers import Integral

from mxnet._np_functions.table import NPX_RANDOM
from mxnet._start import accept_device
from mxnet._state import rng
from mxnet.context import Context
from mxnet.errors import AttributeValueError
from mxnet.numpy._operators import install

__all__ = ["seed", *install(globals(), NPX_RANDOM)]


@accept_device
def seed(seed: int, ctx: Context | str = "all") -> None:
    """Seeds the random generators, so that a program can be repeated.

    Args:
        seed: The seed.
        ctx: Context whose generator is seeded, by name also, or `"all"`.

    Example:
        >>> import mxnet as mx
        >>> mx.npx.random.seed(7)
        >>> first = mx.np.random.uniform(size=3)
        >>> mx.npx.random.seed(7)
        >>> bool((first == mx.np.random.uniform(size=3)).all())
        True
    """
    seed_contexts(seed, ctx)


def seed_contexts(number: object, ctx: Context | str) -> None:
    """Seeds the generator of one context, or those of all.

    Raises:
        AttributeValueError: if the seed is not a whole number.
    """
    if not isinstance(number, Integral):
        raise AttributeValueError(f"seed: takes an int, got {number!r}")
    if ctx == "all":
        rng.seed_all(int(number))
        return
    device = Context(ctx)
    rng.seed_one(int(number), device.device_type, device.device_id)
