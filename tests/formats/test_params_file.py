"""Parameter files: equal to the original's byte for byte, and safe to read when damaged."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from mxnet._formats.element_types import BFLOAT16_NUMPY, TYPE_CODES
from mxnet._formats.params.file import (
    ArrayRecord,
    decode_record,
    encode_record,
    load_params,
    read_params,
    save_params,
    write_params,
)
from mxnet.errors import FileFormatError, MXNetError
from tests.golden.params_cases import CASES, Case, csr, row_sparse

GOLDEN = Path(__file__).parents[1] / "golden"
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
FLOATS = np.array([1.5, -2.0], "float32")
BODY = struct.pack("<iii", 1, 0, 0) + FLOATS.tobytes()


def records_of(case: Case) -> list[ArrayRecord]:
    return [ArrayRecord(*spec) for spec in case.specs]


def assert_same(found: ArrayRecord, expected: ArrayRecord) -> None:
    assert found.storage == expected.storage
    assert found.shape == expected.shape
    assert found.context == expected.context
    assert len(found.aux) == len(expected.aux)
    for a, b in zip((found.data, *found.aux), (expected.data, *expected.aux), strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        assert a.tobytes() == b.tobytes()
        assert a.flags.aligned and a.flags.writeable and a.flags.c_contiguous


def file_of(*records: bytes, names: tuple[bytes, ...] = (), count: int | None = None) -> bytes:
    """Writes a file of ready-made records by the rules of the format."""
    content = struct.pack("<QQQ", 0x112, 0, len(records) if count is None else count)
    content += b"".join(records) + struct.pack("<Q", len(names))
    return content + b"".join(struct.pack("<Q", len(name)) + name for name in names)


def record_v0(array: np.ndarray, code: int) -> bytes:
    head = struct.pack(f"<{array.ndim + 1}I", array.ndim, *array.shape)
    return head + struct.pack("<iii", 1, 0, code) + array.tobytes()


def record_v1(array: np.ndarray, code: int) -> bytes:
    head = struct.pack(f"<Ii{array.ndim}q", V1, array.ndim, *array.shape)
    return head + struct.pack("<iii", 2, 1, code) + array.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_writes_what_the_original_writes(name):
    case = CASES[name]
    written = write_params(records_of(case), case.names, np_shape=case.np_shape)
    assert written == (GOLDEN / "params" / f"{name}.params").read_bytes()


@pytest.mark.parametrize("name", CASES)
def test_reads_what_the_original_writes(name):
    case = CASES[name]
    records, names = load_params(GOLDEN / "params" / f"{name}.params")
    assert tuple(names) == case.names
    for found, expected in zip(records, records_of(case), strict=True):
        assert_same(found, expected)


@pytest.mark.parametrize("name", ["float32", "sparse"])
def test_single_record_is_what_the_original_pickles(name):
    record = records_of(CASES[name])[0]
    pickled = (GOLDEN / "params" / f"pickled_{name}.bin").read_bytes()
    assert encode_record(record) == pickled
    assert_same(decode_record(pickled), record)
    assert_same(decode_record(memoryview(pickled)), record)


@pytest.mark.skipif("ORIGINAL_PYTHON" not in os.environ, reason="needs the original")
def test_original_reads_what_we_write(tmp_path):
    for name, case in CASES.items():
        path = tmp_path / f"{name}.params"
        save_params(path, records_of(case), case.names, np_shape=case.np_shape)
    script = GOLDEN / "read_params_with_original.py"
    command = [os.environ["ORIGINAL_PYTHON"], str(script), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("OK")


@pytest.mark.parametrize("row", TYPE_CODES, ids=lambda row: row.name)
@pytest.mark.parametrize("np_shape", [False, True])
def test_every_type_round_trips(row, np_shape):
    data = np.arange(24, dtype="uint8").repeat(row.numpy.itemsize)
    data = (data.astype("bool") if row.name == "bool" else data).view(row.numpy).reshape(4, 6)
    record = ArrayRecord.dense(data, (2, 1))
    (found,), _ = read_params(write_params([record], np_shape=np_shape), "memory")
    assert_same(found, record)
    (found,), _ = read_params(
        write_params([ArrayRecord.dense(data.T)], np_shape=np_shape), "memory"
    )
    assert found.data.tobytes() == data.T.tobytes()


@pytest.mark.parametrize("write", [record_v0, record_v1])
@pytest.mark.parametrize("row", TYPE_CODES[:7], ids=lambda row: row.name)
def test_reads_older_generations(write, row):
    arrays = [np.arange(12).reshape(3, 4).astype(row.numpy), np.ones(5, row.numpy)]
    content = file_of(*(write(array, row.code) for array in arrays), names=(b"arg:w", b"b"))
    records, names = read_params(content, "memory")
    assert names == ["arg:w", "b"]
    for record, array in zip(records, arrays, strict=True):
        assert record.data.dtype == row.numpy
        np.testing.assert_array_equal(record.data, array)
        assert record.context == ((1, 0) if write is record_v0 else (2, 1))


def test_generations_mix_in_one_file():
    sparse = encode_record(ArrayRecord(*row_sparse("float32", [2], (4, 2))))
    content = file_of(record_v0(FLOATS, 0), record_v1(FLOATS, 0), sparse)
    records, names = read_params(content, "memory")
    assert [record.storage for record in records] == ["default", "default", "row_sparse"]
    assert names == []


@pytest.mark.parametrize(
    "empty", [struct.pack("<I", 0), struct.pack("<Ii", V1, 0), struct.pack("<Iii", V2, 0, 0)]
)
def test_array_that_was_never_filled(empty):
    records, _ = read_params(file_of(empty, record_v1(FLOATS, 0), empty), "memory")
    assert [record.data is None for record in records] == [True, False, True]
    assert decode_record(empty).shape == ()
    with pytest.raises(MXNetError, match="never filled"):
        encode_record(decode_record(empty))


def test_bytes_that_are_no_booleans_become_booleans():
    content = struct.pack("<Iiiqiii", V2, 0, 1, 3, 1, 0, 7) + b"\x00\x02\xff"
    data = decode_record(content).data
    assert data.view("uint8").tolist() == [0, 1, 1]


def test_reserved_word_and_what_follows_are_ignored_as_by_the_original():
    content = bytearray(file_of(record_v1(FLOATS, 0)) + b"more")
    content[8] = 7
    records, _ = read_params(bytes(content), "memory")
    np.testing.assert_array_equal(records[0].data, FLOATS)


def test_needs_no_torch():
    # A package without the initialiser, which imports torch for the rest.
    code = "import sys, types; package = types.ModuleType('mxnet'); "
    code += "package.__path__ = [sys.argv[1]]; sys.modules['mxnet'] = package; "
    code += "import mxnet._formats.params.file; sys.exit('torch' in sys.modules)"
    folder = Path(sys.modules["mxnet"].__file__).parent
    done = subprocess.run([sys.executable, "-c", code, str(folder)], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (ArrayRecord.dense(np.zeros(2, "complex64")), "complex64"),
        (ArrayRecord.dense(np.zeros(2, ">f4")), ">f4"),
        (ArrayRecord(FLOATS, "default", (3,)), "its shape"),
        (ArrayRecord(None, "csr", (3, 2)), "never filled"),
        (ArrayRecord(FLOATS, "csr", (3, 2), (np.zeros(1), np.zeros(2))), "integers"),
    ],
)
def test_refuses_to_write_what_cannot_be_read(record, message):
    with pytest.raises(MXNetError, match=message):
        encode_record(record)


def test_refuses_sparse_with_numpy_shapes_and_missing_names():
    sparse = ArrayRecord(*csr("float32", [0, 1], [0], 2))
    with pytest.raises(MXNetError, match="dense"):
        write_params([sparse], np_shape=True)
    with pytest.raises(MXNetError, match="2 for 1"):
        write_params([sparse], ["a", "b"])


def sparse_record(storage: int, data_shape, shape, aux) -> bytes:
    def packed(dims):
        return struct.pack(f"<i{len(dims)}q", len(dims), *dims)

    content = struct.pack("<Ii", V2, storage) + packed(data_shape) + packed(shape)
    content += struct.pack("<iii", 1, 0, 0)
    content += b"".join(struct.pack("<i", 6) + packed((len(part),)) for part in aux)
    content += bytes(4 * int(np.prod(data_shape)))
    return content + b"".join(np.array(part, "int64").tobytes() for part in aux)


HUGE = 2**62
HOSTILE = {
    "no bytes": (b"", "header"),
    "foreign": (b"GIF89a" + bytes(40), "not a parameter file"),
    "huge count": (file_of(count=2**64 - 1), "cannot be in"),
    "count too large": (file_of(record_v0(FLOATS, 0), count=3), "only 0 are left"),
    "V0 ndim": (file_of(struct.pack("<I", 0xFFFFFFFF)), "array 0 of 1: expected between"),
    "V0 dims": (file_of(struct.pack("<III", 2, 2**32 - 1, 2**32 - 1) + BODY), "too large"),
    "V0 size": (file_of(struct.pack("<II", 1, 2**32 - 1) + BODY), "only 16 are left"),
    "V1 ndim": (file_of(struct.pack("<Ii", V1, 2**31 - 1)), "dimensions, got 2147483647"),
    "negative ndim": (file_of(struct.pack("<Iii", V2, 0, -2)), "dimensions, got -2"),
    "unknown V3 shape": (file_of(struct.pack("<Iii", V3, 0, -1)), "dimensions, got -1"),
    "negative size": (file_of(struct.pack("<Iiiq", V2, 0, 1, -1) + BODY), "negative"),
    "large size": (file_of(struct.pack("<Iiiq", V2, 0, 1, 2**40) + BODY), "only"),
    "product wraps to 0": (file_of(struct.pack("<Iii4q", V2, 0, 4, *[2**16] * 4) + BODY), "large"),
    "product wraps": (file_of(struct.pack("<Iii2q", V2, 0, 2, HUGE, 6) + BODY), "too large"),
    "large beside 0": (file_of(struct.pack("<Iii3q", V2, 0, 3, 0, HUGE, 9) + BODY), "too large"),
    "storage type": (file_of(struct.pack("<Iii", V2, 3, 0)), "unknown storage type 3"),
    "undefined storage": (file_of(struct.pack("<Iii", V2, -1, 0)), "unknown storage type -1"),
    "dtype": (file_of(struct.pack("<Iiiqiii", V2, 0, 1, 1, 1, 0, 13)), "unknown dtype code 13"),
    "name count": (file_of(record_v0(FLOATS, 0), names=(b"a", b"b")), "names: expected none or 1"),
    "huge name": (file_of(record_v0(FLOATS, 0))[:-8] + struct.pack("<QQ", 1, 2**63), "name 0 of 1"),
    "name not UTF-8": (file_of(record_v0(FLOATS, 0), names=(b"\xff",)), "not UTF-8"),
    "rows": (file_of(sparse_record(1, (2, 3), (6, 3), [[1]])), "rows of shape"),
    "row outside": (file_of(sparse_record(1, (1, 3), (6, 3), [[6]])), "indices go from 6 to 6"),
    "row negative": (file_of(sparse_record(1, (1, 3), (6, 3), [[-1]])), "indices go from -1"),
    "sparse scalar": (file_of(sparse_record(1, (), (), [[]])), "rows of shape"),
    "pointers short": (file_of(sparse_record(2, (1,), (2, 3), [[0, 1], [0]])), "2 row pointers"),
    "pointers fall": (file_of(sparse_record(2, (1,), (2, 3), [[0, 2, 1], [0]])), "rise"),
    "column outside": (file_of(sparse_record(2, (1,), (1, 3), [[0, 1], [3]])), "indices go"),
    "elements": (file_of(sparse_record(2, (2,), (1, 3), [[0, 1], [0]])), "elements of shape"),
    "sparse large": (file_of(sparse_record(1, (0,), (2,), [[]])[:8] + b"\xff" * 4), "dimensions"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_refused_by_name(name, tmp_path):
    content, message = HOSTILE[name]
    with pytest.raises(FileFormatError, match=message) as caught:
        read_params(content, "evil.params")
    assert str(caught.value).startswith("evil.params: ")
    path = tmp_path / "evil.params"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message) as caught:
        load_params(path)
    assert str(path) in str(caught.value)


def test_csr_without_pointers_is_an_empty_one():
    record = decode_record(sparse_record(2, (0,), (2, 3), [[], []]))
    assert record.shape == (2, 3)


@pytest.mark.parametrize("name", ["dict", "sparse", "np_shape"])
def test_truncation_at_every_length_is_refused(name):
    content = (GOLDEN / "params" / f"{name}.params").read_bytes()
    for length in range(len(content)):
        with pytest.raises(FileFormatError, match="cut"):
            read_params(content[:length], "cut")


def test_truncated_single_record_is_refused():
    content = encode_record(records_of(CASES["sparse"])[3])
    for length in range(len(content)):
        with pytest.raises(FileFormatError):
            decode_record(content[:length])


def damage(content: bytes, rng: random.Random) -> bytes:
    """Changes, removes or inserts some bytes, with a taste for extreme values."""
    damaged = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(damaged))
        kind = rng.randrange(5)
        if kind == 0:
            damaged[start] = rng.randrange(256)
        elif kind == 1:
            damaged[start] ^= 1 << rng.randrange(8)
        elif kind == 2:
            value = rng.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, V1, V2, V3, 0x10000])
            damaged[start : start + 4] = struct.pack("<I", value)
        elif kind == 3:
            del damaged[start : start + rng.randint(1, 9)]
        else:
            damaged[start:start] = rng.randbytes(rng.randint(1, 9))
    return bytes(damaged)


def test_random_damage_is_refused_or_harmless():
    rng = random.Random(20)
    old = file_of(record_v0(FLOATS, 0), record_v1(np.ones((2, 3), "int64"), 6), names=(b"a", b"b"))
    contents = [path.read_bytes() for path in sorted((GOLDEN / "params").glob("*.params"))]
    num_refused = 0
    tracemalloc.start()
    try:
        for content in [*contents, old]:
            for _ in range(400):
                damaged = damage(content, rng)
                try:
                    read_params(damaged, "damaged")
                except FileFormatError:
                    num_refused += 1
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert num_refused > 3000
    assert peak < 100_000


def test_failure_while_saving_keeps_the_old_file(tmp_path):
    path = tmp_path / "net.params"
    good = ArrayRecord.dense(FLOATS)
    save_params(path, [good])
    before = path.read_bytes()
    with pytest.raises(MXNetError, match="array 'bad'"):
        save_params(path, [good, ArrayRecord.dense(np.zeros(2, "U3"))], ["good", "bad"])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_bfloat16_is_the_structured_type():
    (record,), _ = load_params(GOLDEN / "params" / "bfloat16.params")
    assert record.data.dtype == BFLOAT16_NUMPY
    assert record.data["bfloat16"].tolist() == [0x3F80, 0x4020, 0xC040]
