"""Writing files so that a reader finds the old content or the new one, never half of either."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path


def write_atomically(path: str | os.PathLike[str], chunks: Iterable[bytes | memoryview]) -> None:
    """Replaces the content of a file in one step.

    The chunks go to a temporary file in the same folder, which takes the file's place when it is
    complete and on the disk. If anything fails before, the temporary file is removed and the
    old file stays as it was. Devices and pipes cannot be replaced; they are written directly.

    Args:
        path: File to write; a symbolic link keeps pointing where it does.
        chunks: The new content, in order.
    """
    target = Path(os.path.realpath(path))
    mode = stat.S_IMODE(target.stat().st_mode) if target.is_file() else None
    if mode is None and target.exists():
        with target.open("wb") as file:
            file.writelines(chunks)
        return
    temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
