"""Datasets, transforms, samplers and loaders."""

from typing_extensions import assert_type

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon.data import DataLoader, Dataset
from mxnet.gluon.data.vision import transforms


class Squares(Dataset):
    def __init__(self, count):
        self._count = count

    def __len__(self):
        return self._count

    def __getitem__(self, idx):
        return nd.array([idx]), idx**2


class Doubled(gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        return x * 2


class Rescale(gluon.Block):
    def forward(self, x):
        return x.astype("float32") / 255


squares = Squares(6)
for x, y in DataLoader(squares, batch_size=4, last_batch="keep"):
    print(x.shape, y)
augment = transforms.Compose(
    [
        transforms.Resize(16),
        transforms.RandomFlipLeftRight(),
        transforms.ToTensor(),
        transforms.Normalize(mean=(0.5, 0.5, 0.5), std=[0.2, 0.2, 0.2]),
        Doubled(),
    ]
)
image = nd.random.uniform(0, 255, shape=(20, 20, 3)).astype("uint8")
assert_type(augment(image), nd.NDArray)
assert_type(transforms.ToTensor()(image), nd.NDArray)
images = gluon.data.ArrayDataset([image] * 4, [0, 1, 0, 1])
train = images.transform_first(augment)
both = images.transform(lambda image, label: (image.astype("float32"), float(label)), lazy=False)
loader = DataLoader(train, batch_size=2, shuffle=True, num_workers=0, pin_memory=False)
assert_type(len(loader), int)
for batch in loader:
    data, label = batch
    parts = gluon.utils.split_and_load(data, ctx_list=[mx.cpu()], batch_axis=0)
    assert_type(parts, list[nd.NDArray])
numbers = gluon.data.SimpleDataset(list(range(10))).filter(lambda number: number % 2 == 0)
print(numbers[0], len(numbers.take(3)), len(both))
sampler = gluon.data.BatchSampler(gluon.data.RandomSampler(10), 3, "discard")
print(len(sampler), [len(batch) for batch in sampler])
shown = DataLoader(
    numbers.shard(2, 0),
    batch_sampler=gluon.data.BatchSampler(gluon.data.SequentialSampler(3), 2, "keep"),
)
print(len(shown), Rescale()(image).shape)
assert_type(Rescale()(image), nd.NDArray)
