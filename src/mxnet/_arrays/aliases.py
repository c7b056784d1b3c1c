"""Which tensors lie on the same memory, so that results can be given memory of their own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from operator import is_

from torch import Tensor

_MANY = 16
"""Tensors that are compared without a loop in Python, such as the parameters of a network."""


class OwnedResults(list[Tensor]):
    """Results of which it is known that each has memory of its own, apart from all inputs."""


def shares_base(result: Tensor, tensors: Sequence[Tensor | None]) -> bool:
    """Returns whether a result is one of some tensors, or a view of the same tensor as one.

    It goes by what torch notes of views, which takes no time, and so misses what `detach` made.
    """
    is_view = result._is_view()
    base = result._base if is_view else result
    if not is_view and len(tensors) > _MANY:
        return any(map(is_, tensors, repeat(base)))
    for item in tensors:  # a generator takes longer than all the rest
        if item is base or (is_view and item is not None and item._base is base):
            return True
    return False


def unshare_results(results: Sequence[Tensor], lent: Sequence[Tensor]) -> list[Tensor]:
    """Returns results that lie neither on the memory of lent tensors nor on that of each other.

    Args:
        results: What was computed; it is copied where need be.
        lent: Tensors that others will go on using.
    """
    taken = {item.untyped_storage()._cdata for item in lent}
    owned = []
    for result in results:
        storage = result.untyped_storage()._cdata
        owned.append(result.clone() if storage in taken else result)
        taken.add(storage)
    return owned


def unshare_source(source: Tensor, target: Tensor) -> Tensor:
    """Returns what is to be written to a target, copied if both lie on the same memory.

    Addresses are compared, because a source may come from outside of torch.
    """
    same = source.untyped_storage().data_ptr() == target.untyped_storage().data_ptr()
    return source.clone() if same else source
