"""Helpers for training: splitting batches, clipping gradients, downloading files."""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from mxnet._formats import files
from mxnet._frontend.dialect import current_dialect, dialect_of, dialect_of_program
from mxnet._start import level_of_program, public_call, tracebacks
from mxnet.context import Context
from mxnet.errors import (
    FileAccessError,
    InvalidArgumentError,
    LimitExceededError,
    MXNetError,
    ShapeMismatchError,
)
from mxnet.gluon import parts as _parts
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.ops.core import attrs
from mxnet.ops.nn.rnn import Plan, parameter_shapes

_BLOCK_SIZE = 1 << 20
_PUBLIC_REPO = "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/"


def _indent(text: str, num_spaces: int = 2) -> str:
    """Indents all lines but the first, to print a block inside of another."""
    return text.replace("\n", "\n" + " " * num_spaces)


def _brief_print_list(lst: Sequence[Any], limit: int = 7) -> str:
    """Returns the items of a list in quotes, the middle left out if there are too many."""
    items = list(lst)
    if len(items) > limit:
        ends = (items[: limit // 2], items[limit // 2 - limit :])
        return ", ..., ".join(_brief_print_list(part, limit) for part in ends)
    return ", ".join(f"'{item}'" for item in items)


def split_rnn_params(
    param: Any,
    mode: str,
    num_layers: int,
    input_size: int,
    hidden_size: int,
    bidirectional: bool = False,
    projection_size: int | None = None,
) -> dict[str, Any]:
    """Splits the vector of parameters of a recurrent layer, as MXNet 2 has it, into its parts.

    Args:
        param: The vector.
        mode: `"rnn_relu"`, `"rnn_tanh"`, `"lstm"` or `"gru"`.
        num_layers: Number of layers.
        input_size: Size of the input.
        hidden_size: Size of the hidden state.
        bidirectional: Whether the layer runs in both directions.
        projection_size: Size to which an LSTM projects its hidden state.

    Returns:
        Weights and biases by names such as `"l0_i2h_weight"`.

    Example:
        >>> import mxnet as mx
        >>> parts = mx.gluon.utils.split_rnn_params(mx.nd.arange(14), "rnn_tanh", 1, 3, 2)
        >>> {name: part.shape for name, part in parts.items()}
        {'l0_i2h_weight': (2, 3), 'l0_h2h_weight': (2, 2), 'l0_i2h_bias': (2,), 'l0_h2h_bias': (2,)}
    """
    sides = "lr" if bidirectional else "l"
    plan = Plan(mode, hidden_size, num_layers, len(sides), projection_size or None)
    roles = ("i2h", "h2h", "h2r") if projection_size else ("i2h", "h2h")
    cells = [f"{side}{layer}" for layer in range(num_layers) for side in sides]
    names = [f"{cell}_{role}_weight" for cell in cells for role in roles]
    names += [f"{cell}_{role}_bias" for cell in cells for role in roles[:2]]
    shapes = itertools.chain.from_iterable(parameter_shapes(plan, input_size))
    parts, begin = {}, 0
    for name, shape in zip(names, shapes, strict=True):
        end = begin + math.prod(shape)
        parts[name], begin = param[begin:end].reshape(shape), end
    return parts


def shape_is_known(shape: Sequence[int] | None) -> bool:
    """Returns whether all lengths of a shape are known, by the rules of the thread's dialect.

    Args:
        shape: The shape; a length that is not known is 0, or -1 with NumPy's shapes.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.utils.shape_is_known((2, 3)), mx.gluon.utils.shape_is_known((2, 0))
        (True, False)
        >>> with mx.util.np_shape(True):
        ...     mx.gluon.utils.shape_is_known((2, 0)), mx.gluon.utils.shape_is_known((2, -1))
        (False, False)
    """
    return attrs.shape_is_known(current_dialect().shapes.read(shape))


@public_call
def split_data(
    data: NDArray, num_slice: int, batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Splits an array into parts along the batch axis.

    Args:
        data: The array.
        num_slice: Number of parts.
        batch_axis: The axis.
        even_split: Whether all parts must have the same size; otherwise the first ones are larger,
            and the last ones are empty if there are fewer samples than parts.

    Returns:
        The parts, as views of the array.

    Example:
        >>> import mxnet as mx
        >>> parts = mx.gluon.utils.split_data(mx.nd.arange(5), 2, even_split=False)
        >>> [part.asnumpy().tolist() for part in parts]
        [[0.0, 1.0, 2.0], [3.0, 4.0]]
    """
    size = data.shape[batch_axis]
    if even_split and size % num_slice:
        raise ShapeMismatchError(
            f"split_data: a batch of shape {data.shape} cannot be split evenly into {num_slice} "
            f"parts along axis {batch_axis}; use a batch size that is a multiple of {num_slice}, "
            "or even_split=False"
        )
    if num_slice == 1:
        return [data]
    step, larger = divmod(size, num_slice)
    begins = [i * step + min(i, larger) for i in range(num_slice + 1)]
    edges = list(itertools.pairwise(begins))
    if batch_axis == 0:
        return [data[begin:end] for begin, end in edges]
    cut = dialect_of(data).array_functions.slice_axis
    return [cut(data, axis=batch_axis, begin=begin, end=end) for begin, end in edges]


@public_call
def split_and_load(
    data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Splits a batch along the batch axis and puts one part on each context.

    Args:
        data: The batch, an array of this package or of NumPy.
        ctx_list: The contexts.
        batch_axis: The axis of samples.
        even_split: Whether all parts must have the same size.

    Returns:
        A list with an array for each context.

    Example:
        >>> import mxnet as mx
        >>> batch = mx.nd.arange(8).reshape((4, 2))
        >>> parts = mx.gluon.utils.split_and_load(batch, [mx.cpu(0), mx.cpu(1)])
        >>> [(part.shape, part.context) for part in parts]
        [((2, 2), cpu(0)), ((2, 2), cpu(1))]
    """
    if not isinstance(data, NDArray):
        data = dialect_of_program().array_functions.array(data, ctx=ctx_list[0])
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    parts = split_data(data, len(ctx_list), batch_axis, even_split)
    loaded = [part.as_in_context(ctx) for part, ctx in zip(parts, ctx_list, strict=True)]
    _parts.note_parts(loaded)
    return loaded


def clip_global_norm(
    arrays: Sequence[NDArray], max_norm: float, check_isfinite: bool = True
) -> np.floating[Any] | NDArray:
    """Scales arrays in place so that their joint 2-norm is at most `max_norm`.

    Args:
        arrays: Usually gradients. Of sharded parameters, all ranks must pass the same ones.
        max_norm: The largest norm.
        check_isfinite: Whether to read the norm, warn if it is not finite, and return it as a
            number; otherwise it is returned as an array, without waiting for it.

    Returns:
        The norm before scaling.

    Example:
        >>> import mxnet as mx
        >>> gradients = [mx.nd.array([3]), mx.nd.array([4])]
        >>> float(mx.gluon.utils.clip_global_norm(gradients, max_norm=2.5))
        5.0
        >>> [gradient.asscalar().item() for gradient in gradients]
        [1.5, 2.0]
    """
    arrays = list(arrays)  # a single array is taken as its rows
    if not arrays:
        raise InvalidArgumentError("clip_global_norm: takes at least one array")
    ctx = arrays[0].context
    tensors = [
        array._parts[0] if isinstance(array, BaseSparseNDArray) else array._writable()
        for array in arrays
    ]
    home = tensors[0].device
    norms = _parts.complete_norms(
        arrays, torch._foreach_norm([tensor.float() for tensor in tensors])
    )
    total = torch.linalg.vector_norm(torch.stack([norm.to(home) for norm in norms]))
    if check_isfinite and not math.isfinite(float(total)):
        warnings.warn(
            "clip_global_norm: the norm is nan or inf, and so are the results",
            stacklevel=level_of_program(),
        )
    scale = (max_norm / (total + 1e-8)).clamp(max=1.0)
    for tensor in tensors:
        tensor.mul_(scale.to(device=tensor.device, dtype=tensor.dtype))
    dialect = dialect_of(arrays[0])
    norm = dialect.array._wrap(total.reshape(dialect.shapes.element), ctx)
    return norm.asnumpy().reshape(-1)[0] if check_isfinite else norm


class HookHandle:
    """A handle of a hook, by which the hook is removed again.

    `register_forward_hook`, `register_forward_pre_hook` and `register_op_hook` return one. It is a
    context manager as well, which removes the hook at the end of the block.

    Example:
        >>> import mxnet as mx
        >>> net = mx.gluon.nn.Dense(2, in_units=3)
        >>> net.initialize()
        >>> handle = net.register_forward_hook(lambda block, inputs, output: print(output.shape))
        >>> _ = net(mx.nd.ones((4, 3)))
        (4, 2)
        >>> handle.detach()
        >>> _ = net(mx.nd.ones((4, 3)))  # prints nothing any more
    """

    _numbers = itertools.count()

    def __init__(self) -> None:
        self._hooks: MutableMapping[int, Callable[..., Any]] | None = None
        self._number = -1

    def attach(
        self, hooks_dict: MutableMapping[int, Callable[..., Any]], hook: Callable[..., Any]
    ) -> None:
        """Puts a hook into a dictionary of hooks."""
        if self._hooks is not None:
            raise MXNetError("HookHandle.attach: the handle has a hook already")
        self._number = next(self._numbers)
        hooks_dict[self._number] = hook
        self._hooks = hooks_dict

    def detach(self) -> None:
        """Removes the hook."""
        if self._hooks is not None:
            self._hooks.pop(self._number, None)

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.detach()


def check_sha1(filename: str | os.PathLike[str], sha1_hash: str) -> bool:
    """Returns whether the SHA-1 hash of a file equals the given one.

    Args:
        filename: Path of the file.
        sha1_hash: The hash as 40 hexadecimal digits.

    Example:
        >>> import hashlib, os, pathlib, tempfile
        >>> import mxnet as mx
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "model.params")
        ...     mx.nd.save(path, {"weight": mx.nd.ones(2)})
        ...     expected = hashlib.sha1(pathlib.Path(path).read_bytes()).hexdigest()
        ...     mx.gluon.utils.check_sha1(path, expected), mx.gluon.utils.check_sha1(path, "0" * 40)
        (True, False)
    """
    digest = hashlib.sha1(usedforsecurity=False)
    with files.open_saved(filename) as file:  # what a reader will read under that name
        while block := file.read(_BLOCK_SIZE):
            digest.update(block)
    return digest.hexdigest() == sha1_hash


def replace_file(src: str | os.PathLike[str], dst: str | os.PathLike[str]) -> None:
    """Replaces a file by another in one step: readers see either the old or the new one.

    Args:
        src: The new file, which has its name no more afterwards.
        dst: Name that it gets.

    Example:
        >>> import os, tempfile
        >>> import mxnet as mx
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     new, old = os.path.join(folder, "new.params"), os.path.join(folder, "net.params")
        ...     mx.nd.save(new, mx.nd.ones(2))
        ...     mx.nd.save(old, mx.nd.zeros(2))
        ...     mx.gluon.utils.replace_file(new, old)
        ...     print(os.listdir(folder), mx.nd.load(old)[0].asnumpy())
        ['net.params'] [1. 1.]
    """
    os.replace(src, dst)


def download(
    url: str,
    path: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    sha1_hash: str | None = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Downloads a file, unless it exists already.

    A partial download is never visible: it is written to a temporary file and renamed. It ends if
    more comes than the server has announced or `download_bytes` of `mx.limits` allows, if less
    comes than announced, if 64 KiB take longer than `download_stall_seconds`, or if the disk is
    almost full.

    Args:
        url: Address.
        path: File or folder to store it in, the current folder if not given.
        overwrite: Whether to download it again.
        sha1_hash: Hash that the content must have.
        retries: How often to try again.
        verify_ssl: Whether to check the certificate of the server.

    Returns:
        Path of the file.

    Raises:
        FileAccessError: if the file cannot be downloaded, or has another hash.
        LimitExceededError: if it is larger than allowed.

    Example:
        >>> import functools, http.server, os, pathlib, tempfile, threading
        >>> import mxnet as mx
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with open(os.path.join(folder, "labels.txt"), "w") as file:
        ...         _ = file.write("cat dog")
        ...     Handler = http.server.SimpleHTTPRequestHandler
        ...     Handler.log_message = lambda *args: None
        ...     handler = functools.partial(Handler, directory=folder)
        ...     with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        ...         threading.Thread(target=server.handle_request, daemon=True).start()
        ...         url = f"http://127.0.0.1:{server.server_port}/labels.txt"
        ...         path = mx.gluon.utils.download(url, os.path.join(folder, "copy.txt"))
        ...     print(pathlib.Path(path).read_text())
        cat dog
    """
    return _download_at_most(None, url, path, overwrite, sha1_hash, retries, verify_ssl)


def _download_at_most(
    most: int | None,
    url: str,
    path: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    sha1_hash: str | None = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Downloads a file of which it is known how many bytes it can have; see `download`.

    Args:
        most: That number; None if it is not known.
        url: Address.
        path: File or folder to store it in.
        overwrite: Whether to download it again.
        sha1_hash: Hash that the content must have.
        retries: How often to try again.
        verify_ssl: Whether to check the certificate of the server.
    """
    target = _download_target(url, path)
    if retries < 0:
        raise InvalidArgumentError(f"download: retries takes at least 0, got {retries}")
    if not overwrite and target.exists() and (not sha1_hash or check_sha1(target, sha1_hash)):
        return str(target)
    if not verify_ssl:
        warnings.warn(
            "Unverified HTTPS request: download does not check certificates (verify_ssl=False)",
            stacklevel=level_of_program(),
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    failure: Exception | None = None
    for _ in range(retries + 1):
        try:
            _fetch(url, target, sha1_hash, verify_ssl, most)
        except LimitExceededError:
            raise  # the file will not become smaller
        except (OSError, MXNetError, ValueError) as error:
            failure = error
        else:
            return str(target)
    raise FileAccessError(
        f"download: {url} could not be had in {retries + 1} tries: {_reason_of(failure)}"
    ) from failure


def _reason_of(failure: BaseException | None) -> str:
    """Returns what the system has said where a connection failed, without the layers above it.

    What it says of a file is an error of its own, which names the file.
    """
    root = failure
    if isinstance(root, OSError) and root.filename is not None:
        return str(root)
    while root is not None and (root.__cause__ or root.__context__) is not None:
        root = root.__cause__ or root.__context__
    return str(root) if isinstance(root, OSError) and str(root) else str(failure)


def _download_target(url: str, path: str | os.PathLike[str] | None) -> Path:
    name = url.split("?")[0].split("/")[-1]
    if name in (".", ".."):
        raise InvalidArgumentError(f"download: {url} does not end in a file name")
    if path is None:
        if not name:
            raise InvalidArgumentError(f"download: {url} does not end in a file name; give a path")
        return Path(name)
    expanded = Path(path).expanduser()
    return expanded / name if expanded.is_dir() else expanded


def _fetch(
    url: str, target: Path, sha1_hash: str | None, verify_ssl: bool, most: int | None
) -> None:
    from mxnet._formats.downloads import receive  # noqa: PLC0415 - few programs download

    received = receive(url, target.name, verify_ssl=verify_ssl, most=most)
    blocks = files.while_room(target, received)
    files.write_atomically(target, _checked(blocks, url, sha1_hash) if sha1_hash else blocks)


def _checked(blocks: Iterable[bytes], url: str, sha1_hash: str) -> Iterator[bytes]:
    """Yields the blocks, and raises after the last if their hash is wrong."""
    digest = hashlib.sha1(usedforsecurity=False)
    for block in blocks:
        digest.update(block)
        yield block
    if digest.hexdigest() != sha1_hash:
        raise MXNetError(f"the content of {url} does not have the SHA-1 hash {sha1_hash}")


def _get_repo_url() -> str:
    """Returns the address of the repository of files: `MXNET_GLUON_REPO`, or the public one."""
    address = os.environ.get("MXNET_GLUON_REPO") or _PUBLIC_REPO
    return address if address.endswith("/") else f"{address}/"


def _get_repo_file_url(namespace: str, filename: str) -> str:
    """Returns the address of a file in a folder of the repository."""
    return f"{_get_repo_url()}{namespace}/{filename}"


tracebacks.public_functions(globals())
