"""The program of note 000 (and 001) with a pretrained network of the model zoo, as it is written.

It needs three things from outside: the published parameters, in whose place the test puts a file of
its own, an image `th.jpg`, and of gluoncv the function that prepares images.
"""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.gluon.model_zoo import model_store, vision

from .test_gluon_seeds import as_fields, execute, read

SHAPES = ["64x112x112"] * 3 + ["64x56x56"] * 2 + ["128x28x28", "256x14x14", "512x7x7", "512x1x1"]


def transform_eval(image: nd.NDArray) -> nd.NDArray:
    """Cuts out the middle and normalizes, as gluoncv does after resizing."""
    top, left = (image.shape[0] - 224) // 2, (image.shape[1] - 224) // 2
    values = image.asnumpy()[top : top + 224, left : left + 224] / 255
    normal = (values - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    return nd.array(normal.transpose(2, 0, 1)[None].astype("float32"))


@pytest.fixture
def surroundings(tmp_path, monkeypatch):
    """What the program finds: the parameters in MXNET_HOME, gluoncv, the image."""
    mx.random.seed(0)
    net = vision.resnet18_v1()
    net.initialize(mx.init.Xavier())
    net(nd.ones((1, 3, 32, 32)))
    folder = tmp_path / "home" / "models"
    folder.mkdir(parents=True)
    file = folder / f"resnet18_v1-{model_store.short_hash('resnet18_v1')}.params"
    net.save_parameters(str(file))
    monkeypatch.setattr(model_store, "check_sha1", lambda path, _: path == file)
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "home"))
    imagenet = SimpleNamespace(transform_eval=transform_eval)
    presets = SimpleNamespace(presets=SimpleNamespace(imagenet=imagenet))
    gluoncv = SimpleNamespace(data=SimpleNamespace(transforms=presets))
    monkeypatch.setitem(sys.modules, "gluoncv", gluoncv)
    monkeypatch.chdir(tmp_path)
    pixels = np.random.RandomState(0).randint(0, 255, (16, 20, 3)).astype("uint8")
    cv2.imwrite("th.jpg", cv2.resize(pixels, (320, 256)))
    return net


def test_outputs_of_layers_in_the_middle(surroundings, capsys):
    scope = execute(read("000_intermediate_outputs.py"))
    printed = capsys.readouterr().out
    kind = "<class 'mxnet.ndarray.ndarray.NDArray'> : "
    shapes = [f"(1, {shape.replace('x', ', ')})" for shape in SHAPES]
    assert [line for line in printed.splitlines() if line.startswith(kind)] == [
        kind + shape for shape in shapes
    ]
    image = transform_eval(mx.image.imread("th.jpg"))
    scores = surroundings(image).asnumpy()[0]
    best = [int(float(word)) for word in re.findall(r"\d+\.", printed.split("\n[[")[1])]
    assert best == list(np.argsort(-scores)[:5])
    assert "<NDArray 1x5 @cpu(0)>" in printed
    assert repr(eval(read("000_residual_index.py"), scope)) == "Activation(relu)"  # noqa: S307


@pytest.mark.usefixtures("surroundings")
def test_printed_network(capsys):
    """The note prints an older version's: 1.9.1 orders fields and parts, and adds to pooling's."""
    execute(read("000_intermediate_outputs.py").partition("# input image")[0])
    printed = capsys.readouterr().out.splitlines()
    note = read("000_residual.out").splitlines()
    omitted = next(i for i, line in enumerate(note) if "#" in line)  # the stages 5 to 7
    before, after = note[3:omitted], note[omitted + 1 :]
    expected = [note[0], note[2], *before, *after[:-1], note[1], after[-1]]
    ours = [*printed[: len(before) + 2], *printed[-4:]]
    assert len(ours) == len(expected)
    for line, old in zip(ours, expected, strict=True):
        assert as_fields(line)[0] == as_fields(old)[0]
        assert as_fields(old)[1] <= as_fields(line)[1]
