"""Written by `make stubs`; do not edit."""

from mxnet.numpy.linalg import cond as cond, lstsq as lstsq, matrix_power as matrix_power, matrix_rank as matrix_rank, multi_dot as multi_dot, qr as qr
