"""Runs a program that imports `horovod.mxnet`: `python -m mxnet.contrib.horovod train.py`."""

from __future__ import annotations

import runpy
import sys

from mxnet.contrib.horovod._operations import install


def main() -> None:
    """Runs the program that the command line names, with the arguments after it."""
    if len(sys.argv) < 2:
        sys.exit("usage: python -m mxnet.contrib.horovod program.py [arguments]")
    install()
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
