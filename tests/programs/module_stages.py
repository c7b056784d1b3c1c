"""What modules of every kind are asked at each stage."""

SHAPES = """
        (m.binded, m.params_initialized)
        list(m.data_names)
        m.output_names
        [str(item) for item in m.data_shapes]
        [str(item) for item in m.label_shapes]
        m.output_shapes
        m.symbol is None
        m.get_params()
        m.get_input_grads()
        m.update()
        m.backward()
        m.init_params(mx.init.One())
        m.init_optimizer()
        m.install_monitor(None)
"""
