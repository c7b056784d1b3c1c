"""Files, images and data of programs that load and measure in the NumPy dialect."""

from __future__ import annotations

import gzip
import hashlib
import os
import struct

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, image, metric, np, npx
from mxnet.contrib import text
from mxnet.gluon import data
from mxnet.gluon.data.vision import datasets, transforms

from .np_helpers import count, kept

npx.set_np()
picture = np.array(onp.arange(12 * 10 * 3).reshape(12, 10, 3) % 251, dtype="uint8")
planes = np.array(onp.arange(3 * 12 * 10).reshape(3, 12, 10) / 360.0, dtype="float32")
scores = np.array([[0.2, 0.5, 0.3], [0.1, 0.05, 0.85], [0.6, 0.3, 0.1], [0.25, 0.2, 0.55]])
classes = np.array([1, 2, 2, 0])
chances = np.array([[0.3, 0.7], [0.6, 0.4], [0.2, 0.8], [0.9, 0.1]])
truths = np.array([0, 1, 1, 0])


def digits(folder, train=True, kind=datasets.MNIST):
    """Reads a data set of a few pictures from files in its format."""
    for name, number in (("train", 6), ("t10k", 3)):
        pixels = (onp.arange(number * 784) % 253).astype("uint8")
        with gzip.open(f"{folder}/{name}-images-idx3-ubyte.gz", "wb") as file:
            file.write(struct.pack(">IIII", 2051, number, 28, 28) + pixels.tobytes())
        with gzip.open(f"{folder}/{name}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(struct.pack(">II", 2049, number) + bytes(range(number)))
    if hasattr(datasets, "download"):  # the original would download files with other sums again
        datasets.download = lambda url, path=None, **_: os.path.join(path, url.rpartition("/")[2])
    return kind(root=folder, train=train)


class Letters(datasets.MNIST):
    """A data set of the user's in MNIST's format."""

    def __init__(self, root, train):
        self._train = train
        self._train_data = ("train-images-idx3-ubyte.gz", "0" * 40)
        self._train_label = ("train-labels-idx1-ubyte.gz", "1" * 40)
        self._namespace = "letters"
        super(datasets.MNIST, self).__init__(root, None)


class Photographs(datasets.CIFAR10):
    """A data set of the user's in CIFAR's format, whose files need not be downloaded."""

    def __init__(self, root):
        contents = (onp.arange(2 * 3073) % 9).astype("uint8").tobytes()
        with open(f"{root}/batch.bin", "wb") as file:
            file.write(contents)
        self._train = True
        self._train_data = [("batch.bin", hashlib.sha1(contents).hexdigest())]
        self._test_data = []
        super(datasets.CIFAR10, self).__init__(root, None)


def outline(value):
    """Describes samples and batches; of many elements the sum is enough."""
    if isinstance(value, (list, tuple)):
        return [outline(item) for item in value]
    found = kept(value)
    return [*found[:3], round(sum(found[3]), 2)] if isinstance(found, list) else found


def load(dataset, **options):
    return [outline(batch) for batch in data.DataLoader(dataset, 4, **options)]


def measured(kind, labels, predictions):
    kind.update([labels], [predictions])
    name, value = kind.get()
    return [name, round(float(value), 5)]


def images(folder):
    """Writes a picture and a list of five."""
    import cv2

    cv2.imwrite(f"{folder}/a.png", picture.asnumpy())
    with open(f"{folder}/list.lst", "w") as file:
        file.writelines(f"{number}\t{number}\ta.png\n" for number in range(5))
    return folder


def read(folder):
    with open(f"{images(folder)}/a.png", "rb") as file:
        return file.read()


def batches(iterator):
    return [[outline(batch.data), outline(batch.label), batch.pad] for batch in iterator]


def embedding(folder):
    with open(f"{folder}/vectors.txt", "w") as file:
        file.write("a 1 2 3\nb 4 5 6\n")
    return text.embedding.CustomEmbedding(f"{folder}/vectors.txt")


def updated(found):
    found.update_token_vectors("a", np.array([7.0, 8.0, 9.0]))
    return kept(found.get_vecs_by_tokens(["a", "b", "c"]))


def trained(folder, hybrid):
    """Trains softmax regression for two epochs, as the book does."""
    tensors = digits(folder).transform_first(transforms.ToTensor())
    net = gluon.nn.Sequential() if not hybrid else gluon.nn.HybridSequential()
    net.add(gluon.nn.Flatten(), gluon.nn.Dense(10))
    net.initialize(mx.init.Constant(0.01))
    if hybrid:
        net.hybridize()
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    losses = []
    for _ in range(2):
        for X, y in data.DataLoader(tensors, 3):
            with autograd.record():
                value = loss(net(X), y)
            value.backward()
            trainer.step(len(X))
            losses.append(kept(value.mean()))
    return losses


def stored(folder):
    npx.save(f"{folder}/a", {"one": np.ones(2), "scalar": np.array(3.0), "none": np.zeros((0, 2))})
    npx.save(f"{folder}/b", [np.ones(2), np.array(1)])
    found = npx.load(f"{folder}/a")
    return [[name, kept(found[name])] for name in sorted(found)] + [kept(npx.load(f"{folder}/b"))]
