"""A dataset fails in a worker of a `DataLoader`."""
import mxnet as mx
from mxnet import gluon


class Words(gluon.data.Dataset):
    vocabulary = {"a": 0, "b": 1}

    def __getitem__(self, index):
        return mx.nd.array([self.vocabulary["abc"[index]]])

    def __len__(self):
        return 3


for batch in gluon.data.DataLoader(Words(), batch_size=3, num_workers=1):
    print(batch)
