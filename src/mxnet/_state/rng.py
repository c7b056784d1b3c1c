"""Random generators, one per device, which all threads share and forked processes inherit.

`cpu(0)` and the accelerators use torch's own default generators, so that a program which mixes
arrays and tensors has one stream there. `cpu(1)`, `cpu(2)`, ... have a generator each. The staging
contexts `cpu_pinned(i)` and `cpu_shared(i)` use that of `cpu(i)`, so that a network draws the same
numbers for a batch that a worker process has loaded.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from typing import Any

import numpy as np
import torch

from mxnet._state.locks import Lock

_SEED_STRIDE = 0x9E3779B97F4A7C15
_MAX_SEED = 2**63

_CPU_TYPES = ("cpu", "cpu_pinned", "cpu_shared")
"""Device types of contexts that are on torch's CPU."""


DRAWS = Lock()
"""Held while numbers are drawn; by a thread that forks too (`_state/rng.py`)."""


def drawing() -> AbstractContextManager[Any]:
    """Returns what a kernel holds while it draws; compilers cannot trace a lock."""
    return nullcontext() if torch.compiler.is_compiling() else DRAWS


def draws(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a kernel that holds the lock for draws as long as it runs."""

    @wraps(kernel)
    def locked(*arguments: Any, **attrs: Any) -> Any:
        if torch.compiler.is_compiling():
            return kernel(*arguments, **attrs)
        with DRAWS:  # not `drawing()`, which takes two calls more
            return kernel(*arguments, **attrs)

    return locked


class _Generators:
    """The generators made so far and the seed from which later ones start."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._own: dict[int, torch.Generator] = {}
        self._seed: int | None = None

    def get(self, device_id: int) -> torch.Generator:
        generator = self._own.get(device_id)
        if generator is None:
            with self._lock:
                generator = self._own.get(device_id)
                if generator is None:
                    seed = torch.initial_seed() if self._seed is None else self._seed
                    generator = torch.Generator().manual_seed(_seed_for(seed, device_id))
                    self._own[device_id] = generator
        return generator

    def made(self) -> list[tuple[int, torch.Generator]]:
        with self._lock:
            return list(self._own.items())

    def seed(self, seed: int) -> None:
        with self._lock:
            self._seed = seed
            for device_id, generator in self._own.items():
                generator.manual_seed(_seed_for(seed, device_id))


_GENERATORS = _Generators()


class LibraryNumbers:
    """Random numbers that a library draws from memory of its own on an accelerator.

    Captures read the memory where it is, so it stays there: a new seed is written into it.

    Args:
        device: Where the memory is.
        make: Returns memory that a seed has filled.
    """

    def __init__(self, device: torch.device, make: Callable[[int], torch.Tensor]) -> None:
        self._generator = torch.cuda.default_generators[device.index or 0]
        self._make, self._seed = make, self._generator.initial_seed()
        self._memory = make(self._seed)

    def draw(self) -> torch.Tensor:
        """Returns the memory, which follows a seed that was set by torch."""
        captures = torch.cuda.is_current_stream_capturing()  # which asks no generator for its seed
        if not captures and self._generator.initial_seed() != self._seed:
            self.restart()
        return self._memory

    def restart(self, numbers: torch.Tensor | None = None) -> None:
        """Sets the memory to given numbers, or to those of the generator's seed."""
        if numbers is None:
            self._seed = self._generator.initial_seed()
            numbers = self._make(self._seed)
        self._memory.copy_(numbers)


library_numbers: dict[torch.device, LibraryNumbers] = {}
"""By device; those of cuDNN are the only ones (`mxnet.ops.nn.cudnn_rnn`)."""


@contextmanager
def library_numbers_kept(device: torch.device) -> Iterator[None]:
    """Lets a library draw inside of the `with` block without a trace in the numbers after it."""
    known = library_numbers.get(device)
    before = None if known is None else known.draw().clone()
    try:
        yield
    finally:
        if device in library_numbers:
            library_numbers[device].restart(before)


def _seed_for(seed: int, device_id: int) -> int:
    """Derives a different seed for each device; the first device gets the seed itself."""
    return (seed + device_id * _SEED_STRIDE) % _MAX_SEED


def _uses_default(device_type: str, device_id: int) -> bool:
    return device_id == 0 or device_type not in _CPU_TYPES


def generator_for(device_type: str, device_id: int) -> torch.Generator | None:
    """Returns the generator of a context; None stands for torch's default one of that device.

    Args:
        device_type: Type of the device: `cpu`, `cpu_pinned`, `cpu_shared` or `gpu`.
        device_id: Its number.
    """
    if _uses_default(device_type, device_id):
        return None
    return _GENERATORS.get(device_id)


def seed_all(seed: int) -> None:
    """Seeds the generators of all contexts, each differently.

    The first context of each device type gets the seed itself.
    """
    torch.manual_seed(seed % _MAX_SEED)
    _GENERATORS.seed(seed)
    if torch.accelerator.is_available():
        for device_id in range(1, torch.accelerator.device_count()):
            _seed_accelerator(_seed_for(seed, device_id), device_id)
    for numbers in library_numbers.values():
        numbers.restart()


def seed_one(seed: int, device_type: str, device_id: int) -> None:
    """Seeds the generator of one context; equal seeds give equal numbers on one device type."""
    seed %= _MAX_SEED
    if device_type not in _CPU_TYPES:
        _seed_accelerator(seed, device_id)
        for device, numbers in library_numbers.items():
            if device.index == device_id:
                numbers.restart()
    elif _uses_default(device_type, device_id):
        torch.default_generator.manual_seed(seed)
    else:
        _GENERATORS.get(device_id).manual_seed(seed)


def _seed_accelerator(seed: int, device_id: int) -> None:
    current = torch.accelerator.current_device_index()
    torch.accelerator.set_device_index(device_id)
    try:
        torch.get_device_module().manual_seed(seed)
    finally:
        torch.accelerator.set_device_index(current)


def read_states() -> dict[str, np.ndarray[Any, Any]]:
    """Returns the states of all generators as bytes, by the name of the device."""
    states = {"cpu0": torch.default_generator.get_state().numpy()}
    for device_id, generator in _GENERATORS.made():
        states[f"cpu{device_id}"] = generator.get_state().numpy()
    if torch.accelerator.is_available():
        module = torch.get_device_module()
        for device_id in range(torch.accelerator.device_count()):
            states[f"gpu{device_id}"] = module.get_rng_state(device_id).numpy()
    return states


def write_states(states: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Sets the states of generators, of which those of devices that are not here are passed over.

    Raises:
        RuntimeError: if torch does not take a state.
    """
    count = torch.accelerator.device_count() if torch.accelerator.is_available() else 0
    for name, state in states.items():
        device_type, number = name[:3], name[3:]
        if not number.isdecimal() or len(number) > 4:
            raise RuntimeError(f"{name!r} is no generator")
        tensor, device_id = torch.from_numpy(state), int(number)
        if device_type == "gpu":
            if device_id < count:
                torch.get_device_module().set_rng_state(tensor, device_id)
        elif device_id == 0:
            torch.default_generator.set_state(tensor)
        else:
            _GENERATORS.get(device_id).set_state(tensor)


# A forked process has one thread, but a copy of all locks. One that another thread of the parent
# held at that moment is never released there, and the first to ask for it waits for ever. So the
# locks of the random generators, which a loader's worker seeds first of all, are held by the
# thread that forks: no other thread draws meanwhile.

_PATIENCE = 5.0
"""Seconds to wait for a generator: a program that holds NumPy's lock itself may still fork."""


def _numpy_lock() -> Any:
    """Returns the lock of the generator behind the functions of `numpy.random`.

    Returns:
        The lock; None if nothing has imported these functions, so that no thread can hold it.
    """
    if "numpy.random" not in sys.modules:
        return None
    return np.random.get_bit_generator().lock  # type: ignore[attr-defined]  # not in the stubs


class _HeldLocks:
    """The locks of the generators, while a process is forked."""

    def __init__(self) -> None:
        self._numpy: Any = None
        self._is_held = False

    def acquire(self) -> None:
        """Waits until no thread draws."""
        DRAWS.acquire()
        self._numpy = _numpy_lock()  # a program may have set another generator
        self._is_held = self._numpy is not None and self._numpy.acquire(timeout=_PATIENCE)

    def release_in_parent(self) -> None:
        """Lets the threads of the parent go on."""
        self._release_numpy()
        DRAWS.release()

    def release_in_child(self) -> None:
        """Lets the child draw, and keeps it to one thread.

        The threads of OpenMP, with which torch shares out the work of an operator, do not exist in
        a forked process, but its library waits for them for ever. One thread needs none of them.
        """
        self._release_numpy()  # the other lock is new in a forked process
        torch.set_num_threads(1)

    def _release_numpy(self) -> None:
        if self._is_held:
            self._numpy.release()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    _held = _HeldLocks()
    os.register_at_fork(
        before=_held.acquire,
        after_in_parent=_held.release_in_parent,
        after_in_child=_held.release_in_child,
    )
