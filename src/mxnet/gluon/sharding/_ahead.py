"""Gathering parameters while the block before them computes."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from torch import Tensor

from mxnet.gluon.sharding._group import Exchange, Group
from mxnet.ndarray import NDArray


class Bundle:
    """A group with the arrays that hold this rank's rows.

    Args:
        group: How its parameters are exchanged.
        parameters: The parameters, whose `_data` has the rows.
    """

    def __init__(self, group: Group, parameters: Sequence[Any]) -> None:
        self.group = group
        self._parameters = list(parameters)

    def arrays(self) -> list[NDArray]:
        """Returns the arrays with the rows of this rank."""
        return [parameter._data[0] for parameter in self._parameters]

    def begin(self) -> Exchange:
        """Begins to gather the whole parameters."""
        return self.group.begin([array._plain for array in self.arrays()])


class Ahead:
    """Gathers bundles, each while the block before computes, in the order of the last pass.

    All ranks gather the same bundles in the same order, so that they also begin the same early.
    Where a pass differs from the last one with the same beginning, what was begun is waited for and
    dropped, on all ranks, and nothing more is begun. Nothing is begun across passes, between which
    the trainer changes the rows.
    """

    def __init__(self) -> None:
        self._orders: weakref.WeakKeyDictionary[Bundle, list[weakref.ref[Bundle]]]
        self._orders = weakref.WeakKeyDictionary()
        """What passes gathered, by the bundle that they began with."""
        self._pass: Any = None
        self._order: list[weakref.ref[Bundle]] = []
        """What the pass has gathered."""
        self._expected: list[weakref.ref[Bundle]] = []
        """What the last pass gathered, empty once this one differs."""
        self._begun: tuple[Bundle, Exchange] | None = None

    def gather(self, bundle: Bundle, number: Any) -> list[Tensor]:
        """Returns the whole parameters of a bundle, and begins to gather those of the next.

        Args:
            bundle: The bundle.
            number: What tells the pass from others.
        """
        if number != self._pass:
            self.end()
            self._pass, self._expected = number, self._orders.get(bundle, [])
        self._order.append(weakref.ref(bundle))
        wholes = self._take(bundle)
        place = len(self._order)
        if place > len(self._expected) or self._expected[place - 1]() is not bundle:
            self._expected = []
        coming = self._expected[place]() if place < len(self._expected) else None
        if coming is not None:
            self._begun = coming, coming.begin()
        return wholes

    def _take(self, bundle: Bundle) -> list[Tensor]:
        begun, self._begun = self._begun, None
        wholes = None if begun is None else begun[1].finish()
        if wholes is None or begun is None or begun[0] is not bundle:
            wholes = bundle.begin().finish()
        return wholes

    def end(self, waits: bool = True) -> None:
        """Ends a pass.

        Args:
            waits: Whether to wait for what was begun; not after an error, of which other ranks may
                know nothing.
        """
        begun, self._begun = self._begun, None
        first = self._order[0]() if self._order else None
        if first is not None and waits:
            self._orders[first] = self._order
        self._pass, self._order, self._expected = None, [], []
        if begun is not None and waits:
            begun[1].finish()
