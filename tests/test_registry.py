"""Registries hold classes by name, one for each base class."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mxnet import registry


class Shape:
    def __init__(self, size=1):
        self.size = size


class Square(Shape):
    pass


@pytest.fixture
def functions():
    makers = (registry.get_register_func, registry.get_alias_func, registry.get_create_func)
    return [make(Shape, "shape") for make in makers]


def test_registered_classes_are_created_by_name(functions):
    register, alias, create = functions
    assert register(Square) is Square
    assert register(Square, "Quad") is Square
    assert alias("sq", "BOX")(Square) is Square
    assert set(registry.get_registry(Shape)) == {"square", "quad", "sq", "box"}
    for name in ("square", "Square", "QUAD", "sq", "Box"):
        assert type(create(name)) is Square
    assert create("box", 3).size == create("box", size=3).size == 3
    assert create(shape="box", size=3).size == 3
    assert create('["box", {"size": 3}]').size == create({"shape": "box", "size": 3}).size == 3


def test_registry_given_out_is_a_copy(functions):
    functions[0](Square)
    registry.get_registry(Shape).clear()
    assert registry.get_registry(Shape) == {"square": Square}
    assert registry.get_registry(int) == {}


def test_registrations_can_be_taken_back(functions):
    register, alias, create = functions
    register(Square)
    with registry.registrations_kept():
        alias("box")(Square)
        registry.get_register_func(int, "number")(bool)
        assert type(create("box")) is Square
    assert registry.get_registry(Shape) == {"square": Square}
    assert registry.get_registry(int) == {}
    register(Square, "box")
    assert type(create("box")) is Square


def test_what_a_late_module_registers_stays():
    program = (
        "import mxnet as mx\n"
        "with mx.registry.registrations_kept(): mx.metric.Accuracy()\n"
        "print(mx.metric.create('acc').name)\n"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "accuracy\n"


def test_replacing_a_class_warns(functions):
    functions[0](Square)
    with pytest.warns(UserWarning, match="shape 'square'"):
        functions[0](Square)


def test_mistakes_are_assertion_errors(functions):
    register, _, create = functions
    register(Square)
    for given in ("circle", 3, None, Square):
        with pytest.raises(AssertionError, match=r"shape\.create"):
            create(given)
    with pytest.raises(AssertionError, match="known are square"):
        create("circle")
    with pytest.raises(AssertionError, match="takes no arguments"):
        create(Square(), 3)
    with pytest.raises(AssertionError, match="takes no arguments"):
        create('["square", {}]', size=3)
    with pytest.raises(AssertionError, match="subclass of Shape"):
        register(int)
