"""States of the random generators as JSON: ours, NumPy's and Python's."""

from __future__ import annotations

import base64
import random
from typing import Any

import numpy as np

from mxnet._state import rng
from mxnet.errors import FileFormatError, MXNetError

_WORDS = 624
"""Length of the state of a Mersenne twister, which NumPy and Python have."""


def read_states() -> dict[str, Any]:
    """Returns the states of all generators."""
    _, words, position, has_gauss, gauss = np.random.get_state(legacy=True)
    version, python, python_gauss = random.getstate()
    return {
        "mxnet": {name: _encode(state) for name, state in rng.read_states().items()},
        "numpy": [_encode(np.asarray(words)), int(position), int(has_gauss), float(gauss)],
        "python": [version, _encode(np.array(python, dtype=np.uint32)), python_gauss],
    }


def write_states(states: Any, where: str) -> None:
    """Sets the states of all generators that are in this process.

    Args:
        states: What `read_states` returned, maybe from a file.
        where: The file, for messages.

    Raises:
        FileFormatError: if they are damaged; Python's generator may have changed then.
    """
    try:
        version, python, python_gauss = states["python"]
        random.setstate((version, tuple(map(int, _decode(python, np.uint32))), python_gauss))
        encoded, position, has_gauss, gauss = states["numpy"]
        words = _decode(encoded, np.uint32)
        if len(words) != _WORDS or not 0 <= position <= _WORDS:
            raise FileFormatError(f"{where}: the state of NumPy's generator is damaged")
        np.random.set_state(("MT19937", words, int(position), int(bool(has_gauss)), float(gauss)))
        ours = {str(name): _decode(item, np.uint8) for name, item in states["mxnet"].items()}
        rng.write_states(ours)
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        if isinstance(error, MXNetError):
            raise
        raise FileFormatError(f"{where}: random states are damaged: {error}") from error


def _encode(array: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(array.tobytes()).decode()


def _decode(text: str, dtype: type[np.generic]) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = np.frombuffer(bytearray(base64.b64decode(text)), dtype=dtype)
    return array
