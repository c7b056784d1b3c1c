"""Lists and objects are counted before JSON is parsed."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet._formats.texts import check_containers
from mxnet.errors import LimitExceededError


@pytest.mark.parametrize("text", ["[{" * 20, b"[{" * 20], ids=["text", "bytes"])
def test_as_many_as_the_nodes_have(text):
    with mx.limits.scope(graph_nodes=2):
        check_containers("graph_nodes", text, "a.json")
    with (
        mx.limits.scope(graph_nodes=1),
        pytest.raises(LimitExceededError, match=r"a\.json: 40 lists and objects"),
    ):
        check_containers("graph_nodes", text, "a.json")
