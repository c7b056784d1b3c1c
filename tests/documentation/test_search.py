"""What the search of the site finds: the index, its ranking, and the site as a browser shows it."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tools.site import api, search

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
RANK = DOCS / "assets" / "rank.js"
NODE = shutil.which("node")
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^(#+) (.*)$([^#]*)", re.MULTILINE)
PROGRAM = """
const [rank, rows, queries] = process.argv.slice(1);
const read = (path) => JSON.parse(require("fs").readFileSync(path, "utf8"));
require(rank);
const found = read(queries).map(([language, query]) => {
  const groups = read(rows);
  const entries = globalThis.glueballRank.prepare([groups[language], groups.reference]);
  return globalThis.glueballRank.search(entries, query).map((entry) => entry.address);
});
console.log(JSON.stringify(found));
"""
WANTED = [
    ("en", "Dense", "api/nn.html#mxnet.gluon.nn.Dense"),
    ("en", "dense", "api/nn.html#mxnet.gluon.nn.Dense"),
    ("en", "nn.Dense", "api/nn.html#mxnet.gluon.nn.Dense"),
    ("en", "topk", "reference/operators.html#topk"),
    ("en", "mx.nd.topk", "api/ndarray.html#mxnet.ndarray.topk"),
    ("en", "np.linalg.norm", "api/numpy.html#mxnet.numpy.linalg.norm"),
    ("en", "BatchNorm", "api/nn.html#mxnet.gluon.nn.BatchNorm"),
    ("en", "Trainer", "api/gluon.html#mxnet.gluon.Trainer"),
    ("en", "softmax", "reference/operators.html#softmax"),
    ("en", "autograd", "api/autograd.html#mxnet.autograd"),
    ("en", "distributed", "distributed.html"),
    ("en", "onnx", "onnx.html"),
    ("en", "zyzzyva quokka", None),
    ("zh", "Dense", "api/nn.html#mxnet.gluon.nn.Dense"),
    ("zh", "topk", "reference/operators.html#topk"),
    ("zh", "卷积", "zh/reference/operators.html"),
    ("zh", "池化层", "zh/reference/operators.html"),
    ("zh", "环境变量", "zh/environment.html"),
    ("zh", "自动求梯度", "zh/course/autograd.html"),
    ("zh", "保存参数", "zh/course/saving.html"),
]
"""Language, query, and where the first result leads, an anchor of prose left out."""
AMONG = [
    ("zh", "卷积", "api/nn.html#mxnet.gluon.nn.Conv2D"),
    ("zh", "自动求导", "zh/course/autograd.html"),
    ("zh", "归一化", "api/nn.html#mxnet.gluon.nn.BatchNorm"),
    ("en", "autograd", "course/autograd.html"),
    ("en", "conv", "api/nn.html#mxnet.gluon.nn.Conv2D"),
    ("en", "learning rate", "api/gluon.html#mxnet.gluon.Trainer.learning_rate"),
]
"""Language, query, and what is one of the first five results."""


def rows_of_pages() -> list[search.Entry]:
    """Returns what the pages in docs/ have for the search, by their headings."""
    entries = []
    for path in sorted(DOCS.rglob("*.md")):
        address = path.relative_to(DOCS).with_suffix(".html").as_posix()
        page = ""
        prose = FENCE.sub("", path.read_text(encoding="utf-8"))
        for level, heading, text in SECTION.findall(prose):
            title = re.sub(r" \{ #.*\}$|`", "", heading)
            is_operator = address == "reference/operators.html" and level == "###"
            kind = "operator" if is_operator else "page" if level == "#" else "section"
            page = title if kind == "page" else page
            anchor = "" if kind == "page" else f"#{title.lower().replace(' ', '-')}"
            entries.append(search.Entry(address + anchor, title, page, kind, [text]))
    return entries


def rows_of_api() -> list[search.Entry]:
    """Returns what the API has for the search: its modules, classes, functions and properties."""
    entries = []
    for name, (title, modules) in api.PAGES.items():
        entries.append(search.Entry(f"api/{name}.html", title, title, "page"))
        for module in modules:
            path = f"api/{name}.html#mxnet.{module}"
            entries.append(search.Entry(path, f"mxnet.{module}", title, "module"))
            for member, value in api.public_objects(f"mxnet.{module}").items():
                kind = "class" if isinstance(value, type) else "function"
                text = [inspect.getdoc(value) or ""]  # long ones, which name the object often
                entries.append(search.Entry(f"{path}.{member}", member, title, kind, text))
                entries += [
                    search.Entry(f"{path}.{member}.{attribute}", attribute, title, "attribute")
                    for attribute, content in vars(value).items()
                    if kind == "class" and isinstance(content, property)
                ]
    return entries


@pytest.fixture(scope="module")
def indices() -> dict[str, list[list[str]]]:
    """The indices of the site, as far as they can be made without building it."""
    groups: dict[str, list[list[str]]] = {"en": [], "zh": [], "reference": []}
    for entry in [*rows_of_pages(), *rows_of_api()]:
        groups[search.index_of(entry.address)].append(entry.packed())
    return groups


@pytest.fixture(scope="module")
def results(indices, tmp_path_factory) -> dict[tuple[str, str], list[str]]:
    """The addresses that each query finds, in their order."""
    if NODE is None:
        pytest.skip("the ranking is JavaScript, and node is not installed")
    folder = tmp_path_factory.mktemp("search")
    queries = sorted({(language, query) for language, query, _ in [*WANTED, *AMONG]})
    (folder / "rows.json").write_text(json.dumps(indices))
    (folder / "queries.json").write_text(json.dumps(queries))
    command = [NODE, "-e", PROGRAM, RANK, folder / "rows.json", folder / "queries.json"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return dict(zip(queries, json.loads(run.stdout), strict=True))


@pytest.mark.parametrize(("language", "query", "address"), WANTED)
def test_what_is_found_first(results, language: str, query: str, address: str | None):
    found = results[language, query]
    if address is None:
        assert found == []
    elif "#" in address:
        assert found[0] == address
    else:
        assert found[0].partition("#")[0] == address


@pytest.mark.parametrize(("language", "query", "address"), AMONG)
def test_what_is_found_among_the_first(results, language: str, query: str, address: str):
    assert address in results[language, query][:5]


def test_chinese_queries_find_no_pages_in_english(results):
    found = results["zh", "卷积"] + results["zh", "环境变量"]
    assert {search.index_of(address) for address in found} <= {"zh", "reference"}


def test_pages_are_cut_into_entries_at_headings():
    html = (
        '<h1 id="a">Layers<a class="headerlink" href="#a">x</a></h1><p>first</p>'
        '<h2 id="mxnet.gluon.nn"><code>mxnet.gluon.nn</code></h2>'
        '<h3 id="mxnet.gluon.nn.Dense" class="doc doc-heading">'
        '<span class="doc doc-object-name doc-class-name">Dense</span></h3>'
        "<p>Computes &amp; adds</p>"
        '<h4 id="mxnet.gluon.nn.Dense.units"><span class="doc-attribute-name">units</span></h4>'
    )
    entries = [entry.packed() for entry in search.read_entries(html, "api/nn.html", "Layers")]
    assert entries == [
        ["api/nn.html", "Layers", "Layers", "page", "first"],
        ["api/nn.html#mxnet.gluon.nn", "mxnet.gluon.nn", "Layers", "module", ""],
        ["api/nn.html#mxnet.gluon.nn.Dense", "Dense", "Layers", "class", "Computes & adds"],
        ["api/nn.html#mxnet.gluon.nn.Dense.units", "units", "Layers", "attribute", ""],
    ]


def test_functions_in_tables_have_their_full_names_as_anchors():
    row = "<tr><td><code>{}(x)</code></td><td>Says {}.</td></tr>"
    html = '<h2 id="mxnet.nd">a</h2>' + row.format("exp", 1) + '<h2 id="mxnet.np">b</h2>'
    html = search.mark_rows(html + row.format("exp", 2) + row.format("exp", 3), "api/x.html")
    assert re.findall(r'<tr id="([^"]*)"', html) == ["mxnet.nd.exp", "mxnet.np.exp"]
    entries = search.read_entries(html, "api/x.html", "Page")
    assert ("exp", "function") in [(entry.title, entry.kind) for entry in entries]
    assert search.mark_rows(html, "faq.html") == html


class _Hits(HTMLParser):
    """Reads the results from the page of a search."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "a" and values.get("class") == "gb-hit":
            self.found.append(values["href"] or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The whole site, built anew; opened by a browser it needs no server."""
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--no-strict", "-d", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=900)
    return folder


def browse(profile: Path, address: str, *options: str) -> str:
    """Opens an address in a headless Chromium and returns what that prints."""
    switches = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    more = "--disable-background-networking --disable-component-update --disable-dev-shm-usage"
    command = [str(CHROMIUM), *switches.split(), *more.split(), f"--user-data-dir={profile}"]
    command += ["--hide-scrollbars", "--virtual-time-budget=8000", *options, address]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "query", "address"),
    [
        ("index.html", "Dense", "api/nn.html#mxnet.gluon.nn.Dense"),
        ("index.html", "topk", "reference/operators.html#topk"),
        ("course/arrays.html", "Trainer", "api/gluon.html#mxnet.gluon.Trainer"),
        ("zh/index.html", "卷积", "zh/reference/operators.html#networks-convolution"),
        ("zh/course/arrays.html", "Dense", "api/nn.html#mxnet.gluon.nn.Dense"),
    ],
)
def test_the_search_works_from_files(site: Path, tmp_path: Path, page, query, address):
    hits = _Hits()
    hits.feed(browse(tmp_path, f"{(site / page).as_uri()}?q={query}", "--dump-dom"))
    first = Path(os.path.normpath(site / Path(page).parent / hits.found[0]))
    assert first.relative_to(site).as_posix() == address
    assert Path(str(first).partition("#")[0]).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "size", "options"),
    [
        ("index.html", "1440,1000", []),
        ("index.html", "500,1000", []),
        ("index.html", "1440,1000", ["--blink-settings=preferredColorScheme=0"]),
        ("zh/index.html", "1440,1000", []),
        ("course/training.html", "1440,1000", []),
        ("api/nn.html", "1440,1000", []),
        ("gallery/index.html", "1440,1000", []),
    ],
)
def test_pages_look_like_pages(site: Path, tmp_path: Path, page, size, options):
    images = pytest.importorskip("PIL.Image", reason="needs Pillow")
    picture = tmp_path / "page.png"
    address = (site / page).as_uri()
    more = [f"--window-size={size}", f"--screenshot={picture}", *options]
    browse(tmp_path / "profile", address, *more)
    image = images.open(picture).convert("RGB")
    shades = image.convert("L").histogram()
    paper = max(range(256), key=shades.__getitem__)
    assert (paper < 60) == bool(options)  # dark is dark, light is light
    covered = 1 - sum(shades[max(0, paper - 12) : paper + 13]) / (image.width * image.height)
    assert 0.02 < covered < 0.7  # neither empty nor a picture of one thing
    assert len(image.getcolors(1 << 24)) > 200
