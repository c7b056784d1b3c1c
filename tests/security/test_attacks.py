"""Every hostile input ends in a clear error: no code, no signal, no hang, no memory."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys

import pytest

from tests.security import attacks
from tests.security.sandbox import Sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are Linux's")

HAS_ONNX = importlib.util.find_spec("onnx") is not None  # an extra
TABLES = {
    module.name: importlib.import_module(f"{attacks.__name__}.{module.name}").TABLE
    for module in pkgutil.iter_modules(attacks.__path__)
    if HAS_ONNX or not module.name.startswith("onnx_")
}
ROWS = [(family, name) for family, table in TABLES.items() for name in table]


@pytest.fixture(scope="module")
def sandbox():
    box = Sandbox()
    yield box
    box.close()


def test_every_family_has_twenty():
    assert {family: len(table) for family, table in TABLES.items() if len(table) < 20} == {}


@pytest.mark.parametrize(("family", "name"), ROWS, ids=["-".join(row) for row in ROWS])
def test_attack_fails(family: str, name: str, sandbox: Sandbox, tmp_path):
    attack = TABLES[family][name]
    outcome = sandbox.run(family, name, tmp_path)
    assert not outcome.code_ran
    assert outcome.signal is None, f"ended by signal {outcome.signal}"
    assert not outcome.timed_out, f"took more than {attack.seconds} s"
    assert outcome.memory <= outcome.memory_limit, f"took {outcome.memory >> 20} MiB"
    if attack.harmless and outcome.error is None:
        return
    assert outcome.error is not None, "was accepted"
    assert {"MXNetError", "ValueError"} & set(outcome.kinds), outcome.trace
    if attack.names is not None:
        assert attack.names in outcome.error, outcome.trace
    files = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert not files or any(file in outcome.error for file in files), outcome.error
