"""Commands for preparing data and for starting jobs."""

from __future__ import annotations

import sys
from pathlib import Path


def command_name(tool: str) -> str:
    """Returns what a tool calls itself: as it was called, as a program or as a module."""
    called = Path(sys.argv[0]).name
    return f"python -m mxnet.tools.{tool}" if called == f"{tool}.py" else tool
