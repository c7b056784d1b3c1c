"""Small programs that give the same result under the original and under this package.

A module has `PROGRAMS`, programs by name. A program is a function that returns its result and may ask
for a `folder` to write to; it runs in a fresh copy of its module and of the helpers that this imports,
so that what stands at the top of a module is made anew for each. `mxnet` is the original where its
interpreter runs them (`tests/golden/make_programs.py`).

Where a program is one expression, a table of lines stands for many of them and the text is the name
(`core.lines`, `named`; `statements` where a statement is tried), because a function for each would hide
what differs. What lines use is made by a module of helpers or by a function of one.
"""
