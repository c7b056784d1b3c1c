"""Tests of vocabularies and vectors: messages, missing and hostile files, downloads."""

from __future__ import annotations

import hashlib
import inspect
import io
import logging
import pathlib
import tarfile
import warnings
import zipfile
from collections import Counter

import pytest

import mxnet as mx
from mxnet.base import data_dir
from mxnet.contrib import text
from mxnet.contrib.text import embedding
from mxnet.gluon.data import _published_files

NAME = "wiki.simple.vec"
ARCHIVE = "wiki.simple.zip"
CONTENT = b"the 1 2\nof 3 4\n"


def sha1(content):
    return hashlib.sha1(content).hexdigest()


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def tarred(files):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return stream.getvalue()


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    """A repository in a folder; nothing in these tests goes to the network."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    monkeypatch.setenv("MXNET_GLUON_REPO", folder.as_uri())
    return folder


@pytest.fixture
def publish(mirror, monkeypatch):
    """Puts an archive of fastText vectors into the mirror."""

    def put(archive, content=CONTENT, name=ARCHIVE):
        cls = text.embedding.FastText
        monkeypatch.setattr(cls, "pretrained_file_name_sha1", {NAME: sha1(content)})
        monkeypatch.setattr(cls, "pretrained_archive_name_sha1", {name: sha1(archive)})
        folder = mirror / "gluon" / "embeddings" / "fasttext"
        folder.mkdir(parents=True)
        (folder / name).write_bytes(archive)

    return put


def write(tmp_path, content):
    path = tmp_path / "vectors.txt"
    path.write_bytes(content)
    return path


def test_missing_vectors_say_which_file_to_put_where(mirror, tmp_path):
    with pytest.raises(OSError, match="glove") as caught:
        text.embedding.create(
            "glove", pretrained_file_name="glove.6B.50d.txt", embedding_root=tmp_path
        )
    message = str(caught.value)
    assert f"{tmp_path / 'glove' / 'glove.6B.50d.txt'} is not there" in message
    assert "glove.6B.zip (SHA-1 b64e54f1877d2f735bdd000c1d7d771e25c7dfdc)" in message
    assert "glove.6B.50d.txt (SHA-1 21bf566a9d27f84d253e0cd4d4be9dcc07976a6d)" in message
    assert mirror.as_uri() in message


@pytest.mark.usefixtures("mirror")
def test_a_file_with_another_content_is_not_used(tmp_path):
    (tmp_path / "glove").mkdir()
    (tmp_path / "glove" / "glove.6B.50d.txt").write_bytes(CONTENT)
    with pytest.raises(OSError, match="has another content than the published one"):
        text.embedding.GloVe("glove.6B.50d.txt", tmp_path)


@pytest.mark.parametrize("inside", [NAME, f"folder/{NAME}", f"../../{NAME}"])
def test_an_archive_is_downloaded_and_only_the_file_is_unpacked(publish, tmp_path, inside):
    publish(zipped({"other.vec": b"x", inside: CONTENT, "../evil": b"x"}))
    root = tmp_path / "root"
    assert text.embedding.FastText(NAME, root).idx_to_token == ["<unk>", "the", "of"]
    assert sorted(path.name for path in root.rglob("*") if path.is_file()) == [NAME, ARCHIVE]
    assert not list(tmp_path.glob("*.vec"))
    (root / "fasttext" / ARCHIVE).unlink()
    assert text.embedding.FastText(NAME, root).vec_len == 2


def test_an_archive_may_be_a_tar_file(publish, tmp_path, monkeypatch):
    publish(tarred({"other.vec": b"x", NAME: CONTENT}), name="wiki.simple.tar.gz")
    name = classmethod(lambda cls, name: "wiki.simple.tar.gz")  # noqa: ARG005
    monkeypatch.setattr(text.embedding.FastText, "_get_download_file_name", name)
    assert len(text.embedding.FastText(NAME, tmp_path)) == 3


def test_an_archive_that_is_not_the_published_one_is_refused(publish, mirror, tmp_path):
    publish(zipped({NAME: CONTENT}))
    (mirror / "gluon" / "embeddings" / "fasttext" / ARCHIVE).write_bytes(zipped({NAME: b"evil"}))
    with pytest.raises(mx.MXNetError, match="SHA-1"):
        text.embedding.FastText(NAME, tmp_path / "root")
    assert not list((tmp_path / "root" / "fasttext").iterdir())


@pytest.mark.parametrize(
    ("archive", "message"),
    [
        (b"no archive", "not a zip file, and no tar archive"),
        (zipped({NAME: CONTENT * 100})[:60], "damaged archive"),
        (zipped({"other.vec": CONTENT}), f"does not have {NAME}"),
    ],
    ids=["other", "truncated", "without the file"],
)
def test_damaged_archives_raise(publish, tmp_path, archive, message):
    publish(archive)
    with pytest.raises(mx.MXNetError, match=message):
        text.embedding.FastText(NAME, tmp_path)
    assert not (tmp_path / "fasttext" / NAME).exists()


@pytest.mark.parametrize(
    ("compression", "place"), [(zipfile.ZIP_DEFLATED, 45), (zipfile.ZIP_LZMA, 60)]
)
def test_an_archive_with_a_damaged_member_raises(publish, tmp_path, compression, place):
    content = bytearray(zipped({NAME: CONTENT * 50}, compression))
    content[place] ^= 0xFF
    publish(bytes(content))
    with pytest.raises(mx.MXNetError, match="damaged archive"):
        text.embedding.FastText(NAME, tmp_path)
    assert not (tmp_path / "fasttext" / NAME).exists()


def test_an_archive_that_unpacks_to_too_much_raises(publish, tmp_path, monkeypatch):
    monkeypatch.setattr(_published_files, "_MAX_SIZE", 1000)
    publish(zipped({NAME: CONTENT * 1000}))
    with pytest.raises(mx.MXNetError, match="larger than 1000 bytes"):
        text.embedding.FastText(NAME, tmp_path)
    assert not (tmp_path / "fasttext" / NAME).exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1 2\nb 3 4 5\n", "line 2: expected 2 numbers as in the lines before, got 3 for 'b'"),
        (b"a 1 2\nb\n", "line 2: expected a token and numbers separated by ' ', got 'b"),
        (b"a 1 2\nb 3 x\n", "line 2: could not convert string to float: 'x'"),
        (b"", "expected tokens with vectors of 2 or more numbers, got none"),
        (b"a " + b"1" * 2000, "a line has more than 1000 characters"),
        (b"a " + b"9" * 900 + b"x 1\n", "line 1: could not convert"),
    ],
)
def test_messages_name_the_file_and_the_line(tmp_path, monkeypatch, content, message):
    monkeypatch.setattr(embedding, "_MAX_LINE", 1000)
    path = write(tmp_path, content)
    with pytest.raises(mx.MXNetError) as caught:
        text.embedding.CustomEmbedding(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_a_wrong_encoding_names_the_file(tmp_path):
    with pytest.raises(UnicodeDecodeError, match=r"vectors\.txt was read as utf8"):
        text.embedding.CustomEmbedding(write(tmp_path, b"a 1 2\n\xff 3 4\n"))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"CustomEmbedding: .*nothing\.txt is not a file"):
        text.embedding.CustomEmbedding(tmp_path / "nothing.txt")


def test_warnings_name_the_line_of_the_file_and_of_the_program(tmp_path):
    path = write(tmp_path, b"2 2\na 1 2\na 3 4\n")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        text.embedding.CustomEmbedding(path)
    assert [pathlib.Path(warning.filename).name for warning in found] == ["test_text.py"] * 2
    header, repetition = (str(warning.message) for warning in found)
    assert header == f"{path}, line 1: '2' and 2 look like a header; the line is left out"
    assert repetition == (f"{path}, line 3: token 'a' has a vector already; this one is left out")


def test_many_lines_that_are_left_out_have_one_warning(tmp_path):
    path = write(tmp_path, b"a 1 2\n" * 5000)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        text.embedding.CustomEmbedding(path)
    assert len(found) == 11
    assert str(found[-1].message) == f"{path}: 4989 other lines are left out for the same reasons"


def test_messages_show_the_beginning_of_long_words(tmp_path):
    with pytest.raises(ValueError, match=r"line 1: .*'x{40}'$"):
        text.embedding.CustomEmbedding(write(tmp_path, b"a 1 " + b"x" * 10**6 + b"\n"))


def test_a_file_that_grows_is_read_to_its_old_end(tmp_path):
    path = write(tmp_path, b"a 1 2\n" * 2)
    lines = text.embedding._lines(str(path), "utf8")
    next(lines)
    with path.open("ab") as file:
        file.write(b"b 1 2\n" * 10)
    assert len(list(lines)) == 1


def test_loading_is_logged(tmp_path, caplog):
    path = write(tmp_path, CONTENT)
    with caplog.at_level(logging.INFO):
        text.embedding.CustomEmbedding(path)
    assert str(path) in caplog.text


def test_no_tokens_have_no_vectors(tmp_path):
    path = write(tmp_path, CONTENT)
    assert text.embedding.CustomEmbedding(path).get_vecs_by_tokens([]).shape == (0, 2)
    alone = text.embedding.CustomEmbedding(path, vocabulary=text.vocab.Vocabulary())
    assert alone.idx_to_vec.asnumpy().tolist() == [[0, 0]]


def test_a_token_without_a_row_cannot_be_updated(tmp_path):
    vectors = text.embedding.CustomEmbedding(write(tmp_path, CONTENT), reserved_tokens=["x"])
    with pytest.raises(IndexError):
        vectors.update_token_vectors("of", mx.nd.ones((2,)))


def test_a_failed_update_changes_nothing(tmp_path):
    vectors = text.embedding.CustomEmbedding(write(tmp_path, CONTENT))
    with pytest.raises(ValueError, match="'x' is unknown; the vector of unknown tokens is that of"):
        vectors.update_token_vectors(["the", "x"], mx.nd.ones((2, 2)))
    assert vectors.idx_to_vec.asnumpy().tolist() == [[0, 0], [1, 2], [3, 4]]


def test_published_vectors_are_looked_for_in_the_home_of_the_package():
    for cls in (text.embedding.GloVe, text.embedding.FastText):
        root = inspect.signature(cls).parameters["embedding_root"].default
        assert pathlib.Path(root) == pathlib.Path(data_dir(), "embeddings")


def test_every_published_file_has_an_archive():
    for cls in (text.embedding.GloVe, text.embedding.FastText):
        archives = {cls._get_download_file_name(name) for name in cls.pretrained_file_name_sha1}
        assert archives == set(cls.pretrained_archive_name_sha1)
        hashes = {
            *cls.pretrained_file_name_sha1.values(),
            *cls.pretrained_archive_name_sha1.values(),
        }
        assert all(len(value) == 40 and int(value, 16) for value in hashes)


def test_messages_of_vocabularies():
    counter = Counter("ab")
    with pytest.raises(AssertionError, match="got 'x' more than once"):
        text.vocab.Vocabulary(counter, reserved_tokens=["x", "y", "x"])
    with pytest.raises(AssertionError, match=r"takes a collections\.Counter, got dict"):
        text.vocab.Vocabulary({"a": 1})
    with pytest.raises(ValueError, match="an integer of at most 2, got 3"):
        text.vocab.Vocabulary(counter).to_tokens([0, 3])
