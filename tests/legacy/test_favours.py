"""Every favour to clients is listed with its reason and its end, and is there."""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from types import FunctionType

import pytest

from mxnet._legacy import clients
from mxnet._legacy.clients import FUNCTIONS, PRIVATE_NAMES


def test_every_function_is_a_listed_favour():
    functions = {name for name, item in vars(clients).items() if hasattr(item, "__wrapped__")}
    functions |= {name for name, item in vars(clients).items() if isinstance(item, FunctionType)}
    own = {name for name in functions if vars(clients)[name].__module__ == clients.__name__}
    public = {f"{clients.__name__}:{name}" for name in own if not name.startswith("_")}
    assert public == {favour.where for favour in FUNCTIONS}


@pytest.mark.parametrize("favour", PRIVATE_NAMES, ids=lambda favour: favour.where)
def test_every_private_name_is_where_clients_look(favour):
    module, _, name = favour.where.partition(":")
    assert reduce(getattr, name.split("."), import_module(module)) is not None


@pytest.mark.parametrize("favour", [*FUNCTIONS, *PRIVATE_NAMES], ids=lambda favour: favour.where)
def test_every_favour_states_its_reason_and_its_end(favour):
    assert len(favour.reason.split()) > 3
    assert len(favour.until.split()) > 3
