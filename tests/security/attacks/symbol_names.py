"""Names that are Python source, in every place of a file that has a name."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import mxnet as mx
from tests.security.attack import PAYLOAD, Attacks
from tests.security.symbols import call, graph, text, variable, write

TABLE = Attacks()

NAMES = [
    ("default", f"w={PAYLOAD}, *q"),
    ("annotation", f"w: {PAYLOAD}"),
    ("body", f"w):\n    {PAYLOAD}\n    return 1\n\ndef other(x"),
    ("string", f"' + str({PAYLOAD}) + '"),
    ("expression", PAYLOAD),
]

X = (2, 3)


class _Options(mx.operator.CustomOpProp):
    """Takes options of any names."""

    def __init__(self, **options: str) -> None:
        super().__init__()
        self.options = options

    def create_operator(self, *_: object) -> mx.operator.CustomOp:
        return _Copy()


class _Copy(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        del is_train, aux
        self.assign(out_data[0], req[0], in_data[0])


mx.operator.register("attacked")(_Options)


def repeated_variable(folder: Path, name: str) -> None:
    """Two variables of one name: one of them keeps a name that nobody looked at."""
    nodes = (variable("data"), variable(name), variable(name), call("add_n", "s", 0, 1, 2))
    path = write(folder, text(*nodes))
    net = mx.gluon.SymbolBlock.imports(path, ["data"])
    net.initialize(mx.init.One())
    assert net(mx.nd.ones(X)).asnumpy().tolist() == [[3.0] * 3] * 2
    net.hybridize(static_alloc=True, static_shape=True)
    net(mx.nd.ones(X))


def input_of_a_block(folder: Path, name: str) -> None:
    path = write(folder, text(variable(name), call("relu", name, 0)))
    net = mx.gluon.SymbolBlock.imports(path, [name])
    net(mx.nd.ones(X))
    net.export(str(folder / "again"))
    again = mx.gluon.SymbolBlock.imports(str(folder / "again-symbol.json"), [name])
    assert again(mx.nd.ones(X)).asnumpy().sum() == 6


def bound(folder: Path, name: str) -> None:
    symbol = mx.sym.load(write(folder, text(variable(name), call("square", name, 0))))
    executor = symbol.bind(mx.cpu(), {name: mx.nd.ones(X)}, {name: mx.nd.zeros(X)})
    executor.forward(is_train=True)
    executor.backward(mx.nd.ones(X))
    symbol.simple_bind(mx.cpu(), **{name: X}).forward()


def module(folder: Path, name: str) -> None:
    nodes = (variable("data"), variable(name), call("broadcast_add", name, 0, 1))
    nodes[1]["attrs"] = {"__shape__": "(1, 3)", "__init__": '["one", {}]'}
    net = mx.mod.Module(mx.sym.load(write(folder, text(*nodes))), ["data"], None)
    net.bind([("data", X)])
    net.init_params()
    net.init_optimizer()
    net.forward(mx.io.DataBatch([mx.nd.ones(X)]))


def attribute_of_a_variable(folder: Path, name: str) -> None:
    record = variable("data", **{name: name, "__ctx_group__": name, "__storage_type__": name})
    symbol = mx.sym.load(write(folder, text(record, call("relu", "r", 0))))
    symbol.attr_dict()
    symbol.simple_bind(mx.cpu(), data=X).forward()


def option_of_a_custom_operator(folder: Path, name: str) -> None:
    node = call("Custom", "c", 0, **{"op_type": "attacked", name: name})
    symbol = mx.sym.load(write(folder, text(variable("data"), node)))
    assert symbol.bind(mx.cpu(), [mx.nd.ones(X)]).forward()[0].asnumpy().sum() == 6
    net = mx.gluon.SymbolBlock(symbol, mx.sym.var("data"))
    net(mx.nd.ones(X))
    net.to_fx(mx.nd.ones(X))(mx.nd.ones(X).to_torch())


def variable_of_a_loop(folder: Path, name: str) -> None:
    body = graph(variable(f"{name}0"), variable(name), call("broadcast_add", name, 0, 1))
    places = {"in_data_locs": "(0,)", "in_state_locs": "()", "remain_locs": "(1,)"}
    loop = call(
        "_foreach", name, 0, 1, subgraphs=[body], num_outputs="1", num_out_data="1", **places
    )
    symbol = mx.sym.load(write(folder, text(variable("data"), variable(name), loop)))
    symbol.bind(mx.cpu(), [mx.nd.ones(X), mx.nd.ones((3,))]).forward()


def module_of_torch(folder: Path, name: str) -> None:
    path = write(folder, text(variable("data"), variable(name), call("elemwise_add", name, 0, 1)))
    net = mx.gluon.SymbolBlock.imports(path, ["data"])
    net.initialize()
    net(mx.nd.ones(X))
    module = net.to_fx(mx.nd.ones(X))
    module(mx.nd.ones(X).to_torch())
    assert "import" not in module.code or "__import__(" not in module.code


def picture(folder: Path, name: str) -> None:
    nodes = (variable(name), call("Custom", name + "\\", 0, op_type="attacked"))
    symbol = mx.sym.load(write(folder, text(*nodes)))
    mx.viz.plot_network(symbol)
    with redirect_stdout(io.StringIO()):
        mx.viz.print_summary(symbol)
    symbol.debug_str()


def block_of_a_model_file(folder: Path, name: str) -> None:
    """Names of blocks and parameters, and a graph, from the file of a whole model."""
    prefix = str(folder / "net")
    net = _dense()
    net(mx.nd.ones(X))
    net.save(prefix)
    path = folder / "net-model.json"
    before = json.loads(path.read_text())
    entry = before["dense0"]
    entry["orig_name"] = name
    entry["symbol"] = entry["symbol"].replace("net_", json.dumps(f"{name}_")[1:-1])
    path.write_text(json.dumps(before))
    other = _dense()
    other.load(prefix)
    other(mx.nd.ones(X))


def _dense() -> mx.gluon.nn.Dense:
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="net_")
    net.initialize()
    net.hybridize()
    return net


def parameter_file(folder: Path, name: str) -> None:
    path = folder / "net.params"
    mx.nd.save(str(path), {name: mx.nd.ones(X), f"arg:{name}": mx.nd.ones(X)})
    mx.nd.load(str(path))
    mx.gluon.nn.Dense(2, in_units=3).load_parameters(str(path))


PLACES: list[Callable[[Path, str], None]] = [
    repeated_variable,
    input_of_a_block,
    bound,
    module,
    attribute_of_a_variable,
    option_of_a_custom_operator,
    variable_of_a_loop,
    module_of_torch,
    picture,
    block_of_a_model_file,
    parameter_file,
]

for place in PLACES:
    TABLE.add_each(place.__name__, NAMES, place, harmless=True)


WRONG = [
    ("operator", text(variable("x"), call(PAYLOAD, "r", 0))),
    ("custom_type", text(variable("x"), call("Custom", "r", 0, op_type=PAYLOAD))),
    ("unknown_attribute", text(variable("x"), call("Activation", "r", 0, **{PAYLOAD: "relu"}))),
    ("choice", text(variable("x"), call("Activation", "r", 0, act_type=PAYLOAD))),
    ("number", text(variable("x"), call("Dropout", "r", 0, p=PAYLOAD))),
    ("tuple", text(variable("x"), call("transpose", "r", 0, axes=f"({PAYLOAD},)"))),
    ("truth", text(variable("x"), call("SwapAxis", "r", 0, dim1=PAYLOAD))),
    ("dtype", text(variable("x"), call("Cast", "r", 0, dtype=PAYLOAD))),
    ("version", text(variable("x"), attrs={"mxnet_version": ["int", PAYLOAD]})),
    ("head", text(variable("x"), heads=[[PAYLOAD, 0, 0]])),
]
TABLE.add_each("expression_as", WRONG, lambda folder, content: mx.sym.load(write(folder, content)))


def initialize(folder: Path, described: object) -> None:
    write(folder, str(described), "net.init")
    nodes = (variable("data"), variable("w", __init__=str(described)), call("add_n", "s", 0, 1))
    symbol = mx.sym.load_json(text(*nodes))
    net = mx.mod.Module(symbol, ["data"], None)
    net.bind([("data", X)])
    (folder / "net.init").unlink()
    net.init_params()


INITIALIZERS = [
    ("payload", PAYLOAD),
    ("payload_in_a_list", json.dumps([PAYLOAD, {}])),
    ("class_of_the_library", json.dumps(["mxnet.initializer.Load", {"param": "/etc/passwd"}])),
    ("load", json.dumps(["load", {"param": "/etc/passwd"}])),
    ("argument", json.dumps(["uniform", {"scale": PAYLOAD}])),
    ("unknown_argument", json.dumps(["uniform", {PAYLOAD: 1}])),
    ("self", json.dumps(["zero", {"self": 1}])),
    ("number", "[3, {}]"),
    ("no_pair", "[[[]]]"),
    ("deep", "[" * 100_000),
    ("dictionary", '{"initializer": {"initializer": {"initializer": 1}}}'),
    (
        "billion_layers",
        '["fusedrnn", {"init": null, "num_hidden": -1, "num_layers": 1000000000, "mode": "lstm"}]',
    ),
    ("no_units", '["fusedrnn", {"init": null, "num_hidden": 0, "num_layers": 1, "mode": "lstm"}]'),
]
TABLE.add_each("initializer", INITIALIZERS, initialize)


@TABLE.add(names="__lr_mult__")
def multiplier_of_the_learning_rate(_: Path) -> None:
    nodes = (variable("data"), variable("w", __lr_mult__=PAYLOAD), call("add_n", "s", 0, 1))
    net = mx.mod.Module(mx.sym.load_json(text(*nodes)), ["data"], None)
    net.bind([("data", X)])
    net.init_params(mx.init.Load({"w": mx.nd.ones(X)}))
    net.init_optimizer()
