"""What the site adds to the pages: the API, links to files of the repository, Chinese words."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.site import api

hooks = pytest.importorskip("tools.site.hooks", reason="needs the extra `docs`")
ROOT = Path(__file__).resolve().parents[2]


def shown(source: str, markdown: str) -> str:
    page = SimpleNamespace(file=SimpleNamespace(src_uri=source))
    return hooks.on_page_markdown(markdown, page)


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    missing = [page for page in pages if page not in navigation and not page.startswith("adr/")]
    assert missing == []


def test_a_module_shows_what_is_at_home_there():
    layers = api.public_objects("mxnet.gluon.nn")
    assert {"Dense", "Conv2D", "BatchNorm"} <= layers.keys()
    assert "Block" not in layers
    assert "SoftmaxCrossEntropyLoss" in api.public_objects("mxnet.gluon.loss")
    assert "import_late" not in api.public_objects("mxnet.gluon")
    assert "MXNetError" not in api.public_objects("mxnet.autograd")


def test_functions_without_source_become_a_table():
    page = api.write_page("Title", ["random"])
    assert "| `uniform(low=0, high=1" in page


def test_links_to_files_become_links_to_pages():
    assert shown("faq.md", "[a](../benchmarks/RESULTS.md#x)") == "[a](project/results.md#x)"
    assert shown("course/next.md", "[a](../../examples/digits.py)") == "[a](../examples/digits.md)"
    assert shown("project/contributing.md", "[a](docs/zoo.md)") == "[a](../zoo.md)"
    assert shown("faq.md", "[a](../Makefile)") == "a"


def test_code_and_addresses_stay_as_they_are():
    for text in ("```\n[a](../Makefile)\n```", "[a](https://example.org/x.md)"):
        assert shown("faq.md", text) == text
