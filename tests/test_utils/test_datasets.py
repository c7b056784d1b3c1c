"""Data for tests, found, unpacked or fetched."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import test_utils as helpers
from mxnet.test_utils import _datasets


def idx(values: np.ndarray) -> bytes:
    return struct.pack(f">{1 + values.ndim}I", 2048 + values.ndim, *values.shape) + values.tobytes()


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files in the form of MNIST's, in a repository that is a folder."""
    values, hashes = np.random.RandomState(0), {}
    folder = tmp_path / "repository" / "gluon" / "dataset" / "mnist"
    folder.mkdir(parents=True)
    for part, count in (("train", 40), ("t10k", 20)):
        images = values.randint(0, 256, (count, 28, 28)).astype("uint8")
        contents = {"images-idx3": images, "labels-idx1": np.arange(count, dtype="uint8") % 10}
        for kind, content in contents.items():
            packed = gzip.compress(idx(content), mtime=0)
            name = f"{part}-{kind}-ubyte"
            (folder / f"{name}.gz").write_bytes(packed)
            hashes[name] = hashlib.sha1(packed, usedforsecurity=False).hexdigest()
    monkeypatch.setattr(_datasets, "_MNIST_HASHES", hashes)
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "repository").as_uri())
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return folder


@pytest.mark.parametrize("place", [".", "data", "../home/datasets/mnist", None])
def test_mnist_as_arrays(files, place, monkeypatch):
    if place:
        Path(place).mkdir(parents=True, exist_ok=True)
        for file in files.iterdir():
            (Path(place) / file.name).write_bytes(file.read_bytes())
        monkeypatch.setenv("MXNET_GLUON_REPO", "file:///nowhere/")
    found = helpers.get_mnist()
    assert {key: (value.shape, str(value.dtype)) for key, value in found.items()} == {
        "train_data": ((40, 1, 28, 28), "float32"),
        "train_label": ((40,), "int8"),
        "test_data": ((20, 1, 28, 28), "float32"),
        "test_label": ((20,), "int8"),
    }
    assert found["train_data"].max() == 1
    assert list(found["test_label"][:3]) == [0, 1, 2]


@pytest.mark.usefixtures("files")
def test_mnist_that_cannot_be_had(monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", "file:///nowhere/")
    with pytest.raises(OSError, match=r"train-images-idx3-ubyte\.gz is in none of .*data"):
        helpers.get_mnist()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("shape", "expected"), [((784,), (10, 784)), ((1, 28, 28),) * 2])
def test_iterators_over_mnist(shape, expected):
    train, test = helpers.get_mnist_iterator(10, shape, num_parts=2, part_index=1)
    batches = [batch.data[0].shape for batch in train]
    assert batches == [expected if len(shape) == 1 else (10, *expected)] * 2
    assert len(list(test)) == 1
    assert Path("data/train-images-idx3-ubyte").stat().st_size == 16 + 40 * 784


def test_downloads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.txt.bz2").write_bytes(bz2.compress(b"packed"))
    with zipfile.ZipFile(source / "b.zip", "w") as archive:
        archive.writestr("inside.txt", "archived")
    assert helpers.download((source / "b.zip").as_uri()) == "b.zip"
    path = helpers.download((source / "b.zip").as_uri(), "c.zip", "folder")
    assert Path(path).read_bytes() == (source / "b.zip").read_bytes()
    helpers.get_zip_data("data", (source / "b.zip").as_uri(), "b.zip")
    assert Path("data/inside.txt").read_text() == "archived"
    for _ in range(2):
        helpers.get_bz2_data("data", "a.txt", (source / "a.txt.bz2").as_uri(), "a.txt.bz2")
    assert Path("data/a.txt").read_bytes() == b"packed"
    assert not Path("data/a.txt.bz2").exists()
    with pytest.raises(mx.MXNetError, match="nowhere"):
        helpers.download("file:///nowhere/file", retries=0)


def test_the_program_that_packs_images():
    assert Path(helpers.get_im2rec_path()).name == "im2rec.py"


def test_files_with_another_content_are_not_kept(files):
    with (files / "t10k-labels-idx1-ubyte.gz").open("ab") as file:
        file.write(b"more")
    with pytest.raises(mx.MXNetError, match="SHA-1"):
        helpers.get_mnist_ubyte()
    assert not list(Path("data").glob("t10k-labels*"))
    assert not [path for path in Path("data").iterdir() if path.name.startswith(".")]


def test_a_damaged_archive_says_what_to_do(tmp_path):
    (tmp_path / "a.zip").write_bytes(b"no archive")
    with pytest.raises(mx.MXNetError, match="remove it"):
        helpers.get_zip_data(str(tmp_path), "http://nowhere.invalid/a.zip", "a.zip")
