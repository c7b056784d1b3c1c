"""How a batch is divided among contexts, under the name by which programs import it."""

from mxnet.module._slices import split_input_slice as _split_input_slice

__all__ = ["_split_input_slice"]
