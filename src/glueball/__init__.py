"""The command `glueball`: what can be asked of networks, programs and installations by a shell.

It is a package beside `mxnet`, not a part of it, for two reasons (ADR 0038): importing anything of
`mxnet` imports torch, which takes seconds that `glueball --help` must not, and `glueball doctor`
is asked when `import mxnet` fails.
"""
