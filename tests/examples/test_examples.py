"""Every example runs and prints what the original prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PRINTED = {
    "accumulate_gradients": ["the same training"],
    "custom_function": ["clip:             [0. 1. 1. 0.]", "straight through: [1. 1. 1. 1.]"],
    "custom_layers": [
        "centered: [-2. -1.  0.  1.  2.]",
        "dense: [[5.0, 5.0, 5.0], [5.0, 5.0, 5.0]]",
        "mydense0_ (",
        "weight of shape (8, 6), mean of the output 0.000000",
    ],
    "custom_initializer": [
        "initializing net_dense0_weight of shape (4, 3)",
        "initializing net_dense1_weight of shape (2, 4)",
        "no small values: True",
        "second weight: [0.5 0.5 0.5 0.5]",
        "first weight:  [1. 1. 1.]",
    ],
    "hybridize_and_export": [
        "the same prediction: True",
        "it learns: True",
        "files: ['residual-0020.params', 'residual-symbol.json']",
        "the same from files: True",
        "arguments: 19 states: 8",
        "shape of the output: [(2, 3)]",
    ],
    "numpy_dialect": [
        "written through a mask: [[10.0, 10.0, -1.0], [0.0, 1.0, 2.0]] | sum: 22.0 ()",
        "gradient: [[20.0, 20.0, -1.0], [-1.0, 2.0, 4.0]]",
        "classic array, written to as mx.np: [2.0, 3.0, 4.0]",
        "accuracy: 100.0%, wrong points: 0",
    ],
    "numpy_transformer": [
        "100.0% of the symbols are right",
        "[6, 0, 7, 3, 7, 1] -> [1, 7, 3, 7, 0, 6]",
    ],
    "quantize_digits": [
        "within one percent: True",
        "files: ['digits-0000.params', 'digits-symbol.json']",
        "the same from files: True",
    ],
    "share_parameters": [
        "the same parameter: True",
        "the same gradient:  True",
        "names: dense1_weight, dense0_weight, dense3_weight",
    ],
    "intermediate_outputs": [
        "conv0: (1, 8, 24, 24)",
        "pool0: (1, 8, 12, 12)",
        "conv1: (1, 16, 10, 10)",
        "pool1: (1, 16, 1, 1)",
        "dense0: (1, 10)",
        "kept (1, 16, 10, 10) of conv1",
        "the same result: True",
    ],
    "train_and_predict_mode": [
        "training outside of record(): False",
        "the same twice: True",
        "training in train_mode(): True",
        "the same twice: False",
        "training in record(): True",
        "training in record(train_mode=False): False",
        "the same twice: True",
    ],
    "torch_bridge": [
        "trained by Gluon: True",
        "trained by torch: True",
        "the same prediction: True",
        "parameters: 0.0.weight, 0.0.bias, 0.1.weight, 0.1.bias, 1.weight, 1.bias, "
        "2.weight and 2.bias",
    ],
    "save_and_load": [
        "arrays: ['x', 'y']",
        "save_parameters: True ['0.bias', '0.weight', '1.bias', '1.weight']",
        "collect_params().save: True model_dense0_weight model_dense0_bias model_dense1_weight "
        "model_dense1_bias",
        "pickle of the whole network: True",
    ],
}
MEASURED = {
    "bucketing_lm",
    "distributed_gluon",
    "distributed_module",
    "estimator_digits",
    "fine_tuning",
    "mnist_lenet",
    "module_digits",
    "quickstart",
    "softmax_from_scratch",
    "whole_step",
}


def run_program(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "examples" / f"{name}.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )


def run(name: str, *arguments: str) -> list[str]:
    result = run_program(name, *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def share_after(text: str, lines: list[str]) -> float:
    found = re.search(re.escape(text) + r": ([\d.]+)%", "\n".join(lines))
    return float(found[1])


def test_every_example_is_tested():
    programs = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert programs == {*PRINTED, *MEASURED, "digits"}


@pytest.mark.parametrize("name", PRINTED)
def test_example_prints_what_the_original_prints(name: str):
    lines = iter(run(name))
    for expected in PRINTED[name]:
        assert expected in lines, f"{expected!r} is not printed, or not in this order"


@pytest.mark.parametrize(
    ("name", "model", "least"),
    [("quickstart", "lenet", 90), ("softmax_from_scratch", "softmax", 85)],
)
def test_the_digits_are_learnt(name: str, model: str, least: float, tmp_path: Path):
    lines = run(name, "--epochs", "2", "--output", str(tmp_path))
    assert share_after("accuracy on the test digits", lines) > least
    assert (tmp_path / f"{model}.params").stat().st_size > 784 * 10 * 4
    assert (tmp_path / "digits.png").read_bytes().startswith(b"\x89PNG")


def test_quickstart_prints_each_epoch_and_no_warning_or_progress_bar(tmp_path: Path):
    """A bar is for terminals, and a warning would say that the learning rate is another."""
    result = run_program("quickstart", "--epochs", "1", "--output", str(tmp_path))
    assert result.stderr == ""
    line = result.stdout.splitlines()[1]
    assert re.fullmatch(r"epoch 1/1: loss \d\.\d{3}, accuracy on the test digits \d\d\.\d%", line)


def test_fine_tuning_beats_training_from_scratch():
    lines = run("fine_tuning", "--epochs", "3")
    assert share_after("digits 0-4", lines) > 90
    tuned = share_after("digits 5-9, fine-tuned on 100 examples", lines)
    assert tuned > share_after("digits 5-9, from scratch on 100 examples", lines)


def test_lenet_learns_the_digits_through_dataset_and_loader():
    lines = run("mnist_lenet")
    assert share_after("accuracy on the test digits", lines[-1:]) > 93


def test_whole_steps_learn_the_digits():
    lines = run("whole_step")
    assert share_after("accuracy on the test digits", lines[-1:]) > 93
    assert "learning rate 0.0000" in lines[2]


def test_a_module_learns_saves_and_goes_on(tmp_path: Path):
    lines = run("module_digits", "--epochs", "6", "--output", str(tmp_path))
    assert share_after("accuracy after 6 epochs", lines) > 97
    assert (tmp_path / "digits-0003.states").exists()
    assert (tmp_path / "digits-0006.params").exists()


def test_an_estimator_saves_and_goes_on(tmp_path: Path):
    lines = run("estimator_digits", str(tmp_path))
    assert share_after("validation accuracy after all", lines[-1:]) > 93
    assert any("resumed from epoch 0 batch 50" in line for line in lines)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"lenet-best.params", "lenet-epoch2batch150.states", "lenet-symbol.json"} <= names


def test_buckets_learn_a_language():
    lines = run("bucketing_lm")
    found = re.search(r"perplexity before: ([\d.]+), after: ([\d.]+)", "\n".join(lines))
    assert float(found[1]) > 10
    assert float(found[2]) < 2


LAUNCHERS = {
    "torchrun": ["torch.distributed.run", "--standalone", "--nproc-per-node", "2"],
    "launch": ["mxnet.tools.launch", "-n", "2", "-s", "1", "--launcher", "local", sys.executable],
}


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("name", ["distributed_gluon", "distributed_module"])
def test_two_processes_learn_the_digits_together(name: str, launcher: str):
    script = str(ROOT / "examples" / f"{name}.py")
    result = subprocess.run(
        [sys.executable, "-m", *LAUNCHERS[launcher], script, "--epochs", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "OMP_NUM_THREADS": "1",
            "GLOO_SOCKET_IFNAME": "lo",
        },
    )
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    shares = {
        rank: share_after(f"rank {rank}: accuracy on the test digits", lines) for rank in (0, 1)
    }
    assert all(f"rank {rank} of 2: 2500 digits" in result.stdout for rank in (0, 1))
    assert shares[0] == shares[1] > 80


@pytest.mark.parametrize("name", ["distributed_gluon", "distributed_module"])
def test_one_process_without_a_launcher_learns_them_alone(name: str):
    lines = run(name, "--epochs", "1")
    assert "rank 0 of 1: 5000 digits" in lines
    assert share_after("rank 0: accuracy on the test digits", lines) > 80
