"""`glueball weights` turns weights of torch's networks into Gluon's, and reads no hostile file.

The networks of torch are written here with torchvision's names, with random weights.
"""

from __future__ import annotations

import functools
import http.server
import json
import pickle
import sys
import threading
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

import mxnet as mx
from glueball import main
from glueball.weights.fits import FITS
from glueball.weights.state_dicts import read_state_dict
from mxnet.errors import MXNetError
from mxnet.gluon.contrib import torch_weights
from mxnet.gluon.model_zoo import vision
from mxnet.gluon.model_zoo.vision._network import NETWORKS

ROOT = Path(__file__).resolve().parents[2]


class Fire(nn.Module):
    def __init__(self, before: int, narrow: int, wide: int):
        super().__init__()
        self.squeeze = nn.Conv2d(before, narrow, 1)
        self.expand1x1 = nn.Conv2d(narrow, wide, 1)
        self.expand3x3 = nn.Conv2d(narrow, wide, 3, padding=1)

    def forward(self, x):
        x = self.squeeze(x).relu()
        return torch.cat([self.expand1x1(x).relu(), self.expand3x3(x).relu()], 1)


class SqueezeNet(nn.Module):
    """torchvision's `squeezenet1_1`."""

    def __init__(self, classes: int = 5):
        super().__init__()

        def pool():
            return nn.MaxPool2d(3, 2, ceil_mode=True)

        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 3, 2),
            nn.ReLU(),
            pool(),
            Fire(64, 16, 64),
            Fire(128, 16, 64),
            pool(),
            Fire(128, 32, 128),
            Fire(256, 32, 128),
            pool(),
            Fire(256, 48, 192),
            Fire(384, 48, 192),
            Fire(384, 64, 256),
            Fire(512, 64, 256),
        )
        last = nn.Conv2d(512, classes, 1)
        self.classifier = nn.Sequential(nn.Dropout(), last, nn.ReLU(), nn.AdaptiveAvgPool2d(1))

    def forward(self, x):
        return self.classifier(self.features(x)).flatten(1)


class Unit(nn.Module):
    """A bottleneck as torchvision has it."""

    def __init__(self, before: int, narrow: int, stride: int):
        super().__init__()
        sizes = [(before, narrow, 1, 1), (narrow, narrow, 3, stride), (narrow, 4 * narrow, 1, 1)]
        for number, (inner, outer, kernel, step) in enumerate(sizes, 1):
            conv = nn.Conv2d(inner, outer, kernel, step, kernel // 2, bias=False)
            self.add_module(f"conv{number}", conv)
            self.add_module(f"bn{number}", nn.BatchNorm2d(outer))
        self.downsample = None
        if before != 4 * narrow or stride > 1:
            straight = nn.Conv2d(before, 4 * narrow, 1, stride, bias=False)
            self.downsample = nn.Sequential(straight, nn.BatchNorm2d(4 * narrow))

    def forward(self, x):
        path = self.bn1(self.conv1(x)).relu()
        path = self.bn3(self.conv3(self.bn2(self.conv2(path)).relu()))
        return (path + (x if self.downsample is None else self.downsample(x))).relu()


class ResNet50(nn.Module):
    def __init__(self, classes: int = 5):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        before = 64
        for number, depth in enumerate((3, 4, 6, 3), 1):
            narrow, units = 32 << number, []
            for index in range(depth):
                units.append(Unit(before, narrow, 2 if index == 0 and number > 1 else 1))
                before = 4 * narrow
            self.add_module(f"layer{number}", nn.Sequential(*units))
        self.fc = nn.Linear(before, classes)

    def forward(self, x):
        x = nn.functional.max_pool2d(self.bn1(self.conv1(x)).relu(), 3, 2, 1)
        for stage in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = stage(x)
        return self.fc(x.mean((2, 3)))


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


@pytest.fixture
def module():
    return SqueezeNet().eval()


@pytest.fixture
def server(tmp_path):
    """A server of this machine; returns its folder and its address."""
    folder = tmp_path / "served"
    folder.mkdir()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    made = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
    )
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{made.server_port}"
    made.shutdown()
    made.server_close()
    thread.join()


