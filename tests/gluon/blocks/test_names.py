"""Names of parameters in nested networks are the original's (golden file)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mxnet as mx
from mxnet.gluon import nn
from tests.golden import name_cases

GOLDEN = json.loads(
    (Path(name_cases.__file__).parent / "training" / "names.json").read_text(encoding="utf-8")
)


def test_every_network_has_golden_names():
    assert set(GOLDEN) == set(name_cases.NETWORKS)


@pytest.mark.parametrize("case", name_cases.NETWORKS)
def test_names_are_those_of_the_original(case):
    assert name_cases.names_of(case) == GOLDEN[case]


def test_numbers_go_on_across_networks():
    with mx.name.NameManager():
        first, second = nn.Dense(1), nn.Dense(1)
        with first.name_scope():
            inner = nn.Dense(1)
    assert [first.name, second.name, inner.name] == ["dense0", "dense1", "dense0_dense0"]


def test_a_prefix_put_before_all_names():
    with mx.name.Prefix("mine_"):
        net = nn.Dense(1)
    assert net.name.startswith("mine_dense")
