"""Captures of work on a GPU, with a stand-in for CUDA: what is captured when, for which tensors."""

from contextlib import contextmanager, nullcontext

import pytest
import torch

from mxnet._arrays.capture import Capture, CaptureCache, StaticInputs, place_of, warm_up


class FakeGenerator:
    """A random generator, whose state is a list of what has drawn from it."""

    def __init__(self):
        self.state = ["before"]

    def graphsafe_get_state(self):
        return self.state

    def clone_state(self):
        return [*self.state]

    def graphsafe_set_state(self, state):
        self.state = state


class FakeCuda:
    """Notes the calls that a capture makes."""

    def __init__(self, monkeypatch):
        self.events = []
        fake = self

        class Graph:
            def replay(self):
                fake.events.append("replay")

        class Stream:
            def __init__(self, device):
                del device

            def wait_stream(self, other):
                del other
                fake.events.append("wait")

        @contextmanager
        def graph(cuda_graph, pool, stream, error_mode):
            assert (stream, error_mode) == (None, "global")
            assert isinstance(cuda_graph, Graph)
            fake.events.append("begin" if pool is None else f"begin in {pool}")
            yield
            fake.events.append("end")

        main = Stream(None)
        self.generator = FakeGenerator()
        monkeypatch.setattr(torch.cuda, "default_generators", (self.generator,))
        monkeypatch.setattr(torch.cuda, "CUDAGraph", Graph)
        monkeypatch.setattr(torch.cuda, "Stream", Stream)
        monkeypatch.setattr(torch.cuda, "graph", graph)
        monkeypatch.setattr(torch.cuda, "stream", lambda _: nullcontext())
        monkeypatch.setattr(torch.cuda, "current_stream", lambda _: main)
        clear = "_cuda_clearCublasWorkspaces"  # which builds of torch for CPUs do not have
        monkeypatch.setattr(torch._C, clear, lambda: None, raising=False)

    def work(self):
        self.events.append("work")

    def take(self):
        """Returns the calls so far, and forgets them."""
        events, self.events = self.events, []
        return events


@pytest.fixture
def cuda(monkeypatch):
    return FakeCuda(monkeypatch)


def captured(cuda, tensors, key="step"):
    """Returns a cache in which work on tensors has been captured."""
    cache = CaptureCache()
    for _ in range(3):
        cache.run(key, tensors, cuda.work)
    cuda.take()
    return cache


def test_work_is_captured_when_it_is_done_for_the_third_time(cuda):
    cache, tensors = CaptureCache(), [torch.zeros(2)]
    for _ in range(2):
        cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["work", "work"]
    cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["begin", "work", "end", "replay"]
    cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["replay"]


def test_work_with_another_key_is_other_work(cuda):
    tensors = [torch.zeros(2)]
    cache = captured(cuda, tensors)
    cache.run("other", tensors, cuda.work)
    assert cuda.take() == ["work"]
    cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["replay"]


@pytest.mark.parametrize(
    "view",
    [
        lambda base: base.view(3, 2),
        lambda base: base.as_strided((2, 3), (1, 2)),
        lambda base: base.view(torch.int32).view(2, 3),
        lambda base: base[:3].view(1, 3),
    ],
)
def test_a_tensor_of_another_layout_at_the_same_address_is_other_work(cuda, view):
    base = torch.zeros(6)
    cache = captured(cuda, [base.view(2, 3)])
    cache.run("step", [view(base)], cuda.work)
    assert cuda.take() == ["work"]


def test_another_tensor_of_the_same_place_is_the_same_work(cuda):
    base = torch.zeros(6)
    cache = captured(cuda, [base.view(2, 3)])
    cache.run("step", [base.view(2, 3)], cuda.work)
    assert cuda.take() == ["replay"]


def test_a_tensor_that_gets_other_memory_is_other_work(cuda):
    tensor = torch.zeros(2)
    cache = captured(cuda, [tensor])
    kept, tensor.data = tensor.data, torch.ones(2)
    cache.run("step", [tensor], cuda.work)
    assert cuda.take() == ["work"]
    assert kept.tolist() == [0, 0]


def test_a_cache_gives_up_where_nothing_repeats_itself(cuda):
    cache, tensors = CaptureCache(), [torch.zeros(2)]
    for number in range(9):
        cache.run(number, tensors, cuda.work)
    assert cache.gives_up
    for _ in range(4):
        cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["work"] * 13


