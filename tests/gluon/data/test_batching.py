"""Batches that are loaded and transformed at once are those of single samples."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import data, nn
from mxnet.gluon.data._batching import split_stages, works_on_batches
from mxnet.gluon.data.dataset import is_in_memory
from mxnet.gluon.data.vision import transforms

from .datasets import Computed

IMAGES = mx.nd.array(np.random.default_rng(0).integers(0, 256, (10, 6, 5, 3)), dtype="uint8")
LABELS = np.arange(10, dtype="int32")


class Seen(nn.Block):
    """A transform that works on batches and notes the shapes that it is called with."""

    _works_on_batches = True

    def __init__(self):
        super().__init__()
        self.shapes = []

    def forward(self, x):
        self.shapes.append(x.shape)
        return x + 1


class SeenPixels(Seen):
    """Says nothing about its own `forward`."""

    def forward(self, x):
        return super().forward(x) * 2


class Random(nn.Block):
    def forward(self, x):
        return x * float(np.random.rand())


def chain(*blocks, kind=nn.Sequential):
    net = kind()
    net.add(*blocks)
    return net


def load(dataset, batch_size=4, **arguments):
    return [flat(batch) for batch in data.DataLoader(dataset, batch_size, **arguments)]


def flat(batch):
    """Returns the arrays of a batch, whatever is inside of what."""
    if isinstance(batch, list):
        return [array for part in batch for array in flat(part)]
    return [batch.asnumpy()]


def single(dataset, batch_size=4):
    """Loads batches by a function that the loader knows nothing about."""
    return load(dataset, batch_size, batchify_fn=lambda s: data.dataloader.default_batchify_fn(s))


def equal(one, two):
    assert len(one) == len(two)
    for first, second in zip(one, two, strict=True):
        for part, other in zip(first, second, strict=True):
            assert part.dtype == other.dtype
            np.testing.assert_array_equal(part, other)


PIPELINES = {
    "tensor": transforms.ToTensor(),
    "normalize": transforms.Compose(
        [transforms.ToTensor(), transforms.Normalize((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))]
    ),
    "cast": transforms.Cast("float16"),
    "resize": transforms.Compose([transforms.Resize(4), transforms.ToTensor()]),
    "crop": transforms.Compose([transforms.CenterCrop(4), transforms.ToTensor()]),
    "nested": transforms.Compose(
        [transforms.Compose([transforms.ToTensor()]), transforms.Normalize(0.5, 0.5)]
    ),
}


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("name", PIPELINES)
def test_transforms_of_images(name, shuffle, workers):
    dataset = data.ArrayDataset(IMAGES, LABELS).transform_first(PIPELINES[name])
    np.random.seed(1)
    found = load(dataset, shuffle=shuffle, num_workers=workers)
    np.random.seed(1)
    order = data.RandomSampler(10) if shuffle else data.SequentialSampler(10)
    equal(found, single(dataset.sample(order)))


@pytest.mark.parametrize(
    "dataset",
    [
        data.ArrayDataset(IMAGES, LABELS, [[1, 2]] * 10),
        data.ArrayDataset(IMAGES),
        data.ArrayDataset(LABELS, IMAGES),
        data.ArrayDataset(mx.nd.arange(10), mx.nd.arange(20).reshape((10, 2))),
        data.ArrayDataset(IMAGES, LABELS).take(7),
        data.ArrayDataset(IMAGES, LABELS).shard(3, 1).filter(lambda sample: sample[1] != 5),
        data.SimpleDataset(mx.nd.arange(10)),
        data.SimpleDataset(mx.nd.arange(10)).transform(Seen()),
        data.SimpleDataset([(1, 2), (3, 4)]),
        data.SimpleDataset(((1, 2), (3, 4))),
        data.ArrayDataset([(1, 2), (3, 4)]),
        data.ArrayDataset([(1, 2), (3, 4)], np.array([b"a", b"b"]).view("uint8")),
        data.ArrayDataset(IMAGES).transform(Seen()),
        data.ArrayDataset(IMAGES, LABELS).transform_first(Seen()).transform_first(Seen()),
        data.ArrayDataset(IMAGES).transform_first(Seen()).transform(Seen()),
        data.ArrayDataset(LABELS.astype("float32")).transform(lambda x: x * 2),
        data.ArrayDataset(data.ArrayDataset(IMAGES), LABELS).transform_first(Seen()),
        Computed().transform_first(Seen()),
        Computed(),
        np.arange(10),
        np.ones((5, 2)),
        mx.nd.ones(5),
        mx.nd.ones((5, 2)),
        [3, 4, 5],
        range(5),
    ],
)
@pytest.mark.parametrize("workers", [0, 1])
def test_datasets(dataset, workers):
    equal(load(dataset, num_workers=workers), single(dataset))


@pytest.mark.parametrize("dataset", [data.ArrayDataset(IMAGES), data.ArrayDataset(LABELS), IMAGES])
def test_batches_do_not_share_memory_with_the_dataset(dataset):
    before = IMAGES.asnumpy().copy(), LABELS.copy()
    for batch in data.DataLoader(dataset, 10):
        batch[:] = 0
    assert (IMAGES.asnumpy() == before[0]).all()
    assert (before[1] == LABELS).all()


def shapes_seen(block, *around):
    dataset = data.ArrayDataset(IMAGES, LABELS).transform_first(chain(*around, block))
    equal(load(dataset), load(dataset))
    return block.shapes[: len(block.shapes) // 2]


WHOLE = [(4, 6, 5, 3), (4, 6, 5, 3), (2, 6, 5, 3)]


def test_a_declared_block_gets_whole_batches():
    assert shapes_seen(Seen()) == WHOLE


def test_a_block_that_is_no_longer_what_was_declared_gets_samples():
    assert shapes_seen(SeenPixels()) == [(6, 5, 3)] * 10


def test_a_block_with_a_hook_gets_samples():
    block, called = Seen(), []
    block.register_forward_hook(lambda *_: called.append(1))
    assert shapes_seen(block) == [(6, 5, 3)] * 10
    assert len(called) == 20


def test_a_function_gets_samples():
    block = Seen()
    load(data.ArrayDataset(IMAGES, LABELS).transform_first(lambda x: block(x)))
    assert block.shapes == [(6, 5, 3)] * 10


def test_what_follows_a_random_transform_gets_whole_batches():
    first, last = Seen(), Seen()
    dataset = data.ArrayDataset(IMAGES, LABELS).transform_first(chain(first, Random(), last))
    np.random.seed(1)
    found = load(dataset)
    assert first.shapes == [(6, 5, 3)] * 10
    assert last.shapes == WHOLE
    np.random.seed(1)
    equal(found, single(dataset))


def test_random_numbers_are_drawn_for_each_sample():
    dataset = data.ArrayDataset(mx.nd.ones((4, 1))).transform(chain(Random(), Seen()))
    assert len(set(load(dataset)[0][0].ravel().tolist())) == 4


def test_samples_of_different_shapes_are_transformed_one_by_one():
    block = Seen()
    samples = [mx.nd.ones((2, 3)), mx.nd.ones((4, 3))]
    dataset = data.SimpleDataset(samples).transform(chain(block, Mean()))
    assert load(dataset)[0][0].tolist() == [[2], [2]]
    assert block.shapes == [(2, 3), (4, 3)]


class Mean(nn.Block):
    def forward(self, x):
        return x.mean()


def test_samples_with_more_axes_are_transformed_one_by_one():
    batches = IMAGES.reshape((5, 2, 6, 5, 3))
    dataset = data.ArrayDataset(batches, LABELS[:5]).transform_first(transforms.ToTensor())
    assert load(dataset)[0][0].shape == (4, 2, 3, 6, 5)


def test_a_transform_that_refuses_tells_the_sample():
    dataset = data.ArrayDataset(mx.nd.ones((4, 2)), LABELS[:4])
    with pytest.raises(mx.MXNetError) as info:
        load(dataset.transform_first(transforms.ToTensor()))
    assert info.value.sample_index == 0


def test_private_names_of_a_program_are_its_own():
    class Table(data.Dataset):
        _columns = ("a", "b")

        def __len__(self):
            return 2

        def __getitem__(self, idx):
            return self._fetch(idx)

        def _fetch(self, row):
            return len(self._columns) * row

    assert load(Table().transform(lambda x: x + 1))[0][0].tolist() == [1, 3]


def test_an_overridden_getitem_is_asked():
    class Squares(data.ArrayDataset):
        def __getitem__(self, idx):
            return super().__getitem__(idx) ** 2

    assert load(Squares(np.arange(4)))[0][0].tolist() == [0, 1, 4, 9]
    assert not is_in_memory(Squares(np.arange(4)))


@pytest.mark.parametrize("bad", [[0, 10], [-11]])
def test_indices_outside(bad):
    for dataset in (data.ArrayDataset(IMAGES, LABELS), data.SimpleDataset(IMAGES)):
        with pytest.raises(IndexError):
            list(data.DataLoader(dataset, batch_sampler=[bad]))


def test_indices_from_the_end():
    assert load(data.ArrayDataset(LABELS), None, batch_sampler=[[-1, 0, -10]])[0][0].tolist() == [
        9,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        (data.ArrayDataset(IMAGES, LABELS), True),
        (data.ArrayDataset(IMAGES, LABELS).transform_first(transforms.ToTensor()), True),
        (data.ArrayDataset(IMAGES, LABELS).take(5).transform_first(transforms.ToTensor()), True),
        (data.ArrayDataset(IMAGES, LABELS).transform_first(lambda x: x), False),
        (data.ArrayDataset(IMAGES, LABELS).transform(transforms.ToTensor()), False),
        (data.ArrayDataset(list(IMAGES), LABELS).transform_first(transforms.ToTensor()), False),
        (Computed().transform_first(transforms.ToTensor()), False),
        (data.SimpleDataset([1, 2]), False),
    ],
)
def test_what_is_in_memory(dataset, expected):
    assert is_in_memory(dataset) is expected


def test_stages():
    seen, random = Seen(), Random()
    assert split_stages(chain(seen, chain(random, seen), seen)) == ([seen, random], [seen, seen])
    hybrid = chain(transforms.ToTensor(), kind=nn.HybridSequential)
    assert split_stages(hybrid) == ([], list(hybrid))
    assert split_stages(len) == ([len], [])
    assert not works_on_batches(SeenPixels())
