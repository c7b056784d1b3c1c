"""Iterators over text files and MNIST, where they go beyond `tests/programs`."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import FileFormatError, MXNetError


def csv(tmp_path, text="1,2\n3,4\n5,6\n7,8\n", **options):
    path = tmp_path / "a.csv"
    path.write_text(text)
    return mx.io.CSVIter(**{"data_csv": str(path), "data_shape": (2,), "batch_size": 2, **options})


def test_a_loop_of_iter_next_ends(tmp_path):
    iterator = csv(tmp_path)
    found = []
    while iterator.iter_next():
        found.append(iterator.getdata().asnumpy().tolist())
    assert found == [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    with pytest.raises(MXNetError, match="no batch is at hand"):
        iterator.getdata()
    iterator.reset()
    assert iterator.iter_next()
    assert iterator.getindex().tolist() == [0, 1]
    assert iterator.getpad() == 0


def test_loading_can_be_skipped(tmp_path):
    iterator = csv(tmp_path)
    iterator.debug_skip_load()
    assert [next(iterator).index.tolist() for _ in range(4)] == [[0, 1]] * 4


def test_a_batch_of_twice_the_data_can_be_read_again(tmp_path):
    iterator = csv(tmp_path, batch_size=8)
    for _ in range(2):
        assert [batch.pad for batch in iterator] == [4]
        iterator.reset()


@pytest.mark.parametrize(
    ("text", "words"),
    [("1,2\n3,x\n", "x"), ("1,2\n3\n", "row"), ("1,2,3\n4,5,6\n", "rows of 2 numbers")],
)
def test_wrong_lines_are_named(tmp_path, text, words):
    with pytest.raises(FileFormatError, match=rf"a\.csv: .*{words}"):
        csv(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "1,2\n3,4",
        "1,2,\n3,4,\n",
        "\ufeff1,2\n3,4\n",
        " 1, 2\n\n3 ,4\r\n",
        "1e0,.2e1\n3.,4\n",
        "1.000000000000000000e+00,2.0\n0.3e1,40E-1\n",
    ],
)
def test_the_same_numbers_written_otherwise(tmp_path, text):
    (batch,) = csv(tmp_path, text)
    assert batch.data[0].asnumpy().tolist() == [[1, 2], [3, 4]]


def test_text_is_read_in_stretches(tmp_path):
    rows = [f"{n},{n + 0.5}" if n % 1000 else f" {n},.5e0" for n in range(60000)]
    found = next(csv(tmp_path, "\n".join(rows), batch_size=60000)).data[0].asnumpy()
    second = np.where(np.arange(60000) % 1000, np.arange(60000) + 0.5, 0.5)
    np.testing.assert_array_equal(found, np.stack([np.arange(60000), second], axis=1))


def test_integers_that_floats_cannot_hold(tmp_path):
    (batch,) = csv(tmp_path, "9007199254740993,2\n-3,4\n", dtype="int64")
    assert batch.data[0].asnumpy().tolist() == [[9007199254740993, 2], [-3, 4]]


@pytest.mark.parametrize("number", ["2147483648", "9" * 30, "1e30", "-5e9", "nan", "inf"])
def test_integers_that_do_not_fit_are_refused(tmp_path, number):
    with pytest.raises(FileFormatError, match=r"a\.csv: lines from 1: int32 does not hold"):
        csv(tmp_path, f"1,2\n{number},4\n", dtype="int32")
    (batch,) = csv(tmp_path, "1,2\n-2147483648.7,2147483647.9\n", dtype="int32")
    assert batch.data[0].asnumpy().tolist() == [[1, 2], [-2147483648, 2147483647]]


def test_unknown_options_are_named(tmp_path):
    with pytest.warns(UserWarning, match="CSVIter: no option 'batchsize'"):
        csv(tmp_path, batchsize=3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,2\n\n3,x\n", "line 3: numbers between commas expected, got '3,x'"),
        ("1,2\n3,4,5\n", "line 2: a row of 2 numbers expected, got 3"),
        ("1,2\n" * 50_000 + "1,2,3\n", "line 50001: a row of 2"),
        ("1,2\n" * 50_000 + "1,2,3\n" * 50_000, "line 50001: a row of 2"),
        ("1," + "x" * 10**6 + "\n", r"line 1: .*'1,x{38}'\.\.\.$"),
    ],
)
def test_the_wrong_line_is_named(tmp_path, text, words):
    with pytest.raises(FileFormatError, match=rf"a\.csv: {words}"):
        csv(tmp_path, text)


@pytest.mark.parametrize("form", ["{}", " {}", "{}e0"])
def test_a_row_may_be_longer_than_a_stretch(tmp_path, form):
    numbers = np.arange(200_000)
    text = ",".join(form.format(number) for number in numbers)
    (batch,) = csv(tmp_path, f"{text}\n{text}", data_shape=(len(numbers),))
    np.testing.assert_array_equal(batch.data[0].asnumpy(), np.stack([numbers, numbers]))


def test_the_options_are_in_the_signature():
    import inspect

    parameters = inspect.signature(mx.io.CSVIter).parameters
    assert {"data_csv", "data_shape", "batch_size", "round_batch"} <= parameters.keys()


def libsvm(tmp_path, text, **options):
    path = tmp_path / "a.libsvm"
    path.write_text(text)
    given = {"data_libsvm": str(path), "data_shape": (3,), "batch_size": 1, **options}
    return mx.io.LibSVMIter(**given)


def test_a_sparse_row_may_be_longer_than_a_stretch(tmp_path):
    row = "1 " + " ".join(f"{n}:{n % 7}" for n in range(100_000))
    batch = libsvm(tmp_path, f"{row}\n{row} # twice\n", data_shape=(100_000,), batch_size=2).next()
    assert batch.data[0].indptr.asnumpy().tolist() == [0, 100_000, 200_000]
    np.testing.assert_array_equal(batch.data[0].data.asnumpy()[100_000:], np.arange(100_000) % 7)


def test_the_wrong_file_and_line_of_several_are_named(tmp_path):
    for name, text in (("a", "1 0:2\n"), ("b", "1 0:2\n\n1 0:2 # good\n1 0:x\n"), ("c", "?")):
        (tmp_path / name).write_text(text)
    with pytest.raises(FileFormatError, match=r"b: line 4: `label column:value"):
        mx.io.LibSVMIter(data_libsvm=str(tmp_path), data_shape=(3,), batch_size=1)


def test_the_line_of_a_wrong_column_is_named_in_a_part(tmp_path):
    text = "1 0:2\n" * 9 + "1 3:2\n"
    with pytest.raises(FileFormatError, match=r"a\.libsvm: line 10: columns from 0 to 2 .* got 3"):
        libsvm(tmp_path, text, num_parts=2, part_index=1)


def test_wrong_lines_of_numbers_are_found_in_linear_time(tmp_path):
    # Each of these numbers can be cut in two where it has no point.
    with pytest.raises(FileFormatError, match="line 1"):
        libsvm(tmp_path, "1 " + "0:12 " * 20_000 + "?\n")


ROWS = "1.0 0:0.5 2:1.2\n-2.0\n\n-3.0 0:0.6 1:2.4 2:1.2\n4 2:-1.2\n"


def test_sparse_batches(tmp_path):
    batch = libsvm(tmp_path, ROWS, batch_size=4).next()
    assert batch.data[0].stype == "csr"
    assert batch.data[0].indptr.asnumpy().tolist() == [0, 2, 2, 5, 6]
    assert batch.data[0].indices.asnumpy().tolist() == [0, 2, 0, 1, 2, 2]
    assert batch.label[0].asnumpy().tolist() == [1, -2, -3, 4]


def test_parts_are_lines_that_begin_in_a_stretch_of_bytes(tmp_path):
    # The middle of the text lies in the third line, which belongs to the first part.
    text = ROWS.replace("\n\n", "\n")
    labels = [
        [batch.label[0].asscalar() for batch in libsvm(tmp_path, text, num_parts=2, part_index=i)]
        for i in range(2)
    ]
    assert labels == [[1, -2, -3], [4]]


def test_parts_together_are_the_whole(tmp_path):
    text = "".join(f"{n} 0:{n} {'1:2.5 ' * (n % 3 > 0)}\n" for n in range(50))
    for count in (1, 2, 3, 7):
        found = [
            batch.label[0].asscalar()
            for part in range(count)
            for batch in libsvm(tmp_path, text, num_parts=count, part_index=part)
        ]
        assert found == list(range(50))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 0:2\n1 3:2\n", "columns from 0 to 2 expected, got 3"),
        ("1 0:2\n1 -1:2\n", "line 2|columns"),
        ("1 0:2\n1 0:x\n", "line 2"),
        ("1 0:2 5\n", "line 1"),
    ],
)
def test_wrong_rows_are_named(tmp_path, text, words):
    with pytest.raises(FileFormatError, match=rf"a\.libsvm: .*({words})"):
        libsvm(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "1 0:2 # comment\n",
        "# comment\n1 0:2\n",
        "1 qid:3 0:2\n",
        "1:0.5 0:2\n",
        "1 0:2\n  \n",
        "\ufeff1 0:2\n",
        "1 0:.2e1\r\n",
    ],
)
def test_what_is_neither_label_nor_element_is_skipped(tmp_path, text):
    (batch,) = libsvm(tmp_path, text)
    assert batch.data[0].asnumpy().tolist() == [[2, 0, 0]]
    assert batch.label[0].asnumpy().tolist() == [1]


@pytest.mark.parametrize(
    "options",
    [
        {"round_batch": False},
        {"dtype": "float64"},
        {"data_shape": (3, 2)},
        {"label_shape": (2,)},
        {"num_parts": 2, "part_index": 2},
        {"batch_size": 9},
    ],
    ids=str,
)
def test_libsvm_options_are_checked(tmp_path, options):
    with pytest.raises(MXNetError, match="LibSVMIter"):
        libsvm(tmp_path, ROWS, **options)


@pytest.fixture
def mnist(tmp_path):
    pixels = np.arange(10 * 6, dtype=np.uint8).reshape(10, 2, 3)
    (tmp_path / "i").write_bytes(struct.pack(">4i", 2051, 10, 2, 3) + pixels.tobytes())
    (tmp_path / "l").write_bytes(struct.pack(">2i", 2049, 10) + bytes(range(10)))
    for name in "il":
        packed = gzip.compress((tmp_path / name).read_bytes())
        (tmp_path / f"{name}.gz").write_bytes(packed)

    def make(image="i", label="l", **options):
        paths = {"image": str(tmp_path / image), "label": str(tmp_path / label)}
        return mx.io.MNISTIter(**paths, **{"batch_size": 5, "silent": True, **options})

    return make


def test_gzipped_files_are_read(mnist):
    plain, packed = next(mnist()), next(mnist("i.gz", "l.gz"))
    assert np.array_equal(plain.data[0].asnumpy(), packed.data[0].asnumpy())
    assert plain.data[0].asnumpy().max() < 1


def test_damaged_files_are_named(mnist, tmp_path):
    with pytest.raises(FileFormatError, match="2051 expected, got 2049"):
        mnist("l", "i")
    (tmp_path / "cut").write_bytes((tmp_path / "i").read_bytes()[:-5])
    with pytest.raises(FileFormatError, match=r"\(10, 2, 3\) bytes expected"):
        mnist("cut")
    (tmp_path / "cut.gz").write_bytes((tmp_path / "i.gz").read_bytes()[:-12])
    with pytest.raises(FileFormatError, match="damaged gzip"):
        mnist("cut.gz")
    (tmp_path / "few").write_bytes(struct.pack(">2i", 2049, 3) + bytes(3))
    with pytest.raises(FileFormatError, match="each of 10 images"):
        mnist(label="few")
    with pytest.raises(FileNotFoundError, match="no file"):
        mnist("missing")
    with pytest.raises(ValueError, match="do not fill a batch of 11"):
        mnist(batch_size=11)
    with pytest.raises(ValueError, match="part_index"):
        mnist(num_parts=2, part_index=5)
