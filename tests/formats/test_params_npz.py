"""Files of MXNet 2.0, which are NumPy's: read without pickle and without trust in their sizes."""

from __future__ import annotations

import io
import random
import struct
import tracemalloc
import warnings
import zipfile

import numpy as np
import pytest

from mxnet import limits
from mxnet._formats.element_types import BFLOAT16_NUMPY, TYPE_CODES
from mxnet._formats.params.file import load_params, read_params
from mxnet.errors import FileFormatError, LimitExceededError

PLAIN_TYPES = [row for row in TYPE_CODES if row.name != "bfloat16"]


def npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def npy_by_hand(descr: str, shape: str, data: bytes, fortran: str = "False") -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def npz(entries: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return file.getvalue()


def csr_entries(name: str, format_: bytes) -> dict[str, bytes]:
    return {
        f"{name}/data.npy": npy(np.array([1.0, 2.0], "float32")),
        f"{name}/indices.npy": npy(np.array([2, 0])),
        f"{name}/indptr.npy": npy(np.array([0, 1, 2])),
        f"{name}/shape.npy": npy(np.array([2, 3])),
        f"{name}/format.npy": format_,
    }


@pytest.mark.parametrize("row", PLAIN_TYPES, ids=lambda row: row.name)
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 4), (5,)])
def test_reads_npy(row, shape, tmp_path):
    array = np.ones(shape, row.numpy)
    path = tmp_path / "net.params"
    path.write_bytes(npy(array))
    (record,), names = load_params(path)
    assert names == []
    assert record.data.dtype == row.numpy
    assert record.shape == shape
    np.testing.assert_array_equal(record.data, array)


def test_reads_fortran_order_and_later_versions():
    array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    (record,), _ = read_params(npy(array), "memory")
    np.testing.assert_array_equal(record.data, array)
    assert record.data.flags.c_contiguous
    for version in ((2, 0), (3, 0)):
        file = io.BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.lib.format.write_array(file, array, version)
        (record,), _ = read_params(file.getvalue(), "memory")
        np.testing.assert_array_equal(record.data, array)


def test_reads_bfloat16_in_either_spelling():
    bits = np.array([0x3F80, 0x4020], "uint16")
    for content in (npy_by_hand("'<b2'", "(2,)", bits.tobytes()), npy(bits.view(BFLOAT16_NUMPY))):
        (record,), _ = read_params(content, "memory")
        assert record.data.dtype == BFLOAT16_NUMPY
        assert record.data.tobytes() == bits.tobytes()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_reads_npz_in_order(save, tmp_path):
    arrays = {
        "features.0.weight": np.zeros((64, 64), "float32"),
        "b": np.array(7),
        "größe": np.eye(2),
    }
    path = tmp_path / "net.params"
    with path.open("wb") as file:
        save(file, **arrays)
    records, names = load_params(path)
    assert names == list(arrays)
    for record, array in zip(records, arrays.values(), strict=True):
        assert record.data.dtype == array.dtype
        np.testing.assert_array_equal(record.data, array)
    file = io.BytesIO()
    save(file, *arrays.values())
    assert read_params(file.getvalue(), "memory")[1] == ["arr_0", "arr_1", "arr_2"]


def test_reads_empty_archive():
    assert read_params(npz({}), "memory") == ([], [])


@pytest.mark.parametrize(
    "format_",
    [npy(np.array(b"csr")), npy(np.array("csr")), npy(np.frombuffer(b"csr", "uint8"))],
    ids=["bytes", "text", "codes"],
)
def test_reads_sparse_folders(format_):
    rows = {
        "r/": b"",
        "r/data.npy": npy(np.ones((1, 2), "float16")),
        "r/indices.npy": npy(np.array([3])),
        "r/shape.npy": npy(np.array([5, 2])),
        "r/format.npy": npy(np.array(b"row_sparse")),
    }
    dense = {"deep/data.npy": npy(np.zeros(1)), "deep/format.npy": npy(np.zeros(2))}
    records, names = read_params(npz({**rows, **csr_entries("c/m", format_), **dense}), "memory")
    assert names == ["r", "c/m", "deep/data", "deep/format"]
    assert [record.storage for record in records] == ["row_sparse", "csr", "default", "default"]
    assert records[0].shape == (5, 2)
    assert records[0].aux[0].tolist() == [3]
    assert records[1].shape == (2, 3)
    assert [part.tolist() for part in records[1].aux] == [[0, 1, 2], [2, 0]]


