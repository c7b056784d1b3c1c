"""Written by `make stubs`; do not edit."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar
from torch import Tensor
from mxnet._arrays.operators import negate
from mxnet._formats.array_record import Storage
from mxnet._legacy.c_interface import HandledArray, begin
from mxnet._start import expand, public_call
from mxnet.context import Context
from mxnet.ndarray._indexing import set_item
from numpy.typing import NDArray as NumpyArray
import mxnet.numpy

class NDArray(HandledArray):
    """A dense array on a context, with the shape and dtype rules of MXNet's `nd`."""

    __slots__ = ()

    _storage: ClassVar[Storage] = 'default'

    __array_priority__ = 1000.0

    def __init__(self, handle: Any=None, writable: bool=True) -> None:
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""

    @property
    def ndim(self) -> int:
        """Number of axes."""

    @property
    def size(self) -> int:
        """Number of elements."""

    @property
    def dtype(self) -> Any:
        """Element type, as NumPy's scalar class."""

    @property
    def context(self) -> Context:
        """Where the array lives."""

    ctx = device = context

    @property
    def stype(self) -> str:
        """Storage type; dense arrays are `"default"`."""

    @property
    def writable(self) -> bool:
        """Whether elements can be assigned."""

    @property
    def T(self) -> NDArray:
        """Array with the axes in reverse order; a vector stays as it is."""

    @property
    def grad(self) -> NDArray:
        """Gradient array, None before `attach_grad`."""

    def __repr__(self) -> str:
        ...

    @public_call
    def __len__(self) -> int:
        ...

    def __iter__(self) -> Iterator[NDArray]:
        ...

    __hash__ = object.__hash__

    @public_call
    def __bool__(self) -> bool:
        ...

    __nonzero__ = __bool__

    @public_call
    def __float__(self) -> float:
        ...

    @public_call
    def __int__(self) -> int:
        ...

    @public_call
    def __index__(self) -> int:
        ...

    __neg__ = negate

    def __abs__(self) -> NDArray:
        ...

    @expand
    @public_call
    def __getitem__(self, key: Any) -> NDArray:
        ...

    __setitem__ = public_call(set_item)

    def __array__(self, dtype: Any=None, copy: bool | None=None) -> NumpyArray[Any]:
        ...

    def __reduce__(self) -> tuple[Any, ...]:
        ...

    def __getstate__(self) -> dict[str, Any]:
        ...

    def __setstate__(self, state: dict[str, Any]) -> None:
        ...

    def __deepcopy__(self, memo: dict[int, Any]) -> NDArray:
        ...

    def __copy__(self) -> NDArray:
        ...

    def asnumpy(self) -> NumpyArray[Any]:
        """Copies the elements to a NumPy array."""

    @public_call
    def asscalar(self) -> Any:
        """Returns the only element as a NumPy scalar."""

    @public_call
    def astype(self, dtype: Any, copy: bool=True) -> NDArray:
        """Converts the elements."""

    def copy(self) -> NDArray:
        """Copies the array on the same context."""

    @public_call
    def copyto(self, other: NDArray | Context) -> NDArray | bool:
        """Copies into another array, or to a new one on a context."""

    @public_call
    def as_in_context(self, context: Context) -> NDArray:
        """Returns the array on a context: itself if it is there already, else a copy."""

    def as_nd_ndarray(self) -> NDArray:
        """Returns the array in the `nd` interface: itself."""

    @public_call
    def tostype(self, stype: str) -> Any:
        """Copies the array to a storage type: `"default"`, `"row_sparse"` or `"csr"`."""

    def detach(self) -> NDArray:
        """Returns an array on the same memory that is in no graph."""

    @public_call
    def reshape(self, *shape: Any, **kwargs: Any) -> NDArray:
        """Returns the array in another shape, on the same memory."""

    @public_call
    def expand_dims(self, axis: int, inplace: bool=False) -> NDArray:
        """Inserts an axis of length 1; with `inplace`, as a view on the same memory."""

    @public_call
    def flatten(self, inplace: bool=False) -> NDArray:
        """Folds all axes but the first into one; with `inplace`, as a view on the same memory."""

    @public_call
    def squeeze(self, axis: int | Sequence[int] | None=None, inplace: bool=False) -> NDArray:
        """Removes axes of length 1; with `inplace`, as a view on the same memory."""

    @public_call
    def broadcast_to(self, shape: Sequence[int]) -> NDArray:
        """Repeats axes of length 1 to the given shape; axes missing in front are added."""

    def broadcast_like(self, other: NDArray) -> NDArray:
        """Repeats axes of length 1 to the shape of another array."""

    @public_call
    def slice_assign(self, rhs: NDArray, begin: Sequence[int | None], end: Sequence[int | None], step: Sequence[int | None]) -> None:
        """Assigns an array to the slice from `begin` to `end` by `step`."""

    @public_call
    def slice_assign_scalar(self, value: float, begin: Sequence[int | None], end: Sequence[int | None], step: Sequence[int | None]) -> None:
        """Assigns a number to the slice from `begin` to `end` by `step`."""

    @public_call
    def attach_grad(self, grad_req: str='write', stype: str | None=None) -> None:
        """Makes the array a variable: allocates its gradient and forgets what computed it."""

    def drop_grad(self) -> None:
        """Takes the gradient away that `attach_grad` has made, and forgets what computed the array."""

    @expand
    @public_call
    def backward(self, out_grad: NDArray | None=None, retain_graph: bool=False, train_mode: bool=True) -> None:
        """Computes the gradients of the variables that this array was computed from."""

    @public_call
    def wait_to_read(self) -> None:
        """Waits until the elements are there, and raises if they could not be computed."""

    def to_torch(self) -> Tensor:
        """Returns the tensor behind the array, on the same memory."""

    @property
    def __array_interface__(self) -> dict[str, Any]:
        ...

    def tobytes(self) -> bytes:
        """Copies the elements to bytes, in the order of the shape."""

    def __dlpack__(self, **kwargs: Any) -> Any:
        ...

    def __dlpack_device__(self) -> Any:
        ...

    def to_dlpack_for_read(self) -> Any:
        """Returns a DLPack capsule on the same memory, to be read."""

    @public_call
    def to_dlpack_for_write(self) -> Any:
        """Returns a DLPack capsule on the same memory, to be written."""

    def as_np_ndarray(self) -> mxnet.numpy.ndarray: ...

    def __add__(self, other: Any) -> NDArray: ...

    def __radd__(self, other: Any) -> NDArray: ...

    def __iadd__(self, other: Any) -> NDArray: ...

    def __sub__(self, other: Any) -> NDArray: ...

    def __rsub__(self, other: Any) -> NDArray: ...

    def __isub__(self, other: Any) -> NDArray: ...

    def __mul__(self, other: Any) -> NDArray: ...

    def __rmul__(self, other: Any) -> NDArray: ...

    def __imul__(self, other: Any) -> NDArray: ...

    def __truediv__(self, other: Any) -> NDArray: ...

    def __rtruediv__(self, other: Any) -> NDArray: ...

    def __itruediv__(self, other: Any) -> NDArray: ...

    def __mod__(self, other: Any) -> NDArray: ...

    def __rmod__(self, other: Any) -> NDArray: ...

    def __imod__(self, other: Any) -> NDArray: ...

    def __pow__(self, other: Any) -> NDArray: ...

    def __rpow__(self, other: Any) -> NDArray: ...

    def __eq__(self, other: Any) -> NDArray: ...  # type: ignore[override]

    def __ne__(self, other: Any) -> NDArray: ...  # type: ignore[override]

    def __gt__(self, other: Any) -> NDArray: ...

    def __ge__(self, other: Any) -> NDArray: ...

    def __lt__(self, other: Any) -> NDArray: ...

    def __le__(self, other: Any) -> NDArray: ...

    def abs(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Absolute value of each element."""

    def arccos(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Inverse cosine, between 0 and pi."""

    def arccosh(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Inverse hyperbolic cosine."""

    def arcsin(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Inverse sine, between -pi/2 and pi/2."""

    def arcsinh(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Inverse hyperbolic sine."""

    def arctan(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Inverse tangent, between -pi/2 and pi/2."""

    def arctanh(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Inverse hyperbolic tangent."""

    def argmax(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Returns the index of the largest element along an axis."""

    def argmax_channel(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Returns the index of the largest element along axis 1."""

    def argmin(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Returns the index of the smallest element along an axis."""

    def argsort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        dtype: Any = 'float32',
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Returns the indices that sort along an axis; equal elements keep their order."""

    def broadcast_axes(
        self,
        axis: int | Sequence[int] = (),
        size: int | Sequence[int] = (),
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Repeats an array along given axes of size one."""

    def cbrt(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Cube root of each element."""

    def ceil(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Rounds each element up."""

    def clip(
        self,
        a_min: float,
        a_max: float,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Limits each element to the interval from `a_min` to `a_max`."""

    def cos(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Cosine of each element, in radians."""

    def cosh(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Hyperbolic cosine of each element."""

    def degrees(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Converts radians to degrees."""

    def depth_to_space(
        self,
        block_size: int,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Moves channels into square blocks of pixels."""

    def diag(
        self,
        k: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Takes the diagonal of an array, or builds the matrix that has a vector on its diagonal."""

    def exp(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Exponential of each element."""

    def expm1(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Exponential minus one, precise for small elements."""

    def fix(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Rounds each element towards zero, as `trunc` does."""

    def flip(
        self,
        axis: int | Sequence[int],
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Reverses the order of the elements along axes."""

    def floor(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Rounds each element down."""

    def log(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Natural logarithm of each element."""

    def log10(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Logarithm to base 10."""

    def log1p(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Logarithm of one plus each element, precise for small elements."""

    def log2(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Logarithm to base 2."""

    def log_sigmoid(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Logarithm of the logistic function, `-log(1 + exp(-x))`."""

    def log_softmax(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: Any = None,
        use_length: bool | None = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Computes the logarithm of softmax, without the loss of precision of doing it in two steps."""

    def max(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Returns the largest element along axes."""

    def mean(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Averages elements along axes; integers are divided towards zero."""

    def min(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Returns the smallest element along axes."""

    def mish(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Mish `x * tanh(log(1 + exp(x)))` of each element."""

    def nanprod(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Multiplies elements along axes, taking NaN as one."""

    def nansum(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Sums elements along axes, taking NaN as zero."""

    def norm(
        self,
        ord: int = 2,
        axis: int | Sequence[int | None] | None = None,
        out_dtype: Any = None,
        keepdims: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Computes the sum of magnitudes or the Euclidean length along axes."""

    def one_hot(
        self,
        depth: int,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: Any = 'float32',
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Writes each index as a vector with one element switched on."""

    def ones_like(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Creates ones in the shape and type of an array."""

    def pad(
        self,
        mode: str,
        pad_width: int | Sequence[int],
        constant_value: float = 0.0,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Puts a border around the spatial axes."""

    def pick(
        self,
        index: NDArray,
        axis: int | None = -1,
        keepdims: bool = False,
        mode: str = 'clip',
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Picks one element along an axis for each position of the other axes."""

    def prod(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Multiplies elements along axes."""

    def radians(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Converts degrees to radians."""

    def rcbrt(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Reciprocal of the cube root."""

    def reciprocal(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Reciprocal of each element."""

    def relu(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Rectifier: each element, or zero if it is negative."""

    def repeat(
        self,
        repeats: int,
        axis: int | None = None,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Repeats each element."""

    def reshape_like(
        self,
        rhs: NDArray,
        lhs_begin: int | None = None,
        lhs_end: int | None = None,
        rhs_begin: int | None = None,
        rhs_end: int | None = None,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Reshapes an array like another one, or a range of its axes like a range of the other's."""

    def rint(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Rounds each element to the nearest integer, halves down."""

    def round(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Rounds each element to the nearest integer, halves away from zero."""

    def rsqrt(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Reciprocal of the square root of each element."""

    def shape_array(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Returns the shape of an array as an array of int64."""

    def sigmoid(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Logistic function `1 / (1 + exp(-x))` of each element."""

    def sign(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Sign of each element: -1, 0 or 1."""

    def sin(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Sine of each element, in radians."""

    def sinh(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Hyperbolic sine of each element."""

    def size_array(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Returns the number of elements of an array as an array of int64, of shape `(1,)`."""

    def slice(
        self,
        begin: int | Sequence[int | None] | None,
        end: int | Sequence[int | None] | None,
        step: int | Sequence[int | None] | None = (),
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Takes a region of an array, as `data[begin:end:step, ...]` does."""

    def slice_axis(
        self,
        axis: int,
        begin: int,
        end: int | None,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Takes a range along one axis."""

    def slice_like(
        self,
        shape_like: NDArray,
        axes: int | Sequence[int] = (),
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Cuts the end of axes off, down to the sizes of another array."""

    def softmax(
        self,
        length: NDArray | None = None,
        axis: int = -1,
        temperature: float | None = None,
        dtype: Any = None,
        use_length: bool | None = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Scales the exponentials along an axis to sum to one."""

    def softmin(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: Any = None,
        use_length: bool | None = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Computes softmax of the negated data: the least element gets the most weight."""

    def sort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Sorts along an axis."""

    def space_to_depth(
        self,
        block_size: int,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Moves square blocks of pixels into channels; the inverse of `depth_to_space`."""

    def split(
        self,
        num_outputs: int,
        axis: int = 1,
        squeeze_axis: bool = False,
        *,
        out: NDArray | Sequence[NDArray] | None = None,
        name: str | None = None,
    ) -> list[NDArray]:
        """Splits an array into equal parts along an axis."""

    def split_v2(
        self,
        indices_or_sections: int | Sequence[int],
        axis: int = 0,
        squeeze_axis: bool = False,
    ) -> list[NDArray] | NDArray:
        """Splits an array into parts along an axis."""

    def sqrt(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Square root of each element."""

    def square(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Square of each element."""

    def sum(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Sums elements along axes."""

    def swapaxes(
        self,
        dim1: int = 0,
        dim2: int = 0,
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Exchanges two axes."""

    def take(
        self,
        indices: NDArray,
        axis: int = 0,
        mode: str = 'clip',
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Picks slices along an axis."""

    def tan(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Tangent of each element, in radians."""

    def tanh(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Hyperbolic tangent of each element."""

    def tile(
        self,
        reps: int | Sequence[int],
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Repeats the whole array along its axes."""

    def topk(
        self,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: str = 'indices',
        is_ascend: bool = False,
        dtype: Any = 'float32',
        *,
        out: NDArray | Sequence[NDArray] | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Finds the largest or smallest elements along an axis."""

    def transpose(
        self,
        axes: int | Sequence[int] = (),
        *,
        out: NDArray | None = None,
        name: str | None = None,
    ) -> NDArray:
        """Permutes the axes."""

    def trunc(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Rounds each element towards zero."""

    def zeros_like(self, *, out: NDArray | None = None, name: str | None = None) -> NDArray:
        """Creates zeros in the shape and type of an array."""

NDArray._dialect_class, NDArray._to_dialect = (NDArray, 'as_nd_ndarray')

def from_tensor(tensor: Tensor, ctx: Context | None=None) -> NDArray:
    """Makes an array on the memory of a plain tensor."""

STORAGE_CLASSES: dict[str, type[NDArray]] = {'default': NDArray}

def storage_class(stype: Any, where: str) -> type[NDArray]:
    """Finds the array class of a storage type."""
