"""The arrays of a parameter, one for each context, which programs may replace by others.

Programs reach them as `parameter._data` and `parameter._grad`. Code that keeps arrays of parameters
learns by `replacements` that it must read them again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, count
from operator import attrgetter, is_
from typing import Any

from mxnet.ndarray import NDArray


class Replacements:
    """Numbers the times at which a parameter got other arrays, or lost those it had.

    Code that keeps arrays of parameters reads `count` before it reads them; while that is the same,
    they are up to date. To ask hundreds of parameters in each call would take a tenth of a small
    step.
    """

    def __init__(self) -> None:
        self.count = 0
        """Number of the last replacement."""
        self.numbers = count(1)
        """Numbers to come, of which no two threads get the same."""

    def note(self) -> None:
        """Notes that a parameter has other arrays now."""
        self.count = next(self.numbers)


replacements = Replacements()


class Replicas(list[NDArray]):
    """A list of arrays that notes each change of it.

    To programs it is the list that parameters of the original have: it prints as one, and copies
    and pickles of it are plain lists.
    """

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[NDArray]]]:
        return list, ([*self],)

    def __reduce_ex__(self, protocol: Any) -> tuple[type[list[Any]], tuple[list[NDArray]]]:
        del protocol
        return self.__reduce__()


def _noting(method: Callable[..., Any]) -> Callable[..., Any]:
    def change(self: Replicas, *args: Any, **options: Any) -> Any:
        result = method(self, *args, **options)
        replacements.note()  # last: readers of the number find the change
        return result

    return change


for _name in (
    *("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "extend", "insert"),
    *("pop", "remove", "clear", "sort", "reverse"),
):
    setattr(Replicas, _name, _noting(getattr(list, _name)))
Replicas.__name__, Replicas.__qualname__, Replicas.__module__ = "list", "list", "builtins"


def replicas_in(attribute: str) -> Any:
    """Makes the property by which programs read and replace the arrays of a parameter.

    Args:
        attribute: Attribute that holds them, for code that is called often.
    """

    def replace(parameter: Any, arrays: list[NDArray] | None) -> None:
        is_kept = arrays is None or type(arrays) is Replicas  # parameters may share a list
        setattr(parameter, attribute, arrays if is_kept else Replicas(arrays or ()))
        replacements.note()

    return property(attrgetter(attribute), replace)


class ArraysOf:
    """The arrays that parameters have now, to find out later whether they still have them.

    Args:
        parameters: The parameters.
    """

    def __init__(self, parameters: Sequence[Any]) -> None:
        self._parameters = parameters
        self.count = replacements.count
        """Number of the last replacement after which they were seen."""
        self._arrays = self._list()

    def _list(self) -> list[NDArray | None]:
        """Lists values and gradients, None in place of those that a parameter does not have."""
        lists = [(item._arrays, item._gradient_arrays) for item in self._parameters]
        return [*chain.from_iterable(arrays or (None,) for arrays in chain.from_iterable(lists))]

    def are_current(self) -> bool:
        """Returns whether no parameter has other arrays, or a gradient where it had none."""
        count = replacements.count
        if count == self.count:
            return True
        arrays = self._list()
        if len(arrays) != len(self._arrays) or not all(map(is_, arrays, self._arrays)):
            return False
        self.count = count
        return True
