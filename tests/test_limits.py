from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import mxnet as mx
from mxnet import limits
from mxnet.errors import AttributeValueError, LimitExceededError, UnknownNameError


def test_check_names_who_asks_how_much_and_the_limit():
    with limits.scope(array_bytes=1000):
        limits.check("array_bytes", 1000, "zeros")
        with pytest.raises(LimitExceededError, match=r"zeros: asks for 1,001 bytes.*is 1,000"):
            limits.check("array_bytes", 1001, "zeros")


def test_scope_gives_back_what_was_there():
    before = limits.get("array_bytes")
    with pytest.raises(ZeroDivisionError), limits.scope(array_bytes=7):
        assert limits.get("array_bytes") == 7
        raise ZeroDivisionError
    assert limits.get("array_bytes") == before


def test_set_returns_what_was_there():
    before = limits.set("array_bytes", 10)
    assert limits.set("array_bytes", before) == 10


@pytest.mark.parametrize("value", [-1, 1.5, "1", None, True])
def test_a_limit_is_a_whole_number(value):
    with pytest.raises(AttributeValueError, match="array_bytes"):
        mx.limits.set("array_bytes", value)


def test_unknown_names_are_refused():
    with pytest.raises(UnknownNameError, match=r"there are .*array_bytes"):
        limits.get("arraybytes")


def test_environment_sets_a_limit():
    program = "import mxnet as mx; print(mx.limits.get('array_bytes'))"
    environment = os.environ | {"MXNET_LIMIT_ARRAY_BYTES": "12345"}
    run = [sys.executable, "-c", program]
    assert subprocess.check_output(run, env=environment, text=True) == "12345\n"


def test_the_documentation_lists_every_limit_with_its_default():
    text = (Path(__file__).parents[1] / "docs" / "security.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", text, re.MULTILINE))
    expected = {name: f"{limit.default:,}" for name, limit in limits._LIMITS.items()}
    assert rows == expected | {"array_bytes": "memory of the machine or container"}