def save(module: nn.Module, path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".safetensors":
        with mx.util.np_shape(True), mx.util.np_array(True):
            arrays = {name: mx.np.array(v.numpy()) for name, v in module.state_dict().items()}
            mx.npx.save(str(path), arrays)
    else:
        torch.save(module.state_dict(), path)
    return str(path)


def check(module: nn.Module, prefix: Path, name: str | None = None) -> None:
    """Checks that what was written computes what the network of torch does."""
    data = torch.rand(1, 3, 224, 224)
    with torch.no_grad():
        expected = module.eval()(data).numpy()
    graph = mx.gluon.SymbolBlock.imports(f"{prefix}-symbol.json", ["data"], f"{prefix}-0000.params")
    nets = [graph]
    if name is not None:
        nets.append(vision.get_model(name, classes=5))
        nets[-1].load_parameters(f"{prefix}.params")
    for net in nets:
        found = net(mx.nd.from_torch(data)).asnumpy()
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("ending", [".pth", ".safetensors"])
def test_files_of_torch(module, ending, tmp_path, capsys):
    path, prefix = save(module, tmp_path / f"net{ending}"), tmp_path / "squeeze"
    assert main.main(["weights", "squeezenet1.1", path, "-o", str(prefix)]) == 0
    printed = capsys.readouterr().out
    assert "52 weights of torch" in printed
    assert "load_parameters(" in printed
    check(module, prefix, "squeezenet1.1")


def test_a_network_that_has_to_be_changed_is_written_as_a_graph_alone(tmp_path, capsys):
    module, prefix = ResNet50(), tmp_path / "res"
    path = save(module, tmp_path / "net.pth")
    assert main.main(["weights", "resnet50_v1", path, "-o", str(prefix)]) == 0
    assert "SymbolBlock.imports" in capsys.readouterr().out
    assert not Path(f"{prefix}.params").exists()
    check(module, prefix)


def test_outputs_are_compared_where_torchvision_is_installed(module, tmp_path, capsys, monkeypatch):
    made = {"squeezenet1_1": lambda num_classes: SqueezeNet(num_classes).eval()}
    models = SimpleNamespace(**made)
    monkeypatch.setitem(sys.modules, "torchvision", SimpleNamespace(models=models))
    monkeypatch.setitem(sys.modules, "torchvision.models", models)
    path = save(module, tmp_path / "net.pth")
    command = ["weights", "squeezenet1.1", path, "-o", str(tmp_path / "n"), "--json"]
    assert main.main(command) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["agrees"] is True
    assert 0 <= result["largest_difference"] < 1e-4
    monkeypatch.setattr(SqueezeNet, "forward", lambda _, x: x.new_full((1, 5), 7.0))
    assert main.main(command) == 1
    assert json.loads(capsys.readouterr().out)["agrees"] is False


def test_an_address_and_a_mirror_of_the_hub(module, server, tmp_path, monkeypatch, capsys):
    folder, address = server
    monkeypatch.setitem(sys.modules, "requests", None)
    monkeypatch.setenv("HF_ENDPOINT", f"{address}/")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    save(module, folder / "a.pth")
    save(module, folder / "me" / "net" / "resolve" / "main" / "model.safetensors")
    for number, source in enumerate((f"{address}/a.pth", "me/net", "hf:me/net:model.safetensors")):
        prefix = tmp_path / "made" / f"n{number}"
        assert main.main(["weights", "squeezenet1.1", source, "-o", str(prefix)]) == 0
        check(module, prefix, "squeezenet1.1")
    assert main.main(["weights", "squeezenet1.1", "me/other"]) == 1
    assert "set HF_ENDPOINT to a mirror" in capsys.readouterr().err


def test_huggingface_hub_is_used_if_it_is_installed(module, tmp_path, monkeypatch):
    path, asked = save(module, tmp_path / "net.safetensors"), []

    def download(**options):
        asked.append(options)
        return path

    hub = SimpleNamespace(hf_hub_download=download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    prefix = tmp_path / "n"
    assert main.main(["weights", "squeezenet1.1", "me/net", "-o", str(prefix)]) == 0
    assert asked == [{"repo_id": "me/net", "filename": "model.safetensors"}]
    check(module, prefix, "squeezenet1.1")


def test_a_mirror_of_plain_files_is_read_without_huggingface_hub(
    module, server, tmp_path, monkeypatch, capsys
):
    def download(**_):
        raise OSError("missing the 'X-Repo-Commit' header")

    folder, address = server
    hub = SimpleNamespace(hf_hub_download=download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    save(module, folder / "me" / "net" / "resolve" / "main" / "model.safetensors")
    prefix = tmp_path / "n"
    command = ["weights", "squeezenet1.1", "me/net", "-o", str(prefix)]
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    assert main.main(command) == 1
    assert "X-Repo-Commit" in capsys.readouterr().err
    monkeypatch.setenv("HF_ENDPOINT", address)
    assert main.main(command) == 0
    check(module, prefix, "squeezenet1.1")


class Evil:
    def __reduce__(self):
        return (Path.touch, (Path("touched"),))


def hostile_files(folder: Path) -> dict[str, Path]:
    files = {name: folder / name for name in ("code", "wide", "packed", "text", "number", "cut")}
    files["code"].write_bytes(pickle.dumps(Evil()))
    torch.save({"a": torch.ones(1).expand(1 << 40)}, files["wide"])
    torch.save({"a": torch.zeros(1 << 16)}, files["cut"])
    with (
        zipfile.ZipFile(files["cut"]) as old,
        zipfile.ZipFile(files["packed"], "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for item in old.infolist():
            new.writestr(item.filename, old.read(item))
    files["cut"].write_bytes(files["cut"].read_bytes()[:3000])
    files["text"].write_text("weights")
    torch.save(3, files["number"])
    return files


@pytest.mark.parametrize("kind", ["code", "wide", "packed", "text", "number", "cut"])
def test_hostile_files_are_refused(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = hostile_files(tmp_path)[kind]
    with pytest.raises(MXNetError, match="weights: "):
        read_state_dict(path)
    assert main.main(["weights", "alexnet", str(path)]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("glueball weights: ")
    assert "weights: weights: " not in errors
    assert not Path("touched").exists()


def test_what_programs_of_training_save_is_unwrapped(tmp_path):
    weights = {"module.a": torch.ones(2)}
    torch.save({"state_dict": weights, "epoch": 3}, tmp_path / "run.pth")
    assert [*read_state_dict(tmp_path / "run.pth")] == ["a"]


def test_names_in_files_of_early_releases_are_those_of_today(tmp_path):
    old = "features.denseblock1.denselayer2.norm.1.running_mean"
    torch.save({old: torch.ones(2)}, tmp_path / "densenet.pth")
    (name,) = read_state_dict(tmp_path / "densenet.pth")
    assert name == "features.denseblock1.denselayer2.norm1.running_mean"
    assert name in torch_weights.names_of(vision.densenet121()).values()


def test_wrong_names_are_explained(capsys, tmp_path, module):
    assert main.main(["weights", "resnet18_v2", "x"]) == 1
    assert "`glueball weights` lists them" in capsys.readouterr().err
    assert main.main(["weights", "alexnet"]) == 1
    assert "no repository of the hub is known" in capsys.readouterr().err
    assert main.main(["weights", "alexnet", "no such file"]) == 1
    assert "expected a file, an address or a repository" in capsys.readouterr().err
    assert main.main(["weights", "resnet18_v1", save(module, tmp_path / "net.pth")]) == 1
    assert "no weight for features.0.weight" in capsys.readouterr().err


def test_the_table_has_every_network_that_fits_and_the_page_shows_it(capsys):
    fitting = []
    for name in NETWORKS:
        try:
            torch_weights.names_of(vision.get_model(name))
        except MXNetError:
            continue
        fitting.append(name)
    narrower = {name for name in fitting if name.startswith(("mobilenet0", "mobilenetv2_0"))}
    assert {*fitting} - narrower == {*FITS}
    assert main.main(["weights"]) == 0
    page = (ROOT / "docs" / "weights.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out.strip() in page
