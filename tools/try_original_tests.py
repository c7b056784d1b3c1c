"""Runs the Python tests of MXNet, from a checkout that you have, against this package.

    python -m tools.try_original_tests CHECKOUT [--files NAMES] [-k WORDS] [--numpy 1.26] [--write]
    python -m tools.try_original_tests CHECKOUT --tag master

The first are those of 1.9.1, the others those of MXNet 2, which run under its rules.

The checkout of apache/mxnet is a git directory, a work tree or an unpacked release; its tests are
laid out in a temporary folder and deleted afterwards. Each file runs in a process of its own, in an
empty folder and without network: a few downloads are answered with data made here. The tests of
2021 use NumPy as it was; with `--numpy 1.26`, the default, the oldest release that the package
admits is installed beside it, below `.original-tests/`. What should pass is what passes with the
original, as `tests/golden/original_tests.json` lists it, or `original_tests_2.json`; `--oracle`
writes that list with the original's interpreter. `--write` writes `docs/original_tests.md`. Ends
with status 1 if a test fails that should pass, unless the release of NumPy fails it by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path

from tools.suites import downloads, original, original_2, report
from tools.suites.processes import Result, Setting, run_file, stop_all
from tools.suites.sources import SourceError, lay_out
from tools.suites.suite import Suite

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "original_tests.md"
SUITES = {
    "1.9.1": original.SUITE,
    "master": original_2.SUITE,
    "2.0.0.beta1": replace(original_2.SUITE, revision="2.0.0.beta1"),
}
"""Suites by tags of the checkout."""
PACKAGES = {
    "1.26": ("numpy==1.26.4", "scipy==1.11.4", "opencv-python-headless==4.9.0.80"),
    "2.4": ("numpy==2.4.*", "scipy>=1.17", "opencv-python-headless>=4.12"),
    "2.5": ("numpy==2.5.*", "scipy>=1.18", "opencv-python-headless>=4.12"),
}
"""What is installed beside the package for a release of NumPy; 2.5 needs Python 3.12 or newer."""
PROBE = (
    "import json, platform, cv2, mxnet, numpy, scipy, sys;"
    "torch = sys.modules.get('torch');"
    "print(json.dumps({'Python': platform.python_version(), 'NumPy': numpy.__version__,"
    "'SciPy': scipy.__version__, 'OpenCV': cv2.__version__,"
    "'torch': getattr(torch, '__version__', 'none')}))"
)


def install(numpy: str, folder: Path) -> Path:
    """Installs NumPy and what goes with it into a folder, once; returns the folder."""
    target = folder / f"numpy-{numpy}"
    stamp = target / "installed"
    packages = PACKAGES[numpy]
    if stamp.exists() and stamp.read_text(encoding="utf-8") == " ".join(packages):
        return target
    shutil.rmtree(target, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*pip, "--target", str(target), *packages], check=True)
    stamp.write_text(" ".join(packages), encoding="utf-8")
    return target


def make_setting(options: argparse.Namespace, folder: Path, proxy: str) -> Setting:
    """Returns how the tests are run, against this package or with the original."""
    cores = max(1, (os.cpu_count() or 1) // options.jobs)
    seed = str(options.seed)
    suite = SUITES[options.tag]
    variables = {"MXNET_TEST_SEED": seed, "MXNET_MODULE_SEED": seed, "SUITE_SEED": seed}
    variables["SUITE_NAMES"] = json.dumps(suite.names)
    if options.oracle:
        python, paths = options.oracle, ()
    else:
        python, paths = Path(sys.executable), (ROOT / "src", install(options.numpy, options.folder))
        variables |= {"MXNET_NUMPY_ALIASES": "1", **suite.variables}
    return Setting(
        python=python.absolute(),
        root=folder / "tests",
        paths=paths,
        proxy=proxy,
        limit=options.limit,
        arguments=("--confcutdir", str(folder), *(("-k", options.k) if options.k else ())),
        variables=variables,
        logs=options.logs,
        threads=cores,
    )


def ask(setting: Setting, *arguments: str) -> str:
    """Returns what the interpreter of the tests prints."""
    paths = os.pathsep.join(map(str, (*setting.paths, ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths}
    command = [str(setting.python), *arguments]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def run_all(
    setting: Setting, files: list[str], jobs: int, suite: Suite | None = None
) -> dict[str, Result]:
    """Runs files side by side and says how each went.

    Args:
        setting: How they are run.
        files: Their names.
        jobs: How many of them at the same time.
        suite: Where what passes is listed, file by file, if the original runs them.
    """
    results: dict[str, Result] = {}
    listing = threading.Lock()

    def run(file: str) -> None:
        begin = time.monotonic()
        found = run_file(setting, file)
        results.update(found)
        if suite:
            with listing:
                suite.write_expected(found)
        passed = sum(result.outcome == "passed" for result in found.values())
        seconds = time.monotonic() - begin
        print(f"{file}: {passed} of {len(found)} passed in {seconds:.0f} s", flush=True)

    by_size = sorted(files, key=lambda file: (setting.root / file).stat().st_size, reverse=True)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            list(pool.map(run, by_size))
        except BaseException:  # of the user's: the threads would go on
            stop_all()
            raise
    return results


def describe(
    suite: Suite,
    versions: dict[str, str],
    expected: list[str],
    results: dict[str, Result],
    command: str,
) -> str:
    """Returns the part of the page for one suite and one release of NumPy."""
    total = report.count_tests(expected, results, suite.left_out)
    failures, changed = list_failures(suite, versions["NumPy"], expected, results)
    others = ", ".join(f"{name} {version}" for name, version in versions.items())
    text = f"**{total}{count_changed(changed)}**, on {date.today().isoformat()} with {others}."
    text += f"\n\n```sh\n{command}\n```\n\n"
    judged = {*suite.judged}
    groups = {
        title: [file for file in files if file in judged] for title, files in suite.groups.items()
    }
    text += report.as_table(
        {title: files for title, files in groups.items() if files},
        expected,
        results,
        suite.left_out,
        suite.judge,
    )
    if changed:
        text += f"\n\nTests that fail by what NumPy has changed:\n\n{report.as_list(changed)}"
    if failures:
        text += f"\n\nTests that fail:\n\n{report.as_list(failures)}"
    return text


def list_failures(
    suite: Suite, numpy: str, expected: list[str], results: dict[str, Result]
) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the tests that should pass and do not, with what they said.

    Returns:
        Those that this package answers for, and those that the release of NumPy fails by itself,
        with what it has changed.
    """
    failures = report.list_failures(expected, results, suite.left_out)
    known = suite.changed_by(numpy)
    changed = {test: known[test] for test in failures if test in known}
    return {test: said for test, said in failures.items() if test not in known}, changed


