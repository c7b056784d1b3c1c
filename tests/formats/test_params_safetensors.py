"""Files of safetensors: equal to those of the package of this name, and safe to read."""

from __future__ import annotations

import json
import pickle
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet._formats.array_record import ArrayRecord
from mxnet._formats.element_types import BFLOAT16_NUMPY, TYPE_CODES
from mxnet._formats.params.file import load_params, read_params, save_params
from mxnet.errors import FileFormatError, LimitExceededError, MXNetError
from mxnet.gluon import nn

ENTRY = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


def file_of(header: object, data: bytes = bytes(8), length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def make_network() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3, in_units=2), nn.BatchNorm(in_channels=3))
    net.initialize(mx.init.Xavier())
    return net


@pytest.mark.parametrize("row", TYPE_CODES, ids=lambda row: row.name)
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 4), (5,)])
def test_every_dtype_and_shape_comes_back(row, shape, tmp_path):
    path = tmp_path / "net.safetensors"
    array = np.arange(np.prod(shape), dtype="uint16").reshape(shape).astype("uint16")
    array = array.view(BFLOAT16_NUMPY) if row.name == "bfloat16" else array.astype(row.numpy)
    save_params(path, [ArrayRecord.dense(array)], ["w"])
    (record,), names = load_params(path)
    assert names == ["w"]
    assert record.data.dtype == row.numpy
    assert record.shape == shape
    assert record.data.tobytes() == array.tobytes()


def test_the_package_of_this_name_reads_what_is_written(tmp_path):
    package = pytest.importorskip("safetensors.torch", reason="needs the extra `safetensors`")
    path = tmp_path / "net.safetensors"
    arrays = {
        "bytes": mx.nd.array([1, 2, 3], dtype="uint8"),
        "half": mx.nd.array([[1.5], [2]], dtype="float16"),
        "brain": mx.nd.array([0.5, 3]).astype("bfloat16"),
        "wide": mx.nd.array([2**40], dtype="int64"),
        "名": mx.nd.ones((2, 2)),
    }
    mx.nd.save(str(path), arrays)
    read = package.load_file(path)
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        assert torch.equal(read[name], array.to_torch())


def test_what_the_package_of_this_name_writes_is_read(tmp_path):
    package = pytest.importorskip("safetensors.torch", reason="needs the extra `safetensors`")
    path = tmp_path / "weights"  # known by its content
    tensors = {
        "b": torch.tensor([1.5, 2], dtype=torch.bfloat16),
        "a": torch.arange(6).reshape(2, 3),
        "flag": torch.tensor([True, False]),
    }
    package.save_file(tensors, path, metadata={"format": "pt"})
    loaded = mx.nd.load(str(path))
    assert loaded.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert torch.equal(loaded[name].to_torch(), tensor)


def test_parameters_of_networks_go_through_such_files(tmp_path):
    path = tmp_path / "net.safetensors"
    net, other = make_network(), make_network()
    net.save_parameters(str(path))
    assert path.read_bytes()[8:9] == b"{"
    other.load_parameters(str(path))
    for name, parameter in net._collect_params_with_prefix().items():
        loaded = other._collect_params_with_prefix()[name].data()
        np.testing.assert_array_equal(loaded.asnumpy(), parameter.data().asnumpy())
    net.collect_params().save(str(path), strip_prefix=net.prefix)
    other.initialize(mx.init.Zero(), force_reinit=True)
    other.collect_params().load(str(path), restore_prefix=other.prefix)
    np.testing.assert_array_equal(other[0].weight.data().asnumpy(), net[0].weight.data().asnumpy())


def test_arrays_of_the_numpy_dialect_go_through_such_files(tmp_path):
    path = tmp_path / "net.safetensors"
    mx.npx.set_np()
    try:
        mx.npx.save(str(path), {"scalar": mx.np.array(2.5), "none": mx.np.zeros((0, 3))})
        loaded = mx.npx.load(str(path))
        assert loaded["scalar"].item() == 2.5
        assert loaded["none"].shape == (0, 3)
    finally:
        mx.npx.reset_np()


