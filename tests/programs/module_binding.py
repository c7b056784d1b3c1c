"""Programs about how modules are bound, again and with each other, and about their buckets."""

from __future__ import annotations

from .core import functions, sequences
from .module_binding_helpers import S, bucket_batch, bucketed, mx, summed, v

USES = sequences(
    "module_binding_helpers",
    """
    m = made(); (m.binded, m.params_initialized, m.for_training, m.inputs_need_grad, m.optimizer_initialized)
    m = made(True); m.forward(batch(), True); m.backward(); m.get_input_grads()
    m = made(); m.forward(batch(), True); m.backward(); attempted(m.get_input_grads)
    m = made(req='add'); m.forward(batch(), True); m.backward(); m.backward(); m._exec_group.grad_arrays
    m = made(req=['null', 'write', 'add', 'null']); attempted(lambda: m._exec_group.grad_req)
    m = made(req={'fc_weight': 'add'}, need=True); m._exec_group.grad_req
    m = made(); m._exec_group.grad_req
    m = made(need=True); m._exec_group.grad_req
    m = made(train=False); (m._exec_group.grad_req, attempted(m.forward, batch(), True), attempted(m.backward))
    m = made(fixed_param_names=['fc_weight']); m._exec_group.grad_req
    m = made(); m.bind([('data', (4, 4))], [('softmax_label', (4,))]); m.data_shapes
    m = made(); m.bind([('data', (4, 4))], [('softmax_label', (4,))], force_rebind=True); m.forward(batch(4)); (m.data_shapes, m.get_outputs(), m.get_params()[0])
    m = made(); m.bind([('data', (4, 4))], [('softmax_label', (4,))], force_rebind=True, for_training=False); (m.for_training, attempted(m.backward))
    m = made(); m.init_optimizer(); m.forward_backward(batch()); m.update(); m.bind([('data', (4, 4))], [('softmax_label', (4,))], force_rebind=True); (m.optimizer_initialized, attempted(m.update))
    m = made(); m.bind([('data', (4, 5))], [('softmax_label', (4,))], force_rebind=True); attempted(m.get_params)
    done = True; attempted(made().bind, [('data', (2, 4))])
    m = mx.mod.Module(net()); attempted(m.bind, [('data', (2, 4))])
    m = mx.mod.Module(net()); attempted(m.bind, [('data', (2, 4))], for_training=False)
    m = mx.mod.Module(net()); attempted(m.bind, [('dat', (2, 4))], [('softmax_label', (2,))])
    m = mx.mod.Module(net()); attempted(m.bind, [mx.io.DataDesc('data', (2, 4), layout='NC')], [mx.io.DataDesc('softmax_label', (2,))])
    m = mx.mod.Module(net()); (attempted(m.bind, (('data', (2, 4)),), (('softmax_label', (2,)),)), m.data_shapes, m.label_shapes)
    m = mx.mod.Module(net()); attempted(m.bind, {'data': (2, 4)})
    m = mx.mod.Module(net()); attempted(m.bind, None)
    m = mx.mod.Module(net(), ['data'], None); (attempted(m.bind, [('data', (2, 4))], None), attempted(lambda: m.label_names))
    m = mx.mod.Module(net(), label_names=[]); (attempted(m.bind, [('data', (2, 4))]), attempted(lambda: m.output_shapes))
    done = True; attempted(mx.mod.Module, net(), ['x'])
    done = True; attempted(mx.mod.Module, net(), fixed_param_names=['nosuch'])
    done = True; attempted(mx.mod.Module, net(), state_names=['nosuch'])
    m = made(); n = mx.mod.Module(net()); n.bind([('data', (1, 4))], [('softmax_label', (1,))], shared_module=m); (n.params_initialized, n.get_params()[0])
    m = made(); n = mx.mod.Module(net()); n.bind([('data', (1, 4))], [('softmax_label', (1,))], shared_module=m); m._exec_group.execs[0].arg_dict['fc_weight'][:] = 7; (n._exec_group.execs[0].arg_dict['fc_weight'], m.get_params()[0], n.get_params()[0])
    m = made(); n = mx.mod.Module(net()); n.bind([('data', (1, 4))], [('softmax_label', (1,))], shared_module=m); n.forward(batch(1)); m.forward(batch(2)); (n.get_outputs(), m.get_outputs())
    m = made(); n = mx.mod.Module(net(5)); attempted(n.bind, [('data', (1, 4))], [('softmax_label', (1,))], shared_module=m)
    n = mx.mod.Module(net()); attempted(n.bind, [('data', (1, 4))], [('softmax_label', (1,))], shared_module=mx.mod.Module(net()))
    m = made(); n = mx.mod.Module(net()); n.bind([('data', (1, 4))], [('softmax_label', (1,))], shared_module=m, grad_req='add'); n.forward(batch(1), True); n.backward(); (m._exec_group.grad_arrays, n._exec_group.grad_req)
    m = made(); m.init_optimizer(optimizer_params={'learning_rate': 0.5}); n = mx.mod.Module(net()); n.bind([('data', (1, 4))], [('softmax_label', (1,))], shared_module=m); n.borrow_optimizer(m); n.forward_backward(batch(1)); n.update(); (m.get_params()[0], n.get_params()[0])
    m = made(); n = mx.mod.Module(net()); n.bind([('data', (1, 4))], [('softmax_label', (1,))]); attempted(n.borrow_optimizer, m)
    m = made(); sorted(m._exec_group.shared_data_arrays[0]) if hasattr(m._exec_group, 'shared_data_arrays') else 0
    m = made(); sorted(((k, a.shape) for k, a in m._exec_group.shared_data_arrays[0].items()))
    m = made(); m.forward(batch(1)); m.get_outputs()
    m = made(); m.forward(batch(3)); (m.get_outputs()[0].shape, m.data_shapes)
    m = made(); m.forward(batch(3)); m.forward(batch(2)); sorted(((k, a.shape) for k, a in m._exec_group.shared_data_arrays[0].items()))
    m = made(); attempted(m.forward, batch(2, 5))
    m = made(); (attempted(m.reshape, [('data', (3, 4))], [('softmax_label', (3,))]), m.data_shapes)
    m = made(); attempted(m.reshape, [('data', (3, 5))], [('softmax_label', (3,))])
    m = bucketed(); m.forward(bucket_batch(4)); m.forward(bucket_batch(2)); (sorted(m._buckets), m.data_names, m.output_names, m.data_shapes, m._curr_bucket_key, m.symbol.list_arguments())
    m = bucketed(); m.forward_backward(bucket_batch(2)); m.update(); m.forward_backward(bucket_batch(4)); m.update(); (m.get_params()[0], m._buckets[2].get_params()[0])
    m = bucketed(); m.forward(bucket_batch(2)); (m._buckets[2].data_shapes, m._buckets[4].data_shapes, sorted(((k, a.shape) for k, a in m._buckets[2]._exec_group.shared_data_arrays[0].items())))
    m = bucketed(); m.forward(bucket_batch(6)); (m.data_shapes, m.get_outputs(), sorted(((k, a.shape) for k, a in m._buckets[4]._exec_group.shared_data_arrays[0].items())))
    m = bucketed(); m.switch_bucket(3, [('data', (2, 3))], [('softmax_label', (2,))]); (m.data_shapes, m._curr_bucket_key, m._curr_module.binded)
    m = bucketed(); attempted(m.switch_bucket, 3, [('data', (2, 3))])
    m = mx.mod.BucketingModule(dense, default_bucket_key=4); (m.data_names, m.output_names, attempted(lambda: m.data_shapes), attempted(lambda: m.symbol.list_outputs()))
    m = bucketed(); m.bind([('data', (2, 5))], [('softmax_label', (2,))], force_rebind=True); (m.data_shapes, sorted(m._buckets), m.params_initialized)
    m = bucketed(); m.forward(bucket_batch(2)); m.bind([('data', (3, 4))], [('softmax_label', (3,))], force_rebind=True); (m.data_shapes, sorted(m._buckets), attempted(m.get_params))
    m = mx.mod.BucketingModule(dense, default_bucket_key=4); m.bind([('data', (2, 4))], [('softmax_label', (2,))], for_training=False); m.init_params(mx.init.Constant(0.1)); m.forward(bucket_batch(3)); m.get_outputs()
    m = bucketed(); x = []; mon = mx.mon.Monitor(1, lambda a: a.sum()); m.install_monitor(mon); mon.tic(); m.forward(bucket_batch(4)); x.append([(n, s) for _, n, s in mon.toc()]); mon.tic(); m.forward(bucket_batch(2)); x.append([(n, s) for _, n, s in mon.toc()]); x
    m = made(); mon = mx.mon.Monitor(1, lambda a: nd.array(list(a.shape)).sum(), monitor_all=True); m.install_monitor(mon); mon.tic(); m.forward(batch()); a = [(n, s) for _, n, s in mon.toc()]; mon.tic(); m.forward(batch(3)); b = [(n, s) for _, n, s in mon.toc()]; (a, b)
    m = made(); mon = mx.mon.Monitor(1, lambda a: a.shape, pattern='.*weight'); m.install_monitor(mon); mon.tic(); m.forward(batch(), True); m.backward(); attempted(mon.toc)
    m = made(); mon = mx.mon.Monitor(1); m.install_monitor(mon); mon.tic(); m.forward(batch(), True); m.backward(); [(n,) for _, n, s in mon.toc()]
    m = made(); mon = mx.mon.Monitor(1, sort=True); m.install_monitor(mon); mon.tic(); m.forward(batch(), True); [n for _, n, s in mon.toc()]
    m = mx.mod.Module(net()); mon = mx.mon.Monitor(1); attempted(m.install_monitor, mon)
    m = made(ctx=[mx.cpu(0), mx.cpu(1)]); m.forward(batch(), True); (m.get_outputs(), m.get_outputs(merge_multi_context=False))
    m = made(ctx=[mx.cpu(0), mx.cpu(1)], need=True); m.forward(batch(), True); m.backward(); (m.get_input_grads(), m.get_input_grads(False))
    m = made(); (attempted(m.set_states, value=0), attempted(m.get_states))
    s = S.Group([S.BlockGrad(v('st') * 2, name='st2'), S.FullyConnected(v('data'), num_hidden=2, name='fc')]); m = mx.mod.Module(s, label_names=None, state_names=['st']); m.bind([('data', (2, 4))], None); attempted(m.init_params)
    m = made(); (m.data_names, m.label_names, m.output_names, m.data_shapes, m.label_shapes, m.output_shapes)
    m = mx.mod.Module(net()); (attempted(lambda: m.data_shapes), attempted(m.get_params), attempted(m.init_params), attempted(m.forward, batch()), attempted(m.init_optimizer))
    m = made(); attempted(m.set_params, {'fc_weight': nd.ones((3, 4))}, {})
    m = made(); (attempted(m.set_params, {'fc_weight': nd.ones((3, 4))}, {}, allow_missing=True), m.get_params()[0])
    m = made(); (attempted(m.set_params, {'fc_weight': nd.ones((3, 4)), 'fc_bias': nd.ones(3), 'x': nd.ones(1)}, {}), attempted(m.set_params, {'fc_weight': nd.ones((3, 4)), 'fc_bias': nd.ones(3), 'x': nd.ones(1)}, {}, allow_extra=True))
    m = made(); attempted(m.set_params, {'fc_weight': nd.ones((3, 5)), 'fc_bias': nd.ones(3)}, {})
    m = made(); (attempted(m.init_params, mx.init.One()), m.get_params()[0])
    m = made(); (attempted(m.init_params, mx.init.One(), force_init=True), m.get_params()[0])
    m = made(); (attempted(m.set_params, {'fc_weight': nd.ones((3, 4)), 'fc_bias': nd.ones(3)}, {}, force_init=False), m.get_params()[0])
    m = mx.mod.SequentialModule(); m.add(mx.mod.Module(S.FullyConnected(v('data'), num_hidden=3, name='a'), label_names=None)).add(mx.mod.Module(net(), label_names=['softmax_label']), take_labels=True, auto_wiring=True); m.bind([('data', (2, 4))], [('softmax_label', (2,))]); m.init_params(mx.init.Constant(0.1)); m.forward(batch(), True); m.backward(); (m.get_outputs(), m.data_names, m.output_names, m.data_shapes, m.label_shapes)
    m = made(group2ctxs={'a': mx.cpu(1)}); m._exec_group.contexts.__len__() if hasattr(m._exec_group, 'contexts') else 0
    m = made(work_load_list=[1]); m.data_shapes
    done = True; attempted(made, ctx='cpu')
    done = True; attempted(made, ctx=[mx.cpu(), mx.cpu(1), mx.cpu(2)])
    m = made(); m.prepare(batch()); m.forward(batch()); m.get_outputs()
    m = made(); e = m._exec_group.execs[0]; m.forward(batch(), True); e.arg_dict['data'][:] = 0; m.backward(); e.grad_dict['fc_weight']
    m = made(); it = mx.io.NDArrayIter(np.ones((5, 4)), np.ones(5), 2); (m.predict(it, merge_batches=False), m.predict(it, num_batch=1), m.predict(it, always_output_list=True))
    """,
)


def names_of_buckets_start_again():
    S.sum(v("x"))
    module = bucketed(summed)
    module.forward(bucket_batch(2))
    outputs = [module._buckets[key].symbol.get_internals().list_outputs() for key in (2, 4)]
    return outputs, S.sum(v("x")).name, S.tanh(v("x")).name


def names_of_buckets_have_no_prefix():
    with mx.name.Prefix("p_"):
        module = bucketed(summed)
    return module.symbol.get_internals().list_outputs()


def names_of_outputs_before_binding():
    module = mx.mod.BucketingModule(summed, default_bucket_key=4)
    return module.output_names, module.data_names, S.sum(v("x")).name


PROGRAMS = USES | functions(globals())
