"""What the documentation shows, runs: examples in docstrings, programs in the README and pages."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import mxnet as mx

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(mx.__path__, "mxnet.")
    if not module.name.startswith("mxnet.ndarray.op")  # generated functions: tested where declared
)


class _Finder(doctest.DocTestFinder):
    """Finds the examples of decorated functions, too, which belong to the decorator's module."""

    def _from_module(self, module, object):
        return super()._from_module(module, inspect.unwrap(object))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str):
    if name.startswith("mxnet.graph.openvino."):
        pytest.importorskip("openvino", reason="needs the extra `openvino`")
    if name.startswith(("mxnet.onnx", "mxnet.contrib.onnx")):
        pytest.importorskip("onnx", reason="needs the extra `onnx`")
    if name == "mxnet.contrib.tensorboard":
        pytest.importorskip("tensorboard", reason="needs the extra `tensorboard`")
    if name.startswith(("mxnet.image", "mxnet.gluon.data.vision")):
        pytest.importorskip("cv2", reason="needs the extra `images`")
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner()
    for example in _Finder().find(module):
        runner.run(example)
    assert runner.failures == 0


def test_the_program_in_the_readme(tmp_path: Path, monkeypatch, capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, program = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:2]
    shown = re.search(r"```text\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "first.py").write_text(first, encoding="utf-8")
    runpy.run_path(str(tmp_path / "first.py"))
    assert capsys.readouterr().out.strip() == shown.strip()
    assert len(program.splitlines()) <= 20
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    mx.random.seed(1)
    scope = runpy.run_path("program.py")
    assert scope["net"].weight.data()[0].asnumpy() == pytest.approx([2, -3.4], abs=0.02)
    assert (tmp_path / "linear.params").exists()
    assert "NDArray 1x2 @cpu(0)" in capsys.readouterr().out


def test_the_figures_in_the_readme_are_those_of_the_results():
    """A README may round a figure, and show milliseconds as microseconds."""
    number = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")

    def numbers_of(text: str) -> list[float]:
        return [float(found.replace(",", "")) for found in number.findall(text)]

    results = numbers_of((ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8"))
    speed = (ROOT / "README.md").read_text(encoding="utf-8").split("## Speed")[1].split("\n## ")[0]
    cells = [cell for line in speed.splitlines() for cell in line.split("|")[2:-1]]
    shown = [figure for cell in cells for figure in numbers_of(cell)]
    results += [1000 * result for result in results]
    missing = [
        figure
        for figure in shown
        if not any(abs(result - figure) <= 0.01 * figure for result in results)
    ]
    assert missing == []
    assert len(shown) > 60


def test_the_programs_in_the_page_on_distributed_training(tmp_path: Path):
    text = (ROOT / "docs" / "distributed.md").read_text(encoding="utf-8")
    samples = mx.nd.arange(12).reshape((6, 2)), mx.nd.arange(6) % 3
    dataset = mx.gluon.data.ArrayDataset(*samples)
    for program in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        sampler = mx.gluon.contrib.data.SplitSampler(6)
        scope = {
            "mx": mx,
            "gluon": mx.gluon,
            "autograd": mx.autograd,
            "dataset": dataset,
            "batch_size": 2,
            "sampler": sampler,
            "loader": mx.gluon.data.DataLoader(dataset, 2, sampler=sampler),
            "make_network": lambda: mx.gluon.nn.Dense(3, in_units=2),
            "net": mx.gluon.nn.Dense(3, in_units=2),
            "loss_of": mx.gluon.loss.SoftmaxCrossEntropyLoss(),
            "ctx": mx.cpu(),
            "store": mx.kv.create("dist_sync"),
            "folder": tmp_path,
        }
        if "initialize" not in program:
            scope["net"].initialize()
        exec(program, scope)  # noqa: S102 - the page is ours
        assert scope["net"].weight.list_data()[0].shape == (3, 2)
    assert any(tmp_path.iterdir())
