"""Ways to open a file that `tools/check_openers.py` finds, and those that it passes over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.check_openers import ALLOWED, ANY, MODULE, ROOT, check, main


def problems_of(folder: Path, code: str, allowed=None) -> list[str]:
    (folder / "module.py").write_text(code)
    return list(check(folder, allowed or {}))


@pytest.mark.parametrize(
    "code",
    [
        "open(path)",
        "open(path, 'rb')",
        "open(path, mode)",
        "open(path, 'r+b')",
        "map(open, paths)",
        "path.open()",
        "path.open('rb')",
        "(folder / name).open()",
        "Path(name).open(encoding='utf-8')",
        "path.read_bytes()",
        "path.read_text('utf-8')",
        "[*map(Path.read_bytes, paths)]",
        "os.open(path, os.O_RDONLY)",
        "np.load(path)",
        "np.fromfile(path)",
        "np.loadtxt(path)",
        "numpy.genfromtxt(path)",
        "np.memmap(path)",
        "mmap.mmap(number, 0)",
        "tarfile.open(path)",
        "zipfile.ZipFile(archive)",
        "gzip.open(path)",
        "unpack(bz2.open)",
        "lzma.open(path)",
        "cv2.imread(path)",
        "json.load(open(path))",
        "torch.load(path)",
        "tokenize.open(path)",
        "shutil.copyfile(path, other)",
        "linecache.getlines(path)",
    ],
)
def test_ways_to_read_are_found(code, tmp_path):
    (problem,) = problems_of(tmp_path, f"def read(path):\n    {code}\n")
    assert problem.startswith("module.py:2: read reads by ")


@pytest.mark.parametrize(
    "code",
    [
        "open(path, 'w')",
        "open(path, mode='xb')",
        "path.open('wb')",
        "self.open()",
        "super().open()",
        "tarfile.open(fileobj=stream, mode='r|')",
        "zipfile.ZipFile(file)",
        "np.fromfile(file, dtype)",
        "np.loadtxt(file)",
        "gzip.GzipFile(fileobj=file)",
        "mmap.mmap(-1, size)",
        "archive.open(member)",
        "options.open",
        "open_foreign(path)",
        "value: zipfile.ZipFile = found",
    ],
)
def test_ways_to_write_and_open_files_are_not(code, tmp_path):
    assert problems_of(tmp_path, f"def use(path: tarfile.TarFile):\n    {code}\n") == []


def test_exceptions_are_by_function_and_must_be_needed(tmp_path):
    code = "def one(p):\n    p.read_text()\ndef two(p):\n    p.read_text()\n"
    row = ("module.py", "one", "read_text")
    (problem,) = problems_of(tmp_path, code, {row: "why"})
    assert "two reads by read_text" in problem
    assert problems_of(tmp_path, code, {("module.py", ANY, "read_text"): "why"}) == []
    assert problems_of(tmp_path, "p.read_text()", {("module.py", MODULE, "read_text"): "why"}) == []
    (problem,) = problems_of(tmp_path, "", {row: "why"})
    assert "remove it from ALLOWED" in problem


def test_the_package_opens_files_in_one_way(capsys):
    assert main(ROOT) == 0, capsys.readouterr().out
    assert all(ALLOWED.values())
