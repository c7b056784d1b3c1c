"""Programs about `mx.mon.Monitor` and callbacks of executors."""

from __future__ import annotations

import mxnet as mx

from .core import functions, lines
from .monitoring_helpers import make, net, rounded


def printed():
    import logging

    lines = []

    class Keep(logging.Handler):
        def emit(self, record):
            lines.append(record.getMessage())

    handler, log = Keep(), logging.getLogger()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    exe = make(net, data=(2, 4))
    monitor = mx.mon.Monitor(1, stat_func=rounded)
    monitor.install(exe)
    monitor.tic()
    exe.forward(is_train=True)
    monitor.toc_print()
    log.removeHandler(handler)
    log.setLevel(level)
    return lines


def several_executors():
    monitor = mx.mon.Monitor(1, pattern=".*weight", stat_func=rounded)
    for _ in range(2):
        monitor.install(make(net, data=(2, 4)))
    monitor.tic()
    return monitor.toc(), len(monitor.exes)


PROGRAMS = {
    **lines(
        "monitoring_helpers",
        """
        watch(net, True, interval=1, stat_func=rounded)
        watch(net, False, interval=1, stat_func=rounded)
        watch(net, True, True, True, interval=2, stat_func=rounded, pattern='fc1')
        watch(net, True, interval=1, stat_func=rounded, sort=True)
        watch(net, False, interval=1, stat_func=rounded, monitor_all=True, sort=True)
        watch(net, True, interval=1, pattern='.*weight|.*bias')
        watch(net, False, interval=1, pattern='.*fc2', stat_func=lambda x: [x.max(), x.min()])
        watch(net, False, interval=1, pattern='fc2_w', stat_func=lambda x: x)
        watch(net, False, interval=1, pattern='fc2_w', stat_func=lambda x: (x, x))
        watch(net, False, interval=1, pattern='fc2_w', stat_func=lambda x: 3.5)
        watch(net, False, interval=1, pattern='(')
        watch(net, False, interval=1, pattern='none')
        watch(net, True, interval=1, pattern='.*(weight|bias|label)', stat_func=lambda x: x.max() / 3)
        mx.mon.Monitor(3).toc()
        mx.mon.Monitor(3, pattern='a').re_prog.pattern
        (lambda m: (m.tic(), m.step, m.activated, m.toc(), m.activated))(mx.mon.Monitor(3))
        mx.mon is mx.monitor
        names(net, data=(2, 3))
        names(net, data=(2, 3), train=False, monitor_all=True)
        names(a * 2, heads=nd.ones(2), a=(2,))
        names(loss(a * b), a=(2,), b=(2,))
        names(loss(a / b), a=(2,), b=(2,))
        names(loss(mx.sym.exp(a)), a=(2,))
        names(loss(a * 3 + b * 4), a=(2,), b=(2,))
        names(loss(a * a + a), a=(2,))
        names(loss(mx.sym.concat(a, b)), a=(2, 1), b=(2, 1))
        names(loss(mx.sym.dot(a, b)), a=(2, 1), b=(1, 1))
        names(loss(mx.sym.Flatten(mx.sym.transpose(a))), a=(2, 1))
        names(mx.sym.Group([loss(s) for s in mx.sym.split(a, num_outputs=2)]), a=(2, 2))
        names(loss(mx.sym.Convolution(a, kernel=(1, 1), num_filter=1, name='c')), a=(1, 1, 2, 2))
        names(loss(mx.sym.Embedding(a, input_dim=3, output_dim=2, name='e')), a=(2,), grad_req={'e_weight': 'write'})
        """,
    ),
    **functions(globals()),
}
