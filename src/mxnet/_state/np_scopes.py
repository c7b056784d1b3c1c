"""Scopes of the NumPy dialect: which arrays a thread makes, and how it reads shapes.

`mx.util` and `mx.npx` have all of these names.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from mxnet import limits
from mxnet._start import public_call
from mxnet._state.modes import Modes, modes
from mxnet._state.versions import rules
from mxnet.errors import ArgumentValueError, UnsupportedTypeError

T = TypeVar("T")

_ALL_THREADS = 2
"""The number by which programs switch NumPy's shapes on in all threads, not in theirs alone."""


def is_np_array() -> bool:
    """Returns whether this thread makes arrays of `mx.np`.

    Example:
        >>> import mxnet as mx
        >>> with mx.util.np_array(True):
        ...     mx.npx.is_np_array()
        True
        >>> mx.npx.is_np_array()
        False
    """
    return modes.np_array and not modes.np_off


def is_np_shape() -> bool:
    """Returns whether 0 and `()` are shapes like others in this thread.

    Example:
        >>> import mxnet as mx
        >>> with mx.util.np_shape(True):
        ...     mx.npx.is_np_shape(), mx.nd.zeros((2, 0)).shape
        (True, (2, 0))
    """
    return modes.np_shape


def is_np_default_dtype() -> bool:
    """Returns whether new arrays of `mx.np` have NumPy's dtypes instead of float32.

    Example:
        >>> import mxnet as mx
        >>> with mx.util.np_default_dtype(True):
        ...     mx.npx.is_np_default_dtype(), mx.np.arange(3.0).dtype
        (True, dtype('float64'))
        >>> mx.np.arange(3).dtype
        dtype('float32')
    """
    return modes.np_default_dtype


def set_np_shape(active: bool | int) -> bool:
    """Switches NumPy's shapes on or off in this thread, and returns whether they were on.

    Args:
        active: Whether they are on; 2 switches them on in threads without a switch of their own,
            too, until one switches them off.
    """
    before, modes.np_shape = modes.np_shape, bool(active)
    if not active or active == _ALL_THREADS:
        Modes.np_shape = bool(active)
    return before


@public_call
def set_np(shape: bool = True, array: bool = True, dtype: bool = False) -> None:
    """Switches the NumPy dialect on in this thread.

    Args:
        shape: Whether 0 and `()` are shapes like others.
        array: Whether Gluon gives and takes arrays of `mx.np`; needs `shape`.
        dtype: Whether new arrays have NumPy's dtypes instead of float32.

    Example:
        >>> from mxnet import np, npx
        >>> npx.set_np()
        >>> np.ones(()).shape
        ()
        >>> npx.reset_np()
    """
    if array and not shape:
        raise ArgumentValueError(
            "set_np: arrays of NumPy need its shapes, got array=True and shape=False"
        )
    set_np_shape(shape)
    _switch_array(bool(array))
    modes.np_default_dtype = bool(dtype)


def _switch_array(active: bool) -> None:
    if rules.version > 1:
        modes.np_off = not active
    else:
        modes.np_array = active


def reset_np() -> None:
    """Switches the NumPy dialect off in this thread.

    Example:
        >>> import mxnet as mx
        >>> mx.npx.set_np()
        >>> mx.npx.is_np_array()
        True
        >>> mx.npx.reset_np()
        >>> mx.npx.is_np_array()
        False
    """
    set_np(shape=False, array=False)


@public_call
def set_np_default_dtype(is_np_default_dtype: bool = True) -> bool:
    """Switches NumPy's dtypes of new arrays on or off in this thread, returns whether they were on.

    Args:
        is_np_default_dtype: Whether arrays are of float64 and int64, as in NumPy, instead of
            float32.

    Example:
        >>> import mxnet as mx
        >>> before = mx.npx.set_np_default_dtype(True)
        >>> mx.np.zeros(2).dtype
        dtype('float64')
        >>> mx.npx.set_np_default_dtype(before)
        True
    """
    before, modes.np_default_dtype = modes.np_default_dtype, bool(is_np_default_dtype)
    return before


def carry_switches() -> Callable[[], None]:
    """Returns a function that gives another thread or process switches and limits of this one."""
    switches = (modes.np_shape, modes.np_array, modes.np_off, modes.np_default_dtype)
    return functools.partial(_switch, switches, limits.carry())


def _switch(switches: tuple[bool, bool, bool, bool], take_limits: Callable[[], None]) -> None:
    modes.np_shape, modes.np_array, modes.np_off, modes.np_default_dtype = switches
    take_limits()


class _Scope:
    """Sets a mode of the thread inside of a `with` block.

    Args:
        mode: Its name.
        active: Whether it is on.
    """

    def __init__(self, mode: str, active: bool) -> None:
        self._mode, self._active = mode, bool(active)
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(getattr(modes, self._mode))
        setattr(modes, self._mode, self._active)

    def __exit__(self, *_: object) -> None:
        setattr(modes, self._mode, self._before.pop())


class _NumpyArrayScope(_Scope):
    """Switches arrays of `mx.np` on or off inside of a `with` block, under the original's name.

    Args:
        is_np_array: Whether they are on.
    """

    _current: _CurrentArrayScope

    def __init__(self, is_np_array: bool) -> None:
        self._is_np_array = bool(is_np_array)
        """Whether the arrays are on inside of the block."""
        if rules.version > 1:
            super().__init__("np_off", not is_np_array)
        else:
            super().__init__("np_array", is_np_array)


