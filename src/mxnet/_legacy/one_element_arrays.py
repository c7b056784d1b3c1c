"""NumPy arrays of one element that are numbers too, as all such arrays were before NumPy 2.4.

Programs print `"%f" % loss.mean().asnumpy()` and write `float(x.asnumpy())`, where the original
returns an array with one axis.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class OneElementArray(np.ndarray):
    """A NumPy array that converts to a number.

    Results of NumPy functions are plain arrays or numbers again, unless they too have one element.
    """

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.view(np.ndarray).__reduce_ex__(protocol)

    def __array_wrap__(
        self, array: npt.NDArray[Any], context: Any = None, return_scalar: bool = False
    ) -> Any:
        if array.size == 1 and array.ndim:
            return array.view(OneElementArray)
        plain = array.view(np.ndarray)
        return plain[()] if return_scalar else plain


# programs print the type of what asnumpy() returns
OneElementArray.__module__, OneElementArray.__name__ = "numpy", "ndarray"
OneElementArray.__qualname__ = "ndarray"


def allow_as_number(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns an array on the same memory that converts to a number if it has one element."""
    return values.view(OneElementArray) if values.size == 1 and values.ndim else values
