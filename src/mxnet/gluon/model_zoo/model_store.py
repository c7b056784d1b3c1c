"""Files of published parameters: where they are, which are right, how to get them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from mxnet._formats.archives import unpack_file
from mxnet._formats.files import warn_of_others
from mxnet.base import data_dir
from mxnet.errors import ArgumentValueError, FileAccessError, MXNetError
from mxnet.gluon.utils import _download_at_most, _get_repo_file_url, _get_repo_url, check_sha1

_PUBLISHED = """
alexnet 44335d1f0046b328243b32a26a4fbd62d9057b45 245
densenet121 f27dbf2dbd5ce9a80b102d89c7483342cd33cb31 33
densenet161 b6c8a95717e3e761bd88d145f4d0a214aaa515dc 116
densenet169 2603f878403c6aa5a71a124c4a3307143d6820e9 58
densenet201 1cdbc116bc3a1b65832b18cf53e1cb8e7da017eb 81
inceptionv3 ed47ec45a937b656fcc94dabde85495bbef5ba1f 96
mobilenet0.25 9f83e440996887baf91a6aff1cccc1c903a64274 2
mobilenet0.5 8e9d539cc66aa5efa71c4b6af983b936ab8701c3 6
mobilenet0.75 529b2c7f4934e6cb851155b22c96c9ab0a7c4dc2 11
mobilenet1.0 6b8c5106c730e8750bcd82ceb75220a3351157cd 18
mobilenetv2_0.25 ae8f9392789b04822cbb1d98c27283fc5f8aa0a7 7
mobilenetv2_0.5 aabd26cd335379fcb72ae6c8fac45a70eab11785 8
mobilenetv2_0.75 e2be7b72a79fe4a750d1dd415afedf01c3ea818d 11
mobilenetv2_1.0 36da4ff1867abccd32b29592d79fc753bca5a215 15
resnet101_v1 d988c13d6159779e907140a638c56f229634cb02 179
resnet101_v2 18e93e4f48947e002547f50eabbcc9c83e516aa6 179
resnet152_v1 671c637a14387ab9e2654eafd0d493d86b1c8579 242
resnet152_v2 f2695542de38cf7e71ed58f02893d82bb409415e 242
resnet18_v1 a0666292f0a30ff61f857b0b66efc0228eb6a54b 47
resnet18_v2 a81db45fd7b7a2d12ab97cd88ef0a5ac48b8f657 47
resnet34_v1 48216ba99a8b1005d75c0f3a0c422301a0473233 88
resnet34_v2 9d6b80bbc35169de6b6edecffdd6047c56fdd322 88
resnet50_v1 0aee57f96768c0a2d5b23a6ec91eb08dfb0a45ce 103
resnet50_v2 ecdde35339c1aadbec4f547857078e734a76fb49 103
squeezenet1.0 264ba4970a0cc87a4f15c96e25246a1307caf523 5
squeezenet1.1 33ba0f93753c83d86e1eb397f38a667eaf2e9376 5
vgg11 dd221b160977f36a53f464cb54648d227c707a05 532
vgg11_bn ee79a8098a91fbe05b7a973fed2017a6117723a8 532
vgg13 6bc5de58a05a5e2e7f493e2d75a580d83efde38c 533
vgg13_bn 7d97a06c3c7a1aecc88b6e7385c2b373a249e95e 533
vgg16 e660d4569ccb679ec68f1fd3cce07a387252a90a 554
vgg16_bn 7f01cf050d357127a73826045c245041b0df7363 554
vgg19 ad2f660d101905472b83590b59708b71ea22b2e5 575
vgg19_bn f360b758e856f1074a85abd5fd873ed1d98297c3 575
"""
"""Networks, the SHA-1 hash of the file of each, and its megabytes, rounded up."""

_model_sha1 = dict(row.split()[:2] for row in _PUBLISHED.strip().splitlines())
_MEGABYTES = {row.split()[0]: int(row.split()[2]) for row in _PUBLISHED.strip().splitlines()}


def most_bytes(name: str) -> int:
    """Returns more than the file of a network's parameters, or its archive, has.

    Args:
        name: Name of the network.
    """
    return _MEGABYTES[name] * 1_050_000 + 1_000_000  # names and shapes take a little room too


def short_hash(name: str) -> str:
    """Returns the part of the hash that the name of the file has.

    Args:
        name: Name of the network.
    """
    if name not in _model_sha1:
        known = ", ".join(_model_sha1)
        raise ArgumentValueError(
            f"model_store: no parameters were published for {name!r}; there are some for {known}"
        )
    return _model_sha1[name][:8]


def get_model_file(name: str, root: str | os.PathLike[str] | None = None) -> str:
    """Returns the path of the file with the published parameters of a network.

    The file, or the archive that was published, is looked for in the folder and checked by its
    hash. If it is not there it is downloaded; the variable `MXNET_GLUON_REPO` names a mirror.

    Args:
        name: Name of the network.
        root: The folder, `models` in `MXNET_HOME` (`~/.mxnet`) by default.

    Returns:
        Path of the file.

    Raises:
        FileAccessError: if the file cannot be had; it says which file to put where.
    """
    file_name = f"{name}-{short_hash(name)}"
    folder = _folder(root)
    warn_of_others(folder)
    path = folder / f"{file_name}.params"
    if path.is_file() and check_sha1(path, _model_sha1[name]):
        return str(path)
    folder.mkdir(parents=True, exist_ok=True)
    archive = path.with_suffix(".zip")
    try:
        if archive.is_file():
            _unpack(archive, path, name)
        else:
            _download(file_name, path, name)
    except (OSError, MXNetError) as error:
        raise FileAccessError(_explain(name, path, error)) from error
    return str(path)


def purge(root: str | os.PathLike[str] | None = None) -> None:
    """Removes all files of parameters from the folder.

    Args:
        root: The folder, `models` in `MXNET_HOME` (`~/.mxnet`) by default.
    """
    for path in _folder(root).glob("*.params"):
        path.unlink()


def _folder(root: str | os.PathLike[str] | None) -> Path:
    return Path(data_dir(), "models") if root is None else Path(root).expanduser()


def _download(file_name: str, path: Path, name: str) -> None:
    url = _get_repo_file_url("gluon/models", f"{file_name}.zip")
    target = path.with_suffix(".zip")
    archive = Path(_download_at_most(most_bytes(name), url, path=target, retries=1))
    try:
        _unpack(archive, path, name)
    finally:
        archive.unlink()


def _unpack(archive: Path, path: Path, name: str) -> None:
    """Writes the file that an archive holds, if it is the right one."""
    unpack_file(archive, path, partial(_checked, most=most_bytes(name), sha1=_model_sha1[name]))


def _checked(blocks: Iterable[bytes], most: int, sha1: str) -> Iterator[bytes]:
    """Returns the blocks and fails if they are too many, or at the end if their hash is another."""
    digest, size = hashlib.sha1(usedforsecurity=False), 0
    for block in blocks:
        digest.update(block)
        size += len(block)
        if size > most:
            raise FileAccessError(f"the file in the archive is larger than {most} bytes")
        yield block
    if digest.hexdigest() != sha1:
        raise FileAccessError(f"the file in the archive has the SHA-1 {digest.hexdigest()}")


def _explain(name: str, path: Path, error: Exception) -> str:
    state = "has another content than the published one" if path.exists() else "is not there"
    return (
        f"model_store: the parameters of {name} cannot be had: {path} {state}, and getting it from "
        f"{_get_repo_url()} failed ({error}). Put {path.name} (SHA-1 {_model_sha1[name]}) or the "
        f"archive {path.stem}.zip into {path.parent}, set MXNET_GLUON_REPO to a mirror, or take "
        "weights of torchvision or timm: `glueball weights` lists for which networks"
    )
