"""Small programs that give the same result under the original and under this package.

A module has `PROGRAMS`, sources by name; a program leaves its result in `r`. The modules must run
under the original's Python as well, which `tests/golden/make_programs.py` uses.
"""