class _CurrentArrayScope:
    """Reads and sets the switch of this thread as the scope that `_NumpyArrayScope` keeps."""

    @property
    def value(self) -> _NumpyArrayScope:
        """A scope with the switch of this thread."""
        return _NumpyArrayScope(is_np_array())

    @value.setter
    def value(self, scope: _NumpyArrayScope) -> None:
        _switch_array(scope._is_np_array)


_NumpyArrayScope._current = _CurrentArrayScope()


@public_call
def np_shape(active: bool = True) -> _Scope:
    """Makes a `with` block that switches NumPy's shapes on or off.

    Args:
        active: Whether 0 and `()` are shapes like others inside of the block.

    Example:
        >>> import mxnet as mx
        >>> with mx.util.np_shape(True):
        ...     mx.nd.zeros((0, 3)).shape
        (0, 3)
    """
    return _Scope("np_shape", active)


@public_call
def np_array(active: bool = True) -> _NumpyArrayScope:
    """Makes a `with` block that switches arrays of `mx.np` on or off.

    Args:
        active: Whether blocks and functions make arrays of `mx.np` inside of the block.

    Example:
        >>> import mxnet as mx
        >>> dataset = mx.gluon.data.ArrayDataset(mx.np.arange(4))
        >>> with mx.util.np_shape(True), mx.util.np_array(True):
        ...     type(next(iter(mx.gluon.data.DataLoader(dataset, 2)))).__name__
        'ndarray'
    """
    return _NumpyArrayScope(active)


@public_call
def np_default_dtype(active: bool = True) -> _Scope:
    """Makes a `with` block that switches NumPy's dtypes of new arrays on or off.

    Args:
        active: Whether arrays are of float64 and int64, as in NumPy, instead of float32.

    Example:
        >>> import mxnet as mx
        >>> with mx.util.np_default_dtype(True):
        ...     mx.np.arange(3).dtype, mx.np.zeros(2).dtype
        (dtype('int64'), dtype('float64'))
    """
    return _Scope("np_default_dtype", active)


_CALLED_BY_PYTHON = frozenset({"__init__", "__call__", "__getitem__", "__len__"})
"""Inherited methods with special names which a decorated class runs in its scope too."""


def _decorator(name: str, scope: Callable[[], _Scope]) -> Callable[[T], T]:
    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with scope():
                return function(*args, **kwargs)

        return call

    def wrap_class(cls: type) -> type:
        for key, value in {**_inherited_members(cls), **vars(cls)}.items():
            wrapped = _wrap_member(value, wrap)
            if wrapped is not None:
                setattr(cls, key, wrapped)
        return cls

    def decorate(func: Any) -> Any:
        if isinstance(func, type):
            return wrap_class(func)
        if not callable(func):
            raise UnsupportedTypeError(
                f"{name}: takes a class or something callable, got {type(func)}"
            )
        return wrap(func)

    decorate.__name__ = decorate.__qualname__ = name
    return decorate


def _inherited_members(cls: type) -> dict[str, Any]:
    """Returns what programs call on a class and find in its bases, such as `Block.initialize`."""
    bases = [base for base in reversed(cls.__mro__[1:]) if base is not object]
    return {
        name: value
        for base in bases
        for name, value in vars(base).items()
        if (not name.startswith("_") or name in _CALLED_BY_PYTHON)
        and isinstance(value, (FunctionType, property))
    }


def _wrap_member(value: Any, wrap: Callable[..., Any]) -> Any:
    """Returns what replaces an attribute of a decorated class, None if it stays as it is."""
    if isinstance(value, (staticmethod, classmethod)):
        return type(value)(wrap(value.__func__))
    if isinstance(value, property):
        read, write, delete = (item and wrap(item) for item in (value.fget, value.fset, value.fdel))
        return property(read, write, delete, value.__doc__)
    return wrap(value) if callable(value) and not isinstance(value, type) else None


use_np_shape = _decorator("use_np_shape", np_shape)
use_np_shape.__doc__ = """Runs a function, or the methods of a class, with NumPy's shapes.

Args:
    func: The function or the class; it can be used as a decorator.

Example:
    >>> import mxnet as mx
    >>> @mx.util.use_np_shape
    ... def count_rows(rows):
    ...     return mx.nd.zeros((rows, 3)).shape[0]
    >>> count_rows(0)
    0
"""
use_np_array = _decorator("use_np_array", np_array)
use_np_array.__doc__ = """Runs a function, or the methods of a class, with arrays of `mx.np`.

Args:
    func: The function or the class; it can be used as a decorator.

Example:
    >>> import mxnet as mx
    >>> @mx.util.use_np_shape
    ... @mx.util.use_np_array
    ... def kind_of_parameters():
    ...     net = mx.gluon.nn.Dense(2, in_units=3)
    ...     net.initialize()
    ...     return type(net.weight.data()).__module__
    >>> kind_of_parameters()
    'mxnet.numpy'
"""
use_np_default_dtype = _decorator("use_np_default_dtype", np_default_dtype)
use_np_default_dtype.__doc__ = (
    """Runs a function, or the methods of a class, with NumPy's dtypes."""
)


@public_call
def use_np(func: T) -> T:
    """Runs a function, or the methods of a class, in the NumPy dialect.

    Example:
        >>> import mxnet as mx
        >>> @mx.util.use_np
        ... def is_numpy():
        ...     return mx.util.is_np_array(), mx.util.is_np_shape()
        >>> is_numpy()
        (True, True)
    """
    return use_np_shape(use_np_array(func))
