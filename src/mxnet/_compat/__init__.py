"""Favours to programs that rely on more than MXNet's interface, kept out of the core.

Each module does one favour and each row of `favours.PRIVATE_NAMES` is one. All state which programs
they serve, why, and when they can go. They know nothing of arrays, so that any layer may ask them.
"""
