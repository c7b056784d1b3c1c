"""Models by the names of their files, shapes of data, and garbage in the place of models."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import mxnet as mx
from glueball import main
from glueball.console import CommandError
from glueball.models import open_model
from glueball.shapes import complete_shapes, parse_shapes

COMMANDS = ["show", "bench", "convert --to onnx", "convert --to safetensors"]


@pytest.mark.parametrize("ending", ["", "-symbol.json", "-0000.params"])
def test_each_name_of_a_model_opens_it(ending, small_model):
    model = open_model(small_model + ending)
    assert model.name == "mlp"
    assert model.data_names == ["data"]
    assert model.shapes == {"data": (1, 5)}
    assert len(model.parameters) == 4


def test_the_last_epoch_is_opened(small_model, tmp_path):
    for name in ("mlp-symbol.json", "mlp-0000.params"):
        shutil.copy(Path(small_model).with_name(name), tmp_path)
    shutil.copy(f"{small_model}-0000.params", tmp_path / "mlp-0012.params")
    shutil.copy(f"{small_model}-0000.params", tmp_path / "mlp-other-0099.params")
    assert open_model(str(tmp_path / "mlp")).files[1].name == "mlp-0012.params"


def test_parameters_alone(small_model, tmp_path):
    shutil.copy(f"{small_model}-0000.params", tmp_path)
    model = open_model(str(tmp_path / "mlp-0000.params"))
    with pytest.raises(CommandError, match=r"holds parameters alone.*mlp-symbol\.json"):
        _ = model.graph


def test_a_graph_alone_cannot_be_run(small_model, tmp_path):
    shutil.copy(f"{small_model}-symbol.json", tmp_path)
    with pytest.raises(CommandError, match="has no parameters beside it"):
        open_model(str(tmp_path / "mlp")).need_parameters()


def test_weights_of_a_graph_alone_are_no_data(zoo_model, tmp_path):
    shutil.copy(f"{zoo_model}-symbol.json", tmp_path)
    graph = str(tmp_path / "mobile")
    assert open_model(graph).data_names == ["data"]
    model = open_model(graph, ["data=1,3,32,32"])
    assert model.shapes == {"data": (1, 3, 32, 32)}
    complete = open_model(zoo_model, ["data=1,3,32,32"]).measure()
    assert model.measure().num_parameters == complete.num_parameters
    assert model.measure().flops == complete.flops


def test_shapes_that_are_given(small_model):
    assert open_model(small_model, ["data=7,5"]).shapes == {"data": (7, 5)}
    with pytest.raises(CommandError, match="the network has no input dta; it has data"):
        open_model(small_model, ["dta=7,5"])
    with pytest.raises(mx.MXNetError):
        open_model(small_model, ["data=7,6"])


@pytest.mark.parametrize("text", ["data", "data=", "=1,2", "data=a,b", "data=1,-2", "data=1.5"])
def test_shapes_that_are_none(text):
    with pytest.raises(CommandError, match="--shape: takes NAME=LENGTH"):
        parse_shapes([text])


def test_spellings_of_shapes():
    assert parse_shapes(["a=1,2", "b=(1, 2)", "c:3x4", "d=(5,)"]) == {
        "a": (1, 2), "b": (1, 2), "c": (3, 4), "d": (5,),
    }  # fmt: skip
    with pytest.raises(CommandError, match="more than"):
        parse_shapes(["a=99999999,99999999"])


@pytest.mark.parametrize(
    ("layout", "weight", "shape"),
    [("NCHW", (8, 3, 3, 3), (1, 3, 28, 28)), ("NHWC", (8, 3, 3, 3), (1, 28, 28, 3))],
)
def test_the_size_of_images_is_the_first_usual_one_that_fits(layout, weight, shape):
    net = mx.sym.Convolution(mx.sym.BatchNorm(mx.sym.var("x")), kernel=(3, 3), num_filter=8,
                             no_bias=True, layout=layout, name="conv")  # fmt: skip
    net = mx.sym.FullyConnected(net, num_hidden=10, no_bias=True, name="fc")
    parameters = {"conv_weight": weight, "fc_weight": (10, 8 * 26 * 26)}
    parameters |= {f"batchnorm0_{name}": (3,) for name in ("gamma", "beta")}
    found = complete_shapes(net, parameters, {}, ["x"])
    assert found["x"] == shape


def test_labels_follow_from_data():
    scores = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    net = mx.sym.SoftmaxOutput(scores, name="softmax")
    parameters = {"fc_weight": (3, 5), "fc_bias": (3,)}
    assert complete_shapes(net, parameters, {}, net.list_inputs())["softmax_label"] == (1,)


def test_an_input_of_unknown_shape_is_asked_for(recurrent_model):
    model = open_model(recurrent_model)
    assert model.shapes == {}
    with pytest.raises(CommandError, match=r"no value for data: .*give their shapes"):
        model.need_parameters()
    assert open_model(recurrent_model, ["data=5,2"]).measure().unknown == ()


def garbage(folder: Path) -> dict[str, str]:
    """Makes things that are no models; returns what to say of each by its path."""
    (folder / "empty-symbol.json").touch()
    (folder / "cut-symbol.json").write_text('{"nodes": [{"op": "null", "na')
    (folder / "other-symbol.json").write_text(json.dumps({"name": "package", "version": 1}))
    (folder / "binary-symbol.json").write_bytes(bytes(range(256)) * 10)
    (folder / "empty-0000.params").touch()
    (folder / "binary.params").write_bytes(bytes(range(256)) * 10)
    (folder / "some.folder").mkdir()
    return {
        "missing": "there is no model",
        "missing.params": "there is no file",
        "missing-symbol.json": "there is no file",
        "empty-symbol.json": "",
        "cut-symbol.json": "",
        "other-symbol.json": "",
        "binary-symbol.json": "",
        "empty-0000.params": "",
        "binary.params": "",
        "some.folder": "is a folder",
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_garbage_is_refused_in_one_sentence(command, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, sentence in garbage(tmp_path).items():
        word, *options = command.split()
        assert main.main([word, str(tmp_path / name), *options]) == 1, name
        shown = capsys.readouterr()
        assert shown.err.startswith(f"glueball {word}: ")
        assert shown.err.count("\n") == 1
        assert sentence in shown.err
        assert shown.out == ""


def test_a_folder_says_which_models_it_has(small_model):
    with pytest.raises(CommandError, match="is a folder; give the prefix of a model; it has mlp"):
        open_model(str(Path(small_model).parent))
