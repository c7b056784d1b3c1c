import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_quickstart_learns_the_digits(tmp_path):
    result = subprocess.run(
        [
            sys.executable,
            ROOT / "examples" / "quickstart.py",
            "--epochs",
            "2",
            "--output",
            tmp_path,
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert result.returncode == 0, result.stderr
    accuracy = re.search(r"accuracy on the test digits: ([\d.]+)%", result.stdout)
    assert float(accuracy[1]) > 85
    assert (tmp_path / "softmax.params").stat().st_size > 784 * 10 * 4
    assert (tmp_path / "digits.png").read_bytes().startswith(b"\x89PNG")
