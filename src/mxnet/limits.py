"""Limits on what a file or an attribute may ask for before any of it is done.

A model file is a few kilobytes of numbers from an untrusted source. No real model comes near
these limits; a hostile or damaged one does, and gets an error in place of all memory or all time.
Programs that need more raise a limit, for the process or for a `with` block; the environment
variable `MXNET_LIMIT_<NAME>` does so before the program starts.

A `with` block changes limits for the code that runs in it, not for other threads that run
meanwhile. Tasks of asyncio and copied contexts begin with the limits of the code that makes them,
and so do the threads and processes that loaders and iterators of this package start. Other threads
begin with the limits of the process; `carry` gives them those of the thread that starts them.

Example:
    >>> import mxnet as mx
    >>> before = mx.limits.set("array_bytes", 10**9)
    >>> mx.limits.get("array_bytes")
    1000000000
    >>> before = mx.limits.set("array_bytes", before)
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mxnet.errors import AttributeValueError, LimitExceededError, UnknownNameError


class _Limit(NamedTuple):
    """A limit as it is declared."""

    default: int
    unit: str
    """What is counted, as it stands in a message."""


_CONTAINER_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where Linux says how much memory a container has; the word `max` if it has all."""


def _physical_memory() -> int:
    """Returns the bytes of memory of this machine or container, a large number if not known."""
    try:
        amount = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        amount = 1 << 46
    for path in _CONTAINER_FILES:
        try:
            amount = min(amount, int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue
    return amount


_LIMITS = {
    "archive_bytes": _Limit(1 << 29, "bytes unpacked, beyond ten times the size of the file"),
    "archive_members": _Limit(1 << 18, "files of an archive"),
    "array_bytes": _Limit(_physical_memory(), "bytes of memory"),
    "attribute_text": _Limit(1 << 20, "characters of an attribute"),
    "download_bytes": _Limit(1 << 34, "bytes of a download"),
    "download_stall_seconds": _Limit(60, "seconds without 64 KiB of a download"),
    "file_arrays": _Limit(500_000, "arrays of a file"),
    "graph_depth": _Limit(64, "loops inside of each other"),
    "graph_nodes": _Limit(200_000, "nodes"),
    "graph_outputs": _Limit(500_000, "outputs of all nodes"),
    "image_pixels": _Limit(1 << 26, "pixels, beyond one for each byte of the file"),
    "import_bytes": _Limit(1 << 28, "bytes of tensors, beyond ten for each byte of the files"),
    "import_elements": _Limit(
        1 << 28, "elements computed while importing, beyond four for each byte of the files"
    ),
    "import_nodes": _Limit(30_000, "nodes made by repeating, beyond ten for each node written"),
    "inference_rounds": _Limit(64, "rounds through the graph"),
    "loop_iterations": _Limit(100_000, "iterations"),
    "node_inputs": _Limit(50_000, "inputs of a node"),
    "node_outputs": _Limit(100_000, "outputs of a node"),
    "operator_steps": _Limit(65_536, "steps of a loop"),
    "pickle_values": _Limit(300_000, "values of a pickle"),
    "symbol_bytes": _Limit(1 << 26, "bytes of a symbol file"),
    "unchecked_image_bytes": _Limit(0, "bytes of an image that only its decoder looks at"),
}
"""Every limit by its name. What it bounds is told in `docs/security.md`."""


def _read_environment(name: str, default: int) -> int:
    text = os.environ.get(f"MXNET_LIMIT_{name.upper()}")
    if text is None:
        return default
    try:
        return int(text)
    except ValueError as error:
        raise AttributeValueError(
            f"MXNET_LIMIT_{name.upper()}: takes a whole number, got {text!r}"
        ) from error


_values = {name: _read_environment(name, limit.default) for name, limit in _LIMITS.items()}
"""The limits of the process."""


_MANY_HOLDERS = 8


class _Block(dict[str, int]):
    """What a `with` block changes."""

    def __init__(self, values: Mapping[str, int]) -> None:
        super().__init__(values)
        self.holders: list[weakref.ref[_Scoped]] = []
        """The limits in which it counts, of contexts that still have them."""

    def add_holder(self, scoped: _Scoped) -> None:
        """Notes that limits count the block, and forgets those that are gone."""
        if len(self.holders) >= _MANY_HOLDERS:
            self.holders = [item for item in self.holders if item() is not None]
        self.holders.append(weakref.ref(scoped))


class _Scoped(dict[str, int]):
    """The limits that hold inside of `with` blocks.

    Args:
        blocks: The blocks, the innermost one last.
    """

    def __init__(self, blocks: Sequence[_Block]) -> None:
        super().__init__()
        self.blocks = blocks
        for block in blocks:
            self.update(block)
            block.add_holder(self)

    def drop(self, block: _Block) -> None:
        """Lets a block hold no longer, wherever these limits do."""
        self.blocks = _without(block, self.blocks)
        self.clear()
        for item in self.blocks:
            self.update(item)


def _without(block: _Block, blocks: Sequence[_Block]) -> list[_Block]:
    return [item for item in blocks if item is not block]


_scoped: ContextVar[_Scoped | None] = ContextVar("mxnet.limits", default=None)
_find_scoped = _scoped.get
_open_blocks: dict[int, weakref.ref[_Block]] = {}
"""The blocks of all threads by their identity, until they end. Every array that is made looks
whether there are any before it looks for its own: that takes no call, and compilers cannot trace a
context variable."""


def _open_block(values: Mapping[str, int]) -> _Block:
    block = _Block(values)
    key = id(block)
    _open_blocks[key] = weakref.ref(block, lambda _: _open_blocks.pop(key, None))
    return block


def get(name: str) -> int:
    """Returns a limit, as it holds for the code that asks.

    Raises:
        UnknownNameError: if there is no limit of that name; the message lists them.
    """
    try:
        scoped = _find_scoped()
        return _values[name] if scoped is None or name not in scoped else scoped[name]
    except KeyError:
        raise UnknownNameError(
            f"limits: there is no limit {name!r}; there are {', '.join(sorted(_LIMITS))}"
        ) from None


def set(name: str, value: int) -> int:
    """Changes a limit for the whole process and returns what it was.

    Inside of a `scope` that changes the same limit, what the scope says holds until its end.

    Args:
        name: Name of the limit.
        value: The largest amount that is allowed from now on.
    """
    _check_value(name, value)
    before, _values[name] = _values[name], value
    return before


def _check_value(name: str, value: int) -> None:
    get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise AttributeValueError(f"limits: {name} takes a whole number from 0, got {value!r}")


@contextmanager
def scope(**values: int) -> Iterator[None]:
    """Changes limits for the code that runs in a `with` block.

    Example:
        >>> import mxnet as mx
        >>> with mx.limits.scope(array_bytes=10**6):
        ...     mx.limits.get("array_bytes")
        1000000
    """
    for name, value in values.items():
        _check_value(name, value)
    block = _open_block(values)
    token = _scoped.set(_Scoped([*_blocks(), block]))
    try:
        yield
    finally:
        _end(block, token)


def _blocks() -> Sequence[_Block]:
    scoped = _find_scoped()
    return () if scoped is None else scoped.blocks


def _end(block: _Block, token: Token[_Scoped | None]) -> None:
    """Ends a block; those of generators may not end in the order in which they began.

    Args:
        block: The block.
        token: What setting it has returned.
    """
    blocks = _blocks()
    try:
        _scoped.reset(token)
    except ValueError:  # a generator that another thread or task closes, in a context of its own
        is_here = False
    else:
        is_here = True
    left = _without(block, blocks)
    if is_here or len(left) < len(blocks):
        _scoped.set(_Scoped(left) if left else None)
    if not is_here:
        for holder in block.holders:
            scoped = holder()
            if scoped is not None:
                scoped.drop(block)
    block.holders.clear()
    _open_blocks.pop(id(block), None)


def carry() -> Callable[[], None]:
    """Returns a function that gives another thread or process the limits of this code.

    To be called at the beginning of the thread or process, for which it then holds until its end.

    Example:
        >>> import mxnet as mx
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> with mx.limits.scope(array_bytes=10**6):
        ...     with ThreadPoolExecutor(1, initializer=mx.limits.carry()) as pool:
        ...         pool.submit(mx.limits.get, "array_bytes").result()
        1000000
    """
    return partial(_take, os.getpid(), dict(_values), dict(_find_scoped() or {}))


def _take(process: int, values: Mapping[str, int], scoped: Mapping[str, int]) -> None:
    if os.getpid() != process:  # which does not know what the program has set, unless forked
        _values.update(values)
    _scoped.set(_Scoped([_open_block(scoped)]) if scoped else None)


def check(name: str, amount: int, where: str) -> None:
    """Raises if more is asked for than a limit allows.

    Args:
        name: Name of the limit.
        amount: How much is asked for.
        where: What asks, for the message: the operator, the file and the place in it.

    Raises:
        LimitExceededError: if `amount` is larger than the limit.
    """
    scoped = _find_scoped() if _open_blocks else None
    limit = _values[name] if scoped is None or name not in scoped else scoped[name]
    if amount > limit:
        raise LimitExceededError(
            f"{where}: asks for {amount:,} {_LIMITS[name].unit}, the limit is {limit:,} "
            f'(mx.limits.set("{name}", ...) changes it)'
        )
