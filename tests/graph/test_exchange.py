"""Every layer, loss and cell as a file: read from the original, and written for it."""

import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from .test_samples import VALID, as_symbol

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))

import exchange_cases as exchange  # noqa: E402

NOT_EXPORTED = json.loads((GOLDEN / "exchange" / "not_exported.json").read_text())
CASES = exchange.all_cases()
SHARED = [key for key in CASES if key[1] not in NOT_EXPORTED[key[0]]]

OTHER_GRAPHS = re.compile(
    # The loss of cosines is computed by fewer operators; the gates of these cells by the operator
    # `sigmoid`, not by `Activation`, and what a GRU keeps by `1 - x`.
    r"CosineEmbedding|GRU|LSTMP|Conv.DLSTM|Conv.DRNN|BidirectionalCell|Residual|Sequential"
)
"""Blocks whose graphs compute the same in another way than those of the original."""


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("originals")
    for family in exchange.FAMILIES:
        with tarfile.open(GOLDEN / "exchange" / f"{family}.tar.xz") as archive:
            archive.extractall(folder / family, filter="data")
    return folder


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ours")
    for family in exchange.FAMILIES:
        (folder / family).mkdir()
        failures = exchange.export_family(family, folder / family)
        assert set(failures) <= set(NOT_EXPORTED[family]), failures
    return folder


def _path(folder, family, name):
    return str(folder / family / exchange.file_name(name))


@pytest.mark.parametrize(("family", "name"), SHARED)
def test_a_block_of_the_original_runs_here(family, name, originals):
    assert exchange.compare(CASES[family, name], _path(originals, family, name)) < 1e-5


@pytest.mark.parametrize("family", exchange.FAMILIES)
def test_a_block_of_another_graph_runs_again_after_export(family, ours):
    for (home, name), case in CASES.items():
        path = _path(ours, family, name)
        special = OTHER_GRAPHS.search(name) or name in NOT_EXPORTED[family]
        if home == family and special and os.path.exists(f"{path}.npz"):
            assert exchange.compare(case, path) < 1e-6, name


def _without_numbers(graph):
    """Takes out the numbers of blocks that take no prefix."""
    for node in graph["nodes"]:
        node["name"] = re.sub(r"^(pixelshuffle.d)\d+", r"\1", node["name"])
    return graph


@pytest.mark.parametrize("family", exchange.FAMILIES)
def test_graphs_are_those_of_the_original(family, originals, ours):
    compared = 0
    for home, name in SHARED:
        if home == family and not OTHER_GRAPHS.search(name):
            found, expected = (
                _without_numbers(exchange.read_graph(_path(folder, family, name)))
                for folder in (ours, originals)
            )
            assert found == expected, name
            compared += 1
    assert compared > 5


def _ask_the_original(script, argument):
    command = [os.environ["ORIGINAL_PYTHON"], str(GOLDEN / script), str(argument)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.skipif("ORIGINAL_PYTHON" not in os.environ, reason="needs the original MXNet")
def test_the_original_runs_what_is_exported_here(ours):
    _ask_the_original("read_exchange_with_original.py", ours)


@pytest.mark.skipif("ORIGINAL_PYTHON" not in os.environ, reason="needs the original MXNet")
def test_the_original_reads_the_file_of_every_operator(tmp_path):
    files = {}
    for parameter in VALID:
        (sample,) = parameter.values
        if sample.op != "Custom":  # its Python part is not there
            graph = as_symbol(sample)
            files[str(parameter.id)] = graph.tojson(remove_amp_cast=False), graph.list_outputs()
    path = tmp_path / "samples.json"
    path.write_text(json.dumps(files))
    _ask_the_original("read_samples_with_original.py", path)
