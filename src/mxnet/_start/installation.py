"""What is checked before torch is imported: a wheel of the original, and the role in a job."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_WHEEL = re.compile(r"mxnet(_(cu\d+(mkl)?|mkl|native))?-\d[^-]*\.dist-info", re.IGNORECASE)
_ADVICE = (
    "Glueball and the original both provide `import mxnet`, so that only one of them can be in an "
    "environment: run `pip uninstall {name}`, then `pip install --force-reinstall glueball`."
)


@cache
def check_once() -> None:
    """Runs the check in whichever of this package's files is imported first."""
    check()


def check(search_path: Iterable[str] | None = None, package: Path | None = None) -> None:
    """Looks for the original's wheel and says what to do about it.

    Args:
        search_path: Folders to look in, those that Python imports from if not given.
        package: Folder of this package.

    Raises:
        ImportError: if both are installed into the same folder, where their files mix.
    """
    package = package or Path(__file__).resolve().parents[1]
    for folder in map(Path, sys.path if search_path is None else search_path):
        for entry in filter(_WHEEL.fullmatch, _names_in(folder)):
            name = entry.split("-")[0].replace("_", "-")
            advice = _ADVICE.format(name=name)
            if folder.resolve() == package.parent:
                wheel = entry.removesuffix(".dist-info")
                raise ImportError(f"{wheel} is installed over this package. {advice}")
            warnings.warn(f"{entry} is in the same environment. {advice}", stacklevel=4)


def _names_in(folder: Path) -> list[str]:
    """Lists a folder; one that cannot be read, or is a zip file, has nothing to say."""
    try:
        return os.listdir(folder)  # an import takes a while to make a path of each
    except OSError:
        return []


def end_helper_process() -> None:
    """Ends a process that the original's launcher started as scheduler or server, with success."""
    if os.environ.get("DMLC_ROLE") in ("scheduler", "server"):
        sys.exit(0)
