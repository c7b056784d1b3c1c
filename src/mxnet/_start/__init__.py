"""What runs before the rest of the package is imported, and how the package is imported."""

from typing import TYPE_CHECKING

from mxnet._start import importing as importing
from mxnet._start import tracebacks as tracebacks
from mxnet._start.expansion import expand as expand
from mxnet._start.expansion import inline as inline
from mxnet._start.importing import OptionalModule as OptionalModule
from mxnet._start.importing import add_module as add_module
from mxnet._start.importing import after_every_import as after_every_import
from mxnet._start.importing import after_import as after_import
from mxnet._start.importing import collector_paused as collector_paused
from mxnet._start.importing import did_you_mean as did_you_mean
from mxnet._start.importing import explain_imports as explain_imports
from mxnet._start.importing import find_meant as find_meant
from mxnet._start.importing import make_getattr as make_getattr
from mxnet._start.importing import make_module as make_module
from mxnet._start.importing import make_modules_late as make_modules_late
from mxnet._start.importing import publish_classes as publish_classes
from mxnet._start.importing import stand_for as stand_for
from mxnet._start.importing import type_name as type_name
from mxnet._start.tracebacks import PublicInit as PublicInit
from mxnet._start.tracebacks import accept_device as accept_device
from mxnet._start.tracebacks import hide_frames as hide_frames
from mxnet._start.tracebacks import is_internal as is_internal
from mxnet._start.tracebacks import level_of_program as level_of_program
from mxnet._start.tracebacks import line_of_program as line_of_program
from mxnet._start.tracebacks import overridable as overridable
from mxnet._start.tracebacks import passes_arguments as passes_arguments
from mxnet._start.tracebacks import place_of_program as place_of_program
from mxnet._start.tracebacks import plain as plain
from mxnet._start.tracebacks import public_call as public_call
from mxnet._start.tracebacks import public_methods as public_methods
from mxnet._start.tracebacks import remove_frames as remove_frames
from mxnet._start.tracebacks import show_internal_frames as show_internal_frames
from mxnet._start.tracebacks import takes_device as takes_device
from mxnet._start.tracebacks import without_internal as without_internal

if TYPE_CHECKING:  # imported by those that need them: before torch is, with torch, by layers
    from mxnet._start import docstrings as docstrings
    from mxnet._start import engine as engine
    from mxnet._start import installation as installation
