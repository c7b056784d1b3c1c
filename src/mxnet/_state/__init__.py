"""State of threads, devices and processes: modes, locks, random generators, jobs."""

from typing import TYPE_CHECKING

from mxnet._state import processes as processes
from mxnet._state import rng as rng
from mxnet._state import versions as versions
from mxnet._state.locks import Lock as Lock
from mxnet._state.locks import remember as remember
from mxnet._state.modes import BackwardModes as BackwardModes
from mxnet._state.modes import Current as Current
from mxnet._state.modes import HasCurrent as HasCurrent
from mxnet._state.modes import Scope as Scope
from mxnet._state.modes import Tape as Tape
from mxnet._state.modes import changed_modes as changed_modes
from mxnet._state.modes import modes as modes
from mxnet._state.modes import open_tapes as open_tapes
from mxnet._state.np_scopes import _NumpyArrayScope as _NumpyArrayScope
from mxnet._state.np_scopes import carry_switches as carry_switches
from mxnet._state.np_scopes import is_np_array as is_np_array
from mxnet._state.np_scopes import is_np_default_dtype as is_np_default_dtype
from mxnet._state.np_scopes import is_np_shape as is_np_shape
from mxnet._state.np_scopes import np_array as np_array
from mxnet._state.np_scopes import np_default_dtype as np_default_dtype
from mxnet._state.np_scopes import np_shape as np_shape
from mxnet._state.np_scopes import reset_np as reset_np
from mxnet._state.np_scopes import set_np as set_np
from mxnet._state.np_scopes import set_np_default_dtype as set_np_default_dtype
from mxnet._state.np_scopes import set_np_shape as set_np_shape
from mxnet._state.np_scopes import use_np as use_np
from mxnet._state.np_scopes import use_np_array as use_np_array
from mxnet._state.np_scopes import use_np_default_dtype as use_np_default_dtype
from mxnet._state.np_scopes import use_np_shape as use_np_shape
from mxnet._state.rng import drawing as drawing
from mxnet._state.rng import draws as draws
from mxnet._state.rng import generator_for as generator_for
from mxnet._state.versions import REQUIRED as REQUIRED
from mxnet._state.versions import also_takes as also_takes
from mxnet._state.versions import as_in_mxnet2 as as_in_mxnet2
from mxnet._state.versions import rules as rules
from mxnet._state.versions import set_version as set_version

if TYPE_CHECKING:  # launchers import it, which need no other of these
    from mxnet._state import meeting as meeting