def test_a_cache_with_captures_does_not_give_up(cuda):
    tensors = [torch.zeros(2)]
    cache = captured(cuda, tensors)
    for number in range(20):
        cache.run(number, tensors, cuda.work)
    assert not cache.gives_up
    cuda.take()
    for _ in range(3):
        cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["work", "work", "begin", "work", "end", "replay"]


def test_a_capture_that_is_in_use_is_kept(cuda):
    tensors = [torch.zeros(2)]
    cache = captured(cuda, tensors)
    for number in range(20):
        cache.run(number, tensors, cuda.work)
        cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["work", "replay"] * 20


def test_work_is_captured_however_many_captures_came_before(cuda):
    cache, tensors = CaptureCache(), [torch.zeros(2)]
    for rate in range(20):
        for _ in range(4):
            cache.run(rate, tensors, cuda.work)
        assert cuda.take() == ["work", "work", "begin", "work", "end", "replay", "replay"]
    cache.run(12, tensors, cuda.work)
    assert cuda.take() == ["replay"]


def test_new_captures_take_the_place_of_the_least_recently_used(cuda):
    cache, tensors = CaptureCache(), [torch.zeros(2)]
    for rate in (0.1, 0.01):
        for _ in range(3):
            for group in range(5):
                cache.run((group, rate), tensors, cuda.work)
    assert cuda.take().count("begin") == 10
    for group in range(5):
        cache.run((group, 0.01), tensors, cuda.work)
    assert cuda.take() == ["replay"] * 5


def test_a_cache_keeps_no_tensor_alive(cuda):
    released = []

    class Noted(torch.Tensor):
        def __del__(self):
            released.append(self.shape)

    cache = captured(cuda, [torch.zeros(2).as_subclass(Noted)])
    assert released == [(2,)]
    assert not cache.gives_up


def test_a_capture_uses_the_pool_that_it_is_given(cuda):
    capture = Capture(lambda: "result", pool="pool")
    assert capture.result == "result"
    assert cuda.take() == ["begin in pool", "end"]


def test_warming_up_leaves_states_as_they_were(cuda):
    state = torch.zeros(1)

    def work():
        cuda.work()
        cuda.generator.state.append("drawn")
        state.add_(1)

    warm_up(work, torch.device("cpu"), [state])
    assert cuda.take() == ["wait", "work", "work", "work", "wait"]
    assert state.tolist() == [0]
    assert cuda.generator.state == ["before"]


def test_static_inputs_fit_what_is_where_the_capture_reads_it():
    copied, checked, fixed = torch.zeros(2), torch.zeros(2, 2), torch.zeros(3)
    inputs = StaticInputs([torch.zeros(2), checked, fixed], [0], [1], [copied, checked, fixed])
    assert inputs.fit([torch.ones(2), checked, fixed])
    assert inputs.fit([copied, checked.view(2, 2), fixed])
    assert not inputs.fit([copied, checked.t(), fixed])
    assert not inputs.fit([copied, checked.clone(), fixed])
    assert not inputs.fit([copied, checked, fixed.view(3)])
    assert inputs.has_fixed([copied, checked.t(), fixed])
    assert not inputs.has_fixed([copied, checked, fixed.view(3)])


def test_static_inputs_copy_what_differs_from_call_to_call():
    own, fixed = torch.zeros(2), torch.zeros(2)
    inputs = StaticInputs([own, fixed], [0], [], [torch.zeros(2), fixed])
    inputs.load([torch.tensor([1.0, 2.0]), fixed])
    assert own.tolist() == [1, 2]
    assert fixed.tolist() == [0, 0]


def test_a_place_tells_dtypes_shapes_and_strides_apart():
    x = torch.zeros(2, 2)
    others = [x.t(), x.view(4), x.view(torch.int32), x[1:], x.clone()]
    assert all(place_of(other) != place_of(x) for other in others)
    assert place_of(x.detach()) == place_of(x)


def test_a_replay_counts_as_a_write(cuda):
    tensors = [torch.zeros(2)]
    cache = captured(cuda, tensors)
    before = tensors[0]._version
    cache.run("step", tensors, cuda.work)
    assert cuda.take() == ["replay"]
    assert tensors[0]._version > before
