"""Functions with what they call written into them do the same, without the calls."""

from __future__ import annotations

import linecache
import subprocess
import sys
import traceback

import pytest

import mxnet as mx
from mxnet._start import expand, inline, public_call


class Box:
    __slots__ = ("items", "name")


new = object.__new__


@inline
def make_box(cls, items, name):
    """Makes a box."""
    box = new(cls)
    box.items, box.name = items, name
    return box


@inline
@expand
def make_named(cls, name):
    """Makes an empty box."""
    box = make_box(cls, [], name)
    box.items.append(name)
    return box


def build(box):
    """Builds a function with a name that `make_box` has as well."""

    @public_call
    def call(items, *, name="a"):
        if name == "all":
            for box_name in items:
                made = make_named(Box, box_name)
                box.append(made)
            return box
        elif items:
            return make_box(Box, items, name)
        raise ValueError(name)

    return call


def names_of(code):
    return {*code.co_names, *code.co_freevars}


@pytest.fixture(params=["expanded", "as it is"])
def builder(request):
    return expand(build) if request.param == "expanded" else build


def test_the_results_are_those_of_the_calls(builder):
    call = builder([])
    made = call([1, 2], name="b")
    assert (type(made), made.items, made.name) == (Box, [1, 2], "b")
    assert [(item.items, item.name) for item in call(["x", "y"], name="all")] == [
        (["x"], "x"),
        (["y"], "y"),
    ]


def test_what_is_raised_keeps_its_line(builder):
    call = builder([])
    with pytest.raises(ValueError, match="a") as caught:
        call([])
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__
    assert last.line == "raise ValueError(name)"


def test_no_call_is_left():
    code = expand(build)([]).__code__
    assert not names_of(code) & {"make_box", "make_named", "public_call"}
    assert "hide_frames" in names_of(code)
    assert code.co_filename == __file__


def test_functions_that_are_built_share_their_code():
    expanded = expand(build)
    assert expanded([]).__code__ is expanded([]).__code__


def test_a_function_keeps_its_defaults_and_texts():
    expanded = expand(build)
    assert (expanded.__name__, expanded.__doc__, expanded.__module__) == (
        build.__name__,
        build.__doc__,
        build.__module__,
    )
    assert expanded([])([1]).name == "a"


def test_without_its_file_a_function_stays_as_it_is(monkeypatch):
    monkeypatch.setattr(linecache, "getlines", lambda _: [])
    assert expand(build) is build


def test_a_function_with_names_of_another_one_stays_as_it_is():
    kept = []

    def add(item):
        kept.append(item)

    assert expand(add) is add


def test_operators_call_nothing_of_the_package_but_their_kernel():
    for function in (mx.nd.relu, mx.nd.dot, mx.nd.NDArray.__add__, mx.nd.NDArray.__getitem__):
        code = function.__code__
        assert "hide_frames" in code.co_names
        assert not {"make_array", "make_recorded", "public_call"} & names_of(code)


def test_a_package_without_sources_does_the_same():
    program = (
        "import linecache, traceback, torch\n"
        "linecache.getlines = lambda *_: []\n"
        "import mxnet as mx\n"
        "a = mx.nd.ones((2, 3))\n"
        "a.attach_grad()\n"
        "with mx.autograd.record():\n"
        "    b = (mx.nd.relu(a) + a * 2)[0:1].sum()\n"
        "b.backward()\n"
        "print(b.asscalar(), a.grad.asnumpy().tolist())\n"
        "print(mx.sym.relu(mx.sym.var('x')).name)\n"
        "mx.errors.show_internal_frames(False)\n"
        "try:\n"
        "    mx.nd.dot(a, a)\n"
        "except mx.MXNetError as error:\n"
        "    print(len(traceback.extract_tb(error.__traceback__)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["9.0 [[3.0, 3.0, 3.0], [0.0, 0.0, 0.0]]", "relu0", "1"], (
        done.stderr
    )
