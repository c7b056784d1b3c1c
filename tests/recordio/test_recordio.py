"""Record files: equal to those of the original, and safe to read when damaged."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import recordio
from mxnet.errors import FileFormatError, MXNetError
from mxnet.recordio import IRHeader, MXIndexedRecordIO, MXRecordIO
from tests.golden import recordio_cases as cases

GOLDEN = Path(__file__).parents[1] / "golden" / "io"
PACKED = json.loads((GOLDEN / "packed.json").read_text())


def read_all(path):
    with MXRecordIO(path, "r") as reader:
        return list(iter(reader.read, None))


def write_all(path, payloads):
    with MXRecordIO(path, "w") as writer:
        for payload in payloads:
            writer.write(payload)


def read_what_is_good(path):
    found, errors = [], []
    with MXRecordIO(path, "r") as reader:
        while True:
            try:
                record = reader.read()
            except recordio.RecordError as error:
                errors.append(error)
                if not reader.resync():
                    return found, errors
                continue
            if record is None:
                return found, errors
            found.append(record)


def test_a_file_of_the_original_is_read():
    assert read_all(GOLDEN / "plain.rec") == cases.PAYLOADS


def test_a_written_file_equals_that_of_the_original(tmp_path):
    write_all(tmp_path / "a.rec", cases.PAYLOADS)
    assert (tmp_path / "a.rec").read_bytes() == (GOLDEN / "plain.rec").read_bytes()


def test_an_index_of_the_original_is_read():
    reader = MXIndexedRecordIO(GOLDEN / "keyed.idx", GOLDEN / "keyed.rec", "r")
    assert reader.keys == cases.KEYS
    for key, payload in reversed(list(zip(cases.KEYS, cases.PAYLOADS, strict=True))):
        assert reader.read_idx(key) == payload


def test_a_written_index_equals_that_of_the_original(tmp_path):
    with MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w") as writer:
        for key, payload in zip(cases.KEYS, cases.PAYLOADS, strict=True):
            writer.write_idx(key, payload)
    for name in ("idx", "rec"):
        assert (tmp_path / f"a.{name}").read_bytes() == (GOLDEN / f"keyed.{name}").read_bytes()


@pytest.mark.parametrize("name", cases.HEADERS)
def test_packed_headers_equal_those_of_the_original(name):
    packed = recordio.pack(cases.HEADERS[name], b"xyz")
    assert packed.hex() == PACKED["packed"][name]
    header, rest = recordio.unpack(packed)
    given = np.ravel(cases.HEADERS[name][1])
    assert rest == b"xyz"
    assert np.ravel(header.label).tolist() == (given.tolist() or [0])
    assert header[2:] == cases.HEADERS[name][2:]


@pytest.mark.parametrize("name", cases.IMAGES)
def test_packed_images_of_the_original_are_read(name):
    image = cases.make_image()
    header, found = recordio.unpack_img(bytes.fromhex(PACKED["images"][name]))
    assert header == (0, 1.0, 2, 3)
    difference = np.abs(found.astype(int) - image)
    assert difference.mean() < (0 if name in ("png", "bmp") else 20) + 1e-9


@pytest.mark.parametrize("name", cases.IMAGES)
def test_packed_images_hold_the_image(name):
    quality, ending = cases.IMAGES[name]
    packed = recordio.pack_img((0, 1.0, 2, 3), cases.make_image(), quality, ending)
    theirs = recordio.unpack_img(bytes.fromhex(PACKED["images"][name]))[1]
    assert np.abs(recordio.unpack_img(packed)[1].astype(int) - theirs).max() <= 1


def test_the_default_quality_suits_png_without_a_word(capfd):
    packed = recordio.pack_img((0, 1.0, 2, 3), cases.make_image(), img_fmt=".png")
    assert packed == recordio.pack_img((0, 1.0, 2, 3), cases.make_image(), 9, ".png")
    assert capfd.readouterr() == ("", "")


def test_an_image_is_unpacked_in_grey_or_colour():
    packed = recordio.pack_img((0, 1.0, 2, 3), cases.make_image(), 3, ".png")
    assert recordio.unpack_img(packed, 0)[1].shape == (20, 30)
    assert recordio.unpack_img(packed, 1)[1].shape == (20, 30, 3)
    assert recordio.unpack_img(packed[:60])[1] is None
    assert recordio.unpack_img(packed[:24])[1] is None


def test_headers_print_as_in_the_original():
    assert repr(IRHeader(0, 3.0, 7, 0)) == "HEADER(flag=0, label=3.0, id=7, id2=0)"
    assert IRHeader._fields == ("flag", "label", "id", "id2")


def test_reading_goes_on_after_reset_and_close():
    reader = MXRecordIO(str(GOLDEN / "plain.rec"), "r")
    first = [reader.read() for _ in range(3)]
    reader.reset()
    assert [reader.read() for _ in range(3)] == first
    reader.close()
    reader.close()
    assert not reader.is_open
    reader.open()
    assert reader.read() == first[0]


def test_resetting_a_writer_empties_the_file(tmp_path):
    writer = MXRecordIO(tmp_path / "a.rec", "w")
    writer.write(b"123")
    writer.reset()
    writer.write(b"4")
    writer.close()
    assert read_all(tmp_path / "a.rec") == [b"4"]


def test_positions_and_seeking(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    writer = MXIndexedRecordIO(*paths, "w", key_type=str)
    assert writer.tell() == 0
    writer.write_idx("one", b"hello")
    assert writer.tell() == 16
    writer.write_idx("two", b"world!")
    assert (writer.keys, writer.idx) == (["one", "two"], {"one": 0, "two": 16})
    writer.close()
    reader = MXIndexedRecordIO(*paths, "r", key_type=str)
    reader.seek("two")
    assert reader.tell() == 16
    assert reader.read() == b"world!"
    assert reader.read() is None
    assert reader.read_idx("one") == b"hello"


def test_the_last_record_of_a_key_counts(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    with MXIndexedRecordIO(*paths, "w") as writer:
        writer.write_idx(5, b"first")
        writer.write_idx(5, b"second")
    reader = MXIndexedRecordIO(*paths, "r")
    assert reader.keys == [5, 5]
    assert reader.read_idx(5) == b"second"


MISUSE = {
    "flag": (lambda: MXRecordIO("a.rec", "x"), ValueError, "'x'"),
    "missing file": (lambda: MXRecordIO("no.rec", "r"), FileNotFoundError, "no.rec"),
    "missing folder": (lambda: MXRecordIO("/no/a.rec", "w"), MXNetError, "/no/a.rec"),
    "missing index": (
        lambda: MXIndexedRecordIO("no.idx", str(GOLDEN / "plain.rec"), "r"),
        FileNotFoundError,
        "no.idx",
    ),
    "unknown key": (
        lambda: MXIndexedRecordIO(GOLDEN / "keyed.idx", GOLDEN / "keyed.rec", "r").read_idx(77),
        KeyError,
        "77",
    ),
    "write to a reader": (
        lambda: MXRecordIO(GOLDEN / "plain.rec", "r").write(b"a"),
        AssertionError,
        "writing",
    ),
    "text": (lambda: recordio.pack((0, 1, 2, 3), "text"), TypeError, "bytes"),
    "negative id": (lambda: recordio.pack((0, 1, -2, 3), b""), ValueError, "-2"),
    "short header": (lambda: recordio.unpack(b"abc"), FileFormatError, "24 bytes"),
    "fewer labels": (
        lambda: recordio.unpack(recordio.pack((0, [1, 2], 3, 4), b"")[:-4]),
        FileFormatError,
        "2 labels",
    ),
    "unknown format": (
        lambda: recordio.pack_img((0, 1, 2, 3), cases.make_image(), 95, ".xyz"),
        ValueError,
        ".xyz",
    ),
    "no array": (lambda: recordio.pack_img((0, 1, 2, 3), "image"), TypeError, "str"),
}


@pytest.mark.parametrize("name", MISUSE)
def test_misuse_is_named(name):
    call, kind, words = MISUSE[name]
    with pytest.raises(kind, match=words) as caught:
        call()
    assert isinstance(caught.value, MXNetError)


def test_closed_files_say_so(tmp_path):
    writer = MXRecordIO(tmp_path / "a.rec", "w")
    with pytest.raises(AssertionError, match="reading"):
        writer.read()
    with pytest.raises(TypeError, match="bytes"):
        writer.write("text")
    writer.close()
    with pytest.raises(RuntimeError, match="closed"):
        writer.write(b"a")


def test_a_truncated_record_is_named(tmp_path):
    path = tmp_path / "a.rec"
    write_all(path, [b"first", b"second" * 10])
    path.write_bytes(path.read_bytes()[:-8])
    reader = MXRecordIO(path, "r")
    assert reader.read() == b"first"
    with pytest.raises(
        recordio.RecordError, match=r"a\.rec: record at offset 16: truncated"
    ) as caught:
        reader.read()
    assert (caught.value.path, caught.value.offset) == (str(path), 16)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert not reader.resync()
    assert reader.read() is None


@pytest.mark.parametrize("length", [1, 2, 3, 4, 7, 8, 9, 11])
def test_any_cut_of_a_header_is_an_error(tmp_path, length):
    path = tmp_path / "a.rec"
    write_all(path, [b"abc"])
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(recordio.RecordError, match="offset 0"):
        read_all(path)


@pytest.mark.parametrize("garbage", [b"x", b"garbage!", cases.MAGIC, cases.MAGIC + b"\xff" * 9])
def test_garbage_between_records_can_be_skipped(tmp_path, garbage):
    whole = (GOLDEN / "plain.rec").read_bytes()
    path = tmp_path / "a.rec"
    path.write_bytes(whole + garbage + whole)
    found, errors = read_what_is_good(path)
    assert len(errors) == 1
    assert errors[0].offset == len(whole)
    assert found == cases.PAYLOADS * 2


def test_a_split_record_without_its_end_is_an_error(tmp_path):
    path = tmp_path / "a.rec"
    write_all(path, [b"abcd" + cases.MAGIC + b"efgh", b"next"])
    content = path.read_bytes()
    path.write_bytes(content[:12] + content[24:])
    found, errors = read_what_is_good(path)
    assert "end is missing" in str(errors[0])
    assert found == [b"next"]
    path.write_bytes(content[12:])
    assert "its first part expected" in str(read_what_is_good(path)[1][0])


def test_random_damage_never_hangs_or_crashes(tmp_path):
    rng = np.random.RandomState(0)
    whole = np.frombuffer((GOLDEN / "plain.rec").read_bytes(), np.uint8)
    path = tmp_path / "a.rec"
    for _ in range(200):
        damaged = whole.copy()
        damaged[rng.randint(len(whole), size=rng.randint(1, 8))] = rng.randint(256)
        path.write_bytes(damaged[: rng.randint(1, len(whole) + 1)].tobytes())
        found, _ = read_what_is_good(path)
        assert all(isinstance(record, bytes) for record in found)


def test_a_wrong_index_is_named(tmp_path):
    index = tmp_path / "a.idx"
    index.write_text("0\t0\n1\t3\n2\t100000\n")
    reader = MXIndexedRecordIO(index, GOLDEN / "plain.rec", "r")
    assert reader.read_idx(0) == b""
    with pytest.raises(recordio.RecordError, match=r"offset 3: .*key 1 of .*a.idx"):
        reader.read_idx(1)
    with pytest.raises(recordio.RecordError, match=r"a.idx is not its index \(key 2\)"):
        reader.read_idx(2)


@pytest.mark.parametrize("text", ["0\t0\nbad\n", "a\t0\n", "0\tx\n", "0\t0\n\n"])
def test_a_damaged_index_is_named(tmp_path, text):
    index = tmp_path / "a.idx"
    index.write_text(text)
    with pytest.raises(FileFormatError, match=r"a\.idx: line"):
        MXIndexedRecordIO(index, GOLDEN / "plain.rec", "r")


def test_records_are_skipped_as_they_are_read(tmp_path):
    from mxnet.recordio._format import skip_record

    path = GOLDEN / "plain.rec"
    content = path.read_bytes()
    with path.open("rb") as file, MXRecordIO(path, "r") as reader:
        while reader.read() is not None:
            skip_record(file, str(path), len(content))
            assert file.tell() == reader.tell()
    for length in (5, 11, len(content) - 1):
        cut = tmp_path / "cut.rec"
        cut.write_bytes(content[:length])
        with cut.open("rb") as file, pytest.raises(recordio.RecordError, match="offset"):
            while file.tell() < length:
                skip_record(file, str(cut), length)


def test_records_of_half_a_gigabyte_are_refused():
    class Huge(bytes):
        def __len__(self):
            return 2**29

        def __getitem__(self, key):
            return self

    from mxnet.recordio._format import encode_record

    with pytest.raises(ValueError, match="at most 536870911 bytes"):
        encode_record(Huge(b"a"))


def test_a_reader_can_be_pickled_and_starts_again():
    reader = MXIndexedRecordIO(GOLDEN / "keyed.idx", GOLDEN / "keyed.rec", "r")
    reader.read_idx(100)
    other = pickle.loads(pickle.dumps(reader))
    assert other.read() == cases.PAYLOADS[0]
    assert other.read_idx(3) == cases.PAYLOADS[2]


def test_a_writer_cannot_be_pickled(tmp_path):
    with pytest.raises(TypeError, match="writing"):
        pickle.dumps(MXRecordIO(tmp_path / "a.rec", "w"))


def _read_in_child(reader, queue):
    queue.put([reader.read(), reader.read()])


def _write_in_child(writer, queue):
    try:
        writer.write(b"a")
    except MXNetError as error:
        queue.put(str(error))


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize(("flag", "target"), [("r", _read_in_child), ("w", _write_in_child)])
def test_forked_processes_do_not_share_a_position(tmp_path, flag, target):
    path = tmp_path / "a.rec"
    write_all(path, [b"one", b"two", b"three"])
    file = MXRecordIO(path, flag)
    if flag == "r":
        file.read()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=target, args=(file, queue))
    child.start()
    answer = queue.get(timeout=30)
    child.join(30)
    if flag == "r":
        assert answer == [b"one", b"two"]
        assert file.read() == b"two"
    else:
        assert "another process" in answer


def test_importing_needs_no_torch():
    # `import mxnet` itself brings torch; the package of records must not.
    program = (
        "import sys, types\n"
        "sys.modules['torch'] = None\n"
        "package = types.ModuleType('mxnet')\n"
        f"package.__path__ = [{str(Path(mx.__file__).parent)!r}]\n"
        "sys.modules['mxnet'] = package\n"
        "import mxnet.recordio as recordio\n"
        f"reader = recordio.MXRecordIO({str(GOLDEN / 'plain.rec')!r}, 'r')\n"
        "assert reader.read() == b''\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_images_need_opencv(monkeypatch):
    library = importlib.import_module("mxnet._formats.opencv")
    monkeypatch.setattr(library, "has_opencv", lambda: False)
    with pytest.raises(MXNetError, match="opencv-python-headless"):
        recordio.unpack_img(b"")
