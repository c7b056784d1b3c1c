"""Every favour to clients is listed with its reason and its end, and is there."""

from __future__ import annotations

import pkgutil
from functools import reduce
from importlib import import_module

import pytest

import mxnet._compat
from mxnet._legacy.favours import MODULES, PRIVATE_NAMES


def test_every_module_is_a_listed_favour():
    modules = {module.name for module in pkgutil.iter_modules(mxnet._compat.__path__)}
    assert modules - {"favours"} == {favour.where for favour in MODULES}


@pytest.mark.parametrize("favour", PRIVATE_NAMES, ids=lambda favour: favour.where)
def test_every_private_name_is_where_clients_look(favour):
    module, _, name = favour.where.partition(":")
    assert reduce(getattr, name.split("."), import_module(module)) is not None


@pytest.mark.parametrize("favour", [*MODULES, *PRIVATE_NAMES], ids=lambda favour: favour.where)
def test_every_favour_states_its_reason_and_its_end(favour):
    assert len(favour.reason.split()) > 3
    assert len(favour.until.split()) > 3
