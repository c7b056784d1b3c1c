"""Checkpoints of torch, which are pickles: they are recognized, never read."""

from __future__ import annotations

import os
from collections.abc import Iterable

from mxnet.errors import FileFormatError

PICKLE_PREFIXES = tuple(bytes((0x80, protocol)) for protocol in range(2, 6))
"""How pickles begin, and with them what `torch.save` wrote before it made archives."""


def has_pickle(names: Iterable[str]) -> bool:
    """Returns whether an archive of entries with these names is one that `torch.save` made."""
    return any(name == "data.pkl" or name.endswith("/data.pkl") for name in names)


def explain_torch_file(origin: str) -> FileFormatError:
    """Returns the error for a checkpoint of torch, which says how to convert it.

    Args:
        origin: The file.
    """
    converted = os.path.splitext(os.path.basename(origin))[0] + ".safetensors"
    return FileFormatError(
        f"{origin}: this is a pickle, as torch.save writes it; reading one can run code, so it "
        "is not read. Convert it where you trust it: "
        f"safetensors.torch.save_file(torch.load({os.path.basename(origin)!r}, "
        f"weights_only=True), {converted!r}); then load {converted!r}, or give its arrays to "
        "gluon.contrib.torch_weights.load if their names are those of torchvision"
    )
