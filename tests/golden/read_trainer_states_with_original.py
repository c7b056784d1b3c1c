"""Checks that trainers of the original MXNet 1.9.1 go on from states that ours saved.

Run by the interpreter of the environment that has the original:

    python tests/golden/read_trainer_states_with_original.py FOLDER

The folder holds `<case>.states`, saved after five steps; `tests/gluon/training/test_training.py`
fills one and runs this when `ORIGINAL_PYTHON` names the interpreter.
"""

from __future__ import annotations

import sys
from pathlib import Path

from make_gluon_training import OUT, mx, np
from training_cases import RESUMABLE, STEPS, resume_from, train, values_of


def main() -> None:
    """Checks all files of the folder that the command line names."""
    golden = np.load(OUT / "runs.npz")
    for name, case in RESUMABLE.items():
        resume = resume_from(golden[f"{name}/half/values"], Path(sys.argv[1]) / f"{name}.states")
        losses, net, trainer = train(case, [mx.cpu()], begin=STEPS // 2, resume=resume)
        assert trainer.optimizer.num_update == STEPS
        flat = np.concatenate([value.ravel() for value in values_of(net)])
        np.testing.assert_allclose(flat, golden[f"{name}/1/values"], rtol=1e-4, atol=1e-4)
        expected = golden[f"{name}/1/losses"][STEPS // 2 :]
        np.testing.assert_allclose(losses, expected, rtol=1e-4, atol=1e-4)
    print(f"OK, {len(RESUMABLE)} trainers")


if __name__ == "__main__":
    main()
