"""Measures where a program spends its time and its memory.

While the profiler runs, operators, blocks and calls of the interface are timed. `dumps` returns a
table of them, `dump` writes a trace that Perfetto (https://ui.perfetto.dev) opens. See
`docs/profiling.md`.

Example:
    >>> import mxnet as mx
    >>> mx.profiler.set_config(aggregate_stats=True, continuous_dump=False)
    >>> mx.profiler.set_state("run")
    >>> x = mx.nd.ones((2, 2))
    >>> y = mx.nd.dot(x, x)
    >>> mx.profiler.set_state("stop")
    >>> "dot" in mx.profiler.dumps(reset=True)
    True
"""

from mxnet._start import tracebacks
from mxnet.profiler._interface import Counter as Counter
from mxnet.profiler._interface import Domain as Domain
from mxnet.profiler._interface import Event as Event
from mxnet.profiler._interface import Frame as Frame
from mxnet.profiler._interface import Marker as Marker
from mxnet.profiler._interface import Task as Task
from mxnet.profiler._interface import dump as dump
from mxnet.profiler._interface import dump_profile as dump_profile
from mxnet.profiler._interface import dumps as dumps
from mxnet.profiler._interface import pause as pause
from mxnet.profiler._interface import profiler_set_config as profiler_set_config
from mxnet.profiler._interface import profiler_set_state as profiler_set_state
from mxnet.profiler._interface import resume as resume
from mxnet.profiler._interface import scope as scope
from mxnet.profiler._interface import set_config as set_config
from mxnet.profiler._interface import set_state as set_state

profiler_kvstore_handle: object = None
"""Store whose servers are profiled; a part of the original's interface that has no effect."""


def set_kvstore_handle(handle: object) -> None:
    """Sets the store whose servers are profiled; accepted for compatibility."""
    global profiler_kvstore_handle  # noqa: PLW0603 - the original's programs read it here
    profiler_kvstore_handle = handle


tracebacks.public_functions(globals())
