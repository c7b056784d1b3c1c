"""Loads blocks that this package exported into the original and compares what they compute.

Run by the interpreter of the environment that has the original, after `make_exchange.py FOLDER`:

    python tests/golden/read_exchange_with_original.py FOLDER
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

sys.path.insert(0, str(Path(__file__).resolve().parent))

from exchange_cases import all_cases, compare, file_name  # noqa: E402

UNABLE = {("networks", "float16")}
"""What the original does not run on a CPU."""


def main(folder: str) -> None:
    """Compares every case that was exported; fails where one differs by more than 1e-4."""
    warnings.simplefilter("ignore")
    count, wrong = 0, []
    for (family, name), case in all_cases().items():
        path = Path(folder) / family / file_name(name)
        if (family, name) in UNABLE or not path.with_suffix(".npz").exists():
            continue
        count += 1
        difference = compare(case, str(path))
        if difference > 1e-4:
            wrong.append((family, name, difference))
    print(f"{count} blocks, {len(wrong)} differ: {wrong}")
    if wrong or count < 480:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1])
