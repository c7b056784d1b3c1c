"""Passes over lowered graphs, run by the table in `table.py`.

The modules are imported when the first graph is to run: programs on arrays alone need none.
"""

from typing import TYPE_CHECKING

from mxnet._start import make_getattr

if TYPE_CHECKING:
    from mxnet.graph.passes.layout import Layout as Layout
    from mxnet.graph.passes.layout import choose_layout as choose_layout
    from mxnet.graph.passes.stages import Members as Members
    from mxnet.graph.passes.stages import join_stages as join_stages
    from mxnet.graph.passes.table import Job as Job
    from mxnet.graph.passes.table import find_conditions as find_conditions
    from mxnet.graph.passes.table import remove_dead as remove_dead
    from mxnet.graph.passes.table import remove_identities as remove_identities
    from mxnet.graph.passes.table import run_passes as run_passes
    from mxnet.graph.passes.table import share_repeated as share_repeated
    from mxnet.graph.passes.table import split_constant as split_constant
    from mxnet.graph.passes.table import watch_calls as watch_calls

_MODULES = {
    "layout": ("Layout", "choose_layout"),
    "stages": ("Members", "join_stages"),
    "table": (
        *("Job", "find_conditions", "remove_dead", "remove_identities", "run_passes"),
        *("share_repeated", "split_constant", "watch_calls"),
    ),
}
__getattr__ = make_getattr(
    __name__,
    globals(),
    {name: f"{__name__}.{module}:{name}" for module, names in _MODULES.items() for name in names},
)
