"""Options of a tuner in `mxnet.space`, shown as the original shows them."""

from __future__ import annotations

from mxnet import space


def make_config():
    options = space.OtherOptionSpace([3, 4])
    return space.ConfigSpace({"a": options}, {"a": space.OtherOptionEntity(3)})


def test_options():
    options = space.OtherOptionSpace([3, 4])
    assert repr(options) == "OtherOption([3, 4]) len=2"
    assert [entity.val for entity in options.entities] == [3, 4]


def test_config():
    config = make_config()
    assert len(config) == 2
    assert repr(config) == "ConfigSpace (len=2, space_map=\n   0 a: OtherOption([3, 4]) len=2\n)"
    assert config.to_json_dict() == {"e": [("a", "ot", 3)], "s": [("a", "ot", [3, 4])]}


def test_number_of_configs_is_the_product():
    assert len(space.ConfigSpace({}, {})) == 1
    assert len(space.ConfigSpace({"a": space.OtherOptionSpace([])}, {})) == 0
    many = {name: space.OtherOptionSpace(range(3)) for name in "ab"}
    assert len(space.ConfigSpace(many, {})) == 9


def test_configs():
    configs = space.ConfigSpaces()
    assert repr(configs) == "ConfigSpaces (len=0, config_space=\n)"
    configs["x"] = make_config()
    assert len(configs) == 1
    assert repr(configs) == (
        "ConfigSpaces (len=1, config_space=\n   0 x:\n ConfigSpace (len=2, space_map=\n"
        "   0 a: OtherOption([3, 4]) len=2\n)\n)"
    )
    assert configs.to_json_dict() == [("x", make_config().to_json_dict())]
