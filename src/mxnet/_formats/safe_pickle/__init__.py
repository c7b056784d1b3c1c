"""Reads pickles as data, by an interpreter of our own that never runs code from the file.

A pickle is a program for a stack machine that names functions and classes to call. Python's own
reader calls them; this one does not use it. A name stands for one of a few constructors, written
here or passed by the caller, that take plain data and check it
([ADR 0010](../../../docs/adr/0010-optimizer-states-without-pickle.md)).
"""

from mxnet._formats.safe_pickle.machine import loads as loads
from mxnet._formats.safe_pickle.reading import Find as Find
from mxnet._formats.safe_pickle.reading import Make as Make
from mxnet._formats.safe_pickle.reading import Reading as Reading
from mxnet._formats.safe_pickle.reading import RefusedPickleError as RefusedPickleError
from mxnet._formats.safe_pickle.reading import Unfinished as Unfinished

__all__ = ["Find", "Make", "Reading", "RefusedPickleError", "Unfinished", "loads"]