GOOD = npy(np.ones(3, "float32"))
CSR = csr_entries("m", npy(np.array(b"csr")))
HOSTILE = {
    "object": (npy_by_hand("'|O'", "(1,)", bytes(8)), "'|O'"),
    "big-endian": (npy(np.ones(3, ">f4")), "'>f4'"),
    "structured": (npy(np.zeros(2, [("a", "i4")])), "cannot be read"),
    "expression": (npy_by_hand("'<f4'", "(2**9,)", bytes(8)), "bad npy header"),
    "negative": (npy_by_hand("'<f4'", "(-2,)", bytes(8)), "bad npy header"),
    "many digits": (npy_by_hand("'<f4'", f"({'9' * 5000},)", bytes(8)), "bad npy header"),
    "many sizes": (npy_by_hand("'<f4'", f"({'1,' * 70})", bytes(8)), "bad npy header"),
    "overflow": (npy_by_hand("'<f4'", f"({2**62}, 4)", bytes(8)), "too large"),
    "claims more": (npy_by_hand("'<f4'", "(1000000000,)", bytes(8)), "only 8 are left"),
    "claims less": (npy_by_hand("'<f4'", "(1,)", bytes(8)), "4 bytes follow"),
    "order": (npy_by_hand("'<f4'", "(2,)", bytes(8), fortran="None"), "bad npy header"),
    "version": (b"\x93NUMPY\x09\x00" + GOOD[8:], "version"),
    "magic": (b"\x93NUMBER" + GOOD[6:], "npy"),
    "long header": (b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31) + GOOD, "too long"),
    "entry size": (npz({"a.npy": npy_by_hand("'<f4'", "(9,)", bytes(8))}), "array 'a'.*36 bytes"),
    "not an array": (npz({"a.txt": b"text"}), "'a.txt': not an array"),
    "no folder part": (npz({k: v for k, v in CSR.items() if "indptr" not in k}), "lacks indptr"),
    "bad format": (npz(csr_entries("m", npy(np.array(b"coo")))), "expected row_sparse or csr"),
    "bad shape": (npz({**CSR, "m/shape.npy": npy(np.array([2.0, 3]))}), "list of integers"),
    "negative shape": (npz({**CSR, "m/shape.npy": npy(np.array([-2, 3]))}), "negative"),
    "bad indices": (npz({**CSR, "m/indices.npy": npy(np.array([0, 9]))}), "array 'm': indices go"),
    "compression": (npz({"a.npy": GOOD}, zipfile.ZIP_BZIP2), "unknown compression 12"),
    "no directory": (npz({"a.npy": GOOD})[:-30], "damaged archive"),
    "checksum": (npz({"a.npy": GOOD}).replace(GOOD[-4:], b"abcd"), "damaged archive.*CRC"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_refused(name, tmp_path):
    content, message = HOSTILE[name]
    path = tmp_path / "evil.params"
    path.write_bytes(content)
    for read in (lambda: read_params(content, "evil.params"), lambda: load_params(path)):
        with pytest.raises(FileFormatError, match=message) as caught:
            read()
        assert "evil.params: " in str(caught.value)


def forge(content: bytes, field: int, value: int) -> bytes:
    """Changes a 32-bit field of the only entry in the central directory of an archive."""
    start = content.index(b"PK\x01\x02") + field
    return content[:start] + struct.pack("<I", value) + content[start + 4 :]


UNPACKED_SIZE = 24
PACKED_SIZE = 20


def test_forged_sizes_are_refused():
    stored, packed = npz({"a.npy": GOOD}), npz({"a.npy": GOOD}, zipfile.ZIP_DEFLATED)
    for content, message in (
        (forge(stored, UNPACKED_SIZE, 10**9), "claims 1000000000"),
        (forge(packed, UNPACKED_SIZE, 10**9), "cannot unpack"),
        (forge(packed, PACKED_SIZE, 10**6), "too much"),
    ):
        with pytest.raises(FileFormatError, match=message):
            read_params(content, "evil")


def test_bombs_are_refused_and_zeros_are_not():
    zeros = npz({"a.npy": npy(np.zeros(10**6))}, zipfile.ZIP_DEFLATED)
    assert len(zeros) < 10_000
    (record,), _ = read_params(zeros, "zeros")
    assert record.shape == (10**6,)
    with limits.scope(archive_bytes=10**6), pytest.raises(LimitExceededError, match="bomb"):
        read_params(zeros, "bomb")


def test_encrypted_and_repeated_entries_are_refused():
    content = npz({"a.npy": GOOD})
    start = content.index(b"PK\x01\x02") + 8
    with pytest.raises(FileFormatError, match="encrypted"):
        read_params(content[:start] + b"\x01\x00" + content[start + 2 :], "evil")
    two = npz({"a.npy": GOOD, "b.npy": GOOD}).replace(b"b.npy", b"a.npy")
    with pytest.raises(FileFormatError, match=r"'a\.npy': occurs twice"):
        read_params(two, "evil")


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_truncation_and_random_damage(compression):
    content = npz({**CSR, "a.npy": GOOD, "b.npy": npy(np.eye(3))}, compression)
    for length in range(len(content)):
        with pytest.raises(FileFormatError):
            read_params(content[:length], "cut")
    rng = random.Random(7)
    num_refused = 0
    tracemalloc.start()
    try:
        for _ in range(2000):
            damaged = bytearray(content)
            for _ in range(rng.randint(1, 3)):
                start = rng.randrange(4, len(damaged))
                value = rng.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, rng.getrandbits(32)])
                width = rng.choice([1, 1, 2, 4])
                damaged[start : start + width] = struct.pack("<I", value)[:width]
            try:
                read_params(bytes(damaged), "damaged")
            except FileFormatError:
                num_refused += 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert num_refused > 1000
    assert peak < 300_000


def test_random_damage_on_disk(tmp_path):
    content = npz({"a.npy": GOOD, "b.npy": npy(np.eye(3))})
    rng = random.Random(8)
    path = tmp_path / "damaged.params"
    for _ in range(500):
        damaged = bytearray(content)
        damaged[rng.randrange(len(content) - 150, len(content))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            load_params(path)
        except FileFormatError as error:
            assert "damaged.params" in str(error)
