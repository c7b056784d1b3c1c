"""Runs the command for `python -m glueball`."""

from glueball.main import main

if __name__ == "__main__":
    raise SystemExit(main())
