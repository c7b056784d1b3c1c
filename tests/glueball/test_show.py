"""`glueball show` writes a page, which a browser renders."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from glueball import main
from glueball.models import open_model
from glueball.show.description import _common_prefix, describe
from glueball.show.grouping import group_by_name
from glueball.show.page import make_page
from tests.glueball.conftest import HOSTILE_NAMES, SCRIPT

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="needs Chromium in the PATH")


def rendered(page: Path, fragment: str = "") -> str:
    """Returns the page as the browser has it after its script has run."""
    result = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
            *("--window-size=1400,900", "--virtual-time-budget=4000", "--disable-dev-shm-usage"),
            f"--user-data-dir={page.parent / 'browser'}",  # others may be running one
            f"{page.as_uri()}{fragment}",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return re.sub(r"(?s)<script.*?</script>", "", result.stdout)


def show(model: str, folder: Path, *options: str) -> Path:
    page = folder / "page.html"
    assert main.main(["show", model, "--output", str(page), *options]) == 0
    return page


@needs_browser
def test_the_page_of_a_network_of_the_zoo(zoo_model, tmp_path, capsys):
    page = show(zoo_model, tmp_path, "--shape", "data=1,3,32,32")
    assert "data=1,3,32,32\n" in capsys.readouterr().out
    dom = rendered(page, "#mobile_conv2_fwd")
    expected = describe(open_model(zoo_model, ["data=1,3,32,32"]))
    ready = int(re.search(r'data-ready="(\d+)"', dom)[1])
    assert len(re.findall(r'<g class="node', dom)) >= ready > 10
    assert dom.count('<tr data-nodes="') == expected["totals"]["layers"]
    for node in expected["nodes"]:
        assert f'title="{node["name"]}"' in dom or node["operator"] == "input"
    assert "<h2>mobile_conv2_fwd</h2>" in dom
    assert '<tr data-nodes="7" class="selected">' in dom
    assert 'class="node selected"' in dom
    assert "mobile-symbol.json, mobile-0000.params" in dom


@needs_browser
def test_hostile_names_stay_text(hostile_model, tmp_path):
    dom = rendered(show(hostile_model, tmp_path))
    assert "data-hacked" not in dom
    assert "<img" not in dom
    assert "<title>&lt;b&gt;model</title>" in dom
    assert SCRIPT.replace("<", "&lt;").replace(">", "&gt;") in dom
    assert dom.count('<tr data-nodes="') == len(HOSTILE_NAMES)
    assert "\u202e" not in dom


def test_the_page_loads_nothing_and_has_one_script(hostile_model):
    page = make_page(describe(open_model(hostile_model)))
    assert page.count("<script") == page.count("</script>") == 2  # the data, and our program
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:|//)""", page)
    assert "default-src 'none'" in page
    assert "$" not in re.search(r"(?s)<header>.*</header>", page)[0]


def test_what_is_shown_as_json(zoo_model, capsys):
    assert main.main(["show", zoo_model, "--shape", "data=1,3,32,32", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["totals"]["parameters"] == sum(node["parameters"] for node in found["nodes"])
    assert found["totals"]["unknown"] == 0
    first = found["nodes"][1]
    assert first["operator"] == "Convolution"
    assert first["shapes"] == [[1, 8, 16, 16]]
    assert first["flops"] == 2 * 27 * 8 * 16 * 16
    assert found["nodes"][-1]["isOutput"]


def test_a_graph_without_parameters_is_shown_without_shapes(small_model, tmp_path, capsys):
    shutil.copy(f"{small_model}-symbol.json", tmp_path)
    show(str(tmp_path / "mlp"), tmp_path)
    assert "shapes, memory and operations are unknown" in capsys.readouterr().out


def test_weights_of_a_recurrent_layer_are_a_block(recurrent_model):
    found = describe(open_model(recurrent_model, ["data=5,2"]))
    constants = [node for node in found["nodes"] if node["isConstant"]]
    layer = next(node["name"] for node in found["nodes"] if node["operator"] == "RNN")
    assert len(constants) > 4
    assert {node["blocks"][-1] for node in constants} == {f"weights of {layer}"}


@pytest.mark.parametrize(
    ("names", "blocks"),
    [
        (["fc1", "relu1", "fc2"], [(), (), ()]),
        (["net_a_x", "net_a_y", "net_z"], [("a",), ("a",), ()]),
        (["a_b_x", "a_b_y", "c"], [("a_b",), ("a_b",), ()]),
        (["a_b_x", "a_b_y", "a_z", "c"], [("a", "b"), ("a", "b"), ("a",), ()]),
        (["n_s_conv0_fwd", "n_s__plus0", "n_o"], [("s",), ("s",), ()]),
        (["", "_", "__"], [(), (), ()]),
        (["_".join("x" * 500), "y"], [(), ()]),
    ],
)
def test_blocks_from_names(names, blocks):
    assert list(group_by_name(names).values()) == blocks


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        (["net_a", "net_b"], "net_"),
        (["net_conv0", "net_conv1"], "net_"),
        (["net_", "net_b"], ""),
        (["a", "b"], ""),
        (["net_a"], ""),
        ([], ""),
    ],
)
def test_what_all_names_begin_with(names, prefix):
    assert _common_prefix(names) == prefix


def test_the_page_is_written_beside_the_shell_by_default(small_model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main.main(["show", small_model]) == 0
    assert (tmp_path / "mlp.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_folder_is_no_page(small_model, tmp_path, capsys):
    assert main.main(["show", small_model, "-o", str(tmp_path)]) == 1
    assert "is a folder; give the name of a file" in capsys.readouterr().err


def test_a_page_in_a_folder_that_does_not_exist(small_model, tmp_path, capsys):
    assert main.main(["show", small_model, "-o", str(tmp_path / "no" / "page.html")]) == 1
    assert "No such file or directory" in capsys.readouterr().err
