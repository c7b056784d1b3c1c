"""What MXNet 2 has and is not here is listed, and becomes less."""

from __future__ import annotations

import pytest

from tools.versions.compare import Surface, compare, count, explained, find_problem, read_missing

SURFACE = {
    "mxnet": {"Device": "= mxnet.device.Device"},
    "mxnet.device": {
        "Device": "device_type, device_id=0",
        "Device(bases)": "mxnet.device.Base mxnet.device._Hidden",
        "Device.own": "",
        "Base": "",
        "Base.shared": "x",
        "_Hidden.inner": "y=1",
    },
}


@pytest.fixture(scope="module")
def differences():
    return list(compare(Surface.read()))


def test_members_are_listed_where_a_class_is_shown_first():
    surface = Surface(SURFACE)
    assert dict(surface.names("mxnet")) == {
        "Device": "device_type, device_id=0",
        "Device.inner": "y=1",
        "Device.own": "",
        "Device.shared": "x",
    }
    assert [name for name, _ in surface.names("mxnet.device") if name.startswith("Device")] == [
        "Device"
    ]


def test_what_a_shown_base_has_is_inherited():
    surface = Surface(SURFACE)
    assert surface.inherits("mxnet", "Device", "shared")
    assert not surface.inherits("mxnet", "Device", "inner")
    assert not surface.inherits("mxnet", "Device", "own")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("cpu", "device_id=0", ""),
        ("cpu", "device_id=1", "device_id is 0, expected 1"),
        ("cpu", "device_id=0, color=None", "expected ['device_id', 'color']"),
        ("no_such_function", "", None),
        ("nd.Activation", "data=None, act_type=_Null, out=None, name=None, **kwargs", ""),
    ],
)
def test_problems_of_calls_are_found(name, text, problem):
    found = find_problem("mxnet", name, text)
    assert found == problem or problem in found


def test_what_is_missing_has_a_reason_or_is_counted(differences):
    missing = read_missing()
    found = count(differences, missing["reasons"])
    more = {
        (kind, module): number
        for kind, counts in found.items()
        for module, number in counts.items()
        if number > missing["todo"][kind].get(module, 0)
    }
    assert more == {}, "python -m tools.versions.compare MODULE lists the names of a module"


def test_reasons_are_needed(differences):
    paths = [item.path for item in differences]
    unused = [
        pattern
        for pattern in read_missing()["reasons"]
        if not any(explained(path, {pattern: ""}) for path in paths)
    ]
    assert unused == []
