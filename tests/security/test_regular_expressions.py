"""Every regular expression of the package takes linear time for the worst text there is."""

from __future__ import annotations

import ast
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
LENGTH = 300_000
"""Pieces of a text: a linear search takes some milliseconds, a quadratic one minutes."""
SECONDS = 3
"""Time of a core in which a search must end."""

Text: TypeAlias = str | bytes


class Call(NamedTuple):
    """A call of a function of `re`."""

    file: str
    pattern: Text
    """A literal, one with `{}` for what is put in, or the source of another expression."""
    flags: str


@dataclass(frozen=True)
class Worst:
    """The texts that a regular expression is slowest for.

    Attributes:
        way: Function of `re` that the package looks with.
        texts: Texts of a number of pieces.
        pattern: What the source of the pattern makes, if it is not a literal.
    """

    way: str
    texts: tuple[Callable[[int], Text], ...]
    pattern: Text | None = None


def of(way: str, *texts: Callable[[int], Text], pattern: Text | None = None) -> Worst:
    return Worst(way, texts, pattern)


def letters(end: str) -> Callable[[int], str]:
    return lambda n: "a" * n + end


OF_PROGRAM = "the pattern and the text are those of the program itself"
BOUNDED = "reads no more than a few kilobytes of a file; tests/security/attacks has its worst texts"

OF_OURS = "the text is a page of the package itself"

