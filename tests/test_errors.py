"""Shared errors are caught by MXNetError and by the builtins that programs name."""

from __future__ import annotations

import pytest

from mxnet import errors
from mxnet.errors import MXNetError


@pytest.mark.parametrize(
    ("error", "builtins"),
    [
        (errors.ArgumentTypeError, {TypeError, AssertionError}),
        (errors.ArgumentValueError, {ValueError}),
        (errors.InvalidArgumentError, {ValueError, AssertionError}),
        (errors.UnsuitableArgumentError, {TypeError, ValueError}),
        (errors.CheckFailedError, {AssertionError}),
        (errors.UnsupportedTypeError, {TypeError}),
        (errors.NotSupportedError, {NotImplementedError}),
        (errors.UndefinedMethodError, {NotImplementedError}),
        (errors.UnknownNameError, {KeyError}),
        (errors.FileFormatError, {ValueError}),
        (errors.FileAccessError, {OSError}),
        (errors.MissingFileError, {OSError, FileNotFoundError}),
        (errors.RemovedFunctionError, {DeprecationWarning}),
    ],
    ids=lambda item: getattr(item, "__name__", ""),
)
def test_an_error_is_the_builtins_that_it_stands_for(error, builtins):
    candidates = {
        *(TypeError, ValueError, AssertionError, NotImplementedError),
        *(KeyError, IndexError, AttributeError, OSError, FileNotFoundError),
        *(DeprecationWarning, UserWarning),
    }
    assert issubclass(error, MXNetError)
    assert {builtin for builtin in candidates if issubclass(error, builtin)} == builtins


@pytest.mark.parametrize("error", [errors.UnknownNameError, errors.MissingFileError])
def test_the_message_is_shown_as_it_was_given(error):
    assert str(error("there is no file 'x'")) == "there is no file 'x'"


def test_errors_of_files_keep_the_name():
    error = errors.MissingFileError(2, "load: no such file", "weights.params")
    assert (error.errno, error.filename) == (2, "weights.params")
