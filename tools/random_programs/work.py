"""The process that runs programs: `... -m tools.random_programs.work MODE PROGRAMS RESULTS PLACE`.

It runs under either package and knows nothing of the other. Each result is written at once, so that
a crash costs one program; `PLACE` then holds the number of the step.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import warnings
from pathlib import Path

import numpy as np

from tools.random_programs import modes
from tools.random_programs.farm import POISONED


def main(mode: str, programs: str, results: str, place: str) -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    run = modes.MODES[mode]
    file_of_place = os.open(place, os.O_WRONLY)
    modes.NOTICE.append(lambda index: os.pwrite(file_of_place, b"%6d" % index, 0))
    with open(results, "wb") as file:
        for line in Path(programs).read_text().splitlines():
            program = json.loads(line)
            result = run(program)
            file.write(pickle.dumps((program["name"], result), protocol=4))
            file.flush()
            if any("execute a primitive" in outcome[-1] for outcome in result.values()):
                sys.exit(POISONED)


if __name__ == "__main__":
    main(*sys.argv[1:])
