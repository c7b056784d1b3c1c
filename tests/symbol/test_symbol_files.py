"""Symbol files of MXNet 0.8 to 1.9, read as the original reads them, and damaged ones."""

import json
import lzma
import random
import sys
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import FileFormatError

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))

import symbol_file_cases as cases  # noqa: E402

FILES = json.loads(lzma.decompress((GOLDEN / "symbol_files.json.xz").read_bytes()))
COMPUTED = np.load(GOLDEN / "symbol_files.npz")


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_what_it_gives_in_the_original(name):
    expected = dict(FILES[name])
    facts, outputs = cases.read(expected.pop("file"), name.split("-")[0])
    for key, value in expected.items():
        assert json.loads(json.dumps(facts[key])) == value, key
    for place, output in enumerate(outputs):
        np.testing.assert_allclose(output, COMPUTED[f"{name}/{place}"], rtol=1e-5, atol=1e-5)


def test_files_written_here_are_those_of_the_original():
    for name, text in cases.make_files().items():
        assert json.loads(text) == json.loads(FILES[name]["file"]), name


def _mutate(text: str, chance: random.Random) -> str:
    """Damages a file: characters, a part that is missing, or a value inside of it."""
    kind = chance.randrange(5)
    place = chance.randrange(len(text))
    if kind == 0:
        return text[:place]
    if kind == 1:
        return text[:place] + chance.choice('[]{}",:-0129xe\x00é') + text[place + 1 :]
    if kind == 2:
        return text[:place] + text[place + chance.randrange(1, 30) :]
    data = json.loads(text)
    _mutate_value(data, chance)
    return json.dumps(data)


def _mutate_value(data, chance: random.Random) -> None:
    """Puts something else into a random place of nested lists and dictionaries."""
    values = [None, True, -1, 0, 7, 10**30, 1.5, [], {}, [[0, 0]], [3, 0, 0]]
    values += ["", "null", "x", "-1", "999999999", "(1000000, 1000000)", "None"]
    parent, key = {"": data}, ""
    while isinstance(parent[key], (list, dict)) and parent[key] and chance.random() < 0.9:
        parent = parent[key]
        key = chance.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
    if chance.random() < 0.2 and key != "":
        del parent[key]
    elif key != "":
        parent[key] = chance.choice(values)


def test_damaged_files_raise_an_error_of_their_own():
    chance = random.Random(5)
    texts = [item["file"] for name, item in FILES.items() if name.endswith(("0.8", "1.9.1"))]
    refused = 0
    for _ in range(3000):
        text = _mutate(chance.choice(texts), chance)
        try:
            net = mx.sym.load_json(text)
            assert net.get_internals().list_outputs()
            assert net.tojson()
        except mx.MXNetError:
            refused += 1
    assert refused > 1500


@pytest.mark.parametrize("length", [0, 1, 40, 200])
def test_a_file_that_ends_early_has_a_wrong_format(length, tmp_path):
    path = tmp_path / "net-symbol.json"
    path.write_text(FILES["mlp-1.9.1"]["file"][:length])
    with pytest.raises(FileFormatError):
        mx.sym.load(path)
