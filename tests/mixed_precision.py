"""Mixed precision is on for the rest of a process, which programs cannot change; tests have to."""

from __future__ import annotations

from mxnet.contrib.amp.amp import initialized


def turn_off() -> None:
    """Turns mixed precision off, and forgets the scaler that a trainer got."""
    initialized.reset()