def count_changed(changed: dict[str, str]) -> str:
    """Returns the end of a sum of tests that names those that NumPy fails."""
    return f", {len(changed)} fail by what NumPy has changed" if changed else ""


def write_page(suite: Suite, numpy: str, text: str) -> None:
    """Writes the part of a suite and a release of NumPy, and what is left out of the suite."""
    report.replace_part(PAGE, f"{suite.part}numpy {numpy}: make original-tests", text)
    tests = report.as_list(suite.left_out) if suite.left_out else "None."
    files = "\n".join(f"| `{name}` | {why} |" for name, why in suite.left_out_files.items())
    report.replace_part(PAGE, f"{suite.part}left out: make original-tests", tests)
    table = f"| files | what they need or do |\n| --- | --- |\n{files}"
    report.replace_part(PAGE, f"{suite.part}files left out: make original-tests", table)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkout", type=Path, help="of apache/mxnet, with the tag")
    parser.add_argument("--tag", choices=SUITES, default="1.9.1", help="revision of the tests")
    parser.add_argument("--files", default="", help="names such as test_gluon, paths or patterns")
    parser.add_argument("-k", default="", help="words by which pytest chooses tests")
    parser.add_argument("--numpy", choices=PACKAGES, default="1.26", help="release to test with")
    parser.add_argument("--jobs", type=int, default=2, help="files that run at the same time")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a test may take")
    parser.add_argument("--seed", type=int, default=1234, help="seed of each test")
    parser.add_argument("--folder", type=Path, default=ROOT / ".original-tests", help="packages")
    parser.add_argument("--logs", type=Path, help="folder that keeps what the tests print")
    parser.add_argument("--oracle", type=Path, help="interpreter of the original; lists its passes")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    if options.write and (options.files or options.k or options.oracle):
        parser.error("--write needs all files, run with this package")
    if options.oracle and options.k:
        parser.error("--oracle lists whole files")
    if not options.checkout.is_dir():
        parser.error(f"{options.checkout} is no folder")
    return options


def prepare(options: argparse.Namespace) -> None:
    """Makes the folders that are kept."""
    options.folder = options.folder.absolute()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.logs:
        options.logs = options.logs.absolute()
        options.logs.mkdir(parents=True, exist_ok=True)
        for log in options.logs.glob("*.log"):
            log.unlink()


def main(arguments: list[str]) -> int:
    """Runs the tests and reports."""
    options = parse(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    suite = SUITES[options.tag]
    try:
        files = suite.choose(options.files)
    except LookupError as error:
        sys.exit(str(error))
    prepare(options)
    data = options.folder / "downloads"
    with tempfile.TemporaryDirectory(prefix="original-tests-") as name:
        folder = Path(name)
        try:
            lay_out(options.checkout, suite.revision, suite.folders, folder)
        except SourceError as error:
            sys.exit(str(error))
        with downloads.serve(data) as proxy:
            setting = make_setting(options, folder, proxy)
            if not (data / downloads.STAMP).exists():
                ask(setting, "-m", "tools.suites.downloads", str(data))
            versions = json.loads(ask(setting, "-c", PROBE).strip().splitlines()[-1])
            judged = suite if options.oracle else None
            results = run_all(setting, files, options.jobs, judged)
    if options.oracle:
        return 0
    return finish(options, files, versions, results)


def finish(
    options: argparse.Namespace,
    files: list[str],
    versions: dict[str, str],
    results: dict[str, Result],
) -> int:
    """Prints what failed and the sum, and writes the page."""
    suite = SUITES[options.tag]
    listed = suite.read_expected()
    expected = [test for file in files for test in report.of_file(listed, file)]
    if options.k:
        expected = [test for test in expected if test in results]
    failures, changed = list_failures(suite, versions["NumPy"], expected, results)
    for test, said in {**failures, **changed}.items():
        print(f"{test}: {said}")
    total = f"{report.count_tests(expected, results, suite.left_out)}{count_changed(changed)}"
    print(f"Of those that pass with MXNet {suite.judge}, {total}; NumPy {versions['NumPy']}.")
    if options.write:
        tag = "" if options.tag == "1.9.1" else f" TAG={options.tag}"
        command = f"make original-tests MXNET=path/to/mxnet{tag} ORIGINAL='--numpy {options.numpy}'"
        text = describe(suite, versions, expected, results, command)
        write_page(suite, options.numpy, text)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
