"""Names that NumPy removed come back where the environment asks for them, and only there."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from mxnet._legacy import clients


@pytest.fixture
def numpy_as_it_was():
    before = dict(vars(np))
    yield
    for name in set(vars(np)) - set(before):
        delattr(np, name)


@pytest.mark.parametrize("value", [None, "", "0"])
def test_nothing_changes_unless_asked(value, monkeypatch):
    monkeypatch.delenv(clients.VARIABLE, raising=False)
    if value is not None:
        monkeypatch.setenv(clients.VARIABLE, value)
    before = set(vars(np))
    clients.restore_numpy_aliases()
    assert set(vars(np)) == before


@pytest.mark.usefixtures("numpy_as_it_was")
def test_removed_names_come_back(monkeypatch):
    monkeypatch.setenv(clients.VARIABLE, "1")
    existing = np.bool_
    clients.restore_numpy_aliases()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (np.float, np.int, np.object) == (float, int, object)
    assert np.bool in (bool, existing)
    assert np.ones(2, np.int).dtype == np.dtype(int)
    assert (np.float_, np.unicode_) == (np.float64, np.str_)
    assert {"product", "in1d"} <= vars(np).keys()
    assert np.AxisError is np.exceptions.AxisError


@pytest.mark.filterwarnings("ignore:In the future:FutureWarning")
@pytest.mark.parametrize(
    "name", ["bool", "int", "float", "object", "float_", "Inf", "in1d", "product"]
)
def test_an_error_of_a_removed_name_says_how_it_comes_back(name, monkeypatch):
    monkeypatch.delenv(clients.VARIABLE, raising=False)
    clients.restore_numpy_aliases()
    if name in vars(np):
        pytest.skip(f"NumPy {np.__version__} has it")
    clients.restore_numpy_aliases()
    with pytest.raises(AttributeError) as caught:
        getattr(np, name)
    remedy = f"MXNET_NUMPY_ALIASES=1 in the environment brings `np.{name}` back."
    assert str(caught.value).count(remedy) == 1
