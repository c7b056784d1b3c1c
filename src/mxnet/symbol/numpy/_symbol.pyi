"""Written by `make stubs`; do not edit."""

# mypy: disable-error-code="override,assignment,misc"
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar

import numpy

from mxnet.context import Context
from mxnet.symbol.symbol import Symbol

class _Symbol(Symbol):
    """One or several outputs of a graph, with the operators and methods of the NumPy dialect."""

    @property
    def T(self) -> _Symbol:
        """Array with the axes in reverse order."""

    @property
    def mT(self) -> _Symbol:
        """Matrices with their last two axes exchanged."""

    def all(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Tests whether all elements over axes are not zero."""

    def any(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Tests whether any element over axes is not zero."""

    def argmax(self, axis: int | None=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Returns the positions of the largest elements."""

    def argmin(self, axis: int | None=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Returns the positions of the smallest elements."""

    def argsort(self, axis: int | None=-1, kind: Any=None, order: Any=None, descending: bool=False, stable: bool=True) -> _Symbol:
        """Returns the positions that would sort the array."""

    def broadcast_to(self, shape: Any) -> _Symbol:
        """Repeats axes of length 1 to the given shape."""

    def clip(self, min: Any=None, max: Any=None, out: Any=None) -> _Symbol:
        """Limits the elements to an interval."""

    def cumsum(self, axis: int | None=None, dtype: Any=None, out: Any=None) -> _Symbol:
        """Returns the sums of the elements up to each one."""

    def diagonal(self, offset: int=0, axis1: int=0, axis2: int=1) -> _Symbol:
        """Returns a diagonal of matrices; see `mx.np.diagonal`."""

    def dot(self, b: Any, out: Any=None) -> _Symbol:
        """Returns the product with another array."""

    def flatten(self, order: str='C') -> _Symbol:
        """Returns a vector of all elements."""

    def max(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Returns the largest element over axes."""

    def mean(self, axis: Any=None, dtype: Any=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Returns the mean of elements over axes."""

    def min(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Returns the smallest element over axes."""

    def prod(self, axis: Any=None, dtype: Any=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Returns the product of elements over axes."""

    def repeat(self, repeats: Any, axis: int | None=None) -> _Symbol:
        """Repeats each element."""

    def reshape(self, *args: Any, order: str='C') -> _Symbol:
        """Returns the elements in another shape."""

    def round(self, decimals: int=0, out: Any=None, **kwargs: Any) -> _Symbol:
        """Rounds to a number of decimals, halves to the even neighbour."""

    def squeeze(self, axis: Any=None) -> _Symbol:
        """Removes axes of length 1."""

    def std(self, axis: Any=None, dtype: Any=None, out: Any=None, ddof: int=0, keepdims: bool=False, correction: int | None=None) -> _Symbol:
        """Returns the standard deviation over axes."""

    def sum(self, axis: Any=None, dtype: Any=None, out: Any=None, keepdims: bool=False) -> _Symbol:
        """Returns the sum of elements over axes."""

    def swapaxes(self, axis1: int, axis2: int) -> _Symbol:
        """Exchanges two axes."""

    def take(self, indices: Any, axis: int | None=None, mode: str='raise') -> _Symbol:
        """Picks elements or slices along an axis."""

    def transpose(self, *axes: Any) -> _Symbol:
        """Permutes the axes, or reverses their order if none are given."""

    def var(self, axis: Any=None, dtype: Any=None, out: Any=None, ddof: int=0, keepdims: bool=False, correction: int | None=None) -> _Symbol:
        """Returns the variance over axes."""

    def __repr__(self) -> str:
        ...

    def __matmul__(self, other: Any) -> _Symbol:
        ...

    @property
    def num_outputs(self) -> int:
        """Number of outputs."""

    def __getitem__(self, key: Any) -> _Symbol:
        """Returns a part of the only output; of several outputs, picks one by number or name."""

    def astype(self, dtype: Any, order: str='K', casting: str='unsafe', subok: bool=True, copy: bool=True) -> _Symbol:
        """Converts the elements."""

    def as_np_ndarray(self) -> _Symbol:
        """Returns the symbol itself."""

    def as_nd_ndarray(self) -> Symbol:
        """Returns the symbol in the classic dialect."""

    def __add__(self, other: Any) -> _Symbol: ...

    def __radd__(self, other: Any) -> _Symbol: ...

    def __sub__(self, other: Any) -> _Symbol: ...

    def __rsub__(self, other: Any) -> _Symbol: ...

    def __mul__(self, other: Any) -> _Symbol: ...

    def __rmul__(self, other: Any) -> _Symbol: ...

    def __truediv__(self, other: Any) -> _Symbol: ...

    def __rtruediv__(self, other: Any) -> _Symbol: ...

    def __mod__(self, other: Any) -> _Symbol: ...

    def __rmod__(self, other: Any) -> _Symbol: ...

    def __pow__(self, other: Any) -> _Symbol: ...

    def __rpow__(self, other: Any) -> _Symbol: ...

    def __floordiv__(self, other: Any) -> _Symbol: ...

    def __rfloordiv__(self, other: Any) -> _Symbol: ...

    def __and__(self, other: Any) -> _Symbol: ...

    def __or__(self, other: Any) -> _Symbol: ...

    def __xor__(self, other: Any) -> _Symbol: ...

    def __lshift__(self, other: Any) -> _Symbol: ...

    def __rlshift__(self, other: Any) -> _Symbol: ...

    def __rshift__(self, other: Any) -> _Symbol: ...

    def __rrshift__(self, other: Any) -> _Symbol: ...

    def __eq__(self, other: Any) -> _Symbol: ...

    def __ne__(self, other: Any) -> _Symbol: ...

    def __gt__(self, other: Any) -> _Symbol: ...

    def __ge__(self, other: Any) -> _Symbol: ...

    def __lt__(self, other: Any) -> _Symbol: ...

    def __le__(self, other: Any) -> _Symbol: ...

    def __neg__(self) -> _Symbol: ...

    def __abs__(self) -> _Symbol: ...

    def __iter__(self) -> Iterator[_Symbol]:
        ...

    def __copy__(self) -> _Symbol:
        ...

    def __deepcopy__(self, memo: dict[int, Any]) -> _Symbol:
        ...

    def __call__(self, /, *args: Any, **kwargs: Any) -> _Symbol:
        """Puts other symbols in the place of variables."""

    def get_internals(self) -> _Symbol:
        """Groups the outputs of all nodes of the graph."""

    def get_children(self) -> _Symbol | None:
        """Groups what the nodes of the symbol read; None for variables."""

    def get_inputs(self) -> _Symbol:
        """Groups the variables, auxiliary states among them."""

