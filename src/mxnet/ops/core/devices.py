"""Work on a GPU without waiting for it: whether values may be read, and constants of kernels.

A copy from the host waits for the GPU, and a stream that is being captured refuses it. So a kernel
that needs a few numbers takes them from here: the first call copies them, later ones, and captures,
which calls without one precede, find them. They are shared, and must never be written to.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any

import torch
from torch import Tensor

_MOST = 1024
"""Constants that are kept beside those of captures."""

_recent: OrderedDict[Hashable, Tensor] = OrderedDict()
"""Constants by what they are and their device, the one used last at the end."""
_captured: dict[Hashable, Tensor] = {}
"""Constants that captured work reads at addresses that it knows, so that they stay."""
_lock = RLock()


def may_wait(*arrays: Tensor) -> bool:
    """Returns whether values are at hand, so that work may depend on them at little cost."""
    return all(item.is_cpu for item in arrays) and not torch.compiler.is_compiling()


def is_captured(*arrays: Tensor) -> bool:
    """Returns whether kernels on arrays are being captured, so that none may be waited for."""
    captured = any(item.is_cuda for item in arrays) and torch.cuda.is_current_stream_capturing()
    if captured:
        shortcuts.count += 1
    return captured


class Shortcuts:
    """Counts what kernels do in another way, or leave out, because they are being captured."""

    count = 0


shortcuts = Shortcuts()


def constant(values: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Returns an array that holds numbers, which is shared and must not be written to.

    Args:
        values: A number, or tuples of numbers, nested as in `torch.tensor`.
        dtype: Type of the elements.
        device: Where the array is.
    """
    if device.type != "cuda" or torch.compiler.is_compiling():
        return torch.tensor(values, dtype=dtype, device=device)
    # Zeros of both signs are equal, but their texts are not.
    return shared((repr(values), dtype), lambda: torch.tensor(values, dtype=dtype), device)


def constant_like(values: Any, like: Tensor) -> Tensor:
    """Returns the array that `constant` gives, with type and device of another array."""
    return constant(values, like.dtype, like.device)


def shared(key: Hashable, make: Callable[[], Tensor], device: torch.device) -> Tensor:
    """Returns an array that is made on the host, which is shared and must not be written to.

    Args:
        key: What tells the array from all others, but for the device.
        make: Makes it.
        device: Where it is wanted.
    """
    if device.type != "cuda" or torch.compiler.is_compiling():
        return make().to(device)
    place = (key, device)
    with _lock:
        found = _captured.get(place)
        if found is None:
            found = _recent.pop(place, None)
            if found is None:
                found = _copy(make, device)
            _keep(place, found)
        return found


def _keep(place: Hashable, array: Tensor) -> None:
    """Keeps an array, as long as there is room, or as captured work may need it."""
    if not _may_be_kept(array):
        return
    if torch.cuda.is_current_stream_capturing():
        _captured[place] = array
        return
    _recent[place] = array
    if len(_recent) > _MOST:
        _recent.popitem(last=False)


def _copy(make: Callable[[], Tensor], device: torch.device) -> Tensor:
    """Makes an array and copies it; the copy has arrived for all streams when this returns."""
    with torch.inference_mode(False):  # a tensor of that mode could not be recorded later
        return make().to(device)


def _may_be_kept(array: Tensor) -> bool:
    """Returns whether an array outlives the mode in which it was made, as fake ones do not."""
    return type(array) is Tensor
