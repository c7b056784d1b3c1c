from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict, defaultdict

import numpy as np
import pytest

from mxnet import _safe_pickle
from mxnet.errors import FileFormatError, MXNetError

PLAIN = [
    {1: [2.5, "three", b"four", None, True, (5, 6j)]},
    {frozenset({1}), 2},
    OrderedDict(a=1),
    defaultdict(list, a=[1]),
    range(3),
    bytearray(b"x"),
    np.float32(1.5),
    np.int64(3),
    np.dtype("float16"),
]


def nothing(*_: str) -> None:
    """Allows no name beside the plain ones."""


@pytest.mark.parametrize("value", PLAIN, ids=repr)
@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_containers_and_scalars_pass(value, protocol: int):
    data = pickle.dumps(value, protocol)
    assert _safe_pickle.loads(data, "test", nothing) == value


def test_arrays_of_numpy_pass():
    data = pickle.dumps(np.arange(4), 4)
    assert (_safe_pickle.loads(data, "test", nothing) == np.arange(4)).all()


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
    with pytest.raises(_safe_pickle.RefusedPickleError, match="refuses to load") as caught:
        _safe_pickle.loads(pickle.dumps({0: call}), "file", nothing)
    assert isinstance(caught.value, pickle.UnpicklingError)


def test_dotted_names_do_not_lead_out_of_what_is_allowed():
    data = b"\x80\x04\x8c\x05numpy\x8c\x11ndarray.__class__\x93."
    with pytest.raises(_safe_pickle.RefusedPickleError):
        _safe_pickle.loads(data, "file", nothing)


def test_codecs_are_only_for_bytes():
    import codecs

    with pytest.raises(MXNetError):
        _safe_pickle.loads(pickle.dumps(Call(codecs.encode, "x", "rot13")), "file", nothing)


@pytest.mark.parametrize("data", [b"", b"xx", b"\x80\x04", b"\x80\x04.", pickle.dumps([1])[:-2]])
def test_damaged_pickles_are_reported(data: bytes):
    with pytest.raises(FileFormatError, match="file"):
        _safe_pickle.loads(data, "file", nothing)
