"""Writes pickles by hand, instruction by instruction, as an attacker would."""

from __future__ import annotations

import pickle
import struct

from tests.security.attack import PAYLOAD

MARK, STOP, REDUCE, BUILD, TUPLE, NONE = b"(", b".", b"R", b"b", b"t", b"N"
EMPTY_DICT, EMPTY_LIST, EMPTY_TUPLE, EMPTY_SET = b"}", b"]", b")", b"\x8f"
NEWOBJ, NEWOBJ_EX, STACK_GLOBAL = b"\x81", b"\x92", b"\x93"
PROTO = b"\x80\x04"


def text(value: str) -> bytes:
    """Pushes text."""
    encoded = value.encode()
    return b"X" + struct.pack("<I", len(encoded)) + encoded


def data(value: bytes) -> bytes:
    """Pushes bytes."""
    return b"B" + struct.pack("<I", len(value)) + value


def number(value: int) -> bytes:
    """Pushes an integer."""
    return pickle.dumps(value, 2)[2:-1]


def named(module: str, name: str) -> bytes:
    """Pushes what a name stands for."""
    return f"c{module}\n{name}\n".encode()


def tuple_of(*parts: bytes) -> bytes:
    """Pushes a tuple."""
    return MARK + b"".join(parts) + TUPLE


def call(module: str, name: str, *arguments: bytes) -> bytes:
    """Pushes what a call returns."""
    return named(module, name) + tuple_of(*arguments) + REDUCE


def dict_of(*parts: bytes) -> bytes:
    """Pushes a dictionary of keys and values."""
    return MARK + b"".join(parts) + b"d"


def states(value: bytes) -> bytes:
    """Returns a file whose state of parameter 0 is a value."""
    return PROTO + dict_of(number(0), value) + STOP


def with_optimizer(value: bytes) -> bytes:
    """Returns a file of no states and an optimizer."""
    return PROTO + tuple_of(EMPTY_DICT, value) + STOP


def array(record: bytes, kind: str = "mxnet.ndarray.ndarray NDArray") -> bytes:
    """Pushes an array of the bytes of its record."""
    made = call(*kind.split(), NONE)
    return made + dict_of(text("handle"), call("builtins", "bytearray", data(record))) + BUILD


def optimizer(attributes: bytes, name: str = "SGD") -> bytes:
    """Pushes an optimizer with attributes that are pushed by `dict_of`."""
    return new("mxnet.optimizer.optimizer", name) + attributes + BUILD


def new(module: str, name: str) -> bytes:
    """Pushes an object that waits for its state."""
    return named(module, name) + EMPTY_TUPLE + NEWOBJ


def from_buffer(content: bytes, *shape: int) -> bytes:
    """Pushes a NumPy array of float64, whatever its shape says."""
    sizes = tuple_of(*map(number, shape))
    return call("numpy.core.numeric", "_frombuffer", data(content), dtype("f8"), sizes, text("C"))


def dtype(code: str, state: bytes | None = None) -> bytes:
    """Pushes a dtype of NumPy, with a state if it is given."""
    made = call("numpy", "dtype", text(code), b"\x89", b"\x88")
    return made if state is None else made + state + BUILD


def scalar(kind: bytes, content: bytes) -> bytes:
    """Pushes a NumPy scalar."""
    return call("numpy.core.multiarray", "scalar", kind, data(content))


NDARRAY = call("mxnet.ndarray.ndarray", "NDArray", NONE)
PAY = text(PAYLOAD)
EVAL = call("builtins", "eval", PAY)
