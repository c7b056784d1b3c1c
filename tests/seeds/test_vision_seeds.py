"""What the notes say of image datasets and their transforms (000, part 11; 002, 2018-11-15)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon.data.vision import transforms

from ..gluon.data.vision import files

ROOT = Path(__file__).resolve().parents[2]

CLASSES = """
import mxnet as mx
for dataset in (
    mx.gluon.data.vision.MNIST(),
    mx.gluon.data.vision.FashionMNIST(),
    mx.gluon.data.vision.CIFAR10(),
    mx.gluon.data.vision.CIFAR100(),
):
    print(type(dataset).__name__, len(dataset), dataset[0][0].shape)
print(mx.gluon.data.vision.datasets.ImageFolderDataset.__name__)
"""


def test_datasets_lie_in_the_home_of_mxnet(tmp_path):
    home = tmp_path / ".mxnet" / "datasets"
    for name, contents in (("cifar10", files.CIFAR10), ("cifar100", files.CIFAR100)):
        (home / name).mkdir(parents=True)
        for file, content in contents.items():
            (home / name / file).write_bytes(content)
    for name in ("mnist", "fashion-mnist"):
        (home / name).mkdir()
        files.write_mnist(home / name)
    environment = {name: value for name, value in os.environ.items() if name != "MXNET_HOME"}
    done = subprocess.run(
        [sys.executable, "-c", CLASSES],
        capture_output=True,
        text=True,
        check=False,
        env={**environment, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "src")},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "MNIST 6 (28, 28, 1)",
        "FashionMNIST 6 (28, 28, 1)",
        "CIFAR10 10 (32, 32, 3)",
        "CIFAR100 4 (32, 32, 3)",
        "ImageFolderDataset",
    ]


@pytest.mark.parametrize(
    "ctx", [mx.cpu(0), pytest.param(mx.gpu(0), marks=pytest.mark.gpu)], ids=str
)
def test_to_tensor_where_the_data_is(ctx, tmp_path):
    """Note 002 found that `ToTensor` fails on a GPU and used a function instead."""
    arrays = files.write_mnist(tmp_path)
    with ctx:
        dataset = mx.gluon.data.vision.MNIST(tmp_path)
        image = dataset[1][0].as_in_context(ctx)
        by_hand = mx.gluon.data.vision.MNIST(
            tmp_path, transform=lambda data, label: (data.astype("float32") / 255, label)
        )[1][0]
    found = transforms.ToTensor()(image)
    assert found.context == ctx
    expected = arrays["train-images-idx3-ubyte"][1][None] / np.float32(255)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(by_hand.asnumpy()[..., 0], expected[0], rtol=1e-6)
