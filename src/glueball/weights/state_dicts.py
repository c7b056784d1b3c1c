"""Reads state dicts of torch without running what a file says."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import torch

import mxnet as mx
from mxnet._formats.archives import open_zip
from mxnet._formats.files import open_foreign
from mxnet.errors import FileFormatError

_WRAPPERS = ("state_dict", "model", "model_state_dict")
"""Keys under which programs of training save the state dict beside other things."""
_PARALLEL = "module."
"""What torch's wrapper for several GPUs puts before all names."""
_OLD_DENSENET = re.compile(r"(denselayer\d+\.(?:norm|conv))\.([12])\.")
"""Names in the files of torchvision's DenseNet, older than modules whose names have no point."""


def read_state_dict(path: Path) -> dict[str, torch.Tensor]:
    """Returns the tensors of a `.safetensors` file or of one of `torch.save`, by name.

    A pickle is read by torch's reader for weights alone, which runs none of its code.

    Raises:
        MXNetError: if the file is neither, is damaged, or asks for more memory than its size.
    """
    with open_foreign(path) as file:
        start = file.read(9)
        if start[8:] == b"{":  # after the length of this text
            return _read_safetensors(path)
        if start.startswith(b"PK"):
            _check_archive(file, path)
        file.seek(0)
        try:
            loaded = torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:
            raise FileFormatError(
                f"weights: {path.name}: expected a .safetensors file or a state dict of "
                "torch.save, got what torch does not read with weights_only=True "
                f"({type(error).__name__})"
            ) from error
    return _check(_unwrap(loaded), path)


def _read_safetensors(path: Path) -> dict[str, torch.Tensor]:
    with mx.util.np_shape(True), mx.util.np_array(True):  # counters are arrays without axes
        loaded = mx.npx.load(str(path))
    if not isinstance(loaded, dict):
        raise FileFormatError(f"weights: {path.name} holds arrays without names")
    return _check({name: value.to_torch() for name, value in loaded.items()}, path)


def _check_archive(file: IO[bytes], path: Path) -> None:
    """Refuses a packed archive, which unpacks to any size; torch writes none."""
    with open_zip(file, f"weights: {path.name}") as archive:
        total = sum(item.file_size for item in archive.infolist())
    size = file.seek(0, os.SEEK_END)
    if total > size:
        raise FileFormatError(
            f"weights: {path.name} has {size:,} bytes and unpacks to {total:,}; "
            "expected an archive as torch.save writes it, not packed"
        )


def _unwrap(loaded: Any) -> Any:
    for key in _WRAPPERS:
        if isinstance(loaded, Mapping) and isinstance(loaded.get(key), Mapping):
            return loaded[key]
    return loaded


def _check(loaded: Any, path: Path) -> dict[str, torch.Tensor]:
    """Checks that this is a state dict whose tensors are as large as the memory that they name."""
    if not isinstance(loaded, Mapping) or not loaded:
        raise FileFormatError(
            f"weights: {path.name}: expected a state dict, got {type(loaded).__name__}"
        )
    for name, value in loaded.items():
        if not isinstance(name, str) or not isinstance(value, torch.Tensor):
            raise FileFormatError(
                f"weights: {path.name}: expected tensors by name, got {type(value).__name__} "
                f"under {str(name)[:80]!r}; save net.state_dict()"
            )
        if value.layout is not torch.strided or value.is_quantized:
            raise FileFormatError(f"weights: {path.name}: {name[:80]!r} is not a dense tensor")
        # Strides of 0 make a tensor of any size out of one element.
        if value.numel() * value.element_size() > value.untyped_storage().nbytes():
            raise FileFormatError(
                f"weights: {path.name}: {name[:80]!r} claims {value.numel():,} elements, more than "
                "the file has of it"
            )
    parallel = all(name.startswith(_PARALLEL) for name in loaded)
    return {
        _OLD_DENSENET.sub(r"\1\2.", name[len(_PARALLEL) if parallel else 0 :]): value
        for name, value in loaded.items()
    }
