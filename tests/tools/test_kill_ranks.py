import subprocess
import sys
from pathlib import Path

import pytest

_TOOL = Path(__file__).resolve().parents[2] / "tools" / "kill_ranks.py"


@pytest.mark.parametrize(
    ("kills", "epochs", "sharded"),
    [
        pytest.param(1, 1, True, marks=pytest.mark.slow),
        pytest.param(50, 14, True, marks=pytest.mark.slow),
        pytest.param(50, 14, False, marks=pytest.mark.slow),
    ],
)
def test_a_job_ends_as_if_no_rank_had_been_killed(kills, epochs, sharded):
    command = [sys.executable, str(_TOOL), "--kills", str(kills), "--epochs", str(epochs)]
    command += ["--limit", "120"] + (["--sharded"] if sharded else [])
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=150 + 60 * kills, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.startswith(f"{kills} kills in {10 * epochs} steps on 2 ranks: losses and")
