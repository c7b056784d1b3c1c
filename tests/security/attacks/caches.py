"""Folders of compiled code and of downloaded files that other users can write to."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import mxnet as mx
from mxnet._formats.files import foreign
from mxnet.gluon.data.vision import MNIST
from mxnet.gluon.model_zoo import model_store
from mxnet.graph.run import compiler_cache
from tests.security.attack import Attacks

TABLE = Attacks()

NOBODY = 65534
Prepare = Callable[[Path], Path]


class DeceivedError(Exception):
    """A folder of another user is used; not an error that an attack may end with."""


def be_in(folder: Path) -> None:
    """Makes a folder the home and the place of temporary files, shared as `/tmp` is."""
    shared = folder / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    tempfile.tempdir = str(shared)
    home = folder / "home"
    home.mkdir(mode=0o700)
    os.environ |= {"HOME": str(home)}
    for name in ("XDG_CACHE_HOME", compiler_cache.INDUCTOR, compiler_cache.TRITON):
        os.environ.pop(name, None)


def of_another(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    else:
        path.chmod(0o777)
    return path


def with_mode(mode: int) -> Prepare:
    def prepare(path: Path) -> Path:
        path.mkdir(exist_ok=True)
        path.chmod(mode)
        if os.geteuid() == 0:
            os.chown(path, 0, NOBODY)
        return path

    return prepare


def link(path: Path) -> Path:
    path.symlink_to(of_another(path.with_name("elsewhere")))
    return path


def link_to_nothing(path: Path) -> Path:
    path.symlink_to(path.with_name("nothing"))
    return path


def file(path: Path) -> Path:
    path.write_text("no folder")
    return path


def below_another(path: Path) -> Path:
    of_another(path)
    inside = path / "inside"
    inside.mkdir()
    return inside


def below_open(path: Path) -> Path:
    path.mkdir()
    path.chmod(0o777)
    inside = path / "inside"
    inside.mkdir()
    return inside


FOLDERS: list[tuple[str, Prepare]] = [
    ("of_another_user", of_another),
    ("open_to_all", with_mode(0o777)),
    ("open_to_all_but_sticky", with_mode(0o1777)),
    ("open_to_others_alone", with_mode(0o702)),
    ("a_link_to_that_of_another", link),
]


def usual(folder: Path, prepare: object) -> None:
    """Compiles where torch's usual folder is hostile: another one must be taken."""
    be_in(folder)
    place = compiler_cache._usual_folder()
    prepare(place)
    for _ in range(2):
        compiler_cache.secure()
        taken = Path(os.environ[compiler_cache.INDUCTOR])
        if os.path.realpath(taken) == os.path.realpath(place) or foreign.find_weakness(taken):
            raise DeceivedError(f"{taken} is used")


TABLE.add_each(
    "usual_folder",
    [
        *FOLDERS,
        ("open_to_a_group", with_mode(0o770)),
        ("a_link_to_nothing", link_to_nothing),
        ("a_file", file),
    ],
    usual,
    harmless=True,
)


@TABLE.add(harmless=True)
def usual_folder_and_home_of_another(folder: Path) -> None:
    be_in(folder)
    of_another(compiler_cache._usual_folder())
    of_another(folder / "home")
    compiler_cache.secure()
    taken = Path(os.environ[compiler_cache.INDUCTOR])
    if foreign.find_weakness(taken):
        raise DeceivedError(f"{taken} is used")


def chosen(variable: str) -> Callable[[Path, object], None]:
    def choose(folder: Path, prepare: object) -> None:
        """Compiles in a folder that the user has chosen: it must be refused."""
        be_in(folder)
        os.environ[variable] = str(prepare(folder / "tmp" / "chosen"))
        compiler_cache.secure()

    return choose


CHOSEN = [*FOLDERS, ("below_that_of_another", below_another), ("below_one_open", below_open)]
for name in (compiler_cache.INDUCTOR, compiler_cache.TRITON):
    TABLE.add_each(name.lower(), CHOSEN, chosen(name), names=name)


@TABLE.add(harmless=True)
def hybridize(folder: Path) -> None:
    """The plan is not compiled, with a warning that says why."""
    be_in(folder)
    place = of_another(folder / "tmp" / "chosen")
    os.environ[compiler_cache.INDUCTOR] = str(place)
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(2, in_units=2))
    net.initialize()
    net.hybridize(backend="inductor")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        net(mx.nd.ones((1, 2)))
    if any(place.iterdir()) or not any(compiler_cache.INDUCTOR in str(w.message) for w in caught):
        raise DeceivedError("the folder is used")


def data_folder(folder: Path, prepare: object) -> None:
    """Reads published files from a folder that all can write to: there must be a warning."""
    be_in(folder)
    place = prepare(folder / "tmp" / "data")
    os.environ["MXNET_GLUON_REPO"] = (folder / "nowhere").as_uri()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for use in (lambda: model_store.get_model_file("alexnet", place), lambda: MNIST(place)):
            try:
                use()
            except mx.MXNetError:
                continue
    if not any("can replace the files" in str(item.message) for item in caught):
        raise DeceivedError("there is no warning")


TABLE.add_each(
    "data_folder",
    [row for row in CHOSEN if row[0] in ("open_to_all", "below_one_open", "open_to_others_alone")],
    data_folder,
    harmless=True,
)
