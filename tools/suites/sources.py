"""Lays out folders of a checkout that the user has: a git directory, a work tree or plain files."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

LINK = "120000 "
"""What the lines of git's listings begin with that are of symbolic links."""


class SourceError(Exception):
    """A checkout does not have what was asked for."""


def lay_out(checkout: Path, revision: str, folders: Sequence[str], target: Path) -> list[str]:
    """Writes folders of a checkout, as they were at a revision, below `target`.

    A folder without git is taken as it is, so that an unpacked archive of the release does, too.

    Args:
        checkout: Git directory, work tree, or plain folder.
        revision: Tag, branch or commit.
        folders: Paths in the checkout; `.` is all of it.
        target: Folder to write to.

    Returns:
        The files that a shallow or filtered clone lists but does not have.

    Raises:
        SourceError: if the checkout lacks the revision or a folder.
    """
    if not is_git(checkout):
        copy_plain(checkout, folders, target)
        return []
    listing = git(checkout, "ls-tree", "-r", "-z", "--full-tree", revision, "--", *folders)
    blobs = [line.split("\t", 1) for line in listing.decode().split("\0") if line]
    names = {name: head.split()[2] for head, name in blobs if head.split()[1] == "blob"}
    for folder in folders:
        if folder != "." and not any(f"{name}/".startswith(f"{folder}/") for name in names):
            raise SourceError(f"{checkout} at {revision} has no {folder}")
    is_link = {name: head.startswith(LINK) for head, name in blobs}
    missing, links = [], {}
    for name, data in zip(names, read_blobs(checkout, list(names.values())), strict=True):
        if data is None:
            missing.append(name)
            continue
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if is_link[name]:
            links[path] = data.decode()
        else:
            path.write_bytes(data)
    for path, place in links.items():  # a copy does, and cannot lead out of the folder
        source = Path(os.path.normpath(path.parent / place))
        if source.is_file() and source.is_relative_to(target):
            shutil.copy(source, path)
        else:
            missing.append(str(path.relative_to(target)))
    return missing


def is_git(checkout: Path) -> bool:
    """Tells a git directory or work tree from a folder that merely lies within one."""
    return (checkout / ".git").exists() or (checkout / "HEAD").is_file()


def git(checkout: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Returns what a command of git prints.

    Raises:
        SourceError: if it fails.
    """
    command = ["git", "-C", str(checkout), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip() or f"status {done.returncode}"
        raise SourceError(f"git {arguments[0]} in {checkout}: {said}")
    return done.stdout


def read_blobs(checkout: Path, keys: list[str]) -> Iterator[bytes | None]:
    """Yields the contents of blobs, `None` for one that the clone does not have."""
    data = git(checkout, "cat-file", "--batch", given="".join(f"{key}\n" for key in keys).encode())
    begin = 0
    for _ in keys:
        end = data.index(b"\n", begin)
        words = data[begin:end].split()
        begin = end + 1
        if words[1] == b"missing":
            yield None
        else:
            size = int(words[2])
            yield data[begin : begin + size]
            begin += size + 1


def copy_plain(checkout: Path, folders: Sequence[str], target: Path) -> None:
    """Copies folders of a checkout without git."""
    for folder in folders:
        if not (checkout / folder).exists():
            raise SourceError(f"{checkout} has no {folder}")
        skip = shutil.ignore_patterns("__pycache__", "*.pyc")
        if (checkout / folder).is_dir():
            shutil.copytree(checkout / folder, target / folder, ignore=skip, dirs_exist_ok=True)
        else:
            (target / folder).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(checkout / folder, target / folder)