def test_elements_are_aligned(tmp_path):
    path = tmp_path / "net.safetensors"
    mx.nd.save(
        str(path), {"a": mx.nd.zeros(3, dtype="uint8"), "b": mx.nd.zeros(2, dtype="float64")}
    )
    content = path.read_bytes()
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    assert length % 8 == 0
    assert list(header) == ["__metadata__", "a", "b"]
    assert header["b"]["data_offsets"] == [0, 16]
    assert header["a"]["data_offsets"] == [16, 19]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([mx.nd.ones(2)], "save a dict of arrays by name"),
        ({"__metadata__": mx.nd.ones(2)}, "not a name for an array"),
        ({"w": mx.nd.ones((2, 2)).tostype("csr")}, r"dense arrays, got csr; convert it"),
    ],
)
def test_what_such_a_file_cannot_hold_is_refused_and_the_old_file_stays(data, message, tmp_path):
    path = tmp_path / "net.safetensors"
    path.write_bytes(b"old")
    with pytest.raises(MXNetError, match=message):
        mx.nd.save(str(path), data)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the length of a safetensors header takes 8 bytes, only 0 are left"),
        (file_of({"w": ENTRY}, length=2**60), "only 69 are left"),
        (file_of(b"[]"), "expected an object"),
        (file_of(b"{"), "not JSON"),
        (file_of(b"\xff{}"), "not JSON"),
        (file_of(b"[" * 100_000), "not JSON"),
        (file_of(b'{"w":%b}' % (b"1" * 5000)), "not JSON"),
        (file_of({"w": 1}), "array 'w': expected an object, got 1"),
        (file_of({"w": ENTRY | {"dtype": "F8_E4M3"}}), "dtype is one of .* got 'F8_E4M3'"),
        (file_of({"w": ENTRY | {"dtype": ["F32"]}}), "dtype is one of"),
        (file_of({"w": ENTRY | {"shape": [-2]}}), "shape is a list"),
        (file_of({"w": ENTRY | {"shape": [True, 2]}}), "shape is a list"),
        (file_of({"w": ENTRY | {"shape": [1] * 33}}), "at most 32 lengths"),
        (file_of({"w": ENTRY | {"shape": [2.0]}}), "shape is a list"),
        (file_of({"w": ENTRY | {"shape": None}}), "shape is a list"),
        (file_of({"w": ENTRY | {"data_offsets": [0]}}), "list of two positions"),
        (file_of({"w": ENTRY | {"data_offsets": [0, 4]}}), "does not take 4 bytes"),
        (file_of({"w": ENTRY | {"data_offsets": [8, 0]}}), "does not take -8 bytes"),
        (file_of({"w": ENTRY, "v": ENTRY}), "array 'v': begins at byte 0, expected 8: it overlaps"),
        (file_of({"w": ENTRY | {"data_offsets": [1, 9]}}), "it leaves a gap"),
        (file_of({"w": ENTRY}, bytes(9)), "1 bytes belong to no array"),
        (file_of({"w": ENTRY}, bytes(7)), "takes 8 bytes, only 7 are left"),
        (file_of(b'{"w":%b,"w":%b}' % ((json.dumps(ENTRY).encode(),) * 2)), "occurs twice"),
        (
            file_of({"w": {"dtype": "U8", "shape": [2**62, 2**62, 0], "data_offsets": [0, 0]}}),
            "too large for any array",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_its_name_and_place(content, message, tmp_path):
    path = tmp_path / "net.safetensors"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message) as caught:
        load_params(path)
    assert str(caught.value).startswith(str(path))


def test_the_length_of_a_header_is_limited():
    with mx.limits.scope(symbol_bytes=10), pytest.raises(LimitExceededError, match="buffer: head"):
        read_params(file_of({"w": ENTRY}), "buffer")


def test_any_metadata_is_skipped():
    _, names = read_params(file_of({"__metadata__": {"format": [1]}, "w": ENTRY}), "memory")
    assert names == ["w"]


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("name", ["net.pt", "net.pth", "pytorch_model.bin", "net.params"])
def test_a_checkpoint_of_torch_says_how_to_convert_it(name, legacy, tmp_path):
    path = tmp_path / name
    torch.save({"w": torch.ones(2)}, path, _use_new_zipfile_serialization=not legacy)
    with pytest.raises(FileFormatError, match="this is a pickle") as caught:
        make_network().load_parameters(str(path))
    assert f"torch.load('{name}', weights_only=True), '{Path(name).stem}.safetensors')" in str(
        caught.value
    )


def test_a_pickle_is_not_run(tmp_path):
    class Payload:
        def __reduce__(self):
            return Path.touch, (tmp_path / "OWNED",)

    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        (tmp_path / "a.pt").write_bytes(pickle.dumps(Payload(), protocol))
        with pytest.raises(FileFormatError, match="pickle"):
            mx.nd.load(str(tmp_path / "a.pt"))
    with zipfile.ZipFile(tmp_path / "b.pt", "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(Payload()))
    with pytest.raises(FileFormatError, match="pickle"):
        mx.nd.load(str(tmp_path / "b.pt"))
    assert not (tmp_path / "OWNED").exists()
