"""`mx.libinfo` and `mx.library`: what there is no library for, and why."""

from __future__ import annotations

import pytest
import torch

import mxnet as mx


@pytest.mark.parametrize("name", ["find_lib_path", "find_include_path", "find_conf_path"])
def test_there_is_no_compiled_library(name):
    with pytest.raises(RuntimeError, match=f"libinfo.{name}: .*torch is its engine"):
        getattr(mx.libinfo, name)()


def test_version():
    assert mx.libinfo.__version__ == mx.__version__


def test_load_says_what_is_wrong_with_the_path(tmp_path):
    with pytest.raises(mx.MXNetError, match="does NOT exist"):
        mx.library.load(str(tmp_path / "nothing.so"))
    program = tmp_path / "program.py"
    program.touch()
    with pytest.raises(mx.MXNetError, match="is NOT a library file"):
        mx.library.load(str(program))


def test_load_says_what_to_do_instead(tmp_path):
    library = tmp_path / "operators.so"
    library.touch()
    with pytest.raises(mx.MXNetError, match=r"cannot load .*operators.so.*CustomOp"):
        mx.library.load(library, verbose=False)


def test_the_abi_of_the_engine():
    assert mx.library.compiled_with_gcc_cxx11_abi() == int(torch.compiled_with_cxx11_abi())
