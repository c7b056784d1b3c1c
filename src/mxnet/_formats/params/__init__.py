"""Parameter files of every generation, to and from NumPy arrays."""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet._formats.params.file import decode_record as decode_record
    from mxnet._formats.params.file import encode_record as encode_record
    from mxnet._formats.params.file import load_params as load_params
    from mxnet._formats.params.file import read_params as read_params
    from mxnet._formats.params.file import save_params as save_params

_NAMES = ("decode_record", "encode_record", "load_params", "read_params", "save_params")
__getattr__ = make_getattr(
    __name__, globals(), {name: f"{__name__}.file:{name}" for name in _NAMES}
)
