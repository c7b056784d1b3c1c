"""`glueball bench` measures calls in each mode. No test depends on how long they take."""

from __future__ import annotations

import json

import pytest

import mxnet as mx
from glueball import bench, main


def test_the_table(small_model, capsys):
    assert main.main(["bench", small_model, "--seconds", "0.01", "--batch", "1,4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("mlp on cpu(0), ")
    assert "data=1,5 (guessed; --shape changes it)" in lines[0]
    assert lines[1].split()[:2] == ["mode", "batch"]
    rows = [line.split()[:2] for line in lines[2:]]
    for mode in ("eager", "hybridized", "static"):
        assert [mode, "1"] in rows
        assert [mode, "4"] in rows


def test_json_for_scripts(small_model, capsys):
    options = ["--seconds", "0.01", "--modes", "hybridized", "--json"]
    assert main.main(["bench", small_model, *options]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["calls"] >= 5
    assert 0 < row["milliseconds"]["p50"] <= row["milliseconds"]["p99"]
    assert row["throughput"] == pytest.approx(1000 / row["milliseconds"]["p50"])
    assert row["problem"] == ""


def test_another_axis_of_samples(recurrent_model, capsys):
    options = ["--shape", "data=5,2", "--batch", "3", "--batch-axis", "1", "--seconds", "0.01"]
    assert main.main(["bench", recurrent_model, *options, "--modes", "eager"]) == 0
    assert "eager" in capsys.readouterr().out


def test_a_mode_that_fails_does_not_stop_the_others(small_model, capsys, monkeypatch):
    measure = bench._measure

    def fail(model, mode, *others):
        if mode == "static":
            raise mx.MXNetError("no such mode here")
        return measure(model, mode, *others)

    monkeypatch.setattr(bench, "_measure", fail)
    assert main.main(["bench", small_model, "--seconds", "0.01"]) == 0
    printed = capsys.readouterr().out
    assert "static, batch 1: no such mode here" in printed
    assert "hybridized" in printed
    assert main.main(["bench", small_model, "--modes", "static"]) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--modes", "fast"], "--modes: takes some of eager, hybridized"),
        (["--ctx", "tpu"], "--ctx: takes cpu, gpu or gpu:1, got 'tpu'"),
        (["--ctx", "gpu:9"], "--ctx: gpu:9: there "),
    ],
)
def test_options_that_make_no_sense(options, sentence, small_model, capsys):
    assert main.main(["bench", small_model, *options]) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("batch", ["0", "a", "1,-1"])
def test_batches_that_are_none(batch, small_model):
    with pytest.raises(SystemExit) as end:
        main.main(["bench", small_model, "--batch", batch])
    assert end.value.code == 2


def test_openvino_where_it_is_not_installed(small_model, capsys, monkeypatch):
    monkeypatch.setattr(bench, "is_importable", lambda _: False)
    assert main.main(["bench", small_model, "--modes", "openvino"]) == 1
    assert "pip install 'glueball[openvino]'" in capsys.readouterr().err
