"""`glueball scan PATH`: which names of MXNet programs use, and which of them are not here.

Programs are read, never run or imported.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from glueball.console import (
    Colour,
    CommandError,
    painted,
    plural,
    printable,
    table,
    write,
    write_json,
)
from glueball.installation import version_of
from glueball.progress import progress
from glueball.scan.differing import DIFFERENCES
from glueball.scan.names import Names, Status
from glueball.scan.program import Use
from glueball.scan.reader import Reader
from glueball.scan.removed import BACK_IN_NUMPY_2, REMOVED
from glueball.scan.sources import Broken, find_files
from glueball.scan.versions import MARKS, Verdict, Versions

_PAGE = "glueball docs differences"
_WORDS = {
    Status.MISSING: "is not here",
    Status.UNKNOWN: "is not a name of MXNet 1.9.1",
    Status.DIFFERS: "differs",
    Status.REMOVED: "is removed",
}
_MOST_USED = 15
_MOST_SHOWN = 1000
"""Places that are printed of names that are missing, and of files that cannot be read."""


class Finding(NamedTuple):
    """A use of a name, with what is known of it."""

    place: str
    name: str
    status: Status
    advice: str


class Result(NamedTuple):
    """What a scan found."""

    num_files: int
    num_programs: int
    """Files that use MXNet."""
    uses: Counter[str]
    findings: list[Finding]
    broken: list[Broken]
    verdict: Verdict
    """For which version of MXNet the programs were written."""


def run(options: argparse.Namespace) -> int:
    """Prints what was found.

    Returns:
        The exit status: 1 if a name is missing, unknown or removed or a file cannot be read,
        otherwise 0.
    """
    root = Path(options.path)
    if not root.exists():
        raise CommandError(f"there is no file or folder {options.path}")
    result = scan(root)
    if not result.num_files and not result.broken:
        raise CommandError(
            f"{options.path} has no Python files (.py), notebooks (.ipynb) or pages (.md, .rst)"
        )
    if options.json:
        write_json(_as_json(result))
    else:
        _print(result, options.all)
    is_lacking = any(found.status is not Status.DIFFERS for found in result.findings)
    return 1 if is_lacking or result.broken else 0


def scan(root: Path) -> Result:
    """Reads all programs of a folder, or one file.

    Args:
        root: The file or the folder.
    """
    names, versions = Names.load(), Versions.load()
    marks: Counter[str] = Counter()
    result = Result(0, 0, Counter(), [], [], versions.judge(marks))
    found = list(find_files(root))
    files = [path for path in found if isinstance(path, Path)]
    result.broken.extend(folder for folder in found if isinstance(folder, Broken))
    num_programs = 0
    with Reader(names) as reader:
        for path in progress(files, "reading"):
            found_uses, broken = reader.read(path)
            result.broken.extend(broken)
            marks.update(use.name for use in found_uses if use.name in MARKS)
            uses = [use for use in found_uses if use.name not in MARKS]
            ours = [use.name for use in uses if use.name not in REMOVED]
            num_programs += bool(ours)
            result.uses.update(ours)
            for use in uses:
                result.findings.extend(_judge(use, names, versions))
    distinct = list(dict.fromkeys(result.findings))  # an import may name several of a module
    verdict = versions.judge(result.uses + marks)
    return result._replace(
        num_files=len(files), num_programs=num_programs, findings=distinct, verdict=verdict
    )


def _judge(use: Use, names: Names, versions: Versions) -> Iterator[Finding]:
    if use.name in REMOVED:
        yield _judge_removed(use)
        return
    status = names.status(use.name)
    if status in (Status.MISSING, Status.UNKNOWN):
        advice = names.advice(use.name)
        if status is Status.UNKNOWN and versions.version_of(use.name) > 1:
            advice = "it is one of MXNet 2, and not here yet"
        yield Finding(use.place, use.name, status, advice)
    elif use.name in DIFFERENCES:
        section, sentence = DIFFERENCES[use.name]
        yield Finding(use.place, use.name, Status.DIFFERS, f"{sentence} (`{_PAGE}#{section}`)")


def _judge_removed(use: Use) -> Finding:
    if use.name in BACK_IN_NUMPY_2 and not (version_of("numpy") or "").startswith("1."):
        return Finding(use.place, use.name, Status.DIFFERS, BACK_IN_NUMPY_2[use.name])
    release, advice = REMOVED[use.name]
    return Finding(use.place, use.name, Status.REMOVED, f"{advice} ({release} removed it)")


def _as_json(result: Result) -> dict[str, Any]:
    return {
        "files": result.num_files,
        "programs": result.num_programs,
        "version": result.verdict.version,
        "signs": {str(version): dict(signs) for version, signs in result.verdict.signs.items()},
        "names": dict(result.uses.most_common()),
        "findings": [found._asdict() | {"status": found.status.value} for found in result.findings],
        "broken": [found._asdict() for found in result.broken],
    }


def _print(result: Result, show_all: bool) -> None:
    _print_findings(result.findings, show_all)
    unreadable = painted("cannot be read", Colour.BAD)
    for found in _some(result.broken, show_all):
        write(f"{printable(found.place, 200)}: {unreadable}: {printable(found.reason, 200)}")
    if result.findings or result.broken:
        write()
    if result.uses:
        _print_uses(result.uses, show_all)
    _print_totals(result)


_Item = TypeVar("_Item")


def _some(items: Sequence[_Item], show_all: bool) -> Iterator[_Item]:
    """Yields items to print, and says how many others there are."""
    most = len(items) if show_all else _MOST_SHOWN
    yield from items[:most]
    if len(items) > most:
        write(f"and {plural(len(items) - most, 'other place')} (--all shows them)")


def _print_findings(findings: Sequence[Finding], show_all: bool) -> None:
    """Prints a line for each place of names that are missing; one for all places of others."""
    lacking = [found for found in findings if found.status is not Status.DIFFERS]
    for found in _some(lacking, show_all):
        advice = f"; {found.advice}" if found.advice else ""
        place, name = printable(found.place, 200), printable(found.name)
        write(f"{place}: {name} {painted(_WORDS[found.status], Colour.BAD)}{advice}")
    differing = [found for found in findings if found.status is Status.DIFFERS]
    differs = painted(_WORDS[Status.DIFFERS], Colour.DOUBTFUL)
    for name in dict.fromkeys(found.name for found in differing):
        same = [found for found in differing if found.name == name]
        others = f" and {plural(len(same) - 1, 'other place')}" if len(same) > 1 else ""
        write(f"{printable(same[0].place, 200)}{others}: {name} {differs}: {same[0].advice}")


def _print_uses(uses: Counter[str], show_all: bool) -> None:
    shown = uses.most_common(None if show_all else _MOST_USED)
    for line in table(["uses", "name"], [(number, printable(name)) for name, number in shown], ">"):
        write(line)
    if len(shown) < len(uses):
        write(f"      and {plural(len(uses) - len(shown), 'other name')} (--all shows them)")
    write()


def _print_totals(result: Result) -> None:
    by_status = {
        status: {found.name for found in result.findings if found.status is status}
        for status in _WORDS
    }
    write(
        f"{plural(result.num_files, 'file')}, {result.num_programs} of them with MXNet: "
        f"{plural(sum(result.uses.values()), 'use')} of {plural(len(result.uses), 'name')}"
    )
    if result.uses:
        write(printable(str(result.verdict), 400))
    missing, unknown = by_status[Status.MISSING], by_status[Status.UNKNOWN]
    if result.uses:
        supported = len(result.uses) - len(missing) - len(unknown)
        differing = by_status[Status.DIFFERS] & result.uses.keys()
        write(
            f"{supported} supported ({len(differing)} of them differ on purpose), "
            f"{len(missing)} missing, {len(unknown)} not in MXNet 1.9.1"
        )
    if by_status[Status.REMOVED]:
        removed = plural(len(by_status[Status.REMOVED]), "name")
        write(f"{removed} that NumPy or Python removed")
    if result.broken:
        write(f"{plural(len(result.broken), 'file')} could not be read")
