"""Written by `make stubs`; do not edit."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar
from mxnet._start import public_call
from mxnet.error import NotImplementedForSymbol
from mxnet.errors import MXNetError
from mxnet.graph.ir import Entry, Graph
from mxnet.symbol._binding import Bindable
import mxnet.symbol.numpy

class Symbol(Bindable):
    """One or several outputs of a graph of operators."""

    __slots__ = ('__weakref__', '_graph', '_options')

    __array_priority__ = 1000.0

    _is_np: ClassVar[bool] = False

    _to_dialect: ClassVar[str] = 'as_nd_ndarray'

    def __init__(self, heads: Iterable[Entry]) -> None:
        ...

    @property
    def handle(self) -> int:
        """Identity of the graph; there is no C handle behind it."""

    @property
    def name(self) -> str | None:
        """Name of the node behind the symbol, None for a group of several."""

    def __repr__(self) -> str:
        ...

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        ...

    def __len__(self) -> int:
        ...

    def __iter__(self) -> Iterator[Symbol]:
        ...

    def __getitem__(self, index: int | str | slice) -> Symbol:
        """Picks outputs by number, by name or by a slice."""

    def __copy__(self) -> Symbol:
        ...

    def __deepcopy__(self, memo: dict[int, Any]) -> Symbol:
        ...

    def __reduce__(self) -> tuple[Any, ...]:
        ...

    def __call__(self, /, *args: Any, **kwargs: Any) -> Symbol:
        """Puts other symbols in the place of variables."""

    def get_internals(self) -> Symbol:
        """Groups the outputs of all nodes of the graph."""

    def get_children(self) -> Symbol | None:
        """Groups what the nodes of the symbol read; None for variables."""

    def get_inputs(self) -> Symbol:
        """Groups the variables, auxiliary states among them."""

    def has_dynamic_shape_op(self) -> bool:
        """Returns whether a shape in the graph depends on elements, as that of a mask does."""

    def list_inputs(self) -> list[str]:
        """Lists the names of all variables."""

    def list_arguments(self) -> list[str]:
        """Lists the names of the variables that are not auxiliary states."""

    def list_auxiliary_states(self) -> list[str]:
        """Lists the names of the variables that operators update, such as moving averages."""

    def list_outputs(self) -> list[str]:
        """Lists the names of the outputs."""

    def attr(self, key: str) -> str | None:
        """Returns an attribute of the node behind the symbol, None if there is none."""

    def list_attr(self, recursive: bool=False) -> dict[str, str]:
        """Returns all attributes of the node behind the symbol."""

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """Returns the attributes of all nodes that have any, by name."""

    @public_call
    def infer_type(self, /, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Finds out element types from those of some arguments."""

    def infer_type_partial(self, /, *args: Any, **kwargs: Any) -> tuple[_Types, _Types, _Types]:
        """Finds out element types as far as possible; None is unknown."""

    @public_call
    def infer_shape(self, /, *args: Any, **kwargs: Any) -> tuple[Any, Any, Any]:
        """Finds out all shapes from those of some arguments."""

    def infer_shape_partial(self, /, *args: Any, **kwargs: Any) -> tuple[_Shapes, _Shapes, _Shapes]:
        """Finds out shapes as far as possible; `()` and lengths of 0 are unknown."""

    def tojson(self, remove_amp_cast: bool=True) -> str:
        """Writes the graph as the text of a symbol file."""

    def save(self, fname: str | os.PathLike[str], remove_amp_cast: bool=True) -> None:
        """Writes the graph to a file; see `tojson`."""

    def debug_str(self) -> str:
        """Describes the outputs and the nodes of the graph."""

    def as_nd_ndarray(self) -> Symbol:
        """Returns the symbol itself, which belongs to the classic dialect."""

    def as_np_ndarray(self) -> mxnet.symbol.numpy._Symbol: ...

    def __add__(self, other: Any) -> Symbol: ...

    def __radd__(self, other: Any) -> Symbol: ...

    def __sub__(self, other: Any) -> Symbol: ...

    def __rsub__(self, other: Any) -> Symbol: ...

    def __mul__(self, other: Any) -> Symbol: ...

    def __rmul__(self, other: Any) -> Symbol: ...

    def __truediv__(self, other: Any) -> Symbol: ...

    def __rtruediv__(self, other: Any) -> Symbol: ...

    def __mod__(self, other: Any) -> Symbol: ...

    def __rmod__(self, other: Any) -> Symbol: ...

    def __pow__(self, other: Any) -> Symbol: ...

    def __rpow__(self, other: Any) -> Symbol: ...

    def __eq__(self, other: Any) -> Symbol: ...  # type: ignore[override]

    def __ne__(self, other: Any) -> Symbol: ...  # type: ignore[override]

    def __gt__(self, other: Any) -> Symbol: ...

    def __ge__(self, other: Any) -> Symbol: ...

    def __lt__(self, other: Any) -> Symbol: ...

    def __le__(self, other: Any) -> Symbol: ...

    def __neg__(self) -> Symbol: ...

    def __abs__(self) -> Symbol: ...

    def _gen_atomic_symbol(self) -> Symbol:
        """Returns the operator of the symbol with its attributes, and nothing that it reads."""

    def abs(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Absolute value of each element."""

    def arccos(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Inverse cosine, between 0 and pi."""

    def arccosh(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Inverse hyperbolic cosine."""

    def arcsin(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Inverse sine, between -pi/2 and pi/2."""

    def arcsinh(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Inverse hyperbolic sine."""

    def arctan(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Inverse tangent, between -pi/2 and pi/2."""

    def arctanh(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Inverse hyperbolic tangent."""

    def argmax(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the index of the largest element along an axis."""

    def argmax_channel(
        self,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the index of the largest element along axis 1."""

    def argmin(
        self,
        axis: int | None = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the index of the smallest element along an axis."""

    def argsort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        dtype: Any = 'float32',
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the indices that sort along an axis; equal elements keep their order."""

    def astype(self, dtype: Any, **kwargs: Any) -> Symbol:
        """Converts to another element type; takes the name and attributes of the node too."""

    def broadcast_axes(
        self,
        axis: int | Sequence[int] = (),
        size: int | Sequence[int] = (),
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Repeats an array along given axes of size one."""

    def broadcast_like(
        self,
        rhs: Symbol | None = None,
        lhs_axes: int | Sequence[int | None] | None = None,
        rhs_axes: int | Sequence[int | None] | None = None,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Repeats an array along its axes of size one until it has the shape of another."""

    def broadcast_to(
        self,
        shape: int | Sequence[int] = (),
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Repeats an array along its axes of size one."""

    def cbrt(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Cube root of each element."""

    def ceil(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Rounds each element up."""

    def clip(
        self,
        a_min: float = ...,
        a_max: float = ...,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Limits each element to the interval from `a_min` to `a_max`."""

    def cos(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Cosine of each element, in radians."""

    def cosh(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Hyperbolic cosine of each element."""

    def degrees(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Converts radians to degrees."""

    def depth_to_space(
        self,
        block_size: int = ...,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Moves channels into square blocks of pixels."""

    def detach(self) -> Symbol:
        """Returns the same values, cut off from gradients."""

    def diag(self, k: int = 0, **kwargs: Any) -> Symbol:
        """Takes a diagonal of matrices, or makes matrices of diagonals; see `mx.nd.diag`."""

    def exp(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Exponential of each element."""

    def expand_dims(self, axis: int, inplace: bool = False, **kwargs: Any) -> Symbol:
        """Inserts an axis of length 1; `inplace` has a meaning for arrays alone."""

    def expm1(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Exponential minus one, precise for small elements."""

    def fix(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Rounds each element towards zero, as `trunc` does."""

    def flatten(self, inplace: bool = False, **kwargs: Any) -> Symbol:
        """Joins all axes but the first; `inplace` has a meaning for arrays alone."""

    def flip(
        self,
        axis: int | Sequence[int] = ...,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Reverses the order of the elements along axes."""

    def floor(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Rounds each element down."""

    def log(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Natural logarithm of each element."""

    def log10(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Logarithm to base 10."""

    def log1p(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Logarithm of one plus each element, precise for small elements."""

    def log2(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Logarithm to base 2."""

    def log_sigmoid(
        self,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Logarithm of the logistic function, `-log(1 + exp(-x))`."""

    def log_softmax(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: Any = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Computes the logarithm of softmax, without the loss of precision of doing it in two steps."""

    def max(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the largest element along axes."""

    def mean(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Averages elements along axes; integers are divided towards zero."""

    def min(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the smallest element along axes."""

    def mish(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Mish `x * tanh(log(1 + exp(x)))` of each element."""

    def nanprod(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Multiplies elements along axes, taking NaN as one."""

    def nansum(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Sums elements along axes, taking NaN as zero."""

    def norm(
        self,
        ord: int = 2,
        axis: int | Sequence[int | None] | None = None,
        out_dtype: Any = None,
        keepdims: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Computes the sum of magnitudes or the Euclidean length along axes."""

    def one_hot(
        self,
        depth: int = ...,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: Any = 'float32',
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Writes each index as a vector with one element switched on."""

    def ones_like(
        self,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Creates ones in the shape and type of an array."""

    def pad(
        self,
        mode: str = ...,
        pad_width: int | Sequence[int] = ...,
        constant_value: float = 0.0,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Puts a border around the spatial axes."""

    def pick(
        self,
        index: Symbol | None = None,
        axis: int | None = -1,
        keepdims: bool = False,
        mode: str = 'clip',
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Picks one element along an axis for each position of the other axes."""

    def prod(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Multiplies elements along axes."""

    def radians(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Converts degrees to radians."""

    def rcbrt(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Reciprocal of the cube root."""

    def reciprocal(
        self,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Reciprocal of each element."""

    def relu(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Rectifier: each element, or zero if it is negative."""

    def repeat(
        self,
        repeats: int = ...,
        axis: int | None = None,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Repeats each element."""

    def reshape(
        self,
        shape: int | Sequence[int] = (),
        reverse: bool = False,
        target_shape: int | Sequence[int] = (),
        keep_highest: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the same elements in another shape."""

    def reshape_like(
        self,
        rhs: Symbol | None = None,
        lhs_begin: int | None = None,
        lhs_end: int | None = None,
        rhs_begin: int | None = None,
        rhs_end: int | None = None,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Reshapes an array like another one, or a range of its axes like a range of the other's."""

    def rint(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Rounds each element to the nearest integer, halves down."""

    def round(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Rounds each element to the nearest integer, halves away from zero."""

    def rsqrt(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Reciprocal of the square root of each element."""

    def shape_array(
        self,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the shape of an array as an array of int64."""

    def sigmoid(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Logistic function `1 / (1 + exp(-x))` of each element."""

    def sign(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Sign of each element: -1, 0 or 1."""

    def sin(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Sine of each element, in radians."""

    def sinh(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Hyperbolic sine of each element."""

    def size_array(
        self,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Returns the number of elements of an array as an array of int64, of shape `(1,)`."""

    def slice(
        self,
        begin: int | Sequence[int | None] | None = ...,
        end: int | Sequence[int | None] | None = ...,
        step: int | Sequence[int | None] | None = (),
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Takes a region of an array, as `data[begin:end:step, ...]` does."""

    def slice_axis(
        self,
        axis: int = ...,
        begin: int = ...,
        end: int | None = ...,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Takes a range along one axis."""

    def slice_like(
        self,
        shape_like: Symbol | None = None,
        axes: int | Sequence[int] = (),
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Cuts the end of axes off, down to the sizes of another array."""

    def softmax(
        self,
        length: Symbol | None = None,
        axis: int = -1,
        temperature: float | None = None,
        dtype: Any = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Scales the exponentials along an axis to sum to one."""

    def softmin(
        self,
        axis: int = -1,
        temperature: float | None = None,
        dtype: Any = None,
        use_length: bool | None = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Computes softmax of the negated data: the least element gets the most weight."""

    def sort(
        self,
        axis: int | None = -1,
        is_ascend: bool = True,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Sorts along an axis."""

    def space_to_depth(
        self,
        block_size: int = ...,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Moves square blocks of pixels into channels; the inverse of `depth_to_space`."""

    def split(
        self,
        num_outputs: int = ...,
        axis: int = 1,
        squeeze_axis: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Splits an array into equal parts along an axis."""

    def split_v2(
        self,
        indices_or_sections: int | Sequence[int],
        axis: int = 0,
        squeeze_axis: bool = False,
    ) -> Symbol:
        """Splits into parts along an axis; see `mx.nd.split_v2`."""

    def sqrt(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Square root of each element."""

    def square(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Square of each element."""

    def squeeze(self, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Symbol:
        """Removes axes of length 1; `inplace` has a meaning for arrays alone."""

    def sum(
        self,
        axis: int | Sequence[int | None] | None = None,
        keepdims: bool = False,
        exclude: bool = False,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Sums elements along axes."""

    def swapaxes(
        self,
        dim1: int = 0,
        dim2: int = 0,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Exchanges two axes."""

    def take(
        self,
        indices: Symbol | None = None,
        axis: int = 0,
        mode: str = 'clip',
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Picks slices along an axis."""

    def tan(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Tangent of each element, in radians."""

    def tanh(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Hyperbolic tangent of each element."""

    def tile(
        self,
        reps: int | Sequence[int] = ...,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Repeats the whole array along its axes."""

    def topk(
        self,
        axis: int | None = -1,
        k: int = 1,
        ret_typ: str = 'indices',
        is_ascend: bool = False,
        dtype: Any = 'float32',
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Finds the largest or smallest elements along an axis."""

    def transpose(
        self,
        axes: int | Sequence[int] = (),
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Permutes the axes."""

    def trunc(self, *, name: str | None = None, attr: Mapping[str, str] | None = None) -> Symbol:
        """Rounds each element towards zero."""

    def zeros_like(
        self,
        *,
        name: str | None = None,
        attr: Mapping[str, str] | None = None,
    ) -> Symbol:
        """Creates zeros in the shape and type of an array."""

_Shapes = list[Any]

_Types = list[Any]

class NotOnSymbolError(NotImplementedForSymbol, NotImplementedError, TypeError):
    """Something needs data, which a symbol does not have.

    Args:
        function: Name of the method that was called.
        message: What a program can do instead.
    """

    def __init__(self, function: str, message: str) -> None:
        MXNetError.__init__(self, function, message)
        self.function, self.alias = (function, None)

    def __str__(self) -> str:
        return str(self.args[-1])

def is_operand(value: Any, cls: type[Symbol]) -> bool:
    """Returns whether functions for a class of symbols take a value: a symbol of its dialect."""

def remedy_for(value: Any, cls: type[Symbol]) -> str:
    """Returns the end of a message about a value which is not an operand: what to call."""

def load_json(json_str: str) -> Symbol:
    """Reads a symbol from the text of a symbol file of any generation."""

fromjson = load_json

def load(fname: str | os.PathLike[str]) -> Symbol:
    """Reads a symbol file of any generation."""

def list_attrs(attrs: Mapping[str, str]) -> dict[str, str]:
    """Returns attributes in the order of the original, hidden ones under their plain names too."""

def describe(graph: Graph) -> str:
    """Describes outputs and nodes of a graph, with what each node reads and its attributes."""
