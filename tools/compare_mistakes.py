"""Writes what other sources of the package say of the mistakes in `tests/start/mistakes.txt`.

    python -m tools.compare_mistakes SRC [--show]

`SRC` is the folder `src` of an older checkout. `tests/start/mistakes_before.txt` gets the mistakes
of which it says something else, or in tracebacks of several frames: the program, and after `=>`
the number of frames below the program's, and the message. `--show` prints for each of them what was
said before and what is said now.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tests" / "start" / "mistakes.txt"
BEFORE = TABLE.with_name("mistakes_before.txt")
WIDEST = 240
"""Characters of a line that are kept."""
SAYS = """
import json, sys, traceback, warnings
import numpy as np
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

names = {"mx": mx, "np": np, "autograd": autograd, "gluon": gluon, "nd": nd, "nn": nn}
warnings.simplefilter("ignore")
said = []
for program in json.load(sys.stdin):
    with mx.name.NameManager():
        try:
            exec(compile(program, "mistake.py", "exec"), {"__name__": "__main__", **names})
            said.append(["nothing is raised", 0])
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)[2:]
            said.append([f"{type(error).__name__}: {error}", len(frames)])
print(json.dumps(said))
"""
"""Prints what is said of the programs in its input, and in how many frames of the package."""


def read_programs() -> list[str]:
    """Returns the programs of the table."""
    rows = TABLE.read_text(encoding="utf-8").strip().split("\n\n")
    return [row.partition("\n=> ")[0] for row in rows]


def say(source: Path, programs: list[str]) -> list[str]:
    """Returns what the package in a folder says of each program, with the number of its frames."""
    variables = os.environ | {"PYTHONPATH": str(source.resolve())}
    variables.pop("MXNET_SHOW_INTERNAL_FRAMES", None)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", SAYS],
            input=json.dumps(programs),
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            check=True,
        )
    said = json.loads(done.stdout.replace(str(source.resolve()), "site-packages"))
    return [f"{frames} more: {_cut(message)}" for message, frames in said]


def _cut(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return "\n   ".join(line if len(line) <= WIDEST else f"{line[:WIDEST]}..." for line in lines)


def main() -> int:
    """Runs both and writes what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path, metavar="SRC", help="src of an older checkout")
    parser.add_argument("--show", action="store_true", help="print it beside what is said now")
    options = parser.parse_args()
    programs = read_programs()
    both = zip(programs, say(options.source, programs), say(ROOT / "src", programs), strict=True)
    changed = [(program, before, now) for program, before, now in both if before != now]
    if options.show:
        for program, before, now in changed:
            print(f"{program}\nbefore: {before}\nnow:    {now}\n")
        return 0
    rows = [f"{program}\n=> {before}\n" for program, before, _ in changed]
    BEFORE.write_text("\n".join(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
