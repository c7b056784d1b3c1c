"""Tests of the WikiText datasets: what is said when files are missing or wrong."""

from __future__ import annotations

import hashlib
import inspect
import io
import pathlib
import zipfile

import pytest

import mxnet as mx
from mxnet.base import data_dir
from mxnet.gluon.contrib.data.text import WikiText2, WikiText103, _WikiText

CONTENT = b" a b c \n d e f g \n"


class SmallText(_WikiText):
    """A text of two lines, published in an archive."""

    def __init__(self, root, archive, segment="train"):
        self._archive_file = ("small.zip", hashlib.sha1(archive).hexdigest())
        self._data_file = {"train": ("small.tokens", hashlib.sha1(CONTENT).hexdigest())}
        self._segment, self._seq_len = segment, 2
        super().__init__(root, "small", None)


def zipped(name, content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    """A repository in a folder; nothing in these tests goes to the network."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    monkeypatch.setenv("MXNET_GLUON_REPO", folder.as_uri())
    return folder


@pytest.fixture
def publish(mirror):
    def put(archive):
        folder = mirror / "gluon" / "dataset" / "small"
        folder.mkdir(parents=True)
        (folder / "small.zip").write_bytes(archive)
        return archive

    return put


def test_a_missing_text_says_which_file_to_put_where(mirror, tmp_path):
    with pytest.raises(OSError, match="WikiText2") as caught:
        WikiText2(root=tmp_path, segment="validation")
    message = str(caught.value)
    assert f"{tmp_path / 'wiki.valid.tokens'} is not there" in message
    assert "wikitext-2-v1.zip (SHA-1 3c914d17d80b1459be871a5039ac23e752a53cbe)" in message
    assert f"{mirror.as_uri()}/gluon/dataset/wikitext-2/wikitext-2-v1.zip" in message


@pytest.mark.parametrize("cls", [WikiText2, WikiText103])
def test_there_are_three_segments(cls, tmp_path):
    with pytest.raises(KeyError, match="segment takes train, validation, test, got 'dev'"):
        cls(root=tmp_path, segment="dev")


def test_a_text_is_downloaded_once_and_gives_batches(publish, tmp_path):
    archive = publish(zipped("folder/small.tokens", CONTENT))
    text = SmallText(tmp_path / "root", archive)
    assert text.vocabulary.idx_to_token == ["<unk>", "<eos>", *"abcdefg"]
    batches = [
        (data.asnumpy().tolist(), label.asnumpy().tolist())
        for data, label in mx.gluon.data.DataLoader(text, 2)
    ]
    assert batches == [([[2, 3], [4, 1]], [[3, 4], [1, 5]]), ([[5, 6], [7, 8]], [[6, 7], [8, 1]])]
    (tmp_path / "root" / "small.zip").unlink()
    assert len(SmallText(tmp_path / "root", b"")) == 4


def test_an_archive_with_another_hash_is_refused(publish, tmp_path):
    publish(zipped("small.tokens", b" evil \n"))
    with pytest.raises(mx.MXNetError, match="SHA-1"):
        SmallText(tmp_path / "root", b"the right one")
    assert not list((tmp_path / "root").iterdir())


def test_texts_are_looked_for_in_the_home_of_the_package():
    for cls, name in ((WikiText2, "wikitext-2"), (WikiText103, "wikitext-103")):
        root = inspect.signature(cls).parameters["root"].default
        assert pathlib.Path(root) == pathlib.Path(data_dir(), "datasets", name)