WORST: dict[str, dict[Text, Worst | str] | str] = {
    "glueball/docs.py": OF_OURS,
    "glueball/installation.py": {
        r"mxnet([-_](cu\d+(mkl)?|mkl|native))?": of(
            "fullmatch", lambda n: "mxnet_cu" + "1" * n + "?"
        ),
        '^PRODUCT_VERSION = "([^"]+)"': of(
            "search", lambda n: "PRODUCT_VERSION = " * n, lambda n: 'PRODUCT_VERSION = "a\n' * n
        ),
    },
    "glueball/models.py": {
        r"(?P<prefix>.*)-(?P<epoch>\d{4,})\.params": of(
            "fullmatch", lambda n: "-1234" * n, lambda n: "-" * n, lambda n: "-" + "1" * n
        )
    },
    "glueball/scan/sources.py": {
        r" {0,12}(```+|~~~+)(?!~)([^`]*)": of(
            "fullmatch",
            lambda n: "`" * n + " `",
            lambda n: "```" + " " * n + "`",
            lambda n: "~" * n + "`",
        ),
        r"\{?\.?(python3?|py|code-cell|code-block|jupyter-execute)\b": of(
            "match", lambda n: "{.python" + "3" * n
        ),
        r"\b(mxnet|mx|nd|npx|gluon|autograd)\b": of(
            "search", lambda n: "m" * n, lambda n: "mxne " * n, letters("")
        ),
        r"(>>>|\.\.\.)( |$)": of("match", lambda n: ">" * n, lambda n: "..." + "." * n),
        r"""\\.|\'\'\'|\"\"\"|['"#()\[\]{}]""": of(
            "findall", lambda n: "\\" * n, lambda n: "''" * n, lambda n: "a" * n
        ),
    },
    "glueball/shapes.py": {
        r"(?P<name>.+?)[=:]\(?\s*(?P<lengths>\d+(\s*[,x]\s*\d+)*),?\s*\)?": of(
            "fullmatch",
            lambda n: "a=" * n,
            lambda n: "a=" + "1" * n + "?",
            lambda n: "a=1" + ",12" * n + "?",
            lambda n: "a=1" + " " * n + "?",
            lambda n: "a=" + " " * n + "?",
            lambda n: "a=1," * n,
        ),
        "[,x]": of("split", lambda n: ",x" * n),
    },
    "mxnet/_formats/files/temporary.py": {
        "[0-9a-f]{24}": of("fullmatch", lambda n: "a" * n),
        r"\..*\.([0-9a-f]{8})[0-9a-f]{16}{}": of(
            "fullmatch",
            lambda n: "." * n,
            lambda n: (".." + "a" * 24) * n,
            pattern=r"\..*\.([0-9a-f]{8})[0-9a-f]{16}\.tmp",
        ),
    },
    "mxnet/_formats/opencv.py": BOUNDED,
    "mxnet/_formats/images/rasters.py": {
        rb"[ \t-\r]*": of("match", lambda n: b" " * n),
        b"[0-9]*": of("match", lambda n: b"1" * n),
        rb"[\n\r]": of("search", lambda n: b"a" * n),
    },
    "mxnet/_formats/images/unchecked.py": {
        rb"P[fF]\s(\d{1,19})\s(\d{1,19})\s": of("match", lambda n: b"PF " + b"1" * n),
        rb"^[-+]Y (\d{1,19}) [-+]X (\d{1,19})": of(
            "findall", lambda n: b"-Y 1 " * n, lambda n: b"-Y 1\n" * n
        ),
        b"\\xff\\x4f\\xff\\x51": of("findall", lambda n: b"\xff\x4f" * n),
        b"ispe": of("findall", lambda n: b"isp" * n),
        "start": BOUNDED,
    },
    "mxnet/_formats/params/npz.py": {
        (
            r"'(descr|fortran_order|shape)'\s*:\s*"
            r"('[^']*'|\[\('bfloat16', '<u2'\)\]|True|False|\([\dL,\s]*\))"
        ): of(
            "findall",
            lambda n: "'shape':(" * n,
            lambda n: "'shape':(" + "1," * n,
            lambda n: "'shape'" + " " * n,
            lambda n: "'descr':'" + "a" * n,
            lambda n: "'shape':" + " " * n,
        ),
        r"\d+": of("findall", lambda n: "1" * n, lambda n: "1," * n),
    },
    "mxnet/_formats/safe_pickle/opcodes.py": {
        b"[+-]?[0-9]{1,310}L?": of("fullmatch", lambda n: b"1" * n)
    },
    "mxnet/_np_functions/table.py": {
        r"^ +F: .*\n": of("findall", lambda n: " " * n, lambda n: " F: " * n)
    },
    "mxnet/_start/docstrings.py": {
        r"(?<!\n)\n+(?= *(?:Args|Shapes|Example):\n)": of(
            "split", lambda n: "\n" * n, lambda n: "\n " * n, lambda n: "\n" + " " * n
        ),
        r"^( *)(\*{0,2}\w+): .*(?:\n\1 +.*)*": of(
            "findall",
            lambda n: " " * n,
            letters("?"),
            lambda n: "a: b" + "\n  c" * n,
            lambda n: "a: " * n,
        ),
    },
    "mxnet/_start/engine.py": {r"(\d+)\.(\d+)": of("match", lambda n: "1" * n)},
    "glueball/weights/sources.py": {
        r"(hf:)?(?P<repository>[\w.-]+/[\w.-]+)(:(?P<file>[\w./-]+))?": of(
            "fullmatch", lambda n: "a" * n, lambda n: "a/" * n, lambda n: "a/b:" + "./" * n + "?"
        )
    },
    "glueball/weights/state_dicts.py": {
        r"(denselayer\d+\.(?:norm|conv))\.([12])\.": of(
            "sub", lambda n: "denselayer" * n, lambda n: "denselayer" + "1" * n
        )
    },
    "mxnet/_start/installation.py": {
        r"mxnet(_(cu\d+(mkl)?|mkl|native))?-\d[^-]*\.dist-info": of(
            "fullmatch", lambda n: "mxnet-1" + ".dist-inf" * n, lambda n: "mxnet_cu" + "1" * n
        )
    },
    "mxnet/context/__init__.py": {
        r"(\w+)\((\d+)\)": of("fullmatch", letters("?"), lambda n: "a(" + "1" * n)
    },
    "mxnet/contrib/text/vocab.py": {"token_delim + '|' + seq_delim": OF_PROGRAM},
    "mxnet/gluon/checkpoint/_storage.py": {
        r"rank[0-9]{1,6}\.bin": of("fullmatch", lambda n: "rank" + "1" * n),
        r"step-([0-9]{8,18})(?:\.new)?": of("fullmatch", lambda n: "step-" + "1" * n),
        r"\.step-[0-9]{8,18}\.(?:partial|removed)": of(
            "fullmatch", lambda n: ".step-" + "1" * n, lambda n: ".step-12345678." * n
        ),
    },
    "mxnet/gluon/contrib/estimator/_checkpoints.py": {
        r"{}-epoch(\d+)batch(\d+)\.params": of(
            "fullmatch",
            lambda n: "m-epoch" + "1" * n,
            lambda n: "m-epoch1batch" + "1" * n,
            pattern=r"m-epoch(\d+)batch(\d+)\.params",
        )
    },
    "mxnet/gluon/contrib/torch_weights/_families.py": {
        r"blocks\.(\d+)\.(\d+)\.(\w+)$": of(
            "match", lambda n: "blocks." + "1" * n, lambda n: "blocks.1.1." + "a" * n + "?"
        )
    },
    "mxnet/gluon/data/_transfer.py": {
        r"</(torch_\w+)>": of("search", lambda n: "</torch_" * n, lambda n: "</torch_" + "a" * n)
    },
    "mxnet/graph/run/compiler_cache.py": {r'[\\/:*?"<>|]': of("sub", lambda n: "/" * n)},
    "mxnet/gluon/parameters/dictionary.py": {"select": OF_PROGRAM},
    "mxnet/gluon/parameters/paths.py": {"select": OF_PROGRAM},
    "mxnet/gluon/rnn/rnn_layer.py": {
        r"([lr])(\d+)_((?:i2h|h2h|h2r)_(?:weight|bias))\Z": of("match", lambda n: "l" + "1" * n)
    },
    "mxnet/graph/lower/modules.py": {
        "[A-Za-z0-9_]{1,80}": of("fullmatch", lambda n: "a" * n),
        "[^A-Za-z0-9_]": of("findall", lambda n: "a?" * n),
    },
    "mxnet/initializer/_initializers.py": {"pattern": OF_PROGRAM},
    "mxnet/io/_text_files.py": {
        rb"[\r\n]+": of("search", lambda n: b"a" * n),
        rb"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)": of(
            "fullmatch",
            lambda n: b"1" * n + b"?",
            lambda n: b"1." + b"1" * n + b"?",
            lambda n: b"1e" + b"1" * n + b"?",
        ),
        rb"#[^\n]*": of("findall", lambda n: b"#" * n, lambda n: b"#\n" * n),
        rb"\bqid:\d+": of("findall", lambda n: b"qid:" * n, lambda n: b"qid:" + b"1" * n),
        rb"^([ \t]*[^\s:]+):\S+": of(
            "findall",
            lambda n: b" " * n,
            lambda n: b"a" * n,
            lambda n: b" a" * n,
            lambda n: b":" * n,
            lambda n: b"a: " * n,
        ),
        rb"^[ \t]+$": of("findall", lambda n: b" " * n + b"?", lambda n: b" \n" * n),
        rb",[ \t]*(?=\n)": of("findall", lambda n: b", " * n, lambda n: b"," + b" " * n + b"?"),
    },
    "mxnet/monitor.py": {"pattern": OF_PROGRAM},
    "mxnet/ops/core/allocation.py": {
        r"tried to allocate (\d+) bytes": of(
            "search", lambda n: "tried to allocate " * n, lambda n: "tried to allocate " + "1" * n
        ),
        r"(?:tried to|unable to) allocate ([\d.]+ [KMGTPE]?i?B)": of(
            "search", lambda n: "tried to allocate " + "1." * n, lambda n: "tried to " * n
        ),
        r"GPU (\d+) has a total capacity of ([\d.]+ \w+) of which ([\d.]+ \w+) is free": of(
            "search",
            lambda n: "GPU 1" * n,
            lambda n: "GPU 1 has a total capacity of " + "1" * n,
            lambda n: "GPU 1 has a total capacity of 1 " + "a" * n,
        ),
        (
            "(storage size calculation|stride calculation|numel: integer multiplication) overflow"
            "|overflow when unpacking long|invalid shape dimension|invalid size, possible overflow"
            "|array is too big|maximum allowed dimension exceeded"
        ): of("search", lambda n: "storage size calculation" * n, lambda n: "overflow " * n),
    },
    "mxnet/ops/core/attrs.py": {
        r"[(\[][^()\[\]]*[)\]]|[^,()\[\]\s]+": of(
            "findall", lambda n: "(" * n, lambda n: "(" + "1," * n, lambda n: "(1," * n
        )
    },
    "mxnet/ops/core/registry.py": {
        r"\n(?!     )": of("search", lambda n: "\n     b" * n, lambda n: "\n" * n),
        r"[A-Za-z_]\w*": of("findall", letters("?"), lambda n: "1" * n),
    },
    "mxnet/recordio/_format.py": {r"\.jpe?g": of("fullmatch", lambda n: ".jp" * n)},
    "mxnet/rtc.py": {
        r" ?(const )?(\w+)(?: ?(\*) ?\w*| \w+)? ?": of(
            "fullmatch",
            letters("?"),
            lambda n: "const " + "a" * n + "?",
            lambda n: "a *" + "a" * n + "?",
            lambda n: "a" + " " * n + "?",
        ),
        r"//[^\n]*|/\*(?:.*?\*/|.*)": of(
            "findall", lambda n: "/*" * n, lambda n: "/" * n, lambda n: "*/" * n
        ),
        r'extern\s+"C"\s+__global__\s+void\s+(\w+)\s*\(': of(
            "findall",
            lambda n: "extern " * n,
            lambda n: "extern" + " " * n,
            lambda n: 'extern "C" __global__ void ' + "a" * n,
            lambda n: 'extern "C" __global__ void a' + " " * n,
        ),
        r"\s+": of("findall", lambda n: " " * n, lambda n: " a" * n),
    },
}
"""By file, by pattern."""


