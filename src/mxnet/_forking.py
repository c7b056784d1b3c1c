"""What a process does after it was forked.

The threads of OpenMP, with which torch shares out the work of an operator, do not exist in a forked
process, but its library waits for them for ever. One thread needs none of them.
"""

import os

import torch


def _use_one_thread() -> None:
    torch.set_num_threads(1)


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_use_one_thread)
