"""The HTML that notebooks show of arrays, `_repr_html_`."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from io import BytesIO

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import nd
from mxnet._formats import element_types
from mxnet.ndarray import _html


class Reader(HTMLParser):
    """Collects the texts of cells and checks that every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, _):
        if tag != "img":
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def rows_of(array) -> list[list[str]]:
    return Reader(array._repr_html_()).rows


def test_a_matrix_is_a_table_with_numbered_rows_and_columns():
    array = nd.array([[1, 2.5], [-3, 4]])
    assert "NDArray 2x2, float32, cpu(0)" in array._repr_html_()
    assert rows_of(array) == [["", "0", "1"], ["0", "1.", "2.5"], ["1", "-3.", "4."]]
    assert "min" not in array._repr_html_()


def test_a_vector_is_one_row():
    assert rows_of(nd.array([1, 2, 3], dtype="int32")) == [["0", "1", "2"], ["1", "2", "3"]]


def test_a_scalar_is_one_cell():
    html = mx.np.array(2.5)._repr_html_()
    assert "ndarray scalar, float32" in html
    assert Reader(html).rows == [["2.5"]]


def test_numbers_are_shortened_as_in_print():
    with np.printoptions(precision=2):
        assert rows_of(nd.array([1 / 3, 1]))[1] == ["0.33", "1."]
    assert rows_of(nd.array([1 / 3, 1]))[1] == ["0.33333334", "1."]


def test_a_long_axis_shows_its_ends_and_a_summary():
    array = nd.arange(100)
    assert rows_of(array)[1] == [
        "0.",
        "1.",
        "2.",
        "3.",
        "4.",
        "…",
        *(f"{n}." for n in range(95, 100)),
    ]
    assert "min 0, mean 49.5, max 99" in array._repr_html_()
    table = rows_of(nd.arange(400).reshape((20, 20)))
    assert [len(row) for row in table] == [12] * 12
    assert table[6] == ["…"] * 12
    assert table[-1][-1] == "399."


def test_of_more_axes_the_first_matrix_is_shown():
    array = nd.arange(24).reshape((2, 3, 2, 2))
    assert "[0, 0, :, :]" in array._repr_html_()
    assert rows_of(array)[1:] == [["0", "0.", "1."], ["1", "2.", "3."]]


@pytest.mark.parametrize("dtype", list(element_types.BY_NAME))
@pytest.mark.parametrize("shape", [(3,), (30,), (2, 30), (2, 2, 2)])
def test_every_dtype(dtype: str, shape: tuple[int, ...]):
    array = nd.from_torch(torch.ones(shape).to(element_types.to_torch(dtype)))
    shown = {"bool": "True", "float": "1.", "bfloa": "1."}.get(dtype[:5].rstrip("163248"), "1")
    assert f", {dtype}, cpu(0)" in array._repr_html_()
    assert rows_of(array)[1][-1] == shown


def test_values_that_are_no_numbers():
    values = [np.nan, np.inf, -np.inf, 1]
    assert rows_of(nd.array(values))[1] == ["nan", "inf", "-inf", "1."]
    assert "min nan, mean nan, max nan" in nd.array(values * 5)._repr_html_()


def test_of_booleans_the_summary_counts():
    assert (
        "True: 25.00%" in mx.np.array([True, False, False, False] * 5, dtype="bool")._repr_html_()
    )


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0, 3)])
def test_without_elements_there_is_no_table(shape: tuple[int, ...]):
    html = mx.np.zeros(shape)._repr_html_()
    assert "x".join(map(str, shape)) in html
    assert "table" not in html


def test_a_fresh_array_of_the_class():
    assert "NDArray 0," in nd.NDArray()._repr_html_()
    assert "CSRNDArray" in nd.sparse.CSRNDArray()._repr_html_()


def test_an_array_of_a_recorded_graph_stays_in_it():
    x = nd.ones((2, 2))
    x.attach_grad()
    with mx.autograd.record():
        y = x * 3
        assert rows_of(y)[1] == ["0", "3.", "3."]
    y.backward()
    assert x.grad.asnumpy().tolist() == [[3, 3], [3, 3]]


def test_sparse_arrays_show_what_they_store():
    array = nd.array([[0, 2], [0, 0], [0, 3]]).tostype("csr")
    html = array._repr_html_()
    assert "CSRNDArray 3x2, float32, cpu(0)" in html
    assert "2 of 6 elements stored (33.33%)" in html
    assert rows_of(array)[1] == ["2.", "3."]


def test_a_sparse_array_is_never_made_dense():
    huge = nd.sparse.zeros("row_sparse", (10**9, 10**6))
    assert "0 of 1,000,000,000,000,000 elements stored (0.00%)" in huge._repr_html_()


def test_no_more_than_the_corner_is_copied(monkeypatch):
    sizes = []
    monkeypatch.setattr(
        _html, "to_numpy", lambda tensor: (sizes.append(tensor.numel()), tensor.numpy())[1]
    )
    nd.zeros((1000, 1000))._repr_html_()
    nd.zeros((1000, 1000, 3), dtype="uint8")._repr_html_()
    assert sizes == [100, 250 * 250 * 3]


def test_rows_longer_than_the_memory_are_never_copied():
    (table,) = _html._corner(torch.ones(1).expand(2, 10**13))
    assert Reader(table).rows[2][-1] == "1."


def test_an_image_is_a_picture_of_its_pixels():
    image = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(1).integers(0, 256, (9, 11, 3), dtype=np.uint8)
    html = nd.array(pixels, dtype="uint8")._repr_html_()
    encoded = re.search(r'src="data:image/png;base64,([^"]+)"', html)[1]
    shown = np.asarray(image.open(BytesIO(base64.b64decode(encoded))))
    assert (shown == pixels).all()


def test_a_large_image_is_shown_smaller():
    html = nd.zeros((1000, 300, 3), dtype="uint8")._repr_html_()
    header = base64.b64decode(re.search(r"base64,([^\"]+)", html)[1])[16:24]
    assert [int.from_bytes(header[at : at + 4], "big") for at in (0, 4)] == [75, 250]


def test_names_of_classes_are_escaped():
    renamed = type("<b>&", (nd.NDArray,), {"__slots__": ()})
    array = nd.ones(1).copyto(nd.zeros(1))
    array.__class__ = renamed
    assert "&lt;b&gt;&amp; 1, float32" in array._repr_html_()
