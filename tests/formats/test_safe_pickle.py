from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict, defaultdict

import numpy as np
import pytest

from mxnet import limits
from mxnet._formats import safe_pickle
from mxnet.errors import FileFormatError, LimitExceededError, MXNetError

PLAIN = [
    {1: [2.5, "three", b"four", None, True, (5, 6j)]},
    {frozenset({1}), 2},
    OrderedDict(a=1),
    defaultdict(list, a=[1]),
    range(3),
    slice(1, None, 2),
    bytearray(b"x"),
    bytearray(),
    b"",
    "\ud800 \n \u20ac",
    [-1, 255, 256, 65536, 2**31, -(2**63), 2**1000],
    [1.5, -0.0, float("inf")],
    ((), [[]], {}, set(), frozenset()),
    {(1, "a"): {2.5: {None: {True: b"k"}}}},
    OrderedDict([(1, [OrderedDict()])]),
    np.bool_(True),
    np.complex64(1 + 2j),
    np.float32(1.5),
    np.int64(3),
    np.dtype("float16"),
]


def nothing(*_: str) -> None:
    """Allows no name beside the plain ones."""


@pytest.mark.parametrize("value", PLAIN, ids=repr)
@pytest.mark.parametrize("protocol", range(6))
def test_containers_and_scalars_pass(value, protocol: int):
    data = pickle.dumps(value, protocol)
    assert safe_pickle.loads(data, "test", nothing) == value


ARRAYS = [
    np.arange(4),
    np.zeros((0, 3), "f2"),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.arange(6).reshape(2, 3)[:, ::2],
    np.array([True, False]),
    np.array(2.5),
    np.arange(3, dtype=">i4"),
    np.array([1 + 2j]),
]


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test_arrays_of_numpy_pass(array, protocol: int):
    read = safe_pickle.loads(pickle.dumps(array, protocol), "test", nothing)
    np.testing.assert_array_equal(read, array)
    assert read.dtype == array.dtype
    assert read.flags.writeable


def test_one_container_in_two_places_stays_one():
    shared = [1]
    first, second = safe_pickle.loads(pickle.dumps((shared, shared)), "test", nothing)
    assert first is second


def test_text_of_python_2_is_read():
    data = b"(S'a\\n'\nU\x01bT\x01\x00\x00\x00cc__builtin__\nxrange\n(I3\ntRt."
    assert safe_pickle.loads(data, "test", nothing) == ("a\n", "b", "c", range(3))


def test_what_follows_the_end_is_ignored():
    assert safe_pickle.loads(pickle.dumps(1) + b"more", "test", nothing) == 1


def test_many_values_are_refused_until_the_limit_is_raised():
    data = pickle.dumps([None] * 1000)
    refused = pytest.raises(LimitExceededError, match=r"file: byte \d+.*pickle_values")
    with limits.scope(pickle_values=500), refused:
        safe_pickle.loads(data, "file", nothing)
    assert len(safe_pickle.loads(data, "file", nothing)) == 1000


def nest(depth: int) -> list:
    value = []
    for _ in range(depth):
        value = [value]
    return value


def test_depth_is_bounded():
    assert safe_pickle.loads(pickle.dumps(nest(60)), "file", nothing) == nest(60)
    with pytest.raises(FileFormatError, match="depth"):
        safe_pickle.loads(pickle.dumps(nest(64)), "file", nothing)


def test_cycles_are_refused():
    value = []
    value.append({0: value})
    with pytest.raises(FileFormatError, match="itself"):
        safe_pickle.loads(pickle.dumps(value), "file", nothing)


@pytest.mark.parametrize("size", [10_001, 2**17])
def test_unusual_keys_are_few(size: int):
    with pytest.raises(FileFormatError, match="keys"):
        safe_pickle.loads(pickle.dumps({2**40 + i: None for i in range(size)}), "file", nothing)


def test_errors_tell_the_place():
    with pytest.raises(FileFormatError, match=r"^file: byte 2: .*0xff"):
        safe_pickle.loads(b"\x80\x04\xff.", "file", nothing)


@pytest.mark.parametrize("seed", range(200))
def test_random_changes_end_in_our_errors(seed: int):
    random = np.random.default_rng(seed)
    data = bytearray(pickle.dumps([*PLAIN, *ARRAYS], int(random.integers(6))))
    for position in random.integers(len(data), size=random.integers(1, 4)):
        data[position] = random.integers(256)
    try:
        safe_pickle.loads(bytes(data), "file", nothing)
    except MXNetError as error:
        assert str(error).startswith("file: byte ")


class Call:
    """Pickles as a call of a function."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize(
    "call",
    [
        Call(os.system, "false"),
        Call(eval, "1"),
        Call(getattr, 1, "real"),
        Call(__import__, "os"),
        Call(print, "x"),
        Call(io.open, os.devnull),
        Call(np.load, "x.npy"),
        Call(pickle.loads, b"N."),
    ],
    ids=lambda call: call.call[0].__name__,
)
def test_functions_are_refused(call: Call):
    with pytest.raises(safe_pickle.RefusedPickleError, match="refuses to load") as caught:
        safe_pickle.loads(pickle.dumps({0: call}), "file", nothing)
    assert isinstance(caught.value, pickle.UnpicklingError)


def test_dotted_names_do_not_lead_out_of_what_is_allowed():
    data = b"\x80\x04\x8c\x05numpy\x8c\x11ndarray.__class__\x93."
    with pytest.raises(safe_pickle.RefusedPickleError):
        safe_pickle.loads(data, "file", nothing)


def test_codecs_are_only_for_bytes():
    import codecs

    with pytest.raises(MXNetError):
        safe_pickle.loads(pickle.dumps(Call(codecs.encode, "x", "rot13")), "file", nothing)


@pytest.mark.parametrize("data", [b"", b"xx", b"\x80\x04", b"\x80\x04.", pickle.dumps([1])[:-2]])
def test_damaged_pickles_are_reported(data: bytes):
    with pytest.raises(FileFormatError, match="file"):
        safe_pickle.loads(data, "file", nothing)
