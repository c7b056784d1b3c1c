"""`glueball convert` writes models for other programs and compares what these compute."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

import mxnet as mx
from glueball import convert, main
from glueball.examples import make_block, make_data
from glueball.models import open_model


def run(model: str, target: Path, *options: str, status: int = 0) -> None:
    assert main.main(["convert", model, "--output", str(target), *options]) == status


def test_a_network_of_the_zoo_to_onnx(zoo_model, tmp_path, capsys):
    runtime = pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")
    target = tmp_path / "net.onnx"
    run(zoo_model, target, "--to", "onnx", "--shape", "data=1,3,32,32")
    printed = capsys.readouterr().out
    assert f"written to {target}" in printed
    assert "compared on data=1,3,32,32 by ONNX Runtime" in printed
    assert "1 output agrees" in printed
    session = runtime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    assert session.get_inputs()[0].shape == [1, 3, 32, 32]


def test_a_batch_of_any_size(small_model, tmp_path):
    runtime = pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")
    target = tmp_path / "net.onnx"
    run(small_model, target, "--to", "onnx", "--dynamic-batch")
    session = runtime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    data = np.ones((7, 5), "float32")
    (found,) = session.run(None, {session.get_inputs()[0].name: data})
    np.testing.assert_allclose(
        found, make_block(open_model(small_model))(mx.nd.array(data)).asnumpy(), rtol=1e-5
    )


def test_torch(small_model, tmp_path, capsys):
    target = tmp_path / "net.pt2"
    run(small_model, target, "--to", "torch")
    assert "1 output agrees" in capsys.readouterr().out
    exported = torch.export.load(str(target))
    model = open_model(small_model)
    assert {*exported.state_dict} == {*model.parameters}
    program = exported.module()
    (data,) = make_data(model)
    expected = make_block(model)(data).asnumpy()
    np.testing.assert_allclose(program(data.to_torch())[0].detach(), expected, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("to", ["onnx", "torch"])
def test_other_networks(to, zoo_model, recurrent_model, hostile_model, tmp_path):
    target = tmp_path / ("net.onnx" if to == "onnx" else "net.pt2")
    run(zoo_model, target, "--to", to, "--shape", "data=2,3,32,32")
    run(recurrent_model, target, "--to", to, "--shape", "data=5,2")
    run(hostile_model, target, "--to", to)


def test_safetensors(small_model, tmp_path, capsys):
    target = tmp_path / "net.safetensors"
    run(small_model, target, "--to", "safetensors", "--json")
    result = json.loads(capsys.readouterr().out)
    assert result["comparison"]["agrees"]
    assert result["comparison"]["difference"] == 0
    assert {*mx.nd.load(str(target))} == {*open_model(small_model).parameters}


def test_parameters_alone_to_safetensors(small_model, tmp_path):
    shutil.copy(f"{small_model}-0000.params", tmp_path)
    run(str(tmp_path / "mlp-0000.params"), tmp_path / "net.safetensors", "--to", "safetensors")
    assert (tmp_path / "net.safetensors").exists()


def test_openvino(small_model, tmp_path, capsys):
    pytest.importorskip("openvino", reason="needs the extra `openvino`")
    run(small_model, tmp_path / "net.xml", "--to", "openvino")
    assert "1 output agrees" in capsys.readouterr().out
    assert (tmp_path / "net.bin").exists()


def test_a_package_that_is_missing(small_model, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openvino", None)
    run(small_model, tmp_path / "net.xml", "--to", "openvino", status=1)
    assert "needs openvino: run `pip install 'glueball[openvino]'`" in capsys.readouterr().err


def test_labels_of_a_module_are_not_data(tmp_path, capsys):
    pytest.importorskip("onnxruntime", reason="needs the extra `onnx`")
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    module.bind([("data", (2, 4))], [("softmax_label", (2,))])
    module.init_params(mx.init.Xavier())
    module.save_checkpoint(str(tmp_path / "module"), 3)
    run(str(tmp_path / "module"), tmp_path / "net.onnx", "--to", "onnx")
    assert "agrees" in capsys.readouterr().out


def test_indices_are_drawn_from_the_whole_table(recurrent_model):
    (data,) = make_data(open_model(recurrent_model, ["data=50,20"]))
    values = data.asnumpy()
    assert values.min() == 0
    assert values.max() == 19
    assert (values == np.floor(values)).all()


def test_outputs_that_differ_are_an_error(small_model, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(convert, "_distance", lambda *_: 0.5)
    run(small_model, tmp_path / "net.pt2", "--to", "torch", status=1)
    assert "1 output differs: largest difference 0.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("expected", "found", "distance"),
    [
        ([1, 2], [1, 2], 0),
        ([1, 200], [1, 202], 0.01),
        ([1e-20, 2e-20], [1e-20, 3e-20], 0.5),
        ([1, np.nan], [1, np.nan], 0),
        ([1, np.nan], [1, 2], np.inf),
        ([1, np.inf], [1, np.inf], 0),
        ([1, np.inf], [1, 5], np.inf),
        ([1, 2], [1], np.inf),
        ([], [], 0),
    ],
)
def test_how_far_outputs_are_apart(expected, found, distance):
    arrays = np.array(expected, "float32"), np.array(found, "float32")
    assert convert._distance(*arrays) == pytest.approx(distance)


def test_a_format_must_be_named(small_model):
    with pytest.raises(SystemExit) as end:
        main.main(["convert", small_model])
    assert end.value.code == 2


def test_files_of_a_format_have_its_ending(small_model, tmp_path, capsys):
    for target in (tmp_path, tmp_path / "net.bin"):
        run(small_model, target, "--to", "onnx", status=1)
        assert "files for onnx end with .onnx, got" in capsys.readouterr().err
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("to", ["onnx", "torch"])
def test_names_of_a_file_are_not_run(to, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    evil = """training"); open("ran", "w"); getattr(self, "training"""
    data = mx.sym.var("data")
    net = mx.sym.FullyConnected(data, mx.sym.var(evil), no_bias=True, num_hidden=2, name=evil)
    net.save("evil-symbol.json")
    mx.nd.save("evil-0000.params", {f"arg:{evil}": mx.nd.ones((2, 2))})
    main.main(["convert", "evil", "--to", to])
    assert not (tmp_path / "ran").exists()
