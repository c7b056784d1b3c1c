"""Hostile folders of `gluon.Checkpoint`: indices, states, links and leftovers."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mxnet as mx
from mxnet.gluon import Checkpoint, Trainer, nn
from tests.security.attack import PAYLOAD, Attacks
from tests.security.pickles import EVAL, PAY, PROTO, STOP, call

TABLE = Attacks()

STEP = "step-00000003"
Change = Callable[[Any], object]


def training(folder: Path) -> Checkpoint:
    net = nn.Dense(2, in_units=3, prefix="net_")
    net.initialize()
    trainer = Trainer(net.collect_params(), "sgd", {"momentum": 0.9}, kvstore=None)
    return Checkpoint(folder, net, trainer)


def saved(folder: Path) -> Path:
    """Saves a checkpoint and returns its folder."""
    checkpoint = training(folder)
    checkpoint.step = 3
    next(checkpoint.batches([1]))
    checkpoint.save()
    return folder / STEP


def rewrite(folder: Path, name: str, change: Change) -> None:
    """Changes the JSON of a file."""
    path = saved(folder) / name
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    training(folder).restore_latest()


def replace(folder: Path, name: str, content: bytes) -> None:
    path = saved(folder) / name
    path.write_bytes(content)
    training(folder).restore_latest()


def first(index: Any) -> Any:
    return next(iter(index["tensors"].values()))


def put(*path: Any, value: object) -> Change:
    """Returns what puts a value at a place of the JSON."""

    def change(content: Any) -> None:
        *above, last = path
        for key in above:
            content = first({"tensors": content}) if key == "*" else content[key]
        content[last] = value

    return change


INDICES = [
    ("another_format", put("format", value=99)),
    ("no_ranks", put("ranks", value=0)),
    ("very_many_ranks", put("ranks", value=1 << 61)),
    ("notes_that_are_none", put("notes", value=[])),
    ("an_epoch_without_end", put("notes", "epoch", value=1 << 62)),
    ("a_negative_epoch", put("notes", "epoch", value=-1)),
    ("batches_without_end", put("notes", "batches", value=1 << 62)),
    ("batches_of_text", put("notes", "batches", value="9")),
    ("terabytes", put("tensors", "*", 1, value=[1 << 40, 3])),
    ("a_negative_shape", put("tensors", "*", 1, value=[-2, 3])),
    ("very_many_axes", put("tensors", "*", 1, value=[1] * 1000)),
    ("an_unknown_type", put("tensors", "*", 0, value="float77")),
    ("a_type_that_is_code", put("tensors", "*", 0, value=PAYLOAD)),
    ("rows_in_another_file", put("tensors", "*", 2, 0, 2, value="../../../etc/passwd")),
    ("rows_behind_the_end", put("tensors", "*", 2, 0, 3, value=1 << 40)),
    ("rows_that_overlap", put("tensors", "*", 2, value=[[0, 2, "rank0.bin", 0, 24, 0]] * 2)),
    ("another_checksum", put("tensors", "*", 2, 0, 5, value=1)),
    ("very_many_rows", put("tensors", "*", 2, value=[[0, 1, "rank0.bin", 0, 12, 0]] * 100_000)),
    ("no_tensors", put("tensors", value={})),
]
TABLE.add_each("index", INDICES, lambda folder, change: rewrite(folder, "index.json", change))

STATES = [
    ("none", put("random", value=None)),
    ("python_without_words", put("random", "python", value=[3, "", None])),
    ("python_of_another_version", put("random", "python", 0, value=99)),
    ("python_with_a_text_for_a_number", put("random", "python", 2, value="x")),
    ("numpy_without_words", put("random", "numpy", 0, value="")),
    ("numpy_at_another_place", put("random", "numpy", 1, value=1 << 40)),
    ("no_base64", put("random", "numpy", 0, value="\u1234")),
    ("of_the_epoch_as_text", put("random_of_epoch", value="x")),
]
TABLE.add_each("states", STATES, lambda folder, change: rewrite(folder, "rank0.json", change))

FILES = [
    ("index_cut_off", ("index.json", b'{"format": 1, ')),
    ("index_deep", ("index.json", b"[" * 200_000)),
    ("index_of_numbers", ("index.json", b"9" * 100_000)),
    ("index_empty", ("index.json", b"")),
    ("states_cut_off", ("rank0.json", b"{")),
    ("optimizer_that_runs_code", ("optimizer.states", PROTO + call(EVAL, PAY) + STOP)),
    ("optimizer_of_zeros", ("optimizer.states", bytes(1000))),
    ("tensors_cut_off", ("rank0.bin", b"")),
]
TABLE.add_each("file", FILES, lambda folder, case: replace(folder, *case))


@TABLE.add
def index_larger_than_allowed(folder: Path) -> None:
    with (saved(folder) / "index.json").open("r+b") as file:
        file.truncate(1 << 33)
    training(folder).restore_latest()


@TABLE.add
def tensors_behind_a_link(folder: Path) -> None:
    path = saved(folder) / "rank0.bin"
    path.rename(folder / "elsewhere")
    path.symlink_to(folder / "elsewhere")
    training(folder).restore_latest()


@TABLE.add
def a_pipe_for_the_index(folder: Path) -> None:
    path = saved(folder) / "index.json"
    path.unlink()
    os.mkfifo(path)
    try:
        training(folder).restore_latest()
    finally:
        path.unlink()
        path.write_text("{}")  # so that the test finds the name


class DeceivedError(Exception):
    """A hidden folder was read; not an error that an attack may end with."""


@TABLE.add(harmless=True)
def hidden_folders_with_later_steps(folder: Path) -> None:
    place = saved(folder)
    for end in ("partial", "removed", "replaced", "new"):
        shutil.copytree(place, folder / f".step-00000009.{end}")
    (folder / "step-9.new").mkdir()
    (folder / "step-000000009").mkdir()
    if training(folder).restore_latest() != 3:
        raise DeceivedError("a hidden folder was restored")


@TABLE.add(harmless=True)
def links_in_the_place_of_leftovers(folder: Path) -> None:
    saved(folder)
    valuable = folder / "valuable"
    valuable.mkdir()
    (valuable / "file").touch()
    for step in (3, 4):
        for end in ("partial", "removed"):
            (folder / f".step-{step:08d}.{end}").symlink_to(valuable)
    checkpoint = training(folder)
    for step in (3, 4):
        checkpoint.step = step
        checkpoint.save()
    if not (valuable / "file").exists():
        raise DeceivedError("a link was followed")


@TABLE.add(harmless=True)
def journals_in_a_checkpoint(folder: Path) -> None:
    place = saved(folder)
    token = "0" * 24
    row = ["index.json", token, None, [0, 0, 0, 0]]
    (place / ".index.json.pending").write_text(json.dumps([row]))
    (place / f".index.json.{token}.saving").write_text("{}")
    if training(folder).restore_latest() != 3:
        raise DeceivedError("a journal was believed")


@TABLE.add(names="does not fit")
def parameters_of_another_network(folder: Path) -> None:
    saved(folder)
    net = nn.Dense(5, in_units=7)
    net.initialize()
    try:
        Checkpoint(folder, net).restore_latest()
    except mx.MXNetError as error:
        raise mx.MXNetError(f"{error} (index.json)") from error
