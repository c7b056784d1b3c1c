"""Runs the cases of `mxnet2_names/` under MXNet 2 and writes what they give.

Run by the interpreter of an environment that has `mxnet==2.0.0b1` (with NumPy before 1.24):

    oracle2/bin/python tests/golden/record_mxnet2_names.py [FAMILY ...]

Writes `mxnet2_names/FAMILY.json`.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import warnings
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mxnet2_names import FAMILIES, core  # noqa: E402


def main() -> None:
    """Writes one line for each case; each family has a process, because some change it for good."""
    warnings.simplefilter("ignore")
    families = sys.argv[1:] or FAMILIES
    for family in families:
        if len(families) > 1:
            subprocess.run([sys.executable, __file__, family], check=True)
            continue
        cases = importlib.import_module(f"mxnet2_names.{family}").CASES
        rows = [
            f"{json.dumps(name)}: {json.dumps(core.run(case, mx))}" for name, case in cases.items()
        ]
        path = HERE / "mxnet2_names" / f"{family}.json"
        path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        print(f"{family}: {len(rows)} cases")


main()
