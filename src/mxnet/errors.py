"""Exceptions raised by the package.

Every class also derives from the builtin that describes the mistake, so that code which catches
`ValueError`, `TypeError` or, as programs for the original do, `AssertionError` keeps working.
"""


class MXNetError(RuntimeError):
    """Base of all errors raised by operators, arrays and files."""


class AttributeValueError(MXNetError, ValueError):
    """An operator attribute has a value that it does not take."""


class ArgumentTypeError(MXNetError, TypeError, AssertionError):
    """An argument that must be an array is something else."""


class FileFormatError(MXNetError, ValueError):
    """A file is truncated, damaged or not of the expected format."""
