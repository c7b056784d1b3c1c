"""Where weights come from: a file, an address, or a repository of the Hugging Face hub."""

from __future__ import annotations

import importlib
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

from glueball.console import CommandError
from mxnet._formats import downloads
from mxnet.errors import MXNetError

_HUB = "https://huggingface.co"
_FILE = "model.safetensors"
_REPOSITORY = re.compile(r"(hf:)?(?P<repository>[\w.-]+/[\w.-]+)(:(?P<file>[\w./-]+))?")


@contextmanager
def fetched(source: str) -> Iterator[Path]:
    """Hands out a file with the weights; one that was downloaded is removed afterwards.

    Args:
        source: The path of a file, an address of the web, or a repository of the hub as
            `owner/name` or `owner/name:file`, with `hf:` before it if there is such a path. The
            hub is at `HF_ENDPOINT` if that is set. `huggingface_hub`, if installed, keeps files
            and knows the user's token.

    Raises:
        CommandError: if the source is none of these, or cannot be had.
    """
    path = Path(source)
    if path.is_file():
        yield path
        return
    if urlsplit(source).scheme in ("http", "https"):
        with _downloaded(source) as path:
            yield path
        return
    match = _REPOSITORY.fullmatch(source)
    if match is None or path.exists():
        raise CommandError(
            "weights: expected a file, an address or a repository of the hub as owner/name, "
            f"got {source!r}"
        )
    repository, file = match["repository"], match["file"] or _FILE
    download, mirror = _find_hub(), os.environ.get("HF_ENDPOINT", "").rstrip("/")
    found = None if download is None else _from_hub(download, repository, file, bool(mirror))
    if found is not None:
        yield found
        return
    with _downloaded(f"{mirror or _HUB}/{quote(repository)}/resolve/main/{quote(file)}") as path:
        yield path


def _find_hub() -> Callable[..., str] | None:
    """Returns `hf_hub_download`, None where the library, or one that it needs, is not installed."""
    try:
        found: Callable[..., str] = importlib.import_module("huggingface_hub").hf_hub_download
    except ImportError:
        return None
    return found


def _from_hub(
    download: Callable[..., str], repository: str, file: str, is_mirror: bool
) -> Path | None:
    """Downloads by `huggingface_hub`, which reads `HF_ENDPOINT` itself.

    Returns:
        The file, None where a mirror answers otherwise than the hub, as one of plain files does.
    """
    try:
        return Path(download(repo_id=repository, filename=file))
    except Exception as error:
        if is_mirror:
            return None
        raise CommandError(
            f"weights: {repository}:{file} cannot be had from the hub ({error}); set HF_ENDPOINT "
            "to a mirror, or give a file"
        ) from error


@contextmanager
def _downloaded(url: str) -> Iterator[Path]:
    name = Path(urlsplit(url).path).name or "weights"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights"
        try:
            with path.open("wb") as file:
                for block in downloads.receive(url, name):
                    file.write(block)
        except (OSError, ValueError, MXNetError) as error:
            raise CommandError(
                f"weights: {url} cannot be had ({error}); set HF_ENDPOINT to a mirror of the hub, "
                "or download it elsewhere and give the file"
            ) from error
        yield path
