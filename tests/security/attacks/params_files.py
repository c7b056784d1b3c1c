"""Hostile `.params` files."""

from __future__ import annotations

import struct
from pathlib import Path

import mxnet as mx
from tests.security.attack import Attacks

TABLE = Attacks()

HEADER = struct.pack("<QQQ", 0x112, 0, 1)
NONE = struct.pack("<Iii", 0xF993FAC9, 0, 0)
"""The record of an array that was never filled."""


def dense(shape: tuple[int, ...], data: bytes = b"", code: int = 0) -> bytes:
    """Returns the record of an array, whatever its shape says."""
    lengths = struct.pack(f"<i{len(shape)}q", len(shape), *shape)
    return struct.pack("<Ii", 0xF993FAC9, 0) + lengths + struct.pack("<iii", 1, 0, code) + data


FILES = [
    ("empty", b""),
    ("zeros", bytes(64)),
    ("only_magic", struct.pack("<Q", 0x112)),
    ("count_without_arrays", struct.pack("<QQQ", 0x112, 0, 2**60)),
    ("negative_count", struct.pack("<QQq", 0x112, 0, -1)),
    ("shape_of_petabytes", HEADER + dense((2**25, 2**25))),
    ("shape_that_overflows", HEADER + dense((2**62, 2**62))),
    ("shape_that_overflows_to_zero", HEADER + dense((2**32, 2**32))),
    ("negative_length", HEADER + dense((-4, 1), bytes(16))),
    ("unknown_dtype", HEADER + dense((1,), bytes(4), code=77)),
    ("negative_dtype", HEADER + dense((1,), bytes(4), code=-1)),
    ("billion_axes", HEADER + struct.pack("<Iii", 0xF993FAC9, 0, 10**9)),
    ("old_billion_axes", HEADER + struct.pack("<I", 10**9) + bytes(64)),
    ("truncated_data", HEADER + dense((4,), bytes(15))),
    ("long_name", HEADER + dense((1,), bytes(4)) + struct.pack("<QQ", 1, 2**63) + b"w"),
    ("too_many_names", HEADER + dense((1,), bytes(4)) + struct.pack("<Q", 2**61)),
    ("name_not_text", HEADER + dense((1,), bytes(4)) + struct.pack("<QQ", 1, 2) + b"\xff\xfe"),
    ("unknown_storage", HEADER + struct.pack("<Iii", 0xF993FAC9, 99, 1)),
    ("very_many_arrays", struct.pack("<QQQ", 0x112, 0, 600_000) + NONE * 600_000 + bytes(8)),
    ("zip_without_content", b"PK\x03\x04" + bytes(40)),
    (
        "npy_of_objects",
        b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
    ),
    ("npy_of_petabytes", b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'shape': (1000000000000000,)}"),
]


def load(folder: Path, data: object) -> None:
    path = folder / "net-0000.params"
    path.write_bytes(data)
    mx.nd.load(str(path))


TABLE.add_each("load", FILES, load)


def safetensors(header: bytes, data: bytes = b"", length: int | None = None) -> bytes:
    """Returns a file of safetensors, whatever its header says."""
    return struct.pack("<Q", len(header) if length is None else length) + header + data


SAFETENSORS = [
    ("empty", b""),
    ("header_of_exabytes", safetensors(b"{}", length=2**62)),
    ("nested", safetensors(b'{"w":' * 200_000)),
    ("long_number", safetensors(b'{"w":{"dtype":"F32","shape":[' + b"9" * 100_000 + b"]}}")),
    (
        "shape_of_petabytes",
        safetensors(b'{"w":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}' % (2**50, 2**52)),
    ),
    (
        "many_arrays_of_the_same_bytes",
        safetensors(
            b"{%b}"
            % b",".join(
                b'"%d":{"dtype":"U8","shape":[4096],"data_offsets":[0,4096]}' % number
                for number in range(100_000)
            ),
            bytes(4096),
        ),
    ),
]


def load_safetensors(folder: Path, data: object) -> None:
    path = folder / "net.safetensors"
    path.write_bytes(data)
    mx.nd.load(str(path))


TABLE.add_each("safetensors", SAFETENSORS, load_safetensors)


@TABLE.add(names="lists and objects")
def objects_in_a_header_of_safetensors(folder: Path) -> None:
    """Each would take thirty times its own length once it is parsed."""
    load_safetensors(folder, safetensors(b'{"a":[' + b'{"":0},' * 3_100_000 + b"0]}"))
