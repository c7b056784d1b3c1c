"""Runs the command `glueball` for `python -m mxnet`."""

from glueball.main import main

if __name__ == "__main__":
    raise SystemExit(main())
