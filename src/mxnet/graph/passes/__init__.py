"""Passes over lowered graphs, run by the table in `table.py`."""

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
