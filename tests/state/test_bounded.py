"""Caches are bounded, and threads may share them."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import mxnet as mx
from mxnet import nd
from mxnet._state import remember
from mxnet.ops.core.registry import get_op

SOURCE = Path(mx.__file__).parent


def test_a_cache_drops_the_oldest():
    cache = {}
    for number in range(10):
        remember(cache, number, str(number), 3)
    assert cache == {7: "7", 8: "8", 9: "9"}
    remember(cache, 8, "new", 3)
    assert cache == {7: "7", 8: "new", 9: "9"}


def test_threads_may_share_a_cache():
    cache = {}

    def fill(first):
        for number in range(first, first + 5000):
            remember(cache, number, number, 10)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(fill, range(0, 20000, 5000)))
    assert len(cache) <= 10


@pytest.fixture
def clip(monkeypatch):
    """The operator, with room for two calls."""
    monkeypatch.setattr("mxnet.ops.core.registry.MAX_CACHED_CALLS", 2)
    op = get_op("clip")
    op._parsed.clear()
    return op


def test_attributes_of_the_last_calls_are_remembered(clip):
    for high in range(1000, 1010):
        clip.parse_attrs({"a_min": 0, "a_max": high})
    assert [dict(key)["a_max"] for key in clip._parsed] == [1008, 1009]


def test_calls_with_ever_new_attributes_keep_the_last(monkeypatch):
    calls = []
    monkeypatch.setattr("mxnet._arrays.functions.MAX_CACHED_CALLS", 2)
    monkeypatch.setattr(
        "mxnet._arrays.functions.remember",
        lambda cache, key, value, most: calls.append(most) or remember(cache, key, value, most),
    )
    for high in range(2000, 2004):
        assert nd.clip(nd.array([9999]), a_min=0, a_max=high).asscalar() == high
    assert calls == [2] * 4


def _is_unbounded(node: ast.expr) -> bool:
    """Whether a decorator is `cache`, or `lru_cache` without a size."""
    if isinstance(node, ast.Call):
        sizes = [item.value for item in node.keywords if item.arg == "maxsize"]
        sizes += node.args[:1]
        named = ast.unparse(node.func).endswith("lru_cache")
        return named and (not sizes or ast.unparse(sizes[0]) == "None")
    return ast.unparse(node) in ("cache", "functools.cache", "lru_cache", "functools.lru_cache")


def test_no_function_of_arguments_has_an_unbounded_cache():
    unbounded = [
        f"{path.relative_to(SOURCE)}: {node.name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        if ast.unparse(node.args) and any(map(_is_unbounded, node.decorator_list))
    ]
    assert unbounded == []
