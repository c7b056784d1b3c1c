"""Small programs that give the same result under the original and under this package.

A module has `PROGRAMS`, programs by name. A program is a function that returns its result and may ask
for a `folder` to write to; it runs in a fresh copy of its module and of the helpers that this imports.
Where one expression is the program, a table of lines stands for many (`core.of`): the text is the name.
The modules import `mxnet`, which is the original where its interpreter runs them
(`tests/golden/make_programs.py`).
"""
