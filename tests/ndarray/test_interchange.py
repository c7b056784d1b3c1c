"""Arrays where libraries of others take arrays: torch, NumPy, Pillow, TensorBoard, loaders."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest
import torch

import mxnet as mx
from mxnet import gluon, nd

CLASSES = {"nd": nd.array, "np": mx.np.array}


@pytest.fixture(params=CLASSES)
def make_array(request):
    return CLASSES[request.param]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "uint8", "int32", "int64"])
def test_libraries_read_elements(make_array, dtype):
    x = make_array([[1, 2, 3], [4, 5, 6]], dtype=dtype)
    for values in (torch.as_tensor(x), torch.tensor(x), torch.from_dlpack(x)):
        assert values.dtype is getattr(torch, dtype)
        assert values.tolist() == [[1, 2, 3], [4, 5, 6]]
    for values in (np.asarray(x), np.array(x), np.from_dlpack(x)):
        assert values.dtype == dtype
        assert values.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_dlpack_shares_memory(make_array):
    x = make_array([1.0, 2.0])
    assert x.__dlpack_device__() == (1, 0)
    torch.from_dlpack(x)[0] = 5
    np.from_dlpack(x)[1] = 6
    assert x.asnumpy().tolist() == [5, 6]


def test_dlpack_of_an_array_in_a_graph_has_no_history(make_array):
    x = make_array([1.0, 2.0])
    x.attach_grad()
    with mx.autograd.record():
        y = x * 2
        assert not torch.from_dlpack(y).requires_grad


def test_the_interface_of_numpy_is_that_of_a_copy(make_array):
    x = make_array([[1.0, 2.0], [3.0, 4.0]])
    values = np.asarray(x)
    values[:] = 0
    assert x.asnumpy().any()
    interface = x.T.__array_interface__
    assert interface["shape"] == (2, 2)
    assert interface["typestr"] == np.dtype("float32").str
    assert x.T.tobytes() == np.array([[1, 3], [2, 4]], dtype="float32").tobytes()
    assert np.add(np.ones((2, 2), dtype="float32"), np.asarray(x)).tolist() == [[2, 3], [4, 5]]


def test_numpy_reads_odd_arrays():
    assert np.asarray(nd.array([3.5])).tolist() == [3.5]
    assert np.asarray(mx.np.array(2.0)).shape == ()
    assert np.asarray(nd.array([True, False], dtype="bool")).tolist() == [True, False]
    assert np.asarray(mx.np.zeros((0, 3))).shape == (0, 3)
    assert np.asarray(nd.array([1.5], dtype="bfloat16")).dtype.names == ("bfloat16",)


def test_python_prefers_methods_of_arrays(make_array):
    x = make_array([1.0, 2.0])
    assert type(np.float32(2) * x) is type(x)
    assert (np.float32(2) * x).asnumpy().tolist() == [2, 4]


@pytest.mark.parametrize("shape", [(4, 6, 3), (4, 6)])
def test_pillow_makes_a_picture(make_array, shape):
    values = np.arange(np.prod(shape), dtype="uint8").reshape(shape)
    picture = PIL.Image.fromarray(make_array(values, dtype="uint8"))
    assert picture.size == (6, 4)
    assert (np.asarray(picture) == values).all()


def test_tensorboard_takes_arrays(make_array, tmp_path):
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with tensorboard.SummaryWriter(tmp_path) as writer:
        writer.add_scalar("loss", make_array([1.5]), 1)
        writer.add_scalars("losses", {"a": make_array([2.5])}, 1)
        writer.add_histogram("weights", make_array([[1.0, 2.0]]), 1)
        writer.add_image("picture", make_array(np.ones((3, 4, 4))), 1)
        writer.add_images("pictures", make_array(np.ones((2, 3, 4, 4))), 1)
        writer.add_embedding(make_array([[1.0, 2.0], [3.0, 4.0]]), tag="points")
        writer.add_pr_curve("curve", make_array([0.0, 1.0]), make_array([0.2, 0.8]), 1)
    read = events.EventAccumulator(str(tmp_path)).Reload()
    assert read.Scalars("loss")[0].value == 1.5
    assert set(read.Tags()["images"]) >= {"picture"}
    assert read.Tags()["histograms"] == ["weights"]


@pytest.mark.parametrize("num_workers", [0, 1])
def test_torch_loads_a_dataset_of_gluon(num_workers):
    images = nd.arange(24).reshape((6, 2, 2))
    dataset = gluon.data.ArrayDataset(images, np.arange(6, dtype="int32"))
    dataset = dataset.transform_first(lambda image: image + 1)
    loader = torch.utils.data.DataLoader(dataset, batch_size=4, num_workers=num_workers)
    batches = list(loader)
    assert [type(part) for part in batches[0]] == [torch.Tensor, torch.Tensor]
    assert torch.cat([data for data, _ in batches]).tolist() == (images + 1).asnumpy().tolist()
    assert torch.cat([labels for _, labels in batches]).tolist() == [0, 1, 2, 3, 4, 5]


def test_torch_collates_arrays_in_dictionaries(make_array):
    samples = [{"x": make_array([1.0]), "n": 1}, {"x": make_array([2.0]), "n": 2}]
    batch = torch.utils.data.default_collate(samples)
    assert batch["x"].tolist() == [[1], [2]]
    assert batch["n"].tolist() == [1, 2]


@pytest.mark.parametrize("tensor", [torch.ones(2).to_sparse(), torch.ones(2, device="meta")])
def test_tensors_without_elements_in_order_are_refused(tensor):
    with pytest.raises(mx.MXNetError, match="from_torch: takes a dense tensor with elements"):
        nd.from_torch(tensor)
