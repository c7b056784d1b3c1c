"""Written by `make stubs`; do not edit."""

# mypy: disable-error-code="override,assignment,misc"
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar

import numpy

from mxnet.context import Context
from mxnet.ndarray._ndarray import NDArray

class ndarray(NDArray):
    """A dense array on a context, with the shapes, indices and dtypes of NumPy."""

    @property
    def T(self) -> ndarray:
        """Array with the axes in reverse order."""

    @property
    def mT(self) -> ndarray:
        """Matrices with their last two axes exchanged."""

    def all(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Tests whether all elements over axes are not zero."""

    def any(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Tests whether any element over axes is not zero."""

    def argmax(self, axis: int | None=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Returns the positions of the largest elements."""

    def argmin(self, axis: int | None=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Returns the positions of the smallest elements."""

    def argsort(self, axis: int | None=-1, kind: Any=None, order: Any=None, descending: bool=False, stable: bool=True) -> ndarray:
        """Returns the positions that would sort the array."""

    def broadcast_to(self, shape: Any) -> ndarray:
        """Repeats axes of length 1 to the given shape."""

    def clip(self, min: Any=None, max: Any=None, out: Any=None) -> ndarray:
        """Limits the elements to an interval."""

    def cumsum(self, axis: int | None=None, dtype: Any=None, out: Any=None) -> ndarray:
        """Returns the sums of the elements up to each one."""

    def diagonal(self, offset: int=0, axis1: int=0, axis2: int=1) -> ndarray:
        """Returns a diagonal of matrices; see `mx.np.diagonal`."""

    def dot(self, b: Any, out: Any=None) -> ndarray:
        """Returns the product with another array."""

    def flatten(self, order: str='C') -> ndarray:
        """Returns a vector of all elements."""

    def max(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Returns the largest element over axes."""

    def mean(self, axis: Any=None, dtype: Any=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Returns the mean of elements over axes."""

    def min(self, axis: Any=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Returns the smallest element over axes."""

    def prod(self, axis: Any=None, dtype: Any=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Returns the product of elements over axes."""

    def repeat(self, repeats: Any, axis: int | None=None) -> ndarray:
        """Repeats each element."""

    def reshape(self, *args: Any, order: str='C') -> ndarray:
        """Returns the elements in another shape."""

    def round(self, decimals: int=0, out: Any=None, **kwargs: Any) -> ndarray:
        """Rounds to a number of decimals, halves to the even neighbour."""

    def squeeze(self, axis: Any=None) -> ndarray:
        """Removes axes of length 1."""

    def std(self, axis: Any=None, dtype: Any=None, out: Any=None, ddof: int=0, keepdims: bool=False, correction: int | None=None) -> ndarray:
        """Returns the standard deviation over axes."""

    def sum(self, axis: Any=None, dtype: Any=None, out: Any=None, keepdims: bool=False) -> ndarray:
        """Returns the sum of elements over axes."""

    def swapaxes(self, axis1: int, axis2: int) -> ndarray:
        """Exchanges two axes."""

    def take(self, indices: Any, axis: int | None=None, mode: str='raise') -> ndarray:
        """Picks elements or slices along an axis."""

    def transpose(self, *axes: Any) -> ndarray:
        """Permutes the axes, or reverses their order if none are given."""

    def var(self, axis: Any=None, dtype: Any=None, out: Any=None, ddof: int=0, keepdims: bool=False, correction: int | None=None) -> ndarray:
        """Returns the variance over axes."""

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """Element type."""

    @property
    def grad(self) -> ndarray:
        """Gradient array, None before `attach_grad`."""

    def __len__(self) -> int:
        ...

    def __iter__(self) -> Iterator[ndarray]:
        ...

    def __repr__(self) -> str:
        ...

    def __str__(self) -> str:
        ...

    def __getstate__(self) -> dict[str, Any]:
        ...

    def __neg__(self) -> ndarray:
        ...

    def __pos__(self) -> ndarray:
        ...

    def __abs__(self) -> ndarray:
        ...

    def __invert__(self) -> ndarray:
        ...

    def __matmul__(self, other: Any) -> ndarray:
        ...

    def __rmatmul__(self, other: Any) -> ndarray:
        ...

    def __imatmul__(self, other: Any) -> ndarray:
        ...

    def __rand__(self, other: Any) -> ndarray:
        ...

    def __ror__(self, other: Any) -> ndarray:
        ...

    def __rxor__(self, other: Any) -> ndarray:
        ...

    def __ipow__(self, other: Any) -> ndarray:
        ...

    def __iand__(self, other: Any) -> ndarray:
        ...

    def __ior__(self, other: Any) -> ndarray:
        ...

    def __ixor__(self, other: Any) -> ndarray:
        ...

    def __round__(self, n: int=0) -> ndarray:
        ...

    def __floor__(self) -> ndarray:
        ...

    def __ceil__(self) -> ndarray:
        ...

    def __trunc__(self) -> ndarray:
        ...

    def __complex__(self) -> complex:
        ...

    def __format__(self, spec: str) -> str:
        ...

    def __index__(self) -> int:
        ...

    def __bool__(self) -> bool:
        ...

    def item(self, *args: Any) -> Any:
        """Returns one element as a Python number."""

    def tolist(self) -> Any:
        """Returns the elements as nested lists of numbers, or as a number if there are no axes."""

    def nonzero(self) -> tuple[ndarray, ...]:
        """Returns the positions of elements that are not zero, for each axis."""

    def astype(self, dtype: Any, order: str='K', casting: str='unsafe', subok: bool=True, copy: bool=True) -> ndarray:
        """Converts the elements."""

    def copy(self, order: str='C') -> ndarray:
        """Copies the array on the same context."""

    def reshape_view(self, *shape: Any, **kwargs: Any) -> ndarray:
        """Returns the array in another shape, on the same memory."""

    def sort(self, axis: int | None=-1, kind: Any=None, order: Any=None) -> None:
        """Sorts the array in place; the original refuses it."""

    def attach_grad(self, grad_req: str='write') -> None:
        """Makes the array a variable, with a gradient of zeros."""

    def as_in_ctx(self, ctx: Context) -> ndarray:
        """Returns the array on a context: itself if it is there already, else a copy."""

    def __array_namespace__(self, api_version: str | None=None) -> ModuleType:
        """Returns `mx.np`, whose functions have the names of the array API standard."""

    def to_device(self, device: Context) -> ndarray:
        """Returns the array on a device, as `as_in_ctx` does; the array API calls it so."""

    def as_np_ndarray(self) -> ndarray:
        """Returns the array itself."""

    def as_nd_ndarray(self) -> NDArray:
        """Returns an array of `mx.nd` on the same memory and with the same place in graphs."""

    def __add__(self, other: Any) -> ndarray: ...

    def __radd__(self, other: Any) -> ndarray: ...

    def __iadd__(self, other: Any) -> ndarray: ...

    def __sub__(self, other: Any) -> ndarray: ...

    def __rsub__(self, other: Any) -> ndarray: ...

    def __isub__(self, other: Any) -> ndarray: ...

    def __mul__(self, other: Any) -> ndarray: ...

    def __rmul__(self, other: Any) -> ndarray: ...

    def __imul__(self, other: Any) -> ndarray: ...

    def __truediv__(self, other: Any) -> ndarray: ...

    def __rtruediv__(self, other: Any) -> ndarray: ...

    def __itruediv__(self, other: Any) -> ndarray: ...

    def __mod__(self, other: Any) -> ndarray: ...

    def __rmod__(self, other: Any) -> ndarray: ...

    def __imod__(self, other: Any) -> ndarray: ...

    def __pow__(self, other: Any) -> ndarray: ...

    def __rpow__(self, other: Any) -> ndarray: ...

    def __floordiv__(self, other: Any) -> ndarray: ...

    def __rfloordiv__(self, other: Any) -> ndarray: ...

    def __ifloordiv__(self, other: Any) -> ndarray: ...

    def __and__(self, other: Any) -> ndarray: ...

    def __or__(self, other: Any) -> ndarray: ...

    def __xor__(self, other: Any) -> ndarray: ...

    def __lshift__(self, other: Any) -> ndarray: ...

    def __rlshift__(self, other: Any) -> ndarray: ...

    def __ilshift__(self, other: Any) -> ndarray: ...

    def __rshift__(self, other: Any) -> ndarray: ...

    def __rrshift__(self, other: Any) -> ndarray: ...

    def __irshift__(self, other: Any) -> ndarray: ...

    def __eq__(self, other: Any) -> ndarray: ...

    def __ne__(self, other: Any) -> ndarray: ...

    def __gt__(self, other: Any) -> ndarray: ...

    def __ge__(self, other: Any) -> ndarray: ...

    def __lt__(self, other: Any) -> ndarray: ...

    def __le__(self, other: Any) -> ndarray: ...

    def __getitem__(self, key: Any) -> ndarray:
        ...

    def __deepcopy__(self, memo: dict[int, Any]) -> ndarray:
        ...

    def __copy__(self) -> ndarray:
        ...

    def copyto(self, other: NDArray | Context) -> ndarray | bool:
        """Copies into another array, or to a new one on a context."""

    def as_in_context(self, context: Context) -> ndarray:
        """Returns the array on a context: itself if it is there already, else a copy."""

    def detach(self) -> ndarray:
        """Returns an array on the same memory that is in no graph."""


def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """Makes an array from anything array-like; the elements are copied."""

def set_printoptions(
    precision: int | None = None, threshold: int | None = None, **kwarg: Any
) -> None:
    """Sets how arrays are printed, those of NumPy too; see `numpy.set_printoptions`."""
