"""Where compilers keep compiled code, which is loaded and run the next time.

torch's inductor takes a folder below `/tmp`, whoever has made it. Here it gets one that no other
user can write to: that folder if it is so, else one in the user's own cache. A folder that the user
has chosen is checked.
"""

from __future__ import annotations

import errno
import getpass
import os
import re
import tempfile
import warnings
from pathlib import Path

from mxnet._formats.files import find_weakness, make_private
from mxnet._start import level_of_program
from mxnet.errors import FileAccessError

INDUCTOR = "TORCHINDUCTOR_CACHE_DIR"
TRITON = "TRITON_CACHE_DIR"


def secure() -> None:
    """Makes sure that no other user can write to the folders of compiled code.

    Raises:
        FileAccessError: if the user has chosen one to which others can.
    """
    usual = _usual_folder()
    given = os.environ.get(INDUCTOR)
    if given is None or Path(given) == usual:  # which torch notes in the variable itself
        os.environ[INDUCTOR] = str(_take_folder(usual))
    else:
        _check(INDUCTOR, given)
    if TRITON in os.environ:  # otherwise it is in the folder of inductor
        _check(TRITON, os.environ[TRITON])


def _usual_folder() -> Path:
    """Returns the folder that torch takes."""
    try:
        user = getpass.getuser()
    except (KeyError, ModuleNotFoundError, OSError):  # a number without a name
        user = f"uid_{os.getuid()}" if hasattr(os, "getuid") else "unknown_user"
    name = re.sub(r'[\\/:*?"<>|]', "_", user)
    return Path(tempfile.gettempdir(), f"torchinductor_{name}").absolute()


def _take_folder(usual: Path) -> Path:
    """Makes a folder that is safe, and returns it."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for folder in (usual, Path(cache, "glueball", "torchinductor")):
        if make_private(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix="torchinductor_"))


def _check(variable: str, folder: str) -> None:
    make_private(Path(folder).absolute())
    weakness = find_weakness(folder)
    if weakness is None:
        return
    text = f"{weakness.reason}, who can put code there that this program runs"
    if weakness.is_of_group:
        warnings.warn(f"{variable}: {text}", stacklevel=level_of_program())
        return
    raise FileAccessError(
        errno.EACCES,
        f"{variable}: {text}; take the right away (chmod go-w), or choose another folder",
        folder,
    )
