"""Writes the files of the programs of `tests/golden/mxnet2_cases.py`, for MXNet 2 to read.

    MXNET_VERSION=2 python -m tests.gluon.mxnet2_files FOLDER

Then `oracle2/bin/python tests/golden/record_mxnet2.py --check FOLDER` compares what it computes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.golden.mxnet2_cases import PROGRAMS, build, file_name


def write(folder: Path) -> None:
    """Writes the parameters and the exported graph of each program."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, program in PROGRAMS.items():
        net, arguments = build(program)
        start = str(folder / file_name(name))
        net.save_parameters(f"{start}.params")
        net.hybridize()
        for _ in range(2):  # the first call may go operator by operator
            net(*arguments)
        net.export(start)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