def find_calls() -> Iterator[Call]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and node.func.attr != "escape":
                file = path.relative_to(SOURCE).as_posix()
                yield Call(file, _pattern(node.args[0]), _flags(node))


def _pattern(node: ast.expr) -> Text:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return ast.unparse(node)


def _flags(node: ast.Call) -> str:
    flags = [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
    flags += [arg for arg in node.args[1:] if ast.unparse(arg).startswith("re.")]
    return ast.unparse(flags[0]) if flags else "0"


CALLS = list(dict.fromkeys(find_calls()))


def row_of(call: Call) -> Worst | str | None:
    rows = WORST.get(call.file, {})
    return rows if isinstance(rows, str) else rows.get(call.pattern)


def test_every_regular_expression_has_its_worst_texts():
    assert [call for call in CALLS if row_of(call) is None] == []


def test_every_row_is_about_a_regular_expression():
    used = {(call.file, call.pattern) for call in CALLS}
    files = {call.file for call in CALLS}
    assert {*WORST} <= files
    listed = {
        (file, pattern)
        for file, rows in WORST.items()
        if not isinstance(rows, str)
        for pattern in rows
    }
    assert listed <= used


def test_there_is_no_other_way_to_a_regular_expression():
    other = re.compile(r"^\s*(from re import|import re as|import regex|from regex)", re.MULTILINE)
    found = [path for path in SOURCE.rglob("*.py") if other.search(path.read_text("utf-8"))]
    assert found == []


def search(pattern: Text, flags: int, way: str, text: Text) -> None:
    compiled = re.compile(pattern, flags)
    getattr(compiled, way)(text)


def ends_in_time(work: Callable[[], object], seconds: int = SECONDS) -> bool:
    """Runs a function in a child process that the system ends after some seconds of a core."""
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
            end = int(used) + 1 + seconds
            resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


SEARCHES = [
    (call, row, number)
    for call in CALLS
    if isinstance(row := row_of(call), Worst)
    for number in range(len(row.texts))
]
needs_limits = pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are Linux's")


@needs_limits
@pytest.mark.parametrize(
    ("call", "row", "number"), SEARCHES, ids=[f"{call.file}-{n}" for call, _, n in SEARCHES]
)
def test_the_worst_text_takes_linear_time(call: Call, row: Worst, number: int):
    pattern = call.pattern if row.pattern is None else row.pattern
    flags = int(eval(call.flags, {"re": re}))  # noqa: S307 - of our own source
    text = row.texts[number](LENGTH)
    assert ends_in_time(lambda: search(pattern, flags, row.way, text)), call.pattern


@needs_limits
def test_a_quadratic_search_is_found_out():
    assert not ends_in_time(lambda: search(r"a*a*b", 0, "fullmatch", "a" * LENGTH), 1)
    assert ends_in_time(lambda: search(r"a*b", 0, "fullmatch", "a" * LENGTH))
