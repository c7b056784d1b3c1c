"""Functions that join arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._np_functions.table import Operators, np_function


@np_function()
def concatenate(F: Operators, seq: Sequence[Any], axis: int | None = 0, out: Any = None) -> Any:
    """Joins arrays along an axis that they have.

    Args:
        F: Operators of the frontend.
        seq: The arrays.
        axis: The axis; None flattens all arrays first.
        out: Array to write the result into.
    """
    return F._npi_concatenate(*seq, axis=axis, out=out)
