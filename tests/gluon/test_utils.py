"""Splitting batches, clipping gradients, hooks and downloads."""

from __future__ import annotations

import hashlib
import http.server
import io
import math
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet._formats import downloads
from mxnet.gluon import utils

CONTENT = bytes(range(256)) * 5000


def sizes(parts):
    return [part.shape[0] for part in parts]


def test_split_data():
    data = nd.arange(12).reshape((6, 2))
    assert sizes(utils.split_data(data, 3)) == [2, 2, 2]
    parts = utils.split_data(nd.arange(7), 3, even_split=False)
    assert [part.asnumpy().tolist() for part in parts] == [[0, 1, 2], [3, 4], [5, 6]]
    parts = utils.split_data(nd.arange(2), 3, even_split=False)
    assert [part.asnumpy().tolist() for part in parts] == [[0], [1], []]
    columns = utils.split_data(data, 2, batch_axis=1)
    assert [part.shape for part in columns] == [(6, 1), (6, 1)]
    assert utils.split_data(data, 1)[0] is data


@pytest.mark.parametrize(("length", "count"), [(7, 3), (2, 3)])
def test_a_batch_that_cannot_be_split(length: int, count: int):
    with pytest.raises(ValueError, match="split_data"):
        utils.split_data(nd.arange(length), count)


def test_split_and_load():
    parts = utils.split_and_load(np.arange(8).reshape(4, 2), [mx.cpu(0), mx.cpu(1)])
    assert [part.context for part in parts] == [mx.cpu(0), mx.cpu(1)]
    assert parts[1].asnumpy().tolist() == [[4, 5], [6, 7]]
    assert utils.split_and_load(nd.ones((3,)), [mx.cpu(1)])[0].context == mx.cpu(1)


def test_clip_global_norm():
    arrays = [nd.ones((3,)), nd.full((2,), 2)]
    norm = utils.clip_global_norm(arrays, 1.0)
    assert norm == pytest.approx(math.sqrt(11))
    scaled = np.concatenate([array.asnumpy() for array in arrays])
    assert np.linalg.norm(scaled) == pytest.approx(1, rel=1e-5)
    small = [nd.array([0.3, 0.4])]
    utils.clip_global_norm(small, 1.0)
    np.testing.assert_allclose(small[0].asnumpy(), [0.3, 0.4], rtol=1e-6)
    lazy = utils.clip_global_norm([nd.array([3, 4])], 1.0, check_isfinite=False)
    assert lazy.asscalar() == pytest.approx(5)


def test_clip_global_norm_of_nothing():
    with pytest.raises(AssertionError, match="at least one"):
        utils.clip_global_norm([], 1.0)


def test_clip_global_norm_warns_of_nan():
    with pytest.warns(UserWarning, match="nan or inf"):
        utils.clip_global_norm([nd.array([math.nan])], 1.0)


def test_hook_handle():
    hooks: dict = {}
    handle = utils.HookHandle()
    handle.attach(hooks, print)
    assert list(hooks.values()) == [print]
    with pytest.raises(mx.MXNetError):
        handle.attach(hooks, print)
    handle.detach()
    handle.detach()
    assert hooks == {}
    with utils.HookHandle() as scoped:
        scoped.attach(hooks, print)
    assert hooks == {}


