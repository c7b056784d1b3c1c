"""Checkpoints: a symbol file and a file of parameters for each epoch."""

from __future__ import annotations

import logging
import os
from collections import namedtuple
from collections.abc import Mapping

from mxnet import ndarray as nd
from mxnet import symbol as sym
from mxnet._formats.files import load_together, written_together
from mxnet._start import public_call
from mxnet.context import cpu
from mxnet.errors import FileFormatError
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

BatchEndParam = namedtuple(  # type: ignore[name-match]  # it prints so in the original
    "BatchEndParams", ["epoch", "nbatch", "eval_metric", "locals"]
)
"""What a training loop passes to callbacks after a batch."""

Arrays = dict[str, NDArray]


def save_checkpoint(
    prefix: str | os.PathLike[str],
    epoch: int,
    symbol: Symbol | None,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    remove_amp_cast: bool = True,
) -> None:
    """Saves a network to `prefix-symbol.json` and `prefix-EPOCH.params`, both or none of them.

    Args:
        prefix: What the names of the files start with.
        epoch: Number of the epoch, four digits in the name.
        symbol: The network; None leaves the symbol file as it is.
        arg_params: Parameters by name.
        aux_params: Auxiliary states by name.
        remove_amp_cast: Whether to leave out casts that automatic mixed precision put in.
    """
    path = checkpoint_path(prefix, epoch, "params")
    with written_together():
        save_parameters(path, arg_params, aux_params)
        if symbol is not None:
            symbol.save(_symbol_path(prefix), remove_amp_cast)
    logging.info('Saved checkpoint to "%s"', path)


def save_parameters(
    path: str | os.PathLike[str],
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
) -> None:
    """Writes parameters and auxiliary states to one file."""
    values = {f"arg:{name}": array.as_in_context(cpu()) for name, array in arg_params.items()}
    values |= {f"aux:{name}": array.as_in_context(cpu()) for name, array in aux_params.items()}
    nd.save(os.fspath(path), values)


def load_params(prefix: str | os.PathLike[str], epoch: int) -> tuple[Arrays, Arrays]:
    """Loads the parameters of a checkpoint.

    Returns:
        Parameters and auxiliary states by name.
    """
    path = checkpoint_path(prefix, epoch, "params")
    loaded = nd.load(path)
    if not loaded:
        logging.warning("Params file '%s' is empty", path)
        return {}, {}
    return split_kinds(loaded, path, others_raise=False)


def split_kinds(loaded: object, path: str, *, others_raise: bool) -> tuple[Arrays, Arrays]:
    """Separates the parameters of a file from its auxiliary states.

    Args:
        loaded: What `nd.load` gave.
        path: Path of the file, for errors.
        others_raise: Whether an array that is neither raises; else it is left out.
    """
    if not isinstance(loaded, dict):
        raise FileFormatError(f"load_params: the arrays of {path!r} have no names")
    groups: dict[str, Arrays] = {"arg": {}, "aux": {}}
    for key, array in loaded.items():
        group, colon, name = key.partition(":")
        if colon and group in groups:
            groups[group][name] = array
        elif others_raise:
            raise FileFormatError(
                f"load_params: {path!r}: names start with arg: or aux:, got {key!r}"
            )
    return groups["arg"], groups["aux"]


@public_call
def load_checkpoint(prefix: str | os.PathLike[str], epoch: int) -> tuple[Symbol, Arrays, Arrays]:
    """Loads a network that `save_checkpoint` or `HybridBlock.export` saved.

    Returns:
        The symbol, its parameters and its auxiliary states.
    """
    paths = _symbol_path(prefix), checkpoint_path(prefix, epoch, "params")
    return load_together(paths, lambda: (sym.load(paths[0]), *load_params(prefix, epoch)))


def _symbol_path(prefix: str | os.PathLike[str]) -> str:
    return f"{os.fspath(prefix)}-symbol.json"


def checkpoint_path(prefix: str | os.PathLike[str], epoch: int, suffix: str) -> str:
    """Returns the path of a file of a checkpoint, with the suffix `"params"` or `"states"`."""
    return f"{os.fspath(prefix)}-{epoch:04d}.{suffix}"
