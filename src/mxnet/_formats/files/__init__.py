"""Files that are written whole or not at all, alone or several together (ADR 0011)."""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet._formats.files.saving import load_together as load_together
    from mxnet._formats.files.saving import open_saved as open_saved
    from mxnet._formats.files.saving import read_saved as read_saved
    from mxnet._formats.files.saving import write_atomically as write_atomically
    from mxnet._formats.files.saving import written_together as written_together

_NAMES = ("load_together", "open_saved", "read_saved", "write_atomically", "written_together")
__getattr__ = make_getattr(
    __name__, globals(), {name: f"{__name__}.saving:{name}" for name in _NAMES}
)
