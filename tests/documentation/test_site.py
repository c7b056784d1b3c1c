"""What the site adds to the pages: the API, links to files, the frame in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from mxnet.gluon import nn
from tools.site import api

hooks = pytest.importorskip("tools.site.hooks", reason="needs the extra `docs`")
config_of = pytest.importorskip("mkdocs.config", reason="needs the extra `docs`").load_config
from tools.site import frame  # noqa: E402 - needs the extra, too

ROOT = Path(__file__).resolve().parents[2]


def shown(source: str, markdown: str) -> str:
    page = SimpleNamespace(file=SimpleNamespace(src_uri=source))
    return hooks.on_page_markdown(markdown, page)


def entries_of(navigation: list[object]) -> list[object]:
    """Returns the pages of a navigation, folders as lists; titles are left out."""
    found = []
    for entry in navigation:
        content = next(iter(entry.values())) if isinstance(entry, dict) else entry
        found.append(entries_of(content) if isinstance(content, list) else content)
    return found


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    missing = [page for page in pages if page not in navigation and not page.startswith("adr/")]
    assert missing == []


def test_both_languages_have_the_same_navigation():
    *english, chinese = config_of(str(ROOT / "mkdocs.yml")).nav
    (sections,) = entries_of([chinese])
    assert sections == [
        [f"zh/{page}" for page in section if not f"{page}/".startswith(frame.ENGLISH_ONLY)]
        for section in entries_of(english)
    ]


def test_pages_and_titles_stand_once_in_the_navigation():
    *english, chinese = config_of(str(ROOT / "mkdocs.yml")).nav
    for section in (*english, *chinese[frame.CHINESE]):
        (entries,) = section.values()
        titles = [title for entry in entries if isinstance(entry, dict) for title in entry]
        assert len(set(titles)) == len(titles)
    pages = [page for section in entries_of(english) for page in section]
    assert len(set(pages)) == len(pages)


def test_chinese_entries_are_named_in_chinese():
    chinese = config_of(str(ROOT / "mkdocs.yml")).nav[-1][frame.CHINESE]
    titles = [next(iter(entry)) for section in chinese for entry in section] + [
        next(iter(entry))
        for section in chinese
        for entry in next(iter(section.values()))
        if isinstance(entry, dict)
    ]
    assert [title for title in titles if not re.search(r"[\u4e00-\u9fff]|ONNX", title)] == []


def test_english_entries_stand_in_their_place_among_the_chinese_ones():
    def section(title: str, *children: object) -> object:
        return frame.Section(title, list(children))

    def page(source: str, title: str) -> object:
        file = SimpleNamespace(src_uri=source, url=source.replace(".md", ".html"), page=None)
        made = frame.Page.__new__(frame.Page)
        made.file, made.title = file, title
        made.parent = None
        return made

    api_pages = section("API", page("api/nn.md", "Layers"))
    english = [section("Reference", api_pages, page("zoo.md", "Zoo")), page("faq.md", "Questions")]
    chinese = [section("参考", page("zh/zoo.md", "模型库")), page("zh/faq.md", "问与答")]
    first, second = frame.complete(chinese, english)
    assert [child.title for child in first.children] == ["API（英文）", "模型库"]
    assert first.children[0].children == api_pages.children
    assert (first.title, second.title) == ("参考", "问与答")


def test_headings_of_chinese_pages_have_the_anchors_of_the_english_ones():
    english = "# A `b` c\n\n```sh\n# no heading\n```\n\n## Two [words](x.md)\n\n## Two words"
    chinese = "# 甲\n\n```sh\n# 不是标题\n```\n\n## 乙 { #own }\n\n## 丙"
    assert frame.share_anchors(chinese, english) == (
        "# 甲 { #a-b-c }\n\n```sh\n# 不是标题\n```\n\n## 乙 { #own }\n\n## 丙 { #two-words_1 }"
    )


def test_lines_of_chinese_are_joined_but_not_items_of_lists():
    text = "数组，\n`nd` 和\n张量。\n下面\n\n1. 一。\n2. 二。\n   三\n- 四\n\n```\n甲\n乙\n```"
    assert frame.join_lines(text) == (
        "数组，`nd` 和张量。下面\n\n1. 一。\n2. 二。三\n- 四\n\n```\n甲\n乙\n```"
    )


def test_the_frame_speaks_the_language_of_the_page():
    palette = [{"scheme": scheme, "toggle": {}} for scheme in ("default", "slate")]
    config = SimpleNamespace(theme={"palette": palette}, extra={})
    for source, language, other, night in (
        ("zh/faq.md", "zh", "English", "深色"),
        ("faq.md", "en", "中文", "Dark"),
    ):
        context = frame.dress({}, source, config, "navigation", "address")
        assert (context["nav"], config.theme["language"]) == ("navigation", language)
        assert config.extra["alternate"][0]["name"] == other
        assert palette[0]["toggle"]["name"] == night
        assert bool(re.search(r"[\u4e00-\u9fff]", config.site_description)) == (language == "zh")


def test_the_home_is_called_by_its_heading():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="index.md"), meta={})
    hooks.on_page_markdown("<div>\n\n# Programs, unchanged\n\n</div>", page)
    assert page.meta["title"] == "Programs, unchanged"


def test_a_page_leads_to_the_same_page_in_the_other_language():
    docs = ROOT / "docs"
    assert frame.counterpart("errors.md", docs) == "zh/errors.md"
    assert frame.counterpart("zh/reference/onnx.md", docs) == "reference/onnx.md"
    assert frame.counterpart("adr/0001-torch-autograd-as-tape.md", docs) == "zh/index.md"


def test_quiet_builds_see_warnings():
    messages = hooks.logging.getLogger("mkdocs")
    level = messages.level
    try:
        messages.setLevel("ERROR")  # as `mkdocs build --quiet` does, also with `--strict`
        hooks.on_startup()
        assert messages.isEnabledFor(hooks.logging.WARNING)
    finally:
        messages.setLevel(level)


def test_a_module_shows_what_is_at_home_there():
    layers = api.public_objects("mxnet.gluon.nn")
    assert {"Dense", "Conv2D", "BatchNorm"} <= layers.keys()
    assert "Block" not in layers
    assert "SoftmaxCrossEntropyLoss" in api.public_objects("mxnet.gluon.loss")
    assert "import_late" not in api.public_objects("mxnet.gluon")
    assert "MXNetError" not in api.public_objects("mxnet.autograd")


def test_functions_that_are_made_at_import_are_shown_in_full():
    page = api.write_page("Title", ["random"])
    assert "\nrandom.uniform(low=0, high=1, shape=None" in page
    assert "{ #mxnet.random.uniform }" in page


def test_functions_of_other_operands_are_a_table():
    assert "| `relu(" in api.write_page("Title", ["symbol"])


def test_links_to_files_become_links_to_pages():
    assert shown("faq.md", "[a](../benchmarks/RESULTS.md#x)") == "[a](project/results.md#x)"
    assert shown("course/next.md", "[a](../../examples/digits.py)") == "[a](../examples/digits.md)"
    assert shown("project/contributing.md", "[a](docs/zoo.md)") == "[a](../zoo.md)"
    assert shown("faq.md", "[a](../Makefile)") == "a"


def test_code_and_addresses_stay_as_they_are():
    for text in ("```\n[a](../Makefile)\n```", "[a](https://example.org/x.md)"):
        assert shown("faq.md", text) == text


def test_bases_are_those_that_users_know():
    docstrings = pytest.importorskip("tools.site.docstrings", reason="needs the extra `docs`")
    assert docstrings._public_bases(nn.Conv2D) == ["HybridBlock"]
    assert docstrings._public_bases(nn.Sequential) == ["Block"]
    assert docstrings._public_bases(type("Own", (KeyError,), {})) == ["KeyError"]
