"""`im2rec`: lists and records as the original's tool makes them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mxnet import recordio
from mxnet.tools import im2rec
from tests.golden import im2rec_cases as cases

GOLDEN = Path(__file__).parent.parent / "golden" / "im2rec"
RESULTS = json.loads((GOLDEN / "results.json").read_text())


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(GOLDEN / "images", tmp_path / "images")
    return tmp_path


def run(folder, arguments, root="images"):
    return im2rec.main([str(folder / "a"), str(folder / root), *arguments])


@pytest.mark.parametrize("name", cases.LISTS)
def test_lists_are_those_of_the_original(name, folder, capsys):
    root, arguments = cases.LISTS[name]
    assert run(folder, ["--list", *arguments], root) == 0
    assert cases.describe_lists(folder) == RESULTS["lists"][name]
    assert capsys.readouterr().out == RESULTS["printed"][name]


@pytest.mark.parametrize("name", cases.RECORDS)
def test_records_are_those_of_the_original(name, folder):
    lines, arguments = cases.RECORDS[name]
    (folder / "a.lst").write_text(lines)
    assert run(folder, arguments) == 0
    expected = RESULTS["records"][name]
    assert (folder / "a.idx").read_text() == expected["idx"]
    with recordio.MXRecordIO(folder / "a.rec", "r") as reader:
        found = list(iter(reader.read, None))
    theirs = [bytes.fromhex(record) for record in expected["records"]]
    assert len(found) == len(theirs)
    for ours, other in zip(found, theirs, strict=True):
        (header, image), (their_header, their_image) = map(recordio.unpack_img, (ours, other))
        assert header[2:] == their_header[2:]
        assert np.array_equal(header.label, their_header.label)
        assert np.abs(image.astype(int) - their_image).max() <= 1


def test_several_processes_keep_the_order(folder):
    run(folder, ["--list", "--recursive"])
    run(folder, [])
    one = (folder / "a.rec").read_bytes(), (folder / "a.idx").read_bytes()
    run(folder, ["--num-thread", "2"])
    assert ((folder / "a.rec").read_bytes(), (folder / "a.idx").read_bytes()) == one


def test_bad_images_and_lines_are_named_and_left_out(folder, capsys):
    (folder / "images" / "broken.jpg").write_bytes(b"nonsense")
    lines = ["1\t0\tbroken.jpg", "2\t0\tmissing.jpg", "3\t1\tcat/0.jpg", "4\tcat/0.jpg", "x\t1\ta"]
    (folder / "a.lst").write_text("\n".join(lines))
    assert run(folder, []) == 1
    errors = capsys.readouterr().err
    for words in ("broken.jpg: no image", "missing.jpg", "line 4", "line 5", "2 images left out"):
        assert words in errors
    assert "image/s" not in errors  # a bar, which is for terminals
    reader = recordio.MXIndexedRecordIO(folder / "a.idx", folder / "a.rec", "r")
    assert reader.keys == [3]


def test_all_lists_of_a_prefix_are_packed(folder):
    run(folder, ["--list", "--recursive", "--train-ratio", "0.5"])
    (folder / "other.lst").write_text("0\t0\tcat/0.jpg\n")
    run(folder, ["--pass-through"])
    assert {path.name for path in folder.glob("*.rec")} == {"a_train.rec", "a_val.rec"}
    assert not list(folder.glob("*.part"))


def test_an_interrupted_run_leaves_no_half_file(folder, monkeypatch):
    (folder / "a.lst").write_text("3\t1\tcat/0.jpg\n4\t1\tcat/0.jpg\n")
    (folder / "a.rec").write_bytes(b"old")
    encode = im2rec.encode_item

    def fail(options, item):
        if item.number == 4:
            raise KeyboardInterrupt
        return encode(options, item)

    monkeypatch.setattr(im2rec, "encode_item", fail)
    with pytest.raises(KeyboardInterrupt):
        run(folder, [])
    assert (folder / "a.rec").read_bytes() == b"old"
    assert sorted(path.name for path in folder.iterdir()) == ["a.lst", "a.rec", "images"]


def test_a_prefix_without_lists_is_an_error(folder, capsys):
    assert run(folder, []) == 1
    assert "make one with --list" in capsys.readouterr().err
    assert im2rec.main([str(folder / "no" / "a"), str(folder)]) == 1


def test_it_runs_as_a_module():
    command = [sys.executable, "-m", "mxnet.tools.im2rec", "--help"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    assert "--pack-label" in answer.stdout


def test_many_wrong_lines_of_a_list_are_counted(folder, capsys):
    (folder / "a.lst").write_text("wrong\n" * 1000 + "1\t0\tblue.png\n")
    assert len(im2rec.read_list(folder / "a.lst")) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21
    assert lines[-1].endswith("a.lst: 980 other lines are wrong too")


def test_a_list_that_is_no_text_is_named(folder):
    (folder / "a.lst").write_bytes(b"\xff")
    with pytest.raises(ValueError, match=r"a\.lst: byte 0 is not utf-8 text"):
        im2rec.read_list(folder / "a.lst")
