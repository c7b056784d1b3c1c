"""`glueball docs`: pages that travel with the package, and messages that name them."""

from __future__ import annotations

import ast
import re
import zipfile
from pathlib import Path

import pytest
from setuptools import build_meta

from glueball import docs, main

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"glueball docs ([a-z_/]+)(?:#([a-z-]+))?")
FILE = re.compile(r"docs/[\w/]+\.md")


def messages():
    """Yields place and text of each string of the packages that is no docstring."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if is_text and id(node) not in alone:
                yield f"{path.name}:{node.lineno}", node.value


def test_messages_name_pages_that_an_installed_package_has():
    pages = docs.list_pages(docs.find_folder())
    found = [(place, *match) for place, text in messages() for match in NAMED.findall(text)]
    assert {page for _, page, _ in found} >= {"command_line", "differences", "onnx_import"}
    for place, page, section in found:
        assert page in pages, place
        if section:
            docs.find_section(pages[page].read_text(encoding="utf-8"), section, page)


def test_no_message_names_a_file_of_the_source_tree():
    assert [(place, text) for place, text in messages() if FILE.search(text)] == []


def test_sections_that_scan_names_exist():
    from glueball.scan.differing import DIFFERENCES

    page = docs.find_page(docs.find_folder(), "differences").read_text(encoding="utf-8")
    for section, _ in DIFFERENCES.values():
        assert docs.find_section(page, section, "differences").startswith("#")


def test_pages_are_listed_with_their_titles(capsys):
    assert main.main(["docs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(re.fullmatch(r"migration +Migrating from MXNet", line) for line in lines)
    names = [line.split()[0] for line in lines[1:-2]]
    assert names.index("zoo") < names.index("zh/migration") < names.index("adr/0000-template")
    assert len(names) == len(list((ROOT / "docs").rglob("*.md")))


@pytest.mark.parametrize("name", ["migration", "migration.md", "docs/migration.md"])
def test_a_page_is_printed(name, capsys):
    assert main.main(["docs", name]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "migration.md").read_text(encoding="utf-8")


def test_the_page_of_a_folder_is_its_index(capsys):
    assert main.main(["docs", "course", "--path"]) == 0
    assert capsys.readouterr().out.endswith("course/index.md\n")


def test_a_section_ends_at_the_next_of_its_level():
    text = "# A\n## B\nb\n```\n# no heading\n```\n### C\nc\n## D\nd"
    assert docs.find_section(text, "b", "p") == "## B\nb\n```\n# no heading\n```\n### C\nc"
    assert docs.find_section(text, "d", "p") == "## D\nd"


def test_a_heading_may_name_its_anchor():
    assert docs.find_section("# 甲\n## 数据 { #data }\nb\n## 乙", "data", "p").endswith("b")
    page = docs.find_page(docs.find_folder(), "zh/distributed").read_text(encoding="utf-8")
    assert docs.find_section(page, "variables", "zh/distributed").startswith("### 环境变量")


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("migratoin", "did you mean migration?"),
        ("../README", "there is no page"),
        ("migration#nowhere", "has no section nowhere, but "),
    ],
)
def test_what_is_not_there_is_said_with_what_is(page, words, capsys):
    assert main.main(["docs", page]) == 1
    assert words in capsys.readouterr().err


def test_a_wheel_has_the_pages(tmp_path, monkeypatch):
    tree = tmp_path / "tree"
    (tree / "src" / "glueball").mkdir(parents=True)
    (tree / "src" / "mxnet").mkdir()
    (tree / "src" / "glueball" / "__init__.py").touch()
    (tree / "src" / "mxnet" / "__init__.py").touch()
    (tree / "src" / "mxnet" / "_version.py").write_text('PRODUCT_VERSION = "0.0"\n')
    (tree / "docs" / "zh").mkdir(parents=True)
    for name in ("index.md", "zh/index.md", "site.css"):
        (tree / "docs" / name).write_text("# Title\n")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        (tree / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.chdir(tree)
    wheel = build_meta.build_wheel(str(tmp_path))
    pages = {name for name in zipfile.ZipFile(tmp_path / wheel).namelist() if "/pages/" in name}
    assert pages == {"glueball/pages/index.md", "glueball/pages/zh/index.md"}
