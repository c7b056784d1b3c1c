"""Files that are written whole or not at all (ADR 0011), and the way to open those of others."""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet._formats.files.foreign import access_error as access_error
    from mxnet._formats.files.foreign import check_room as check_room
    from mxnet._formats.files.foreign import find_weakness as find_weakness
    from mxnet._formats.files.foreign import make_private as make_private
    from mxnet._formats.files.foreign import open_foreign as open_foreign
    from mxnet._formats.files.foreign import read_foreign as read_foreign
    from mxnet._formats.files.foreign import read_foreign_text as read_foreign_text
    from mxnet._formats.files.foreign import warn_of_others as warn_of_others
    from mxnet._formats.files.foreign import while_room as while_room
    from mxnet._formats.files.saving import load_together as load_together
    from mxnet._formats.files.saving import open_saved as open_saved
    from mxnet._formats.files.saving import read_saved as read_saved
    from mxnet._formats.files.saving import write_atomically as write_atomically
    from mxnet._formats.files.saving import written_together as written_together
    from mxnet._formats.files.temporary import name_file as name_file

_HOMES = {
    "foreign": (
        *("access_error", "check_room", "find_weakness", "make_private", "open_foreign"),
        *("read_foreign", "read_foreign_text", "warn_of_others", "while_room"),
    ),
    "saving": ("load_together", "open_saved", "read_saved", "write_atomically", "written_together"),
    "temporary": ("name_file",),
}
__getattr__ = make_getattr(
    __name__,
    globals(),
    {name: f"{__name__}.{home}:{name}" for home, names in _HOMES.items() for name in names},
)
