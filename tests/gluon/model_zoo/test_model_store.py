"""Files of published parameters: found, checked, unpacked, fetched, or asked for."""

from __future__ import annotations

import hashlib
import zipfile

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon.model_zoo import model_store, vision

NAME = "mobilenetv2_0.25"


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A file that counts as the published one, in a folder of its own."""
    net = vision.get_model(NAME)
    net.initialize()
    net(mx.nd.ones((1, 3, 32, 32)))
    file = tmp_path / "made.params"
    net.save_parameters(str(file))
    sha1 = hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest()
    monkeypatch.setitem(model_store._model_sha1, NAME, sha1)
    return file


@pytest.fixture(autouse=True)
def no_network(tmp_path, monkeypatch):
    """A repository that is a folder, and a home of its own."""
    repository = tmp_path / "repository"
    (repository / "gluon" / "models").mkdir(parents=True)
    monkeypatch.setenv("MXNET_GLUON_REPO", repository.as_uri())
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "home"))
    return repository / "gluon" / "models"


def file_name(end: str) -> str:
    return f"{NAME}-{model_store.short_hash(NAME)}.{end}"


def pack(published, archive) -> None:
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w") as file:
        file.write(published, file_name("params"))


def test_hashes_are_those_of_the_original():
    assert len(model_store._model_sha1) == 34
    assert model_store.short_hash("resnet18_v1") == "a0666292"
    assert model_store.short_hash("mobilenetv2_1.0") == "36da4ff1"
    with pytest.raises(ValueError, match="no parameters were published for 'resnet19'"):
        model_store.short_hash("resnet19")


def test_a_file_put_into_the_folder_is_used(published, tmp_path):
    folder = tmp_path / "home" / "models"
    folder.mkdir(parents=True)
    target = folder / file_name("params")
    target.write_bytes(published.read_bytes())
    assert model_store.get_model_file(NAME) == str(target)
    net = vision.get_model(NAME, pretrained=True)
    expected = mx.nd.load(str(published))["features.0.weight"].asnumpy()
    np.testing.assert_array_equal(net.features[0].weight.data().asnumpy(), expected)


def test_pretrained_on_other_contexts(published, tmp_path):
    (tmp_path / file_name("params")).write_bytes(published.read_bytes())
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = vision.get_model(NAME, pretrained=True, ctx=contexts, root=str(tmp_path))
    assert net.features[0].weight.list_ctx() == contexts


def test_an_archive_put_into_the_folder_is_unpacked(published, tmp_path):
    root = tmp_path / "root"
    pack(published, root / file_name("zip"))
    path = model_store.get_model_file(NAME, root=root)
    assert path == str(root / file_name("params"))
    assert (root / file_name("params")).read_bytes() == published.read_bytes()


def test_a_file_is_fetched_from_the_repository(published, no_network, tmp_path):
    pack(published, no_network / file_name("zip"))
    root = tmp_path / "new" / "root"
    path = model_store.get_model_file(NAME, root=str(root))
    assert (root / file_name("params")).read_bytes() == published.read_bytes()
    assert [path] == [str(file) for file in root.iterdir()]


def test_a_damaged_file_is_replaced(published, no_network, tmp_path):
    pack(published, no_network / file_name("zip"))
    target = tmp_path / file_name("params")
    target.write_bytes(published.read_bytes()[:-1])
    model_store.get_model_file(NAME, root=tmp_path)
    assert target.read_bytes() == published.read_bytes()


@pytest.mark.usefixtures("published")
def test_without_a_file_the_error_says_what_to_do(tmp_path):
    with pytest.raises(OSError, match="is not there") as raised:
        vision.get_model(NAME, pretrained=True)
    message = str(raised.value)
    for words in (file_name("params"), file_name("zip"), str(tmp_path / "home" / "models")):
        assert words in message
    assert model_store._model_sha1[NAME] in message
    assert not list((tmp_path / "home" / "models").iterdir())


def test_wrong_content(published, tmp_path):
    for content in ("other", None):
        root = tmp_path / str(content)
        archive = root / file_name("zip")
        root.mkdir()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr(file_name("params") if content else "readme", "other")
        with pytest.raises(mx.MXNetError, match=r"in the archive has the SHA-1|does not have"):
            model_store.get_model_file(NAME, root=root)
        assert list(root.iterdir()) == [archive]
    (root / file_name("zip")).write_bytes(published.read_bytes())
    with pytest.raises(mx.MXNetError, match="not a zip file"):
        model_store.get_model_file(NAME, root=root)


def test_purge(tmp_path):
    for name in ("a.params", "b.params", "c.txt"):
        (tmp_path / name).touch()
    model_store.purge(str(tmp_path))
    assert [file.name for file in tmp_path.glob("*.*")] == ["c.txt"]
    model_store.purge()
