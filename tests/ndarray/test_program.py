"""Programs on arrays, which executors, cached operators and hybridized blocks run."""

import pytest

import mxnet as mx
from mxnet.ndarray._program import BoundProgram


def bound(symbol, **options):
    return BoundProgram(symbol._graph, symbol.list_inputs(), **options)


def test_results_are_arrays_on_the_context():
    program = bound(mx.sym.var("x") * 2)
    (result,) = program(mx.cpu(), [mx.nd.array([1, 2])])
    assert result.asnumpy().tolist() == [2, 4]
    assert result.ctx == mx.cpu()


def test_results_own_their_memory():
    x = mx.nd.zeros((2, 3))
    data = mx.sym.var("x")
    symbol = mx.sym.Group([mx.sym.reshape(data, shape=(-1,)), data])
    for result in bound(symbol)(mx.cpu(), [x]):
        result[:] = 1
    assert x.asnumpy().tolist() == [[0, 0, 0], [0, 0, 0]]


def test_the_setting_is_that_of_the_modes():
    program = bound(mx.sym.Dropout(mx.sym.var("x"), p=0.5))
    assert not program.choose_setting(mx.cpu()).recording
    with mx.autograd.record():
        setting = program.choose_setting(mx.cpu())
        assert setting.recording and setting.training
    assert setting == program.setting(mx.cpu(), training=True, recording=True)
    with mx.autograd.train_mode():
        assert program.choose_setting(mx.cpu())[:2] == (True, False)


@pytest.mark.parametrize("count", [1, 2])
def test_gradients_reach_arguments_and_leave_states_alone(count):
    norm = mx.sym.BatchNorm(mx.sym.var("x"), name="n", fix_gamma=False)
    symbol = mx.sym.Group([norm, norm * 2]) if count == 2 else norm
    arrays = [mx.nd.random.uniform(shape=(4, 3)), *(mx.nd.ones(3) for _ in range(4))]
    for array in arrays:
        array.attach_grad()
    with mx.autograd.record():
        results = bound(symbol)(mx.cpu(), arrays)
        assert len(results) == count
    results[-1].backward()
    assert abs(arrays[2].grad.asnumpy()).sum() > 0  # beta
    assert abs(arrays[3].grad.asnumpy()).sum() == 0  # the moving mean


def test_a_cached_op_knows_the_dialect_of_its_graph():
    graph = mx.sym.var("x") + 1
    assert not mx.nd.CachedOp(graph).is_np_sym
    assert mx.nd.CachedOp(graph.as_np_ndarray()).is_np_sym


@pytest.mark.parametrize("name", ["default_device", "default_ctx"])
def test_a_graph_without_variables_is_computed_on_a_device(name):
    compute = mx.nd.CachedOp(mx.sym.ones((2,)) * 3)
    result = compute(None, **{name: mx.cpu(1)})
    assert (result.asnumpy().tolist(), result.context) == ([3, 3], mx.cpu(1))
