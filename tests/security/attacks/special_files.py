"""Pipes, devices, sockets, links to them, files of the kernel and of holes, for all readers."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

import mxnet as mx
from mxnet import gluon, recordio
from mxnet.contrib import text
from mxnet.gluon.data import vision
from mxnet.gluon.data._published_files import read_idx
from mxnet.tools import im2rec, launch
from tests.security.attack import Attacks

TABLE = Attacks()
TERABYTE = 1 << 40

Reader = Callable[[Path], object]


def load_states(path: Path) -> None:
    net = gluon.nn.Dense(2, in_units=2)
    net.initialize()
    gluon.Trainer(net.collect_params(), "sgd").load_states(str(path))


def load_store(path: Path) -> None:
    store = mx.kv.create("local")
    store.set_optimizer(mx.optimizer.create("sgd", momentum=0.9))
    store.load_optimizer_states(str(path))


def read_record(path: Path) -> None:
    recordio.MXRecordIO(str(path), "r").read()


def read_index(path: Path) -> None:
    good = path.parent.with_suffix(".good")  # beside the folder: it is not hostile
    with recordio.MXRecordIO(str(good), "w") as writer:
        writer.write(b"good")
    recordio.MXIndexedRecordIO(str(path), str(good), "r").read_idx(0)


def image_records(path: Path, option: str = "path_imgrec") -> None:
    good = path.parent.with_suffix(".good")
    with recordio.MXRecordIO(str(good), "w") as writer:
        writer.write(recordio.pack(recordio.IRHeader(0, 1.0, 7, 0), b"no image"))
    options = {"path_imgrec": str(good)} | {option: str(path)}
    next(mx.io.ImageRecordIter(**options, data_shape=(3, 8, 8), batch_size=1))


def image_list(path: Path) -> None:
    mx.image.ImageIter(1, (3, 8, 8), path_imglist=str(path), path_root=str(path.parent)).next()


def mnist(path: Path) -> None:
    mx.io.MNISTIter(image=str(path), label=str(path), batch_size=1)


def checkpoint(path: Path) -> None:
    path.rename(path.with_name("net-symbol.json"))
    mx.model.load_checkpoint(str(path.with_name("net")), 0)


def libsvm(path: Path) -> None:
    mx.io.LibSVMIter(data_libsvm=str(path), data_shape=(2,), batch_size=1)


READERS: dict[str, Reader] = {
    "nd.load": lambda path: mx.nd.load(str(path)),
    "np.genfromtxt": lambda path: mx.np.genfromtxt(str(path)).reshape(-1)[1],
    "sym.load": lambda path: mx.sym.load(str(path)),
    "SymbolBlock.imports": lambda path: gluon.SymbolBlock.imports(str(path), ["data"], str(path)),
    "load_parameters": lambda path: gluon.nn.Dense(2).load_parameters(str(path)),
    "load_checkpoint": checkpoint,
    "Trainer.load_states": load_states,
    "load_optimizer_states": load_store,
    "MXRecordIO": read_record,
    "MXIndexedRecordIO": read_index,
    "ImageRecordIter": image_records,
    "path_imglist": partial(image_records, option="path_imglist"),
    "path_imgidx": partial(image_records, option="path_imgidx"),
    "ImageIter": image_list,
    "ImageListDataset": lambda path: vision.ImageListDataset(str(path.parent), path.name)[0],
    "imread": lambda path: mx.image.imread(str(path)),
    "CSVIter": lambda path: mx.io.CSVIter(data_csv=str(path), data_shape=(2,), batch_size=1),
    "LibSVMIter": libsvm,
    "MNISTIter": mnist,
    "read_idx": lambda path: read_idx(path, 3),
    "CustomEmbedding": lambda path: text.embedding.CustomEmbedding(str(path)),
    "im2rec": lambda path: im2rec.read_list(path)[0],
    "launch": launch.read_hosts,
}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_link(path: Path) -> None:
    path.with_name("link").symlink_to("/dev/urandom")
    path.symlink_to("link")


def local_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(path.parent)  # the names of sockets are short
        server.bind(path.name)


def holes(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(TERABYTE)


def folder_for_a_file(path: Path) -> None:
    path.mkdir()


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


KINDS = (pipe, link_to_pipe, device, link_to_link, local_socket, holes)
UNREADABLE = (folder_for_a_file, link_to_itself)
AS_PYTHON = ("np.genfromtxt", "Trainer.load_states", "load_optimizer_states", "load_checkpoint")
"""Readers that raise the system's own error if a file cannot be opened, as the original does."""
NAMING = {name: reader for name, reader in READERS.items() if name not in AS_PYTHON}


def attack(folder: Path, case: tuple[Callable[[Path], None], Reader]) -> None:
    make, read = case
    path = folder / "hostile.csv"
    make(path)
    read(path)


for kind in KINDS:
    TABLE.add_each(
        kind.__name__, [(name, (kind, reader)) for name, reader in READERS.items()], attack
    )

for kind in UNREADABLE:
    TABLE.add_each(
        kind.__name__,
        [(name, (kind, reader)) for name, reader in NAMING.items()],
        attack,
        names="hostile.csv",
    )


def read_long_name(folder: Path, read: Reader) -> None:
    read(folder / f"hostile{'x' * 300}.csv")


TABLE.add_each("long_name", NAMING.items(), read_long_name, names="hostile")


def kernel_file(path: Path) -> None:
    """Links to a file that the kernel makes up: it says that it is empty, and is not."""
    path.symlink_to("/proc/self/maps")


for name in (
    "nd.load",
    "sym.load",
    "CSVIter",
    "LibSVMIter",
    "MXRecordIO",
    "CustomEmbedding",
    "imread",
):
    TABLE.add_each("kernel_file", [(name, (kernel_file, READERS[name]))], attack, harmless=True)