def test_check_sha1(tmp_path: Path):
    path = tmp_path / "file"
    path.write_bytes(CONTENT)
    digest = hashlib.sha1(CONTENT, usedforsecurity=False).hexdigest()
    assert utils.check_sha1(str(path), digest)
    for other in ("0" * 40, digest[:8], "", digest + "0"):
        assert not utils.check_sha1(path, other)


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves one file, after as many failures as the test wants."""

    failures = 0
    requests = 0
    asked = ""
    lost = 0
    silent = False

    def do_GET(self):
        type(self).requests += 1
        type(self).asked = self.path
        if type(self).failures:
            type(self).failures -= 1
            self.send_error(503)
            return
        if type(self).silent:
            threading.Event().wait(1)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT[: len(CONTENT) - type(self).lost])

    def log_message(self, *_):
        pass


@pytest.fixture(params=["requests", "urllib"])
def url(request, monkeypatch: pytest.MonkeyPatch):
    if request.param == "requests":
        pytest.importorskip("requests")
    else:
        monkeypatch.setattr(downloads, "find_spec", lambda _: None)
    Handler.failures = Handler.requests = Handler.lost = 0
    Handler.silent = False
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/files/data.bin"
        server.shutdown()
        thread.join()


def test_download(url: str, tmp_path: Path):
    digest = hashlib.sha1(CONTENT, usedforsecurity=False).hexdigest()
    path = utils.download(url, str(tmp_path), sha1_hash=digest)
    assert Path(path) == tmp_path / "data.bin"
    assert Path(path).read_bytes() == CONTENT
    utils.download(url, path)
    assert Handler.requests == 1, "the file was there"
    utils.download(url, path, overwrite=True)
    assert Handler.requests == 2


def test_download_through_a_proxy(url: str, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("http_proxy", url.partition("/files")[0])
    monkeypatch.setenv("no_proxy", "")
    path = utils.download("http://elsewhere.invalid/files/data.bin", tmp_path / "data.bin")
    assert Path(path).read_bytes() == CONTENT
    assert Handler.asked == "http://elsewhere.invalid/files/data.bin"


def test_a_wrong_file_is_downloaded_again(url: str, tmp_path: Path):
    path = tmp_path / "new folder" / "data.bin"
    path.parent.mkdir()
    path.write_bytes(b"something else")
    digest = hashlib.sha1(CONTENT, usedforsecurity=False).hexdigest()
    utils.download(url, path, sha1_hash=digest)
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("name", [".", "..", "..?x=1"])
def test_download_takes_no_folder_for_a_name(name: str, tmp_path: Path):
    with pytest.raises(mx.MXNetError, match="file name"):
        utils.download(f"http://localhost/{name}", path=tmp_path)


def test_download_tries_again(url: str, tmp_path: Path):
    Handler.failures = 2
    utils.download(url, tmp_path / "data.bin", retries=2)
    assert Handler.requests == 3


def test_download_leaves_nothing_half_done(url: str, tmp_path: Path):
    old = tmp_path / "data.bin"
    old.write_bytes(b"old")
    with pytest.raises(mx.MXNetError, match="SHA-1"):
        utils.download(url, old, overwrite=True, sha1_hash="0" * 40, retries=1)
    assert old.read_bytes() == b"old"
    Handler.failures = 5
    with pytest.raises(mx.MXNetError, match="2 tries"):
        utils.download(url, tmp_path / "other.bin", retries=1)
    assert [item.name for item in tmp_path.iterdir()] == ["data.bin"]


def test_a_download_that_breaks_off(url: str, tmp_path: Path):
    Handler.lost = 100
    with pytest.raises(mx.MXNetError, match=f"of {len(CONTENT)} bytes|100 more expected"):
        utils.download(url, tmp_path / "data.bin", retries=0)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_answer(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    Handler.silent = True
    monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", 0.1)
    with pytest.raises(mx.MXNetError, match="timed out"):
        utils.download(url, tmp_path / "data.bin", retries=0)


def test_download_by_what_a_program_has_put_for_requests(tmp_path: Path, monkeypatch):
    requests = pytest.importorskip("requests")
    reply = requests.Response()
    reply.status_code, reply.raw = 200, io.BytesIO(CONTENT)
    monkeypatch.setattr(requests, "get", lambda *_, **__: reply)
    with pytest.warns(UserWarning, match="^Unverified HTTPS request"):
        path = utils.download("https://elsewhere.invalid/a", tmp_path / "b", verify_ssl=False)
    assert Path(path).read_bytes() == CONTENT


@pytest.mark.parametrize("limit", [999, 10])
def test_a_download_has_a_limit(url: str, tmp_path: Path, limit: int):
    old = tmp_path / "data.bin"
    old.write_bytes(b"old")
    refused = pytest.raises(mx.errors.LimitExceededError, match=rf"data\.bin: asks for .* {limit}")
    with mx.limits.scope(download_bytes=limit), refused:
        utils.download(url, old, overwrite=True)
    assert Handler.requests == 1, "it is not tried again"
    assert [item.read_bytes() for item in tmp_path.iterdir()] == [b"old"]


def test_a_file_of_known_size_is_no_larger(url: str, tmp_path: Path):
    with pytest.raises(mx.errors.LimitExceededError, match="expected at most 99 bytes"):
        utils._download_at_most(99, url, tmp_path / "data.bin")
    with mx.limits.scope(download_bytes=0):
        utils._download_at_most(len(CONTENT), url, tmp_path / "data.bin")


def test_a_disk_without_room_is_left_alone(url: str, tmp_path: Path, monkeypatch):
    usage = shutil._ntuple_diskusage(1 << 40, 1 << 40, 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(mx.MXNetError, match="are to be written where 0 are free"):
        utils.download(url, tmp_path / "data.bin", retries=0)
    assert list(tmp_path.iterdir()) == []


def test_the_address_of_files(monkeypatch: pytest.MonkeyPatch):
    for address in ("http://mirror/x", "http://mirror/x/"):
        monkeypatch.setenv("MXNET_GLUON_REPO", address)
        assert utils._get_repo_url() == "http://mirror/x/"
        assert utils._get_repo_file_url("a/b", "c.gz") == "http://mirror/x/a/b/c.gz"
    monkeypatch.delenv("MXNET_GLUON_REPO")
    assert utils._get_repo_url().startswith("https://apache-mxnet.")


def test_replace_file(tmp_path: Path):
    (tmp_path / "a").write_text("new")
    (tmp_path / "b").write_text("old")
    utils.replace_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_text() == "new"


def test_shape_is_known():
    assert utils.shape_is_known((2, 3))
    assert not utils.shape_is_known((2, 0))
    assert not utils.shape_is_known(None)
