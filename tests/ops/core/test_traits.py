"""A new operator is one declaration: it works everywhere, whatever is odd about it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
import torch
from torch import Tensor

import mxnet as mx
from mxnet.gluon import HybridBlock, SymbolBlock
from mxnet.ops.core import registry
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import (
    ELEMENTWISE,
    EXACT_SHAPES,
    PASSES_THROUGH,
    SAME_DTYPE,
    SAME_SHAPE,
    Attrs,
    Known,
    Labels,
    Settings,
    Shapes,
    Storage,
    Traits,
    Variables,
)
from mxnet.ops.rules import storage_types
from mxnet.ops.rules.drawing import Drawing


def _fill_total(data: Shape, **_: object) -> dict[str, Shape]:
    return {"total": (data[-1],)}


def _declare_state() -> None:
    @op(
        "odd_state",
        aux=("total",),
        fill_shapes=_fill_total,
        traits=Traits(
            variables=Variables(initializers={"total": '["one", {}]'}), shapes=EXACT_SHAPES
        ),
    )
    def odd_state(data: Tensor, total: Tensor, *, training: bool) -> Tensor:
        """Adds what it has seen in training."""
        if training:
            total.add_(data.detach().sum(0))
        return data + total


def _declare_hidden() -> None:
    @op(
        "odd_hidden",
        num_outputs=2,
        visible_outputs=1,
        traits=Traits(labels=Labels(outputs=("y", "rest"))),
    )
    def odd_hidden(data: Tensor) -> tuple[Tensor, Tensor]:
        """Doubles; keeps a second output to itself."""
        return data * 2, data - 1


def _halve_rows(inputs: Known, outputs: Known, attrs: Settings) -> list[Shape | None]:
    del inputs, attrs
    result = outputs[0]
    return [] if not result else [(result[0] // 2, *result[1:])]


def _declare_backward_shape() -> None:
    @op("odd_twice", traits=Traits(shapes=Shapes(inputs=_halve_rows)))
    def odd_twice(data: Tensor) -> Tensor:
        """Puts an array below itself."""
        return torch.cat([data, data])


def _csr_for_csr(stypes: tuple[str, ...], attrs: Attrs) -> str:
    return "csr" if stypes[0] == "csr" and attrs.get("factor") else "default"


def _declare_storage() -> None:
    @op("odd_storage", traits=Traits(shapes=SAME_SHAPE, storage=Storage(result=_csr_for_csr)))
    def odd_storage(data: Tensor, *, factor: float = 2.0) -> Tensor:
        """Multiplies; a csr array stays one in a graph if a factor is given."""
        return data * factor


def _declare_stored() -> None:
    @op("odd_cube", traits=Traits(shapes=SAME_SHAPE, storage=storage_types.ON_STORED))
    def odd_cube(data: Tensor) -> Tensor:
        """Takes the third power of what is stored."""
        return data * data * data


class _Slope(torch.autograd.Function):
    @staticmethod
    def forward(ctx: object, data: Tensor) -> Tensor:
        del ctx
        return data.clone()

    @staticmethod
    def backward(ctx: object, *gradients: Tensor) -> Tensor:
        del ctx
        return torch.full_like(gradients[0], 7)


def _declare_loss() -> None:
    @op("odd_loss", traits=Traits(shapes=SAME_SHAPE, ignores_head=True))
    def odd_loss(data: Tensor) -> Tensor:
        """Has slope 7, whatever gradient arrives."""
        return _Slope.apply(data)


def _fill_weight(data: Shape, **_: object) -> dict[str, Shape]:
    return {"scale": (1, data[1])}


def _declare_parameter() -> None:
    @op(
        "odd_scale",
        fill_shapes=_fill_weight,
        traits=Traits(
            variables=Variables(
                parameters=frozenset({"scale"}),
                initializers={"scale": '["Constant", {"value": 3.0}]'},
            ),
            shapes=EXACT_SHAPES,
        ),
    )
    def odd_scale(data: Tensor, scale: Tensor) -> Tensor:
        """Scales the columns."""
        return data * scale


def _declare_looks() -> None:
    @op(
        "odd_looks",
        traits=Traits(
            shapes=SAME_SHAPE,
            drawing=Drawing(
                color="#123456",
                details=lambda attrs: f"by {attrs['by']}",
                count=lambda attrs, channels, shape: 40 + channels,  # noqa: ARG005
            ),
            labels=Labels(names_inputs=True, names_outputs=True, gradient="slope"),
        ),
    )
    def odd_looks(data: Tensor, *, by: int = 1) -> Tensor:
        """Adds a number."""
        return data + by


def _declare_identity() -> None:
    registry.elementary(
        "odd_identity",
        torch.clone,
        "Copies.",
        traits=Traits(shapes=SAME_SHAPE, types=SAME_DTYPE, fusion=PASSES_THROUGH),
    )


DATA = np.array([[1.0, -2.0, 0.0], [0.5, 4.0, 3.0]], "float32")


@dataclass(frozen=True)
class Case:
    """An operator, what it reads beside the data, and what it computes in prediction."""

    name: str
    expected: np.ndarray
    inputs: dict[str, np.ndarray] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


CASES = [
    Case("odd_state", DATA + 1, {"total": np.ones(3, "float32")}),
    Case("odd_hidden", DATA * 2),
    Case("odd_twice", np.concatenate([DATA, DATA])),
    Case("odd_storage", DATA * 2),
    Case("odd_cube", DATA**3),
    Case("odd_loss", DATA),
    Case("odd_scale", DATA * 3, {"scale": np.full((1, 3), 3, "float32")}),
    Case("odd_looks", DATA + 1),
    Case("odd_identity", DATA),
]


@pytest.fixture(autouse=True)
def operators():
    before = set(registry.all_names())
    for name, declare in list(globals().items()):
        if name.startswith("_declare_"):
            declare()
    yield
    for name in set(registry.all_names()) - before:
        registry.unregister(registry.get_op(name))


class Net(HybridBlock):
    """Applies an operator; its other inputs are parameters of unknown shape."""

    def __init__(self, case: Case):
        super().__init__(prefix="net_")
        self._name = case.name
        aux = registry.get_op(case.name).aux
        for name, value in case.inputs.items():
            parameter = self.params.get(
                name,
                shape=(0,) * value.ndim,
                init=mx.init.Constant(float(value.flat[0])),
                allow_deferred_init=True,
                grad_req="null" if name in aux else "write",
            )
            setattr(self, name, parameter)

    def hybrid_forward(self, F, data, **parameters):
        return getattr(F, self._name)(data, name="unit", **parameters)


def make_symbol(case):
    return getattr(mx.sym, case.name)(mx.sym.var("data"), name="unit")


def bind(case, **options):
    """Binds a graph of the operator; its other inputs are variables that nobody gave."""
    exe = make_symbol(case).simple_bind(mx.cpu(), data=DATA.shape, **options)
    exe.arg_dict["data"][:] = DATA
    for name, value in case.inputs.items():
        (exe.arg_dict | exe.aux_dict)[f"unit_{name}"][:] = value
    return exe


@pytest.mark.parametrize("case", CASES, ids=str)
def test_arrays(case):
    result = getattr(mx.nd, case.name)(
        mx.nd.array(DATA), **{name: mx.nd.array(value) for name, value in case.inputs.items()}
    )
    assert np.array_equal(result.asnumpy(), case.expected)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_symbols(case):
    (result,) = bind(case).forward()
    assert np.array_equal(result.asnumpy(), case.expected)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_symbol_files(case):
    symbol = make_symbol(case)
    again = mx.sym.load_json(symbol.tojson())
    assert again.tojson() == symbol.tojson()
    assert again.list_outputs() == symbol.list_outputs()


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_blocks_fill_in_shapes(case, hybridized):
    net = Net(case)
    net.initialize()
    net.hybridize(hybridized)
    for _ in range(2):
        assert np.array_equal(net(mx.nd.array(DATA)).asnumpy(), case.expected)
    for name, value in case.inputs.items():
        assert getattr(net, name).shape == value.shape


@pytest.mark.parametrize("case", CASES, ids=str)
def test_export_and_import(case, tmp_path):
    net = Net(case)
    net.initialize()
    net.hybridize()
    net(mx.nd.array(DATA))
    net.export(str(tmp_path / "net"))
    parameters = str(tmp_path / "net-0000.params") if case.inputs else None
    again = SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"], parameters)
    assert np.array_equal(again(mx.nd.array(DATA)).asnumpy(), case.expected)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_summary(case, capsys):
    mx.viz.print_summary(make_symbol(case), {"data": DATA.shape})
    assert f"unit({case.name})" in capsys.readouterr().out


@pytest.mark.parametrize("case", CASES, ids=str)
def test_drawing(case):
    pytest.importorskip("graphviz")
    drawn = str(mx.viz.plot_network(make_symbol(case), shape={"data": DATA.shape}))
    label, color = "unit", "#fccde5"
    if case.name == "odd_looks":
        label, color = '"odd_looks\nby 1"', "#123456"
    assert f'unit [label={label} fillcolor="{color}"' in drawn


@pytest.mark.parametrize("case", CASES, ids=str)
def test_monitor(case):
    shown = {}
    exe = bind(case, grad_req="null")
    exe.set_monitor_callback(lambda name, array: shown.__setitem__(name.decode(), array), True)
    exe.forward()
    output = "unit_y" if case.name == "odd_hidden" else "unit_output"
    assert np.array_equal(shown[output].asnumpy(), case.expected)
    single = "unit_data" if case.name == "odd_looks" else "unit_input0"
    assert ("unit_data" if case.inputs else single) in shown


@pytest.mark.parametrize("case", CASES, ids=str)
def test_hooks_of_blocks(case):
    net = Net(case)
    net.initialize()
    net.hybridize()
    net(mx.nd.array(DATA))
    names = []
    net.register_op_hook(lambda name, operator, array: names.append((name, operator)))  # noqa: ARG005
    net(mx.nd.array(DATA))
    label = "output" if case.name == "odd_looks" else "0"
    assert names == [(f"net_unit_{label}".encode(), case.name.encode())]


def test_auxiliary_state():
    symbol = make_symbol(CASES[0])
    assert symbol.list_auxiliary_states() == ["unit_total"]
    assert symbol.list_arguments() == ["data"]
    assert symbol.attr_dict()["unit_total"]["__init__"] == '["one", {}]'
    exe = bind(CASES[0], grad_req="write")
    exe.forward(is_train=True)
    exe.backward([mx.nd.ones(DATA.shape)])
    assert np.array_equal(exe.aux_dict["unit_total"].asnumpy(), 1 + DATA.sum(0))
    assert np.array_equal(exe.grad_dict["data"].asnumpy(), np.ones_like(DATA))
    net = Net(CASES[0])
    net.initialize()
    net.hybridize()
    with mx.autograd.record():
        net(mx.nd.array(DATA))
    assert np.array_equal(net.total.data().asnumpy(), 1 + DATA.sum(0))


def test_hidden_output():
    symbol = make_symbol(CASES[1])
    assert symbol.list_outputs() == ["unit_y"]
    assert symbol.get_internals().list_outputs() == ["data", "unit_y"]
    text = (symbol + 1).tojson()
    assert '"node_row_ptr": [0, 1, 3, 4]' in text


def test_shape_flows_backward():
    twice = mx.sym.odd_twice(mx.sym.var("data"))
    arguments, outputs, _ = (twice + mx.sym.var("other")).infer_shape(other=(6, 5))
    assert arguments == [(3, 5), (6, 5)]
    assert outputs == [(6, 5)]


def test_storage_rule_of_graphs():
    symbol = mx.sym.odd_storage(mx.sym.var("data", stype="csr"), factor=2.0)
    exe = symbol.bind(mx.cpu(), {"data": mx.nd.array(DATA).tostype("csr")})
    assert exe.forward()[0].stype == "csr"
    assert np.array_equal(exe.outputs[0].asnumpy(), DATA * 2)


def test_kernel_on_stored_elements():
    result = mx.nd.odd_cube(mx.nd.array(DATA).tostype("csr"))
    assert result.stype == "csr"
    assert np.array_equal(result.asnumpy(), DATA**3)


def test_loss_needs_no_head():
    exe = bind(CASES[5], grad_req="write")
    exe.forward(is_train=True)
    exe.backward()
    assert np.array_equal(exe.grad_dict["data"].asnumpy(), np.full_like(DATA, 7))


def test_module_initializes_and_finds_parameters():
    module = mx.mod.Module(make_symbol(CASES[6]), label_names=None)
    module.bind([("data", DATA.shape)], for_training=False)
    module.init_params(mx.init.Zero())
    module.forward(mx.io.DataBatch([mx.nd.array(DATA)]))
    assert np.array_equal(module.get_outputs()[0].asnumpy(), DATA * 3)


def test_gradients_are_labelled():
    names = []
    exe = bind(CASES[7], grad_req="write")
    exe.set_monitor_callback(lambda name, _: names.append(name.decode()), True)
    exe.forward(is_train=True)
    exe.backward([mx.nd.ones(DATA.shape)])
    assert "unit_backward_slope" in names


def test_count_of_parameters(capsys):
    mx.viz.print_summary(make_symbol(CASES[7]), {"data": DATA.shape})
    assert "Total params: 43" in capsys.readouterr().out


def test_names_are_free_again():
    op_of_test = registry.get_op("odd_identity")
    registry.unregister(op_of_test)
    assert not hasattr(mx.nd, "odd_identity")
    assert not hasattr(mx.sym, "odd_identity")
    registry.elementary("odd_identity", torch.neg, "Changes the sign.", traits=ELEMENTWISE)
    assert np.array_equal(mx.nd.odd_identity(mx.nd.array(DATA)).asnumpy(), -DATA)
