import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_sizes.py"


def check(root):
    return subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True, check=False)


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def function(lines):
    return "def long():\n" + '    """Not counted."""\n' + "    pass\n" * lines


def test_short_files_pass(tmp_path):
    write(tmp_path, "src/mxnet/context.py", "pass\n" * 400 + function(40))
    result = check(tmp_path)
    assert result.returncode == 0
    assert "error" not in result.stdout


def test_long_files_fail_by_their_place(tmp_path):
    for path in ("src/mxnet/io.py", "src/mxnet/ops/shape.py", "tests/test_io.py"):
        write(tmp_path, path, "pass\n" * 750)
    result = check(tmp_path)
    assert result.returncode == 1
    assert "error: src/mxnet/io.py: 750 lines" in result.stdout
    assert "warning: src/mxnet/ops/shape.py" in result.stdout
    assert "warning: tests/test_io.py" in result.stdout


def test_many_small_modules_with_one_importer_fail(tmp_path):
    def write_modules(count):
        for number in range(count):
            write(tmp_path, f"src/mxnet/part_{number}.py", "value = 1\n")
        imports = "".join(f"from mxnet import part_{number}\n" for number in range(count))
        write(tmp_path, "src/mxnet/whole.py", imports)
        return check(tmp_path)

    assert "part_1" not in write_modules(9).stdout
    warned = write_modules(20)
    assert warned.returncode == 0
    assert "warning: 20 modules of under 60 lines" in warned.stdout
    failed = write_modules(21)
    assert failed.returncode == 1
    assert "error: 21 modules of under 60 lines" in failed.stdout
    assert "mxnet.part_20 (1 lines of code, for mxnet.whole)" in failed.stdout


def test_long_functions_fail(tmp_path):
    write(tmp_path, "src/mxnet/io.py", function(60) + function(61))
    result = check(tmp_path)
    assert result.returncode == 1
    assert "warning: src/mxnet/io.py:1 long(): 60 lines" in result.stdout
    assert "error: src/mxnet/io.py:63 long(): 61 lines" in result.stdout
