"""Checks that the original MXNet 1.9.1 goes on from optimizer states that we saved.

Run by the interpreter of the environment that has the original:

    python tests/golden/read_states_with_original.py FOLDER

The folder holds `<case>.states` and `<case>-alone.states` for each case in `SAVED`;
`tests/optimizer/test_states.py` fills one and runs this when `ORIGINAL_PYTHON` names the
interpreter.
"""

from __future__ import annotations

import sys
from pathlib import Path

from make_optimizers import SAVED, flatten, make_updater, mx, np, run


def check(folder: Path, name: str) -> None:
    """Takes a fourth step from our states and compares it with the original's own."""
    case = SAVED[name]
    expected, weights = run(case, steps=3)
    copies = [weight.copy() for weight in weights]
    alone = make_updater(case)
    alone.set_states((folder / f"{name}-alone.states").read_bytes())
    updater = make_updater(case)
    updater.set_states((folder / f"{name}.states").read_bytes())
    assert type(updater.optimizer) is type(expected.optimizer)
    assert vars(updater.optimizer).keys() == vars(expected.optimizer).keys()
    gradients = [mx.nd.array(item, dtype=item.dtype) for item in case.gradients(3)]
    expected([0, 1, 2], gradients, weights)
    updater([0, 1, 2], gradients, copies)
    for first, second in zip(weights, copies):  # noqa: B905
        np.testing.assert_allclose(first.asnumpy(), second.asnumpy(), rtol=1e-3, atol=1e-5)
    assert set(alone.states) == set(expected.states)
    for index, state in expected.states.items():
        assert [a.shape for a in flatten(state)] == [a.shape for a in flatten(alone.states[index])]


def main() -> None:
    """Checks all files of the folder that the command line names."""
    for name in SAVED:
        check(Path(sys.argv[1]), name)
    print(f"OK, {len(SAVED)} optimizers")


if __name__ == "__main__":
    main()
